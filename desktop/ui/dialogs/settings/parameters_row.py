"""How a role's requests are made: the longest answer, and a temperature where one is taken."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QDoubleSpinBox, QHBoxLayout, QWidget

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    EndpointKind,
    ModelRole,
    RoleParameters,
)
from desktop.settings.settings import Settings
from desktop.settings.settings_schema import ANSWER_TOKENS, TEMPERATURE
from desktop.ui.dialogs.settings.settings_controller import SettingsChanges, with_parameters
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.fields import NumberField

_STEP_TOKENS = 500
_STEP = 0.1


class ParametersRow(QWidget):
    """Both at their least mean that nothing is set."""

    def __init__(self, role: ModelRole, changes: SettingsChanges) -> None:
        super().__init__()
        self._role = role
        self._changes = changes
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self._longest = NumberField(range(0, ANSWER_TOKENS.stop, _STEP_TOKENS))
        self._temperature = QDoubleSpinBox()
        least, most = TEMPERATURE
        self._temperature.setRange(least - _STEP, most)
        self._temperature.setSingleStep(_STEP)
        self._temperature.setDecimals(1)
        self._temperature.setKeyboardTracking(False)
        # WORKAROUND Qt 6.11: a stylesheet's padding does not reach the left of the number.
        self._temperature.lineEdit().setTextMargins(Space.SMALL, 0, 0, 0)
        self._line = line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(Space.SMALL)
        line.addWidget(self._longest, 1)
        line.addWidget(self._temperature, 1)

    def _connect(self) -> None:
        self._changes.changed.connect(self._show)
        self._longest.valueChanged.connect(lambda _: self._put())
        self._temperature.valueChanged.connect(lambda _: self._put())

    def minimumSizeHint(self) -> QSize:
        """One stands below the other where both have no room."""
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = sum(self._widths()) + self._line.spacing()
        way = QBoxLayout.Direction
        self._line.setDirection(
            way.LeftToRight if beside <= event.size().width() else way.TopToBottom
        )

    def _widths(self) -> tuple[int, int]:
        return (
            self._longest.minimumSizeHint().width(),
            # Which does not count the margin above.
            self._temperature.minimumSizeHint().width() + Space.SMALL,
        )

    def retranslate(self) -> None:
        self._longest.setAccessibleName(self.tr("Longest answer"))
        self._longest.setSpecialValueText(self.tr("Default length"))
        self._longest.set_format(self.tr("At most {number} tokens"))
        self._temperature.setAccessibleName(self.tr("Temperature"))
        self._temperature.setSpecialValueText(self.tr("Default temperature"))
        before, _, rest = self.tr("Temperature {number}").partition("{number}")
        self._temperature.setPrefix(before)
        self._temperature.setSuffix(rest)
        self._show(self._changes.settings)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _show(self, settings: Settings) -> None:
        parameters = settings.parameters.get(self._role, USUAL_PARAMETERS)
        self._longest.show_number(parameters.most_output_tokens or 0)
        chosen = parameters.temperature
        with QSignalBlocker(self._temperature):
            least = self._temperature.minimum()
            self._temperature.setValue(least if chosen is None else chosen)
        self._temperature.setEnabled(_takes_temperature(settings, self._role))

    def _put(self) -> None:
        tokens, temperature = self._longest.value(), self._temperature.value()
        parameters = RoleParameters(
            max(tokens, ANSWER_TOKENS.start) if tokens else None,
            round(temperature, 1) if temperature >= TEMPERATURE[0] else None,
        )
        self._changes.put(with_parameters(self._changes.settings, self._role, parameters))


def _takes_temperature(settings: Settings, role: ModelRole) -> bool:
    choice = settings.roles.get(role) or settings.roles.get(ModelRole.ANSWERING)
    kinds = {one.id: one.kind for one in settings.endpoints}
    kind = kinds.get(choice.endpoint_id) if choice else None
    return kind is not None and kind is not EndpointKind.ANTHROPIC
