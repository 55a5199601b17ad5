"""The mark of an address or a source that was never given, as it stands in an answer."""

import pytest
from PySide6.QtGui import QTextCursor

from desktop.domain.messages import Citation, CitationState
from desktop.ui.transcript.entries import MessageFacts
from desktop.ui.transcript.inline_spans import InlineSpan, Style
from desktop.ui.transcript.markdown import Paragraph, parse
from desktop.ui.transcript.view import TranscriptView
from tests.ui.transcript.conftest import answer, card_of, question

MADE = "https://made.example"
KNOWN = {1: Citation(1, CitationState.CHECKED, "gece", "s", "p", "Somogyi")}


@pytest.mark.parametrize(
    ("source", "runs"),
    [
        (
            f"Bak {MADE} [?], olur.",
            ("Bak ", MADE, " ", "[?]", ", olur."),
        ),
        (f"[bu]({MADE})[?]", ("bu", "[?]")),
        ("Öyle [2?][?] ve [1].", ("Öyle ", "[2?]", "[?]", " ve", "1", ".")),
    ],
)
def test_it_is_set_apart_from_the_words_around_it(source: str, runs: tuple[str, ...]) -> None:
    (paragraph,) = parse(source, KNOWN).blocks
    assert isinstance(paragraph, Paragraph)
    assert tuple(run.text for run in paragraph.runs) == runs
    marks = [run for run in paragraph.runs if "?" in run.text]
    assert all(run == InlineSpan(run.text, Style.UNCHECKED) for run in marks)


def test_what_it_means_is_told_where_the_pointer_rests(view: TranscriptView) -> None:
    done = answer(2, f"Bak {MADE} [?] ve [1].")
    view.show_session([question(1), done], facts={done.id: MessageFacts(list(KNOWN.values()))})
    (pane,) = card_of(view, done).panes()
    at = QTextCursor(pane.document())
    told = {}
    for place, letter in enumerate(pane.toPlainText(), start=1):
        at.setPosition(place)
        told[letter] = at.charFormat().toolTip()
    assert "source" in told["?"]
    assert not told["B"]
    assert "gece" in told["1"]
