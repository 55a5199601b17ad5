"""Checks a finished answer by rules; each result states whether it is certain.

Streamed text stays; the caller has a failed answer rewritten, or adds a note to it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.language import Language
from desktop.domain.routing import Guard, GuardTopic
from desktop.domain.times import weekday
from desktop.language.intents import PhraseLists
from desktop.language.keywords_and_stems import content_words, keys, sure_language
from desktop.language.normalization import fold, word_texts
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.language.relevant_sentences import keys_of
from desktop.language.secrets import keys_in
from desktop.language.sentences import joined, plain_text, sentences
from desktop.language.text_classifier import load_classifier
from desktop.llm.stream import repeats_itself
from desktop.research.citations.quote_matching import normalize_quote

_LEAST_WORDS = 12  # The words an answer needs before its language can be detected
_LEAST_ASKED = 3
_LEAST_LEAKED = 45  # Characters of a sentence of the instructions that cannot match by chance
_MOST_PARTS = 5
_PASTED_WORDS = 120
_SENTENCES = re.compile(r"(?<=[.!?:;])\s+|\n+")
_OTHER_LANGUAGE = re.compile(
    r"\b(?:turkish|english|german|french|spanish|latin|arabic|translat\w*|cevir\w*|tercume\w*"
    r"|turkce\w*|ingilizce\w*|almanca\w*|fransizca\w*|ispanyolca\w*|latince\w*|arapca\w*)"
)


# "bakamadım", "kaydedilemedi", "ulaşamıyorum": what could not be done, whatever it was.
_COULD_NOT = re.compile(r"\b\w{2,}[ae]m(?:[ae][dzmy]|[iu]yor)\w*")
_LINK = re.compile(r"https?://[^\s<>()\[\]\"'“”’]+")
# As written, and as shown if there is no such passage.
_CITED = re.compile(r"\[\s*\d{1,3}\s*:\s*[\"“„«]|\[\d{0,3}\?\]")


class Fault(StrEnum):
    EMPTY = "empty"
    CUT = "cut"
    CIRCLING = "circling"
    LANGUAGE = "language"
    LEAKED = "leaked"
    PART_MISSING = "part_missing"
    TOOL_FAILURE = "tool_failure"
    PERSONA = "persona"
    UNFOUNDED = "unfounded"
    ABILITY = "ability"  # Claims what the application cannot do
    MEMORY = "memory"  # Claims a talk of which nothing is stored


@dataclass(frozen=True, slots=True)
class CheckResult:
    fault: Fault
    about: str = ""
    is_sure: bool = True
    topic: GuardTopic | None = None
    """The topic of a missing part that the application itself could have answered."""


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    question: str
    answer: str
    now: datetime
    guard: Guard | None = None
    system_texts: Sequence[str] = ()
    internal_names: Sequence[str] = ()
    failed_tools: Sequence[str] = ()  # Tools that never succeeded, in the reader's words
    calls_that_worked: int = 0
    could_not_keep: bool = False
    is_cut: bool = False
    own_persona: str = ""
    """The user's words for the persona, perhaps with another name; empty: one that is shipped."""
    wishes: Sequence[str] = ()  # The user's words, which may name a language to answer in
    model: str = ""
    passages: Sequence[str] = ()  # Search results in the request: nothing in them is secret
    found_nothing: bool = False
    earlier_texts: Sequence[str] = ()
    uses_web: bool = True
    has_no_past: bool = False  # The question is about the past, of which nothing was found


def check_answer(looked: CheckedAnswer, phrases: PhraseLists) -> tuple[CheckResult, ...]:
    """Return what is or may be wrong with an answer; empty if it is fine."""
    if not any(letter.isalnum() for letter in looked.answer):
        return (CheckResult(Fault.EMPTY),)
    results = [
        *_leaks(looked),
        *_language(looked),
        *_persona(looked, phrases),
        *_missing(looked, phrases),
        *_hidden_failures(looked, phrases),
        *_unfounded(looked),
        *_claims(looked, phrases),
    ]
    if looked.is_cut:
        circles = repeats_itself(looked.answer, looked.question)
        results.append(CheckResult(Fault.CIRCLING if circles else Fault.CUT))
    return tuple(results)


def _leaks(looked: CheckedAnswer) -> Iterator[CheckResult]:
    open_to_all = (looked.question, *looked.passages)
    if keys_in(looked.answer).difference(*map(keys_in, open_to_all)):
        yield CheckResult(Fault.LEAKED, "key")
    answer = fold(looked.answer)
    names = {name for name in looked.internal_names if name in answer}
    if any(name not in fold("\n".join(open_to_all)) for name in names):
        yield CheckResult(Fault.LEAKED, "name")
    even = normalize_quote(looked.answer)
    instructions = (part for text in looked.system_texts for part in _SENTENCES.split(text))
    secrets = (part for part in map(normalize_quote, instructions) if len(part) >= _LEAST_LEAKED)
    leaks = {sentence for sentence in secrets if sentence in even}
    if any(sentence not in normalize_quote("\n".join(looked.passages)) for sentence in leaks):
        yield CheckResult(Fault.LEAKED, "instructions")


def names_a_language(text: str) -> bool:
    return _OTHER_LANGUAGE.search(fold(text)) is not None


def _language(looked: CheckedAnswer) -> Iterator[CheckResult]:
    """Yield a wrong language, only if both are clear and no other one was requested."""
    answer = plain_text(looked.answer)
    has_words = len(word_texts(looked.question)) >= _LEAST_ASKED
    if not has_words or len(word_texts(answer)) < _LEAST_WORDS:
        return
    question_language, answered = sure_language(looked.question), sure_language(answer)
    if question_language is None or answered is None or question_language is answered:
        return
    if not any(map(names_a_language, looked.wishes)):
        yield CheckResult(Fault.LANGUAGE, question_language.value)


def _persona(looked: CheckedAnswer, phrases: PhraseLists) -> Iterator[CheckResult]:
    if find_phrase(tokenize(looked.question), phrases.says_other):
        return
    given_names = _names_in(looked.own_persona)
    for sentence in sentences(looked.answer):
        line = tokenize(sentence.text)
        if given_names.intersection(word_texts(sentence.text)):
            continue
        if find_phrase(line, phrases.says_other) and not find_phrase(line, phrases.says_no):
            yield CheckResult(Fault.PERSONA)
            return


def _names_in(persona: str) -> set[str]:
    """Return the words with a capital that begin no sentence; one may be the assistant's name."""
    later = (sentence.text.split()[1:] for sentence in sentences(persona))
    return {
        name
        for words in later
        for word in words
        if word.lstrip("\"'“‘«*")[:1].isupper()
        for name in word_texts(word)
    }


def _missing(looked: CheckedAnswer, phrases: PhraseLists) -> Iterator[CheckResult]:
    guard = looked.guard
    if guard is not None and guard.is_certain:
        for topic in guard.topics:
            if not _has_topic(topic, looked):
                yield CheckResult(Fault.PART_MISSING, guard.words, topic=topic)
        if guard.rest and _is_unheard(guard.rest, looked.answer, phrases):
            yield CheckResult(Fault.PART_MISSING, guard.rest, is_sure=False)
        return
    if len(word_texts(looked.question)) > _PASTED_WORDS:
        return
    question = looked.question
    marked = {f"{piece.strip()}?": None for piece in question.split("?")[:-1] if piece.strip()}
    parts = list(marked) if len(marked) > 1 else joined(question, phrases.joins)
    if not 1 < len(parts) <= _MOST_PARTS:
        return
    unheard = (part for part in parts if _is_unheard(part, looked.answer, phrases))
    # One of them is enough to ask about.
    if (part := next(unheard, None)) is not None:
        yield CheckResult(Fault.PART_MISSING, part, is_sure=False)


def _has_topic(topic: GuardTopic, looked: CheckedAnswer) -> bool:
    answer_words = set(word_texts(looked.answer))
    match topic:
        case GuardTopic.NAME:
            names = _names_in(looked.own_persona)
            # A persona without a capital may name the assistant, too.
            is_unclear = bool(looked.own_persona) and not names
            return is_unclear or bool(answer_words & {"bellek", *names})
        case GuardTopic.DATE:
            days = {fold(weekday(looked.now, language)) for language in Language}
            day = looked.now.astimezone().day
            return bool(answer_words & {*days, str(day), f"{day:02}", f"{day}th"})
        case GuardTopic.TIME:
            at = looked.now.astimezone()
            spoken = {f"{at:%H}", f"{at:%M}", str(at.hour), str(at.hour % 12 or 12)}
            return bool(answer_words & spoken)
        case GuardTopic.MODEL:
            return not looked.model or bool(answer_words & set(word_texts(looked.model)))
        case _:
            return True


def _is_unheard(part: str, answer: str, phrases: PhraseLists) -> bool:
    own = content_words(part, phrases.stop_words)
    answer_keys = keys_of(answer)
    return bool(own) and not any(keys(word.text) & answer_keys for word in own)


def _hidden_failures(looked: CheckedAnswer, phrases: PhraseLists) -> Iterator[CheckResult]:
    if looked.failed_tools and not _admits(looked.answer, phrases):
        line = tokenize(looked.answer)
        claims_kept = looked.could_not_keep and find_phrase(line, phrases.says_kept) is not None
        is_sure = not looked.calls_that_worked or claims_kept
        yield CheckResult(Fault.TOOL_FAILURE, looked.failed_tools[-1], is_sure=is_sure)


def _admits(text: str, phrases: PhraseLists) -> bool:
    return bool(find_phrase(tokenize(text), phrases.admits) or _COULD_NOT.search(fold(text)))


def _claims(looked: CheckedAnswer, phrases: PhraseLists) -> Iterator[CheckResult]:
    """Yield abilities and memories that were made up, where the question is about them."""
    guard, wrong = looked.guard, set[Fault]()
    if guard is not None and guard.is_certain and GuardTopic.ABILITIES in guard.topics:
        wrong.add(Fault.ABILITY)
    if looked.has_no_past:
        wrong.add(Fault.MEMORY)
    for sentence in sentences(plain_text(looked.answer)) if wrong else ():
        claim = load_classifier("claims").predict(sentence.text)
        is_web = claim.label == "web"
        fault = Fault.ABILITY if is_web and not looked.uses_web else claim.label
        is_open = "?" in sentence.text or _admits(sentence.text, phrases)
        if fault in wrong and claim.is_sure and not is_open:
            yield CheckResult(Fault(fault))
            return


def _unfounded(looked: CheckedAnswer) -> Iterator[CheckResult]:
    """Yield quotations and addresses that were made up, as nothing was found."""
    if not looked.found_nothing:
        return
    context = "\n".join((looked.question, *looked.earlier_texts, *looked.passages))
    links = (link.rstrip(".,;:!?") for link in _LINK.findall(looked.answer))
    if _CITED.search(looked.answer) or any(link not in context for link in links):
        yield CheckResult(Fault.UNFOUNDED)
