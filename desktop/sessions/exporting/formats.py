"""The formats in which sessions are exported, in the order in which the user sees them."""

from collections.abc import Sequence
from pathlib import Path

from desktop.sessions.exporting.bellek import BELLEK
from desktop.sessions.exporting.contents import ExportFormat
from desktop.sessions.exporting.markdown_export import MARKDOWN
from desktop.sessions.exporting.web_page import PDF, WEB_PAGE
from desktop.sessions.exporting.word import WORD

FORMATS: Sequence[ExportFormat] = (MARKDOWN, PDF, WORD, WEB_PAGE, BELLEK)


def format_of(path: Path, usual: ExportFormat) -> ExportFormat:
    """Return the format that the suffix of a file stands for; `usual` for any other suffix."""
    suffix = path.suffix.lower().removeprefix(".")
    named = (form for form in FORMATS if suffix in (form.name, *form.other_suffixes))
    return next(named, usual)
