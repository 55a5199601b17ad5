"""The forms in which a model may cite, and the brackets that are ordinary text."""

import pytest

from desktop.domain.messages import CitationState
from desktop.research.citations.citation_parser import CitationParser
from tests.unit.research.citations.test_hundred_answers import passage

TEXTS = (
    "Zeytinin kökleri kayalık toprağa altı metre iner. Hasat ekim sonunda başlar, 70 gün sürer.",
    "The keeper recorded 412 storms between 1881 and 1903. The tower was rebuilt in granite.",
)
GIVEN = tuple(passage(number, text) for number, text in enumerate(TEXTS, start=1))
FORMS = (
    '[{n}: "{q}"]',
    "[{n}: “{q}”]",
    "[{n}: „{q}“]",
    "[{n}: «{q}»]",
    "[{n}: '{q}']",
    '[ {n} : "{q}" ]',
    '【{n}: "{q}"】',
    '({n}: "{q}")',
)
CASES = (
    (1, "kökleri kayalık toprağa altı metre iner", "p1"),
    (2, "recorded 412 storms between 1881 and 1903", "p2"),
    (1, "The tower was rebuilt in granite", "p2"),
    (1, "kökleri kumlu toprağa altı metre iner", None),
    (2, "recorded 512 storms between 1881 and 1903", None),
)


def parsed(answer: str, *, cut: int) -> tuple[str, CitationParser]:
    citing = CitationParser(GIVEN)
    pieces = [answer[at : at + cut] for at in range(0, len(answer), cut)]
    return "".join(map(citing.feed, pieces)) + citing.flush(), citing


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_right_words_are_checked_in_every_form_and_wrong_ones_are_not(form: str, cut: int) -> None:
    for number, quote, place in CASES:
        shown, citing = parsed(f"Öyle {form.format(n=number, q=quote)} derler.", cut=cut)
        assert shown == "Öyle [1] derler."
        checked = [
            one.passage_id for one in citing.citations if one.state is CitationState.CHECKED
        ]
        assert checked == ([place] if place else [])


@pytest.mark.parametrize("bare", ["[2]", "【2】", "[2, s. 3]"])
def test_a_number_alone_is_unchecked(bare: str) -> None:
    shown, citing = parsed(f"So it is{bare}, they say.", cut=1)
    assert shown == "So it is[1], they say."
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]


def test_words_quoted_beside_a_number_make_it_no_surer() -> None:
    _, citing = parsed(f'"{TEXTS[1][:48]}" [2] and [2] "{TEXTS[1][:48]}".', cut=1000)
    assert {one.state for one in citing.citations} == {CitationState.UNCHECKED}


ORDINARY = (
    "(1) Una su kat. (2) Beklet. (3) Pişir.",
    "Skor (2: 1) idi; saat (12: 30), ayet (2:255).",
    '(1990: "Yılın Kitabı") ödülü ve {1: "bir"}',
    "Bir [sic] iki [...] üç […] dört [-] 【son】",
    "args_[1] ve y[2:5] dilimi; oran [1:4], sınıf [1-A], x = [1, 2], f([1])",
    '[Figure 1: "A map"] is drawn by hand [citation needed].',
    '```\n[1: "x y z"]\n``` ve `(1: "x y z")`',
    "[1](https://example.org)",
    '{1: "bu bir sözlük"} <cite>1</cite> \\cite{1} ^1^ [^1] [Kaynak 1]',
)


@pytest.mark.parametrize("answer", ORDINARY)
@pytest.mark.parametrize("cut", [1, 1000])
def test_everything_else_is_text(answer: str, cut: int) -> None:
    shown, citing = parsed(answer, cut=cut)
    assert shown == answer
    assert citing.citations == ()
