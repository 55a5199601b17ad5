"""Finds what a message wants remembered or forgotten: the clause beside the phrase.

Without a phrase it is the whole sentence, cleaned. The notice that follows lets the user edit it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.facts import LONGEST_FACT
from desktop.domain.language import Language
from desktop.domain.routing import Intent
from desktop.language.authored_text import find_user_words
from desktop.language.intents import (
    PhraseLists,
    WishScope,
    asks_to_remember,
    detect_intent,
    is_courtesy,
    wish_scope,
)
from desktop.language.keywords_and_stems import content_of, guess_language
from desktop.language.phrase_matcher import (
    GAP,
    PhraseMatch,
    find_phrase,
    tokenize,
    without_phrases,
)
from desktop.language.sentences import Sentence, plain_text, sentences

_EDGES = " \t\r\n,;:–—-….?!"
_QUOTES = {'"': '"', "”": "“", "»": "«", "’": "‘"}
"""The marks that open a quotation, by the mark that closes it."""
_LEADS_IN = ("that", "ki", "to", "about", "olsun", "bulunsun")
"""The last words of a phrase that precedes its clause, even if something stands before it."""
_GOES_ON = ("and", "ve", "then", "sonra", "so", "but", "ama", "bir", "da", "de")
"""Beginnings that show that a text is not the clause but the rest of the message."""
_FEWEST_OF_WISH = 3  # Words of a wish for later answers: when, what, and a verb
_LONGEST_AROUND = 600  # Letters of the neighbouring sentences that a request can mean


@dataclass(frozen=True, slots=True)
class Clause:
    content: str  # The text to store; empty: refers to what was said before this message
    start: int
    end: int  # The words of the message that it is based on
    is_alone: bool


@dataclass(frozen=True, slots=True)
class ForgetTarget:
    words: str  # The search words; empty: refers to what was said before this message
    is_everything: bool


def find_clause(text: str, lists: PhraseLists) -> Clause:
    own = find_user_words(text, lambda lead: asks_to_remember(lead, lists))
    own_sentences = sentences(own)
    for place, sentence in enumerate(own_sentences):
        if phrase := find_phrase(tokenize(sentence.text), lists.remember):
            start, end, goes_on = _span_beside(own, own_sentences, place, phrase, lists)
            others = [*own_sentences[:place], *own_sentences[place + 1 :]]
            rest = [other for other in others if not start <= other.start < end]
            is_alone = not goes_on and all(is_courtesy(other.text, lists) for other in rest)
            if start == end:
                return Clause("", sentence.start, sentence.end, is_alone)
            return Clause(clean_fact(own[start:end]), start, end, is_alone)
    start, end = (
        (own_sentences[0].start, own_sentences[-1].end) if own_sentences else (0, len(own))
    )
    return Clause(clean_fact(own[start:end]), start, end, is_alone=True)


def find_standing_wish(text: str, lists: PhraseLists) -> str:
    """Return what a message wants of later answers, of all or of some; empty if nothing."""
    intent = detect_intent(text, lists).intent
    if intent is Intent.REMEMBER:
        text = find_clause(text, lists).content
        intent = detect_intent(text, lists).intent
    if len(tokenize(text).words) < _FEWEST_OF_WISH:
        return ""
    is_lasting = wish_scope(text) in {WishScope.ALWAYS, WishScope.WHEN}
    if intent is not Intent.STYLE or not is_lasting:
        return ""
    own_sentences = sentences(find_user_words(text))
    stated = [sentence.text for sentence in own_sentences if "?" not in sentence.text] or [
        sentence.text for sentence in own_sentences
    ]
    return clean_fact(" ".join(stated))


def find_forget_target(text: str, lists: PhraseLists) -> ForgetTarget:
    line = tokenize(find_user_words(text))
    if find_phrase(line, lists.forget_everything):
        return ForgetTarget("", is_everything=True)
    # The words in the gap of a phrase are the fact.
    plain = tuple(phrase for phrase in lists.forget if GAP not in phrase)
    generic = plain + lists.memory_words + lists.courtesies + lists.urges
    left = content_of(without_phrases(line, generic), lists.stop_words)
    words = " ".join(text[word.start : word.end] for word in left)
    return ForgetTarget(words, is_everything=False)


def clean_fact(text: str) -> str:
    """Return one line of at most 300 characters, without separators at its ends."""
    lines = [line.strip().lstrip("-*+•").strip(_EDGES) for line in text.strip().splitlines()]
    line = plain_text(", ".join(filter(None, lines))).strip(_EDGES)
    opens = _QUOTES.get(line[-1:])
    if opens and opens not in line[:-1]:  # the clause began after it
        line = line[:-1].rstrip(_EDGES)
    first, _, rest = line.partition(" ")
    if rest and first.lower() in {*_GOES_ON[:2], "but", "that", "ama"}:
        line = rest.strip(_EDGES)
    line = " ".join(line.split())
    if len(line) > LONGEST_FACT:
        end = line.rfind(" ", 0, LONGEST_FACT - 1)
        line = f"{line[: end if end > 0 else LONGEST_FACT - 2].rstrip(_EDGES)} …"
    if line[:1] == "i" and guess_language(line, Language.TR) is Language.TR:
        return "İ" + line[1:]
    return line[:1].upper() + line[1:]


def states_something(text: str, lists: PhraseLists) -> bool:
    own_sentences = sentences(text)
    return bool(own_sentences) and all(
        _is_statement(sentence, lists) for sentence in own_sentences
    )


def _span_beside(
    text: str,
    own_sentences: Sequence[Sentence],
    place: int,
    phrase: PhraseMatch,
    lists: PhraseLists,
) -> tuple[int, int, bool]:
    """What the sentence with the request wants remembered, and whether it goes on."""
    sentence = own_sentences[place]
    line = tokenize(sentence.text)
    before = line.words_between(0, phrase.start)
    behind = line.words_between(phrase.end, len(line.tokens))
    tells_before = bool(before) and not is_courtesy(sentence.text[: before[-1].end], lists)
    tells_behind = bool(behind) and not is_courtesy(sentence.text[behind[0].start :], lists)
    leads_in = line.tokens[phrase.end - 1] in _LEADS_IN
    follows = leads_in or line.original_after(phrase.end).lstrip().startswith(":")
    if tells_behind and (not tells_before or (follows and behind[0].text not in _GOES_ON)):
        statements = _told(own_sentences[place + 1 :], lists) if follows else []
        end = statements[-1].end if statements else sentence.end
        return sentence.start + behind[0].start, end, False
    if tells_before:
        return sentence.start, sentence.start + before[-1].end, tells_behind
    return (*_span_around(text, own_sentences, place, lists), False)


def _span_around(
    text: str, own_sentences: Sequence[Sentence], place: int, lists: PhraseLists
) -> tuple[int, int]:
    """For a sentence that is only the request: the sentence before it, else the one after it.

    Empty if neither states anything.
    """
    sentence, following = own_sentences[place], own_sentences[place + 1 :]
    if before := _told(own_sentences[:place][::-1], lists):
        return before[-1].start, sentence.start
    if behind := _told(following, lists):
        return behind[0].start, behind[-1].end
    end = sentence.end
    # A list has no sentences.
    is_list = not following and bool(text[end:].strip())
    return end, min(len(text), end + _LONGEST_AROUND) if is_list else end


def _told(nearest_first: Sequence[Sentence], lists: PhraseLists) -> list[Sentence]:
    room = _LONGEST_AROUND
    statements: list[Sentence] = []
    for sentence in nearest_first:
        room -= len(sentence.text)
        if room < 0 or not _is_statement(sentence, lists):
            break
        statements.append(sentence)
    return statements


def _is_statement(sentence: Sentence, lists: PhraseLists) -> bool:
    if "?" in sentence.text or is_courtesy(sentence.text, lists):
        return False
    line = tokenize(sentence.text)
    return not (find_phrase(line, lists.asks) or find_phrase(line, lists.asks_first, at_once=True))
