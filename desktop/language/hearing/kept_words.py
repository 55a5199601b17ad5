"""Makes of the user's own words a sentence that can be kept: nothing is put into other words."""

import re

from desktop.domain.facts import LONGEST_FACT
from desktop.domain.language import Language
from desktop.language.language_detection import guess_language
from desktop.language.markdown_stripping import plain_text

_EDGES = " \t\r\n,;:–—-….?!"
_ITEM = re.compile(r"[,;.]?\s*\n[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_LEADING = re.compile(r"^(?:(?:ve|ama|and|but|so|that)\s+)+", re.IGNORECASE)
_MINE = re.compile(r"(?<=[mzMZ])[ıiuü]$")
_THEIRS = re.compile(r"(?<=[ıiuü])n[ıiuü]$")


def as_kept(text: str) -> str:
    """One line of at most 300 characters, without what parted it from the rest."""
    line = plain_text(_ITEM.sub(_parted, text.strip())).strip(_EDGES)
    line = _LEADING.sub("", line).strip(_EDGES)
    if len(line) > LONGEST_FACT:
        end = line.rfind(" ", 0, LONGEST_FACT - 1)
        line = f"{line[: end if end > 0 else LONGEST_FACT - 2].rstrip(_EDGES)} …"
    return _capitalised(line)


def _parted(found: re.Match[str]) -> str:
    """The items of a list, in one line."""
    return ", " if found.start() else ""


def without_case(clause: str) -> str:
    """A Turkish clause out of the accusative: "olduğumu" as "olduğum", "olduğunu" as "olduğu"."""
    bare = clause.rstrip(_EDGES)
    return _MINE.sub("", bare) if _MINE.search(bare) else _THEIRS.sub("", bare)


def _capitalised(line: str) -> str:
    if line[:1] == "i" and guess_language(line, Language.TR) is Language.TR:
        return "İ" + line[1:]
    return line[:1].upper() + line[1:]
