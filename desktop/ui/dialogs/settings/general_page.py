"""Settings, General: language, theme, zoom, and what past sessions are offered by themselves."""

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.dialogs.form import Form
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.settings.settings_page import SettingsPage
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM, ZOOM_STEP
from desktop.ui.widgets.fields import EnumComboBox, NumberField, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

_ZOOM_PERCENT = range(MIN_ZOOM, MAX_ZOOM + 1, ZOOM_STEP)


class GeneralPage(SettingsPage):
    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(changes, parent)
        self._begin()

    def _build(self) -> None:
        self._language_label, self._language = Label(), EnumComboBox(tuple(UiLanguage))
        self._language_hint = HintLabel()
        self._theme_label, self._theme = Label(), EnumComboBox(tuple(Theme))
        self._zoom_label, self._zoom = Label(), NumberField(_ZOOM_PERCENT)
        self._zoom_hint = HintLabel()
        form = Form()
        form.add_row(self._language_label, self._language, self._language_hint)
        form.add_gap()
        form.add_row(self._theme_label, self._theme)
        form.add_gap()
        form.add_row(self._zoom_label, self._zoom, self._zoom_hint)
        form.add_gap()
        self._past = SectionLabel()
        self._suggests, self._suggests_hint = WrappingCheckBox(), HintLabel()
        self._meaning, self._meaning_hint = WrappingCheckBox(), HintLabel()
        self._keeps, self._keeps_hint = WrappingCheckBox(), HintLabel()
        form.add_section(self._past)
        for box, hint in (
            (self._suggests, self._suggests_hint),
            (self._meaning, self._meaning_hint),
            (self._keeps, self._keeps_hint),
        ):
            form.add_check(box, hint)
        self.column.addWidget(form)
        self.column.addStretch()

    def _connect(self) -> None:
        self._language.chosen.connect(self._changes.choose_language)
        self._theme.chosen.connect(self._changes.choose_theme)
        self._zoom.valueChanged.connect(self._choose_zoom)
        self._suggests.clicked.connect(self._choose_suggestions)
        self._meaning.clicked.connect(self._choose_meaning)
        self._keeps.clicked.connect(self._choose_searches)

    def retranslate(self) -> None:
        self.title.setText(self.tr("General"))
        self._language_label.setText(self.tr("&Language"))
        # A language is named in itself, so that whoever is lost finds the way back.
        self._language.set_texts(self.tr("Same as system"), "Türkçe", "English")
        self._language_hint.setText(
            self.tr("Language of the window. Answers use the language of the question.")
        )
        self._theme_label.setText(self.tr("&Theme"))
        self._theme.set_texts(self.tr("Same as system"), self.tr("Light"), self.tr("Dark"))
        self._zoom_label.setText(self.tr("&Zoom"))
        self._zoom.set_format(self.tr("{percent}%"))
        self._zoom_hint.setText(self.tr("Size of all text in the window."))
        self._past.setText(self.tr("Past sessions"))
        self._suggests.setText(self.tr("S&uggest related sessions as I type"))
        self._suggests_hint.setText(
            self.tr("Shown above the message field; found on this computer. Nothing is sent.")
        )
        self._meaning.setText(self.tr("Also search by &meaning"))
        self._meaning_hint.setText(
            self.tr(
                "Uses a small model on this computer. Nothing is sent. When off, the "
                "model is not started."
            )
        )
        self._keeps.setText(self.tr("Remember &recent searches"))
        self._keeps_hint.setText(self.tr("Turning this off clears them immediately."))

    def _show(self, settings: Settings) -> None:
        self._language.show_member(settings.language)
        self._theme.show_member(settings.theme)
        self._zoom.show_number(settings.zoom_percent)
        self._suggests.setChecked(settings.suggests_sessions)
        self._meaning.setChecked(settings.searches_by_meaning)
        self._keeps.setChecked(settings.keeps_searches)

    def _choose_suggestions(self, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        self._changes.apply(replace(self._changes.settings, suggests_sessions=is_on))

    def _choose_meaning(self, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        self._changes.apply(replace(self._changes.settings, searches_by_meaning=is_on))

    def _choose_searches(self, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        self._changes.apply(replace(self._changes.settings, keeps_searches=is_on))

    def _choose_zoom(self, percent: int) -> None:
        self._changes.apply(replace(self._changes.settings, zoom_percent=percent))
