"""Finds secrets: keys by their form (hidden in every request), passwords, cards."""

import re
from itertools import chain

from desktop.language.normalization import fold

_KEY = re.compile(
    r"\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|github_pat_[A-Za-z0-9_]{30,}|AKIA[A-Z0-9]{16}|xox[abeprs]-[A-Za-z0-9-]{16,}"
    r"|hf_[A-Za-z0-9]{30,}|glpat-[A-Za-z0-9_-]{20,}|gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{30,})"
)
HIDDEN = "[•••]"


def without_keys(text: str) -> str:
    """Return the text with every key hidden; the same bytes for the same text."""
    return _KEY.sub(HIDDEN, text)


def keys_in(text: str) -> frozenset[str]:
    return frozenset(_KEY.findall(text))


_MORE_KEYS = re.compile(
    r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}"
)
_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")
_NOT_IT = (
    r"(?!(?:the|too|not|very|weak|strong|long|short|safe|secure|required|wrong|lost|expired|changed"
    r"|gone|different|stored|saved|kept|needed|missing|yok|var|guclu|zayif|uzun|kisa|degisti)\b)"
)
_NO_DATE = r"(?!\d{1,4}['’]?[dt][ae]n?\b)"
# Folded, like the searched text; the value is taken from the original text.
_PASSWORD = re.compile(
    r"\b(?:(?:parola|sifre|password|passphrase|passcode)\w{0,6}|(?:pin|cvv|cvc)(?: ?kod\w{0,4}"
    r"| code|['’]?im)?|(?:api|secret|access|private)[ _-]?(?:key|token)|(?:api|gizli|erisim)"
    r" (?:anahtar|jeton)\w{0,4})"
    rf"\s*(?:(?:[:=]|\bis\b|\bise\b)\s*['\"“‘]?{_NOT_IT}(?P<named>[^\s'\"”’,;]{{3,}})"
    r"|['\"“‘](?P<quoted>[^\s'\"”’]{3,})['\"”’])"
    rf"|\b(?:(?:parola|sifre)(?:m|n|s)\w{{0,4}}|pin(?: kod\w{{0,4}}|['’]?im))\s+"
    rf"{_NO_DATE}(?P<mine>(?=[^\s\d]{{0,40}}\d)[^\s,;]{{4,}})"
    r"|\b(?:parola|sifre|password|passcode)\s+(?:olarak\s+)?"
    r"(?P<bare>(?=[^\s\d]{0,40}\d)(?=\d{0,40}[a-z])[^\s,;'’]{5,})"
    r"|\b(?:cvv|cvc)\s+(?P<code>\d{3,4})\b"
)


def has_secret(text: str) -> bool:
    return bool(secrets_in(text))


def secrets_in(text: str) -> frozenset[str]:
    """Return what looks like a key, a password or a card number, as it is written."""
    keys = chain(_KEY.finditer(text), _MORE_KEYS.finditer(text))
    cards = (match for match in _CARD.finditer(text) if _is_card(match[0]))
    spans = [match.span() for match in chain(keys, cards)]
    spans += [match.span(match.lastgroup or 0) for match in _PASSWORD.finditer(fold(text))]
    texts = (text[start:end].rstrip(".!?") for start, end in spans)
    return frozenset(filter(None, texts))


def _is_card(written: str) -> bool:
    """Whether the check digit (Luhn) is right, as in one of ten other numbers by chance."""
    digits = [int(letter) for letter in written if letter.isdigit()][::-1]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[1::2]]  # noqa: PLR2004 (Luhn)
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
