"""Search hits: made from matches, cut to snippets, deduplicated, blended into one order."""

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import replace

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind, Query, SearchOrder
from desktop.domain.sessions import Session
from desktop.language.normalization import MARK, find_words, fold
from desktop.recall.fts_query import Expression, word_starts
from desktop.storage.search.message_index import MessageMatch, SessionMatch, name_words

_SESSION_LEAD = 1.5
_FACT_LEAD = 1.25
_ARCHIVED_PLACE = 1.3  # How much further down a hit in an archived session is
_DIARY_LEAD = 0.75  # Weight of a diary entry: messages contain what it tells
_FINDING_LEAD = 0.75  # Nobody has asked for it

_LEADS = {
    HitKind.SESSION: _SESSION_LEAD,
    HitKind.FACT: _FACT_LEAD,
    HitKind.DIARY: _DIARY_LEAD,
    HitKind.FINDING: _FINDING_LEAD,
}


def blend_kinds(hits: list[Hit], query: Query) -> list[Hit]:
    """Blend kinds of hits into one order; each kind's scores are scaled to its best."""
    if query.order is SearchOrder.NEWEST:
        newest = sorted(hits, key=lambda hit: hit.created_at, reverse=True)
        return sorted(newest, key=lambda hit: hit.is_pointer)
    best = {
        kind: max((hit.score for hit in hits if hit.kind is kind), default=1.0) or 1.0
        for kind in query.kinds
    }
    if HitKind.MESSAGE in best and HitKind.SOURCE in best:  # scored alike, so they compare
        scores = [hit.score for hit in hits if hit.kind in {HitKind.MESSAGE, HitKind.SOURCE}]
        best[HitKind.MESSAGE] = best[HitKind.SOURCE] = max(scores, default=1.0) or 1.0
    scaled = [
        replace(hit, score=_LEADS.get(hit.kind, 1.0) * hit.score / best[hit.kind]) for hit in hits
    ]
    ranked = sorted(scaled, key=lambda hit: (hit.is_pointer, -hit.score))
    called = _called(name_words(query.text), ranked)
    return [*called, *(hit for hit in ranked if hit not in called)]


def lower_archived(hits: Sequence[Hit], archived: Collection[SessionId]) -> list[Hit]:
    """Move hits of archived sessions down a little: a first one stays, a fourth becomes fifth."""

    def lowered(at: tuple[int, Hit]) -> tuple[bool, float]:
        place, hit = at
        lower = _ARCHIVED_PLACE if hit.session_id in archived else 1.0
        return hit.is_pointer, place * lower

    return [hit for _, hit in sorted(enumerate(hits, start=1), key=lowered)]


def _called(words: Sequence[str], ranked: Sequence[Hit]) -> list[Hit]:
    """Return sessions whose title is the query, and the best passage of such a source."""
    named = [hit for hit in ranked if words and name_words(hit.title) == words]
    sessions = [hit for hit in named if hit.kind is HitKind.SESSION and not hit.is_pointer]
    return sessions + [hit for hit in named if hit.kind is HitKind.SOURCE][:1]


def message_hit(match: MessageMatch, pointers: Container[MessageId] = ()) -> Hit:
    """Return a hit with the whole message as its snippet; `shown` cuts it.

    `pointers`: messages that only point to what other sessions say.
    """
    message = match.message
    return Hit(
        kind=HitKind.MESSAGE,
        session_id=message.session_id,
        message_id=message.id,
        message_number=message.number,
        ref=message.ref,
        score=match.score,
        title=match.session_title,
        snippet=message.content,
        created_at=message.created_at,
        is_pointer=message.id in pointers,
    )


def session_hit(match: SessionMatch, quoting: Container[SessionId] = ()) -> Hit:
    """Return a hit with the whole description as its snippet.

    `quoting`: sessions that only quote others.
    """
    session = match.session
    return Hit(
        kind=HitKind.SESSION,
        session_id=session.id,
        score=match.score,
        title=session.title or session.opening,
        snippet=_told(session),
        created_at=session.updated_at,
        is_pointer=session.id in quoting,
    )


def shown(hit: Hit, expression: Expression) -> Hit:
    """Return the hit with its final snippet; facts and passages have theirs."""
    return cut(hit, expression) if hit.kind in {HitKind.MESSAGE, HitKind.SESSION} else hit


def cut(hit: Hit, expression: Expression, *, length: int = 160) -> Hit:
    """Return the hit with the part of its text that has the most marks."""
    words = expression.begun, expression.phrase_words
    part, marks = snippet(hit.snippet, *words, length=length)
    return replace(hit, snippet=part, marks=marks)


_LEADERS = re.compile(r"(?:[.·•…] ?){4,}")
_LEADERS_SHARE = 0.2  # Of a text: more is a table of contents
_WORD = re.compile(r"[^\W\d_]{2}")


def is_listing(text: str) -> bool:
    """Whether a text is lines of a table of contents, or has no words."""
    leaders = sum(len(match[0]) for match in _LEADERS.finditer(text))
    return leaders > _LEADERS_SHARE * len(text) or not _WORD.search(text)


def is_semantic_only(hits: Sequence[Hit]) -> bool:
    return bool(hits) and all(hit.kind is not HitKind.SESSION and not hit.marks for hit in hits)


def session_matches(match: SessionMatch, expression: Expression) -> bool:
    return expression.fits(f"{match.session.title}\n{_told(match.session)}")


def _told(session: Session) -> str:
    topics = " · ".join(session.topics)
    return f"{session.summary} · {topics}" if session.summary and topics else topics


_NOISE = re.compile(r"(?:[\s|*`#>_~]|:?-{3,}:?)+")
# By its target, so that a call in code is not a link: "handlers[name](event)".
_LINK = re.compile(
    r"!?\[([^\[\]\n]{1,300})\]\((?:[a-z]{2,10}:|[/#.])[^\s()]{0,2000}(?:\([^\s()]{0,200}\))?"
    r"[^\s()]{0,200}\)"
)
_LEAD = 40  # Characters shown before the first mark, so that it is in the first line
_LOOKED_AT = 50
"""Places of a long text that are compared; the window with the most marks is among the first."""


def snippet(
    text: str, terms: Sequence[str], phrase_words: Sequence[str] = (), *, length: int = 160
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the part of a text with the most marks, and the spans to mark in it.

    Marked are words that begin with a term or are one of `phrase_words`.
    """
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    start = _best_start(_places(text, (*terms, *phrase_words)), length)
    start = max(0, start - _LEAD)
    if start:
        start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + length)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    # No space instead: the text after the marks must still follow directly ("**sugar**.").
    cut = _NOISE.sub(" ", text[start:end].replace("**", "").replace("`", "")).strip()
    shown = f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}"
    marks = {*find_words(shown, terms), *find_words(shown, phrase_words, prefix=False)}
    return shown, tuple(sorted(marks))


def _places(text: str, terms: tuple[str, ...]) -> list[int]:
    """Return where words with a term begin; cheaper than finding the words themselves."""
    if not terms:
        return []
    folded = fold(text)
    # Letters whose marks are characters of their own, or words that stand anywhere.
    if MARK in folded or not all(map(str.isascii, terms)):
        return [start for start, _ in find_words(text, terms)][:_LOOKED_AT]
    matches = word_starts(terms).finditer(folded)
    return [match.start() for match, _ in zip(matches, range(_LOOKED_AT), strict=False)]


def _best_start(places: Sequence[int], length: int) -> int:
    best, most = 0, 0
    for place, start in enumerate(places):
        within = sum(1 for other in places[place:] if other < start + length - _LEAD)
        if within > most:
            best, most = start, within
    return best
