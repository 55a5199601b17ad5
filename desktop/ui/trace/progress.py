"""What a run has spent of what it may: a bar for each limit, and the way to stop it."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QVBoxLayout, QWidget

from desktop.domain.research import LimitKind, Limits, Spent
from desktop.ui.theme.tokens import Space
from desktop.ui.trace.trace_labels import TraceWords, shares
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.plain_text import Label

_WHOLE = 1000
_UNLIMITED = 100_000_000
"""Tokens from which on a limit is none."""


class Progress(QWidget):
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = TraceWords(self)
        self._spent = Spent()
        self._limits: Limits | None = None
        self._names = {kind: Label(parent=self) for kind in LimitKind}
        self._bars = {kind: QProgressBar(self) for kind in LimitKind}
        self._amounts = {kind: Label(parent=self) for kind in LimitKind}
        self._stop, self._about = Button(), HintLabel(self)
        self._build()
        self._stop.clicked.connect(self.stop_wanted)
        self.retranslate()

    def show_spent(self, spent: Spent, limits: Limits, *, is_running: bool) -> None:
        self._spent, self._limits = spent, limits
        self._stop.setVisible(is_running)
        self._about.setVisible(is_running)
        self._say()

    def retranslate(self) -> None:
        self._stop.setText(self.tr("Stop and write what you have"))
        self._about.setText(self.tr("What has been found so far becomes the report."))
        for kind, name in self._names.items():
            name.setText(self._words.limit(kind))
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.SMALL)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(1, 1)
        for row, kind in enumerate(LimitKind):
            bar, amount = self._bars[kind], self._amounts[kind]
            bar.setTextVisible(False)
            bar.setMinimumWidth(2 * Space.WIDE)
            bar.setRange(0, _WHOLE)
            amount.setProperty("role", "small")
            grid.addWidget(self._names[kind], row, 0)
            grid.addWidget(bar, row, 1)
            grid.addWidget(amount, row, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.SMALL)
        column.addLayout(grid)
        column.addWidget(self._stop)
        column.addWidget(self._about)

    def _say(self) -> None:
        if self._limits is None:
            return
        for kind, taken, most in shares(self._spent, self._limits):
            is_limited = most is not None and most < _UNLIMITED
            is_seen = is_limited or bool(taken)
            bar, amount = self._bars[kind], self._amounts[kind]
            for widget in (self._names[kind], bar, amount):
                widget.setVisible(is_seen)
            said = self._words.amount(kind, taken)
            if taken is None:
                # A limit of money holds nothing where no price is known.
                is_limited = False
                bar.setValue(0)
            elif is_limited and most is not None:
                bar.setValue(round(min(taken / most, 1.0) * _WHOLE) if most else _WHOLE)
                said = self.tr("{taken} of {most}").format(
                    taken=said, most=self._words.amount(kind, most)
                )
            bar.setEnabled(is_limited)
            amount.setText(said)
            bar.setAccessibleName(f"{self._words.limit(kind)}: {said}")
