"""The composer: the message field, the send button and the context meter."""

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QTextCursor

from desktop.ui.composer.controls import AttachButton, TierChoice
from desktop.ui.formatting import token_count
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, PushButton
from desktop.ui.widgets.file_chips import FileChips, Thumbnails
from desktop.ui.widgets.layouts import STRETCH, column, row, set_tab_order
from desktop.ui.widgets.message_editor import DropTarget, MessageEditor, dropped_text
from desktop.ui.widgets.plain_text import set_tip, tip

_LETTERS_PER_TOKEN = 4
_COUNTED_TOKENS = 100  # a shorter draft does not count
_MOST_LINES = 8


class Composer(TranslatedWidget, MessageEditor):
    sent = Signal(str)
    stop_requested = Signal()
    draft_changed = Signal()
    state_changed = Signal()  # whether the text can be sent may have changed
    left = Signal()  # Escape was pressed while nothing streams
    files_given = Signal(object)  # paths that were pasted or dropped here

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(theme, _MOST_LINES)
        self._theme = theme
        self.meter = Button("link", self)
        self.button = PushButton(self)
        self.tiers = TierChoice(self)
        self.model = Button("link", self)
        self.add = AttachButton(theme, self)
        self.thumbs = Thumbnails(self)
        self.files = FileChips(theme, self.thumbs, self)
        self.choices = row(self.tiers, self.model, self.add)
        """The row at the left below the field: the tier, the model, and the attach button."""
        self._is_streaming = False
        self._is_temporary = False
        self._begins_anew = False
        self._is_local_only = False
        self._tokens: tuple[int, int | None] = (0, None)
        self._keys = ("", "")
        self._build()
        self._connect()
        self.retranslate()

    @property
    def can_send(self) -> bool:
        has_something = bool(self.files.files) or not self.is_blank
        return has_something and not (self._is_streaming or self.files.is_busy)

    def set_text(self, text: str) -> None:
        """Restore a saved draft without emitting `draft_changed`."""
        with QSignalBlocker(self):
            super().set_text(text)
        self._show_state()

    def quote(self, text: str) -> None:
        """Insert the text as a quotation at the top and move the cursor to the end."""
        quoted = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
        cursor = self.field.textCursor()
        cursor.setPosition(0)
        cursor.insertText(f"{quoted}\n\n")
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def clear(self) -> None:
        self.pastes.set_texts([])
        self.files.set_files(())
        self.field.clear()

    def set_streaming(self, is_streaming: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._is_streaming = is_streaming
        self._show_state()

    def set_temporary(self, is_temporary: bool) -> None:  # noqa: FBT001 (a Qt setter)
        if is_temporary == self._is_temporary:
            return
        self._is_temporary = is_temporary
        self.setProperty("temporary", is_temporary)
        self.style().polish(self)
        self.retranslate()

    def set_local_only(self, is_local_only: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """Show whether nothing may leave this computer."""
        if is_local_only != self._is_local_only:
            self._is_local_only = is_local_only
            self.retranslate()

    def set_begins_anew(self, begins_anew: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """Show whether the next message begins another session than the one shown."""
        if begins_anew != self._begins_anew:
            self._begins_anew = begins_anew
            self.retranslate()

    def set_context(self, tokens: int, limit: int | None) -> None:
        self._tokens = (tokens, limit)
        self._show_context()

    def set_hints(self, send: QKeySequence, stop: QKeySequence) -> None:
        form = QKeySequence.SequenceFormat.NativeText
        self._keys = (send.toString(form), stop.toString(form))
        self._show_state()

    def send(self) -> None:
        """Send the text; keep it while an answer streams or if it is empty."""
        if self.can_send:
            self.sent.emit(self.text.strip() or self._asks_about_files())

    def retranslate(self) -> None:
        asks = self.tr("Ask anything…")
        if self._is_temporary:
            asks = self.tr("Ask anything. This session won’t be saved…")
        elif self._begins_anew:
            asks = self.tr("Ask anything. This starts a new session…")
        elif self._is_local_only:
            asks = self.tr("Ask anything. Nothing leaves this computer…")
        self.field.ask(asks)
        self.field.setAccessibleName(self.tr("Message"))
        self._show_state()
        self._show_context()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            buttons = (self.model, self.add, self.meter, self.button)
            visible_buttons = [button for button in buttons if not button.isHidden()]
            taken = sum(button.sizeHint().width() + Space.MEDIUM for button in visible_buttons)
            self.tiers.fit(self.contentsRect().width() - Space.LARGE - Space.MEDIUM - taken)
        return done

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show_type()
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.field.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "composer")
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusProxy(self.field)
        below = row(self.choices, self.meter, STRETCH, self.button, spacing=Space.MEDIUM)
        margin = (Space.LARGE, Space.MEDIUM, Space.MEDIUM, Space.MEDIUM)
        self.setLayout(column(self.files, self.pastes, self.field, below, margin=margin))
        set_tab_order(self.field, *self.tiers.stops, self.model, self.add, self.meter, self.button)
        self._show_type()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._show_type)
        self.field.sent.connect(self.send)
        self.field.left.connect(self._leave)
        self.changed.connect(self._show_state)
        self.changed.connect(self._show_context)
        self.changed.connect(self.draft_changed)
        self.files.changed.connect(self._files_changed)
        self.files.removed.connect(self.field.setFocus)
        self.field.files_given.connect(self.files_given)
        DropTarget(self, dropped_text).dropped.connect(self.field.take)
        DropTarget(self).dropped.connect(self.files_given)
        self.button.clicked.connect(self._press)

    def _asks_about_files(self) -> str:
        if any(not file.is_picture for file in self.files.files):
            return self.tr("What is in this document?")
        return self.tr("What is in this picture?")

    def _files_changed(self) -> None:
        set_tab_order(self.field, *self.files.buttons())
        self._show_state()
        self.draft_changed.emit()

    def _press(self) -> None:
        if self._is_streaming:
            self.stop_requested.emit()
        else:
            self.send()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

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
        set_tip(self.button, f"{label} ({keys})" if keys else label, described=keys)
        self.button.setEnabled(self._is_streaming or self.can_send)
        kind = "stop" if self._is_streaming else "primary"
        if self.button.property("kind") != kind:
            self.button.setProperty("kind", kind)
            self.button.style().polish(self.button)
        self.state_changed.emit()

    def _show_context(self) -> None:
        tokens, limit = self._tokens
        written = len(self.text) // _LETTERS_PER_TOKEN
        tokens += written if written >= _COUNTED_TOKENS else 0
        self.meter.setVisible(tokens > 0)
        form = (
            self.tr("{tokens} tokens") if limit is None else self.tr("Context: {tokens} / {limit}")
        )
        self.meter.setText(form.format(tokens=token_count(tokens), limit=token_count(limit or 0)))
        self.meter.setToolTip(tip(self.tr("Share of the context window in use")))
