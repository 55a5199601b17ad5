"""Pages keep what their reader sees: formulas, authors of quotations; nothing twice."""

import pytest

from tests.documents.reading import read

_MATH = "<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>"
_TEX = '<annotation encoding="application/x-tex">E=mc^2</annotation>'
_WIKIPEDIA = (
    '<span><span style="display: none"><math alttext="{\\displaystyle E=mc^2}"></math></span>'
    '<img class="mwe-math" alt="{\\displaystyle E=mc^2}"></span>'
)
_KATEX = (
    f"<span class=katex><span><math><semantics>{_MATH}{_TEX}</semantics></math></span>"
    "<span class=katex-html>E=mc2</span></span>"
)


@pytest.mark.parametrize("name", ["a.html", "a.fetched"])
@pytest.mark.parametrize(
    ("page", "text"),
    [
        (_MATH.replace("<math", '<math alttext="E=mc^2"'), "E=mc^2"),
        (_MATH, "E = mc^2"),
        (_MATH.replace("<", "<m:").replace("<m:/", "</m:"), "E = mc^2"),
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "a/b"),
        (_WIKIPEDIA, "E=mc^2"),
        (_KATEX, "E=mc^2"),
        ('<script type="math/tex; mode=display">E=mc^2</script>', "E=mc^2"),
        ('<img class="tex" alt="E=mc^2">', "E=mc^2"),
    ],
)
def test_a_formula_is_read_once(name: str, page: str, text: str) -> None:
    page = f"<p>Enerji {page} ile bulunur.</p>"
    assert read(name, page).texts == [f"Enerji {text} ile bulunur."]


def test_the_footer_of_a_quotation_is_read_and_that_of_the_page_is_not() -> None:
    quotation = "<blockquote><p>Sabır.</p><footer>Ayşe Karaçam</footer></blockquote>"
    page = f"{quotation}<p>Eski <del>silinen</del> söz.</p><footer>Hakları saklıdır</footer>"
    assert read("a.html", page).texts == ["Sabır.", "Ayşe Karaçam", "Eski söz."]


@pytest.mark.parametrize("name", ["a.html", "a.fetched"])
def test_what_stands_for_a_picture_or_a_script_is_read_once(name: str) -> None:
    picture = '<img alt="Sinop feneri">'
    page = f"<p>Bu{picture}<noscript>{picture}</noscript>eskidir.</p><noscript>Saat 9.</noscript>"
    page += "<noscript>Please enable JavaScript.</noscript>"
    words = " ".join(read(name, f"{page}<p hidden>{picture}</p>").texts).split()
    assert words == ["Bu", "Sinop", "feneri", "eskidir.", "Saat", "9."]
