"""Words with which the user's sentences begin, and which may be names that stand nowhere else.

Nothing parts "Kavlak bu sabah gelmedi" from "Pekmez bu sabah bitti" but knowing either word. So no
summary fails for one of these: the sentence goes with it, which costs a line where it is no name.
"""

import re
from collections.abc import Container, Iterable, Iterator

from desktop.language.markdown_stripping import without_code
from desktop.language.normalization import folded_key, words

_FIRST = re.compile(
    r"(?:^|(?<=[.!?…\n]))[ \t>]*(?:[-*•][ \t]+)?(?P<word>[^\W\d_]{3,})(?!\w)(?:['’]s\b)?"
)
_SHARED = 5
"""Letters with which two forms of one word begin alike."""
_INFLECTED = re.compile(
    r"\w{3,}(?:l[ae]r\w+|(?:[iu]m[iu]z|s[iu]n|m[iu]s|d[iu]g)\w+|d[ae]ki|[ae]rken|[iu]nc[ae]"
    r"|m[ae]d[ae]n|[ae]r[ae]k|s[iu]z|tion|ment|ness)"
)
"""With endings that a name has behind an apostrophe, or not at all."""


def perhaps_named(
    spoken: Iterable[str], said: Iterable[str], common: Container[str]
) -> Iterator[str]:
    """`spoken`: of the user; `said`: all messages, whose words in small letters are no names."""
    small = {
        key
        for text in said
        for word in words(text)
        if text[word.start].islower()
        for key in (word.text, word.text[:_SHARED])
    }
    for text in spoken:
        for found in _FIRST.finditer(without_code(text)):
            word, folded = found["word"], folded_key(found["word"])
            is_name = word[0].isupper() and not word.isupper() and folded not in common
            is_used = folded in small or (len(folded) >= _SHARED and folded[:_SHARED] in small)
            if is_name and not is_used and not _INFLECTED.fullmatch(folded):
                yield word
