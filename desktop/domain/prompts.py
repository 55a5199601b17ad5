"""Prompts of the user's own, with variables in braces: "Explain {topic} to a child"."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

_HEAD = "# "


class Prompt(NamedTuple):
    name: str
    text: str

    @property
    def variables(self) -> list[str]:
        """Return the names of its variables, each once, in order; other braces are text."""
        opened = [part.partition("}") for part in self.text.split("{")[1:]]
        names = dict.fromkeys(name.strip() for name, brace, _ in opened if brace)
        return [name for name in names if name.replace(" ", "_").isidentifier()]

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the text with these values, in which nothing is replaced."""
        head, *opened = self.text.split("{")
        for part in opened:
            name, brace, rest = part.partition("}")
            value = values.get(name.strip()) if brace else None
            head += "{" + part if value is None else value + rest
        return head


def write_prompts(prompts: Sequence[Prompt]) -> str:
    """Return the prompts as one text: each below its name, which follows a number sign."""
    return "\n\n".join(f"{_HEAD}{one.name}\n{one.text}" for one in prompts)


def read_prompts(text: str) -> list[Prompt]:
    """Return the prompts of a text; what stands before the first name is named by its first line.

    Names differ: one that is there already gets a mark.
    """
    found: dict[str, str] = {}
    for part in f"\n{text}".split(f"\n{_HEAD}"):
        name, _, words = part.strip().partition("\n")
        while name in found:
            name += " +"
        if name:
            found[name] = words.strip() or name
    return [Prompt(name, words) for name, words in found.items()]
