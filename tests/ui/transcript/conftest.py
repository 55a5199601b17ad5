"""A transcript, and messages for it."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.card import Card, MessageCard
from desktop.ui.transcript.view import TranscriptView

BEGAN = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
FIRST_ID = 5_000_000_000_000
"""Ids are larger than what fits into a C int, which signals have to survive."""


def question(number: int, text: str = "") -> Message:
    return Message(
        MessageId(FIRST_ID + number),
        SessionId("s"),
        number,
        Role.USER,
        text or f"Soru {number}: İkisinin farkı ne?",
        MessageState.COMPLETE,
        BEGAN + timedelta(minutes=number),
    )


def answer(
    number: int,
    text: str = "",
    state: MessageState = MessageState.COMPLETE,
    *,
    message_id: int | None = None,
) -> Message:
    return Message(
        MessageId(message_id or FIRST_ID + number),
        SessionId("s"),
        number,
        Role.ASSISTANT,
        text if text or state is not MessageState.COMPLETE else f"Yanıt {number}. " * number,
        state,
        BEGAN + timedelta(minutes=number),
        model="scripted",
    )


def dialogue(messages: int) -> list[Message]:
    long = "Sabah açlık şekeri gece salgılanan hormonlarla yükselir. "
    return [
        question(n) if n % 2 else answer(n, f"**{n}.** " + long * (n * 7 % 23 + 1))
        for n in range(1, messages + 1)
    ]


@pytest.fixture
def theme(theme: ThemeController) -> ThemeController:
    theme.apply(Theme.LIGHT)
    return theme


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeController) -> TranscriptView:
    QCursor.setPos(QPoint(5000, 5000))
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    made.activateWindow()  # a window left by an earlier test would have the keyboard
    qtbot.waitUntil(made.isActiveWindow)
    return made


def settled(qtbot: QtBot, view: TranscriptView) -> None:
    """Wait until everything is prepared."""
    qtbot.waitUntil(lambda: not view._ahead.isActive())


def card_of(view: TranscriptView, message: Message) -> MessageCard:
    card = view.live[view._by_id[message.id]]
    assert isinstance(card, MessageCard)
    return card


def cards_of(view: TranscriptView) -> list[Card]:
    """The live cards, from the top."""
    return sorted(view.live.values(), key=lambda card: card.y())
