"""Answers without a model: quotations of what was found, each with its citation.

The program itself writes only the headings, and notes how close the quotations are.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from desktop.domain.facts import Fact, FactSource
from desktop.domain.ids import FactId
from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState
from desktop.domain.routing import Recall
from desktop.domain.times import long_date, spoken_period
from desktop.language.keywords_and_stems import (
    BEGINS,
    StopWords,
    content_words,
    guess_language,
    keys,
)
from desktop.language.normalization import folded_key
from desktop.language.relevant_sentences import (
    covering_sentences,
    is_of_decision,
    is_told_decision,
    keys_of,
)
from desktop.language.sentences import plain_text, sentences, without_block_marks
from desktop.recall.query_correction import matches_translation
from desktop.research.passages import Passage, Recollection, Speaker, excerpt, note_date
from desktop.settings.messages import Texts

_LEAST_SHARE = 0.25
"""Of the weight of a question's words; less is one common word, which means nothing."""
_LEAST_WORDS = 2  # One of several words names a thing, not what is asked about it
_NEAREST = 2  # Passages of documents, or sessions, shown if none answers the question
_SENTENCES_OF_SESSION = 3
_DECISIONS = 2  # Decisions quoted per session, so that their subject is quoted too
_BEGINNING = 280
_ORDINAL = re.compile(r"^(\d+[.)]) ")

Weigh = Callable[[Sequence[str]], Mapping[str, float]]
"""The weight of each word: how well it discriminates."""
Quotation = tuple[Passage, str]
Sources = Callable[[FactId], Sequence[FactSource]]
"""Returns where a fact was said, the first time first."""


def _evenly(words: Sequence[str]) -> Mapping[str, float]:
    return dict.fromkeys(words, 1.0)


@dataclass(frozen=True, slots=True)
class CitedText:
    text: str
    citations: Sequence[Citation] = ()


def _in_line(words: str) -> str:
    """Return the words on one line, which begins no list: “16. yüzyılda” is an ordinal."""
    return _ORDINAL.sub("\\1\N{NO-BREAK SPACE}", " ".join(words.split()))


def checked_citation(passage: Passage, words: str, number: int) -> Citation:
    """Return a citation of words that the program itself copied from the passage."""
    return Citation(
        number=number,
        state=CitationState.CHECKED,
        quote=words,
        source_id=passage.cited_in,
        passage_id=passage.cited_at,
        title=passage.title,
    )


def quote_facts(
    facts: Sequence[Fact], sources: Sources, texts: Texts, *, lead: str = "no_model.facts"
) -> CitedText:
    """Quote what is remembered, each with its source message; raises StorageError.

    A fact written by hand has none.
    """
    citations: list[Citation] = []
    parts = [texts.say(lead)] if facts else []
    for fact in facts:
        source = next(iter(sources(fact.id)), None)
        date = long_date(source.said_at if source else fact.valid_from, texts.language)
        if source is None:
            parts.append(texts.say("no_model.fact", fact=_in_line(fact.content), date=date))
            continue
        citation = Citation(
            number=len(citations) + 1,
            state=CitationState.CHECKED,
            quote=source.quote.strip(" \t\n,;:–—-"),
            source_id=source.session_id,
            passage_id=str(source.message_id),
            title=source.session_title,
        )
        citations.append(citation)
        link = f"bellek://session/{source.session_id}?message={source.message_id}"
        said, number = _in_line(fact.content), citation.number
        parts.append(
            texts.say("no_model.fact_said", fact=said, number=number, date=date, link=link)
        )
    return CitedText("\n\n".join(parts), tuple(citations))


class Closeness(StrEnum):
    """How close the quotations are to the question; the value names the text that leads them."""

    FOUND = "no_model"
    NEAR = "no_model_near"  # They share a word with the question but are about something else
    FOREIGN = "no_model_nearest"  # They are in another language, so that words cannot be compared
    FAR = "no_model_nothing"


class ClosenessJudge:
    """Judges how close texts are to a question, by the words that they share.

    A text with enough of the question's words is found; one with a single word (more than a
    similar beginning), or one in its title, is near.
    """

    def __init__(
        self,
        question: str,
        stop_words: StopWords,
        weigh: Weigh = _evenly,
        *,
        by_beginning: bool = True,
    ) -> None:
        """`by_beginning`: whether words that only begin alike may make a text found."""
        self._by_beginning = by_beginning
        question_words = content_words(question, stop_words)
        question_words = question_words or content_words(question, stop_words, with_weak=True)
        self._weights = weigh([word.text for word in question_words])
        self._language = guess_language(question, Language.EN)

    def closeness(self, title: str, text: str) -> Closeness:
        weights = self._shared(f"{title}\n{text}", by_beginning=self._by_beginning)
        if self._is_enough(weights) and len(weights) >= min(_LEAST_WORDS, len(self._weights)):
            return Closeness.FOUND
        whole = self._shared(f"{title}\n{text}", by_beginning=False)
        if self._is_enough(whole) or self._shared(title, by_beginning=False):
            return Closeness.NEAR
        is_foreign = guess_language(text, self._language) is not self._language
        return Closeness.FOREIGN if is_foreign else Closeness.FAR

    def _is_enough(self, weights: Sequence[float]) -> bool:
        return bool(weights) and sum(weights) >= _LEAST_SHARE * sum(self._weights.values())

    def _shared(self, text: str, *, by_beginning: bool) -> list[float]:
        """Return the weights of the words that a text contains, in either language."""
        text_keys = keys_of(text)
        if not by_beginning:
            text_keys = frozenset(key for key in text_keys if not key.endswith(BEGINS))
        return [
            weight
            for word, weight in self._weights.items()
            if keys(word) & text_keys or matches_translation([word], self._language, text)
        ]


def judge(
    question: str, passages: Sequence[Passage], stop_words: StopWords, weigh: Weigh = _evenly
) -> Mapping[Closeness, Sequence[Passage]]:
    """Return the passages by closeness; those of one session are judged together."""
    closeness = ClosenessJudge(question, stop_words, weigh).closeness
    by_place: dict[str, list[Passage]] = {}
    for passage in passages:
        by_place.setdefault(_judged_in(passage), []).append(passage)
    judged: dict[Closeness, list[Passage]] = {grade: [] for grade in Closeness}
    for several in by_place.values():
        text = "\n".join(passage.stored for passage in several)
        judged[closeness(several[0].title, text)] += several
    return judged


def _judged_in(passage: Passage) -> str:
    return passage.session_id or passage.cited_at


def rank_quotable(
    questions: Sequence[str],
    passages: Sequence[Passage],
    stop_words: StopWords,
    weigh: Weigh = _evenly,
) -> tuple[Sequence[Passage], Closeness]:
    """Return the passages that may be quoted, and how close they are.

    A search by meaning always finds something. If no result has more than one content word of
    the question, the nearest to the first question is shown as merely that; if none has any,
    only results in another language may still answer it.
    """
    judged = [judge(question, passages, stop_words, weigh) for question in questions]
    if matches := [
        passage for by_closeness in judged for passage in by_closeness[Closeness.FOUND]
    ]:
        return matches, Closeness.FOUND
    if near := judged[0][Closeness.NEAR]:
        return of_first_places(near), Closeness.NEAR
    return of_first_places(judged[0][Closeness.FOREIGN]), Closeness.FOREIGN


def of_first_places(passages: Sequence[Passage], most: int = _NEAREST) -> Sequence[Passage]:
    """Return the passages of that many sessions, or that many passages of documents."""
    places = list(dict.fromkeys(map(_judged_in, passages)))[:most]
    return [passage for passage in passages if _judged_in(passage) in places]


def quote_recollection(
    recall: Recall,
    recollection: Recollection,
    facts: CitedText,
    *,
    stop_words: StopWords,
    texts: Texts,
    weigh: Weigh = _evenly,
) -> CitedText:
    """Quote what was found in past sessions; if it is not what was asked for, state so."""
    about = "" if recall.is_left_off else recall.words
    if recollection.notes:
        lines = [texts.say("no_model.notes")]
        for note in recollection.notes:
            date = note_date(note, texts)
            lines.append(texts.say("no_model.fact", fact=_in_line(note.text), date=date))
        text = "\n\n".join(filter(None, (facts.text, *lines)))
        facts = CitedText(text, facts.citations)
    passages, lead = recollection.passages, _lead(recall, recollection, texts)
    if about:
        judged = judge(about, passages, stop_words, weigh)
        passages = [*judged[Closeness.FOUND], *judged[Closeness.NEAR]]
        if not passages and not facts.text:
            passages, lead = of_first_places(recollection.passages), texts.say("no_model.far")
    if not passages:
        return facts if facts.text else CitedText(texts.say("no_model.nothing_recalled"))
    if about and is_of_decision(recall.reason):
        about = f"{about} {recall.reason}"
    return quote_passages(about, passages, lead, stop_words, texts, before=facts)


def _lead(recall: Recall, recollection: Recollection, texts: Texts) -> str:
    when = spoken_period(recall.period, texts.language) if recall.period else ""
    is_about_words = bool(recall.words) and not recall.is_left_off
    if recollection.is_nearest and when:
        return texts.say("no_model.nearest", when=when)
    if when and not (is_about_words or recollection.is_last_place):
        return texts.say("no_model.of_time", when=when)
    return texts.say("no_model.recalled" if is_about_words else "no_model.last_place")


def quote_passages(
    question: str,
    passages: Sequence[Passage],
    lead: str,
    stop_words: StopWords,
    texts: Texts,
    *,
    before: CitedText | None = None,
) -> CitedText:
    """Quote the sentences relevant to a question, under the headings of their sources.

    `before`: what is remembered about it, which comes first.
    """
    of_sources: dict[str, dict[str, Passage]] = {}
    for passage in passages:
        # A passage found for two parts of a question is quoted once.
        of_sources.setdefault(passage.cited_in, {}).setdefault(passage.cited_at, passage)
    citations = list(before.citations if before else ())
    parts = [*filter(None, [before.text if before else ""]), lead]
    for several in of_sources.values():
        chosen = _choose(question, list(several.values()), stop_words)
        parts.append(_heading(chosen[0][0], texts))
        for passage, words in chosen:
            citations.append(checked_citation(passage, words, len(citations) + 1))
            quote = _in_line(without_block_marks(words))
            line = texts.say("research.quote", quote=quote, number=len(citations))
            page = passage.place.page if passage.place else None
            of_page = f" ({texts.say('research.source_page', page=page)})" if page else ""
            parts.append(f"{line}{of_page}")
    return CitedText("\n\n".join(parts), tuple(citations))


def _choose(question: str, of_source: Sequence[Passage], stop_words: StopWords) -> list[Quotation]:
    """Return the relevant sentences of one source, or else the beginnings of its passages.

    The user's words are quoted only if no answer is relevant, followed by their answer.
    """
    of_session = of_source[0].place is None
    written = [passage for passage in of_source if passage.speaker is not Speaker.USER]
    each = 1 if of_session and len(written) > 1 else 2
    quotations: list[Quotation] = []
    if of_session and is_of_decision(question):
        # A sentence with a decision rarely repeats its subject.
        decisions = (
            (passage, sentence.text)
            for passage in of_source
            for sentence in sentences(passage.stored)
            if is_told_decision(sentence.text)
        )
        quotations = list(islice(decisions, _DECISIONS))
    for passage in written:
        quotations += _best(question, passage, stop_words, each)
    if not quotations:
        for passage in written or of_source:
            begins = excerpt(_without_heading(passage), "", _BEGINNING)
            quotations += _best(question, passage, stop_words, 1) or [(passage, begins)]
    # A summary repeats a message without its marks; the message is the place that can be opened.
    by_words: dict[str, Quotation] = {}
    for passage, words in quotations:
        key = folded_key(plain_text(words))
        if key not in by_words or not by_words[key][0].cited_at:
            by_words[key] = passage, words
    quotations = list(by_words.values())
    if of_session:
        quotations = sorted(quotations[:_SENTENCES_OF_SESSION], key=lambda pair: pair[0].number)
    return quotations


def _best(question: str, passage: Passage, stop_words: StopWords, most: int) -> list[Quotation]:
    best = covering_sentences(question, _without_heading(passage), stop_words)[:most]
    in_order = sorted(best, key=lambda sentence: sentence.start)
    return [(passage, sentence.text) for sentence in in_order]


def _without_heading(passage: Passage) -> str:
    heading = passage.place.heading.rpartition(" › ")[2] if passage.place else ""
    first, _, rest = passage.stored.partition("\n")
    return rest if heading and rest and first.strip("# ") == heading else passage.stored


def _heading(passage: Passage, texts: Texts) -> str:
    title = passage.title.replace("[", "(").replace("]", ")")
    if passage.place is not None:
        return texts.say("research.no_model_source", title=title)
    message = f"?message={passage.message_id}" if passage.message_id else ""
    link = f"bellek://session/{passage.session_id}{message}"
    date = long_date(passage.said_at, texts.language)
    return texts.say("no_model.session", title=title, link=link, date=date)
