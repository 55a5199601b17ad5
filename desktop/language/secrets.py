"""Keys of other people's services, told by their shape: they go into no request and no answer."""

import re

_KEY = re.compile(
    r"\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|github_pat_[A-Za-z0-9_]{30,}|AKIA[A-Z0-9]{16}|xox[abeprs]-[A-Za-z0-9-]{16,}"
    r"|hf_[A-Za-z0-9]{30,}|glpat-[A-Za-z0-9_-]{20,}|gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{30,})"
)
HIDDEN = "[•••]"


def without_keys(text: str) -> str:
    """The same text with every key hidden; the same bytes for the same text."""
    return _KEY.sub(HIDDEN, text)


def keys_in(text: str) -> frozenset[str]:
    return frozenset(_KEY.findall(text))
