"""Answers without a model: quotes the sentences of past sessions that match a question.

Every quotation cites the message it stands in; the program writes only the headings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from desktop.domain.facts import Fact, FactSource
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL, Citation, CitationState, Message, Role
from desktop.domain.routing import Recall
from desktop.domain.search import Hit, HitKind, Query
from desktop.language.dates.date_formatting import long_date, spoken_period
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import keys
from desktop.language.language_detection import guess_language
from desktop.language.markdown_stripping import without_block_marks
from desktop.language.normalization import word_texts
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.language.relevant_sentences import (
    Subject,
    bearing_sentences,
    is_of_decision,
    is_told_decision,
    shares_subject,
    subject_words,
)
from desktop.language.sentences import sentences
from desktop.language.stopwords import StopWords
from desktop.recall.cross_language_expansion import matches_translation
from desktop.recall.search import Search
from desktop.research.passages import Passage, Recollection, Speaker, excerpt
from desktop.settings.messages import Texts

_HITS = 24
_SESSIONS = 4
_SENTENCES_A_MESSAGE = 2
_SENTENCES_A_SESSION = 3
_DECISIONS = 2
"""Of them in each session, so that what they are about is quoted too."""
_LAST_WORDS = 280
_NEAREST = 2
"""Sessions that are shown where none says what was asked."""
_ANSWER_AFTER = 1
"""A question that matches is answered by the message behind it."""


@dataclass(frozen=True, slots=True)
class ExtractiveAnswer:
    """A whole answer: markdown, and what it cites."""

    text: str
    citations: Sequence[Citation]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence, the message it stands in, and the hit that led there."""

    hit: Hit
    passage: Message
    sentence: str
    is_sure: bool
    """Whether what was found has more of the question than one word of it."""


_NOTHING = ExtractiveAnswer("", ())
Sources = Callable[[FactId], Sequence[FactSource]]
"""Where a fact was said, the first time first."""


def quote_facts(
    facts: Sequence[Fact], sources: Sources, texts: Texts, *, lead: str = "no_model.facts"
) -> ExtractiveAnswer:
    """What is remembered, each with the message it came from; raises StorageError.

    One that was written by hand came from none.
    """
    citations: list[Citation] = []
    parts = [texts.say(lead)] if facts else []
    for fact in facts:
        said = next(iter(sources(fact.id)), None)
        date = long_date(fact.valid_from, texts.language)
        if said is None:
            parts.append(texts.say("no_model.fact", fact=fact.content, date=date))
            continue
        citations.append(_of_fact(said, len(citations) + 1))
        told = {
            "date": long_date(said.said_at, texts.language),
            "link": f"bellek://session/{said.session_id}?message={said.message_id}",
        }
        number = citations[-1].number
        parts.append(texts.say("no_model.fact_said", fact=fact.content, number=number, **told))
    return ExtractiveAnswer("\n\n".join(parts), tuple(citations))


def _of_fact(said: FactSource, number: int) -> Citation:
    return Citation(
        number=number,
        state=CitationState.CHECKED,
        quote=said.quote.strip(" \t\n,;:–—-"),
        source_id=said.session_id,
        passage_id=str(said.message_id),
        title=said.session_title,
    )


def quote_passages(
    question: str,
    earlier: Sequence[Message],
    *,
    search: Search,
    phrases: PhraseLists,
    texts: Texts,
    before: ExtractiveAnswer = _NOTHING,
) -> ExtractiveAnswer:
    """Find and quote what past sessions say to a question; empty where there is nothing.

    `before`: what is remembered about it, which is said first. A question that leans on what was
    said is looked up together with the question before it. Raises StorageError.
    """
    if is_courtesy(question, phrases):
        greets = find_phrase(tokenize(question), phrases.greets)
        return ExtractiveAnswer(
            texts.say("no_model.greeting" if greets else "no_model.courtesy"), ()
        )
    asked = _whole_question(question, earlier, phrases)
    hits = search.find(Query(asked, kinds=frozenset({HitKind.MESSAGE}), limit=_HITS))
    quotations = _quotations(asked, hits, search, phrases.stop_words)
    sure = _most([one for one in quotations if one.is_sure], _SESSIONS)
    if before.text and not sure:
        return before
    if not quotations:
        return _NOTHING
    citations = list(before.citations)
    parts = [before.text] if before.text else []
    parts.append(texts.say("no_model.quotes" if sure else "no_model.nearest_words"))
    shown = sure or _most(quotations, _NEAREST)
    for _, of_session in groupby(shown, key=lambda one: one.hit.session_id):
        several = list(of_session)
        parts.append(_heading(several[0].hit, texts))
        for one in several:
            citations.append(_citation(one, len(citations) + 1))
            parts.append(_shown(citations[-1], texts))
    return ExtractiveAnswer("\n\n".join(parts), tuple(citations))


def quote_recollection(
    asked: Recall,
    found: Recollection,
    *,
    phrases: PhraseLists,
    texts: Texts,
    sources: Sources,
) -> ExtractiveAnswer:
    """Quote what was found in past sessions; where it is not what was asked for, say so."""
    passages = _bearing(asked, found, phrases.stop_words)
    is_far = not found.facts and (not passages or (found.is_nearest and not asked.period))
    if is_far and not found.passages:
        return ExtractiveAnswer(texts.say("no_model.nothing_recalled"), ())
    if is_far:
        near = list(dict.fromkeys(one.session_id for one in found.passages))[:_NEAREST]
        passages = [one for one in found.passages if one.session_id in near]
    told = quote_facts(found.facts, sources, texts)
    parts = [told.text] if told.text else []
    if passages:
        parts.append(texts.say("no_model.far") if is_far else _lead(asked, found, texts))
    citations = list(told.citations)
    for _, of_session in groupby(passages, key=lambda one: one.session_id):
        quoted = _quoted(asked, list(of_session), phrases.stop_words)
        parts.append(_session_heading(quoted[0][0], texts))
        for passage, words in quoted:
            citations.append(_recalled(passage, words, len(citations) + 1))
            parts.append(_shown(citations[-1], texts))
    return ExtractiveAnswer("\n\n".join(parts), tuple(citations))


def _bearing(asked: Recall, found: Recollection, stop_words: StopWords) -> list[Passage]:
    """Of sessions with a word of what was asked for: meaning finds something to everything."""
    if not asked.words or asked.is_left_off or found.is_nearest:
        return list(found.passages)
    sharing = {
        one.session_id
        for one in found.passages
        if _is_about(asked.words, f"{one.title}\n{one.stored}", stop_words)
    }
    return [one for one in found.passages if one.session_id in sharing]


def _is_about(words: str, text: str, stop_words: StopWords) -> bool:
    return shares_subject(words, text, stop_words) or matches_translation(
        subject_words(words, stop_words), guess_language(words, Language.EN), text
    )


def _lead(asked: Recall, found: Recollection, texts: Texts) -> str:
    if found.is_nearest:
        when = spoken_period(asked.period, texts.language) if asked.period else ""
        return texts.say("no_model.nearest", when=when)
    is_about_words = bool(asked.words) and not asked.is_left_off
    if asked.period and not (is_about_words or found.is_last_place):
        when = spoken_period(asked.period, texts.language)
        return texts.say("no_model.of_time", when=when)
    return texts.say("no_model.recalled" if is_about_words else "no_model.last_place")


def _quoted(
    asked: Recall, of_session: Sequence[Passage], stop_words: StopWords
) -> list[tuple[Passage, str]]:
    """What answers, or where nothing does, how the first of them begins, and its answer."""
    if not asked.words or asked.is_left_off:
        return _once([(one, _beginning(one)) for one in of_session])
    found = _decisions(asked, of_session)
    for passage in sorted(of_session, key=lambda one: one.speaker is Speaker.USER):
        best = bearing_sentences(asked.words, passage.stored, 1, stop_words=stop_words)
        if best and (passage.speaker is not Speaker.USER or not found):
            found.append((passage, best[0].text))
    found = found or [(of_session[0], _beginning(of_session[0]))]
    if all(passage.speaker is Speaker.USER for passage, _ in found):
        answers = (one for one in of_session if one.speaker is Speaker.ASSISTANT)
        found += [(one, _beginning(one)) for one in answers if one.number > found[0][0].number][:1]
    found = list(dict.fromkeys(_once(found)))[:_SENTENCES_A_SESSION]
    return sorted(found, key=lambda pair: pair[0].number)


def _decisions(asked: Recall, of_session: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """What was decided, where that is asked: the sentence seldom says again what about."""
    if not is_of_decision(asked.reason):
        return []
    return [
        (passage, sentence.text)
        for passage in of_session
        for sentence in sentences(passage.stored)
        if is_told_decision(sentence.text)
    ][:_DECISIONS]


def _once(quoted: Sequence[tuple[Passage, str]]) -> list[tuple[Passage, str]]:
    """A summary without what a message has in the same words: that one can be opened."""
    said = {" ".join(words.split()) for passage, words in quoted if passage.message_id}
    return [
        (passage, words)
        for passage, words in quoted
        if passage.message_id or " ".join(words.split()) not in said
    ]


def _beginning(passage: Passage) -> str:
    return excerpt(passage.stored, (), _LAST_WORDS)


def _recalled(passage: Passage, words: str, number: int) -> Citation:
    return Citation(
        number=number,
        state=CitationState.CHECKED,
        quote=words,
        source_id=passage.session_id,
        passage_id=str(passage.message_id or ""),
        title=passage.title,
    )


def _session_heading(passage: Passage, texts: Texts) -> str:
    message = f"?message={passage.message_id}" if passage.message_id else ""
    return texts.say(
        "no_model.session",
        title=passage.title.replace("[", "(").replace("]", ")"),
        link=f"bellek://session/{passage.session_id}{message}",
        date=long_date(passage.said_at, texts.language),
    )


def _whole_question(question: str, earlier: Sequence[Message], phrases: PhraseLists) -> str:
    before = [message.content for message in earlier if message.role is Role.USER]
    if before and leans_back(question, phrases):
        return f"{before[-1]} {question}"
    return question


def _quotations(
    asked: str, hits: Sequence[Hit], search: Search, stop_words: StopWords
) -> list[Quotation]:
    """The best sentences of the best hits, those of one session together."""
    found: dict[SessionId, list[Quotation]] = {}
    seen: set[MessageId] = set()
    subject = Subject(search.weights(subject_words(asked, stop_words)))
    for hit in hits:
        near = search.around(hit, after=_ANSWER_AFTER)
        told = "\n".join([hit.title, *(one.content for one in near)])
        if not (subject.touches(told) or _is_named(subject, hit.title)):
            continue
        is_sure = subject.covers(told)
        for passage in near:
            if passage.id in seen or not _is_worth_quoting(passage):
                continue
            seen.add(passage.id)
            best = bearing_sentences(
                asked, passage.content, _SENTENCES_A_MESSAGE, stop_words=stop_words
            )
            several = [Quotation(hit, passage, one.text, is_sure) for one in best]
            if several:
                found.setdefault(hit.session_id, []).extend(several)
    return [one for several in found.values() for one in several]


def _most(quotations: Sequence[Quotation], sessions: int) -> list[Quotation]:
    """Of so many sessions at the most, and of each as much as can be read."""
    found: dict[SessionId, list[Quotation]] = {}
    for one in quotations:
        if one.hit.session_id in found or len(found) < sessions:
            found.setdefault(one.hit.session_id, []).append(one)
    return [one for several in found.values() for one in several[:_SENTENCES_A_SESSION]]


def _is_named(subject: Subject, title: str) -> bool:
    """Whether a session is about one of the words."""
    heard = _keys_of(title)
    return any(keys(word) & heard for word in subject.weights)


def _keys_of(text: str) -> frozenset[str]:
    return frozenset(key for word in word_texts(text) for key in keys(word))


def _is_worth_quoting(passage: Message) -> bool:
    """Answers; not those that only quoted others themselves."""
    return passage.role is Role.ASSISTANT and passage.model != NO_MODEL


def _citation(quotation: Quotation, number: int) -> Citation:
    return Citation(
        number=number,
        state=CitationState.CHECKED,
        quote=quotation.sentence,
        source_id=quotation.hit.session_id,
        passage_id=str(quotation.passage.id),
        title=quotation.hit.title,
    )


def _heading(hit: Hit, texts: Texts) -> str:
    return texts.say(
        "no_model.session",
        title=hit.title.replace("[", "(").replace("]", ")"),
        link=f"bellek://session/{hit.session_id}?message={hit.message_id}",
        date=long_date(hit.created_at, texts.language),
    )


def _shown(citation: Citation, texts: Texts) -> str:
    quote = " ".join(without_block_marks(citation.quote).split())
    return texts.say("no_model.quote", quote=quote, number=citation.number)
