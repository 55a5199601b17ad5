"""The dialog that shares a project, or takes part in one with its code."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from desktop.domain.errors import AppError
from desktop.domain.projects import Project
from desktop.ui.devices.sharing_runner import SharingRunner
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.i18n import core_texts
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.layouts import (
    STRETCH,
    column,
    growing,
    row,
    scrolling,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import HintLabel, Label, ProblemLabel, TitleLabel

_CHARACTERS = 72


class SharingDialog(QDialog):
    def __init__(
        self, runner: SharingRunner, projects: Sequence[Project] | None, parent: QWidget
    ) -> None:
        """`projects`: those that can be shared; None to join one with a code."""
        super().__init__(parent)
        self._runner, self._projects = runner, projects
        self.code, self.place, self.member = QLineEdit(), QLineEdit(), QLineEdit()
        self.problem = ProblemLabel()
        self.problem.follow(self.code, self.place, self.member)
        title = self.tr("Join a project") if projects is None else self.tr("Share a project")
        self.setWindowTitle(title)
        fields = [*self._subject(), *self._place_rows(), *self._name_rows(), self.problem]
        self.setLayout(
            column(
                TitleLabel(title),
                growing(scrolling(column(*fields, STRETCH, spacing=Space.TIGHT))),
                row(STRETCH, *self._buttons()),
                spacing=Space.MEDIUM,
                margin=Space.WIDE,
            )
        )
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        runner.changed.connect(self._show)
        self._show()
        first = self.code if projects is None else self.projects
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _subject(self) -> list[QWidget]:
        if self._projects is None:
            name = self.tr("The code, as it was read to you")
            self.code.setAccessibleName(name)
            self.code.setPlaceholderText("0000-0000-0000-0000-0000-0000-0000")
            return [Label(name), self.code]
        self.projects = EnumComboBox(
            [project.id for project in self._projects],
            names=[project.name for project in self._projects],
        )
        name = self.tr("Project")
        self.projects.setAccessibleName(name)
        return [Label(name), self.projects]

    def _place_rows(self) -> list[QWidget]:
        name = self.tr("Folder or server of the group")
        self.place.setAccessibleName(name)
        choose = Button(text=self.tr("C&hoose…"), press=self._ask_for_folder)
        hint = self.tr(
            "A folder that all members see, of Syncthing, Dropbox or a network share, or an "
            "address such as postgresql://name@server/database. What is there is encrypted."
        )
        return [Label(name), widget_with(row(growing(self.place), choose)), HintLabel(hint)]

    def _name_rows(self) -> list[QWidget]:
        name = self.tr("Your name, as the other members see it")
        self.member.setAccessibleName(name)
        return [Label(name), self.member]

    def _buttons(self) -> list[Button]:
        words = self.tr("&Join") if self._projects is None else self.tr("&Share")
        self._begin = Button("primary", text=words, press=self._start)
        return [Button(text=self.tr("&Cancel"), press=self.reject), self._begin]

    def _ask_for_folder(self) -> None:
        dialog = FolderDialog(self.tr("Folder that all members see"), self)
        dialog.ask_for_file(lambda folder: self.place.setText(str(folder)))

    def _start(self) -> None:
        code, place, member = (
            field.text().strip() for field in (self.code, self.place, self.member)
        )
        if not place or not member:
            self.problem.set_text(self.tr("Enter the folder or address, and your name."))
            return
        self._is_mine = True
        if self._projects is None:
            self._runner.join(code, place, member, self._show_problem)
        else:
            project = self._projects[self.projects.currentIndex()]
            self._runner.share(project, place, member, self._show_problem)

    _is_mine = False
    """Whether what runs was begun here."""

    def _show(self) -> None:
        """Close when what was begun here has succeeded."""
        self._begin.setEnabled(not self._runner.is_running)
        if self._is_mine and not self._runner.is_running:
            self._is_mine = False
            self.accept()

    def _show_problem(self, error: AppError) -> None:
        self._is_mine = False
        self.problem.set_text(core_texts().error(error))
        self._begin.setEnabled(True)
