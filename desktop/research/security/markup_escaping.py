"""Escapes what an untrusted text could use to break out of its data section in a request."""

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
    """Return the text without hidden characters and without tags of a request or model format."""
    return _MARKUP.sub("&lt;", text.translate(_TAG_LETTERS))


def reveal_hidden_letters(text: str) -> str:
    """Return the text as a model may read it: compatibility and invisible characters resolved."""
    if text.isascii():
        return text
    shown = unicodedata.normalize("NFKC", text.translate(_VISIBLE_TAG_LETTERS))
    return "".join(
        one for one in shown if one.isspace() or unicodedata.category(one) not in _INVISIBLE
    )
