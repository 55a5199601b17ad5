"""What is around the transcript: rail, header, bar of a past session, page of a new one.

The rail at the left edge leads to the conversation and to the pages of the window.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCursor, QFont, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QToolButton, QWidget

from desktop.domain.sessions import Session
from desktop.ui.actions import WindowActions, plain
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import View
from desktop.ui.widgets.buttons import Button, IconButton, QuestionChips, ToolButton
from desktop.ui.widgets.layouts import (
    STRETCH,
    FlowLayout,
    LayoutItem,
    column,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import ElidedLabel, Label, set_tip

_PAGES = {
    "library": Glyph.BOOKS,
    "memory": Glyph.MEMORY,
    "diary": Glyph.CALENDAR,
    "insight": Glyph.CHART,
    "prompts": Glyph.BRACES,
    "settings": Glyph.SLIDERS,
}
"""By the action that opens each; the last is at the foot."""
_WITHIN = {"literature": "library"}  # Pages that another one leads to
_NATIVE = QKeySequence.SequenceFormat.NativeText
_BETWEEN = " · "  # the parts of a session’s details
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class Rail(QFrame):
    conversation_wanted = Signal()

    def __init__(self, theme: ThemeController, actions: WindowActions) -> None:
        super().__init__()
        self._actions = actions
        self._conversation = IconButton(theme, Glyph.CHAT, self)
        self._pages = {act: IconButton(theme, glyph, self) for act, glyph in _PAGES.items()}
        self._buttons = (self._conversation, *self._pages.values())
        self.setProperty("role", "rail")
        for button in self._buttons:
            button.setCheckable(True)
        self._conversation.clicked.connect(self.conversation_wanted)
        for act, button in self._pages.items():
            button.clicked.connect(lambda _, act=act: actions.trigger(act))
        margin = (Space.TIGHT, Space.SMALL, Space.TIGHT, Space.SMALL)
        pages = column(*self._buttons[:-1], STRETCH, self._buttons[-1], spacing=Space.TIGHT)
        pages.setContentsMargins(*margin)
        self.setLayout(pages)
        self.show_current(None)

    def show_current(self, view: QWidget | None) -> None:
        """Check the button of the page that is shown; None: the conversation."""
        self._conversation.setChecked(view is None)
        shown = _WITHIN.get(view.act, view.act) if isinstance(view, View) else ""
        for act, button in self._pages.items():
            button.setChecked(act == shown)

    def refresh(self) -> None:
        """Offer what is possible now, with its keys."""
        self._conversation.set_name(self.tr("Conversation"))
        for act, button in self._pages.items():
            action = self._actions[act]
            button.setEnabled(action.isEnabled())
            button.set_name(plain(action.text()), self._actions.keys(act).toString(_NATIVE))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between the buttons with the arrow keys."""
        step = _STEPS.get(Qt.Key(event.key()))
        buttons = [button for button in self._buttons if button.isEnabled()]
        focused = [place for place, button in enumerate(buttons) if button.hasFocus()]
        if step and focused:
            place = (focused[0] + step) % len(buttons)
            buttons[place].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)


class Header(TranslatedWidget, QFrame):
    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._session: Session | None = None
        self._title = ElidedLabel(self, role="heading")
        self._badge = Label(parent=self, role="badge")
        self._detail = ElidedLabel(self, role="small", between=_BETWEEN)
        self.buttons = {
            glyph: ToolButton(self)
            for glyph in (
                Glyph.SIDEBAR,
                Glyph.SEARCH,
                Glyph.INFO,
                Glyph.STAR,
                Glyph.DOWNLOAD,
                Glyph.MORE,
            )
        }
        self.setProperty("role", "bar")
        for button in self.buttons.values():
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        # The details use the room that the title leaves, which may be none.
        self._detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        sidebar, *others = self.buttons.values()
        whole = row(
            sidebar,
            self._title,
            LayoutItem(self._badge, side=Qt.AlignmentFlag.AlignVCenter),
            growing(self._detail),
            *others,
            spacing=Space.MEDIUM,
            margin=(Space.WIDE, Space.SMALL, Space.LARGE, Space.SMALL),
        )
        self.setLayout(whole)
        self.buttons[Glyph.SIDEBAR].hide()
        self.buttons[Glyph.INFO].hide()
        self._colour()
        theme.theme_changed.connect(self._colour)
        self.retranslate()

    def show_session(self, session: Session | None) -> None:
        self._session = session
        self.retranslate()
        self._colour()

    def set_more_menu(self, menu: QMenu) -> None:
        more = self.buttons[Glyph.MORE]
        more.setMenu(menu)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu.aboutToHide.connect(self._forget_pointer)

    def _forget_pointer(self) -> None:
        """Reset the hover state: behind its menu the button got no leave event."""
        more = self.buttons[Glyph.MORE]
        is_over = more.rect().contains(more.mapFromGlobal(QCursor.pos()))
        more.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_over)
        more.update()

    def retranslate(self) -> None:
        session = self._session
        is_temporary = session is not None and session.is_temporary
        title = (session.title or session.opening) if session else ""
        self._title.set_text(title or self.tr("New session"))
        self._badge.setText(self.tr("Temporary, not saved"))
        self._badge.setVisible(is_temporary)
        parts = []
        if session is not None and session.messages:
            parts.append(self.tr("%n message(s)", "", session.messages))
        if session is not None and not is_temporary:
            parts.append(self.tr("saved {time}").format(time=day_and_time(session.updated_at)))
        self._detail.set_text(_BETWEEN.join(parts))
        for glyph, name in (
            (Glyph.SIDEBAR, self.tr("Show sessions")),
            (Glyph.SEARCH, self.tr("Find in this session")),
            (Glyph.INFO, self.tr("About this session")),
            (Glyph.STAR, self.tr("Unpin session") if self._is_pinned else self.tr("Pin session")),
            (Glyph.DOWNLOAD, self.tr("Export…")),
            (Glyph.MORE, self.tr("More")),
        ):
            set_tip(self.buttons[glyph], name)
            self.buttons[glyph].setAccessibleName(name)
        self.buttons[Glyph.SEARCH].setEnabled(session is not None)
        for glyph in (Glyph.STAR, Glyph.DOWNLOAD):
            self.buttons[glyph].setEnabled(session is not None and not is_temporary)

    @property
    def _is_pinned(self) -> bool:
        return self._session is not None and self._session.is_pinned

    def _colour(self) -> None:
        for glyph, button in self.buttons.items():
            is_pin = glyph is Glyph.STAR and self._is_pinned
            shown = Glyph.STAR_FULL if is_pin else glyph
            button.setIcon(self._theme.icon(shown, self._theme.tokens.accent if is_pin else None))
            button.setIconSize(self._theme.icon_size)


class ContinueBar(TranslatedWidget, QFrame):
    def __init__(self) -> None:
        super().__init__()
        self._words = Label(parent=self, role="muted")
        self.back = Button("", self)
        self.continue_button = Button("primary", self)
        self._has_active = False
        self.setProperty("role", "composer")
        self.setFocusProxy(self.continue_button)
        line = FlowLayout(fills=True)
        line.addWidget(self._words)
        line.addWidget(widget_with(row(STRETCH, self.back, self.continue_button)))
        margin = (Space.LARGE, Space.MEDIUM, Space.MEDIUM, Space.MEDIUM)
        self.setLayout(column(widget_with(line), margin=margin))
        for button in (self.back, self.continue_button):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.retranslate()

    def show_has_active(self, has_active: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._has_active = has_active
        self.retranslate()

    def retranslate(self) -> None:
        self._words.setText(self.tr("You are reading a past session."))
        self.continue_button.setText(self.tr("Continue this session"))
        active, new = self.tr("Go to the active session"), self.tr("New session")
        self.back.setText(active if self._has_active else new)


_TITLE_SCALE = 1.6
_SHARE = 0.75  # Of the column of text


class EmptyPage(TranslatedWidget, QWidget):
    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._title = Label(parent=self)
        self._words = Label(parent=self, role="muted")
        self.examples = Button("", self)
        self.models = Button("", self)
        self.questions = QuestionChips(self, side=Qt.AlignmentFlag.AlignHCenter)
        self._is_archive_empty = False
        self._has_model = True
        self._is_temporary = False
        self._words.setWordWrap(True)
        self._title.setWordWrap(True)
        for label in (self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for button in (self.models, self.examples):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        side = Qt.AlignmentFlag.AlignHCenter
        self._column = column(
            LayoutItem(None, 2),
            self._title,
            self._words,
            LayoutItem(self.models, side=side),
            LayoutItem(self.examples, side=side),
            self.questions,
            LayoutItem(None, 3),
            spacing=Space.MEDIUM,
        )
        self._column.insertSpacing(3, Space.SMALL)
        self.setLayout(self._column)
        self._show_type()
        theme.theme_changed.connect(self._show_type)
        self.retranslate()

    def show_archive_empty(self, is_empty: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._is_archive_empty = is_empty
        self.retranslate()

    def show_has_model(self, has_model: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._has_model = has_model
        self.retranslate()

    def show_temporary(self, is_temporary: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._is_temporary = is_temporary
        self.retranslate()

    def show_questions(self, questions: Sequence[str]) -> None:
        self.questions.show_questions(questions)
        self.retranslate()

    def retranslate(self) -> None:
        asks = self.tr("What would you like to find out?")
        self._title.setText(self.tr("Temporary session") if self._is_temporary else asks)
        self._words.setText(self._explanation())
        self.examples.setText(self.tr("Add the sample sessions"))
        self.examples.setVisible(self._is_archive_empty and not self._is_temporary)
        self.questions.setVisible(bool(self.questions.chips) and not self._is_temporary)
        self.questions.setAccessibleName(self.tr("Suggested questions"))
        self.models.setText(self.tr("Connect a model…"))
        self.models.setHidden(self._has_model)
        self._fit_questions()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _explanation(self) -> str:
        if self._is_temporary:
            return self.tr(
                "Nothing is written to disk and memory is not used. The session is lost when "
                "it ends."
            )
        if self._has_model:
            return self.tr(
                "Ask a question to start. Your session is saved as you go, and you can search "
                "it later."
            )
        return self.tr(
            "No model is connected. Bellek answers with passages from your past sessions "
            "and documents, and nothing leaves this computer."
        )

    def _show_type(self) -> None:
        scale = self._theme.scale
        self._title.setFont(
            self._theme.font(scale.interface * _TITLE_SCALE, weight=QFont.Weight.DemiBold)
        )
        self._words.setFont(self._theme.font(scale.body))
        self._place()

    def _place(self) -> None:
        side = max((self.width() - round(self._theme.column_width * _SHARE)) // 2, Space.WIDE)
        self._column.setContentsMargins(side, Space.WIDE, side, Space.WIDE)
        self._fit_questions()

    def _fit_questions(self) -> None:
        """Show as many questions as there is room for."""
        self.questions.updateGeometry()  # What was shown or hidden changes its height
        taken = self._column.minimumHeightForWidth(self.width())
        room = (
            (self.parentWidget() or self).height()
            - taken
            + self.questions.minimumSizeHint().height()
        )
        for chip in self.questions.chips:
            room -= chip.sizeHint().height()
            if chip.isHidden() is not (room < 0):
                chip.setVisible(room >= 0)
            room -= Space.SMALL
