"""Where the notes of a message stand in its panes, and which of its words are selected."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint

from desktop.domain.notes import Note
from desktop.ui.transcript.text_block import NotePlace, TextPane
from desktop.ui.transcript.text_decorations import HighlightTerms

_APART = " … "  # Between the words of several panes


def selected_in(panes: Sequence[TextPane]) -> tuple[str, int]:
    """Return the words selected in a message, and which of the places with them it is."""
    parts = [" ".join(pane.textCursor().selection().toPlainText().split()) for pane in panes]
    words = _APART.join(filter(None, parts))
    before = 0
    for pane, part in zip(panes, parts, strict=True):
        spans = _spans(next(filter(None, parts)), pane) if words else []
        if part:
            start = pane.textCursor().selectionStart()
            return words, before + sum(span[0] < start for span in spans)
        before += len(spans)
    return words, 0


def show_notes(notes: Sequence[Note], panes: Sequence[TextPane]) -> None:
    """Mark the words of the notes in the panes of their message."""
    for pane in panes:
        pane.show_notes(())
    for note in notes:
        first, *others = note.quote.split(_APART)
        places = [(pane, span) for pane in panes for span in _spans(first, pane)]
        chosen = places[note.occurrence : note.occurrence + 1] or places[:1]
        for part in others:
            chosen += [(pane, span) for pane in panes for span in _spans(part, pane)[:1]][:1]
        for pane, span in chosen:
            pane.show_notes((*pane.notes, NotePlace(note, *span)))


def notes_at(panes: Sequence[TextPane], at: QPoint) -> Iterator[Note]:
    """Yield the notes at a point of the screen."""
    for pane in panes:
        position = pane.position_at(at)
        yield from (place.note for place in pane.notes if place.start <= position < place.end)


def _spans(words: str, pane: TextPane) -> list[tuple[int, int]]:
    text = pane.toPlainText()
    terms = HighlightTerms(terms=(words,)) if " " in words else HighlightTerms(text=words)
    return terms.spans_in_document(text) if words else []
