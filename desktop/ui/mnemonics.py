"""Letters that choose from a menu, marked in it: one a word and no two the same."""

from collections.abc import Collection

from PySide6.QtWidgets import QMenu


def mark_mnemonics(menu: QMenu) -> None:
    """Whatever the language of its words, so that no translator has to see to it."""
    taken: set[str] = set()
    for action in menu.actions():
        words = action.text().replace("&", "")
        at = _place(words, taken)
        if at is not None:
            taken.add(words[at].lower())
            words = f"{words[:at]}&{words[at:]}"
        action.setText(words)


def _place(words: str, taken: Collection[str]) -> int | None:
    """A word's first letter, if one is free; only letters that every keyboard has."""
    free = [
        at
        for at, letter in enumerate(words)
        if letter.isascii() and letter.isalpha() and letter.lower() not in taken
    ]
    first = [at for at in free if at == 0 or not words[at - 1].isalpha()]
    return next(iter(first or free), None)
