"""The shared projects on the page of the devices, and the dialog that shares or joins one."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QProgressBar, QWidget

from desktop.domain.errors import AppError
from desktop.domain.projects import Project
from desktop.domain.sharing import MemberShare, MemberState, SharingReport
from desktop.sessions.sharing.code_picture import code_picture
from desktop.sessions.sharing.membership import describe_member
from desktop.ui.devices.sharing_runner import ListedProject, SharingRunner
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import core_texts
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.layouts import (
    STRETCH,
    at_left,
    clear_layout,
    column,
    flowing,
    growing,
    row,
    scrolling,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    ElidedLabel,
    HintLabel,
    Label,
    MessageBox,
    ProblemLabel,
    SectionLabel,
    TitleLabel,
)

_CHARACTERS = 72
_MODULES_OF_A_LINE = 4  # Of a QR code, in the height of a line of text


class SharingPart(QWidget):
    """Sets its texts once: the page makes it again in another language."""

    def __init__(self, runner: SharingRunner) -> None:
        super().__init__()
        self._runner = runner
        self._shown: object = None  # What the cards were made of
        about = self.tr(
            "A project can be shared with a group: the sessions that you publish, its documents, "
            "references and notes. Your memory, drafts, preferences, diary and the other sessions "
            "are never sent."
        )
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress of sharing"))
        self.problem = ProblemLabel()
        self._cards = column(spacing=Space.MEDIUM)
        self._share = Button(text=self.tr("S&hare a project…"), press=self._ask_to_share)
        self._join = Button(text=self.tr("&Join a project…"), press=self._ask_to_join)
        self.setLayout(
            column(
                SectionLabel(self.tr("Shared projects")),
                BodyLabel(about),
                widget_with(flowing(self._share, self._join)),
                self._bar,
                self.problem,
                self._cards,
                spacing=Space.MEDIUM,
            )
        )
        runner.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        runner = self._runner
        self._bar.setVisible(runner.is_running)
        self.problem.set_text(core_texts().error(runner.error) if runner.error else "")
        self._share.setEnabled(bool(runner.listing.others) and not runner.is_running)
        self._join.setEnabled(not runner.is_running)
        shown = (repr(runner.listing), repr(runner.codes), repr(runner.reports))
        if self._shown != shown:
            self._shown = shown
            clear_layout(self._cards)
            for listed in runner.listing.shared:
                card = SharedProjectCard(
                    listed,
                    runner.codes.get(listed.project.id, ""),
                    runner.reports.get(listed.project.id),
                )
                self._connect(card, listed)
                self._cards.addWidget(card)
        for card in self.findChildren(SharedProjectCard):
            card.setEnabled(not runner.is_running)

    def _connect(self, card: "SharedProjectCard", listed: ListedProject) -> None:
        project, runner = listed.project, self._runner
        card.update_wanted.connect(lambda: runner.update(project))
        card.code_wanted.connect(lambda: runner.show_code(project))
        card.removal_wanted.connect(lambda member: self._ask_to_remove(project, member))
        card.leave_wanted.connect(lambda: self._ask_to_leave(project))

    def _ask_to_share(self) -> None:
        open_dialog(SharingDialog(self._runner, self._runner.listing.others, self.window()))

    def _ask_to_join(self) -> None:
        open_dialog(SharingDialog(self._runner, None, self.window()))

    def _ask_to_remove(self, project: Project, member: MemberShare) -> None:
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("Remove {name} from the project?").format(name=member.name),
            self.tr(
                "What {name} has stays there. What is shared from now on has a new key, which the "
                "others get with their next update; there is a new code, too."
            ).format(name=member.name),
            self.window(),
        )
        remove = (self.tr("Remove"), partial(self._runner.remove, project, member))
        box.offer(remove, stay=self.tr("Cancel"))

    def _ask_to_leave(self, project: Project) -> None:
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("Leave the shared project “{name}”?").format(name=project.name),
            self.tr(
                "What is here stays here. The others keep what came from you, unless you take it "
                "back: then it is removed there."
            ),
            self.window(),
        )
        leave = partial(self._runner.leave, project)
        choices = [
            (self.tr("Leave"), leave),
            (self.tr("Leave and take back"), partial(leave, takes_back=True)),
        ]
        if self._runner.error is not None:
            at_once = partial(leave, is_forced=True)
            choices.append((self.tr("Leave without the others"), at_once))
        box.offer(*choices, stay=self.tr("Cancel"))


class CodePicture(Label):
    """The code of a project as a QR code, dark on light in every theme, as cameras want it."""

    def __init__(self, code: str) -> None:
        super().__init__()
        rows = code_picture(code)
        image = QImage(len(rows), len(rows), QImage.Format.Format_Grayscale8)
        image.fill(Qt.GlobalColor.white)
        for y, modules in enumerate(rows):
            for x in (x for x, is_dark in enumerate(modules) if is_dark):
                image.setPixelColor(x, y, QColor(Qt.GlobalColor.black))
        side = len(rows) * max(2, self.fontMetrics().height() // _MODULES_OF_A_LINE)
        self.setPixmap(QPixmap.fromImage(image.scaled(side, side)))
        self.setFixedSize(side, side)
        self.setAccessibleName(self.tr("The code as a picture, to be scanned"))


class SharedProjectCard(QFrame):
    update_wanted = Signal()
    code_wanted = Signal()
    leave_wanted = Signal()
    removal_wanted = Signal(object)  # MemberShare

    def __init__(self, listed: ListedProject, code: str, report: SharingReport | None) -> None:
        super().__init__()
        name = listed.project.name
        self.setProperty("role", "card")
        self.setAccessibleName(name)
        self._is_founder = listed.shared.is_founder
        place = ElidedLabel(role="small", mode=Qt.TextElideMode.ElideMiddle)
        place.set_text(listed.shared.place)
        update, show_code = self.tr("Update now"), self.tr("Show the code")
        buttons = flowing(
            Button(text=update, name=f"{update}: {name}", press=self.update_wanted.emit),
            Button(text=show_code, name=f"{show_code}: {name}", press=self.code_wanted.emit),
            DangerButton(text=self.tr("Leave…"), press=self.leave_wanted.emit),
        )
        members = map(self._member, listed.members)
        head = column(BodyLabel(name, role="heading"), place, spacing=0)
        self.setLayout(
            column(
                head,
                *self._outcome(report),
                *self._code(code),
                *members,
                widget_with(buttons),
                spacing=Space.MEDIUM,
                margin=Space.LARGE,
            )
        )

    def _code(self, code: str) -> list[QWidget]:
        if not code:
            return []
        label = BodyLabel(code)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        label.setAccessibleName(self.tr("Code of the project: {code}").format(code=code))
        hint = self.tr(
            "Read it to those who are to join, or let them scan the picture, over a way that you "
            "trust: whoever has it and reaches the folder or server can take part."
        )
        words = widget_with(column(label, HintLabel(hint), STRETCH, spacing=0))
        return [widget_with(row(CodePicture(code), growing(words)))]

    def _outcome(self, report: SharingReport | None) -> list[QWidget]:
        if report is None:
            return []
        texts = core_texts()
        counts = {"received": report.received, "removed": report.removed, "sent": report.sent}
        lines = [texts.say("sharing.done", **counts)]
        lines += [
            texts.say(f"sharing.{problem}", names=", ".join(names))
            for problem, names in report.problems.items()
        ]
        if report.code:
            lines.append(texts.say("sharing.new_code", code=report.code))
        return [HintLabel("\n".join(lines))]

    def _member(self, member: MemberShare) -> QWidget:
        parts = describe_member(member, core_texts())
        is_active = member.state is MemberState.ACTIVE
        if is_active and member.seen_at:
            parts.append(self.tr("last seen {time}").format(time=day_and_time(member.seen_at)))
        label = widget_with(
            column(BodyLabel(member.name), HintLabel(" · ".join(parts)), spacing=0)
        )
        if not self._is_founder or member.is_self or not is_active:
            return label
        text = self.tr("Remove…")
        remove = Button(
            text=text,
            name=f"{text} {member.name}",
            press=lambda: self.removal_wanted.emit(member),
        )
        return widget_with(column(label, at_left(remove), spacing=Space.TIGHT))


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
