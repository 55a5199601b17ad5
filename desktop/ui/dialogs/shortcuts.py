"""Shortcuts: the keys of actions, and clashes between them."""

import sys
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtGui import QKeySequence

from desktop.domain.frozen import dataclass

# Option with an arrow moves by words in every field of macOS.
BACK_KEYS = "Ctrl+[" if sys.platform == "darwin" else "Alt+Left"
FORWARD_KEYS = "Ctrl+]" if sys.platform == "darwin" else "Alt+Right"


@dataclass(frozen=True, slots=True)
class Shortcut:
    name: str
    text: str
    group: str  # its menu
    shipped: str  # default keys as portable text; empty if none


Shortcuts = Callable[[], Sequence[Shortcut]]  # called again after a change of language


def keys_of(shortcut: Shortcut, chosen: Mapping[str, str]) -> str:
    """Return the keys in use, as portable text."""
    return chosen.get(shortcut.name, shortcut.shipped)


def shown_keys(portable: str) -> str:
    sequence = QKeySequence.fromString(portable, QKeySequence.SequenceFormat.PortableText)
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def clash(
    keys: str, name: str, shortcuts: Sequence[Shortcut], chosen: Mapping[str, str]
) -> Shortcut | None:
    """Return another action with the same keys or the same first keys, which would block both."""
    sequence = QKeySequence(keys)
    for other in shortcuts:
        taken = QKeySequence(keys_of(other, chosen))
        if other.name == name or taken.isEmpty() or sequence.isEmpty():
            continue
        no_match = QKeySequence.SequenceMatch.NoMatch
        if sequence.matches(taken) != no_match or taken.matches(sequence) != no_match:
            return other
    return None


def with_keys(
    chosen: Mapping[str, str], shortcuts: Sequence[Shortcut], name: str, keys: str
) -> Mapping[str, str]:
    """Return the choices with new keys for one action; default keys are not stored."""
    others = {each: at for each, at in chosen.items() if each != name}
    shipped = next((each.shipped for each in shortcuts if each.name == name), "")
    return others if QKeySequence(keys) == QKeySequence(shipped) else {**others, name: keys}
