"""The muted line above an answer: who wrote it, when, how long it took, what it cost."""

from PySide6.QtCore import QLocale, QObject

from desktop.domain.messages import Message
from desktop.domain.usage import Usage
from desktop.ui.formatting import day_and_time

_MINUTE_S = 60
_LEAST_COST = 0.01


class Headline(QObject):
    """Words of the head line in the interface's language."""

    def __init__(self, locale: QLocale, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._locale = locale

    def of(self, message: Message, usage: Usage | None) -> str:
        parts = [day_and_time(message.created_at)]
        if message.model is not None:
            parts.insert(0, message.model or self.tr("Bellek"))
        if message.duration_ms is not None and message.model:
            parts.append(self._duration(message.duration_ms))
        if usage is not None and usage.total_tokens:
            parts.append(self._price(usage))
        return " · ".join(parts)

    def _duration(self, milliseconds: int) -> str:
        seconds = milliseconds / 1000
        if seconds < _MINUTE_S:
            digits = 0 if seconds >= 1 else 1
            return self.tr("{seconds} s").format(
                seconds=self._locale.toString(seconds, "f", digits)
            )
        minutes, rest = divmod(round(seconds), _MINUTE_S)
        return self.tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)

    def _price(self, usage: Usage) -> str:
        if usage.cost_usd is None:
            tokens = self._locale.toString(usage.total_tokens)
            return self.tr("{count} tokens").format(count=tokens)
        if 0 < usage.cost_usd < _LEAST_COST:
            return self.tr("< ${cost}").format(cost=self._locale.toString(0.01, "f", 2))
        return self.tr("${cost}").format(cost=self._locale.toString(usage.cost_usd, "f", 2))
