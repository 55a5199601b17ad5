"""Prints below an answer what each of its numbers rests on: nothing unchecked passes for sure."""

import logging

from desktop.cli.output import plain
from desktop.cli.services import CommandServices
from desktop.domain.errors import StorageError
from desktop.domain.events import TurnEnded
from desktop.domain.messages import Citation
from desktop.sessions.export_citations import Cited, Note, note_of

log = logging.getLogger(__name__)


def print_notes(services: CommandServices, ended: TurnEnded) -> None:
    """Of what the answer does not quote itself."""
    told = Cited(texts=services.texts)
    notes = [_note(services, one) for one in ended.citations if not _is_quoted(one, ended)]
    if notes:
        print(file=services.stdout)
    for note in notes:
        doubt = "" if note.is_checked else "?"
        line = " · ".join(filter(None, (told.words(note), note.address)))
        print(plain(f"[{note.citation.number}{doubt}] {line}"), file=services.stdout)


def _is_quoted(citation: Citation, ended: TurnEnded) -> bool:
    """Whether the answer is a quotation of it, under the name of its source."""
    return f"> {' '.join(citation.quote.split())} [{citation.number}]" in ended.text


def _note(services: CommandServices, citation: Citation) -> Note:
    try:
        return note_of(services.archive, citation)
    except StorageError as exc:
        log.info("where an answer cites from could not be read: %s", exc.key)
        return Note(citation)
