"""Chips for the files of a message, with a small view of each picture."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QLocale, QObject, QSize, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.domain.messages import THUMB, MessageFile, Pixels
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.widgets.buttons import IconButton, RemovableChip
from desktop.ui.widgets.layouts import FlowLayout, clear_layout
from desktop.ui.widgets.plain_text import HintLabel, tip

_LONGEST_NAME = 40


def pixmap_of(pixels: Pixels) -> QPixmap:
    line, form = pixels.width * 4, QImage.Format.Format_RGBA8888
    return QPixmap.fromImage(QImage(pixels.data, pixels.width, pixels.height, line, form))


class Thumbnails(QObject):
    """Small views of pictures by their hash; what is missing is asked for once."""

    thumbnail_wanted = Signal(object)  # MessageFile
    came = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._icons: dict[str, QIcon | None] = {}

    def icon(self, file: MessageFile) -> QIcon | None:
        if file.is_picture and file.sha256 not in self._icons:
            self._icons[file.sha256] = None
            self.thumbnail_wanted.emit(file)
        return self._icons.get(file.sha256)

    def take(self, file: MessageFile, pixels: Pixels | None) -> None:
        if pixels is not None:
            self._icons[file.sha256] = QIcon(pixmap_of(pixels))
            self.came.emit()


class FileChips(TranslatedWidget, QWidget):
    changed = Signal()
    removed = Signal()  # the user removed one
    opened = Signal(object)  # MessageFile

    def __init__(
        self,
        theme: ThemeController,
        thumbs: Thumbnails,
        parent: QWidget,
        *,
        can_remove: bool = True,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._thumbs = thumbs
        self._can_remove = can_remove
        self.files: tuple[MessageFile, ...] = ()
        self._opening = 0
        self._buttons: list[QPushButton | IconButton] = []
        self._row = FlowLayout(self)
        thumbs.came.connect(self._show_icons)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """Whether a file is still being opened."""
        return self._opening > 0

    def add(self, file: MessageFile) -> None:
        self.set_files(tuple(dict.fromkeys((*self.files, file))))

    def set_files(self, files: Iterable[MessageFile]) -> None:
        if (new_files := tuple(files)) != self.files:
            self.files = new_files
            self.retranslate()
            self.changed.emit()

    def count_opening(self, more: int) -> None:
        """Show that files are being opened; `more`: how many more than before."""
        self._opening += more
        self.retranslate()
        self.changed.emit()

    def buttons(self) -> list[QPushButton | IconButton]:
        return self._buttons

    def retranslate(self) -> None:
        clear_layout(self._row)
        self._buttons = []
        for file in self.files:
            self._add(file)
        if self._opening:
            opening = HintLabel(self.tr("Opening the file…"))
            self._row.addWidget(opening)
            opening.show()
        self._show_icons()
        self.setVisible(bool(self.files or self._opening))
        self.updateGeometry()

    def _add(self, file: MessageFile) -> None:
        kind = self.tr("Picture") if file.is_picture else self.tr("Document")
        size = QLocale().formattedDataSize(file.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
        chip = RemovableChip("chip", self)
        name = file.name
        if len(name) > _LONGEST_NAME:
            name = f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 :]}"
        chip.setText(("\u2002" if file.is_picture else "") + name.replace("&", "&&"))
        chip.setAccessibleName(f"{kind}: {file.name}, {size}")
        chip.setToolTip(tip(f"{kind}: {file.name}\n{size}"))
        chip.clicked.connect(lambda: self.opened.emit(file))
        self._place(chip)
        if not self._can_remove:
            return
        cross = IconButton(self._theme, Glyph.CLOSE, self)
        cross.set_name(self.tr("Remove {name}").format(name=file.name))
        remove: Callable[[], None] = lambda: self._remove(file)  # noqa: E731 - for both
        chip.removed.connect(remove)
        cross.clicked.connect(remove)
        self._place(cross)

    def _place(self, button: QPushButton | IconButton) -> None:
        self._row.addWidget(button)
        self._buttons.append(button)
        button.show()

    def _show_icons(self) -> None:
        chips = [button for button in self._buttons if isinstance(button, RemovableChip)]
        side = round(THUMB / 2 * self._theme.scale.zoom)
        for chip, file in zip(chips, self.files, strict=True):
            if (icon := self._thumbs.icon(file)) is not None:
                chip.setIcon(icon)
                chip.setIconSize(QSize(side, side))
        self.updateGeometry()

    def _remove(self, file: MessageFile) -> None:
        self.set_files([other for other in self.files if other != file])
        self.removed.emit()
