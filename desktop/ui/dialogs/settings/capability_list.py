"""What an endpoint can do, a line for each thing, as Test finds it out."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop.llm.capability_test import Probe, TestStep
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.labels import BodyLabel, HintLabel, ProblemLabel


class Abilities(QWidget):
    """Lines that begin with a tick or a dash; their words follow the language."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._steps: dict[Probe, TestStep] = {}
        self._is_waiting = False
        self._lines, self._after, self._problem = BodyLabel(), HintLabel(), ProblemLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.TIGHT, 0, 0)
        column.setSpacing(Space.TIGHT)
        for widget in (self._lines, self._after, self._problem):
            column.addWidget(widget)
        self.retranslate()

    def clear(self) -> None:
        self._steps = {}
        self._is_waiting = False
        self._problem.set_text("")
        self.retranslate()

    def wait(self) -> None:
        self.clear()
        self._is_waiting = True
        self.retranslate()

    def show_step(self, step: TestStep, problem: str) -> None:
        self._steps[step.what] = step
        if problem:
            self._problem.set_text(problem)
        self.retranslate()

    def say_problem(self, problem: str) -> None:
        self._problem.set_text(problem)

    def end(self) -> None:
        self._is_waiting = False
        self.retranslate()

    def retranslate(self) -> None:
        names = {
            Probe.MODELS: self.tr("Lists its models"),
            Probe.ANSWER: self.tr("Answers"),
            Probe.STRUCTURED_OUTPUT: self.tr("Structured output"),
            Probe.COUNT_TOKENS: self.tr("Token counting"),
            Probe.CITATIONS: self.tr("Native citations"),
            Probe.TOOLS: self.tr("Tool use"),
            Probe.CACHING: self.tr("Prompt caching"),
        }
        self._lines.setText(
            "\n".join(
                f"{'✓' if step.ok else '–'}  {names[what]}" for what, step in self._steps.items()
            )
        )
        self._lines.setVisible(bool(self._steps))
        self._after.setText(self._last_words())
        self._after.setVisible(bool(self._after.text()))

    def _last_words(self) -> str:
        if self._is_waiting:
            return self.tr("Testing…")
        answers = self._steps.get(Probe.ANSWER)
        if answers is None or not answers.ok:
            return ""
        if all(step.ok for step in self._steps.values()):
            return self.tr("Everything Bellek needs works.")
        return self.tr("Good enough. Bellek makes up for what's missing.")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
