"""The context menu of a message: copy, quote, search, export."""

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import MessageId
from desktop.ui.transcript.card import Card
from desktop.ui.transcript.entries import Entry, MessageAction, MessageEntry, MessageRequest
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.widgets.menus import PopupMenu

_LONGEST_SHOWN = 32
_LONGEST_SEARCHED = 200  # Characters


class TranscriptMenu(PopupMenu):
    action_chosen = Signal(object)  # MessageRequest

    def __init__(
        self,
        at: QPoint,
        live: Mapping[Entry, Card],
        selected: str,
        parent: QWidget,
        *,
        is_kept: bool,
    ) -> None:
        """For a point of the screen; `selected` is what is selected in all messages.

        `is_kept`: whether what is shown is on the disk.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entry, card = next((one for one in live.items() if _holds(one[1], at)), (None, None))
        panes = list(card.panes()) if card else []
        copy = self.addAction(self.tr("Copy"), lambda: _copy(selected))
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setEnabled(bool(selected))
        message = entry.text if isinstance(entry, MessageEntry) else ""
        if message:
            self.addAction(self.tr("Copy message as Markdown"), lambda: _copy(message))
        if isinstance(entry, MessageEntry) and is_kept and _can_be_exported(entry):
            answer = entry.message.id
            self._offer(self.tr("Export answer…"), MessageAction.EXPORT, message=answer)
        if link := next((pane.link_at(at) for pane in panes if _holds(pane, at)), ""):
            self.addAction(self.tr("Copy link address"), lambda: _copy(link))
        if message:
            self._offer_to_select(panes[0])
        if selected or message:
            self.addSeparator()
            this, chosen = self.tr("Quote this message"), self.tr("Quote selection")
            words = chosen if selected else this
            self._offer(words, MessageAction.QUOTE, text=selected or message)
        if searched := " ".join(selected.split())[:_LONGEST_SEARCHED]:
            is_long = len(searched) > _LONGEST_SHOWN
            shown = f"{searched[:_LONGEST_SHOWN].rstrip()}…" if is_long else searched
            words = self.tr("Search all sessions for “{words}”").format(words=shown)
            self._offer(words.replace("&", "&&"), MessageAction.SEARCH, text=searched)

    def open_at(self, at: QPoint) -> None:
        """Unless there is nothing to choose, as beside the messages."""
        if any(action.isEnabled() for action in self.actions()):
            self.popup(at)

    def _offer_to_select(self, pane: TextPane) -> None:
        every = self.addAction(self.tr("Select the whole message"), pane.selectAll)
        every.setShortcut(QKeySequence.StandardKey.SelectAll)

    def _offer(
        self,
        words: str,
        action: MessageAction,
        *,
        message: MessageId | None = None,
        text: str = "",
    ) -> None:
        request = MessageRequest(action, message, text)
        self.addAction(words, lambda: self.action_chosen.emit(request))


def _can_be_exported(said: MessageEntry) -> bool:
    return bool(said.text) and not (said.is_user or said.is_streaming)


def _holds(widget: QWidget, at: QPoint) -> bool:
    return widget.rect().contains(widget.mapFromGlobal(at))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
