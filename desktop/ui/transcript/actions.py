"""The actions of a message: the quiet row below it, its context menu, and what they copy."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolButton, QWidget

from desktop.domain.ids import MessageId
from desktop.domain.messages import BUILTIN, MessageState, Thumb
from desktop.language.links import harmless_markdown
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.transcript.blocks import TableBlock
from desktop.ui.transcript.entries import (
    Entry,
    MessageAction,
    MessageEntry,
    MessageRequest,
    ReadingState,
)
from desktop.ui.transcript.markdown import Align, Cell, InlineSpan, Style, Table
from desktop.ui.transcript.text_block import TextPane, notes_at, selected_in
from desktop.ui.widgets.buttons import Button, PopupMenu, ToolButton
from desktop.ui.widgets.layouts import row
from desktop.ui.widgets.plain_text import name_in_field, set_tip

_RULES = {Align.LEFT: "---", Align.CENTER: ":---:", Align.RIGHT: "---:"}


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def copy_markdown(text: str) -> None:
    copy_text(harmless_markdown(text))


def copy_formatted(markdown: str) -> None:
    """Copy an answer as rich text; as Markdown for programs that accept no other."""
    from desktop.sessions.exporting.web_page import as_fragment  # noqa: PLC0415 - not for the start

    _copy(harmless_markdown(markdown), as_fragment(markdown))


def copy_table(table: Table) -> None:
    """Copy a table as a table; as tab-separated lines for programs that accept only text."""
    lines = [[_plain(cell) for cell in row] for row in (table.header, *table.rows)]
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines
    )
    _copy("\n".join(map("\t".join, lines)), f"<table>{rows}</table>")


def table_as_markdown(table: Table) -> str:
    lines = [[_marked_up(cell) for cell in row] for row in (table.header, *table.rows)]
    lines.insert(1, [_RULES[align] for align in table.aligns])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(cell: Cell) -> str:
    return " ".join("".join(run.text for run in cell).split())


def _marked_up(cell: Cell) -> str:
    return "".join(map(_markdown_of, cell)).replace("|", "\\|").replace("\u2028", "<br>")


def _markdown_of(run: InlineSpan) -> str:
    if run.style & Style.CITATION:
        return f" [{run.text}]"
    text = run.text
    marks = ((Style.CODE, "`"), (Style.BOLD, "**"), (Style.ITALIC, "*"), (Style.STRIKE, "~~"))
    for style, mark in marks:
        if run.style & style and not run.tex:
            text = f"{mark}{text}{mark}"
    return f"[{text}]({run.href})" if run.href and run.href != run.text else text


def _copy(text: str, html: str) -> None:
    data = QMimeData()
    data.setText(text)
    data.setHtml(html)
    QGuiApplication.clipboard().setMimeData(data)


_COPIED_MS = 1500
_WORDED = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_BARE = Qt.ToolButtonStyle.ToolButtonIconOnly
_Act = MessageAction | Callable[[], object]


class Actions(QWidget):
    action_chosen = Signal(object)  # MessageRequest
    edit_chosen = Signal()

    def __init__(
        self, entry: MessageEntry, state: ReadingState, theme: ThemeController, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._entry, self._theme = entry, theme
        self._worded: dict[QToolButton, int] = {}
        """How much wider their texts make them; buttons without an icon keep their texts."""
        self._hints: dict[QToolButton, str] = {}
        self._row = row(spacing=0)
        self.setLayout(self._row)
        self._build()
        self.refresh(state)

    @property
    def thumb(self) -> Thumb | None:
        rating = self._entry.facts.rating
        return rating.thumb if rating else None

    def _build(self) -> None:
        side = Qt.AlignmentFlag.AlignRight if self._entry.is_user else Qt.AlignmentFlag.AlignLeft
        self._row.setAlignment(side)
        act = MessageAction
        self._copy = self._worded_button(Glyph.COPY, self.tr("Copy"), self._copied)
        self._rewrite = self._worded_button(Glyph.REFRESH, self.tr("Regenerate"), act.REWRITE)
        self._edit = self._worded_button(Glyph.PENCIL, self.tr("Edit"), self.edit_chosen.emit)
        self._split = self._worded_button(Glyph.DIVIDE, self.tr("Split here"), act.SPLIT)
        self._hints[self._split] = self.tr("Start a separate session with this question")
        self._remember = self._worded_button(Glyph.BOOKMARK, self.tr("Remember"), act.REMEMBER)
        self._hints[self._remember] = self.tr("Remember this message in later sessions")
        trace = self.tr("Trace: how this answer was made")
        self._trace = self._button(Glyph.STEPS, trace, act.SHOW_TRACE)
        good, poor = self.tr("Good answer"), self.tr("Poor answer")
        self._up = self._button(Glyph.THUMB_UP, good, partial(self._rate, Thumb.UP))
        self._down = self._button(Glyph.THUMB_DOWN, poor, partial(self._rate, Thumb.DOWN))
        older, newer = self.tr("Previous version"), self.tr("Next version")
        self._older = self._button(Glyph.CHEVRON_LEFT, older, partial(self._leaf, -1))
        self._place = Button("link", self, press=partial(self._choose, act.LIST_VERSIONS))
        self._place.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._row.addWidget(self._place)
        self._newer = self._button(Glyph.CHEVRON_RIGHT, newer, partial(self._leaf, 1))
        self._words = QLineEdit(self)
        name_in_field(self._words, self.tr("What was good or bad? (optional)"))
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._words.setFont(self._copy.font())
        self._words.hide()
        self._words.returnPressed.connect(self._explain)
        self._row.addWidget(self._words, 1)

    def _button(self, glyph: Glyph, words: str, act: _Act) -> QToolButton:
        made = ToolButton(self)
        made.setIcon(self._theme.icon(glyph))
        made.setIconSize(self._theme.icon_size)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setAccessibleName(words)
        set_tip(made, words)
        made.setFont(self._theme.font(self._theme.scale.small))
        made.clicked.connect(partial(self._choose, act) if isinstance(act, MessageAction) else act)
        self._row.addWidget(made)
        return made

    def _worded_button(self, glyph: Glyph, words: str, act: _Act) -> QToolButton:
        made = self._button(glyph, words, act)
        made.setText(words)
        made.ensurePolished()
        bare = made.sizeHint().width()
        made.setToolButtonStyle(_WORDED)
        self._worded[made] = made.sizeHint().width() - bare
        return made

    def refresh(self, state: ReadingState) -> None:
        entry = self._entry
        # An answer that failed before its first word cannot be copied or rated.
        has_words = bool(entry.text.strip())
        is_answer = not entry.is_user and has_words
        # An incomplete answer has its own Retry beside the notice.
        is_whole = entry.message.state is MessageState.COMPLETE
        is_repeatable = is_whole and not entry.is_user and entry.message.error != BUILTIN
        versions, place = self._versions()
        for part, is_offered in (
            (self._copy, has_words),
            (self._rewrite, not state.is_past and is_repeatable),
            (self._edit, not state.is_past and entry.is_user),
            (self._split, state.is_past and entry.is_user and entry.message.number > 1),
            (self._remember, state.remembers and has_words),
            (self._trace, is_answer),
            (self._up, is_answer),
            (self._down, is_answer),
            (self._older, len(versions) > 1),
            (self._place, len(versions) > 1),
            (self._newer, len(versions) > 1),
        ):
            part.setVisible(is_offered)
        self._rewrite.setEnabled(state.can_ask_again)
        self._older.setEnabled(state.can_ask_again and place > 0)
        self._place.setEnabled(state.can_ask_again)
        self._newer.setEnabled(state.can_ask_again and place < len(versions) - 1)
        slots = {"place": place + 1, "count": len(versions)}
        self._place.setText(self.tr("{place}/{count}").format(**slots))
        self._place.setAccessibleName(self.tr("Version {place} of {count}").format(**slots))
        set_tip(self._place, self.tr("Show all versions"))
        rating, accent = self._entry.facts.rating, self._theme.tokens.accent
        for thumb, button, glyph, chosen in (
            (Thumb.UP, self._up, Glyph.THUMB_UP, Glyph.THUMB_UP_FULL),
            (Thumb.DOWN, self._down, Glyph.THUMB_DOWN, Glyph.THUMB_DOWN_FULL),
        ):
            is_chosen = thumb is self.thumb
            icon = self._theme.icon(chosen, accent) if is_chosen else self._theme.icon(glyph)
            button.setIcon(icon)
        if rating and not self._words.hasFocus():
            self._words.setText(rating.words)

    def tab_stops(self) -> list[QWidget]:
        return [
            part
            for part in self.children()
            if isinstance(part, (QToolButton, QLineEdit, Button))
            and not part.isHidden()
            and part.isEnabled()
        ]

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit_words()
        return done

    def hideEvent(self, event: QHideEvent) -> None:
        # A button that is hidden under the pointer gets no leave event.
        for button in self.findChildren(QToolButton):
            button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        super().hideEvent(event)

    def _fit_words(self) -> None:
        """Show texts beside the icons if there is room for all of them, else for none."""
        shown = [button for button in self._worded if not button.isHidden()]
        bare = [button for button in shown if button.toolButtonStyle() is _BARE]
        width = self._row.minimumSize().width() + sum(self._worded[button] for button in bare)
        style = _BARE if width > self.width() else _WORDED
        for button in shown:
            if button.toolButtonStyle() is not style:
                button.setToolButtonStyle(style)
            words = button.text() if style is _BARE else ""
            hint = self._hints.get(button, "")
            set_tip(button, hint or words, described=hint)

    def _versions(self) -> tuple[list[MessageId], int]:
        versions = self._entry.facts.versions
        ids = list(versions.ids) if versions else []
        shown = self._entry.message.id
        return ids, ids.index(shown) if shown in ids else 0

    def _copied(self) -> None:
        self._copy.setIcon(self._theme.icon(Glyph.CHECK, self._theme.tokens.accent))
        restore = partial(self._copy.setIcon, self._theme.icon(Glyph.COPY))
        QTimer.singleShot(_COPIED_MS, self._copy, restore)
        self._choose(MessageAction.COPY)

    def _rate(self, thumb: Thumb) -> None:
        chosen = None if self.thumb is thumb else thumb
        self._words.clear()
        self._choose(MessageAction.RATE, thumb=chosen)
        self._words.setVisible(chosen is not None)
        if chosen is not None:
            self._words.setFocus(Qt.FocusReason.OtherFocusReason)

    def _explain(self) -> None:
        if self.thumb is not None:
            self._choose(MessageAction.RATE, self._words.text().strip(), self.thumb)
        self._words.hide()

    def _leaf(self, step: int) -> None:
        versions, place = self._versions()
        self.action_chosen.emit(MessageRequest(MessageAction.SHOW_VERSION, versions[place + step]))

    def _choose(self, action: MessageAction, text: str = "", thumb: Thumb | None = None) -> None:
        self.action_chosen.emit(MessageRequest(action, self._entry.message.id, text, thumb))


_LONGEST_SHOWN = 32
_LONGEST_SEARCHED = 200  # Characters


class TranscriptMenu(PopupMenu):
    action_chosen = Signal(object)  # MessageRequest

    def __init__(  # noqa: PLR0913 (by name)
        self,
        at: QPoint,
        entry: Entry | None,
        panes: Sequence[TextPane],
        selected: str,
        parent: QWidget,
        *,
        is_kept: bool,
        can_act: bool,
    ) -> None:
        """Create the menu for a point of the screen, and the blocks of the entry there.

        `selected`: the text selected in all messages; `is_kept`: whether the session is on disk.
        `can_act`: whether an answer can be asked for again here.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = self.addAction(self.tr("Copy"), lambda: copy_text(selected))
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setEnabled(bool(selected))
        message = entry.text if isinstance(entry, MessageEntry) else ""
        if message:
            self._offer_copies(message, [pane for pane in panes if holds(pane, at)])
        if (
            isinstance(entry, MessageEntry)
            and (message and is_kept)
            and not (entry.is_user or entry.is_streaming)
        ):
            self._offer_for_answer(entry, can_act=can_act)
        if link := next((pane.link_at(at) for pane in panes if holds(pane, at)), ""):
            self.addAction(self.tr("Copy link address"), lambda: copy_text(link))
        if message:
            every = self.addAction(self.tr("Select the whole message"), panes[0].selectAll)
            every.setShortcut(QKeySequence.StandardKey.SelectAll)
        if selected or message:
            self.addSeparator()
            this, chosen = self.tr("Quote this message"), self.tr("Quote selection")
            words = chosen if selected else this
            self._offer(words, MessageAction.QUOTE, text=selected or message)
        if isinstance(entry, MessageEntry) and is_kept and not entry.is_streaming:
            self._offer_notes(entry.message.id, panes, at)
        if searched := " ".join(selected.split())[:_LONGEST_SEARCHED]:
            is_long = len(searched) > _LONGEST_SHOWN
            shown = f"{searched[:_LONGEST_SHOWN].rstrip()}…" if is_long else searched
            words = self.tr("Search all sessions for “{words}”").format(words=shown)
            self._offer(words.replace("&", "&&"), MessageAction.SEARCH, text=searched)

    def _offer_for_answer(self, entry: MessageEntry, *, can_act: bool) -> None:
        answer = entry.message.id
        self._offer(self.tr("Export answer…"), MessageAction.EXPORT, message=answer)
        self._offer(self.tr("Print answer…"), MessageAction.PRINT, message=answer)
        self._offer(self.tr("Write into a notes folder…"), MessageAction.WRITE, message=answer)
        if can_act:
            self._offer(self.tr("Compare with…"), MessageAction.COMPARE, message=answer)
        if entry.facts.citations:
            words = self.tr("Check the claims of this answer")
            self._offer(words, MessageAction.CHECK_CLAIMS, message=answer)

    def _offer_notes(self, message: MessageId, panes: Sequence[TextPane], at: QPoint) -> None:
        words, occurrence = selected_in(panes)
        for label, action in (
            (self.tr("Highlight"), MessageAction.HIGHLIGHT),
            (self.tr("Note…"), MessageAction.NOTE),
        ):
            request = MessageRequest(action, message, words, occurrence=occurrence)
            if words:
                self.addAction(label, partial(self.action_chosen.emit, request))
        for note in notes_at(panes, at):
            request = MessageRequest(MessageAction.EDIT_NOTE, message, note=note)
            self.addAction(self.tr("Edit note…"), partial(self.action_chosen.emit, request))

    def _offer_copies(self, message: str, panes: Sequence[TextPane]) -> None:
        """`panes`: those at the pointer."""
        self.addAction(self.tr("Copy message as Markdown"), lambda: copy_markdown(message))
        self.addAction(self.tr("Copy message with formatting"), lambda: copy_formatted(message))
        for table in (pane.table for pane in panes if isinstance(pane, TableBlock)):
            markdown = table_as_markdown(table)
            self.addAction(self.tr("Copy table"), partial(copy_table, table))
            self.addAction(self.tr("Copy table as Markdown"), partial(copy_markdown, markdown))

    def open_at(self, at: QPoint) -> None:
        if any(action.isEnabled() for action in self.actions()):
            self.popup(at)

    def _offer(
        self,
        words: str,
        action: MessageAction,
        *,
        message: MessageId | None = None,
        text: str = "",
    ) -> None:
        request = MessageRequest(action, message, text)
        self.addAction(words, lambda: self.action_chosen.emit(request))


def holds(widget: QWidget, at: QPoint) -> bool:
    return widget.rect().contains(widget.mapFromGlobal(at))
