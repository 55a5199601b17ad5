"""Prompts of the user's own, with variables in braces: "Explain {topic} to a child"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

_MARK = " +"


class Prompt(NamedTuple):
    name: str
    text: str
    project: str = ""  # The name of the project in which it is offered; empty: in all

    @property
    def variables(self) -> list[str]:
        """Return the names of its variables, each once, in order; other braces are text."""
        opened = [part.partition("}") for part in self.text.split("{")[1:]]
        names = dict.fromkeys(name.strip() for name, brace, _ in opened if brace)
        return [name for name in names if name.replace(" ", "_").isidentifier()]

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the text with these values filled in; braces inside a value are not replaced."""
        head, *opened = self.text.split("{")
        for part in opened:
            name, brace, rest = part.partition("}")
            value = values.get(name.strip()) if brace else None
            head += "{" + part if value is None else value + rest
        return head


def with_free_name(prompt: Prompt, taken: Iterable[Prompt]) -> Prompt:
    """Return the prompt, marked if another of its project has its name."""
    names = {(each.name, each.project) for each in taken}
    while (prompt.name, prompt.project) in names:
        prompt = prompt._replace(name=prompt.name + _MARK)
    return prompt


def merge_prompts(there: Sequence[Prompt], added: Iterable[Prompt]) -> list[Prompt]:
    """Return the existing prompts and the added ones, renamed if their name is taken."""
    by_name = {(prompt.name, prompt.project): prompt for prompt in there}
    for prompt in added:
        candidate = prompt
        while by_name.setdefault((candidate.name, candidate.project), candidate) != candidate:
            candidate = candidate._replace(name=candidate.name + _MARK)
    return list(by_name.values())
