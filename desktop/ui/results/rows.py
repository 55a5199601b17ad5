"""What a search found, by session, and the rows in which it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit, HitKind
from desktop.ui.sidebar.entries import owner_of

_SHOWN_HITS = 4
"""Of one session; the others are a key away once it is open."""


@dataclass(frozen=True, slots=True)
class Found:
    """A session with what was found in it."""

    session_id: SessionId
    title: str
    at: datetime
    """Of its best hit."""
    hits: Sequence[Hit]
    count: int
    """Messages in it that have the words; 0 where only title, summary or filters led here."""

    @property
    def is_source(self) -> bool:
        """A document or a page, under whose own id it stands in the place of a session."""
        return any(hit.kind is HitKind.SOURCE for hit in self.hits)

    @property
    def has_words(self) -> bool:
        """Whether what was asked stands in it; elsewhere only the meaning is near."""
        return not self.hits or any(hit.marks or hit.kind is HitKind.SESSION for hit in self.hits)


@dataclass(frozen=True, slots=True)
class More:
    """Below everything: there is more."""


Row = Found | Hit | More


def by_session(hits: Sequence[Hit], counts: Mapping[SessionId, int]) -> list[Found]:
    """In the order in which each was first met."""
    of_session: dict[SessionId, list[Hit]] = {}
    for hit in hits:
        of_session.setdefault(owner_of(hit), []).append(hit)
    return [_found(several, counts.get(one, 0)) for one, several in of_session.items()]


def steady(old: Sequence[Found], new: Sequence[Found], held: SessionId | None) -> list[Found]:
    """The new order, below the session that somebody is at: up to that one nothing moves."""
    places = [place for place, one in enumerate(old) if one.session_id == held]
    if not places:
        return list(new)
    kept = old[: places[0] + 1]
    ids = {one.session_id for one in kept}
    return [*kept, *(one for one in new if one.session_id not in ids)]


def rows_of(found: Sequence[Found], *, has_more: bool) -> list[Row]:
    rows: list[Row] = []
    for one in found:
        rows += [one, *one.hits]
    return [*rows, More()] if has_more else rows


def _found(hits: Sequence[Hit], count: int) -> Found:
    messages = [hit for hit in hits if hit.kind in {HitKind.MESSAGE, HitKind.SOURCE}]
    # Beside those that have a word, the ones around them say nothing of what was asked.
    worded = [hit for hit in messages if hit.marks]
    told = worded or messages or [hit for hit in hits if hit.snippet]
    return Found(
        session_id=owner_of(hits[0]),
        title=" ".join(hits[0].title.split()),
        at=hits[0].created_at,
        hits=told[:_SHOWN_HITS],
        count=max(count, len(worded)),
    )
