"""Long sessions keep the reader's place; how answers are drawn."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.domain.messages import Citation, CitationState, MessageState
from desktop.settings.settings import Theme
from desktop.ui.transcript.markdown import (
    NOTHING_KNOWN,
    Align,
    Block,
    Code,
    InlineSpan,
    Known,
    Paragraph,
    ParagraphKind,
    Style,
    Table,
    parse,
)
from desktop.ui.transcript.view import TranscriptView
from tests.costs import grows_with_size
from tests.ui.transcript.conftest import answer, card_of, cards_of, dialogue, question, settled


def test_only_messages_near_the_visible_part_have_widgets(
    qtbot: QtBot, view: TranscriptView
) -> None:
    view.show_session(dialogue(5000))
    settled(qtbot, view)
    assert 0 < len(view.live) < 60
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    settled(qtbot, view)
    assert 0 < len(view.live) < 60


def test_a_session_opens_at_its_end(view: TranscriptView) -> None:
    messages = dialogue(300)
    view.show_session(messages)
    assert view.anchor() == (None, 0)
    last = card_of(view, messages[-1])
    assert 0 < last.geometry().bottom() <= view.viewport().height()


def test_measured_heights_do_not_move_the_visible_part(qtbot: QtBot, view: TranscriptView) -> None:
    messages = dialogue(600)
    view.show_session(messages)
    view.restore_anchor(300, 17)
    before = card_of(view, messages[299]).y()
    settled(qtbot, view)
    assert len(view.live) > 5
    assert card_of(view, messages[299]).y() == before


def test_scrolling_moves_what_is_in_sight_by_just_that_much(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(600)
    view.show_session(messages)
    view.restore_anchor(300)
    bar = view.verticalScrollBar()
    for _ in range(30):
        card = next(c for c in cards_of(view) if c.geometry().bottom() > 200)
        before, value = card.y(), bar.value()
        bar.setValue(value - 90)
        assert card.y() == before + 90
        settled(qtbot, view)


def test_at_the_end_the_transcript_follows_the_answer(qtbot: QtBot, view: TranscriptView) -> None:
    view.show_session([*dialogue(40), question(41)])
    streaming = answer(42, "", MessageState.STREAMING)
    view.append(streaming)
    view.add_text(streaming.id, "Uzun bir yanıt.\n\n" * 60)
    qtbot.waitUntil(lambda: not view._growth._arrived)
    assert view.is_at_end
    assert view._newest.isHidden()


def test_the_transcript_does_not_scroll_while_the_user_reads_above(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = [*dialogue(40), question(41)]
    view.show_session(messages)
    streaming = answer(42, "", MessageState.STREAMING)
    view.append(streaming)
    view.restore_anchor(20)
    before = card_of(view, messages[19]).y()
    view.add_text(streaming.id, "Uzun bir yanıt.\n\n" * 60)
    qtbot.waitUntil(lambda: not view._growth._arrived)
    assert card_of(view, messages[19]).y() == before
    assert not view._newest.isHidden()
    QTest.mouseClick(view._newest, Qt.MouseButton.LeftButton)
    assert view.is_at_end


def test_asking_scrolls_to_the_end_from_anywhere(view: TranscriptView) -> None:
    view.show_session(dialogue(40))
    view.restore_anchor(3)
    view.append(question(41))
    assert view.is_at_end


def test_home_end_and_pages_scroll_by_keyboard(qtbot: QtBot, view: TranscriptView) -> None:
    view.show_session(dialogue(200))
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() > 400
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.is_at_end


def test_a_message_with_the_keyboard_in_it_outlives_being_scrolled_away(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(300)
    view.show_session(messages)
    card = card_of(view, messages[-1])
    card.setFocus(Qt.FocusReason.TabFocusReason)
    view.verticalScrollBar().setValue(0)
    settled(qtbot, view)
    assert card_of(view, messages[-1]) is card


@pytest.mark.parametrize("change", ["session", "width", "zoom", "language"])
def test_the_reader_keeps_its_place_at_a_new_layout(
    qtbot: QtBot, view: TranscriptView, change: str
) -> None:
    view.show_session(dialogue(300))
    view.restore_anchor(123, 9)
    assert view.anchor() == (123, 9)
    match change:
        case "session":
            view.show_session(dialogue(400))
            view.restore_anchor(123, 9)
        case "width":
            view.resize(420, 600)
        case "zoom":
            view.theme.apply(Theme.LIGHT, zoom_percent=150)
        case _:
            QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    settled(qtbot, view)
    assert view.anchor()[0] == 123


KNOWN = {1: Citation(1, CitationState.CHECKED, "gece düşük", "s", "p", "Somogyi 1959")}
SAMPLE = """# Dawn ve Somogyi

Her **ikisi** de [1] sabah `açlık` şekerini yükseltir.
Bakınız https://example.org/a.

1. Gece 03.00
   - düşükse Somogyi

   ```python
   x = 1
   ```
2. Sabah

> alıntı

$$
E = mc^2
$$

- [x] $x_1$ ölçüldü

| | Dawn |
|---|--:|
| Gece | yüksek |
| Neden | hormon |

Alt başlık
----------

```
kapanmayan kod
"""


def blocks_when_streamed(text: str, step: int) -> list[Block]:
    """Parse as the body does: only from the last open block on."""
    shown: list[Block] = []
    open_at = open_from = 0
    for end in range(step, len(text) + step, step):
        parsed = parse(text[open_at:end], KNOWN)
        shown[open_from:] = parsed.blocks
        open_at, open_from = open_at + parsed.open_at, open_from + parsed.open_from
    return shown


def only_paragraph(text: str, known: Known = NOTHING_KNOWN) -> Paragraph:
    (block,) = parse(text, known).blocks
    assert isinstance(block, Paragraph)
    return block


@pytest.mark.parametrize("step", [1, 2, 3, 7, 31, 1000])
def test_streamed_in_pieces_it_ends_as_it_would_in_one(step: int) -> None:
    assert blocks_when_streamed(SAMPLE, step) == parse(SAMPLE, KNOWN).blocks


def test_an_incomplete_line_may_continue_the_block_before_it() -> None:
    assert parse("1. bir\n2").open_at == 0
    assert len(parse("1. bir\n2.").blocks) == 2


@pytest.mark.parametrize("cited", ["[1]", '[1: "gece düşük"]'])
def test_known_numbers_in_brackets_are_citations_and_others_are_text(cited: str) -> None:
    paragraph = only_paragraph(f"Doğru {cited}, belki [7].", KNOWN)
    assert paragraph.runs == (
        InlineSpan("Doğru"),
        InlineSpan("1", Style.CITATION, tip="Somogyi 1959\ngece düşük"),
        InlineSpan(", belki [7]."),
    )


def test_html_is_text() -> None:
    paragraph = only_paragraph("<script>alert(1)</script> son")
    assert "".join(run.text for run in paragraph.runs).startswith("<script>")


@pytest.mark.parametrize(
    ("source", "href"),
    [
        ("[bak](javascript:alert(1))", ""),
        ("[bak](file:///etc/passwd)", ""),
        ("[bak](data:text/html,x)", ""),
        ("[bak](bellek://session/ab12?message=5)", "bellek://session/ab12?message=5"),
        ("![bak](https://example.org/a.png)", "https://example.org/a.png"),
    ],
)
def test_only_safe_addresses_are_links_and_pictures_are_links_too(source: str, href: str) -> None:
    assert all(run.href == href for run in only_paragraph(source).runs)


def test_tables_keep_their_alignment() -> None:
    (table,) = parse("| a | b |\n|---|--:|\n| 1 | 2 |").blocks
    assert isinstance(table, Table)
    assert table.aligns == (Align.LEFT, Align.RIGHT)
    assert table.rows == (((InlineSpan("1"),), (InlineSpan("2"),)),)


def test_code_in_a_list_is_by_itself_and_the_list_continues() -> None:
    before, code, after = parse("1. bir\n   ```sh\n   ls\n   ```\n2. iki").blocks
    assert isinstance(before, Paragraph)
    assert isinstance(after, Paragraph)
    assert (before.marker, code, after.marker) == ("1.", Code("sh", "ls"), "2.")


def test_an_empty_list_item_keeps_its_marker_to_itself() -> None:
    blocks = parse("-\n\nson").blocks
    assert [block.marker for block in blocks if isinstance(block, Paragraph)] == ["•", ""]


def test_a_task_list_has_check_boxes() -> None:
    blocks = parse("- [ ] ölç\n- [x] **yaz**\n- [y] sor").blocks

    shown = [
        (b.marker, "".join(r.text for r in b.runs)) for b in blocks if isinstance(b, Paragraph)
    ]
    assert shown == [("☐", "ölç"), ("☑", "yaz"), ("•", "[y] sor")]


def test_a_formula_is_a_run_with_its_tex() -> None:
    paragraph = only_paragraph("Enerji **$E=mc^2$** olur.")

    formula = paragraph.runs[1]
    assert (formula.text, formula.tex) == ("$E=mc^2$", "E=mc^2")
    assert Style.FORMULA | Style.BOLD in formula.style


def test_a_formula_by_itself_is_a_paragraph_of_its_own() -> None:
    shown = [b.kind for b in parse("Önce:\n$$x^2$$\nSonra").blocks if isinstance(b, Paragraph)]

    assert shown == [ParagraphKind.TEXT, ParagraphKind.FORMULA, ParagraphKind.TEXT]


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("1. a\n1. b\n1. c", ["1.", "2.", "3."]),
        ("4. a\n8. b", ["4.", "5."]),
        ("0. a\n0. b", ["0.", "1."]),
        ("1. a\n   1. b\n   1. c\n1. d", ["1.", "1.", "2.", "2."]),
    ],
)
def test_the_items_of_a_list_are_counted_from_the_first_on(text: str, markers: list[str]) -> None:
    blocks = parse(text).blocks
    assert [block.marker for block in blocks if isinstance(block, Paragraph)] == markers


def test_an_html_line_break_begins_a_line_also_in_cells() -> None:
    (table,) = parse("| a |\n|---|\n| bir<br>iki <br/> üç |").blocks
    assert isinstance(table, Table)
    assert "".join(run.text for run in table.rows[0][0]) == "bir\u2028iki\u2028üç"


@pytest.mark.parametrize("form", ["{}", "`{}`", "[{}](https://a.test)", "|a|b|\n|-|-|\n|{}|x|"])
def test_a_word_of_many_letters_takes_no_longer_each_than_few(
    qtbot: QtBot, view: TranscriptView, form: str
) -> None:
    def show(word: str) -> None:
        view.show_session([question(1), answer(2, form.format(word))])
        settled(qtbot, view)

    few = "ACGT" * 4_000
    assert grows_with_size(show, few, few * 8)
