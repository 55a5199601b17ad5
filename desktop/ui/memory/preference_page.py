"""The page of preferences: how the user likes answers, each with its evidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import PreferenceId
from desktop.domain.learned_preferences import (
    LONGEST_PREFERENCE,
    KnownPreference,
    Preference,
    PreferenceEvidence,
    PreferenceSource,
)
from desktop.language.secrets import has_secret
from desktop.memory.active_memory import preference_name
from desktop.ui.dialogs.form import TextQuestion
from desktop.ui.formatting import day
from desktop.ui.memory.memory_actions import MemoryActions
from desktop.ui.services import NavigationTarget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton, PassageButton
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    clear_layout,
    column,
    frame_with,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import HintLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_MOST_SHOWN, _LONGEST_QUOTE = 3, 90


class PreferencePage(VerticalScrollArea):
    place_wanted = Signal(object)  # NavigationTarget of a message
    deleted = Signal(object)  # Change with its id
    filled = Signal()

    def __init__(self, actions: MemoryActions, theme: ThemeController) -> None:
        super().__init__()
        self._actions, self._theme = actions, theme
        self._known: Sequence[KnownPreference] = ()
        self._shown: dict[PreferenceId, QWidget] = {}
        self._rows = column(spacing=Space.WIDE)
        margin = (Space.SMALL, Space.SMALL, Space.LARGE, Space.LARGE)
        self.setWidget(widget_with(column(self._rows, STRETCH, margin=margin)))
        self.setAccessibleName(self.tr("Preferences"))

    @property
    def is_empty(self) -> bool:
        return not self._known

    def load(self) -> None:
        def work(services: "Services") -> list[KnownPreference]:
            archive, wall = services.archive, services.assistant.shown
            sure = [
                preference
                for preference in archive.preferences(wall)
                if preference.confidence or preference.is_edited
            ]
            return [
                KnownPreference(preference, archive.preference_evidence(preference.id))
                for preference in sure
            ]

        self._actions.worker.do_latest("preferences", work, self._show)

    def _show(self, preferences: Sequence[KnownPreference]) -> None:
        self._known = preferences
        focused = self.window().focusWidget()
        shown = list(self._shown)
        left = [key for key, widget in self._shown.items() if widget.isAncestorOf(focused)]
        clear_layout(self._rows)
        about = self.tr(
            "Bellek learns how you like your answers from what you ask for, from the comments "
            "on your ratings, and from your habits. What you ask for in the current session "
            "takes precedence."
        )
        self._shown = {entry.preference.id: self._made(entry) for entry in self._known}
        for made in (HintLabel(about), *self._shown.values()):
            self._rows.addWidget(made)
            made.show()
        if left and left[0] not in self._shown:  # it was deleted; its neighbour follows
            left = list(self._shown)[: shown.index(left[0]) + 1][-1:]
        for key in left:
            if (box := self._shown[key].findChild(WrappingCheckBox)) is not None:
                box.setFocus()
        self.filled.emit()

    def _made(self, entry: KnownPreference) -> QWidget:
        preference, evidence = entry.preference, entry.evidence
        name = self._name(preference)
        box = WrappingCheckBox(name.replace("&", "&&"))
        box.setChecked(preference.is_in_effect)
        box.clicked.connect(lambda is_on: self._switch(preference, is_on=is_on))
        edit, delete = IconButton(self._theme, Glyph.PENCIL), IconButton(self._theme, Glyph.TRASH)
        edit.set_name(self.tr("Reword: {preference}").format(preference=name))
        delete.set_name(self.tr("Delete: {preference}").format(preference=name))
        edit.clicked.connect(lambda: self.reword(preference))
        delete.clicked.connect(lambda: self._delete(preference))
        head = row(growing(column(STRETCH, box, STRETCH)), edit, delete, spacing=Space.TIGHT)
        parts: list[QWidget] = [HintLabel(self._state(preference))]
        parts += [self._source(record) for record in evidence[:_MOST_SHOWN]]
        if (more := len(evidence) - _MOST_SHOWN) > 0:
            parts.append(HintLabel(self.tr("and %n more message(s)", "", more)))
        below = column(*parts, spacing=Space.TIGHT, margin=(Space.SMALL, 0, 0, 0))
        return widget_with(column(head, frame_with("rule", below), spacing=Space.TIGHT))

    def _name(self, preference: Preference) -> str:
        name = preference_name(preference, self._actions.worker.services.texts())
        return f"{preference.words} ({name})" if preference.words not in {"", name} else name

    def _state(self, preference: Preference) -> str:
        if not preference.is_on:
            state = self.tr("Turned off")
        elif not preference.is_in_effect:
            state = self.tr("Not certain yet; turn it on to use it")
        else:
            state = self.tr("Sent with every question")
        sure = self.tr("{percent}% sure").format(percent=round(100 * preference.confidence))
        seen = self.tr("last on {day}").format(day=day(preference.seen_at))
        return " · ".join((state, sure, self.tr("%n message(s)", "", preference.count), seen))

    def _source(self, record: PreferenceEvidence) -> QWidget:
        sources = {
            PreferenceSource.WISH: self.tr("asked for"),
            PreferenceSource.THUMB: self.tr("rating"),
            PreferenceSource.HABIT: self.tr("habit"),
        }
        source = self.tr("contradicts") if record.is_against else sources[record.source]
        words = " ".join(record.quote.split())
        shown = words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE].rstrip()}…"
        place = NavigationTarget(record.session_id, record.message_id, ())
        text = self.tr("“{words}” · {source}, {day}").format(
            words=shown, source=source, day=day(record.at)
        )
        name = self.tr("Show in session: {words}").format(words=text)
        press = PassageButton()
        press.fill(column(HintLabel(text)))
        press.setAccessibleName(name)
        press.clicked.connect(lambda _: self.place_wanted.emit(place))
        return press

    def reword(self, preference: Preference, words: str = "", problem: str = "") -> None:
        """Ask for the user's own words; `problem`: what is wrong with `words`."""
        label = self.tr("In your own words")
        dialog = TextQuestion(
            self,
            self.tr("Preference"),
            problem or label,
            lambda words: self._save(preference, words.strip()),
            text=words or preference.words or self._name(preference),
        )
        dialog.textValueChanged.connect(lambda _: dialog.setLabelText(label))

    def _save(self, preference: Preference, words: str) -> None:
        if has_secret(words):
            self.reword(
                preference, words, self.tr("This looks like a key, a password or a card number.")
            )
        elif words:
            own = words[:LONGEST_PREFERENCE]
            self._actions.change(
                lambda services: services.memory.preferences.reword(preference.id, own)
            )

    def _switch(self, preference: Preference, *, is_on: bool) -> None:
        self._actions.change(
            lambda services: services.memory.preferences.switch(preference.id, is_on=is_on)
        )

    def _delete(self, preference: Preference) -> None:
        self._actions.change(
            lambda services: services.facts.forget_preference(preference.id), self.deleted.emit
        )
