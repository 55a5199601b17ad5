"""Markdown as blocks, whole and while it grows."""

import pytest

from desktop.domain.messages import Citation, CitationState
from desktop.ui.transcript.inline_spans import NOTHING_KNOWN, InlineSpan, Known, Style
from desktop.ui.transcript.markdown import (
    Align,
    Block,
    Code,
    Paragraph,
    ParagraphKind,
    Table,
    parse,
)

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
    """As the body does it: only from the last open block on."""
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


def test_a_line_that_is_not_whole_yet_may_go_on_with_the_block_before_it() -> None:
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


def test_code_in_a_list_stands_by_itself_and_the_list_goes_on() -> None:
    before, code, after = parse("1. bir\n   ```sh\n   ls\n   ```\n2. iki").blocks
    assert isinstance(before, Paragraph)
    assert isinstance(after, Paragraph)
    assert (before.marker, code, after.marker) == ("1.", Code("sh", "ls"), "2.")


def test_an_empty_list_item_keeps_its_marker_to_itself() -> None:
    blocks = parse("-\n\nson").blocks
    assert [block.marker for block in blocks if isinstance(block, Paragraph)] == ["•", ""]


def test_a_list_of_things_to_do_has_boxes_for_marks() -> None:
    blocks = parse("- [ ] ölç\n- [x] **yaz**\n- [y] sor").blocks

    shown = [
        (b.marker, "".join(r.text for r in b.runs)) for b in blocks if isinstance(b, Paragraph)
    ]
    assert shown == [("☐", "ölç"), ("☑", "yaz"), ("•", "[y] sor")]


def test_a_formula_is_shown_in_its_signs() -> None:
    paragraph = only_paragraph("Enerji **$E=mc^2$** olur.")

    formula = paragraph.runs[1]
    assert (formula.text, formula.source) == ("E = mc2", "$E=mc^2$")
    assert Style.FORMULA | Style.BOLD in formula.style
    unread = only_paragraph(r"Su: $\ce{H2O}\,$").runs[1]
    assert (unread.text, unread.style) == (r"$\ce{H2O}\,$", Style.CODE)


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


def test_a_line_break_of_html_begins_a_line_as_in_cells_it_has_to() -> None:
    (table,) = parse("| a |\n|---|\n| bir<br>iki <br/> üç |").blocks
    assert isinstance(table, Table)
    assert "".join(run.text for run in table.rows[0][0]) == "bir\u2028iki\u2028üç"
