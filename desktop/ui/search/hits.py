"""Search hits as both lists show them: grouped by session, held in place, opened."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.search import Hit, HitKind, Query
from desktop.domain.sessions import Session
from desktop.ui.formatting import full_day
from desktop.ui.reader.reader_content import ReaderPlace, place_of_hit
from desktop.ui.services import NavigationTarget

if TYPE_CHECKING:
    from desktop.sessions.services import Services

T = TypeVar("T")


def owner_of(hit: Hit) -> SessionId:
    if hit.day is not None:
        return SessionId(hit.day.isoformat())
    return SessionId(hit.source_id) if hit.source_id is not None else hit.session_id


def title_of(hit: Hit) -> str:
    return full_day(hit.day) if hit.day is not None else one_line(hit.title)


def is_message(hit: Hit) -> bool:
    return hit.kind in {HitKind.MESSAGE, HitKind.PICTURE}


def one_line(text: str) -> str:
    return " ".join(text.split())


def snippet_line(hit: Hit) -> str:
    # Each break becomes exactly one space, so that spans stay valid.
    return hit.snippet.replace("\n", " ").replace("\t", " ")


@dataclass(frozen=True, slots=True)
class FoundSession:
    first: Hit  # The best hit, whatever its kind
    hits: Sequence[Hit]  # Messages and passages; only those with the words, if there are any
    count: int  # Messages that have the words; 0 if only title, summary or filters match
    has_words: bool  # Whether it contains the words; otherwise only its meaning is similar

    @property
    def session_id(self) -> SessionId:
        return owner_of(self.first)

    @property
    def title(self) -> str:
        return title_of(self.first)

    @property
    def best(self) -> Hit:
        """Return the best hit, messages first, because they can be opened at their place."""
        return self.hits[0] if self.hits else self.first

    @property
    def is_source(self) -> bool:
        return self.first.source_id is not None

    @property
    def is_day(self) -> bool:
        return self.first.day is not None


def by_session(hits: Iterable[Hit], counts: Mapping[SessionId, int]) -> list[FoundSession]:
    of_session: dict[SessionId, list[Hit]] = {}
    for hit in hits:
        of_session.setdefault(owner_of(hit), []).append(hit)
    return [
        _found(several, counts.get(session_id, 0)) for session_id, several in of_session.items()
    ]


def _found(hits: Sequence[Hit], count: int) -> FoundSession:
    messages = [hit for hit in hits if hit.kind is not HitKind.SESSION]
    # If some hits contain the words, hide hits that only surround them.
    worded = [hit for hit in messages if hit.marks]
    shown = worded or messages or [hit for hit in hits if hit.snippet]
    has_words = count > 0 or any(hit.marks or hit.kind is HitKind.SESSION for hit in hits)
    return FoundSession(hits[0], shown, max(count, len(worded)), has_words)


def hold_rows(
    old: Sequence[T], new: Sequence[T], held: object, key: Callable[[T], object]
) -> list[T]:
    """Return the new rows, but keep the old ones down to the held row."""
    places = [place for place, row in enumerate(old) if key(row) == held]
    if held is None or not places:
        return list(new)
    head = old[: places[0] + 1]
    keys = {key(row) for row in head}
    return [*head, *(row for row in new if key(row) not in keys)]


def place_to_open(
    session_id: SessionId, hit: Hit | None, words: str
) -> NavigationTarget | ReaderPlace | date:
    """Return the place that a row opens; `words` were searched for."""
    from desktop.recall.fts_query import marked_words, words_to_find  # noqa: PLC0415 - not for the start

    if hit is None:
        return NavigationTarget(session_id, None, marked_words(words), words)
    if hit.day is not None:
        return hit.day
    terms = words_to_find(words, hit)
    if place := place_of_hit(hit, terms):
        return place
    return NavigationTarget(session_id, hit.message_id, marked_words(terms), terms)


@dataclass(frozen=True, slots=True)
class FoundHits:
    hits: Sequence[Hit]
    sessions: Sequence[Session] = ()  # The sessions of the hits that the caller does not know
    has_more: bool = False
    counts: Mapping[SessionId, int] = field(default_factory=dict)
    """The number of hits of a session, if it is more than the hits given."""


def find_hits(
    services: "Services",
    query: Query,
    *,
    session_ids: Collection[SessionId] = (),
    counts: bool = True,
) -> FoundHits:
    """Search on a worker; the query's limit is one above what is shown, to detect more."""
    matches = services.search.find(query)
    texts = services.texts()
    hits = [
        hit.labelled(texts.say("recall.in_picture", name=hit.heading))
        if hit.kind is HitKind.PICTURE
        else hit
        for hit in matches[: query.limit - 1]
    ]
    ids = list(dict.fromkeys(hit.session_id for hit in hits))
    unknown = set(ids).difference(session_ids)
    return FoundHits(
        hits,
        services.archive.some_sessions(unknown) if unknown else (),
        len(matches) > len(hits),
        services.search.count(query.text, ids, query.scope.wall) if counts else {},
    )
