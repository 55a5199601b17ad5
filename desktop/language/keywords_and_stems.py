"""Stop words and the language they show; content words, compared by stem.

The language: answers are given in the question's, and questions are short and often typed without
their Turkish letters. The evidence is therefore function words and endings, then letters that only
one of the two languages has.

Stems are for comparing, never for showing: they are cut hard, so that every form of a word ends at
the same place. A full Turkish stemmer takes 70 µs a word and still separates "direnç" from
"direnci"; folded characters and a list of endings do better, thirty times as fast.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from desktop.domain.language import Language
from desktop.language.normalization import Word, word_texts, words
from desktop.settings.paths import asset

# A Turkish verb after its root: voice and negation, then tense or participle, then person or
# case. "yap-" is yapar, yapılan, yapıyorum, but neither yapay nor yapı.
_VERB = (
    r"(?:y?[iu]l|[iu]n|n|[iu]t|t[iu]r|d[iu]r)?(?:m[ae])?y?"
    r"(?:[iu]yor|m[ae]l[iu]|[ae]c[ae][kg]|[ae]?r|[iu]r|[dt][iu]|[dt][iu][kg]|m[iu]s|m[ae]k|m[ae]|[ae]l[iu]m"
    r"|[ae]bil(?:[iu]r|[ae]c[ae]k|[ae]n|[iu]yor|m[ae]k)|[ae]r[ae]k|[iu]nc[ae]|s[ae]|[ae]n|[iu]p"
    r"|[ae]y[iu]m|m[ae]z|[iu]n[iu]z|s[iu]n)"
    r"(?:l[ae]r)?(?:y?[dt][iu])?"
    r"(?:[iu]?[mz]|[iu]?k|[iu]?n|s[iu]n|s[iu]n[iu]z|[dt][iu]r|y?[iu]|s[iu]|s[iu]n[iu]|[iu]n[iu]"
    r"|s[iu]nd[ae]n?|[iu]nd[ae]n?|[dt][ae]n?|y?[ae]|n?[iu]n)?"
)


VERB_ENDING = re.compile(_VERB)  # Everything that may follow the root of a folded Turkish verb

_MOST_KNOWN = 65_536
_LONGEST_ROOT = 40


@dataclass(frozen=True, slots=True)
class StopWords:
    """Exact words, stems with any ending ("bunlar*"), and roots of Turkish verbs ("yap-").

    `weak` words ("+etkisi") mean nothing alone, but something beside another word: Somogyi
    etkisi.
    """

    exact: frozenset[str]
    weak: frozenset[str]
    stems: tuple[str, ...]
    roots: frozenset[str]
    is_stop: Callable[[str], bool] = field(init=False, compare=False, repr=False)
    """Whether a folded word is a stop word, cached: texts repeat the same words."""

    def __post_init__(self) -> None:
        remembered = lru_cache(_MOST_KNOWN)(self._has)
        object.__setattr__(self, "is_stop", remembered)  # as the fields of a frozen class

    def __contains__(self, folded_word: object) -> bool:
        return isinstance(folded_word, str) and self.is_stop(folded_word)

    def _has(self, folded_word: str) -> bool:
        if folded_word in self.exact or folded_word.startswith(self.stems):
            return True
        roots = self.roots
        for end in range(1, min(len(folded_word), _LONGEST_ROOT) + 1):
            if folded_word[:end] in roots and VERB_ENDING.fullmatch(folded_word, end):
                return True
        return False


def parse_stop_words(text: str) -> StopWords:
    """Parse words: `word*` has any ending, `root-` a Turkish verb, `+word` a weak one."""
    exact: set[str] = set()
    weak: set[str] = set()
    stems: set[str] = set()
    roots: set[str] = set()
    for entry in text.split():
        stem = "".join(word.text for word in words(entry))
        if not stem:
            continue
        if entry.endswith("*"):
            stems.add(stem)
        elif entry.endswith("-"):
            roots.add(stem)
            exact.add(stem)
        else:
            exact.add(stem)
            weak.update([stem] if entry.startswith("+") else [])
    return StopWords(frozenset(exact), frozenset(weak), tuple(sorted(stems)), frozenset(roots))


def join_stop_words(first: StopWords, second: StopWords) -> StopWords:
    return StopWords(
        first.exact | second.exact,
        first.weak | second.weak,
        tuple(sorted({*first.stems, *second.stems})),
        first.roots | second.roots,
    )


_ENGLISH = """
a about am an and any are as at be been but by can could did do does for from had has have how i
if in into is it its me my of on or our should so that the their them there these they this
those to us was we were what when where which who whom whose why will with would you your
"""
_TURKISH = """
acaba ama bir bu bunlar bunu bunun da daha de diye gibi hakkinda icin idi ile ise kac kaca kacar
kaci kacinci kacincidir kacta kactan kactir kadar kadardi kadardir ki kiminle mi midir miydi mu
mudur muydu nasil nasildir neden nedenle nicin niye olan olarak su ve veya ya zaman
"""
# Turkish asks in every case: "kimden", "neresidir", "hangilerinde".
_PRONOUNS = ("kim", "ne", "ney", "nere", "hangi")
_CASES = """
i e ye yi de den in nin le yle li si sini sine sinde sinden sinin siyle ler leri lere lerde lerden
lerin lerle lerini lerine lerinde lerinden lerinin leriyle
"""
_BEING = ("", "dir", "ydi", "di", "ymis", "mis")
_INFLECTED = (
    pronoun + case + being
    for pronoun in _PRONOUNS
    for case in ("", *_CASES.split())
    for being in _BEING
)

SMALL_WORDS = {Language.EN: frozenset(_ENGLISH.split()), Language.TR: frozenset(_TURKISH.split())}
QUESTION_WORDS = frozenset({"s", "t"}).union(*SMALL_WORDS.values(), _INFLECTED)  # Folded


# Function words beside the small ones, and what research is asked with, folded.
_LINES = asset("resources", "words", "function-words.txt").read_text("utf-8").splitlines()


def _listed(language: Language) -> frozenset[str]:
    listed = " ".join(line[3:] for line in _LINES if line.startswith(language)).split()
    return SMALL_WORDS[language].union(listed)


_TURKISH_WORDS, _ENGLISH_WORDS = _listed(Language.TR), _listed(Language.EN)
FUNCTION_WORDS = _TURKISH_WORDS | _ENGLISH_WORDS  # Folded
_TURKISH_ENDING = re.compile(
    r".{2,}(?:[dt][iu]r|[dt][iu]rler|l[ae]r|l[ae]r[iu]n?|[iu]yor\w*|m[ae]k|m[ae]ktan|n[iu]n|l[iu]k|"
    r"l[iu]g[iu]|[ae]c[ae]k\w*|m[iu]s|m[iu]stir|l[iu]yor|s[iu]n[iu]z|[iu]m[iu]z|[dt][ae]n|[dt][ae]ki|"
    r"s[iu]n[iu]|[ae]l[iu]m|[iu]n[iu]|[iu]n[ae]|y[iu]m|abilir|ebilir)"
)
_ENGLISH_ENDING = re.compile(
    r".{2,}(?:ing|tion|tions|ed|ly|ness|ment|ments|ous|ful|ity|ies|ive|ical|ism|ology|ck|ght|th|"
    r"ee|oo[a-z]|sh|wn|ph[a-z]+|ers|able|ible)"
)
_TURKISH_LETTERS = "ğĞıİşŞ"
_SHARED_LETTERS = "çÇöÖüÜ"
_FOREIGN_TO_TURKISH = re.compile("[qwx]|th|sh|ph|oo|ee|ck")
_READ_AT_MOST = 2_000
_TURKISH_ALPHABET = frozenset(_TURKISH_LETTERS + _SHARED_LETTERS + "âîûÂÎÛ")
_MOST_FOREIGN = 0.01
_LEAST_TURKISH = 0.015  # The share of letters that only Turkish has: .07 of ordinary texts
_LEAST_EVIDENCE = (0.4, 0.55)
"""For each word. Turkish has .48 of its own, Spanish .21; English has 1.3, Dutch .23."""


def guess_language(text: str, default: Language) -> Language:
    """Return the language of a text, or `default` without evidence for either."""
    text = text[:_READ_AT_MOST]
    turkish = 2.0 * sum(map(text.count, _TURKISH_LETTERS))
    turkish += 0.5 * sum(map(text.count, _SHARED_LETTERS))
    english = 0.0
    for word in word_texts(text):
        for_turkish, for_english = _evidence(word)
        turkish += for_turkish
        english += for_english
    if turkish == english:
        return default
    return Language.TR if turkish > english else Language.EN


def text_language(text: str) -> Language | None:
    """Return the language of a text of some sentences; None if it is another, or no prose.

    Small words of Turkish and endings like its own abound in Spanish, too: a text must be full of
    the words of its language, and nearly free of letters that neither language has.
    """
    text = text[:_READ_AT_MOST]
    text_words = [word for word in word_texts(text) if word.isalpha()]
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(not (letter.isascii() or letter in _TURKISH_ALPHABET) for letter in letters)
    own = sum(map(text.count, _TURKISH_LETTERS))
    if not text_words or foreign > max(_MOST_FOREIGN * len(letters), own / 3):
        return None
    turkish, english = map(sum, zip(*map(_evidence, text_words), strict=True))
    least_turkish, least_english = (share * len(text_words) for share in _LEAST_EVIDENCE)
    is_turkish = own > _LEAST_TURKISH * len(letters) or turkish > least_turkish
    if english > least_english and (english > turkish or not is_turkish):
        return Language.EN
    return Language.TR if is_turkish else None


def sure_language(text: str) -> Language | None:
    """Return the language; None for a name or a few words, which may be of any language."""
    languages = {guess_language(text, default) for default in Language}
    return languages.pop() if len(languages) == 1 else None


@lru_cache(maxsize=16_384)
def _evidence(word: str) -> tuple[float, float]:
    foreign = 0.5 * bool(_FOREIGN_TO_TURKISH.search(word))
    return (
        _weigh(word, _TURKISH_WORDS, _TURKISH_ENDING),
        _weigh(word, _ENGLISH_WORDS, _ENGLISH_ENDING) + foreign,
    )


def _weigh(word: str, vocabulary: frozenset[str], ending: re.Pattern[str]) -> float:
    if word in vocabulary:
        return 2.0
    return 1.0 if ending.fullmatch(word) else 0.0


_SHORTEST_STEM = 3
_SHORTEST_BASE = 4
"""Minimum length of a stem searched by itself: too many words share three letters."""
_BEGINNING = 5
BEGINS = "-"  # Ends the key of a word's beginning, which less related words share, too
_LONGEST_WORD = 40
"""In characters; longer texts are not words, and removing their endings would be slow."""
_VOWELS = frozenset("aeiou")
# Folded case, possessive, plural and copula endings of Turkish nouns, after the stem.
# A final n, s or y is also removed, because it may be a buffer letter before a vowel.
_TURKISH_SUFFIX = re.compile(
    r"(.{3,}?)(?:l[ae]r[iu]nd[ae]n|l[ae]r[iu]nd[ae]|l[ae]r[iu]n[iu]n|l[ae]rd[ae]n|l[ae]r[iu]n[iu]"
    r"|l[ae]r[iu]n[ae]|[iu]m[iu]z|[iu]n[iu]z|l[ae]rd[ae]|l[ae]r[iu]n|l[ae]r[iu]|[dt][ae]ki|n[dt][ae]n"
    r"|[dt][iu]r|n[iu]n|nd[ae]|[dt][ae]n|l[ae]r|yl[ae]|s[iu]n|[dt][ae]|[iu]n|[iu]m|s[iu]|y[iuea]|n[iuea]"
    r"|l[ae]|[iuea]|(?<=[aeiou])[nsy])"
)
_HARDENED = str.maketrans("bdg", "ptk")
_ENGLISH_SUFFIX = re.compile(r"(?:(?<=[sxz])es|(?<=[cs]h)es|(?<![aiosu])s|ing|ed|ly)$")


def content_words(text: str, stop_words: StopWords, *, with_weak: bool = False) -> list[Word]:
    """Return the words of a text that are not stop words, numbers or single characters."""
    return content_of(words(text), stop_words, with_weak=with_weak)


def content_of(
    text_words: Iterable[Word], stop_words: StopWords, *, with_weak: bool = False
) -> list[Word]:
    """Return the same as `content_words` for a given list of words."""
    is_stop, weak = stop_words.is_stop, stop_words.weak
    return [
        word
        for word in text_words
        if len(folded := word[0]) > 1
        and (not is_stop(folded) or (with_weak and folded in weak))
        and not folded.isdigit()
    ]


@lru_cache(maxsize=65_536)
def stem(word: str, language: Language) -> str:
    return _turkish_stem(word) if language is Language.TR else _english_stem(word)


@lru_cache(maxsize=65_536)
def keys(word: str) -> frozenset[str]:
    """Return the keys that a folded word shares with related words, in either language."""
    shared = {_turkish_stem(word), _english_stem(word)}
    if len(word) >= _BEGINNING:
        shared.add(word[:_BEGINNING] + BEGINS)
    return frozenset(shared)


def strip_suffixes(word: str, *, shortest: int = _SHORTEST_BASE) -> list[str]:
    """Return a folded word with more and more endings removed, for words of unknown form."""
    if len(word) > _LONGEST_WORD:
        return []
    shorter: list[str] = []
    english = _ENGLISH_SUFFIX.sub("", word)
    if english != word and len(english) >= _SHORTEST_STEM:
        shorter.append(english)
    while (parts := _TURKISH_SUFFIX.fullmatch(word)) and len(parts[1]) >= shortest:
        word = parts[1]
        shorter.append(word)
    return shorter


def _turkish_stem(word: str) -> str:
    if len(word) > _LONGEST_WORD:
        return word
    while (parts := _TURKISH_SUFFIX.fullmatch(word)) and not _VOWELS.isdisjoint(parts[1]):
        word = parts[1]
    return word[:-1] + word[-1:].translate(_HARDENED)


def _english_stem(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        return word[:-3] + "i"
    ending = _ENGLISH_SUFFIX.search(word)
    rest = word[: ending.start()] if ending else word
    if len(rest) < _SHORTEST_STEM or _VOWELS.isdisjoint(rest):
        return word
    if ending and len(ending[0]) > 1 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        rest = rest[:-1]
    if rest.endswith("y"):
        return rest[:-1] + "i"
    return rest.removesuffix("e") if len(rest) > _SHORTEST_STEM else rest


def verb_roots(word: str, *, shortest: int = _SHORTEST_BASE) -> list[str]:
    """Return the possible roots of a word if it is a verb, the longest first."""
    if len(word) > _LONGEST_WORD:
        return []
    ends = range(len(word) - 1, shortest - 1, -1)
    return [word[:end] for end in ends if VERB_ENDING.fullmatch(word, end)]


@lru_cache(maxsize=4096)
def roots(word: str) -> frozenset[str]:
    """Return the stems of a word read as a noun and as a verb."""
    as_noun = strip_suffixes(word, shortest=_SHORTEST_STEM)
    return frozenset((*as_noun, *verb_roots(word, shortest=_SHORTEST_STEM)))


def count_shared(terms: Iterable[str], text: str) -> int:
    """Count the folded words that a text contains, in any form."""
    text_keys = frozenset[str]().union(*(keys(word.text) for word in words(text)))
    return sum(bool(keys(term) & text_keys) for term in terms)
