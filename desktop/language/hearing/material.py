"""Tells what a person says from what they bring along: code, and words between quotation marks.

What is asked about is not asked: "print(your_api_key)" wants no key, and “who are you” is a text
to be translated.
"""

import re

_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»\n]*\s[^\"“”„«»\n]*)[\"”“»]")
_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_CODE_LINE = re.compile(
    r"^(?:[ \t]*(?:(?:def|class)\s+\w+.*:|import\s+[\w.]+|from\s+[\w.]+\s+import\b.*|#include\b.*"
    r"|//.*|/\*.*|\$ .*|>>> .*|Traceback \(.*|File \".*|at [\w.$<>]+\(.*|</?\w+[^>\n]*>.*"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|RUN|COPY)\b.*|[\w.]*(?:Error|Exception)\b.*)"
    r"|.*[{};]|.*\w\(.*\)[:;]?|[^?\n]*\w\]? ?(?:[-+*/]?=|==|!=|=>|->|:=) ?[^?\n]*)[ \t]*$",
    re.MULTILINE,
)
_NOT_BLANK = re.compile(r"[^\s]")
_WORD = re.compile(r"[^\W\d_]{2}")


def without_material(text: str) -> str:
    """The message with blanks for what it brings along, as long as before.

    Where there is nothing else, it is what is said.
    """
    said = _QUOTED.sub(_blanked, _FENCED.sub(_blanked, text))
    if "\n" in said.strip():
        said = _CODE_LINE.sub(_blanked, said)
    return said if _WORD.search(said) else text


def blanked(text: str) -> str:
    return _NOT_BLANK.sub(" ", text)


def _blanked(found: re.Match[str]) -> str:
    return blanked(found[0])
