"""Answering without a model: the sentences of past sessions that bear on a question, quoted.

Nothing here is written by anyone but the people and models that were quoted; every quotation is
tied to the message it stands in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.ids import MessageId
from desktop.domain.messages import Citation, CitationState, Message, Role
from desktop.domain.search import Hit, HitKind, Query
from desktop.language.dates import long_date
from desktop.language.followup import leans_back
from desktop.language.phrases import PhraseLists
from desktop.language.sentences import bearing_sentences
from desktop.recall.search import Search
from desktop.settings.texts import Texts

_HITS = 24
_SESSIONS = 4
_SENTENCES = 2
"""Of one message."""
_ANSWER_AFTER = 1
"""A question that matches is answered by the message behind it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A whole answer: markdown, and what it cites."""

    text: str
    citations: Sequence[Citation]


def quote_passages(
    question: str,
    earlier: Sequence[Message],
    *,
    search: Search,
    phrases: PhraseLists,
    texts: Texts,
) -> Quoted:
    """Find and quote what past sessions say to a question; raises StorageError.

    A question that leans on what was said is looked up together with the question before it.
    """
    asked = _whole_question(question, earlier, phrases)
    hits = search.find(Query(asked, kinds=frozenset({HitKind.MESSAGE}), limit=_HITS))
    citations: list[Citation] = []
    parts: list[str] = []
    for hit, passage, sentence in _passages(asked, hits, search):
        number = len(citations) + 1
        citations.append(
            Citation(
                number=number,
                state=CitationState.CHECKED,
                quote=sentence,
                source_id=hit.session_id,
                passage_id=str(passage.id),
                title=hit.title,
            )
        )
        parts.append(_shown(citations[-1], passage, texts))
    if not parts:
        is_empty = not search.has_sessions()
        key = "no_model.empty_archive" if is_empty else "no_model.nothing_found"
        return Quoted(texts.say(key), ())
    return Quoted("\n\n".join([texts.say("no_model.quotes"), *parts]), tuple(citations))


def _whole_question(question: str, earlier: Sequence[Message], phrases: PhraseLists) -> str:
    before = [message.content for message in earlier if message.role is Role.USER]
    if before and leans_back(question, phrases):
        return f"{before[-1]} {question}"
    return question


def _passages(asked: str, hits: Sequence[Hit], search: Search) -> list[tuple[Hit, Message, str]]:
    found: list[tuple[Hit, Message, str]] = []
    seen: set[MessageId] = set()
    sessions: set[str] = set()
    for hit in hits:
        if hit.session_id not in sessions and len(sessions) == _SESSIONS:
            continue
        for passage in search.around(hit, after=_ANSWER_AFTER):
            if passage.role is not Role.ASSISTANT or passage.id in seen:
                continue
            seen.add(passage.id)
            for sentence in bearing_sentences(asked, passage.content, _SENTENCES):
                sessions.add(hit.session_id)
                found.append((hit, passage, sentence.text))
    return found[: _SESSIONS * _SENTENCES]


def _shown(citation: Citation, passage: Message, texts: Texts) -> str:
    quote = citation.quote.replace("\n", " ")
    title = citation.title.replace("[", "(").replace("]", ")")
    return texts.say(
        "no_model.quote",
        quote=quote,
        title=title,
        link=f"bellek://session/{citation.source_id}?message={citation.passage_id}",
        date=long_date(passage.created_at, texts.language),
        number=citation.number,
    )
