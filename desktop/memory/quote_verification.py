"""Checks that a proposed fact rests on the user's own words.

The quoted words must be in the user's own text, outside quotations and pasted text, and must
not be a question. They must share a word with the fact, unless the model says which known fact
it ends. Every number of the fact must be in the user's words. What the assistant said counts
only if the user's next message confirms it. What the user wants forgotten or kept out of the
memory supports nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from desktop.domain.facts import FactSupport, ProposedFact
from desktop.domain.language import Language
from desktop.domain.messages import Message, Role
from desktop.domain.routing import Intent
from desktop.language.authored_text import find_user_words
from desktop.language.clauses import find_forget_target
from desktop.language.intents import PhraseLists, asks_to_remember, detect_intent, is_courtesy
from desktop.language.keywords_and_stems import FUNCTION_WORDS, StopWords, content_words, keys
from desktop.language.normalization import fold, word_texts, words
from desktop.language.numbers import NUMBER_WORDS, numbers
from desktop.language.sentences import sentences

_WORD = re.compile(r"[^\W_]+")
_LEAST_LETTERS = 2
_MOST_PLACES = 10  # Places in one message that have the same words
_LONGEST_AROUND = 300  # Characters: a paste can be one endless word
_CLAUSE_ENDS = ",;:.!?\n"
_SENTENCE_ENDS = ".!?\n"
_BEGINNING = 3  # Characters that two forms of a word share: "evlendim", "evli"
_COMMON = FUNCTION_WORDS | frozenset(word_texts("kullanıcı kullanıcının user users"))

_QUESTION_PARTICLE = re.compile(r"m[iu](?:y[iu]m|y[iu]z|s[iu]n(?:[iu]z)?|d[iu]r|yd[iu]\w*)?")
_AUXILIARIES = frozenset(
    word_texts(
        "is are was were am do does did can could should will would has have had may might must"
    )
)
_SUPPOSES = frozenset(
    word_texts(
        "keşke eğer şayet diyelim varsayalım olsam olsaydım suppose supposing assume assuming "
        "imagine pretend if"
    )
)
_LONGEST_ANSWER = 6  # Words: a longer answer is a statement of its own
_YES = frozenset(
    word_texts(
        "evet aynen doğru öyle tabii tabi elbette kesinlikle haklısın yes yeah yep yup right "
        "correct exactly true indeed sure agreed absolutely definitely"
    )
)
_FINE = frozenset(word_texts("tamam olur peki ok okay okey fine"))
"""They answer a question with yes; after a claim they only acknowledge it."""
_NO = frozenset(word_texts("hayır yok yanlış değil no not nope nah wrong never none"))
_DOUBTS = frozenset(
    word_texts(
        "belki galiba sanırım herhalde muhtemelen olabilir emin bilmem bilmiyorum saçmalama "
        "maybe perhaps probably possibly unsure guess know might whatever"
    )
)
_NEGATION = re.compile(r"\w+m(?:[iu]yor|[ae]z|[ae]d[iu]|[ae]m[iu]s)\w*|\w+n't")

_HUNDRED, _THOUSAND = 100, 1_000


def find_support(
    proposed: ProposedFact, messages: Sequence[Message], phrases: PhraseLists
) -> FactSupport | None:
    """Return the newest place of the quoted words, if they support the fact."""
    pattern = _pattern_of(proposed.quote)
    if pattern is None:
        return None
    terms = _terms(f"{proposed.quote} {proposed.content}", phrases.stop_words)
    is_unwanted = False
    for place in reversed(range(len(messages))):
        message = messages[place]
        if message.role is not Role.USER:
            continue
        if detect_intent(message.content, phrases).intent is Intent.FORGET:
            unwanted = find_forget_target(message.content, phrases).words
            if _is_named(unwanted, terms, phrases.stop_words):
                return None  # It was stated before the request to forget it.
            if len(sentences(message.content)) <= 1:
                # Without words of its own it refers to the message before it.
                is_unwanted = not unwanted
                continue
        if not is_unwanted and (
            support := _find_quote(message, messages[:place], pattern, proposed, phrases)
        ):
            return support
        is_unwanted = False
    return None


def says_forgotten(
    proposed: ProposedFact, forgotten: Sequence[str], stop_words: StopWords
) -> bool:
    """Whether a fact repeats what supported a deleted fact.

    `forgotten`: the words that supported deleted facts. The fact has some of them beyond the words
    it quotes, or quotes nothing else.
    """
    quoted = _terms(proposed.quote, stop_words)
    beyond = _terms(proposed.content, stop_words) - quoted
    return any(
        beyond & theirs or (quoted and quoted <= theirs)
        for theirs in (_terms(text, stop_words) for text in forgotten)
    )


@dataclass(frozen=True, slots=True)
class _Quote:
    """The user's own words around a quotation, folded."""

    quote: str
    clause: str  # Up to the next punctuation marks
    ahead: str  # What the sentence has before the quotation
    whole: str
    is_of_question: bool

    @classmethod
    def at(cls, own: str, start: int, end: int) -> "_Quote":
        first = _last_of(_CLAUSE_ENDS, own, start)
        last = _next_of(_CLAUSE_ENDS, own, end)
        sentence_end = _next_of(_SENTENCE_ENDS, own, end)
        return cls(
            own[start:end],
            own[first:last],
            own[_last_of(_SENTENCE_ENDS, own, start) : start],
            own,
            own[sentence_end : sentence_end + 1] == "?",
        )

    def is_asked_or_supposed(self) -> bool:
        clause_words = word_texts(self.clause)
        if not _SUPPOSES.isdisjoint(clause_words):
            return True
        quoted = word_texts(self.quote)
        if any(map(_QUESTION_PARTICLE.fullmatch, quoted[-1:])):
            return True
        ends_asking = any(map(_QUESTION_PARTICLE.fullmatch, clause_words[-1:]))
        if ends_asking or not self.is_of_question:
            return ends_asking
        has_particle = any(map(_QUESTION_PARTICLE.fullmatch, clause_words))
        begins = [*word_texts(self.ahead), *quoted][:1]
        leads = len(word_texts(self.ahead)) <= _LEAST_LETTERS
        return has_particle or (leads and not _AUXILIARIES.isdisjoint(begins))


def _last_of(marks: str, text: str, start: int) -> int:
    at = start
    while at > max(0, start - _LONGEST_AROUND) and not _is_mark(marks, text, at - 1):
        at -= 1
    return at


def _next_of(marks: str, text: str, end: int) -> int:
    at = end
    while at < min(len(text), end + _LONGEST_AROUND) and not _is_mark(marks, text, at):
        at += 1
    return at


def _is_mark(marks: str, text: str, at: int) -> bool:
    """Whether it is punctuation, and not the point or comma inside a number."""
    return text[at] in marks and not text[at + 1 : at + 2].isdigit()


def _find_quote(
    message: Message,
    earlier: Sequence[Message],
    pattern: re.Pattern[str],
    proposed: ProposedFact,
    phrases: PhraseLists,
) -> FactSupport | None:
    own = fold(find_user_words(message.content, lambda lead: asks_to_remember(lead, phrases)))
    for match in islice(pattern.finditer(own), _MOST_PLACES):
        if _is_to_be_forgotten(message.content, match.start(), phrases):
            continue
        quote = _Quote.at(own, *match.span())
        before = earlier[-1] if earlier and not quote.is_of_question else None
        if _supports(proposed, quote, before, phrases):
            return FactSupport(message.id, match.start(), match.end() - match.start())
    return None


def _supports(
    proposed: ProposedFact, quote: _Quote, before: Message | None, phrases: PhraseLists
) -> bool:
    if quote.is_asked_or_supposed():
        return False
    shared = _shared_keys(proposed.content)
    quote_numbers = _told_numbers(quote.whole)
    tells_number = any(map(str.isdigit, proposed.content)) and _has_only(
        proposed.content, quote_numbers
    )
    shares = not shared.isdisjoint(_shared_keys(quote.clause))
    # What ends a known fact is often stated in other words: "we broke up", "no longer engaged".
    says_it = tells_number or shares or proposed.replaces is not None
    if says_it and _has_only(proposed.content, quote_numbers):
        return True
    if before is None or before.role is not Role.ASSISTANT:
        return False
    all_numbers = quote_numbers | _told_numbers(before.content)
    is_about_it = not shared.isdisjoint(_shared_keys(before.content))
    return (
        is_about_it
        and _has_only(proposed.content, all_numbers)
        and _confirms(quote.quote, proposed.content, before.content, phrases)
    )


def _confirms(answer: str, content: str, question: str, phrases: PhraseLists) -> bool:
    answer_words = frozenset(word_texts(answer))
    if len(answer_words) > _LONGEST_ANSWER or answer_words & _DOUBTS or "?" in answer:
        return False
    if answer_words & _NO:
        negated = any(map(_NEGATION.fullmatch, fold(content).split()))
        return negated or not _NO.isdisjoint(word_texts(content))
    if answer_words & _YES or ("?" in question and answer_words & _FINE):
        return True
    if "?" not in question or is_courtesy(answer, phrases):
        return False
    answers = _told_numbers(answer) | answer_words
    return not answers.isdisjoint({*word_texts(content), *_numbers_of(content)})


def _is_to_be_forgotten(text: str, at: int, phrases: PhraseLists) -> bool:
    parts = [sentence.text for sentence in sentences(text) if sentence.start <= at < sentence.end]
    return any(detect_intent(part, phrases).intent is Intent.FORGET for part in parts)


def _is_named(unwanted: str, terms: frozenset[str], stop_words: StopWords) -> bool:
    named = content_words(unwanted, stop_words)
    return bool(named) and all(not terms.isdisjoint(keys(word.text)) for word in named)


def _pattern_of(quote: str) -> re.Pattern[str] | None:
    quote_words = _WORD.findall(fold(quote))
    if sum(map(len, quote_words)) < _LEAST_LETTERS:
        return None
    return re.compile(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, quote_words)) + r"(?!\w)")


def _terms(text: str, stop_words: StopWords) -> frozenset[str]:
    shared = {key for word in content_words(text, stop_words) for key in keys(word.text)}
    return frozenset(shared | {word.text for word in words(text) if word.text.isdigit()})


def _shared_keys(text: str) -> frozenset[str]:
    own_words = [word for word in word_texts(text) if word not in _COMMON]
    stems = (key for word in own_words for key in keys(word))
    return frozenset(stems) | {word[:_BEGINNING] for word in own_words if len(word) > _BEGINNING}


def _has_only(content: str, number_texts: frozenset[str]) -> bool:
    return all(
        not number.values.isdisjoint(number_texts) or number_texts.issuperset(_digits(number.text))
        for number in numbers(content)
    )


def _numbers_of(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(number.values for number in numbers(text)))


def _digits(text: str) -> list[str]:
    return "".join(letter if letter.isdigit() else " " for letter in text).split()


def _told_numbers(text: str) -> frozenset[str]:
    number_texts = {*_numbers_of(text), *_digits(text)}
    run: list[int] = []
    for word in [*word_texts(text), ""]:
        value = _spoken_value(word)
        if value is not None:
            run.append(value)
            number_texts.add(str(value))
        elif run:
            number_texts.add(str(_sum(run)))
            run = []
    return frozenset(number_texts)


_VALUES = {"couple": 2, "dozen": 12, **NUMBER_WORDS[Language.TR], **NUMBER_WORDS[Language.EN]}


def _spoken_value(word: str) -> int | None:
    """Return the value with or without a case ending: "yirmisinde", "forties"."""
    if word in _VALUES:
        return _VALUES[word]
    if word.isdigit() and len(word) <= len("1000000"):
        return int(word)
    return next(
        (
            _VALUES[word[:end]]
            for end in range(len(word) - 1, _BEGINNING, -1)
            if word[:end] in _VALUES
        ),
        None,
    )


def _sum(run: Sequence[int]) -> int:
    """Return the sum as it is spoken: "two hundred five", "bin iki yüz"."""
    whole = part = 0
    for value in run:
        if value >= _THOUSAND:
            whole, part = whole + (part or 1) * value, 0
        elif value == _HUNDRED:
            part = (part or 1) * _HUNDRED
        else:
            part += value
    return whole + part
