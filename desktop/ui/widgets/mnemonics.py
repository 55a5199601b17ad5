"""Letters that choose from a menu, marked in it: one an entry and no two the same."""

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QMenu


def mark_mnemonics(menu: QMenu) -> None:
    """Whatever the language of its words, so that no translator has to see to it."""
    actions = menu.actions()
    texts = [action.text().replace("&", "") for action in actions]
    places = _places(texts)
    for number, (action, words) in enumerate(zip(actions, texts, strict=True)):
        at = places.get(number)
        action.setText(words if at is None else f"{words[:at]}&{words[at:]}")


def _places(texts: Sequence[str]) -> Mapping[int, int]:
    """Where each entry's letter stands, for as many entries as there are letters for."""
    wanted = [_wanted(words) for words in texts]
    owners: dict[str, int] = {}

    def give(number: int, asked: set[str]) -> bool:
        """A free letter, or one whose owner can do with another: Kuhn's matching."""
        for letter in wanted[number]:
            if letter not in owners:
                owners[letter] = number
                return True
        for letter in wanted[number]:
            if letter not in asked:
                asked.add(letter)
                if give(owners[letter], asked):
                    owners[letter] = number
                    return True
        return False

    for number in range(len(texts)):
        give(number, set())
    return {number: wanted[number][letter] for letter, number in owners.items()}


def _wanted(words: str) -> Mapping[str, int]:
    """Letters that every keyboard has, by where they stand: those that begin a word first."""
    usable = [at for at, letter in enumerate(words) if letter.isascii() and letter.isalpha()]
    usable.sort(key=lambda at: at > 0 and words[at - 1].isalpha())
    found: dict[str, int] = {}
    for at in usable:
        found.setdefault(words[at].lower(), at)
    return found
