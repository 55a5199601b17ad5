"""Two versions of an answer side by side; one of them goes on."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId
from desktop.domain.messages import Message, MessageState
from desktop.domain.routing import Tier
from desktop.ui.composer.controls import short_model
from desktop.ui.dialogs.form import BackButton
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.entries import (
    NO_FACTS,
    MessageAction,
    MessageFacts,
    MessageRequest,
)
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.views import View
from desktop.ui.widgets.buttons import Button, PopupMenu
from desktop.ui.widgets.layouts import at_left, column, growing, row
from desktop.ui.widgets.plain_text import ElidedLabel, HintLabel


@dataclass(frozen=True, slots=True)
class ShownVersion:
    message: Message
    facts: MessageFacts = NO_FACTS


class VersionColumn(QWidget):
    """One version, which can be chosen above it."""

    wanted = Signal(object)  # MessageId with which the session goes on
    link_chosen = Signal(object, str)  # Citations of the version, and a link in it

    def __init__(self, theme: ThemeController, name: str) -> None:
        """`name`: of the column, for a screen reader."""
        super().__init__()
        self._versions: Sequence[ShownVersion] = ()
        self._seen: ShownVersion | None = None
        self._is_busy = False
        self._name, self._place = name, 0
        self._choice = Button("choice", self)
        self._menu = PopupMenu(self._choice)
        self._choice.setMenu(self._menu)
        self.transcript = TranscriptView(theme, self, has_actions=False)
        self.transcript.action_chosen.connect(self._follow)
        self._go_on = Button(text=self.tr("Go on with this"), press=self._want)
        self.setLayout(column(self._choice, growing(self.transcript), at_left(self._go_on)))

    @property
    def shown(self) -> MessageId | None:
        return self._versions[self._place].message.id if self._versions else None

    def show_versions(self, versions: Sequence[ShownVersion], shown: MessageId) -> None:
        self._versions = versions
        self._menu.clear()
        for place in range(len(versions)):
            self._menu.addAction(self._label(place), partial(self._show, place))
        self._show([version.message.id for version in versions].index(shown))

    def _label(self, place: int) -> str:
        model = short_model(self._versions[place].message.model or "") or "Bellek"
        label = self.tr("{place} of {count}: {model}")
        words = label.format(place=place + 1, count=len(self._versions), model=model)
        return words.replace("&", "&&")

    def set_busy(self, *, is_busy: bool) -> None:
        self._is_busy = is_busy
        self._go_on.setDisabled(is_busy)

    def _show(self, place: int) -> None:
        self._place, version = place, self._versions[place]
        message, label = version.message, self._label(place)
        self._choice.setText(label)
        self._choice.setAccessibleName(f"{self._name}: {label}")
        is_open = message.state is MessageState.STREAMING
        self._go_on.setDisabled(is_open or self._is_busy)
        self._show_text(version, is_open=is_open)

    def _show_text(self, version: ShownVersion, *, is_open: bool) -> None:
        """Show a version from its beginning; one that has changed stays where it is read."""
        before, self._seen = self._seen, version
        message = version.message
        if before is not None and before.message.id == message.id:
            if before != version:
                self.transcript.finish(message, version.facts)
            return
        self.transcript.show_session([message], facts={message.id: version.facts})
        if not is_open:
            self.transcript.scroll_to_entry(self.transcript.entries[0], 0)

    def _follow(self, request: MessageRequest) -> None:
        if request.action is MessageAction.FOLLOW and self._seen is not None:
            self.link_chosen.emit(self._seen.facts.citations, request.text)

    def _want(self) -> None:
        if self.shown is not None:
            self.wanted.emit(self.shown)


class ComparePage(View):
    """Shows the versions of one answer; another can be asked for, of a tier or a model."""

    act = "compare"
    tier_wanted = Signal(object)  # Tier, or None: as the router decides
    go_on_wanted = Signal(object)  # MessageId
    stop_wanted = Signal()
    link_chosen = Signal(object, str)  # As in a column

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare answers"))
        self.versions: Sequence[ShownVersion] = ()
        self._back = BackButton(self.tr("Session"))
        self._back.clicked.connect(self.left)
        self._question = ElidedLabel(role="heading")
        # Else the room beside a short question would part it from the way back.
        self._question.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._another = Button("choice", text=self.tr("Another answer"))
        self.menu = PopupMenu(self._another)
        self._another.setMenu(self.menu)
        self._stop = Button(text=self.tr("Stop"), press=self.stop_wanted.emit)
        self._hint = HintLabel()
        self.columns = (
            VersionColumn(theme, self.tr("Version at the left")),
            VersionColumn(theme, self.tr("Version at the right")),
        )
        for shown in self.columns:
            shown.wanted.connect(self.go_on_wanted)
            shown.link_chosen.connect(self.link_chosen)
        margin = (Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        head = row(
            at_left(self._back),
            growing(self._question),
            at_left(self._stop),
            self._another,
            spacing=Space.LARGE,
        )
        body = row(*(growing(shown) for shown in self.columns), spacing=Space.LARGE)
        self.setLayout(column(head, self._hint, growing(body), margin=margin))
        self.setFocusProxy(self._another)

    def show_versions(self, question: str, versions: Sequence[ShownVersion]) -> None:
        """Show the newest version at the right, and the chosen one, else the last, beside it."""
        words = " ".join(question.split())
        self._question.set_text(words)
        ids = [version.message.id for version in versions]
        before = [version.message.id for version in self.versions]
        left, right = (shown.shown for shown in self.columns)
        is_new = len(ids) > len(before) or ids[: len(before)] != before
        self.versions = versions
        if is_new or right not in ids:
            right = ids[-1]
            left = left if left in ids and left != right else ids[max(len(ids) - 2, 0)]
        if left not in ids:
            left = ids[0]
        for shown, message_id in zip(self.columns, (left, right), strict=True):
            shown.show_versions(versions, message_id)
        is_one = len(ids) < len(self.columns)
        self.columns[1].setVisible(not is_one)
        one = self.tr("There is one answer so far. Ask for another above to compare them.")
        more = self.tr("The version that you do not choose stays, and can be shown again.")
        self._hint.setText(one if is_one else more)

    def offer_tiers(self) -> None:
        """Fill the menu; models are added below."""
        self.menu.clear()
        for tier, words in (
            (None, self.tr("Automatic depth")),
            (Tier.QUICK, self.tr("Quick answer")),
            (Tier.RESEARCH, self.tr("Research")),
            (Tier.DEEP, self.tr("Deep research")),
        ):
            self.menu.addAction(words, partial(self.tier_wanted.emit, tier))
        self.menu.addSeparator()

    def set_busy(self, *, is_busy: bool, can_ask: bool, can_stop: bool) -> None:
        """While an answer is written, none can be chosen; `can_ask`: whether another can wait."""
        self._stop.setVisible(can_stop)
        self._another.setEnabled(can_ask)
        for shown in self.columns:
            shown.set_busy(is_busy=is_busy)

    def add_text(self, message_id: MessageId, text: str, *, is_instead: bool) -> None:
        for shown in self.columns:
            if shown.shown == message_id:
                show = shown.transcript.set_text if is_instead else shown.transcript.add_text
                show(message_id, text)
