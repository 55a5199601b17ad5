"""What a person types into the search field, as an expression for the full-text index.

Words are searched by their beginning, since Turkish puts its suffixes behind ("kitap" finds
"kitaplarımızdan"); words in quotation marks stand together exactly; a minus excludes.
"""

import re
from collections.abc import Container
from dataclasses import dataclass

from desktop.language.folding import folded_key, softened, words

_PART = re.compile(r'(?P<minus>(?<!\S)-)?(?:["“”](?P<phrase>[^"“”]+)["“”]?|(?P<words>[^\s"“”]+))')
_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed query. `terms` and `phrases` are folded; nothing in it can be FTS5 syntax."""

    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms or self.phrases)

    @property
    def phrase_words(self) -> tuple[str, ...]:
        """Words that stand in the text as they are, where terms may go on."""
        return tuple(word for phrase in self.phrases for word in phrase)

    def every(self) -> str:
        """FTS5: all of it must be there."""
        return self._joined(" AND ")

    def some(self) -> str:
        """FTS5: any part of it will do; the rank puts the fuller matches first."""
        return self._joined(" OR ")

    def _joined(self, operator: str) -> str:
        parts = [_prefixes(term) for term in self.terms]
        parts += ['"' + " ".join(phrase) + '"' for phrase in self.phrases]
        wanted = operator.join(parts)
        unwanted = " OR ".join(_prefixes(term) for term in self.excluded)
        return f"({wanted}) NOT ({unwanted})" if unwanted else wanted


def parse(typed: str, stop_words: Container[str] = ()) -> Expression:
    """Read a query; stop words count only where there is nothing else."""
    terms: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[str] = []
    for part in _PART.finditer(typed):
        found = tuple(word.text for word in words(part["phrase"] or part["words"]))
        # As the index has it: there a suffix behind an apostrophe is a word of its own.
        phrase = tuple(_TOKEN.findall(folded_key(part["phrase"] or "")))
        if part["minus"]:
            excluded += found
        elif len(phrase) > 1:
            phrases.append(phrase)
        else:
            terms += found
    kept = [term for term in terms if term not in stop_words]
    if not kept and not phrases:
        kept = terms
    return Expression(tuple(dict.fromkeys(kept)), tuple(phrases), tuple(excluded))


def _prefixes(term: str) -> str:
    forms = [f'"{form}"*' for form in softened(term)]
    return forms[0] if len(forms) == 1 else "(" + " OR ".join(forms) + ")"
