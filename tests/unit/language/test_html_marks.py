"""HTML in answers is shown as what it means, and never is HTML."""

import pytest

from desktop.language.links import markdown_parser
from tests.costs import grows_with_length


def shown(markdown: str) -> str:
    return str(markdown_parser().render(markdown)).strip().replace("<br />\n", "|")


@pytest.mark.parametrize(
    ("written", "html"),
    [
        ("H<sub>2</sub>O, x<sup>2</sup>, e<sup>-x</sup>", "H₂O, x², e⁻ˣ"),
        ("kaynak<sup>[1]</sup>, x<sup>ab</sup>", "kaynak[1], x^ab"),
        ("<kbd>Ctrl</kbd>+<KBD>C</KBD>", "<code>Ctrl</code>+<code>C</code>"),
        ('<u>a</u> <mark>b</mark> <span style="color:red">c</span>', "a b c"),
        ("<b>a <i>c</i></b>", "<strong>a <em>c</em></strong>"),
        ("<del>**d**</del>", "<s><strong>d</strong></s>"),
        ("a<br>b <br/>\nc", "a|b|c"),
        ("<ul><li>bir</li><li>iki</li></ul>", "• bir|• iki"),
        ("<details><summary>Aç</summary>Gizli</details>", "<strong>Aç</strong>|Gizli"),
        ("<details>\n<summary>Aç</summary>\n\n</details>\n<!-- a\nb -->", "<strong>Aç</strong>"),
        ('<div align="center">\n\na<!-- b -->\n\n</div>', "a"),
        ("==a==, ++bir iki++, H~2~O, x^2^, ==**d**==", "a, bir iki, H₂O, x², <strong>d</strong>"),
        ('<a href="https://a.test">b</a>', '<a href="https://a.test">b</a>'),
        ("[b c] (https://a.test)", '<a href="https://a.test">b c</a>'),
        ("<h3>a</h3>\nb<hr><p>c</p><p>d</p>", "<strong>a</strong>|b|c|d"),
        ("<table>\n<tr><td>a</td>\n<td>b</td></tr><tr><td>c</td></tr></table>", "a | b|c"),
        ("`<sub>x</sub>` \\<sub>x", "<code>&lt;sub&gt;x&lt;/sub&gt;</code> &lt;sub&gt;x"),
        ("the <b> tag, List<T>, <!-- a", "the &lt;b&gt; tag, List&lt;T&gt;, &lt;!-- a"),
        ("a == b, c==d, i++ ve ++j, ++k, ~5, 2^3^4", "a == b, c==d, i++ ve ++j, ++k, ~5, 2^3^4"),
        ("[1] (https://a.test)", "[1] (https://a.test)"),
    ],
)  # fmt: skip
def test_html_becomes_what_it_means(written: str, html: str) -> None:
    assert shown(written) == f"<p>{html}</p>"


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=y>",
        "<b><svg onload=x></b>",
        "<a href=javascript&colon;x>y</a>",
    ],
)
def test_no_html_of_an_answer_stays_html(hostile: str) -> None:
    assert "<s" not in shown(hostile).replace("<strong>", "")
    assert "<img" not in shown(hostile)
    assert "<a" not in shown(hostile)


def test_a_sign_in_code_or_a_formula_does_not_divide_a_row() -> None:
    head = "| Kod | Anlam |\n|---|---|\n"
    rows = ("`x || y` | veya", "`a \\| b` | veya", "$a|b$ | böler")
    tables = [markdown_parser().parse(f"{head}| {row} |") for row in rows]
    cells = [[one.children or [] for one in table if one.children][2:] for table in tables]
    assert [len(row) for row in cells] == [2, 2, 2]
    assert [row[0][0].content for row in cells] == ["x || y", "a | b", "a|b"]


@pytest.mark.parametrize(
    "piece", ["<b>", "<!--", "<b>a</b>", "<u><q>", "==a", "[a] (", "|`a|b`|\n|-|-|\n|`a|b`|\n\n"]
)
def test_many_tags_take_no_longer_each_than_few(piece: str) -> None:
    assert grows_with_length(shown, piece)
