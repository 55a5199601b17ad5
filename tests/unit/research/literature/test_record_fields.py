"""Reading the answers of services: abstracts letter for letter, ids, values of any kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.json_values import JsonValue
from desktop.research.literature.record_fields import (
    arxiv_id,
    dergipark_id,
    dig,
    inverted_abstract,
    items,
    parsed_xml,
    plain_abstract,
    text,
    title_of,
    whole,
)
from tests.literature import inverted

ABSTRACT = (
    "Amaç: Bu çalışmada, uykunun bellek üzerindeki etkisi (n = 42; p < 0,05) incelenmiştir. "
    "Sonuç: Uyku, uyku, uyku – ve  iki boşluk; “tırnak”, İstanbul’da 3–5 °C & α-amilaz."
)
SECTIONS = (
    "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aim</jats:title>\n"
    "<jats:p>H<jats:sub>2</jats:sub>O &amp; CO<jats:sub>2</jats:sub></jats:p></jats:sec>"
    "<jats:p>Second.</jats:p>"
)
FORMULA = (
    "<jats:p>If <jats:inline-formula><jats:alternatives><jats:tex-math>\\alpha"
    "</jats:tex-math><mml:math><mml:mi>α</mml:mi></mml:math></jats:alternatives>"
    "</jats:inline-formula> is 1</jats:p>"
)


def test_an_inverted_abstract_is_rebuilt_letter_for_letter() -> None:
    assert inverted_abstract(inverted(ABSTRACT)) == ABSTRACT


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=300))
def test_any_inverted_abstract_is_rebuilt(abstract: str) -> None:
    assert inverted_abstract(inverted(abstract)) == abstract


@pytest.mark.parametrize(
    "index",
    [None, [], "x", {"a": 1}, {"a": [10**18, -1, True, "1", None]}, {"a": [[0]]}],
)
def test_an_index_of_another_form_gives_no_more_than_its_words(index: JsonValue) -> None:
    assert inverted_abstract(index) in {"", "a"}


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("Plain &amp; simple, p &lt; 0.05.", "Plain & simple, p < 0.05."),
        ("<jats:p>One  <jats:italic>two</jats:italic>.</jats:p>", "One two."),
        (SECTIONS, "Aim\nH2O & CO2\nSecond."),
        ("<jats:title>ÖZ</jats:title><jats:p>Şu</jats:p>", "Şu"),
        (FORMULA, "If α is 1"),
        ("<h4>Background</h4>Sleep&nbsp;helps.<br/>Yes", "Background\nSleep helps.\nYes"),
        ("<jats:p>Cut in the mid", "Cut in the mid"),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_a_marked_abstract_becomes_plain_text(marked: str, plain: str) -> None:
    assert plain_abstract(marked) == plain


def test_a_title_keeps_the_marks_of_csl_alone() -> None:
    marked = "The <i>E. coli</i> of <span class='x'>rats</span> &amp;  mice."
    assert title_of(marked) == "The <i>E. coli</i> of rats & mice"
    assert title_of("And so on...") == "And so on..."


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("http://arxiv.org/abs/2101.00001v3", "2101.00001"),
        ("arXiv:math.GT/0309136v1", "math.gt/0309136"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("nothing", ""),
    ],
)
def test_the_id_of_a_preprint_has_no_version(written: str, bare: str) -> None:
    assert arxiv_id(written) == bare


@pytest.mark.parametrize(
    ("address", "number"),
    [
        ("https://dergipark.org.tr/tr/pub/abc/issue/1234/56789", "56789"),
        ("https://dergipark.org.tr/en/pub/abc/article/987654", "987654"),
        ("https://dergipark.org.tr/en/download/article-file/111", ""),
        ("https://example.org/pub/abc/article/5", ""),
    ],
)
def test_an_article_at_dergipark_is_known_by_its_address(address: str, number: str) -> None:
    assert dergipark_id([address]) == number


def test_a_value_of_another_kind_is_missing() -> None:
    value: JsonValue = {"a": [{"b": 7}], "c": {"d": "x\ud800\x07y"}}
    assert dig(value, "a", 0, "b") == 7
    assert (text(value, "a", 5), text(value, "a"), text(True)) == ("", "", "")
    assert (items(value, "c"), whole(value, "c", "d"), whole("-3")) == ([], None, None)
    assert "\ud800" not in text(value, "c", "d")
    assert "\x07" not in text(value, "c", "d")


def test_xml_with_entities_of_its_own_is_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'
    assert parsed_xml(bomb) is None
    assert parsed_xml(b"<x>") is None


def test_no_sign_in_a_line_reverses_what_follows() -> None:
    assert title_of("Sleep \u202eevil\u202c &#x202d;and \u2067more\u2069") == "Sleep evil and more"
    assert text({"name": "A\u202eB"}, "name") == "AB"
    assert title_of("النوم\u200f والذاكرة") == "النوم\u200f والذاكرة"
