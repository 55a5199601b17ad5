"""Imports files: previews them, shows the progress and a report, and can be stopped.

The user confirms the sentences that another assistant remembers, or does not.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QProgressBar, QWidget

from desktop.domain.errors import AppError, FileUnreadableError
from desktop.domain.projects import EVERYTHING
from desktop.sessions.importing.import_reports import (
    ImportReport,
    Preview,
    outcome_words,
    preview_file,
    preview_words,
    problem_words,
)
from desktop.sessions.importing.importer import Importer
from desktop.settings.messages import Texts
from desktop.ui.services import Worker
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea, WrappingCheckBox
from desktop.ui.widgets.layouts import STRETCH, column, growing, row, text_width
from desktop.ui.widgets.plain_text import BodyLabel, ProblemLabel, TitleLabel

if TYPE_CHECKING:
    from datetime import datetime

    from desktop.domain.facts import MemoryProposal
    from desktop.domain.ids import ProposalId
    from desktop.sessions.services import Services


_CHARACTERS, _LINES = 72, 9
_WHOLE = 1000


class ImportProgressDialog(QDialog):
    def __init__(
        self, texts: Callable[[], Texts], bridge: TurnBridge, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._bridge = bridge
        self._closing = bridge.closing
        self._stopped = Event()
        self._is_running = False
        self._is_done = False
        self._title, self._words, self._trouble = TitleLabel(), BodyLabel(), ProblemLabel()
        self._details = TextArea(lines=_LINES, is_read_only=True)
        self._details.setAccessibleName(self.tr("Details"))
        self._bar = QProgressBar()
        self._bar.setAccessibleName(self.tr("Progress"))
        self._bar.setTextVisible(False)
        copy = QGuiApplication.clipboard().setText
        self._copy = Button(
            "quiet", text=self.tr("Co&py report"), press=lambda: copy(self._details.text())
        )
        self._leave = Button(press=self.reject)
        self._begin = Button("primary", press=self._import)

    def reject(self) -> None:
        """Stop a running import, else close; the report says what was imported."""
        self._stopped.set()
        if self._is_running:
            self._show()
        else:
            super().reject()

    def _import(self) -> None:
        raise NotImplementedError

    def _lay_out(
        self,
        options: Sequence[QWidget] = (),
        below: Sequence[QWidget] = (),
        buttons: Sequence[QWidget] = (),
    ) -> None:
        whole = column(
            self._title,
            self._words,
            self._trouble,
            column(*options, spacing=Space.TIGHT),
            growing(self._details),
            self._bar,
            *below,
            row(self._copy, STRETCH, *buttons, self._leave, self._begin),
            spacing=Space.LARGE,
            margin=Space.WIDE,
        )
        self.setLayout(whole)
        self.setMinimumWidth(text_width(self, _CHARACTERS))

    def _start(self) -> None:
        self._is_running = True
        self._stopped.clear()
        self._show()
        self._leave.setFocus()

    def _finish(self) -> None:
        self._is_running, self._is_done = False, True
        self._show()
        self._leave.setFocus()

    def _should_stop(self) -> bool:
        return self._stopped.is_set() or self._closing.is_set()

    def _show_error(self, error: AppError) -> None:
        self._trouble.set_text(self._texts().error(error))

    def _show(self) -> None:
        self._bar.setVisible(self._is_running)
        self._copy.setVisible(self._is_done)
        self._begin.setVisible(not self._is_done and not self._is_running)
        self._leave.setText(self.tr("&Close") if self._is_done else self.tr("&Cancel"))
        self._leave.setEnabled(not (self._is_running and self._stopped.is_set()))


class ImportSessionsDialog(ImportProgressDialog):
    imported = Signal(object)  # an ImportReport for each file that could be read
    watch_wanted = Signal(object)  # Paths of folders of notes that are to be watched

    def __init__(
        self,
        paths: Sequence[Path],
        importer: Importer,
        texts: Callable[[], Texts],
        bridge: TurnBridge,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(texts, bridge, parent)
        self._paths = tuple(paths)
        self._importer = importer.choosing(paths)
        self._previews: dict[Path, Preview | AppError] = {}
        self._reports: dict[Path, ImportReport | AppError] = {}
        self._is_looking = True
        self.setWindowTitle(self.tr("Import sessions"))
        self._begin.setText(self.tr("&Import"))
        self._watch = WrappingCheckBox(self.tr("&Watch the folder: read new and changed notes"))
        self._watch.setChecked(True)
        self._lay_out(below=(self._watch,))
        self._show()
        self._look()

    def _look(self) -> None:
        def work() -> Iterator[tuple[Path, Preview | AppError]]:  # worker thread
            for path in self._paths:
                try:
                    for preview in preview_file(
                        path, should_stop=self._should_stop, read=self._importer.read
                    ):
                        yield path, preview
                except FileUnreadableError as exc:
                    yield path, exc

        self._bridge.run_each(work, self._add_preview, self._show_error, self._end_preview)

    def _import(self) -> None:
        self._start()
        reports = {path: ImportReport() for path in self._to_import()}
        # The worker fills them; they are read when it has settled, even if the disk failed.
        self._reports.update(reports)

        def work() -> Iterator[float | tuple[Path, AppError]]:  # worker thread
            for place, (path, report) in enumerate(reports.items()):
                steps = self._importer.import_into(report, path, should_stop=self._should_stop)
                try:
                    for share in steps:
                        yield (place + share) / len(reports)
                except FileUnreadableError as exc:
                    yield path, exc

        self._bridge.run_each(work, self._show_step, self._show_error, self._end_import)

    def _read(self) -> list[ImportReport]:
        return [report for report in self._reports.values() if isinstance(report, ImportReport)]

    def _note_folders(self) -> list[Path]:
        """Return the folders whose files become documents, and nothing else."""
        return [
            path
            for path, seen in self._previews.items()
            if isinstance(seen, Preview) and seen.is_folder_of_notes
        ]

    def _added(self) -> int:
        return sum(report.added for report in self._read())

    def _to_import(self) -> list[Path]:
        return [
            path for path, seen in self._previews.items() if getattr(seen, "has_contents", False)
        ]

    def _add_preview(self, seen: tuple[Path, Preview | AppError]) -> None:
        self._previews.update([seen])
        self._show()

    def _show_step(self, step: float | tuple[Path, AppError]) -> None:
        if isinstance(step, tuple):
            self._reports.update([step])
        else:
            self._bar.setValue(round(step * _WHOLE))
        self._show()

    def _end_preview(self) -> None:
        self._is_looking = False
        self._show()
        if self._begin.isEnabled():
            self._begin.setFocus()

    def _end_import(self) -> None:
        folders = self._note_folders() if self._watch.isChecked() else []
        self._finish()
        self.imported.emit(self._read())
        if folders and not self._stopped.is_set():
            self.watch_wanted.emit(folders)

    def _show(self) -> None:
        super()._show()
        self._bar.setVisible(self._is_running or self._is_looking)
        self._bar.setRange(0, 0 if self._is_looking else _WHOLE)
        ready = not self._is_looking and not self._is_running
        self._watch.setVisible(ready and not self._is_done and bool(self._note_folders()))
        self._begin.setEnabled(ready and bool(self._to_import()))
        if self._is_done:
            self._show_report()
        elif self._is_running:
            self._show_progress()
        else:
            self._show_previews()

    def _show_progress(self) -> None:
        self._title.setText(
            self.tr("Stopping…") if self._stopped.is_set() else self.tr("Importing…")
        )
        added = self.tr("%n session(s) added so far.", "", self._added())
        note = self.tr("If you cancel, the sessions added so far are kept.")
        self._words.setText(f"{added} {note}")

    def _show_report(self) -> None:
        texts = self._texts()
        lines: list[str] = []
        for path, report in self._reports.items():
            if isinstance(report, AppError):
                lines.append(texts.error(report))
                continue
            lines += outcome_words(texts, path.name, report)
            lines += [problem_words(texts, problem) for problem in report.problems]
            lines.append("")
        for path, seen in self._previews.items():
            if path not in self._reports:  # it contained nothing to import
                lines += [self._of_file(seen), ""]
        self._title.setText(
            self.tr("Import stopped") if self._stopped.is_set() else self.tr("Import finished")
        )
        sentences = [self.tr("%n session(s) imported.", "", self._added())]
        if there := sum(report.already_there for report in self._read()):
            sentences.append(self.tr("%n session(s) were already in the archive.", "", there))
        self._words.setText(" ".join(sentences))
        self._details.setPlainText("\n".join(lines).strip())

    def _show_previews(self) -> None:
        previews = [preview for preview in self._previews.values() if isinstance(preview, Preview)]
        sessions = sum(preview.conversations for preview in previews)
        messages = sum(preview.messages for preview in previews)
        if self._is_looking:
            self._title.setText(self.tr("Reading the file…"))
        elif sessions:
            self._title.setText(self.tr("Import these sessions?"))
        elif self._to_import():
            self._title.setText(self.tr("Import this?"))
        else:
            self._title.setText(self.tr("Nothing to import"))
        documents = sum(preview.documents for preview in previews)
        text = self.tr("%n document(s) for the library.", "", documents)
        if sessions or not documents:
            text = self.tr("{sessions}, {messages}.").format(
                sessions=self.tr("%Ln session(s)", "", sessions),
                messages=self.tr("%Ln message(s)", "", messages),
            )
        if sessions and not self._is_looking:
            text += " " + self.tr("Sessions already in your archive are not added again.")
        self._words.setText(text)
        self._details.setPlainText("\n\n".join(map(self._of_file, self._previews.values())))

    def _of_file(self, seen: Preview | AppError) -> str:
        texts = self._texts()
        if isinstance(seen, AppError):
            return texts.error(seen)
        form = texts.say(f"import.form_{seen.form}") if seen.form else ""
        lines = [f"{seen.path.name} · {form}" if form else seen.path.name]
        if seen.first and seen.last:
            lines.append(_span(seen.first, seen.last))
        lines += [f"  {title}" for title in seen.titles]
        if more := seen.conversations - len(seen.titles):
            lines.append("  " + self.tr("and %n more", "", more))
        lines += preview_words(texts, seen)
        lines += [problem_words(texts, problem) for problem in seen.problems]
        if seen.more_problems:
            lines.append(texts.count("import.more_problems", seen.more_problems))
        return "\n".join(lines)


def _span(first: "datetime", last: "datetime") -> str:
    locale = QLocale()
    form = "d MMMM yyyy" if locale.language() == QLocale.Language.Turkish else "MMMM d, yyyy"
    moments = [at.astimezone() for at in (first, last)]
    days = [locale.toString(QDate(at.year, at.month, at.day), form) for at in moments]
    return days[0] if days[0] == days[1] else " – ".join(days)


_PROPOSAL_CHARACTERS = 72
_Loaded = tuple[Sequence["MemoryProposal"], dict[str, str]]


class MemoryProposalsDialog(QDialog):
    """Nothing in it is a fact before it is confirmed; what is left undecided waits."""

    decided = Signal()  # Some sentences are facts now, or wait no longer

    def __init__(self, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.setWindowTitle(self.tr("Memory of another assistant"))
        self._title, self._words = TitleLabel(), BodyLabel()
        self._list = QListWidget()
        self._list.setProperty("role", "list")
        self._list.setAccessibleName(self.tr("Sentences"))
        self._list.setWordWrap(True)
        self._list.itemChanged.connect(lambda _: self._show())
        self._decline = Button(text=self.tr("&Decline"), press=self._decline_chosen)
        self._confirm_all = Button(text=self.tr("Remember &all"), press=self._confirm_every)
        self._confirm = Button("primary", text=self.tr("&Remember"), press=self._confirm_chosen)
        close = Button(text=self.tr("&Close"), press=self.reject)
        buttons = row(self._decline, STRETCH, close, self._confirm_all, self._confirm)
        whole = (self._title, self._words, growing(self._list), buttons)
        self.setLayout(column(*whole, spacing=Space.LARGE, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _PROPOSAL_CHARACTERS))
        self._load()

    def _load(self) -> None:
        def read(services: "Services") -> _Loaded:
            projects: dict[str, str] = {
                project.id: project.name for project in services.archive.projects()
            }
            return services.archive.proposals(EVERYTHING), projects

        self._worker.do(read, self._fill)

    def _fill(self, loaded: _Loaded) -> None:
        proposals, projects = loaded
        self._list.clear()
        for proposal in proposals:
            project = projects.get(proposal.project, "")
            item = QListWidgetItem(f"{proposal.text}  ({project})" if project else proposal.text)
            item.setData(Qt.ItemDataRole.UserRole, proposal.id)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            self._list.addItem(item)
        if proposals:  # so that Space ticks the first at once
            self._list.setCurrentRow(0)
            self._list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()

    def _ids(self, *, only_chosen: bool) -> "list[ProposalId]":
        items = (self._list.item(place) for place in range(self._list.count()))
        return [
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if not only_chosen or item.checkState() is Qt.CheckState.Checked
        ]

    def _show(self) -> None:
        count = self._list.count()
        title = self.tr("Remember these sentences?") if count else self.tr("Nothing is waiting")
        for part in (self._list, self._decline, self._confirm_all, self._confirm):
            part.setHidden(not count)
        self._title.setText(title)
        self._words.setText(
            self.tr(
                "Another assistant remembers this about you. "
                "Bellek uses only the sentences that you confirm."
            )
            if count
            else self.tr(
                "What another assistant remembers about you comes with an import of its sessions "
                "(File > Import sessions), and waits here until you confirm it."
            )
        )
        has_chosen = bool(self._ids(only_chosen=True))
        self._confirm_all.setEnabled(bool(count))
        for button in (self._confirm, self._decline):
            button.setEnabled(has_chosen)

    def _confirm_chosen(self) -> None:
        self._decide(self._ids(only_chosen=True), lambda services: services.proposals.confirm)

    def _confirm_every(self) -> None:
        self._decide(self._ids(only_chosen=False), lambda services: services.proposals.confirm)

    def _decline_chosen(self) -> None:
        self._decide(self._ids(only_chosen=True), lambda services: services.proposals.decline)

    def _decide(
        self,
        ids: "Sequence[ProposalId]",
        choice: "Callable[[Services], Callable[[Sequence[ProposalId]], object]]",
    ) -> None:
        for button in (self._confirm, self._confirm_all, self._decline):
            button.setEnabled(False)

        def show(_: object) -> None:
            self._load()
            self.decided.emit()

        self._worker.do(lambda services: choice(services)(ids), show)
