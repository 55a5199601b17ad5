"""How much work a question gets: as the router decides, or as the user says."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop.domain.tiers import Tier
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.tip import tip

Choice = Tier | None
_CHOICES: tuple[Choice, ...] = (None, *Tier)


class TierChoice(PushButton):
    """Deep is for one question: it takes minutes and money, and is not left on by mistake."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tier: Choice = None
        self._menu = QMenu(self)
        self._group = QActionGroup(self)
        self._actions: dict[Choice, QAction] = {}
        self._keys: Mapping[Choice, QKeySequence] = {}
        self._build()
        self.retranslate()

    @property
    def tier(self) -> Choice:
        return self._tier

    def choose(self, tier: Choice) -> None:
        """What is chosen already is given up again."""
        self._put(None if tier is self._tier else tier)

    def take(self) -> Choice:
        """For a question that goes now."""
        taken = self._tier
        if taken is Tier.DEEP:
            self._put(None)
        return taken

    def set_hints(self, keys: Mapping[Choice, QKeySequence]) -> None:
        self._keys = keys
        self.retranslate()

    def retranslate(self) -> None:
        names = self._names()
        hints = self._hints()
        for choice, action in self._actions.items():
            keys = self._keys.get(choice, QKeySequence())
            shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
            action.setText(f"{names[choice]}\t{shown}" if shown else names[choice])
            action.setToolTip(tip(hints[choice]))
        self.setText(names[self._tier])
        self.setToolTip(tip(hints[self._tier]))
        self.setAccessibleName(self.tr("How much work: {tier}").format(tier=names[self._tier]))
        self._actions[self._tier].setChecked(True)
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        self.setProperty("kind", "choice")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._menu.setToolTipsVisible(True)
        for choice in _CHOICES:
            action = QAction(self)
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, choice=choice: self._put(choice))
            self._group.addAction(action)
            self._menu.addAction(action)
            self._actions[choice] = action
        self.setMenu(self._menu)

    def _put(self, tier: Choice) -> None:
        self._tier = tier
        self.retranslate()
        self.changed.emit()

    def _names(self) -> Mapping[Choice, str]:
        return {
            None: self.tr("Automatic"),
            Tier.QUICK: self.tr("Quick"),
            Tier.RESEARCH: self.tr("Research"),
            Tier.DEEP: self.tr("Deep"),
        }

    def _hints(self) -> Mapping[Choice, str]:
        return {
            None: self.tr("Bellek decides how much work each question deserves, and says why."),
            Tier.QUICK: self.tr(
                "One look into the library and past sessions, at most two searches on the web."
            ),
            Tier.RESEARCH: self.tr(
                "A few sub-questions, some pages read, one check for what is missing."
            ),
            Tier.DEEP: self.tr(
                "A plan that you can change, evidence tested word for word, a report. For the "
                "next question only."
            ),
        }
