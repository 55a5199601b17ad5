"""Reads the words of Turkish messages for topics: names, units, what is bold or a stop word."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop.domain.language import Language
from desktop.language.dates.date_grammar import COUNTS_TR
from desktop.language.describing.base_forms import ranks
from desktop.language.describing.keyphrases import JOINT
from desktop.language.keywords_and_stems import StopWords, stem
from desktop.language.normalization import words

ARTICLE = "bir"


@dataclass(slots=True)
class Token:
    """A word, and what is around it."""

    text: str
    word: str  # Folded
    start: int
    end: int
    stem: str
    is_joined: bool  # to the word before
    is_first: bool  # in its sentence
    is_name: bool = False
    is_before_apostrophe: bool = False
    is_stop: bool = False
    is_weak: bool = False  # It may end a phrase, but is not one alone
    is_bold: bool = False
    is_adjective: bool = False  # "mayalı" where there is "maya"
    after: str = ""


def read_tokens(text: str, stop_words: StopWords) -> list[Token]:
    spoken, tokens = words(text), list[Token]()
    is_bold = False
    for place, (word, start, end) in enumerate(spoken):
        joint = text[spoken[place - 1].end : start] if place else "."
        is_bold ^= bool((joint if place else text[:start]).count("**") % 2)
        is_first = bool(set(joint) & set(".?!:\n"))
        is_joined = place > 0 and bool(JOINT.fullmatch(joint))
        is_apostrophe = text[end : end + 1] in {"'", "’"}
        is_weak = word in stop_words.weak
        before = tokens[-1].word if tokens and is_joined else ""
        is_name = is_apostrophe or (not is_first and text[start].isupper())
        is_counted = before.isdigit() or (before in COUNTS_TR and before != ARTICLE)
        is_unit = is_counted and not text[start].isupper()
        is_other = len(word) == 1 or word.isdigit() or (word in stop_words and not is_weak)
        tokens.append(
            Token(
                text[start:end],
                word,
                start,
                end,
                stem(word, Language.TR),
                is_joined=is_joined,
                is_first=is_first,
                is_name=is_name,
                is_before_apostrophe=is_apostrophe,
                is_stop=is_unit or is_other or word == before,
                is_weak=is_weak,
                is_bold=is_bold,
            )
        )
    for token, following in pairwise(tokens):
        token.after = following.word if following.is_joined else ""
    return tokens


def mark_names(tokens: Sequence[Token]) -> None:
    """Mark names where a sentence begins with them: "Cemal Süreya", not "Kahve Osmanlı'ya"."""
    small = {token.stem for token in tokens if token.text[0].islower()}
    names = {token.word for token in tokens if token.is_name and token.stem not in small}
    for token, following in pairwise(tokens):
        is_known = token.stem in small or token.stem in ranks()
        is_capital = token.text[0].isupper() and not is_known
        is_begun = token.is_first and following.is_joined and following.is_name
        token.is_name |= token.word in names or (is_capital and is_begun)


def mark_adjectives(tokens: Sequence[Token]) -> None:
    """Give "mayalı" the stem of "maya", if the conversation has it."""
    stems = {token.stem for token in tokens}
    for token in tokens:
        if token.word.endswith(("li", "lu")) and token.word not in ranks():
            shorter = stem(token.word[:-2], Language.TR)
            if shorter in stems:
                token.stem, token.is_adjective = shorter, True


def ends_sentence(token: Token, text: str) -> bool:
    return not token.is_name and text[token.end : token.end + 1] in {".", "?", "!", ";"}
