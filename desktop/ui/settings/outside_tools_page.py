"""Settings, Other programs: tools from elsewhere, their servers, and what was called."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.domain.errors import AppError
from desktop.domain.outside_tools import OutsideTool, ToolConsent, ToolPin, ToolServer
from desktop.research.security import one_line
from desktop.sessions.tool_servers import ToolServers, entered_server, server_name
from desktop.settings.programs import CallOutcome, ProgramCall
from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import CodeArea
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import core_texts
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import EnumComboBox, WrappingCheckBox
from desktop.ui.widgets.layouts import (
    FlowLayout,
    at_left,
    clear_layout,
    column,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    Label,
    ProblemLabel,
    SectionLabel,
    announce,
)

_SHOWN_CALLS = 20
_COMMAND_LINES, _SECRET_LINES = 3, 2
_LONGEST_ABOUT = 300  # Characters of a description


def shown_words(server: ToolServer) -> list[str]:
    """Return the whole command, word by word, or the address, and the names of what it gets."""
    words = [server.address] if server.address else list(map(_quoted, server.command))
    variables = [f"{name}={value}" for name, value in server.variables.items()]
    return [*words, *variables, *(f"{name}=…" for name in server.secrets)]


def _quoted(word: str) -> str:
    return word if word and word.isprintable() and " " not in word else repr(word)


class OutsideToolsSection(QWidget):
    """`show_servers` follows the settings."""

    def __init__(
        self, servers: ToolServers, changes: SettingsController, bridge: TurnBridge
    ) -> None:
        super().__init__()
        self._servers, self._changes, self._bridge = servers, changes, bridge
        self._shown: tuple[ToolServer, ...] | None = None
        about = self.tr(
            "Programs and addresses that speak the Model Context Protocol lend their tools to the "
            "assistant. You see the whole command or address before it first runs. You are asked "
            "before each call, unless you allow a tool; even then where the words of a call are "
            "not yours, and in temporary sessions. What a tool returns is quoted as its server’s "
            "and never remembered."
        )
        local = self.tr(
            "A program may contact whom it likes. So where everything stays on this computer, "
            "only addresses on this computer are used."
        )
        self._problem = ProblemLabel()
        self._add = Button(text=self.tr("Add a &server…"), press=self._show_form)
        self._form = ServerForm(servers, bridge)
        self._form.hide()
        self._form.left.connect(self._taken)
        self._list, self._called = column(spacing=Space.LARGE), column()
        self._clear = DangerButton("", text=self.tr("Clear the list"), press=self._clear_calls)
        self._clear.setAccessibleName(self.tr("Clear the list of calls of tools"))
        title = SectionLabel(self.tr("Latest calls of these tools"))
        clear = at_left(self._clear)
        calls = column(title, self._called, clear, margin=(0, Space.MEDIUM, 0, 0))
        parts = (
            SectionLabel(self.tr("Tools from elsewhere")),
            BodyLabel(about, role="muted"),
            HintLabel(local),
            self._list,
            self._problem,
            at_left(self._add),
            self._form,
            calls,
        )
        self.setLayout(column(*parts, spacing=Space.MEDIUM))
        self._show_calls(())

    def load(self) -> None:
        self._show()  # A server may have been started, or changed by a command
        self._bridge.run(self._servers.calls.calls, self._show_calls)

    def show_servers(self, _settings: Settings) -> None:
        if self._servers.servers() != self._shown:
            self._show()

    def _show(self) -> None:
        """Show the servers as they are stored."""
        self._shown = self._servers.servers()
        clear_layout(self._list)
        for server in self._shown:
            known, problem = self._servers.known(server.name), self._servers.problem(server.name)
            self._list.addWidget(ServerBox(server, known, problem, self._do))

    def _do(self, work: Callable[[ToolServers], object]) -> None:
        """Change or look at something, and show what it is like then."""
        self._problem.dismiss()
        self.setEnabled(False)
        self._bridge.run(
            lambda: work(self._servers), failed=self._show_problem, settled=self._settle
        )

    def _settle(self) -> None:
        self.setEnabled(True)
        self._taken()

    def _taken(self) -> None:
        self._form.hide()
        self._add.show()
        self._show()
        self._changes.refresh()

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(core_texts().error(error))

    def _show_form(self) -> None:
        self._problem.dismiss()
        self._add.hide()
        self._form.begin()

    def _clear_calls(self) -> None:
        self._bridge.run(self._servers.calls.clear, failed=self._show_problem, settled=self.load)

    def _show_calls(self, calls: Sequence[ProgramCall]) -> None:
        clear_layout(self._called)
        for call in calls[:_SHOWN_CALLS]:
            is_done = call.outcome is CallOutcome.DONE
            outcome = self.tr("done") if is_done else self.tr("failed")
            parts = (day_and_time(call.at), call.program, call.tool, outcome)
            self._called.addWidget(HintLabel(" · ".join(parts)))
        if not calls:
            self._called.addWidget(HintLabel(self.tr("No tool from elsewhere was called yet.")))
        self._clear.setVisible(bool(calls))


class ServerBox(QWidget):
    """A server with its command, its tools, and what the user decided on them."""

    def __init__(
        self,
        server: ToolServer,
        known: Sequence[OutsideTool],
        problem: AppError | None,
        do: Callable[[Callable[[ToolServers], object]], None],
    ) -> None:
        """`known`: its tools, if it runs; `do`: does something on a worker."""
        super().__init__()
        self._server, self._do = server, do
        name = server.name
        is_on = WrappingCheckBox(name)
        is_on.setAccessibleName(self.tr("Use the tools of {server}").format(server=name))
        is_on.setChecked(server.is_on)
        is_on.clicked.connect(lambda on: do(lambda servers: servers.switch(name, is_on=on)))
        look = self.tr("Look at its tools")
        if not server.is_confirmed:
            look = self.tr("Run it and look at its tools")
        buttons = FlowLayout()
        buttons.addWidget(
            Button(
                text=look,
                name=self.tr("{action}: {server}").format(action=look, server=name),
                press=lambda: do(self._look),
            )
        )
        remove = self.tr("Remove")
        buttons.addWidget(
            DangerButton(
                "",
                text=remove,
                name=self.tr("{action}: {server}").format(action=remove, server=name),
                press=lambda: do(lambda servers: servers.remove(name)),
            )
        )
        parts: list[QWidget] = [HintLabel("\n".join(shown_words(server)))]
        if not server.is_confirmed:
            words = self.tr("It is not run before you have looked at the command above.")
            parts.append(_problem(words))
        if problem is not None:
            parts.append(_problem(core_texts().error(problem)))
        about = {tool.name: tool for tool in known}
        parts += [
            self._tool(each, pin, about.get(each))
            for each, pin in server.tools.items()
            if each not in about or about[each].consent((server,)) is not None
        ]
        if unseen := [tool for tool in known if tool.consent((server,)) is None]:
            parts.append(self._unseen(unseen))
        head = column(is_on, *parts, spacing=Space.SMALL)
        head.addLayout(buttons)
        self.setLayout(head)

    def _look(self, servers: ToolServers) -> None:
        if not self._server.is_confirmed:
            servers.confirm(self._server.name)
        servers.look(self._server.name)

    def _tool(self, name: str, pin: ToolPin, known: OutsideTool | None) -> QWidget:
        names = (self.tr("Off"), self.tr("Ask each time"), self.tr("Allowed"))
        choice = EnumComboBox(tuple(ToolConsent), names=names)
        choice.setAccessibleName(
            self.tr("{tool} of {server}").format(tool=name, server=self._server.name)
        )
        choice.show_value(pin.consent)
        choice.chosen.connect(
            lambda consent: self._do(partial(self._decide, tool=name, consent=consent))
        )
        words: list[QWidget] = [BodyLabel(name)]
        if known is not None and known.description:
            words.append(HintLabel(_short(known.description)))
        return widget_with(row(growing(widget_with(column(*words, spacing=0))), choice))

    def _decide(self, servers: ToolServers, *, tool: str, consent: str) -> None:
        servers.decide(self._server.name, ToolConsent(consent), tool)

    def _unseen(self, tools: Sequence[OutsideTool]) -> QWidget:
        """Show what is new or has changed, with a button that lets it be offered."""
        words = self.tr("New or changed since you looked, and not offered before you agree:")
        lines: list[QWidget] = [BodyLabel(words)]
        for tool in tools:
            lines += [BodyLabel(tool.name), HintLabel(_short(tool.description))]
        offer = Button(
            text=self.tr("Offer these tools"),
            name=self.tr("Offer the new tools of {server}").format(server=self._server.name),
            press=lambda: self._do(lambda servers: servers.accept(self._server.name)),
        )
        return widget_with(column(*lines, at_left(offer), spacing=Space.TIGHT))


def _problem(words: str) -> ProblemLabel:
    label = ProblemLabel()
    label.set_text(words)
    return label


def _short(description: str) -> str:
    words = one_line(description)
    return words if len(words) <= _LONGEST_ABOUT else f"{words[:_LONGEST_ABOUT]}…"


class ServerForm(QWidget):
    """Where a server is entered; what will be run stands there whole before it is."""

    left = Signal()  # The server was added, or is not

    def __init__(self, servers: ToolServers, bridge: TurnBridge) -> None:
        super().__init__()
        self._servers, self._bridge = servers, bridge
        self._checked: ToolServer | None = None
        self.name, self.text = QLineEdit(), CodeArea(lines=_COMMAND_LINES)
        self.secrets = CodeArea(lines=_SECRET_LINES)
        self._whole, self._problem = BodyLabel(), ProblemLabel()
        check = self.tr("&Show what will run")
        self._check = Button(text=check, press=self._show_whole)
        self._run = Button("primary", text=self.tr("&Run it and add its tools"), press=self._add)
        cancel = Button(text=self.tr("Cancel"), press=self.left.emit)
        buttons = FlowLayout()
        for button in (self._check, self._run, cancel):
            buttons.addWidget(button)
        parts = (
            self._labelled(self.tr("&Command, address, or JSON with “mcpServers”"), self.text),
            self._labelled(self.tr("&Name, by which you and the assistant know it"), self.name),
            self._labelled(
                self.tr("&Variables, or headers, as NAME=value, one a line"), self.secrets
            ),
            HintLabel(self.tr("Their values are kept in the system’s keyring.")),
            self._whole,
            self._problem,
            buttons,
        )
        self.setLayout(column(*parts, spacing=Space.MEDIUM))
        self.text.textChanged.connect(self._edited)
        self.secrets.textChanged.connect(self._edited)
        self.name.textEdited.connect(self._edited)
        self.text.editingFinished.connect(self._read_json)
        self._edited()

    def begin(self) -> None:
        for field in (self.text, self.secrets):
            field.setText("")
        self.name.clear()
        self._edited()
        self.show()
        self.text.setFocus()

    def _labelled(self, words: str, field: QWidget) -> QWidget:
        label = Label(words)
        label.setBuddy(field)
        return widget_with(column(label, field, spacing=Space.TIGHT))

    def _edited(self) -> None:
        """Whatever changes has to be looked at again before it can be run."""
        self._checked = None
        self._whole.hide()
        self._problem.dismiss()
        self._run.setVisible(False)
        self._check.setVisible(True)

    def _read_json(self) -> None:
        """Spread pasted JSON over the fields."""
        if not self.text.text().lstrip().startswith("{"):
            return
        try:
            server = entered_server(self.text.text())
        except AppError as exc:
            self._problem.set_text(core_texts().error(exc))
            return
        import shlex  # noqa: PLC0415 - for this alone

        self.name.setText(self.name.text() or server.name)
        self.secrets.setText("\n".join(f"{n}={v}" for n, v in server.variables.items()))
        self.text.setText(server.address or shlex.join(server.command))

    def _secrets(self) -> dict[str, str]:
        # Headers are also written with a colon.
        pairs = (re.split("[=:]", line, maxsplit=1) for line in self.secrets.text().splitlines())
        return {name.strip(): "".join(value).strip() for name, *value in pairs if name.strip()}

    def _show_whole(self) -> None:
        self._read_json()
        name, text, secrets = self.name.text().strip(), self.text.text(), tuple(self._secrets())

        def check() -> ToolServer:
            server = entered_server(text)
            words = server.address.partition("//")[2] or " ".join(server.command[:1])
            named = name or server_name(words.rpartition("/")[2]) or server_name(words)
            return self._servers.check(
                ToolServer(
                    name=named, command=server.command, address=server.address, secrets=secrets
                )
            )

        self._bridge.run(check, self._confirm, self._show_problem)

    def _confirm(self, server: ToolServer) -> None:
        self._checked = server
        self.name.setText(server.name)
        lead = (
            self.tr("Bellek will contact exactly this address, which learns what each call says:")
            if server.address
            else self.tr(
                "Bellek will run exactly this, without a shell. It is a program with your rights: "
                "it can read your files and reach the network."
            )
        )
        whole = "\n".join([lead, *shown_words(server)])
        self._whole.setText(whole)
        self._whole.show()
        announce(self, whole)
        self._check.setVisible(False)
        self._run.setVisible(True)
        self._run.setFocus()

    def _add(self) -> None:
        server = self._checked
        if server is None:
            return
        secrets = self._secrets()
        self.setEnabled(False)
        self._bridge.run(
            lambda: self._servers.add(server, secrets),
            lambda _: self.left.emit(),
            self._show_problem,
            lambda: self.setEnabled(True),
        )

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(core_texts().error(error))
