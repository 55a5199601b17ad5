"""The page of a new session, before its first message."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, QuestionChips
from desktop.ui.widgets.layouts import LayoutItem, column
from desktop.ui.widgets.plain_text import Label

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
        room = self.height() - taken + self.questions.minimumSizeHint().height()
        for chip in self.questions.chips:
            room -= chip.sizeHint().height()
            if chip.isHidden() is not (room < 0):
                chip.setVisible(room >= 0)
            room -= Space.SMALL
