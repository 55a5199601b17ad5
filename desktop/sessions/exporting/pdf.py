"""Sessions for paper: a page that the front end lays out, as PDF or by a printer."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from desktop.sessions.exporting.contents import (
    DrawFormula,
    ExportContents,
    ExportedSession,
    ExportFormat,
)
from desktop.sessions.exporting.web_page import as_page


def as_print_page(sessions: Iterable[ExportedSession], draw: DrawFormula) -> str:
    """Return a page in the HTML that Qt knows; `draw` shows the formulas."""
    # Pictures by name alone, as Qt would decode them in this process.
    named = [
        (each.session, each.messages, replace(each.cite(), data_of=lambda _: None))
        for each in sessions
    ]
    return as_page(named, draw, style="print")


def _write(contents: ExportContents) -> Iterator[bytes]:
    if contents.print_pdf is None:
        raise NotImplementedError("this front end lays out no pages")
    yield contents.print_pdf(partial(as_print_page, contents.sessions))


PDF = ExportFormat("pdf", _write, holds_many=False, is_text=False)
