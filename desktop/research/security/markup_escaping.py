"""Escapes what a read text could use to leave the place where a request carries it as data."""

import re
import unicodedata

_MARKUP = re.compile(
    r"<(?=\s*[/|!]?\s*(?:passage|source|search_result|system|user|assistant|human|instructions?"
    r"|tool_\w+|function_\w+|invoke|antml|im_start|im_end|endoftext)\b)",
    re.IGNORECASE,
)
_TAG_LETTERS = dict.fromkeys(range(917504, 917632))
"""Invisible copies of ASCII that only a model reads."""
_VISIBLE_TAG_LETTERS = {one: chr(one - 0xE0000) for one in range(0xE0020, 0xE007F)}
_INVISIBLE = ("Cf", "Cc")


def escape_markup(text: str) -> str:
    """The text without hidden letters and without tags of a request or of a model's format."""
    return _MARKUP.sub("&lt;", text.translate(_TAG_LETTERS))


def reveal_hidden_letters(text: str) -> str:
    """The text as a model may read it: compatibility forms, zero-width and tag letters undone."""
    if text.isascii():
        return text
    shown = unicodedata.normalize("NFKC", text.translate(_VISIBLE_TAG_LETTERS))
    return "".join(
        one for one in shown if one.isspace() or unicodedata.category(one) not in _INVISIBLE
    )
