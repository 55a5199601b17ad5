"""The context menu of a message: copy, quote, search, export."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import MessageId
from desktop.ui.transcript.entries import Entry, MessageAction, MessageEntry, MessageRequest
from desktop.ui.transcript.notice_card import LiveCard
from desktop.ui.widgets.menus import PopupMenu

_LONGEST_SHOWN = 32
_LONGEST_SEARCHED = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What the click stood on."""

    selected: str = ""
    message: str = ""
    """As it was written, in Markdown; empty where no message is meant"""
    link: str = ""
    answer: MessageId | None = None
    """One that can be written to a file: it is whole, and on the disk."""


class TranscriptMenu(PopupMenu):
    action_chosen = Signal(object)
    """MessageRequest"""
    all_chosen = Signal()

    def __init__(self, offered: Offered, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._offered = offered
        self._offer_to_copy()
        if offered.selected or offered.message:
            self.addSeparator()
            self._offer_to_use()

    def open_at(self, at: QPoint) -> None:
        """Unless there is nothing to choose, as beside the messages."""
        if any(action.isEnabled() for action in self.actions()):
            self.popup(at)

    def _offer_to_copy(self) -> None:
        selected, message, link = self._offered.selected, self._offered.message, self._offered.link
        copy = self.addAction(self.tr("Copy"), lambda: _copy(selected))
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setEnabled(bool(selected))
        if message:
            self.addAction(self.tr("Copy message as Markdown"), lambda: _copy(message))
        if (answer := self._offered.answer) is not None:
            self.addAction(
                self.tr("Export answer…"), lambda: self._choose(MessageAction.EXPORT, answer)
            )
        if link:
            self.addAction(self.tr("Copy link address"), lambda: _copy(link))
        if message:
            every = self.addAction(self.tr("Select the whole message"), self.all_chosen.emit)
            every.setShortcut(QKeySequence.StandardKey.SelectAll)

    def _offer_to_use(self) -> None:
        quoted = self._offered.selected or self._offered.message
        if quoted:
            words = (
                self.tr("Quote selection")
                if self._offered.selected
                else self.tr("Quote this message")
            )
            self.addAction(words, lambda: self._choose(MessageAction.QUOTE, text=quoted))
        if searched := " ".join(self._offered.selected.split())[:_LONGEST_SEARCHED]:
            is_long = len(searched) > _LONGEST_SHOWN
            shown = f"{searched[:_LONGEST_SHOWN].rstrip()}…" if is_long else searched
            words = self.tr("Search all sessions for “{words}”").format(words=shown)
            self.addAction(
                words.replace("&", "&&"),
                lambda: self._choose(MessageAction.SEARCH, text=searched),
            )

    def _choose(
        self, action: MessageAction, message: MessageId | None = None, text: str = ""
    ) -> None:
        self.action_chosen.emit(MessageRequest(action, message, text))


def menu_at(
    at: QPoint,
    live: Mapping[Entry, LiveCard],
    selected: str,
    parent: QWidget,
    *,
    is_kept: bool = True,
) -> TranscriptMenu:
    """For a point of the screen, where `selected` is what is selected in all messages.

    `is_kept`: whether what is shown is on the disk.
    """
    entry, card = next((one for one in live.items() if _holds(one[1], at)), (None, None))
    panes = list(card.panes()) if card else []
    link = next((pane.link_at(at) for pane in panes if _holds(pane, at)), "")
    said = entry if isinstance(entry, MessageEntry) else None
    answer = said.message.id if said and is_kept and _can_be_exported(said) else None
    menu = TranscriptMenu(Offered(selected, said.text if said else "", link, answer), parent)
    if panes:
        menu.all_chosen.connect(panes[0].selectAll)
    return menu


def _can_be_exported(said: MessageEntry) -> bool:
    return bool(said.text) and not (said.is_user or said.is_streaming)


def _holds(widget: QWidget, at: QPoint) -> bool:
    return widget.rect().contains(widget.mapFromGlobal(at))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
