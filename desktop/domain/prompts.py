"""Prompts of the user's own, with variables in braces: "Explain {topic} to a child"."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

_HEAD, _AT, _MARK = "# ", " @ ", " +"


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


def write_prompts(prompts: Sequence[Prompt]) -> str:
    """Return the prompts as one text: each below its name, which follows a number sign."""
    return "\n\n".join(f"{_HEAD}{_heading(prompt)}\n{prompt.text}" for prompt in prompts)


def read_prompts(text: str, projects: Collection[str] = ()) -> list[Prompt]:
    """Parse the prompts of a text; text before the first name is named by its first line.

    A name may end in " @ " and the name of the project it belongs to. A name that is taken gets
    a mark.
    """
    texts: dict[tuple[str, str], str] = {}
    for part in f"\n{text}".split(f"\n{_HEAD}"):
        heading, _, words = part.strip().partition("\n")
        name, at, project = heading.rpartition(_AT)
        if not (at and name and project in projects):
            name, project = heading, ""
        while (name, project) in texts:
            name += _MARK
        if name:
            texts[name, project] = words.strip() or name
    return [Prompt(name, words, project) for (name, project), words in texts.items()]


def _heading(prompt: Prompt) -> str:
    return f"{prompt.name}{_AT}{prompt.project}" if prompt.project else prompt.name


def merge_prompts(there: Sequence[Prompt], added: Iterable[Prompt]) -> list[Prompt]:
    """Return the existing prompts and the added ones, renamed if their name is taken."""
    by_name = {(prompt.name, prompt.project): prompt for prompt in there}
    for prompt in added:
        candidate = prompt
        while by_name.setdefault((candidate.name, candidate.project), candidate) != candidate:
            candidate = candidate._replace(name=candidate.name + _MARK)
    return list(by_name.values())
