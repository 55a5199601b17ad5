"""Above a session that a search led to: which of its hits is shown, and the way to the others."""

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import NavigationBar
from desktop.ui.widgets.labels import ElidedLabel


class HitBar(NavigationBar):
    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        words = ElidedLabel()
        super().__init__(theme, words, margin=Space.TIGHT, parent=parent)
        self._words = words
        self._words.setProperty("role", "small")
        self._query = ""
        self._at = (0, 0)
        self._keys = ("", "")
        self.retranslate()

    def show_hit(self, query: str, place: int, count: int) -> None:
        """`place` counts from 1."""
        self._query, self._at = query, (place, count)
        self._say()
        self.show()

    def set_hints(self, following: QKeySequence, previous: QKeySequence) -> None:
        form = QKeySequence.SequenceFormat.NativeText
        self._keys = (previous.toString(form), following.toString(form))
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        self.name_steps(self.tr("Previous hit"), self.tr("Next hit"), self._keys)
        self._say()

    def _say(self) -> None:
        place, count = self._at
        self._words.set_text(self.tr("Results for “{query}”").format(query=self._query))
        said = self.tr("Hit {place} of {count}").format(place=place, count=count)
        self.set_place_text(f"{place} / {count}", said)
        self.setAccessibleName(said)
