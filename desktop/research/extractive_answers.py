"""Answers without a model: quotations of what was found, each with its citation.

The program itself writes only the headings, and says how close the quotations are to the question.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.domain.facts import Fact, FactSource
from desktop.domain.ids import FactId
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL, Citation, CitationState, Message, Role
from desktop.domain.routing import Recall
from desktop.domain.search import HitKind, Query
from desktop.language.dates.date_formatting import long_date, spoken_period
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists, is_courtesy
from desktop.language.language_detection import guess_language
from desktop.language.markdown_stripping import without_block_marks
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
from desktop.research.passages import (
    Passage,
    Recollection,
    Speaker,
    excerpt,
    passage_of_message,
)
from desktop.settings.messages import Texts

_HITS = 24
_SESSIONS = 4
_SENTENCES = 2
"""Of one passage."""
_CONSIDERED = 6
_SENTENCES_A_SESSION = 3
_DECISIONS = 2
"""Of them in each session, so that what they are about is quoted too."""
_BEGINNING = 280
_NEAREST = 2
"""Passages or sessions that are shown where none says what was asked."""
_ANSWER_AFTER = 1
"""A question that matches is answered by the message behind it."""

Weigh = Callable[[Sequence[str]], Mapping[str, float]]
"""The weight of each word: how well it discriminates."""
Quotation = tuple[Passage, str]
Sources = Callable[[FactId], Sequence[FactSource]]
"""Where a fact was said, the first time first."""


def _evenly(words: Sequence[str]) -> Mapping[str, float]:
    return dict.fromkeys(words, 1.0)


@dataclass(frozen=True, slots=True)
class CitedText:
    """A whole answer: markdown, and what it cites."""

    text: str
    citations: Sequence[Citation] = ()


_NOTHING = CitedText("")


def checked_citation(passage: Passage, words: str, number: int) -> Citation:
    """A citation of words that the program itself took from the passage."""
    return Citation(
        number, CitationState.CHECKED, words, passage.cited_in, passage.cited_at, passage.title
    )


def quote_facts(
    facts: Sequence[Fact], sources: Sources, texts: Texts, *, lead: str = "no_model.facts"
) -> CitedText:
    """What is remembered, each with the message it came from; raises StorageError.

    One that was written by hand came from none.
    """
    citations: list[Citation] = []
    parts = [texts.say(lead)] if facts else []
    for fact in facts:
        said = next(iter(sources(fact.id)), None)
        if said is None:
            date = long_date(fact.valid_from, texts.language)
            parts.append(texts.say("no_model.fact", fact=fact.content, date=date))
            continue
        message, number = str(said.message_id), len(citations) + 1
        quote, checked = said.quote.strip(" \t\n,;:–—-"), CitationState.CHECKED
        citations.append(
            Citation(number, checked, quote, said.session_id, message, said.session_title)
        )
        date = long_date(said.said_at, texts.language)
        link = f"bellek://session/{said.session_id}?message={message}"
        parts.append(
            texts.say("no_model.fact_said", fact=fact.content, number=number, date=date, link=link)
        )
    return CitedText("\n\n".join(parts), tuple(citations))


def quote_passages(
    question: str,
    earlier: Sequence[Message],
    *,
    search: Search,
    phrases: PhraseLists,
    texts: Texts,
    before: CitedText = _NOTHING,
) -> CitedText:
    """Find and quote what past sessions say to a question; empty where there is nothing.

    `before`: what is remembered about it, which is said first. A question that leans on what was
    said is looked up together with the question before it. Raises StorageError.
    """
    if is_courtesy(question, phrases):
        greets = find_phrase(tokenize(question), phrases.greets)
        return CitedText(texts.say("no_model.greeting" if greets else "no_model.courtesy"))
    asked = [message.content for message in earlier if message.role is Role.USER][-1:]
    if asked and leans_back(question, phrases):
        question = f"{asked[0]} {question}"
    sure, near = _find_quotations(question, search, phrases.stop_words)
    if before.text and not sure:
        return before
    if not (sure or near):
        return _NOTHING
    lead = texts.say("no_model.quotes" if sure else "no_model.nearest_words")
    shown = _most(sure, _SESSIONS) if sure else _most(near, _NEAREST)
    return _quote(lead, shown, texts, before=before)


def _find_quotations(
    asked: str, search: Search, stop_words: StopWords
) -> tuple[list[Quotation], list[Quotation]]:
    """Sentences of answers in past sessions, the best first: the sure ones, and the others.

    Sure are those of an exchange that has more of the question than one word.
    """
    sure, near = list[Quotation](), list[Quotation]()
    seen = set[str]()
    subject = Subject(search.weights(subject_words(asked, stop_words)))
    for hit in search.find(Query(asked, kinds=frozenset({HitKind.MESSAGE}), limit=_HITS)):
        exchange = search.around(hit, after=_ANSWER_AFTER)
        told = "\n".join([hit.title, *(one.content for one in exchange)])
        if not (subject.touches(told) or shares_subject(asked, hit.title, stop_words)):
            continue
        for message in exchange:
            passage = passage_of_message(message, hit.title, "", _BEGINNING)
            is_answer = message.role is Role.ASSISTANT and message.model != NO_MODEL
            if is_answer and passage.cited_at not in seen:
                seen.add(passage.cited_at)
                kind = sure if subject.covers(told) else near
                best = _pick_sentences(asked, message.content, stop_words)
                kind += [(passage, words) for words in best]
    return sure, near


def _most(quotations: Iterable[Quotation], sessions: int) -> list[Quotation]:
    """Of so many sessions at the most, and of each as much as can be read."""
    found: dict[str, list[Quotation]] = {}
    for passage, words in quotations:
        if passage.cited_in in found or len(found) < sessions:
            found.setdefault(passage.cited_in, []).append((passage, words))
    return [one for several in found.values() for one in several[:_SENTENCES_A_SESSION]]


def quote_recollection(
    asked: Recall,
    found: Recollection,
    *,
    phrases: PhraseLists,
    texts: Texts,
    sources: Sources,
) -> CitedText:
    """Quote what was found in past sessions; where it is not what was asked for, say so."""
    passages = _bearing(asked, found, phrases.stop_words)
    is_far = not found.facts and (not passages or (found.is_nearest and not asked.period))
    if is_far and not found.passages:
        return CitedText(texts.say("no_model.nothing_recalled"))
    if is_far:
        near = list(dict.fromkeys(one.session_id for one in found.passages))[:_NEAREST]
        passages = [one for one in found.passages if one.session_id in near]
    facts = quote_facts(found.facts, sources, texts)
    if not passages:
        return facts
    of_sessions: dict[str, list[Passage]] = {}
    for one in passages:
        of_sessions.setdefault(one.session_id, []).append(one)
    quoted = [
        quotation
        for several in of_sessions.values()
        for quotation in _recalled(asked, several, phrases.stop_words)
    ]
    lead = texts.say("no_model.far") if is_far else _lead(asked, found, texts)
    return _quote(lead, quoted, texts, before=facts)


def _bearing(asked: Recall, found: Recollection, stop_words: StopWords) -> list[Passage]:
    """Of sessions with a word of what was asked for: meaning finds something to everything."""
    if not asked.words or asked.is_left_off or found.is_nearest:
        return list(found.passages)
    words, language = (
        subject_words(asked.words, stop_words),
        guess_language(asked.words, Language.EN),
    )
    sharing = set[str]()
    for one in found.passages:
        text = f"{one.title}\n{one.stored}"
        if shares_subject(asked.words, text, stop_words) or matches_translation(
            words, language, text
        ):
            sharing.add(one.session_id)
    return [one for one in found.passages if one.session_id in sharing]


def _lead(asked: Recall, found: Recollection, texts: Texts) -> str:
    when = spoken_period(asked.period, texts.language) if asked.period else ""
    is_about_words = bool(asked.words) and not asked.is_left_off
    if found.is_nearest:
        return texts.say("no_model.nearest", when=when)
    if asked.period and not (is_about_words or found.is_last_place):
        return texts.say("no_model.of_time", when=when)
    return texts.say("no_model.recalled" if is_about_words else "no_model.last_place")


def _recalled(
    asked: Recall, of_session: Sequence[Passage], stop_words: StopWords
) -> list[Quotation]:
    """What answers, or where nothing does, how the first of them begins, and its answer."""
    if not asked.words or asked.is_left_off:
        return _once([(one, _beginning(one)) for one in of_session])
    found: list[Quotation] = []
    if is_of_decision(asked.reason):
        # A sentence that tells of a decision seldom says again what it was about.
        told = [(one, sentence.text) for one in of_session for sentence in sentences(one.stored)]
        found = [(one, words) for one, words in told if is_told_decision(words)][:_DECISIONS]
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


def _once(quoted: Sequence[Quotation]) -> list[Quotation]:
    """A summary without what a message has in the same words: that one can be opened."""
    said = {" ".join(words.split()) for passage, words in quoted if passage.message_id}
    return [
        (passage, words)
        for passage, words in quoted
        if passage.message_id or " ".join(words.split()) not in said
    ]


def _beginning(passage: Passage) -> str:
    return excerpt(_without_heading(passage), "", _BEGINNING)


def quote_evidence(
    question: str, passages: Sequence[Passage], lead: str, stop_words: StopWords, texts: Texts
) -> CitedText:
    """The sentences of passages that bear on a question, grouped by source."""
    # Found for two parts of a question, it still says the same.
    once = {(one.cited_in, one.cited_at): one for one in passages}.values()
    quoted = [
        (passage, words)
        for passage in once
        for words in _pick_sentences(question, _without_heading(passage), stop_words)
        or [_beginning(passage)]
    ]
    return _quote(lead, quoted, texts)


class Closeness(StrEnum):
    """How close the quotations are to the question; the value names the text that leads them."""

    FOUND = "no_model"
    NEAR = "no_model_near"
    """They share a word with the question and say something else."""
    FOREIGN = "no_model_nearest"
    """They are in another language, so that words cannot be compared."""


def rank_quotable(
    question: str,
    passages: Sequence[Passage],
    stop_words: StopWords,
    weigh: Weigh = _evenly,
) -> tuple[Sequence[Passage], Closeness]:
    """The passages that may be quoted, and how close they are.

    A search by meaning finds something to everything. Where nothing found has more than one of
    the words that the question is about, the nearest is shown as no more than that; where nothing
    has any, only what is in another language may still say it.
    """
    subject = Subject(weigh(subject_words(question, stop_words)))
    # A title speaks for what stands under it only where none of that says it by itself.
    saying = [one for one in passages if shares_subject(question, one.stored, stop_words)]
    outspoken = {one.title for one in saying}
    told = [
        (one, f"{one.title}\n{one.stored}")
        for one in passages
        if one in saying or one.title not in outspoken
    ]
    if covering := [one for one, text in told if subject.weights and subject.covers(text)]:
        return covering, Closeness.FOUND
    if touching := [one for one, text in told if subject.weights and subject.touches(text)]:
        return touching[:_NEAREST], Closeness.NEAR
    return _foreign(question, passages), Closeness.FOREIGN


def passages_on_subject(
    question: str, passages: Sequence[Passage], stop_words: StopWords
) -> Sequence[Passage]:
    """Passages that share a subject word with the question or its parts."""
    told = ((one, f"{one.title}\n{one.stored}") for one in passages)
    sharing = [one for one, text in told if shares_subject(question, text, stop_words)]
    return sharing or _foreign(question, passages)


def _foreign(question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    asked = guess_language(question, Language.EN)
    foreign = [one for one in passages if guess_language(one.stored, asked) is not asked]
    return foreign[:_NEAREST]


def _pick_sentences(question: str, text: str, stop_words: StopWords) -> list[str]:
    """The best sentence, then those that cover the words it leaves out, as the text has them."""
    best = bearing_sentences(question, text, _CONSIDERED, stop_words=stop_words)
    asked = subject_words(question, stop_words)
    chosen = best[:1]
    while len(chosen) < min(_SENTENCES, len(best)):
        told = " ".join(one.text for one in chosen)
        missing = Subject({word: 1.0 for word in asked if not Subject({word: 1.0}).touches(told)})
        others = [one for one in best if one not in chosen]
        chosen.append(max(others, key=lambda one: missing.shared(one.text)))
    return [one.text for one in sorted(chosen, key=lambda one: one.start)]


def _without_heading(passage: Passage) -> str:
    """What a passage says below its heading, which is no sentence of it."""
    heading = passage.place.heading.rpartition(" › ")[2] if passage.place else ""
    first, _, rest = passage.stored.partition("\n")
    return rest if heading and rest and first.strip("# ") == heading else passage.stored


def _quote(
    lead: str, quotations: Sequence[Quotation], texts: Texts, *, before: CitedText = _NOTHING
) -> CitedText:
    """The quotations under the headings of their sources.

    The page stands with the source, or behind each quotation if there are several pages.
    """
    of_sources: dict[str, list[Quotation]] = {}
    for passage, words in quotations:
        of_sources.setdefault(passage.cited_in, []).append((passage, words))
    citations, parts = list(before.citations), [*filter(None, [before.text]), lead]
    for several in of_sources.values():
        pages = {passage.place.page if passage.place else None for passage, _ in several}
        parts.append(_heading(several[0][0], texts, with_page=len(pages) == 1))
        for passage, words in several:
            citations.append(checked_citation(passage, words, len(citations) + 1))
            quote = texts.say(
                "research.quote",
                quote=" ".join(without_block_marks(words).split()),
                number=len(citations),
            )
            page = _page(passage, texts) if len(pages) > 1 else ""
            parts.append(f"{quote} ({page})" if page else quote)
    return CitedText("\n\n".join(parts), tuple(citations))


def _heading(passage: Passage, texts: Texts, *, with_page: bool) -> str:
    title = passage.title.replace("[", "(").replace("]", ")")
    if passage.place is None:
        message = f"?message={passage.message_id}" if passage.message_id else ""
        return texts.say(
            "no_model.session",
            title=title,
            link=f"bellek://session/{passage.session_id}{message}",
            date=long_date(passage.said_at, texts.language),
        )
    page = _page(passage, texts) if with_page else ""
    return texts.say("research.no_model_source", title=title, place=f", {page}" if page else "")


def _page(passage: Passage, texts: Texts) -> str:
    page = passage.place.page if passage.place else None
    return texts.say("research.source_page", page=page) if page is not None else ""
