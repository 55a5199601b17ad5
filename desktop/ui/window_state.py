"""What is stored of a window: its size and sides, recent searches, uses of the palette."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from desktop.ui.widgets.splitter_layout import Side, SplitterLayout

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

_FIRST_SIZE = (1180, 780)
_SEALED = "sealed:"
WEB_LENT, WEB_REFUSED = "web/lent", "web/refused"
"""Whether the web was on for one question when the program last ended; never offered again."""
SEARCHES = "search/recent"
PALETTE_USED = "palette/used"
"""The stored history of each, newest first: recent searches, keys of chosen palette items."""
LIBRARY_COLUMNS = "library/columns"
"""The name of each column with its width in letters."""


@dataclass(slots=True)
class WindowState:
    """A separate small file, because it changes with every resize and is no setting."""

    file: Path | None
    sealing: "ProfileKey | None" = None  # Of an encrypted profile: it seals what is kept

    def restore(self, window: QWidget, shell: SplitterLayout) -> None:
        window.resize(*_FIRST_SIZE)
        if isinstance(geometry := self._value("window/geometry"), QByteArray):
            window.restoreGeometry(geometry)
        shell.restore(
            (
                self._number("sidebar/width", shell.side_width(Side.LEFT)),
                self._number("panel/width", shell.side_width(Side.RIGHT)),
            ),
            (self._number("sidebar/open", 1) != 0, False),
        )

    def keep(self, window: QWidget, shell: SplitterLayout) -> None:
        self._keep("window/geometry", window.saveGeometry())
        self._keep("sidebar/width", shell.side_width(Side.LEFT))
        self._keep("panel/width", shell.side_width(Side.RIGHT))
        self._keep("sidebar/open", int(shell.is_wanted(Side.LEFT)))

    def seal(self, sealing: "ProfileKey", *, is_on: bool = True) -> None:
        """Encrypt what was stored plainly; or decrypt it if encryption is off now."""
        self.sealing = sealing
        lines_by_key = {key: self.lines(key) for key in (SEARCHES, PALETTE_USED)}
        self.sealing = sealing if is_on else None
        for key, lines in lines_by_key.items():
            self.keep_lines(key, lines)

    def flag(self, key: str) -> bool:
        return self._number(key, 0) != 0

    def keep_flag(self, key: str, *, is_set: bool) -> None:
        self._keep(key, int(is_set))

    def lines(self, key: str) -> list[str]:
        value = str(self._value(key) or "")
        if value.startswith(_SEALED):
            data, value = b64decode(value.removeprefix(_SEALED)), ""
            with suppress(ValueError):
                value = self.sealing.unseal(data, key).decode() if self.sealing else ""
        return [line for line in value.split("\n") if line]

    def keep_lines(self, key: str, lines: Sequence[str]) -> None:
        value = "\n".join(lines)
        if self.sealing is not None:
            value = _SEALED + b64encode(self.sealing.seal(value.encode(), key)).decode()
        self._keep(key, value)

    def _number(self, key: str, otherwise: int) -> int:
        # The file has it as text; this process wrote it as a number.
        return int(text) if (text := str(self._value(key))).isdecimal() else otherwise

    def _value(self, key: str) -> object:
        return self._open().value(key) if self.file else None

    def _keep(self, key: str, value: object) -> None:
        if self.file:
            settings = self._open()
            settings.setValue(key, value)
            settings.sync()

    def _open(self) -> QSettings:
        return QSettings(str(self.file), QSettings.Format.IniFormat)
