"""The system's file dialogs, with our titles and filters."""

import re
from pathlib import Path

from PySide6.QtCore import QDir, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

MARKDOWN, PAGE, LINES, ARCHIVE = "md", "html", "jsonl", "db"
_LONGEST_NAME = 80
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')


class FileDialog(QFileDialog):
    """Begins in the last used folder, the first one in the documents folder."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The working directory is nobody's choice: it is wherever the program was started.
        if self.directory() == QDir.current():
            places = QStandardPaths.StandardLocation
            documents = QStandardPaths.writableLocation(places.DocumentsLocation)
            self.setDirectory(documents if QDir(documents).exists() else QDir.homePath())


class DocumentsDialog(FileDialog):
    """Picks documents for the library."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add to the library"))
        self.setFileMode(QFileDialog.FileMode.ExistingFiles)
        kinds = self.tr(
            "Documents (*.pdf *.docx *.docm *.epub *.html *.htm *.xhtml *.md *.markdown *.txt)"
        )
        self.setNameFilters([kinds, self.tr("All files (*)")])


class FolderDialog(FileDialog):
    """Picks a folder of documents."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add a folder to the library"))
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)


class ModelFileDialog(FileDialog):
    """Picks a GGUF file; show it with `open()` and listen to `fileSelected`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Choose a model file"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Model files (*.gguf)"), self.tr("All files (*)")])


class ExportDialog(FileDialog):
    """Picks the file for an exported session, as Markdown or as a web page."""

    def __init__(
        self, title: str, parent: QWidget | None = None, *, suffix: str = MARKDOWN
    ) -> None:
        super().__init__(parent)
        names = {MARKDOWN: self.tr("Markdown (*.md)"), PAGE: self.tr("Web page (*.html)")}
        self.setWindowTitle(self.tr("Export session"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(suffix)
        self.setNameFilters([names[suffix], self.tr("All files (*)")])
        name = file_name(title) or self.tr("session")
        self.selectFile(f"{name}.{suffix}")


class ExportAnswerDialog(FileDialog):
    """Picks the file for an exported answer; its filter chooses the format."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        kinds = {self.tr("Markdown (*.md)"): MARKDOWN, self.tr("Web page (*.html)"): PAGE}
        self.setWindowTitle(self.tr("Export answer"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(MARKDOWN)
        self.setNameFilters(list(kinds))
        self.filterSelected.connect(lambda kind: self.setDefaultSuffix(kinds[kind]))
        self.selectFile(file_name(title) or self.tr("answer"))


class ExportAllDialog(FileDialog):
    """Picks the file for all sessions, in the format that can be imported again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export everything"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(LINES)
        self.setNameFilters([self.tr("Bellek's format (*.jsonl)"), self.tr("All files (*)")])
        self.selectFile(f"bellek.{LINES}")


class BackupDialog(FileDialog):
    """Picks a new file for a backup; it never overwrites one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Back up the archive"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(ARCHIVE)
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)  # nothing is written over
        self.setNameFilters([self.tr("Bellek's archive (*.db)"), self.tr("All files (*)")])
        self.selectFile(f"{name}.{ARCHIVE}")


class RestoreDialog(FileDialog):
    """Picks a backup; begins in the profile's folder of backups."""

    def __init__(self, backups: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Restore a backup"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Bellek's archive (*.db)"), self.tr("All files (*)")])
        if backups.is_dir():
            self.setDirectory(str(backups))


class ImportDialog(FileDialog):
    """Picks files of conversations of any program."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import sessions"))
        self.setFileMode(QFileDialog.FileMode.ExistingFiles)
        kinds = self.tr("Conversations (*.zip *.json *.jsonl *.md *.markdown *.txt)")
        self.setNameFilters([kinds, self.tr("All files (*)")])


def file_name(title: str) -> str:
    """A file name for a title, valid on every system; may be empty."""
    name = " ".join(_NOT_IN_NAMES.sub(" ", title).split())
    return name[:_LONGEST_NAME].strip(" .")
