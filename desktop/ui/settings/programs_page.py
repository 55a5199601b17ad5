"""Settings, Other programs: who may ask Bellek, how each is told, and what they called."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.errors import AppError
from desktop.sessions.tool_servers import ToolServers
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.programs import (
    CallOutcome,
    HostState,
    ProgramCall,
    ProgramCalls,
    ProgramHost,
    add_to_host,
    configuration,
    host_state,
    known_hosts,
    remove_from_host,
    server_entry,
)
from desktop.ui.dialogs.form import CodeArea
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import core_texts
from desktop.ui.settings.outside_tools_page import OutsideToolsSection
from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.layouts import (
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
    ProblemLabel,
    SectionLabel,
    announce,
)

if TYPE_CHECKING:
    from desktop.sessions.browser_button import BrowserPort

_SHOWN_CALLS = 20
_LOOK_MS = 500  # While a code is shown


class ProgramsPage(SettingsPage):
    def __init__(  # noqa: PLR0913 (by name)
        self,
        changes: SettingsController,
        bridge: TurnBridge,
        profile: ProfilePaths,
        settings_file: Path,
        *,
        browser: "Callable[[], BrowserPort] | None" = None,
        hosts: Sequence[ProgramHost] | None = None,
        servers: ToolServers | None = None,
        calls: ProgramCalls | None = None,
    ) -> None:
        """`browser`: the port for browsers, once the profile is open.

        `hosts`: the programs, if not those of this computer; `servers`: of tools; `calls`: what
        programs called, if the profile may be encrypted.
        """
        super().__init__(changes, PageId.PROGRAMS)
        self._bridge, self._recorded = bridge, calls or ProgramCalls(profile.folder)
        self._hosts = known_hosts(os.environ, Path.home()) if hosts is None else hosts
        data = profile.folder.parent.parent
        self._entry = server_entry(Paths(settings_file.parent, data), profile.folder.name)
        about = self.tr(
            "Claude Desktop, ChatGPT, LM Studio and others can search and read this profile "
            "through the Model Context Protocol. They see what belongs to no project; with "
            "“--project” and a name among the arguments, they see that project, too. What they "
            "do with it is up to them."
        )
        self.column.addWidget(BodyLabel(about, role="muted"))
        if find_spec("mcp") is None:
            missing = core_texts().say("errors.protocol_missing")
            self.column.addWidget(BodyLabel(missing))
        self._browser = browser
        self.add_rows(after={"takes_pages": self._add_pairing})
        self._list, self._called = column(), column()
        self._problem = ProblemLabel()
        self._add_text()
        self.add_section(SectionLabel(self.tr("Programs")), self._problem, self._list)
        self.add_section(SectionLabel(self.tr("Latest calls")), self._called)
        self._clear = DangerButton("", text=self.tr("Clear the list"), press=self._clear_calls)
        self._clear.setAccessibleName(self.tr("Clear the list of calls of programs"))
        self.column.addLayout(column(at_left(self._clear)))
        self._outside = OutsideToolsSection(servers, changes, bridge) if servers else None
        if self._outside is not None:
            self.column.addSpacing(Space.LARGE)
            self.column.addWidget(self._outside)
            self.follow(self._outside.show_servers)
        self.column.addStretch()
        self._show_hosts(dict.fromkeys(self._hosts, HostState.MISSING))
        self._show_calls(())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._load()

    def _add_pairing(self) -> None:
        self._pair = self.add_button(self.tr("&Pair a browser"), self._show_code)
        self._unpair = self.add_button(self.tr("&Forget all browsers"), self._forget_browsers)
        self._code, self._paired = HintLabel(""), HintLabel("")
        self.add_below(self._code)
        self.add_below(self._paired)
        self._waiting = make_timer(self, _LOOK_MS)
        self._waiting.timeout.connect(self._look_for_browser)
        self.follow(lambda _: self._load_browsers())

    def _load_browsers(self) -> None:
        """Show how many browsers are paired, and what can be done about it."""
        is_on = self._changes.settings.takes_pages and self._browser is not None
        self._pair.setVisible(is_on)
        self._paired.setVisible(is_on)
        self._unpair.setVisible(False)
        self._code.setVisible(is_on and self._waiting.isActive())
        if is_on and self._browser is not None:
            browser = self._browser
            self._bridge.run(lambda: browser().browsers(), self._show_browsers)

    def _show_browsers(self, count: int) -> None:
        self._paired.set_text(self.tr("%n browser(s) can send pages.", "", count))
        self._unpair.setVisible(count > 0 and self._pair.isVisibleTo(self))

    def _show_code(self) -> None:
        if (browser := self._browser) is None:
            return

        def show(code: str) -> None:
            words = self.tr(
                "Press Bellek’s button in the browser and enter {code} there, within five minutes."
            )
            self._code.set_text(words.format(code=f"{code[:4]} {code[4:]}"))
            self._code.show()
            announce(self, self._code.text())
            self._waiting.start()

        self._bridge.run(lambda: browser().new_code(), show)

    def _look_for_browser(self) -> None:
        if self._browser is None or not self._browser().waits_for_browser:
            self._waiting.stop()
            self._load_browsers()

    def _forget_browsers(self) -> None:
        if (browser := self._browser) is not None:
            self._bridge.run(lambda: browser().unpair(), settled=self._load_browsers)

    def _add_text(self) -> None:
        text = configuration(self._entry)
        lines = text.count("\n") + 1  # All, lest it scroll within the page
        area = CodeArea(text, lines=lines, is_read_only=True)
        area.setAccessibleName(self.tr("Text to paste"))
        hint = self.tr(
            "Paste it into the program’s list of servers. If the list has others already, add "
            "only the part for “bellek”."
        )
        copy = Button(text=self.tr("&Copy"), press=partial(self._copy, text))
        parts = (SectionLabel(self.tr("Text to paste")), HintLabel(hint), area, at_left(copy))
        self.add_section(*parts)

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        announce(self, self.tr("Copied."))

    def _load(self) -> None:
        hosts, calls = self._hosts, self._recorded
        self._bridge.run(lambda: {host: host_state(host) for host in hosts}, self._show_hosts)
        self._bridge.run(calls.calls, self._show_calls)
        self._load_browsers()
        if self._outside is not None:
            self._outside.load()

    def _show_hosts(self, states: Mapping[ProgramHost, HostState]) -> None:
        clear_layout(self._list)
        for host, state in states.items():
            self._list.addWidget(self._host(host, state))

    def _host(self, host: ProgramHost, state: HostState) -> QWidget:
        file = host.file
        if file is None or state is HostState.MISSING:
            words = self.tr("Paste the text in its settings, where MCP servers are added.")
            return widget_with(column(BodyLabel(host.name), HintLabel(words), spacing=0))
        words = {
            HostState.ADDED: self.tr("Bellek is entered in {file}."),
            HostState.BROKEN: self.tr("{file} cannot be understood, so Bellek leaves it alone."),
        }.get(state, self.tr("Bellek can enter itself in {file}; a copy of the file is kept."))
        about = column(BodyLabel(host.name), HintLabel(words.format(file=file)), spacing=0)
        button = Button(
            text=self.tr("Add"),
            name=self.tr("Add Bellek to {program}").format(program=host.name),
            press=lambda: self._change(lambda: add_to_host(file, self._entry)),
        )
        if state is HostState.ADDED:
            button = Button(
                text=self.tr("Remove"),
                name=self.tr("Remove Bellek from {program}").format(program=host.name),
                press=lambda: self._change(lambda: remove_from_host(file)),
            )
        button.setEnabled(state is not HostState.BROKEN)
        return widget_with(row(growing(widget_with(about)), button))

    def _change(self, work: Callable[[], None]) -> None:
        self._problem.dismiss()
        self._bridge.run(work, failed=self._show_problem, settled=self._load)

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(core_texts().error(error))

    def _clear_calls(self) -> None:
        self._bridge.run(self._recorded.clear, failed=self._show_problem, settled=self._load)

    def _show_calls(self, calls: Sequence[ProgramCall]) -> None:
        clear_layout(self._called)
        for call in calls[:_SHOWN_CALLS]:
            self._called.addWidget(HintLabel(self._line(call)))
        if not calls:
            self._called.addWidget(HintLabel(self.tr("No program has called yet.")))
        self._clear.setVisible(bool(calls))

    def _line(self, call: ProgramCall) -> str:
        when = day_and_time(call.at)
        outcome = {
            CallOutcome.DONE: self.tr("answered"),
            CallOutcome.REFUSED: self.tr("refused"),
            CallOutcome.FAILED: self.tr("failed"),
        }[call.outcome]
        program = call.program or self.tr("a program without a name")
        parts = (when, program, call.tool, call.project, outcome)
        return " · ".join(part for part in parts if part)
