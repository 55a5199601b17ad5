"""Citations of an answer while it arrives: folded to a number, and checked."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import CitationState
from desktop.research.citing import Citing, stands_in
from desktop.research.passages import Passage, Speaker

STORED = """Şafak olayı, **kan şekerinin** sabaha karşı 04.00 ile 08.00 arasında
yükselmesidir. Hekim “bazal hızı artırın” der; IŞIK etkisi yoktur [2]."""


def passage(number: int, stored: str = STORED) -> Passage:
    return Passage(
        number=number,
        session_id=SessionId(f"s{number}"),
        message_id=MessageId(100 + number),
        title=f"Oturum {number}",
        said_at=datetime(2026, 3, 5, tzinfo=UTC),
        speaker=Speaker.ASSISTANT,
        text=stored,
        stored=stored,
    )


GIVEN = (passage(1), passage(2, "Somogyi etkisi gece yaşanan hipogliseminin ardından görülür."))


def folded(answer: str, *, cut: int = 0) -> tuple[str, Citing]:
    """The answer as it is shown, arriving in pieces of `cut` letters."""
    citing = Citing(GIVEN)
    pieces = [answer[at : at + cut] for at in range(0, len(answer), cut)] if cut else [answer]
    return "".join(map(citing.feed, pieces)) + citing.rest(), citing


def test_quoted_words_that_stand_in_the_passage_are_checked() -> None:
    shown, citing = folded('Sabah yükselir [1: "sabaha karşı 04.00 ile 08.00 arasında"].')
    assert shown == "Sabah yükselir [1]."
    (citation,) = citing.citations
    assert citation.state is CitationState.CHECKED
    assert (citation.source_id, citation.passage_id) == ("s1", "101")
    assert citation.quote == "sabaha karşı 04.00 ile 08.00 arasında"


def test_words_that_do_not_stand_there_and_bare_numbers_are_not() -> None:
    shown, citing = folded('Öyle [1: "akşama doğru düşmesidir"]. Böyle [2].')
    assert shown == "Öyle [1]. Böyle [2]."
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED] * 2
    assert [one.source_id for one in citing.citations] == ["s1", "s2"]


def test_numbers_count_what_is_cited_and_the_same_words_have_one() -> None:
    answer = (
        'A [2: "Somogyi etkisi gece"]. B [1: "Şafak olayı, kan şekerinin"]. '
        'C [2: "somogyi  etkisi gece"]. D [2: "hipogliseminin ardından"].'
    )
    shown, citing = folded(answer)
    assert shown == "A [1]. B [2]. C [1]. D [3]."
    assert [one.number for one in citing.citations] == [1, 2, 3]
    assert {one.state for one in citing.citations} == {CitationState.CHECKED}


def test_words_under_a_wrong_number_are_tied_to_where_they_stand() -> None:
    _, citing = folded('A [2: "Şafak olayı, kan şekerinin sabaha karşı"]')
    assert citing.citations[0].source_id == "s1"
    assert citing.citations[0].state is CitationState.CHECKED


def test_several_in_one_bracket_become_several() -> None:
    shown, citing = folded('A [1: "Şafak olayı"; 2: "Somogyi etkisi"] ve [1, 2].')
    assert shown == "A [1][2] ve [3][4]."
    assert [one.state.value for one in citing.citations] == [
        "checked",
        "checked",
        "unchecked",
        "unchecked",
    ]


def test_a_passage_that_was_never_given_is_no_source() -> None:
    shown, citing = folded('A [7: "uydurma sözler burada"] ve [9].')
    assert shown == "A [?] ve [?]."
    assert citing.citations == ()


UNTOUCHED = [
    "Kod: `a[1]` ve\n```python\nx[1] = y[2]\n```\nson",
    "Bağlantı [1](https://example.org) ve [başlık](x)",
    "- [ ] yapılacak\n- [x] yapılan",
    "[not: bir açıklama] ve [n: sayı]",
    "a [ b",
    "dizi[i] ve [1 2]",
]


@pytest.mark.parametrize("answer", UNTOUCHED)
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_other_brackets_stay_as_they_are(answer: str, cut: int) -> None:
    shown, citing = folded(answer, cut=cut)
    assert shown == answer
    assert citing.citations == ()


def test_a_backtick_that_nobody_closed_ends_with_its_line() -> None:
    shown, citing = folded('bir ` işareti\nsonra [1: "Şafak olayı"]')
    assert shown == "bir ` işareti\nsonra [1]"
    assert citing.citations


ANSWER = 'Bir [1: "Şafak olayı"] ve `x[1]` iki [2], [1](u) [3: "yok böyle bir söz"] [ son [1: "a'


@given(st.lists(st.integers(0, len(ANSWER)), max_size=12))
def test_however_it_arrives_it_is_shown_the_same_and_no_syntax_flickers(cuts: list[int]) -> None:
    whole, _ = folded(ANSWER)
    places = sorted({0, *cuts, len(ANSWER)})
    citing = Citing(GIVEN)
    shown = ""
    for start, end in pairwise(places):
        shown += citing.feed(ANSWER[start:end])
        assert ': "' not in shown
        assert whole.startswith(shown)
    assert shown + citing.rest() == whole


def test_half_a_citation_at_the_end_is_left_out() -> None:
    assert folded('Bir [1: "Şafak ol')[0] == "Bir "
    assert folded("Bir [1")[0] == "Bir "
    assert folded("Bir [1]")[0] == "Bir [1]"


def test_a_bracket_that_goes_on_for_long_is_shown_after_all() -> None:
    answer = 'A [1: "' + "uzun söz " * 200
    assert folded(answer, cut=7)[0] == answer
    paragraphs = 'A [1: "başladı\n\nbaşka paragraf'
    assert folded(paragraphs, cut=5)[0] == paragraphs


STANDS = [
    "kan şekerinin sabaha karşı",
    "Kan Şekerinin SABAHA karşı",
    "08.00 arasında yükselmesidir.",
    'hekim "bazal hızı artırın" der',
    "ışık etkisi yoktur",
    "Şafak olayı … yükselmesidir",
    "  Şafak   olayı ",
]
STANDS_NOT = [
    "kan sekerinin",
    "kan şekeri",
    "yükselmesidir … Şafak olayı",
    "4.00 ile",
    "",
    "…",
    "-",
    "bu sözler hiç yok",
]


@pytest.mark.parametrize("quote", STANDS)
def test_white_space_marks_and_capitals_do_not_matter(quote: str) -> None:
    assert stands_in(quote, STORED)


@pytest.mark.parametrize("quote", STANDS_NOT)
def test_other_letters_words_and_orders_do(quote: str) -> None:
    assert not stands_in(quote, STORED)


PAGE = (passage(11, "Metformin akşam alınır. Şekeri düşürür."), passage(12, "Eskidir. Ucuzdur."))


def of_a_page(answer: str) -> tuple[str, Citing]:
    """An answer with a page that comes while it is written."""
    citing = Citing((), awaits_pages=True)
    shown = citing.feed("Bence ")
    citing.add_page(3, PAGE)
    return shown + citing.feed(answer) + citing.rest(), citing


def test_a_page_that_comes_meanwhile_is_cited_at_the_passage_that_has_the_words() -> None:
    shown, citing = of_a_page('ucuz [3: "Ucuzdur"], yeni [3: "Yenidir ve pahalıdır"] [9].')
    assert shown == "Bence ucuz [1], yeni [2] [?]."
    assert [(one.passage_id, one.state) for one in citing.citations] == [
        ("112", CitationState.CHECKED),
        ("111", CitationState.UNCHECKED),
    ]


def test_words_over_the_end_of_a_passage_are_cut_to_the_part_that_opens() -> None:
    _, citing = of_a_page('öyle [3: "Metformin akşam alınır. Şekeri düşürür. Eskidir."]')
    (citation,) = citing.citations
    assert (citation.quote, citation.passage_id, citation.state) == (
        "Metformin akşam alınır. Şekeri düşürür.",
        "111",
        CitationState.CHECKED,
    )


def test_words_that_only_partly_stand_in_a_page_are_not_cut_to_what_does() -> None:
    _, citing = of_a_page('öyle [3: "Şekeri düşürür. Herkesi iyileştirir hemen."]')
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]
