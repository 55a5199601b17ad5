"""Asks the user about what other programs want kept: a sentence, a text or a page."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject

from desktop.domain.errors import AppError
from desktop.domain.ids import SourceId
from desktop.domain.projects import ProjectId, Wall
from desktop.domain.sources import ProposedDocument
from desktop.research.library import AddOutcome, ImportedPage
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.dialogs.information_dialogs import ProposedTextDialog
from desktop.ui.i18n import core_texts
from desktop.ui.services import Worker
from desktop.ui.widgets.bars import Choice, MessageBar, Rank
from desktop.ui.window.lifetime import WindowRequest

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_MOST_WAITING = 10  # Questions of programs; whoever sends more is not heard


class ProgramRequests(QObject):
    """Nothing is kept, and no page contacted, without the user's answer."""

    def __init__(
        self,
        strip: MessageBar,
        worker: Worker,
        added: Callable[[], None],
    ) -> None:
        """`added`: shows the library anew."""
        super().__init__(strip)
        self._strip, self._worker = strip, worker
        self._added = added
        self._keys: list[str] = []

    def ask(self, request: WindowRequest, problem: AppError | None = None) -> None:
        """Show the question, unless too many wait for an answer.

        `problem`: why what the user agreed to could not be done; they may remove the reason.
        """
        # Each has a key of its own: no question changes while its button is pressed.
        key = f"program {sha256(request.line()).hexdigest()}"
        self._keys = [each for each in self._keys if each in self._strip and each != key]
        if len(self._keys) >= _MOST_WAITING:
            return
        self._keys.append(key)
        words, choices = self._question(request)
        words = f"{core_texts().error(problem)} {words}" if problem else words
        self._strip.show_message(key, words, *choices, rank=Rank.QUESTION)

    def _question(self, request: WindowRequest) -> tuple[str, list[Choice]]:
        program = request.program or self.tr("Another program")
        if request.fact:
            words = self.tr("{program} asks Bellek to remember: “{fact}”")
            remember = self.tr("Remember"), partial(self._remember, request)
            choices: list[Choice] = [remember, (self.tr("Don’t remember"), _do_nothing)]
            return words.format(program=program, fact=request.fact), choices
        add: Choice = self.tr("Add"), partial(self._add, request, program)
        leave: Choice = self.tr("Don’t add"), _do_nothing
        if request.address:
            words = self.tr(
                "{program} asks Bellek to read this page and add it to the library: {address}"
            )
            return words.format(program=program, address=request.address), [add, leave]
        words = self.tr(
            "{program} asks Bellek to add a text of {count} characters to the library: “{title}”"
        )
        count = QLocale().toString(len(request.text))
        show: Choice = self.tr("Show the text…"), partial(self._show_text, request)
        return words.format(program=program, count=count, title=request.title), [add, leave, show]

    def _remember(self, request: WindowRequest) -> None:
        wall = Wall(ProjectId(request.project))
        self._worker.do(lambda services: services.memory.remember(request.fact, wall))

    def _show_text(self, request: WindowRequest) -> None:
        """Show it whole, and go on asking."""
        self.ask(request)
        open_dialog(ProposedTextDialog(request.text, self._strip.window()))

    def _add(self, request: WindowRequest, program: str) -> None:
        document = ProposedDocument(
            program,
            ProjectId(request.project),
            title=request.title,
            text=request.text,
            address=request.address,
        )

        def show(page: ImportedPage) -> None:
            self._added()
            source, is_new = page.source, page.outcome is AddOutcome.ADDED
            added = self.tr("Added for {program}: {title}")
            words = added if is_new else self.tr("Already in the library: {title}")
            self._strip.show_message(
                f"added {source.id}",
                words.format(program=program, title=source.title),
                undo=partial(self._remove, source.id) if is_new else None,
            )

        self._worker.do(
            lambda services: services.add_proposed(document),
            show,
            failed=partial(self.ask, request),
        )

    def _remove(self, source_id: SourceId) -> None:
        def remove(services: "Services") -> None:
            services.sources.remove([source_id])

        self._worker.do_in_turn(remove, lambda _: self._added())


def _do_nothing() -> None:
    """Leave it at that: the answer was no."""
