"""Documents that lie within a conversation: pasted by the user, or written by the assistant.

In the programs they come from they stand beside the messages; here they stand in them.
"""

import re
from dataclasses import dataclass, field

_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_PROSE = frozenset({"", "document", "markdown", "text/markdown"})
_MOST_REPEATED = 8 << 20
"""Letters of one conversation's documents in all the states that they went through."""
_LANGUAGE = re.compile(r"[\w+#.-]{1,20}")


def paper(name: str, content: str, kind: str = "") -> str:
    """Its name and its words as Markdown; `kind`: a language, or nothing for prose."""
    title = f"**{name}**\n\n" if name else ""
    if kind in _PROSE:
        return f"{title}{content.strip()}"
    longest = max((len(one[1]) for one in _FENCE.finditer(content)), default=2)
    fence = "`" * (longest + 1)
    language = kind if _LANGUAGE.fullmatch(kind) else ""
    return f"{title}{fence}{language}\n{content.strip(chr(10))}\n{fence}"


@dataclass(slots=True)
class Papers:
    """The assistant's of one conversation, as they stand after each change."""

    name: str = ""
    kind: str = ""
    """Of the newest, which a change may not say again."""
    contents: dict[str, str] = field(default_factory=dict)
    _room: int = _MOST_REPEATED

    def written(self, name: str, content: str) -> str:
        self.contents[name] = content
        return content

    def changed(self, name: str, old: str, new: str) -> str | None:
        """Whole, after a change; None where what was to be changed is not there."""
        content = self.contents.get(name)
        if content is None or not old or old not in content:
            return None
        changed = content.replace(old, new, 1)
        self._room -= len(changed)
        # A thousand small changes of a large document are not a thousand large documents.
        return self.written(name, changed) if self._room > 0 else None
