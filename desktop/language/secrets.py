"""What is told to nobody: keys by their shape, which go into no request, passwords, cards."""

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


_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")
_PASSWORD = re.compile(
    r"\b(?:(?:parola|şifre|sifre|password|passphrase|passcode)\w{0,5}|pin(?:im| code)?|cvv)"
    r"\s*(?::|=|is\b)\s*\S{3,}"
    r"|\b(?:parolam|şifrem|sifrem)\s+(?=\S*\d)\S{4,}",
    re.IGNORECASE,
)


def has_secret(text: str) -> bool:
    """Whether a text holds what looks like a key, a password or the number of a card."""
    return bool(
        _KEY.search(text)
        or _PASSWORD.search(text)
        or any(_is_card(found[0]) for found in _CARD.finditer(text))
    )


def _is_card(written: str) -> bool:
    """By its check digit (Luhn), which one in ten other numbers has by chance."""
    digits = [int(one) for one in written if one.isdigit()][::-1]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[1::2]]  # noqa: PLR2004 (Luhn)
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
