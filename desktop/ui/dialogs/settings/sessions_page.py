"""Settings, Sessions: when one ends, what happens when it grows too long, who describes it."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QLocale, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.settings.settings import Overflow, Settings
from desktop.ui.dialogs.form import DialogTasks, Form
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.settings.settings_page import SettingsPage
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField, RadioGroup, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

_IDLE_MINUTES = range(1, 24 * 60 + 1, 5)
_SHARE_PERCENT = range(40, 96, 5)
_IMPORT_TOKENS = range(0, 100_000_001, 50_000)
_SPENT_MS = 1_000


class _DescribedBy(StrEnum):
    MODEL = "model"
    EXTRACTION = "extraction"


class SessionsPage(SettingsPage):
    phrases_asked = Signal()

    def __init__(
        self,
        changes: SettingsController,
        bridge: TurnBridge | None = None,
        spent_on_imports: Callable[[], int] = lambda: 0,
        parent: QWidget | None = None,
    ) -> None:
        """`spent_on_imports`: tokens; asked on a worker of the bridge."""
        super().__init__(changes, parent)
        self._spent = 0
        self._begin()
        if bridge is not None:
            errands = DialogTasks(bridge, self)
            self._look = QTimer(self, singleShot=True, interval=_SPENT_MS)

            def look() -> None:
                errands.run(spent_on_imports, self._show_spent, settled=self._look.start)

            self._look.timeout.connect(look)
            look()

    def _build(self) -> None:
        form = Form()
        self._build_ends(form)
        self._build_overflow(form)
        self._build_description(form)
        self.column.addWidget(form)
        self.column.addStretch()

    def _build_ends(self, form: Form) -> None:
        self._ends = SectionLabel()
        self._idle_label, self._idle = Label(), NumberField(_IDLE_MINUTES)
        self._idle_hint = HintLabel()
        self._thanks, self._thanks_hint = WrappingCheckBox(), HintLabel()
        self._phrases = Button()
        self._change, self._change_hint = WrappingCheckBox(), HintLabel()
        form.add_section(self._ends)
        form.add_row(self._idle_label, self._idle, self._idle_hint)
        form.add_gap()
        form.add_check(self._thanks, self._thanks_hint)
        form.add_field(self._phrases)
        form.add_gap()
        form.add_check(self._change, self._change_hint)

    def _build_overflow(self, form: Form) -> None:
        self._long = SectionLabel()
        self._share_label, self._share = Label(), NumberField(_SHARE_PERCENT)
        self._share_hint = HintLabel()
        self._overflow = RadioGroup(tuple(Overflow))
        form.add_section(self._long)
        form.add_row(self._share_label, self._share, self._share_hint)
        form.add_gap()
        form.add_field(self._overflow)

    def _build_description(self, form: Form) -> None:
        self._description = SectionLabel()
        self._described = RadioGroup(tuple(_DescribedBy))
        form.add_section(self._description)
        form.add_field(self._described)
        self._import_label, self._import = Label(), NumberField(_IMPORT_TOKENS)
        self._import.setGroupSeparatorShown(True)
        self._import_hint = HintLabel()
        form.add_row(self._import_label, self._import, self._import_hint)

    def _connect(self) -> None:
        self._idle.valueChanged.connect(self._choose_idle)
        self._thanks.clicked.connect(self._choose_thanks)
        self._phrases.clicked.connect(self.phrases_asked)
        self._change.clicked.connect(self._choose_change)
        self._import.valueChanged.connect(self._choose_import)
        self._share.valueChanged.connect(self._choose_share)
        self._overflow.chosen.connect(self._choose_overflow)
        self._described.chosen.connect(self._choose_description)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Sessions"))
        self._ends.setText(self.tr("When a session ends"))
        self._idle_label.setText(self.tr("&Idle for"))
        self._idle.set_format(self.tr("{minutes} minutes"))
        self._idle_hint.setText(
            self.tr("Never while an answer is being written or you are typing.")
        )
        self._thanks.setText(self.tr("End it when I &say so"))
        self._thanks_hint.setText(
            self.tr(
                "For example “Thanks, that's all” or “new topic”. You can undo it from the notice."
            )
        )
        self._phrases.setText(self.tr("Edit the &phrases…"))
        self._change.setText(self.tr("Start a new one when I change the su&bject"))
        self._change_hint.setText(
            self.tr("Follow-up questions stay in the session. You can undo it from the notice.")
        )
        self._retranslate_overflow()
        self._description.setText(self.tr("Title, summary and topics"))
        self._described.set_texts(
            (
                self.tr("Written by the summarising &model"),
                self.tr("The session is sent to it once, when it ends."),
            ),
            (
                self.tr("Extracted on this &computer"),
                self.tr("Nothing is sent; the words come from the session itself."),
            ),
        )

        self._import_label.setText(self.tr("Imp&orted sessions"))
        self._import.set_format(self.tr("{tokens} tokens at most"))
        self._import.setSpecialValueText(self.tr("Not sent to the model"))
        self._say_spent()

    def _say_spent(self) -> None:
        spent = QLocale().toString(self._spent)
        self._import_hint.setText(
            self.tr(
                "The summarising model writes their titles and summaries in the "
                "background up to this limit; {spent} tokens used so far."
            ).format(spent=spent)
        )

    def _retranslate_overflow(self) -> None:
        self._long.setText(self.tr("When a session becomes too long for the model"))
        self._share_label.setText(self.tr("&Act at"))
        self._share.set_format(self.tr("{percent}%"))
        self._share_hint.setText(self.tr("Percentage of the model's context window."))
        self._overflow.set_texts(
            (
                self.tr("Summa&rise the older half"),
                self.tr("The rest is sent to the model word for word."),
            ),
            (
                self.tr("Keep the last &20 exchanges"),
                self.tr("The model no longer sees earlier messages. They stay on your disk."),
            ),
            (
                self.tr("&End the session"),
                self.tr("It is saved and searchable; you continue in a new one."),
            ),
        )

    def _show(self, settings: Settings) -> None:
        self._idle.show_number(settings.idle_minutes)
        self._thanks.setChecked(settings.detects_thanks)
        self._phrases.setEnabled(settings.detects_thanks)
        self._change.setChecked(settings.detects_subject_change)
        self._share.show_number(round(settings.overflow_share * 100))
        self._overflow.show_member(settings.overflow)
        self._import.show_number(settings.import_tokens)
        self._import.setEnabled(settings.describes_with_model)
        by_model = settings.describes_with_model
        self._described.show_member(_DescribedBy.MODEL if by_model else _DescribedBy.EXTRACTION)

    def _choose_idle(self, minutes: int) -> None:
        self._changes.apply(replace(self._changes.settings, idle_minutes=minutes))

    def _choose_thanks(self, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        self._changes.apply(replace(self._changes.settings, detects_thanks=is_on))

    def _choose_change(self, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        self._changes.apply(replace(self._changes.settings, detects_subject_change=is_on))

    def _choose_import(self, tokens: int) -> None:
        self._changes.apply(replace(self._changes.settings, import_tokens=tokens))

    def _show_spent(self, tokens: int) -> None:
        self._spent = tokens
        self._say_spent()

    def _choose_share(self, percent: int) -> None:
        self._changes.apply(replace(self._changes.settings, overflow_share=percent / 100))

    def _choose_overflow(self, overflow: Overflow) -> None:
        self._changes.apply(replace(self._changes.settings, overflow=overflow))

    def _choose_description(self, by: _DescribedBy) -> None:
        by_model = by is _DescribedBy.MODEL
        self._changes.apply(replace(self._changes.settings, describes_with_model=by_model))
