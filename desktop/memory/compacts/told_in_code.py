"""What a fenced block says that a compact must keep: its errors, and the figures of plain text.

A program is worked on, not told: of its lines only those count that report an error. A block that
is no program is a note or a table, unless it is a log, whose every line has figures.
"""

import re
from collections.abc import Iterator

from desktop.language.markdown_stripping import FENCE

_PLAIN_KINDS = frozenset({"", "text", "txt", "plain", "plaintext", "md", "markdown", "none"})
_PROGRAM = re.compile(
    r"(?m)^[ \t]*(?:def|class|import|from|for|if|elif|else|while|return|function|const|let|var|try"
    r"|except|catch|public|private|#include|SELECT|INSERT|UPDATE|sudo|\$|>>>)(?![^\W_])"
    r"|[{};][ \t]*$|\w[ \t]*:?=[ \t]*\S|\w\(|</\w"
)
_TIME_OF_DAY = re.compile(r"\d\d:\d\d:\d\d")
_LONGEST_NOTE = 12
"""Lines."""
_LONGEST_LINE = 300
_MOST_ERRORS = 12
"""Lines of one block: after those a log only says it again."""
_ERROR_NAME = (
    r"(?:[A-Za-z_$][\w$]*[.:])*(?P<name>[A-Z]\w{0,60}(?:Error|Exception|Warning|Fault)"
    r"|ERR_[A-Z_]+|E[A-Z]{5,})"
)
_ERROR_LINE = re.compile(
    rf"^\W*(?:[\w.-]+: |Uncaught |Caused by: |Exception in thread \S+ |Unhandled )?{_ERROR_NAME}"
    r"(?=[:\s]|$)"
)
_ERROR_CODE = re.compile(
    r"(?i)^\W*(?:error|fatal|hata|panic|exit (?:code|status)|çıkış kodu|HTTP|npm ERR!|ORA-"
    r"|SQLSTATE)(?![^\W\d_])"
)
_CODE = re.compile(r"\b[A-Z]{1,6}-?\d{2,6}\b")
_PLACE = re.compile(r"(?i)0x[0-9a-f]+|\b(?:line|satır|col|column|sütun|at) \d+|:\d+(?::\d+)?\b")
"""Where in a file or in memory: it changes from run to run."""


def told_in_code(text: str) -> Iterator[str]:
    """The pieces of a message's blocks, as they are written."""
    if "```" not in text and "~~~" not in text:
        return
    for fence in FENCE.finditer(text):
        kind, _, body = fence[0].strip().lstrip("`~").partition("\n")
        body = body.rstrip().rstrip("`~")
        if _is_note(kind.strip().lower(), body):
            yield body
        else:
            yield from _errors(body)


def error_names(pieces: str) -> Iterator[str]:
    """The names of errors at the head of lines, and their codes."""
    for line in pieces.splitlines():
        if found := _ERROR_LINE.match(line[:_LONGEST_LINE]):
            yield found["name"]
        elif _ERROR_CODE.match(line[:_LONGEST_LINE]):
            yield from _CODE.findall(line[:_LONGEST_LINE])


def _is_note(kind: str, body: str) -> bool:
    if kind not in _PLAIN_KINDS or _PROGRAM.search(body) or _TIME_OF_DAY.search(body):
        return False
    return body.count("\n") < _LONGEST_NOTE and not any(map(_is_error, body.splitlines()))


def _errors(body: str) -> Iterator[str]:
    lines = (line[:_LONGEST_LINE] for line in body.splitlines())
    found = dict.fromkeys(line.strip() for line in lines if _is_error(line))
    for line in list(found)[:_MOST_ERRORS]:
        yield _PLACE.sub(lambda place: " " * len(place[0]), line)


def _is_error(line: str) -> bool:
    line = line[:_LONGEST_LINE]
    return bool(_ERROR_LINE.match(line) or _ERROR_CODE.match(line))
