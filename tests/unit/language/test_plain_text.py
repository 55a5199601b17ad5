import pytest

from desktop.language.sentences import plain_text
from tests.costs import grows_with_length


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("2*3*4=24, x**2 + y**2, **2** *b*", "2*3*4=24, x**2 + y**2, 2 b"),
        ("H<sub>2</sub>O<br><b>su</b>", "H2O su"),
        ("**kalın**, *eğik*, __kalın__, ~~silik~~", "kalın, eğik, kalın, silik"),
        ("snake_case_name ve 2 * 3 * 4", "snake_case_name ve 2 * 3 * 4"),
        ("`kod` ve [bağ](https://example.org/a_b)", "kod ve bağ"),
        ("![resim](a.png) altı", "resim altı"),
        ('Şeker yükselir [1: "sabah yükselir"]. Düşer [2].', "Şeker yükselir. Düşer."),
        ("# Başlık\n\n- bir\n- iki\n> üç", "Başlık bir iki üç"),
        ("önce\n```\nkod\n```\nsonra", "önce sonra"),
        ("a <b>c</b> 1 < 2", "a c 1 < 2"),
        ("Kök $$x_{max} = \\frac{a}{b}$$", "Kök xₘₐₓ = a/b"),
        ("Su $\\ce{H2O}$, 5 $ ile 10 $", "Su \\ce{H2O}, 5 $ ile 10 $"),
    ],
)
def test_a_text_is_read_without_its_markdown(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("[a [b](c) d", "a [b d"),
        ("[a] ![b](c) [d](e", "[a] b [d](e"),
        ("![a [1: x [2]", "![a"),
        ("**a _b_ ~~c d", "**a b ~~c d"),
        ("* a* ***b*** __c_ _d", "a* b _c _d"),
        ("**a\nb** ~c~", "**a b** ~c~"),
    ],
)
def test_marks_that_nothing_ends_stay(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


@pytest.mark.parametrize(
    "piece",
    ["[", "![", "[a](b", "![a](b", "[1: ", "*a ", "~~a ", "$", "$$a", "$a ", "\\(", "\\[a"],
)
def test_a_text_of_only_marks_takes_linear_time(piece: str) -> None:
    assert grows_with_length(plain_text, piece)
