"""Parses a typed query into an FTS5 expression.

Words are searched by prefix, since Turkish adds suffixes ("kitap" finds "kitaplarımızdan"); words
in quotation marks are an exact phrase; a minus excludes. What is not a word without its signs
("0,65", "C++", "app.py") is searched exactly as well, except in a whole question.

Messages of one session are searched in memory: the active session is not indexed, and an open
session needs the position of every hit.
"""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from desktop.domain.frozen import dataclass
from desktop.domain.search import Hit
from desktop.language.keywords_and_stems import QUESTION_WORDS
from desktop.language.normalization import (
    PRIVATE_USE,
    find_words,
    fold,
    folded_key,
    index_text,
    softened,
    words,
)
from desktop.recall.bm25 import QueryWord, beginnings

_PART = re.compile(r'(?P<minus>(?<!\S)-)?(?:["“”](?P<phrase>[^"“”]+)["“”]?|(?P<words>[^\s"“”]+))')
_MOST_KEYWORDS = 3
_SHORTEST_OPEN = 3
_TOKEN = re.compile(rf"[^\W_]+|[{PRIVATE_USE}]")
_LONGEST_NAME = 8  # Letters without a space that may be one name; more are a sentence
_OPERATORS = re.compile(r'["“”„«»?]|(?<!\w)-')
_JOINED = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:[.@_][^\W_]+)+")
_SIGNED = re.compile(r"[^\W_]+(?:\+\+?|#)|\.[^\W_]+")
"""The index contains only the word, without its signs."""
_AROUND = "?!;:,()[]"


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed query. `terms` and `phrases` are folded; nothing in it can be FTS5 syntax."""

    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    """Words with signs; the index has no signs, so these are checked in the text."""
    is_question: bool = False
    """Whether this is a sentence, of which any part may match; otherwise all words must."""
    is_sentence: bool = False
    """Whether this is certainly a sentence; many words may also be a remembered phrase."""
    is_open: bool = False
    """Whether the last word of a phrase may have endings: "işitme kaybı" in "işitme kaybıdır"."""

    def __bool__(self) -> bool:
        return bool(self.terms or self.phrases)

    def __len__(self) -> int:
        """Return the number of terms and phrases."""
        return len(self.terms) + len(self.phrases)

    @property
    def is_strict(self) -> bool:
        """Whether quotation marks or a minus restrict the search.

        Inside a question quotation marks name a title or a term, which ranks first.
        """
        return bool(self.excluded or (self.phrases and not self.is_question))

    @property
    def opened(self) -> "Expression | None":
        """Return the query with open phrases, for a search without an exact hit; None if equal."""
        opened = replace(self, is_open=True)
        return opened if opened.every() != self.every() else None

    @property
    def begun(self) -> tuple[str, ...]:
        """Return the words to which the text may add endings."""
        last = [phrase[-1] for phrase in self.phrases if self.is_open and _goes_on(phrase)]
        return (*self.terms, *last)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.terms, *self.phrase_words)))

    @property
    def phrase_words(self) -> tuple[str, ...]:
        """Return the words that must occur unchanged in the text; terms may have endings."""
        return tuple(word for phrase in self.phrases for word in phrase)

    def fits(self, text: str) -> bool:
        """Whether a text contains every word that has signs, including the signs."""
        if not self.signed:
            return True
        folded = folded_key(text)
        return all(_with_signs(word).search(folded) for word in self.signed)

    def every(self) -> str:
        return self._joined(" AND ")

    def some(self) -> str:
        """Return the FTS5 expression for any term; fuller matches rank higher."""
        return self._joined(" OR ")

    def _joined(self, operator: str) -> str:
        parts = [_prefixes(term) for term in self.terms]
        parts += [
            f'"{" ".join(phrase)}"{"*" if self.is_open and _goes_on(phrase) else ""}'
            for phrase in self.phrases
        ]
        query = operator.join(parts)
        unwanted = " OR ".join(_prefixes(term) for term in self.excluded)
        return f"({query}) NOT ({unwanted})" if unwanted else query


def parse(typed: str, stop_words: Container[str] = ()) -> Expression:
    """Parse a query; stop words count only if there is nothing else."""
    terms: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[str] = []
    for part in _PART.finditer(typed):
        shown = part["phrase"] or part["words"]
        runs = [tuple(_TOKEN.findall(index_text(word.text))) for word in words(shown)]
        signs = (token for token in _TOKEN.findall(index_text(shown)) if not token.isalnum())
        tokens = *(run[0] for run in runs if len(run) == 1), *signs
        runs = [run for run in runs if len(run) > 1]  # of a script without spaces
        # As in the index, where a suffix after an apostrophe is a separate word.
        phrase = tuple(_TOKEN.findall(index_text(part["phrase"] or "")))
        if part["minus"]:
            excluded += tokens
        elif len(phrase) > 1:
            phrases.append(phrase)
        else:
            terms += tokens
            phrases += runs
    keywords = [term for term in terms if term not in stop_words]
    is_sentence = "?" in fold(typed) or len(keywords) < len(terms)
    is_sentence = is_sentence or any(len(run) > _LONGEST_NAME for run in phrases if _is_run(run))
    is_question = is_sentence or len(keywords) > _MOST_KEYWORDS
    if not keywords and not phrases:
        keywords = terms
    plain = Expression(
        tuple(dict.fromkeys(keywords)),
        tuple(phrases),
        tuple(excluded),
        is_question=is_question,
        is_sentence=is_sentence,
    )
    return plain if is_question else _with_exact(plain, typed)


def _is_run(phrase: Sequence[str]) -> bool:
    return not any(len(word) > 1 or word.isascii() for word in phrase)


def _with_exact(plain: Expression, typed: str) -> Expression:
    """Require words that need their signs as one phrase instead of separate words."""
    phrases, signed, taken = list(plain.phrases), [], set[str]()
    for part in _PART.finditer(typed):
        spelled = folded_key(part["words"] or "").rstrip(_AROUND + ".").lstrip(_AROUND)
        spelled = spelled.split("'")[0]
        is_signed = bool(_SIGNED.fullmatch(spelled))
        if part["minus"] or not (is_signed or _JOINED.fullmatch(spelled)):
            continue
        phrases.append(tuple(_TOKEN.findall(spelled)))
        taken.update(phrases[-1])
        signed += [spelled] if is_signed else []
    terms = tuple(term for term in plain.terms if term not in taken)
    return replace(plain, terms=terms, phrases=tuple(phrases), signed=tuple(signed))


def _with_signs(spelled: str) -> re.Pattern[str]:
    """Return the pattern; a name may come before a dot: ".py" occurs in "app.py"."""
    begins = "" if spelled.startswith(".") else r"(?<![^\W_])"
    return re.compile(rf"{begins}{re.escape(spelled)}(?![^\W_]|[+#])")


def _goes_on(phrase: tuple[str, ...]) -> bool:
    """Whether a word may have endings: it is not a number and long enough to be distinctive."""
    return phrase[-1].isalpha() and len(phrase[-1]) >= _SHORTEST_OPEN


def one_of(word: str) -> str:
    """Return FTS5 for a word in any of its forms, cut as `bm25` cuts it."""
    return " OR ".join(f'"{beginning}"*' for beginning in beginnings(word))


def some_of(words: Iterable[str]) -> str:
    return " OR ".join(one_of(word) for word in words)


def any_of(terms: Iterable[QueryWord]) -> str:
    return " OR ".join(
        " OR ".join([one_of(term.word), *map(_beginning, term.also)]) for term in terms
    )


def _beginning(other: str) -> str:
    return f'"{other[:-1]}"' if other.endswith(".") else f'"{other}"*'


def _prefixes(term: str) -> str:
    forms = [f'"{form}"*' for form in softened(term)]
    return forms[0] if len(forms) == 1 else "(" + " OR ".join(forms) + ")"


def as_question(text: str) -> str:
    """Return the text as a whole question: operators of the search field have no meaning in it."""
    return f"{_OPERATORS.sub(' ', text)}?"


_NOT_A_LETTER = r"(?<![^\W_])"
_NO_LETTER_NEXT = r"(?![^\W_])"
_BETWEEN = r"[\W_]+"


def find_in_session(typed: str, texts: Sequence[str]) -> list[int]:
    """Return the positions of the texts with all the words, else with any of them."""
    expression = parse(typed, QUESTION_WORDS)
    return find_in_texts(expression, texts) if expression else []


def find_in_texts(expression: Expression, texts: Sequence[str]) -> list[int]:
    """Return the positions of the texts with all words of a query, else with any of them."""
    word_patterns, begun = _patterns(expression), _patterns(expression.opened or expression)
    unwanted = [word_starts((term,)) for term in expression.excluded]
    folded = [index_text(text) for text in texts]
    places = [
        place
        for place, text in enumerate(folded)
        if not any(pattern.search(text) for pattern in unwanted)
    ]
    for patterns, enough in ((word_patterns, all), (begun, all), (begun, any)):
        if matches := [
            p for p in places if enough(pattern.search(folded[p]) for pattern in patterns)
        ]:
            return matches
    return []


def marked_words(typed: str) -> tuple[str, ...]:
    """Return the words of a query that are marked: without those that it excludes."""
    return parse(typed, QUESTION_WORDS).words


def words_to_find(typed: str, hit: Hit) -> str:
    """Return the words to find when a hit is opened: as typed, or corrected."""
    if set(hit.marks) <= set(find_words(hit.snippet, marked_words(typed))):
        return typed
    return " ".join(dict.fromkeys(hit.snippet[start:end] for start, end in hit.marks))


def _patterns(expression: Expression) -> list[re.Pattern[str]]:
    patterns = [word_starts((term,)) for term in expression.terms]
    end = "" if expression.is_open else _NO_LETTER_NEXT
    phrases = (_BETWEEN.join(map(re.escape, phrase)) for phrase in expression.phrases)
    return patterns + [re.compile(_NOT_A_LETTER + phrase + end) for phrase in phrases]


@lru_cache(maxsize=64)
def word_starts(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of the beginnings of words that are forms of these terms."""
    forms = "|".join(re.escape(form) for term in terms for form in softened(term))
    return re.compile(rf"{_NOT_A_LETTER}(?:{forms})")
