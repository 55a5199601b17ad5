"""Imports files: previews them, shows the progress and a report, and can be stopped."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLayout,
    QPlainTextEdit,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.errors import AppError, FileUnreadableError
from desktop.sessions.importing.import_report import (
    ImportProgress,
    ImportReport,
    Preview,
    outcome_words,
    preview_file,
    problem_words,
)
from desktop.sessions.importing.importer import Importer
from desktop.settings.messages import Texts
from desktop.ui.dialogs.form import DialogTasks
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, ProblemLabel, TitleLabel
from desktop.ui.widgets.layouts import text_width

if TYPE_CHECKING:
    from datetime import datetime


_CHARACTERS = 72


class ImportProgressDialog(TranslatedWidget, QDialog):
    def __init__(
        self, texts: Callable[[], Texts], bridge: TurnBridge, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._tasks = DialogTasks(bridge, self)
        self._closing = bridge.closing
        self._stopped = Event()
        self._is_running = False
        self._is_done = False
        self._title, self._words, self._trouble = TitleLabel(), BodyLabel(), ProblemLabel()
        self._details = QPlainTextEdit()
        self._bar = QProgressBar()
        self._copy, self._leave, self._begin = Button("quiet"), Button(), Button("primary")
        self._begin.clicked.connect(self._import)
        self._leave.clicked.connect(self.reject)
        self._copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self._details.toPlainText())
        )

    def reject(self) -> None:
        """While it runs, this stops it; the report says what was kept."""
        self._stopped.set()
        if self._is_running:
            self._show()
        else:
            super().reject()

    def retranslate(self) -> None:
        self._details.setAccessibleName(self.tr("Details"))
        self._bar.setAccessibleName(self.tr("Progress"))
        self._copy.setText(self.tr("Co&py report"))
        self._show()

    def _import(self) -> None:
        """Start the import on a worker."""
        raise NotImplementedError

    def _lay_out(
        self, *, lines: int, options: QLayout | None = None, below: QWidget | None = None
    ) -> None:
        """`lines`: of the details; `options`: above them; `below`: the bar."""
        self._details.setReadOnly(True)
        self._details.setTabChangesFocus(True)
        self._details.setProperty("role", "field")
        self._details.setMinimumHeight(lines * self._details.fontMetrics().lineSpacing())
        self._bar.setTextVisible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        for told in (self._title, self._words, self._trouble):
            column.addWidget(told)
        if options is not None:
            column.addLayout(options)
        column.addWidget(self._details, 1)
        column.addWidget(self._bar)
        if below is not None:
            column.addWidget(below)
        foot = QHBoxLayout()
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._copy)
        foot.addStretch()
        foot.addWidget(self._leave)
        foot.addWidget(self._begin)
        column.addLayout(foot)
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


_LINES = 11
_WHOLE = 1000


@dataclass(frozen=True, slots=True)
class _Unread:
    """A file that could not be opened."""

    path: Path
    error: AppError


@dataclass(frozen=True, slots=True)
class _Step:
    """The progress over all files."""

    share: float


class ImportSessionsDialog(ImportProgressDialog):
    imported = Signal(object)
    """An ImportReport for each file that could be read"""

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
        self._importer = importer
        self._previews: dict[Path, Preview | _Unread] = {}
        self._reports: dict[Path, ImportReport | _Unread] = {}
        self._is_looking = True
        self._lay_out(lines=_LINES)
        self.retranslate()
        self._look()

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Import sessions"))
        self._begin.setText(self.tr("&Import"))
        super().retranslate()

    def _look(self) -> None:
        def work() -> Iterator[Preview | _Unread]:  # worker thread
            for path in self._paths:
                try:
                    yield from preview_file(path, should_stop=self._should_stop)
                except FileUnreadableError as exc:
                    yield _Unread(path, exc)

        self._tasks.run_each(work, self._add_preview, self._show_error, self._end_preview)

    def _import(self) -> None:
        self._start()
        reports = {path: ImportReport() for path in self._to_import()}
        # Read again when the worker has settled: also where the disk failed half way.
        self._reports.update(reports)

        def work() -> Iterator[_Step | _Unread]:  # worker thread
            for place, (path, report) in enumerate(reports.items()):
                for step in self._import_one(path, report):
                    if isinstance(step, _Unread):
                        yield step
                    else:
                        yield _Step((place + step.share) / len(reports))

        self._tasks.run_each(work, self._show_step, self._show_error, self._end_import)

    def _import_one(
        self, path: Path, report: ImportReport
    ) -> Iterator[ImportProgress | _Unread]:  # worker thread
        importer = self._importer
        try:
            yield from importer.import_into(report, path, should_stop=self._should_stop)
        except FileUnreadableError as exc:
            yield _Unread(path, exc)

    def _read(self) -> list[ImportReport]:
        return [one for one in self._reports.values() if isinstance(one, ImportReport)]

    def _added(self) -> int:
        return sum(one.added for one in self._read())

    def _to_import(self) -> list[Path]:
        return [path for path, seen in self._previews.items() if getattr(seen, "conversations", 0)]

    def _add_preview(self, preview: Preview | _Unread) -> None:
        self._previews[preview.path] = preview
        self._show()

    def _show_step(self, step: _Step | _Unread) -> None:
        if isinstance(step, _Step):
            self._bar.setValue(round(step.share * _WHOLE))
        else:
            self._reports[step.path] = step
        self._show()

    def _end_preview(self) -> None:
        self._is_looking = False
        self._show()
        if self._begin.isEnabled():
            self._begin.setFocus()

    def _end_import(self) -> None:
        self._finish()
        self.imported.emit(self._read())

    def _show(self) -> None:
        super()._show()
        self._bar.setVisible(self._is_running or self._is_looking)
        self._bar.setRange(0, 0 if self._is_looking else _WHOLE)
        ready = not self._is_looking and not self._is_running
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
        kept = self.tr("If you cancel, these are kept.")
        self._words.setText(f"{added} {kept}")

    def _show_report(self) -> None:
        texts = self._texts()
        lines: list[str] = []
        for path, report in self._reports.items():
            if isinstance(report, _Unread):
                lines.append(texts.error(report.error))
                continue
            lines += outcome_words(texts, path.name, report)
            lines += [problem_words(texts, one) for one in report.problems]
            lines.append("")
        for path, seen in self._previews.items():
            if path not in self._reports:  # there was nothing in it to take in
                lines += [self._of_file(seen), ""]
        was_stopped = self._stopped.is_set()
        self._title.setText(
            self.tr("Import stopped") if was_stopped else self.tr("Import finished")
        )
        said = [self.tr("%n session(s) imported.", "", self._added())]
        if there := sum(one.already_there for one in self._read()):
            said.append(self.tr("%n session(s) were already in the archive.", "", there))
        self._words.setText(" ".join(said))
        self._details.setPlainText("\n".join(lines).strip())

    def _show_previews(self) -> None:
        found = [one for one in self._previews.values() if isinstance(one, Preview)]
        sessions = sum(one.conversations for one in found)
        messages = sum(one.messages for one in found)
        if self._is_looking:
            self._title.setText(self.tr("Reading the file…"))
        elif sessions:
            self._title.setText(self.tr("Import these sessions?"))
        else:
            self._title.setText(self.tr("Nothing to import"))
        amounts = (
            self.tr("%Ln session(s)", "", sessions),
            self.tr("%Ln message(s)", "", messages),
        )
        said = self.tr("{sessions}, {messages}.").format(sessions=amounts[0], messages=amounts[1])
        if sessions and not self._is_looking:
            said += " " + self.tr("Sessions already in your archive are not added again.")
        self._words.setText(said)
        self._details.setPlainText("\n\n".join(map(self._of_file, self._previews.values())))

    def _of_file(self, seen: Preview | _Unread) -> str:
        texts = self._texts()
        if isinstance(seen, _Unread):
            return texts.error(seen.error)
        form = texts.say(f"import.form_{seen.form}") if seen.form else ""
        lines = [f"{seen.path.name} · {form}" if form else seen.path.name]
        if seen.first and seen.last:
            lines.append(_span(seen.first, seen.last))
        lines += [f"  {title}" for title in seen.titles]
        if more := seen.conversations - len(seen.titles):
            lines.append("  " + self.tr("and %n more", "", more))
        lines += [problem_words(texts, one) for one in seen.problems]
        if seen.more_problems:
            lines.append(texts.count("import.more_problems", seen.more_problems))
        return "\n".join(lines)


def _span(first: "datetime", last: "datetime") -> str:
    locale = QLocale()
    turkish = locale.language() == QLocale.Language.Turkish
    form = "d MMMM yyyy" if turkish else "MMMM d, yyyy"
    moments = [at.astimezone() for at in (first, last)]
    days = [locale.toString(QDate(at.year, at.month, at.day), form) for at in moments]
    return days[0] if days[0] == days[1] else " – ".join(days)
