"""Knows the words that do not say what a text is about."""

import re
from dataclasses import dataclass

from desktop.language.folding import words

# A Turkish verb behind its root: voice and negation, then tense or participle, then person or
# case. "yap-" is yapar, yapılan, yapıyorum, but neither yapay nor yapı.
_VERB = (
    r"(?:y?[iu]l|[iu]n|n|[iu]t|t[iu]r|d[iu]r)?(?:m[ae])?y?"
    r"(?:[iu]yor|[ae]c[ae][kg]|[ae]?r|[iu]r|[dt][iu]|[dt][iu][kg]|m[iu]s|m[ae]k|m[ae]|[ae]l[iu]m"
    r"|[ae]bil(?:[iu]r|[ae]c[ae]k|[ae]n|[iu]yor|m[ae]k)|[ae]r[ae]k|[iu]nc[ae]|s[ae]|[ae]n|[iu]p"
    r"|[ae]y[iu]m|m[ae]z|[iu]n[iu]z|s[iu]n)"
    r"(?:l[ae]r)?(?:y?[dt][iu])?"
    r"(?:[iu]?[mz]|[iu]?k|[iu]?n|s[iu]n|s[iu]n[iu]z|[dt][iu]r|y?[iu]|s[iu]|s[iu]n[iu]|[iu]n[iu]"
    r"|s[iu]nd[ae]n?|[iu]nd[ae]n?|[dt][ae]n?|y?[ae]|n?[iu]n)?"
)


@dataclass(frozen=True, slots=True)
class StopWords:
    """Exact words, and patterns for listed endings ("bunlar*") and listed verbs ("yap-").

    `weak` words ("+etkisi") say nothing alone, and something beside another: Somogyi etkisi.
    """

    exact: frozenset[str]
    weak: frozenset[str]
    pattern: re.Pattern[str]

    def __contains__(self, folded_word: object) -> bool:
        return isinstance(folded_word, str) and (
            folded_word in self.exact or self.pattern.fullmatch(folded_word) is not None
        )


def parse_stop_words(text: str) -> StopWords:
    """Read words: `word*` has any ending, `root-` a Turkish verb, `+word` a weak one."""
    exact: set[str] = set()
    weak: set[str] = set()
    patterns: list[str] = []
    for entry in text.split():
        stem = "".join(word.text for word in words(entry))
        if not stem:
            continue
        if entry.endswith("*"):
            patterns.append(re.escape(stem) + r"\w*")
        elif entry.endswith("-"):
            patterns.append(re.escape(stem) + f"(?:{_VERB})?")
        else:
            exact.add(stem)
            weak.update([stem] if entry.startswith("+") else [])
    return StopWords(frozenset(exact), frozenset(weak), re.compile("|".join(patterns) or "(?!)"))


def join_stop_words(first: StopWords, second: StopWords) -> StopWords:
    return StopWords(
        first.exact | second.exact,
        first.weak | second.weak,
        re.compile(f"{first.pattern.pattern}|{second.pattern.pattern}"),
    )
