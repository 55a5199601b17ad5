"""Window geometry, layout and recent searches, kept between starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from desktop.ui.window.splitter_layout import Side, SplitterLayout

_FIRST_SIZE = (1180, 780)


@dataclass(frozen=True, slots=True)
class WindowState:
    """A small file of its own: it changes with every resize and is nobody's choice to keep."""

    file: Path | None

    def restore(self, window: QWidget, shell: SplitterLayout) -> None:
        window.resize(*_FIRST_SIZE)
        kept = self._open()
        if kept is None:
            return
        geometry = kept.value("window/geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)
        shell.restore(
            (
                _number(kept, "sidebar/width", shell.side_width(Side.LEFT)),
                _number(kept, "panel/width", shell.side_width(Side.RIGHT)),
            ),
            (_number(kept, "sidebar/open", 1) != 0, False),
        )

    def keep(self, window: QWidget, shell: SplitterLayout) -> None:
        kept = self._open()
        if kept is None:
            return
        kept.setValue("window/geometry", window.saveGeometry())
        kept.setValue("sidebar/width", shell.side_width(Side.LEFT))
        kept.setValue("panel/width", shell.side_width(Side.RIGHT))
        kept.setValue("sidebar/open", int(shell.is_wanted(Side.LEFT)))
        kept.sync()

    def searches(self) -> list[str]:
        """What was searched for last, the newest first."""
        kept = self._open()
        text = str(kept.value("search/recent") or "") if kept is not None else ""
        return [one for one in text.split("\n") if one]

    def keep_searches(self, queries: Sequence[str]) -> None:
        kept = self._open()
        if kept is None:
            return
        if queries:
            kept.setValue("search/recent", "\n".join(queries))
        else:
            kept.remove("search/recent")
        kept.sync()

    def web_is_lent(self) -> bool:
        """Whether the web was on for one question only when the program last ended."""
        kept = self._open()
        return kept is not None and _number(kept, "web/lent", 0) != 0

    def keep_web_lent(self, is_lent: bool) -> None:  # noqa: FBT001 (one word says it)
        kept = self._open()
        if kept is not None:
            kept.setValue("web/lent", int(is_lent))
            kept.sync()

    def _open(self) -> QSettings | None:
        return QSettings(str(self.file), QSettings.Format.IniFormat) if self.file else None


def _number(kept: QSettings, key: str, otherwise: int) -> int:
    value = kept.value(key)
    # Read from the file it is text; written by this very process it is still a number.
    return int(text) if (text := str(value)).isdecimal() else otherwise
