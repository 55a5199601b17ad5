"""Results of several lists in one shape and one order."""

from datetime import UTC, datetime

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind
from desktop.recall.results import LONGEST_SNIPPET, RankedHits, merge_ranked, trim_snippet


def hit(
    number: int,
    snippet: str = "",
    *,
    kind: HitKind = HitKind.MESSAGE,
    tags: tuple[str, ...] = (),
    marks: tuple[tuple[int, int], ...] = (),
) -> Hit:
    return Hit(
        kind=kind,
        session_id=SessionId(f"s{number}"),
        message_id=MessageId(number) if kind is HitKind.MESSAGE else None,
        message_number=1,
        score=float(number),
        title="",
        snippet=snippet or f"söz {number}",
        marks=marks,
        created_at=datetime(2026, 3, 5, tzinfo=UTC),
        tags=tags,
    )


def ids(hits: list[Hit]) -> list[MessageId | None]:
    return [one.message_id for one in hits]


def test_what_stands_in_several_lists_comes_first_and_once() -> None:
    merged = merge_ranked([RankedHits([hit(1), hit(2)]), RankedHits([hit(3), hit(2)])], 10)
    assert ids(merged) == [2, 1, 3]
    assert merged[0].score > merged[1].score


def test_copies_of_a_message_are_one_and_other_kinds_are_not() -> None:
    same = "Akdeniz diyeti, günde otuz gram lif demektir."
    copy = hit(2, f"  {same.upper()} ")
    other = hit(3, same, kind=HitKind.SESSION)
    assert ids(merge_ranked([RankedHits([hit(1, same), copy, other])], 10)) == [1, None]


def test_tags_of_all_that_is_one_are_kept() -> None:
    merged = merge_ranked(
        [RankedHits([hit(1, tags=("a", "b"))]), RankedHits([hit(1, tags=("b", "c"))])], 5
    )
    assert merged[0].tags == ("a", "b", "c")


def test_a_snippet_is_short_and_its_marks_stay_inside() -> None:
    text = "söz " * 200
    cut = trim_snippet(hit(1, text, marks=((0, 3), (4, 7), (700, 703))))
    assert len(cut.snippet) <= LONGEST_SNIPPET
    assert cut.snippet.endswith("söz …")
    assert cut.marks == ((0, 3), (4, 7))
    assert len(trim_snippet(hit(1, "x" * 999)).snippet) <= LONGEST_SNIPPET
