"""The actions that have keys, which keys those are, and which of them clash."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An action of the menus, named in the window's language."""

    name: str
    text: str
    group: str
    """The menu it stands in."""
    shipped: str
    """Portable text of the keys that it comes with; empty for none."""


Shortcuts = Callable[[], Sequence[Shortcut]]
"""Asked again after a change of language."""


def keys_of(shortcut: Shortcut, chosen: Mapping[str, str]) -> str:
    """The keys in use, as portable text."""
    return chosen.get(shortcut.name, shortcut.shipped)


def shown_keys(portable: str) -> str:
    sequence = QKeySequence.fromString(portable, QKeySequence.SequenceFormat.PortableText)
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def clash(
    keys: str, name: str, shortcuts: Sequence[Shortcut], chosen: Mapping[str, str]
) -> Shortcut | None:
    """Another action that has the keys, or keys that begin alike, so that neither would work."""
    wanted = QKeySequence(keys)
    for other in shortcuts:
        taken = QKeySequence(keys_of(other, chosen))
        if other.name == name or taken.isEmpty() or wanted.isEmpty():
            continue
        no_match = QKeySequence.SequenceMatch.NoMatch
        if wanted.matches(taken) != no_match or taken.matches(wanted) != no_match:
            return other
    return None


def with_keys(
    chosen: Mapping[str, str], shortcuts: Sequence[Shortcut], name: str, keys: str
) -> Mapping[str, str]:
    """The choices with another set of keys for one action; shipped keys are not written down."""
    others = {each: at for each, at in chosen.items() if each != name}
    shipped = next((each.shipped for each in shortcuts if each.name == name), "")
    return others if QKeySequence(keys) == QKeySequence(shipped) else {**others, name: keys}
