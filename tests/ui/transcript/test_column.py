"""Where entries stand, with heights that become known while one reads."""

from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.transcript.entries import Entry, MessageEntry
from desktop.ui.transcript.layout import ABOVE, Estimate, ListLayout
from tests.ui.transcript.conftest import question

HIGH = 100
QUESTION = question(1)


def entries(count: int) -> list[Entry]:
    return [MessageEntry(QUESTION) for _ in range(count)]


def column(count: int, height: int = 50) -> ListLayout:
    made = ListLayout(lambda: lambda _: height)
    made.fill(entries(count))
    return made


def tops(column: ListLayout) -> list[int]:
    return [column.top(entry) - ABOVE for entry in column.entries]


def test_a_place_between_entries_belongs_to_the_lower_one() -> None:
    made = column(3)
    places = (-5, 0, 49, 50, 99, 100, 999)
    assert [made.at(ABOVE + y) for y in places] == [0, 0, 0, 1, 1, 2, 2]


sizes = st.integers(1, 500)


@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 99), sizes)), st.data())
def test_after_any_changes_an_entry_stands_below_all_before_it(
    count: int, changes: list[tuple[int, int]], data: st.DataObject
) -> None:
    made, plain = column(count), [50] * count
    for place, height in changes:
        index = place % len(plain)
        match data.draw(st.sampled_from(["measure", "insert", "remove"])):
            case "measure":
                made.measure(made.entries[index], height)
                plain[index] = height
            case "insert":
                made.insert(index, *entries(1))
                plain.insert(index, 50)
            case _ if len(plain) > 1:
                made.remove(index, index + 1)
                del plain[index]
        index = place % len(plain)
        assert made.top(made.entries[index]) - ABOVE == sum(plain[:index])
    assert tops(made) == [sum(plain[:index]) for index in range(len(plain))]
    assert [entry.index for entry in made.entries] == list(range(len(plain)))


def test_a_window_shows_what_it_covers_and_as_much_around_as_asked_for() -> None:
    made = column(20)
    assert made.span(ABOVE + 500, HIGH) == (10, 13)
    assert made.span(ABOVE + 500, HIGH, beyond=1) == (8, 15)
    assert column(0).span(0, HIGH) == (0, 0)


def test_what_is_alive_keeps_its_height_while_all_others_are_guessed_anew() -> None:
    guesses = [50, 70]

    def estimates() -> Estimate:
        height = guesses.pop(0)
        return lambda _: height

    made = ListLayout(estimates)
    made.fill(entries(3))
    alive = made.entries[0]
    made.measure(alive, 33)
    made.estimate_all_but({alive})
    assert tops(made) == [0, 33, 103]
    assert not alive.is_measured
