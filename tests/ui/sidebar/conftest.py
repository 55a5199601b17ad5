"""A sidebar, and hits as the search gives them to it."""

from collections.abc import Iterator
from datetime import date, datetime

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind
from desktop.settings.settings import Theme
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme import ThemeController

TODAY = date(2026, 11, 19)
NOON = datetime(2026, 11, 19, 12).astimezone()


def hit(name: str, message: int = 7) -> Hit:
    return Hit(
        kind=HitKind.MESSAGE,
        session_id=SessionId(name),
        message_id=MessageId(message),
        message_number=3,
        score=1.0,
        title=name,
        snippet="… Somogyi …",
        marks=((2, 9),),
        created_at=NOON,
    )


@pytest.fixture
def sidebar(qtbot: QtBot, qapp: QApplication) -> Iterator[Sidebar]:
    theme = ThemeController(qapp)
    theme.apply(Theme.LIGHT)
    made = Sidebar(theme, lambda: TODAY)
    qtbot.addWidget(made)
    made.resize(292, 800)
    made.show()
    yield made
    theme.deleteLater()
