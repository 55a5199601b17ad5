"""A check box whose words wrap: Qt's own keeps them in one line, however narrow the page is."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from desktop.ui.widgets.metrics import width_of

_CHARACTERS = 28
"""Words that are longer need no more room than this."""
_SPARE = 2
"""Qt rounds what letters take, and large ones would lose their edge."""


class Check(QCheckBox):
    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def text(self) -> str:
        """In one line, however many are shown."""
        return self._words

    def setText(self, text: str) -> None:
        self._words = text
        self.setAccessibleName(text.replace("&", ""))
        self._break()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._size_of(self._words)

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        widest = max(map(self._measured().horizontalAdvance, self._words.split()), default=0)
        least = self._beside() + max(width_of(self, _CHARACTERS), widest)
        return QSize(min(whole.width(), least), whole.height())

    def heightForWidth(self, width: int) -> int:
        return self._size_of(self._broken(width)).height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()

    def _break(self) -> None:
        broken = self._broken(self.width())
        if broken != super().text():
            super().setText(broken)

    def _broken(self, width: int) -> str:
        """The words, in as many lines as this width asks for."""
        room = width - self._beside()
        if self._advance(self._words) <= room:
            return self._words
        lines: list[str] = []
        for word in self._words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._advance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return "\n".join(lines)

    def _size_of(self, text: str) -> QSize:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = text
        flags = Qt.TextFlag.TextShowMnemonic
        words = self._measured().size(flags, text) + QSize(_SPARE, 0)
        kind = QStyle.ContentsType.CT_CheckBox
        return self.style().sizeFromContents(kind, option, words, self)

    def _beside(self) -> int:
        """What the box itself takes, and what lies between it and its words."""
        measured = self._measured().size(Qt.TextFlag.TextShowMnemonic, self._words)
        return self._size_of(self._words).width() - measured.width()

    def _advance(self, text: str) -> int:
        return self._measured().size(Qt.TextFlag.TextShowMnemonic, text).width()

    def _measured(self) -> QFontMetrics:
        return self.fontMetrics()
