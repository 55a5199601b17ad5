"""The system's file dialogs, with our titles and filters."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop.domain.sources import FORM_OF_ENDING
from desktop.settings.file_writing import file_name
from desktop.settings.paths import is_encrypted
from desktop.ui.i18n import core_texts

if TYPE_CHECKING:
    from desktop.sessions.exporting.contents import ExportFormat

LINES, ARCHIVE = "jsonl", "db"
_DOCUMENTS = " ".join(f"*{ending}" for ending in FORM_OF_ENDING)
_REFERENCES = "*.bib *.ris *.json"
_Mode = QFileDialog.FileMode


class FileDialog(QFileDialog):
    """A file dialog that opens in the last used folder, the first time in the documents folder."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The working directory depends on how the program was started, so it is not used.
        if self.directory() == QDir.current():
            places = QStandardPaths.StandardLocation
            documents = QStandardPaths.writableLocation(places.DocumentsLocation)
            self.setDirectory(documents if QDir(documents).exists() else QDir.homePath())

    def ask_for_file(self, chosen: Callable[[Path], object]) -> None:
        """Open the dialog; `chosen` gets the file once the user has picked one."""
        self.ask_for_files(lambda paths: chosen(paths[0]))

    def ask_for_export(self, profile: Path, chosen: Callable[[Path], object]) -> None:
        """Like `ask_for_file`; in an encrypted profile the title warns that the file is plain."""
        if is_encrypted(profile):
            plain = self.tr("the file is not encrypted")
            self.setWindowTitle(f"{self.windowTitle()} – {plain}")
        self.ask_for_file(chosen)

    def ask_for_files(self, chosen: Callable[[Sequence[Path]], object]) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.filesSelected.connect(lambda names: chosen([Path(name) for name in names]))
        self.open()

    def _read_from(self, title: str, kinds: str, mode: _Mode = _Mode.ExistingFile) -> None:
        self.setWindowTitle(title)
        self.setFileMode(mode)
        self.setNameFilters([kinds, self.tr("All files (*)")])
        self.setOption(QFileDialog.Option.HideNameFilterDetails)

    def _save_as(self, title: str, name: str, suffix: str, kinds: Sequence[str]) -> None:
        self.setWindowTitle(title)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(suffix)
        self.setNameFilters([*kinds, self.tr("All files (*)")])
        self.selectFile(name)

    def _export_as(self, title: str, name: str, forms: "Sequence[ExportFormat]") -> None:
        """Offer these formats, the first one at first."""
        kinds = {f"{form.title(core_texts())} (*.{form.name})": form.name for form in forms}
        self.filterSelected.connect(lambda kind: self.setDefaultSuffix(kinds.get(kind, "")))
        self._save_as(title, name, forms[0].name, list(kinds))


class DocumentsDialog(FileDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        kinds = self.tr("Documents ({patterns})").format(patterns=f"{_DOCUMENTS} {_REFERENCES}")
        self._read_from(self.tr("Add to the library"), kinds, _Mode.ExistingFiles)


class AttachmentsDialog(FileDialog):
    """Picks pictures and documents for a message."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        kinds = self.tr("Pictures and documents ({patterns})").format(
            patterns=f"*.png *.jpg *.jpeg *.webp *.gif {_DOCUMENTS}"
        )
        self._read_from(self.tr("Add to the message"), kinds, _Mode.ExistingFiles)


class FolderDialog(FileDialog):
    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setFileMode(_Mode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)


class ModelFileDialog(FileDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_from(self.tr("Choose a model file"), self.tr("Model files (*.gguf)"))


class ImportDialog(FileDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        kinds = self.tr("Conversations (*.zip *.json *.jsonl *.md *.markdown *.txt)")
        self._read_from(self.tr("Import sessions"), kinds, _Mode.ExistingFiles)


class RestoreDialog(FileDialog):
    """Picks a backup; begins in the profile's folder of backups."""

    def __init__(self, backups: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_from(self.tr("Restore a backup"), self.tr("Bellek’s archive (*.db)"))
        if backups.is_dir():
            self.setDirectory(str(backups))


class ExportDialog(FileDialog):
    """Picks the file for exported sessions or an answer; its filter chooses the format."""

    def __init__(
        self, title: str, parent: QWidget | None = None, *, is_answer: bool = False
    ) -> None:
        from desktop.sessions.exporting.formats import FORMATS  # noqa: PLC0415 - not for the start

        super().__init__(parent)
        named = self.tr("Export answer") if is_answer else self.tr("Export session")
        name = file_name(title) or (self.tr("answer") if is_answer else self.tr("session"))
        forms = [form for form in FORMATS if form.is_for_reading or not is_answer]
        self._export_as(named, name, forms)


class AnnotatedCopyDialog(FileDialog):
    """Picks the file for a PDF with the notes of a document."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = file_name(title) or self.tr("document")
        self._save_as(self.tr("Save a copy with notes"), name, "pdf", ["PDF (*.pdf)"])


class NotesDialog(FileDialog):
    """Picks the file for a list of notes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._save_as(self.tr("Export notes"), self.tr("notes"), "md", ["Markdown (*.md)"])


class ExportAllDialog(FileDialog):
    """Picks the file for several sessions, usually in the format that can be imported again."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        from desktop.sessions.exporting.formats import FORMATS  # noqa: PLC0415 - not for the start

        super().__init__(parent)
        forms = [form for form in FORMATS if form.holds_many]
        self._export_as(title, "bellek", sorted(forms, key=lambda form: form.is_for_reading))


class FreeSpaceDialog(FileDialog):
    """Picks a new file for the messages that are removed; it never overwrites one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)  # never overwrites
        kinds = [f"{core_texts().say('export.format_jsonl')} (*.{LINES})"]
        name = f"bellek-{date.today():%Y-%m-%d}.{LINES}"  # noqa: DTZ011 (the user's local day)
        self._save_as(self.tr("Export and remove"), name, LINES, kinds)


class BackupDialog(FileDialog):
    """Picks a new file for a backup; it never overwrites one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)  # never overwrites
        kinds = [self.tr("Bellek’s archive (*.db)")]
        self._save_as(self.tr("Back up the archive"), f"{name}.{ARCHIVE}", ARCHIVE, kinds)
