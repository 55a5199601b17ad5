"""The user's own prompts: writing all of them, and asking for the variables of one."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialogButtonBox, QLayout, QLineEdit, QWidget

from desktop.domain.prompts import Prompt, write_prompts
from desktop.ui.dialogs.form import CloseButtons, FormGrid, RebuiltDialog
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.layouts import growing, resize_to_text
from desktop.ui.widgets.plain_text import Label


class PromptsDialog(RebuiltDialog):
    """All prompts in one text; closing it keeps them."""

    def __init__(self, prompts: Sequence[Prompt], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = TextArea(write_prompts(prompts), lines=16)
        self.rebuild()
        resize_to_text(self, 80, 30)

    def _build(self) -> QLayout:
        self.text = TextArea(self.text.text(), lines=16)
        self.text.setAccessibleName(self.tr("Prompts"))
        hint = self.tr(
            "Each prompt begins with its name on a line of its own, as in “# Explain”. With “@” "
            "and a project after the name, as in “# Explain @ Thesis”, it is offered in that "
            "project alone. Words in braces, as in “Explain [topic]”, are asked for when you use "
            "it."
        )
        hint = hint.replace("[", "{").replace("]", "}")
        parts = (HintLabel(hint), growing(self.text), CloseButtons(self.accept))
        return self._titled(self.tr("Prompts"), *parts)


class VariablesDialog(RebuiltDialog):
    def __init__(self, prompt: Prompt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self.fields = {name: QLineEdit() for name in prompt.variables}
        self.rebuild()

    @property
    def filled(self) -> str:
        return self._prompt.filled({name: one.text() for name, one in self.fields.items()})

    def _build(self) -> QLayout:
        form, choices = FormGrid(), QDialogButtonBox.StandardButton
        self.fields = {name: QLineEdit(one.text()) for name, one in self.fields.items()}
        for name, field in self.fields.items():
            form.add_row(Label(name.replace("&", "&&")), field)
        buttons = QDialogButtonBox(choices.Ok | choices.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return self._titled(self._prompt.name, form, buttons)
