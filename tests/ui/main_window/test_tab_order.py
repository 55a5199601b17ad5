"""Tab goes round the whole window, whatever the transcript shows."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.ui.main_window.stage import Stage


def test_tab_leads_round_the_window_and_through_the_transcript(stage: Stage) -> None:
    stage.window.activateWindow()
    stage.ask("Gelgit neden olur?")
    stage.ask("Güneş'in payı ne?")
    parts = stage.window.parts
    start = parts.sidebar.search
    start.setFocus()
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        visited: list[QWidget | None] = []
        for _ in range(60):
            QTest.keyClick(stage.window.focusWidget(), key)
            visited.append(stage.window.focusWidget())
            if visited[-1] is start:
                break
        assert visited[-1] is start
        assert {parts.composer.field, parts.sidebar.add} <= set(visited)
        assert any(parts.transcript.isAncestorOf(one) for one in visited if one)
