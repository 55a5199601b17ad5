"""The composer: the message field, the send button and the context meter."""

from itertools import pairwise
from math import ceil

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.composer.controls import AttachButton, TierChoice
from desktop.ui.formatting import token_count
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.paste_chips import PasteChips, PastingField, join_pasted, split_pasted
from desktop.ui.widgets.plain_text import tip

_MOST_LINES = 8
_BREAKING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class ComposerField(PastingField):
    sent = Signal()
    left = Signal()
    """Escape was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_composing = False
        self._build()
        self._connect()
        self._grow()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height_of(self._lines()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._height_of(1))

    def ask(self, words: str) -> None:
        """What stands in the empty field."""
        self.setPlaceholderText(words)
        # WORKAROUND: Qt 6.11 paints other words only when something else is painted anew.
        # Delete when test_other_words_in_the_empty_field_are_seen_at_once passes without it.
        self.viewport().update()

    def set_type(self, font: QFont) -> None:
        self.setFont(font)
        # The placeholder is painted in the viewport's font, which style sheets cut off from ours.
        self.viewport().setFont(font)
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter(event)
            case Qt.Key.Key_Escape:
                self.left.emit()
                event.accept()
            case _:
                super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        # An Enter that chooses a candidate of the input method must not send.
        self._is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # Files go to the window; their addresses as text would be of no use here.
        dropped = any(url.isLocalFile() for url in source.urls())
        return not dropped and super().canInsertFromMimeData(source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grow()

    def _build(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    def _connect(self) -> None:
        self.document().documentLayout().documentSizeChanged.connect(self._grow)

    def _enter(self, event: QKeyEvent) -> None:
        if self._is_composing:
            super().keyPressEvent(event)
        elif event.modifiers() & _BREAKING:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        else:
            self.sent.emit()
        event.accept()

    def _lines(self) -> int:
        # A plain text document measures its height in lines.
        return max(1, round(self.document().size().height()))

    def _height_of(self, lines: int) -> int:
        # Each line is laid out as high as its whole pixels; rounded down, three hid the first.
        line = ceil(QFontMetricsF(self.font()).lineSpacing())
        return line * min(lines, _MOST_LINES) + 2

    def _grow(self) -> None:
        lines = self._lines()
        needs_bar = lines > _MOST_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if needs_bar else policy.ScrollBarAlwaysOff
        )
        height = self._height_of(lines)
        if height != self.height():
            self.setFixedHeight(height)
            self.updateGeometry()


class Composer(QFrame):
    sent = Signal(str)
    stop_requested = Signal()
    context_wanted = Signal()
    """What the last request was made of"""
    draft_changed = Signal()
    state_changed = Signal()
    """Look again at whether what is written can be sent."""
    left = Signal()
    """Escape was pressed while nothing streams."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.field = ComposerField(self)
        self.pastes = PasteChips(theme, self)
        self.meter = PushButton(self)
        self.button = PushButton(self)
        self.tiers = TierChoice(self)
        self.add = AttachButton(theme, self)
        self.choices = QHBoxLayout()
        """The row at the left below the field, for what a question can be given along."""
        self._is_streaming = False
        self._is_temporary = False
        self._begins_anew = False
        self._tokens: tuple[int, int | None] = (0, None)
        self._keys = ("", "")
        self._build()
        self._connect()
        self.retranslate()

    @property
    def text(self) -> str:
        return join_pasted(self.field.toPlainText(), self.pastes.texts)

    @property
    def can_send(self) -> bool:
        is_blank = self.field.is_blank and not self.pastes.texts
        return not (self._is_streaming or is_blank)

    def set_text(self, text: str) -> None:
        """Put a kept draft back; nobody is told, for nothing was written."""
        written, pasted = split_pasted(text)
        with QSignalBlocker(self):
            self.pastes.set_texts(pasted)
            self.field.setPlainText(written)
            self.field.moveCursor(QTextCursor.MoveOperation.End)
        self._show_state()

    def quote(self, text: str) -> None:
        """Put it before what is written, as a quotation, and stand behind it."""
        quoted = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
        cursor = self.field.textCursor()
        cursor.setPosition(0)
        cursor.insertText(f"{quoted}\n\n")
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def clear(self) -> None:
        self.pastes.set_texts([])
        self.field.clear()

    def set_streaming(self, is_streaming: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._is_streaming = is_streaming
        self._show_state()

    def set_temporary(self, is_temporary: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """Mark that what is written here is kept nowhere."""
        if is_temporary == self._is_temporary:
            return
        self._is_temporary = is_temporary
        self.setProperty("temporary", is_temporary)
        self.style().polish(self)
        self.retranslate()

    def set_begins_anew(self, begins_anew: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """What is written here begins another session than the one above."""
        if begins_anew != self._begins_anew:
            self._begins_anew = begins_anew
            self.retranslate()

    def set_context(self, tokens: int, limit: int | None) -> None:
        """How much of the model's context the session takes; None where nobody knows the limit."""
        self._tokens = (tokens, limit)
        self._show_context()

    def set_hints(self, send: QKeySequence, stop: QKeySequence) -> None:
        form = QKeySequence.SequenceFormat.NativeText
        self._keys = (send.toString(form), stop.toString(form))
        self._show_state()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        self.field.setFocus(reason)

    def send(self) -> None:
        """Send what is written; while an answer streams, or without words, it stays."""
        if self.can_send:
            self.sent.emit(self.text.strip())

    def retranslate(self) -> None:
        asks = self.tr("Ask anything…")
        if self._is_temporary:
            asks = self.tr("Ask anything. This session won't be saved…")
        elif self._begins_anew:
            asks = self.tr("Ask anything. This starts a new session…")
        self.field.ask(asks)
        self.field.setAccessibleName(self.tr("Message"))
        self._show_state()
        self._show_context()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit_tiers()
        return done

    def changeEvent(self, event: QEvent) -> None:
        match event.type():
            case QEvent.Type.LanguageChange:
                self.retranslate()
            case QEvent.Type.FontChange | QEvent.Type.StyleChange:
                self._show_type()
            case _:
                pass
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.field.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "composer")
        self.meter.setProperty("kind", "link")
        self.meter.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusProxy(self.field)
        self.choices.setSpacing(Space.SMALL)
        self.choices.addWidget(self.tiers)
        self.choices.addWidget(self.add)
        below = QHBoxLayout()
        below.setSpacing(Space.MEDIUM)
        below.addLayout(self.choices)
        below.addWidget(self.meter)
        below.addStretch(1)
        below.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.MEDIUM, Space.MEDIUM)
        layout.setSpacing(Space.SMALL)
        layout.addWidget(self.pastes)
        layout.addWidget(self.field)
        layout.addLayout(below)
        row = (self.field, *self.tiers.stops, self.add, self.meter, self.button)
        for one, following in pairwise(row):
            QWidget.setTabOrder(one, following)
        self._show_type()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._show_type)
        self.field.sent.connect(self.send)
        self.field.left.connect(self._leave)
        self.field.textChanged.connect(self._show_state)
        self.field.textChanged.connect(self.draft_changed)
        self.field.long_pasted.connect(self.pastes.add)
        self.pastes.wanted_in_field.connect(self.field.write_out)
        self.pastes.changed.connect(self._take_pastes)
        self.pastes.removed.connect(self.setFocus)
        self.button.clicked.connect(self._press)
        self.meter.clicked.connect(self.context_wanted)

    def _fit_tiers(self) -> None:
        beside = [one for one in (self.add, self.meter, self.button) if not one.isHidden()]
        taken = sum(one.sizeHint().width() + Space.MEDIUM for one in beside)
        self.tiers.fit(self.contentsRect().width() - Space.LARGE - Space.MEDIUM - taken)

    def _press(self) -> None:
        if self._is_streaming:
            self.stop_requested.emit()
        else:
            self.send()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_pastes(self) -> None:
        before: QWidget = self.field
        for button in self.pastes.buttons():
            QWidget.setTabOrder(before, button)
            before = button
        self._show_state()
        self.draft_changed.emit()

    def _leave(self) -> None:
        if self._is_streaming:
            self.stop_requested.emit()
        else:
            self.left.emit()

    def _show_type(self) -> None:
        self.field.set_type(self._theme.font(self._theme.scale.body))

    def _show_state(self) -> None:
        send, stop = self._keys
        label = self.tr("Stop") if self._is_streaming else self.tr("Send")
        self.button.setText(label)
        keys = stop if self._is_streaming else send
        self.button.setToolTip(tip(f"{label} ({keys})" if keys else label))
        self.button.setEnabled(self._is_streaming or self.can_send)
        kind = "stop" if self._is_streaming else "primary"
        if self.button.property("kind") != kind:
            self.button.setProperty("kind", kind)
            self.button.style().polish(self.button)
        self.state_changed.emit()

    def _show_context(self) -> None:
        tokens, limit = self._tokens
        self.meter.setVisible(tokens > 0)
        if limit is None:
            self.meter.setText(self.tr("{tokens} tokens").format(tokens=token_count(tokens)))
        else:
            self.meter.setText(
                self.tr("Context: {tokens} / {limit}").format(
                    tokens=token_count(tokens), limit=token_count(limit)
                )
            )
        self.meter.setToolTip(tip(self.tr("How full the context window is")))
