"""What can be done with a message: the quiet row below it."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from desktop.domain.ids import FactId, MessageId
from desktop.domain.messages import MessageState, Rating, Thumb, Versions
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.entries import MessageAction, MessageEntry, MessageRequest
from desktop.ui.widgets.buttons import ToolButton
from desktop.ui.widgets.menus import PopupMenu
from desktop.ui.widgets.plain_text import Label, tip

_COPIED_MS = 1500
_WORDED = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_BARE = Qt.ToolButtonStyle.ToolButtonIconOnly
_WIDEST_FACT = 70
"""Characters of a fact in a menu."""


class Actions(QWidget):
    action_chosen = Signal(object)
    """MessageRequest"""
    edit_chosen = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._thumb: Thumb | None = None
        self._versions: list[MessageId] = []
        self._place = 0
        self._is_busy = False
        self._is_past = False
        self._remembers = True
        self._entry: MessageEntry | None = None
        self._worded: dict[QToolButton, int] = {}
        """How much wider their words make them; what has no glyph of its own keeps its words."""
        self._build()
        self._connect()

    def _build(self) -> None:
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._copy = self._button(Glyph.COPY, self.tr("Copy"), shows_words=True)
        self._rewrite = self._button(Glyph.REFRESH, self.tr("Rewrite"), shows_words=True)
        self._edit = self._button(Glyph.PENCIL, self.tr("Edit"), shows_words=True)
        self._split = self._button(Glyph.DIVIDE, self.tr("Split here"), shows_words=True)
        self._remember = self._button(Glyph.BOOKMARK, self.tr("Remember"), shows_words=True)
        self._trace = self._button(Glyph.PANEL, self.tr("Trace: how this answer was made"))
        self._told = {
            **dict.fromkeys((self._copy, self._rewrite, self._edit), ""),
            self._split: self.tr("Start a separate session with this question"),
            self._remember: self.tr("Remember this in future sessions"),
        }
        self._up = self._button(Glyph.THUMB_UP, self.tr("Good answer"))
        self._down = self._button(Glyph.THUMB_DOWN, self.tr("Poor answer"))
        self._older = self._button(Glyph.CHEVRON_LEFT, self.tr("Previous version"))
        self._place_of = Label(parent=self)
        self._place_of.setProperty("role", "small")
        self._place_of.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._row.addWidget(self._place_of)
        self._newer = self._button(Glyph.CHEVRON_RIGHT, self.tr("Next version"))
        self._memory = self._button(Glyph.CHEVRON_DOWN, "", shows_words=True)
        self._memory.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._words = QLineEdit(self)
        self._words.setPlaceholderText(self.tr("What was good or bad about it? (optional)"))
        self._words.setAccessibleName(self._words.placeholderText())
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._words.setFont(self._theme.font(self._theme.scale.small))
        self._words.hide()
        self._row.addWidget(self._words, 1)

    def _connect(self) -> None:
        self._copy.clicked.connect(self._copied)
        self._rewrite.clicked.connect(lambda: self._choose(MessageAction.REWRITE))
        self._edit.clicked.connect(self.edit_chosen)
        self._split.clicked.connect(lambda: self._choose(MessageAction.SPLIT))
        self._remember.clicked.connect(lambda: self._choose(MessageAction.REMEMBER))
        self._trace.clicked.connect(lambda: self._choose(MessageAction.SHOW_TRACE))
        self._memory.clicked.connect(self._list_memory)
        self._up.clicked.connect(lambda: self._rate(Thumb.UP))
        self._down.clicked.connect(lambda: self._rate(Thumb.DOWN))
        self._older.clicked.connect(lambda: self._leaf(-1))
        self._newer.clicked.connect(lambda: self._leaf(1))
        self._words.returnPressed.connect(self._say)

    def show_entry(self, entry: MessageEntry) -> None:
        is_answer, has_words = not entry.is_user, bool(entry.text.strip())
        self._entry = entry
        self._offer_to_ask_again()
        # Of an answer that failed before its first word there is nothing to copy, or to like.
        self._copy.setVisible(has_words)
        self._trace.setVisible(is_answer and has_words)
        self._up.setVisible(is_answer and has_words)
        self._down.setVisible(is_answer and has_words)
        self._offer_to_remember()
        self._show_memory()
        alignment = Qt.AlignmentFlag.AlignLeft if is_answer else Qt.AlignmentFlag.AlignRight
        self._row.setAlignment(alignment)
        self.show_rating(entry.facts.rating)
        self._show_versions(entry.message.id, entry.facts.versions)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """While an answer is on its way, nothing else can take its place."""
        self._is_busy = is_busy
        self._allow()

    def set_past(self, is_past: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """In a past session nothing is asked again: it has to be continued first."""
        self._is_past = is_past
        self._offer_to_ask_again()
        self._allow()

    def set_remembers(self, remembers: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """Whether a message can be remembered here."""
        self._remembers = remembers
        self._offer_to_remember()

    def menu_of_memory(self) -> QMenu:
        """The facts that went with the request; each leads to where it is kept."""
        menu = PopupMenu(self)
        for fact in self._entry.facts.remembered if self._entry else ():
            words = self.fontMetrics().elidedText(
                fact.content, Qt.TextElideMode.ElideRight, _WIDEST_FACT * self._digit
            )
            choose = partial(self._show_fact, fact.id)
            menu.addAction(words.replace("&", "&&"), choose)
        menu.addSeparator()
        menu.addAction(self.tr("Open memory…"), lambda: self._show_fact(None))
        return menu

    def tab_stops(self) -> list[QWidget]:
        stops: list[QWidget] = [self._copy, self._rewrite, self._edit, self._split]
        stops += [self._remember, self._trace, self._up, self._down]
        stops += [self._older, self._newer, self._memory, self._words]
        return [stop for stop in stops if not stop.isHidden() and stop.isEnabled()]

    def _button(self, glyph: Glyph, words: str, *, shows_words: bool = False) -> QToolButton:
        made = ToolButton(self)
        made.setIcon(self._theme.icon(glyph))
        made.setIconSize(self._theme.icon_size)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setAccessibleName(words)
        made.setFont(self._theme.font(self._theme.scale.small))
        if shows_words:
            made.setText(words)
            made.ensurePolished()
            bare = made.sizeHint().width()
            made.setToolButtonStyle(_WORDED)
            if words:
                self._worded[made] = made.sizeHint().width() - bare
        else:
            made.setToolTip(tip(words))
        self._row.addWidget(made)
        return made

    def _copied(self) -> None:
        self._copy.setIcon(self._theme.icon(Glyph.CHECK, self._theme.tokens.accent))
        QTimer.singleShot(_COPIED_MS, self._copy, self._restore_copy)
        self._choose(MessageAction.COPY)

    def _restore_copy(self) -> None:
        self._copy.setIcon(self._theme.icon(Glyph.COPY))

    def show_rating(self, rating: Rating | None) -> None:
        self._thumb = rating.thumb if rating else None
        accent = self._theme.tokens.accent
        up, down = self._thumb is Thumb.UP, self._thumb is Thumb.DOWN
        self._up.setIcon(
            self._theme.icon(Glyph.THUMB_UP_FULL, accent)
            if up
            else self._theme.icon(Glyph.THUMB_UP)
        )
        self._down.setIcon(
            self._theme.icon(Glyph.THUMB_DOWN_FULL, accent)
            if down
            else self._theme.icon(Glyph.THUMB_DOWN)
        )
        if rating and not self._words.hasFocus():
            self._words.setText(rating.words)

    def _show_versions(self, message: MessageId, versions: Versions | None) -> None:
        self._versions = list(versions.ids) if versions else []
        count = len(self._versions)
        for part in (self._older, self._place_of, self._newer):
            part.setVisible(count > 1)
        if message not in self._versions:
            return
        self._place = self._versions.index(message)
        slots = {"place": self._place + 1, "count": count}
        self._place_of.setText(self.tr("{place}/{count}").format(**slots))
        self._place_of.setAccessibleName(self.tr("Version {place} of {count}").format(**slots))
        self._allow()

    def _offer_to_ask_again(self) -> None:
        if (entry := self._entry) is None:
            return
        # What is not whole has its own Retry beside the words that say so.
        is_whole = entry.message.state is MessageState.COMPLETE
        self._rewrite.setVisible(not self._is_past and not entry.is_user and is_whole)
        self._edit.setVisible(not self._is_past and entry.is_user)
        self._split.setVisible(self._is_past and entry.is_user and entry.message.number > 1)

    def _offer_to_remember(self) -> None:
        has_words = self._entry is not None and bool(self._entry.text.strip())
        self._remember.setVisible(self._remembers and has_words)

    def _show_memory(self) -> None:
        facts = self._entry.facts.remembered if self._entry else ()
        self._memory.setVisible(bool(facts))
        self._memory.setText(self.tr("%n fact(s) from memory", "", len(facts)))
        self._memory.setAccessibleName(
            self.tr("%n fact(s) from memory were sent with the question", "", len(facts))
        )

    def _list_memory(self) -> None:
        menu = self.menu_of_memory()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._memory.mapToGlobal(self._memory.rect().bottomLeft()))

    @property
    def _digit(self) -> int:
        return self.fontMetrics().averageCharWidth()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit_words()
        return done

    def _fit_words(self) -> None:
        """Words beside the icons where there is room for all of them, and else for none."""
        shown = [button for button in self._worded if not button.isHidden()]
        bare = [button for button in shown if button.toolButtonStyle() is _BARE]
        wanted = self._row.minimumSize().width() + sum(self._worded[button] for button in bare)
        style = _BARE if wanted > self.width() else _WORDED
        for button in shown:
            if button.toolButtonStyle() is not style:
                button.setToolButtonStyle(style)
        for button, told in self._told.items():
            button.setToolTip(tip(told or (button.text() if style is _BARE else "")))

    def hideEvent(self, event: QHideEvent) -> None:
        # A button that is hidden under the pointer is not told that it was left.
        for button in self.findChildren(QToolButton):
            button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        super().hideEvent(event)

    def _allow(self) -> None:
        is_free = not self._is_busy and not self._is_past
        self._rewrite.setEnabled(is_free)
        self._older.setEnabled(is_free and self._place > 0)
        self._newer.setEnabled(is_free and self._place < len(self._versions) - 1)

    def _rate(self, thumb: Thumb) -> None:
        chosen = None if self._thumb is thumb else thumb
        self.show_rating(None)
        self._thumb = chosen
        self._choose(MessageAction.RATE, thumb=chosen)
        self._words.clear()
        self._words.setVisible(chosen is not None)
        if chosen is not None:
            self._words.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self) -> None:
        if self._thumb is not None:
            words = self._words.text().strip()
            self._choose(MessageAction.RATE, words, self._thumb)
        self._words.hide()

    def _leaf(self, step: int) -> None:
        version = self._versions[self._place + step]
        self.action_chosen.emit(MessageRequest(MessageAction.SHOW_VERSION, version))

    def _show_fact(self, fact: FactId | None) -> None:
        self.action_chosen.emit(MessageRequest(MessageAction.SHOW_MEMORY, fact=fact))

    def _choose(self, action: MessageAction, text: str = "", thumb: Thumb | None = None) -> None:
        if self._entry is not None:
            message = self._entry.message.id
            self.action_chosen.emit(MessageRequest(action, message, text, thumb))
