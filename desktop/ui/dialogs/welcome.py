"""The welcome dialog of the first run: chooses a connection; it can be skipped."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QDialog, QSizePolicy, QWidget

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import AppError, KeyRejectedError
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.dialogs.connection_choices import (
    CloudChoice,
    ConnectedChoice,
    ConnectionChoice,
    ModelFileChoice,
    NoModelChoice,
    ServerChoice,
)
from desktop.ui.dialogs.endpoint_setup import (
    EndpointSetup,
    ModelServices,
    connect_endpoint,
    connected_by_environment,
    with_choice,
    with_endpoint,
    with_free_id,
)
from desktop.ui.dialogs.form import DialogTasks
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, WrappingCheckBox
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    column,
    frame_with,
    growing,
    resize_within_screen,
    row,
    text_width,
    widget_with,
)

_CHARACTERS = 84
_MARGIN = Space.WIDE + Space.SMALL


class WelcomeDialog(TranslatedWidget, QDialog):
    examples_asked = Signal()  # the user wants the example library loaded

    def __init__(
        self,
        changes: SettingsController,
        services: ModelServices,
        *,
        offers_examples: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`offers_examples`: whether the archive is empty."""
        super().__init__(parent)
        self._changes = changes
        self._services = services
        self._tasks = DialogTasks(services.bridge, self)
        self._unchecked: ConnectionChoice | None = None
        self._title, self._lead, self._question = TitleLabel(), BodyLabel(), SectionLabel()
        self._examples, self._examples_hint = WrappingCheckBox(), HintLabel()
        self._examples_hint.setProperty("below", "box")
        self._language, self._theme = EnumComboBox(tuple(UiLanguage)), EnumComboBox(tuple(Theme))
        self._skip = Button("quiet", press=self.reject)
        self._begin = Button("primary", press=self._try)
        self._begin.setDefault(True)
        self._key = CloudChoice(services)
        self._server, self._file = ServerChoice(services), ModelFileChoice()
        self._choices = self._made_choices()
        self._group = QButtonGroup(self)
        for place, choice in enumerate(self._choices):
            self._group.addButton(choice.button, place)
        for widget in (self._examples, self._examples_hint):
            widget.setVisible(offers_examples)
        self._lay_out()
        self._connect()
        self.retranslate()
        self._show(changes.settings)
        self._usual.button.setChecked(True)

    def _made_choices(self) -> Sequence[ConnectionChoice]:
        others = (self._key, self._server, self._file)
        settings = self._changes.settings
        connected = connected_by_environment(settings, self._services.in_force(settings))
        if connected is None:
            self._usual: ConnectionChoice = NoModelChoice()
            return (*others, self._usual)
        # What the environment connects answers, whatever is chosen: without a model is no choice.
        self._usual = ConnectedChoice(*connected)
        return (self._usual, *others)

    def _lay_out(self) -> None:
        examples = column(self._examples, self._examples_hint, spacing=Space.TIGHT)
        self._column = column(
            *(self._title, self._lead, self._question),
            *self._choices,
            examples,
            STRETCH,
            spacing=Space.MEDIUM,
            margin=(_MARGIN, _MARGIN, _MARGIN, Space.LARGE),
        )
        self._column.insertSpacing(2, Space.MEDIUM)
        self._column.insertSpacing(self._column.count() - 2, Space.SMALL)
        self._content = widget_with(self._column)
        self._area = VerticalScrollArea()
        self._area.setWidget(self._content)
        # The foot stays in sight, however long the page is.
        for drop_down in (self._language, self._theme):
            drop_down.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        last = row(self._language, self._theme, STRETCH, self._skip, self._begin)
        margin = (_MARGIN, 0, _MARGIN, Space.WIDE)
        foot = column(frame_with("line"), last, spacing=Space.LARGE, margin=margin)
        self._foot = widget_with(foot)
        self.setLayout(column(growing(self._area), self._foot, spacing=0))

    def _connect(self) -> None:
        self._changes.changed.connect(self._show)
        self._language.chosen.connect(self._changes.choose_language)
        self._theme.chosen.connect(self._changes.choose_theme)
        self._group.idToggled.connect(lambda *_: self._check_again())
        self._content.installEventFilter(self)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Welcome to Bellek"))
        self._title.setText(self.tr("Welcome to Bellek"))
        self._area.setAccessibleName(self.tr("Welcome to Bellek"))
        self._lead.setText(
            self.tr("You ask, it answers, and it remembers. Everything is saved on your own disk.")
        )
        self._question.setText(self.tr("Where should answers come from?"))
        self._examples.setText(self.tr("Load the sampl&e sessions"))
        self._examples_hint.setText(
            self.tr(
                "A dozen sample research sessions for trying out search and picking up "
                "where they left off, in Turkish and English. Delete them whenever you "
                "like."
            )
        )
        self._language.setAccessibleName(self.tr("Language"))
        self._language.set_texts(self.tr("System language"), "Türkçe", "English")
        self._theme.setAccessibleName(self.tr("Theme"))
        self._theme.set_texts(self.tr("System theme"), self.tr("Light"), self.tr("Dark"))
        self._skip.setText(self.tr("S&kip"))
        self._set_begin_text()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Keep the height of what is open, as far as the screen goes, and let no word be cut."""
        self.setMinimumWidth(
            max(text_width(self, _CHARACTERS), self._foot.minimumSizeHint().width())
        )
        page = self._column.totalHeightForWidth(self.width())
        resize_within_screen(self, self.width(), page + self._foot.sizeHint().height())

    def reject(self) -> None:
        """Skipped is seen too; the settings offer all of it again."""
        self._changes.apply(replace(self._changes.settings, welcomed=True))
        super().reject()

    def _set_begin_text(self) -> None:
        self._begin.setText(
            self.tr("S&tart") if self._unchecked is None else self.tr("Continue &anyway")
        )

    def _show(self, settings: Settings) -> None:
        self._language.show_value(settings.language)
        self._theme.show_value(settings.theme)

    def _chosen(self) -> ConnectionChoice:
        return self._choices[self._group.checkedId()]

    def _check_again(self) -> None:
        self._unchecked = None
        self._set_begin_text()

    def _try(self) -> None:
        choice = self._chosen()
        if missing := choice.missing():
            choice.problem.set_text(missing)
            return
        setup = choice.setup()
        if setup is None:
            self._end()
            return
        self._connect_endpoint(choice, replace(setup, is_checked=choice is not self._unchecked))

    def _connect_endpoint(self, choice: ConnectionChoice, setup: EndpointSetup) -> None:
        choice.problem.set_text("")
        self._set_waiting(is_waiting=True)
        own = replace(
            setup, endpoint=with_free_id(setup.endpoint, self._changes.settings.endpoints)
        )
        self._tasks.run(
            lambda: connect_endpoint(self._services, own),
            lambda model: self._use(own, model),
            lambda error: self._show_failure(choice, error),
            lambda: self._set_waiting(is_waiting=False),
        )

    def _set_waiting(self, *, is_waiting: bool) -> None:
        for choice in self._choices:
            choice.setDisabled(is_waiting)
        self._begin.setDisabled(is_waiting)
        if is_waiting:
            self._begin.setText(self.tr("Connecting…"))
        else:
            self._set_begin_text()

    def _use(self, setup: EndpointSetup, model: str) -> None:
        settings = with_endpoint(self._changes.settings, setup.endpoint)
        answers = ModelChoice(setup.endpoint.id, model)
        self._changes.apply(with_choice(settings, ModelRole.ANSWERING, answers))
        self._end()

    def _show_failure(self, choice: ConnectionChoice, error: AppError) -> None:
        """A key that was refused is no good; anything else may come right by itself."""
        choice.problem.set_text(self._services.texts().error(error))
        self._unchecked = None if isinstance(error, KeyRejectedError) else choice

    def _end(self) -> None:
        self._changes.apply(replace(self._changes.settings, welcomed=True))
        if self._examples.isChecked():
            self.examples_asked.emit()
        self.accept()
