"""What would go with the next question, word for word, and what it would take."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from desktop.ui.formatting import token_count
from desktop.ui.memory.memory_actions import Sent
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.labels import HintLabel, SectionLabel


class SentPage(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sent: Sent | None = None
        self._amount, self._about = SectionLabel(), HintLabel()
        self._text = QPlainTextEdit()
        self._build()
        self.retranslate()

    def show_sent(self, sent: Sent) -> None:
        self._sent = sent
        self._say()

    def retranslate(self) -> None:
        self._text.setAccessibleName(self.tr("The block as it would be sent"))
        self._about.setText(
            self.tr(
                "The model sees this block at the very end of your next question. It is "
                "not stored with the question; each question gets its own."
            )
        )
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _say(self) -> None:
        sent = self._sent
        if sent is None:
            return
        self._text.setPlainText(sent.text if sent.is_on else "")
        self._text.setVisible(bool(sent.text) and sent.is_on)
        if sent.is_temporary:
            self._amount.setText(self.tr("Nothing: the session is temporary."))
        elif not sent.is_on:
            self._amount.setText(self.tr("Nothing: memory is turned off in the settings."))
        elif not sent.text:
            self._amount.setText(self.tr("Nothing yet."))
        else:
            facts = self.tr("%n fact(s)", "", sent.facts)
            tokens = self.tr("about {tokens} tokens").format(tokens=token_count(sent.tokens))
            self._amount.setText(f"{facts} · {tokens}")

    def _build(self) -> None:
        self._text.setReadOnly(True)
        self._text.setProperty("role", "field")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.SMALL)
        column.addWidget(self._amount)
        column.addWidget(self._about)
        column.addWidget(self._text, 1)
        column.addStretch(0)
