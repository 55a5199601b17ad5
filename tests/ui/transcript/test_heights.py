"""Heights that become known while one reads."""

from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.transcript.layout import HeightIndex


def test_an_entry_stands_below_all_before_it() -> None:
    heights = HeightIndex([10, 20, 30])
    assert [heights.top(n) for n in range(3)] == [0, 10, 30]
    assert heights.total == 60


def test_a_place_between_entries_belongs_to_the_lower_one() -> None:
    heights = HeightIndex([10, 20, 30])
    assert [heights.at(y) for y in (-5, 0, 9, 10, 29, 30, 999)] == [0, 0, 0, 1, 1, 2, 2]


sizes = st.integers(1, 500)


@given(st.lists(sizes, min_size=1), st.lists(st.tuples(st.integers(0, 99), sizes)), st.data())
def test_after_any_changes_the_sums_are_those_of_the_heights(
    first: list[int], changes: list[tuple[int, int]], data: st.DataObject
) -> None:
    heights, plain = HeightIndex(first), list(first)
    for place, height in changes:
        index = place % len(plain)
        match data.draw(st.sampled_from(["set", "insert", "remove"])):
            case "set":
                heights.set(index, height)
                plain[index] = height
            case "insert":
                heights.insert(index, height)
                plain.insert(index, height)
            case _ if len(plain) > 1:
                heights.remove(index)
                del plain[index]
        assert heights.top(index % len(plain)) == sum(plain[: index % len(plain)])
    assert heights.total == sum(plain)
