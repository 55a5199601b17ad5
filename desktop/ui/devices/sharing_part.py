"""The shared projects on the page of the devices: their members, and what one can do."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from desktop.domain.projects import Project
from desktop.domain.sharing import MemberShare, MemberState, SharingReport
from desktop.sessions.sharing.code_picture import code_picture
from desktop.sessions.sharing.membership import describe_member
from desktop.ui.devices.sharing_dialog import SharingDialog
from desktop.ui.devices.sharing_runner import ListedProject, SharingRunner
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import core_texts
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.layouts import (
    STRETCH,
    at_left,
    clear_layout,
    column,
    flowing,
    growing,
    row,
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
)

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
