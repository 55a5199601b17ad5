"""Titles, addresses and file names of others are shown as they are, never read as markup."""

import ast
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,  # noqa: TID251 - Qt's own are looked at, too
    QMessageBox,  # noqa: TID251
    QToolTip,  # noqa: TID251
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.domain.events import SourceFound
from desktop.domain.ids import SessionId, TurnId, new_source_id
from desktop.domain.search import Suggestion
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.times import utc_now
from desktop.ui.library.library_actions import DroppedFiles
from desktop.ui.services import NavigationTarget
from desktop.ui.widgets.plain_text import Label, MessageBox, tip, titled_tip
from tests.archives import finished
from tests.ui.main_window.conftest import disk, opens, stage  # noqa: F401 (fixtures)
from tests.ui.main_window.stage import Stage

HOSTILE = 'Zebra <img src="probe.png">'
PINK = QColor("#ff00ff")
UI = Path(__file__).parents[2] / "desktop" / "ui"


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture that hostile texts name; shown, it is pink."""
    picture = QPixmap(60, 60)
    picture.fill(PINK)
    path = tmp_path / "probe.png"
    assert picture.save(str(path))
    monkeypatch.chdir(tmp_path)
    return path


def is_pink(widget: QWidget) -> bool:
    picture = widget.grab().toImage()
    middle = range(0, picture.height(), 4)
    return any(
        picture.pixelColor(x, y) == PINK for y in middle for x in range(0, picture.width(), 4)
    )


def shown_tip(text: str, over: QWidget) -> QWidget:
    QToolTip.showText(QPoint(10, 10), text, over)
    (found,) = [
        each
        for each in QApplication.topLevelWidgets()
        if each.inherits("QTipLabel") and isinstance(each, QLabel) and each.text() == text
    ]
    return found


@pytest.mark.usefixtures("probe")
@pytest.mark.parametrize("text", [HOSTILE, f"{HOSTILE} {'çok uzun ' * 20}", f"&lt;\n{HOSTILE}"])
def test_a_tip_never_loads_the_picture_that_a_text_names(qtbot: QtBot, text: str) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    assert is_pink(shown_tip(text, over)), "the picture would be seen, were it loaded"
    assert not is_pink(shown_tip(tip(text), over))
    assert not is_pink(shown_tip(titled_tip(text, [text]), over))
    QToolTip.hideText()


@pytest.mark.usefixtures("probe")
def test_labels_and_message_boxes_never_load_the_picture_that_a_text_names(qtbot: QtBot) -> None:
    label, box = Label(HOSTILE), MessageBox(MessageBox.Icon.Warning, HOSTILE, HOSTILE)
    for each in (label, box):
        qtbot.addWidget(each)
        assert not is_pink(each)
    assert not markup_in(box)


def test_every_tool_tip_in_the_code_is_made_plain() -> None:
    raw = [
        f"{path.relative_to(UI)}:{call.lineno}"
        for path in sorted(UI.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and getattr(call.func, "attr", "") in {"setToolTip", "setTabToolTip"}
        and not _is_plain(call.args[-1])
    ]
    assert raw == []


def _is_plain(argument: ast.expr) -> bool:
    made_by = getattr(argument, "func", None)
    return isinstance(made_by, ast.Name) and made_by.id in {"tip", "_citation_tip"}


def markup_in(top: QWidget) -> list[str]:
    """The widgets below `top` that would read a text as markup, or whose tool tip would."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        name = f"{type(widget).__name__} {widget.objectName()}"
        if isinstance(widget, QLabel) and widget.pixmap().isNull():
            is_plain = widget.textFormat() is Qt.TextFormat.PlainText
            found += [] if is_plain else [f"{name}: {widget.text()}"]
        if "<img" in widget.toolTip():
            found.append(f"{name}: {widget.toolTip()}")
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            found += [f"{name}: {told}" for told in tips_of(model) if "<img" in told]
    return found


def tips_of(model: QAbstractItemModel) -> Iterator[str]:
    for row in range(model.rowCount()):
        yield str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) or "")


def test_a_hostile_title_is_plain_everywhere_in_the_window(
    opens: Callable[[], Stage],  # noqa: F811 (pytest's way)
) -> None:
    made = opens()
    title = f"{HOSTILE} {'uzun ' * 30}"
    made.archive.imports.add([finished("kötü", "Zebra nedir?", HOSTILE, title=title)])
    now = utc_now()
    source = Source(new_source_id(), SourceKind.WEB, title, HOSTILE, now, now, sha256="a")
    made.archive.sources.add(source, [NewPassage(HOSTILE, 1, HOSTILE)])
    made.attach()
    window, parts = made.window, made.window.parts
    parts.results.ask("zebra")
    made.until(lambda: parts.results.model.rowCount() > 0)
    parts.suggestions.show_suggestions(
        [Suggestion(SessionId(name), None, title, now, ()) for name in ("kötü", "öteki")]
    )
    parts.context_chips.show_sessions({SessionId("kötü"): title})
    parts.trace.take(SourceFound(TurnId("t"), source.kind, source.id, title, HOSTILE))
    window.sessions.open(NavigationTarget(SessionId("kötü")))
    window.library.open()
    library = window.library.window
    assert library is not None
    made.until(lambda: library.is_loaded)
    shown = [*tips_of(parts.results.model), *tips_of(parts.sidebar.model)]
    assert any("&lt;img" in told for told in shown)
    assert markup_in(window) == []
    assert markup_in(library) == []


def test_message_boxes_show_the_names_of_files_plainly(
    stage: Stage,  # noqa: F811 (pytest's way)
) -> None:
    stage.window.library._ask(DroppedFiles(unclear=[Path(HOSTILE)]))
    stage.window.dialogs._ask_to_restore(Path(HOSTILE), datetime(2026, 3, 5, tzinfo=UTC))
    boxes = stage.window.findChildren(QMessageBox)
    assert [HOSTILE in box.text() for box in boxes] == [True, True]
    assert [markup_in(box) for box in boxes] == [[], []]
