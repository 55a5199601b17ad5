"""What the page of literature does on workers: searching, and adding what was found."""

from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.literature import (
    AddedWork,
    FoundWork,
    LiteratureQuery,
    LiteratureResults,
    ServiceState,
    TextKind,
)
from desktop.domain.projects import Wall
from desktop.ui.i18n import core_texts
from desktop.ui.library.library_actions import CopiedReferences, copied_references
from desktop.ui.library.literature_rows import key_of, marks_of
from desktop.ui.services import Worker
from desktop.ui.turn_bridge import ignore
from desktop.ui.widgets.bars import MessageBar, Rank

if TYPE_CHECKING:
    from desktop.sessions.literature import Literature
    from desktop.sessions.services import Services

_COPIED, _ADDED = "copied", "literature"
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class LiteratureAccess:
    """Whether literature may be searched, and what is there of it."""

    is_on: bool = False
    is_local_only: bool = False
    services: Sequence[ServiceState] = ()
    known: frozenset[str] = frozenset()  # DOIs of the library


class LiteratureActions(QObject):
    arrived = Signal(object)  # LiteratureResults so far
    ended = Signal()  # No search is running
    failed = Signal(object)  # AppError of a search as a whole

    def __init__(self, worker: Worker, strip: MessageBar, changed: Callable[[], None]) -> None:
        """`strip`: the window's, as another page may be shown when a work was added.

        `changed`: called when works of the library came or went.
        """
        super().__init__()
        self._worker, self._strip, self._changed = worker, strip, changed
        self._stopped: Event | None = None  # Of the search that is running

    @property
    def is_searching(self) -> bool:
        return self._stopped is not None

    def load(self, done: Callable[[LiteratureAccess], None]) -> None:
        def read(services: "Services") -> LiteratureAccess:
            literature = services.literature(shown_wall(services))
            states = literature.find.states()
            return LiteratureAccess(
                literature.find.settings().uses_literature,
                literature.is_local_only(),
                states,
                literature.known(),
            )

        self._worker.do_latest("literature", read, done)

    def search(self, query: LiteratureQuery, before: LiteratureResults | None = None) -> None:
        """Search, instead of what is being searched. `before`: results that are continued."""
        self._run(lambda literature, stop: literature.find.search(query, before=before, stop=stop))

    def find_related(
        self, work: FoundWork, before: LiteratureResults | None = None, *, is_citing: bool
    ) -> None:
        """Find the works that cite a work, or those that it cites, after those of `before`."""
        self._run(
            lambda literature, stop: iter(
                [literature.related(work, before, is_citing=is_citing, stop=stop)]
            )
        )

    def stop(self) -> None:
        """End the search at once; its worker ends a moment later."""
        if self._stopped is not None:
            self._stopped.set()
            self._stopped = None
            self.ended.emit()

    def _run(self, find: "Callable[[Literature, Stop], Iterator[LiteratureResults]]") -> None:
        self.stop()
        stopped = self._stopped = Event()
        closing = self._worker.bridge.closing

        def is_over() -> bool:
            return stopped.is_set() or closing.is_set()

        def show(results: LiteratureResults) -> None:
            if not stopped.is_set():
                self.arrived.emit(results)

        def fail(error: AppError) -> None:
            if not stopped.is_set():
                self.failed.emit(error)

        def end() -> None:
            if stopped is self._stopped:
                self._stopped = None
                self.ended.emit()

        self._worker.do_each(
            lambda services: find(services.literature(shown_wall(services)), is_over),
            show,
            end,
            fail,
        )

    def add(self, work: FoundWork, then: Callable[[AddedWork], object] = ignore) -> None:
        """Add a work and read its free copy; when it is stopped, the abstract stays.

        `then` gets what was added.
        """
        key, title, stopped = f"{_ADDED} {key_of(work)}", work.reference.title, Event()
        closing = self._worker.bridge.closing

        def store(services: "Services") -> Change[AddedWork]:
            literature = services.literature(shown_wall(services))
            return literature.add(work, stop=lambda: stopped.is_set() or closing.is_set())

        def show(change: Change[AddedWork]) -> None:
            undo = self._worker.undoes(change, lambda _: self._changed())
            rank = Rank.QUESTION if work.marks else Rank.SUCCESS
            words = self._added_text(work, change.value)
            self._strip.show_message(key, words, undo=undo, rank=rank)
            self._changed()
            then(change.value)

        def fail(error: AppError) -> None:
            words = f"{title}: {core_texts().error(error)}"
            self._strip.show_message(key, words, rank=Rank.FAILURE)

        adding = self.tr("Adding “{title}”…").format(title=title)
        stop = (self.tr("Stop reading its copy"), stopped.set)
        self._strip.show_message(key, adding, stop, can_be_closed=False)
        self._worker.do(store, show, failed=fail)

    def _added_text(self, work: FoundWork, added: AddedWork) -> str:
        """Return what became of a work: whether it was new, and how much of it can be read."""
        first = self.tr("“{title}” was added to the library.")
        if not added.is_new:
            first = self.tr("“{title}” was in the library already.")
        texts = {
            TextKind.FULL: self.tr("Its full text can be read and cited."),
            TextKind.ABSTRACT: self.tr("Only its abstract can be read and cited."),
            TextKind.NONE: self.tr("There is neither a free copy nor an abstract of it."),
        }
        marks = marks_of(work)
        why = core_texts().error(added.error) if added.error else ""
        parts = (
            first.format(title=work.reference.title),
            self.tr("Note: {marks}.").format(marks=marks) if marks else "",
            texts[added.text],
            self.tr("Its free copy could not be read: {why}").format(why=why) if why else "",
        )
        return " ".join(filter(None, parts))

    def copy(self, work: FoundWork, *, as_bibtex: bool = False) -> None:
        references = [work.whole_reference]

        def show(copied: CopiedReferences) -> None:
            copied.put_on_clipboard()
            words = self.tr("Reference copied.")
            if as_bibtex or not copied.html:
                words = self.tr("Reference copied as BibTeX.")
            self._strip.show_message(_COPIED, words)

        self._worker.do(
            lambda services: copied_references(services, references, as_bibtex=as_bibtex), show
        )


def shown_wall(services: "Services") -> Wall:
    """Return the wall of the project that is shown, or else of the active session."""
    assistant = services.assistant
    return Wall(assistant.project) if assistant.project else assistant.wall()
