"""Emphasis that ends before a suffix, as Turkish writes it."""

import pytest

from desktop.language.links import markdown_parser
from tests.costs import grows_with_length


def shown(markdown: str) -> str:
    return str(markdown_parser().renderInline(markdown)).replace("&quot;", '"')


@pytest.mark.parametrize(
    ("written", "html"),
    [
        ('**"Nutuk"**un özeti', '<strong>"Nutuk"</strong>un özeti'),
        ("**(önemli)**dir", "<strong>(önemli)</strong>dir"),
        ("**Not:**devam **B**si", "<strong>Not:</strong>devam <strong>B</strong>si"),
        ('*"Nutuk"*ta ve *(az)*dır', '<em>"Nutuk"</em>ta ve <em>(az)</em>dır'),
        ('__"x"__in ~~"y"~~nin _"z"_ye', '<strong>"x"</strong>in <s>"y"</s>nin <em>"z"</em>ye'),
        ('***"x"***un', '<em><strong>"x"</strong></em>un'),
        ('**_"y"_**un', '<strong><em>"y"</em></strong>un'),
        ("**`kod`**un **50%**si", "<strong><code>kod</code></strong>un <strong>50%</strong>si"),
        ('[**"N"**un](https://a.test)', '<a href="https://a.test"><strong>"N"</strong>un</a>'),
        ("**[a](https://a.test)**nın", '<strong><a href="https://a.test">a</a></strong>nın'),
        ('_**"x"**_in', '<em><strong>"x"</strong></em>in'),
        ("**C++**ın **a/b/**nin", "<strong>C++</strong>ın <strong>a/b/</strong>nin"),
        ("~~(x)~~i **H<sub>2</sub>**nin", "<s>(x)</s>i <strong>H₂</strong>nin"),
        ("**„z“**ye kita*b*ı", "<strong>„z“</strong>ye kita<em>b</em>ı"),
        ('**"a"**/**"b"**nin', '<strong>"a"</strong>/<strong>"b"</strong>nin'),
        ("は**「太字」**の", "は<strong>「太字」</strong>の"),
        ('**"A" ve *"B"*nin**dir', '<strong>"A" ve <em>"B"</em>nin</strong>dir'),
        ("*kitap*lar ev**ler**de", "<em>kitap</em>lar ev<strong>ler</strong>de"),
    ],
)  # fmt: skip
def test_emphasis_ends_before_a_suffix(written: str, html: str) -> None:
    assert shown(written) == html


@pytest.mark.parametrize(
    "written",
    [
        "2*3*4=24, a * b ve c * d, x**2 + y**2, a*b + c*d",
        "5*(3+2)*x, f*(x)*g, a**(b)**c",
        "snake_case_name, foo_(bar)_baz, _private ve my_name",
        "java.util.*ve java.io.*de, src/*a ve lib/*b, *.py ile *.txt'yi",
        '**kapanmayan "x"un ve devamı',
    ],
)
def test_marks_that_are_no_emphasis_stay(written: str) -> None:
    assert shown(written) == written


@pytest.mark.parametrize("piece", ['**"a', 'a**"b"**c ', '**"a"**un *_', "*(a)*b "])
def test_many_marks_take_no_longer_each_than_few(piece: str) -> None:
    assert grows_with_length(shown, piece)
