"""Puts evidence into the request of an answer: as data, marked, ready to be cited."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop.domain.ids import SessionId
from desktop.domain.model import SearchResult, ServerWeb
from desktop.domain.research import SubQuestion
from desktop.language.sentences import sentences
from desktop.research.passages import Passage, format_passage, is_suspicious_passage
from desktop.research.security.markup_escaping import escape_markup
from desktop.settings.messages import Texts


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the Quick and Research tiers found for an answer."""

    passages: Sequence[Passage]
    """Numbered from 1."""
    questions: Sequence[SubQuestion] = ()
    used_web: bool = False
    unread: int = 0
    """Pages and searches that failed."""
    is_late: bool = False
    """The time was up before everything was read."""
    beside: Sequence[SessionId] = ()
    """Past sessions that the user attached to the current one."""
    wants_web: bool = False
    """Nothing local answers the question: the endpoint may search while it writes."""
    web: ServerWeb | None = None
    """How much of it."""


def evidence_text(found: Evidence, texts: Texts, *, cites_itself: bool = False) -> str:
    """For the changing block; where the endpoint cites by itself, passages are separate blocks."""
    if not found.passages:
        nothing = "nothing" if found.web is None else "nothing_at_hand"
        return "\n\n".join([texts.say(f"research.{nothing}"), *_notes(found, texts)])
    rules = texts.say("research.rules_citing" if cites_itself else "research.rules")
    parts = [f"{_lead(found, texts)}\n\n{rules}", *_notes(found, texts)]
    if not cites_itself:
        parts += [format_passage(one, texts) for one in found.passages]
    return "\n\n".join(parts)


def search_results(passages: Sequence[Passage]) -> tuple[SearchResult, ...]:
    return tuple(
        SearchResult(
            one.number,
            escape_markup(one.title),
            one.place.address if one.place else f"bellek://session/{one.session_id}",
            tuple(_pieces(escape_markup(one.text))),
        )
        for one in passages
    )


def suspicious_note(passages: Sequence[Passage], texts: Texts) -> str:
    numbers = [str(one.number) for one in passages if is_suspicious_passage(one)]
    return texts.say("research.suspicious", numbers=", ".join(numbers)) if numbers else ""


def _lead(found: Evidence, texts: Texts) -> str:
    if not found.questions:
        return texts.say("research.looked_web" if found.used_web else "research.looked")
    asked = [f"- {one.question}" for one in found.questions]
    return "\n".join([texts.say("research.researched"), *asked])


def _notes(found: Evidence, texts: Texts) -> Iterator[str]:
    if note := suspicious_note(found.passages, texts):
        yield note
    if beside := [str(one.number) for one in found.passages if one.session_id in found.beside]:
        yield texts.say("research.beside", numbers=", ".join(beside))
    if found.unread:
        yield texts.count("research.unread", found.unread)
    if found.is_late:
        yield texts.say("research.late")
    if web := found.web:
        yield texts.say("research.web_tools", searches=web.searches, fetches=web.fetches)


def _pieces(text: str) -> Iterator[str]:
    """All of the text, split into sentences and what stands between them."""
    at = 0
    for sentence in sentences(text):
        if between := text[at : sentence.start].strip():
            yield between
        yield sentence.text
        at = sentence.end
    if rest := text[at:].strip():
        yield rest
