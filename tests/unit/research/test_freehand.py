"""Citations in forms that nobody asked for are checked like any other; other brackets stay."""

from itertools import product

import pytest

from desktop.domain.messages import CitationState
from desktop.research.citations.citing import Citing
from tests.unit.research.test_hundred_answers import passage

TEXTS = (
    (
        "Yakıtlı ısıtıcılar, kapalı odalarda karbonmonoksit birikmesine yol açabilir. 2019 "
        "kışında İzmir’de 47 kişi bu yüzden hastaneye kaldırıldı. Uzmanlar bunu “bakımsız "
        "bacalara” bağlıyor."
    ),
    (
        "The bridge at Remagen was seized on 7 March 1945 by an American division. It stood for "
        "ten days more and then fell into the Rhine, killing 28 engineers."
    ),
    "Hamur 24 °C’de yaklaşık 12 saat bekletilir. Uzun bekleme, fitik asidi azaltır.",
    "Octopuses have three hearts. Their nervous system holds about 500 million neurons.",
)
GIVEN = tuple(passage(number, text) for number, text in enumerate(TEXTS, start=1))
FORMS = (
    '[passage {n}: "{q}"]',
    '[Kaynak {n}: "{q}"]',
    "[{n}: {q}]",
    '({n}: "{q}")',
    '[{n}] "{q}"',
    '[{n}, {m}: "{q}"]',
    '【{n}: "{q}"】',
    '[^{n}]: "{q}"',
    '[{n} - "{q}"]',
    '["{q}", {n}]',
    "[{n}: “{q}” — sayfa 3]",
    '(Source {n}: "{q}")',
    "[{n}: '{q}']",
    "[{n}: *{q}*]",
    '"{q}" [{n}]',
    '(bkz. Kaynak {n}, "{q}")',
    "[Kaynak {n}, s. 3: «{q}»]",
    "[Pasaj #{n} – “{q}”]",
    '[{n}. "{q}"]',
    '[passage n="{n}": "{q}"]',
    '[{n} "{q}"]',
    "[{n}: „{q}“; {m}]",
    '[{n}|"{q}"]',
    '[Source: {n}, "{q}"]',
    '[Atıf {n}] ("{q}")',
    '[{n}: "{q}" (s. 12)]',
    '[{n}: "{q}.", ilgili bölüm]',
    '[{n}]("{q}")',
    '[Kaynak {n}] — "{q}"',
    '**[{n}]** "{q}"',
    '[§{n}: "{q}"]',
    '[{n} (s. 3): "{q}"]',
    '[{n}: \\"{q}\\"]',
)
# The number that is named, the words, and the passage that has them, if any has.
CASES = (
    (1, "kapalı odalarda karbonmonoksit birikmesine yol açabilir", 1),
    (1, "47 kişi bu yüzden hastaneye kaldırıldı", 1),
    (1, "Uzmanlar bunu “bakımsız bacalara” bağlıyor", 1),
    (2, "seized on 7 March 1945 by an American division", 2),
    (3, "24 °C'de yaklaşık 12 saat bekletilir", 3),
    (4, "holds about 500 million neurons", 4),
    (2, "Yakıtlı ısıtıcılar … birikmesine yol açabilir", 1),
    (2, "The bridge at Remagen ... by an American division", 2),
    (4, "then fell into the Rhine, killing 28 engineers", 2),
    (1, "açık odalarda karbonmonoksit birikmesine yol açabilir", None),
    (1, "47 kişi bu yüzden hapse kaldırıldı", None),
    (1, "Uzmanlar bunu “elektrik sobalarına” bağlıyor", None),
    (2, "seized on 17 March 1945 by an American division", None),
    (2, "by an American division on 7 March 1945 seized", None),
    (2, "It stood for ten days more and then was blown up", None),
    (2, "killing 28 engineers … the bridge at Remagen", None),
    (3, "24 °C'de yaklaşık 2 saat bekletilir", None),
    (3, "fitik asidi azaltır ve kanseri önler", None),
    (4, "ahtapotların üç kalbi vardır", None),
    (4, "octopuses can recognise individual people", None),
)


def folded(answer: str, *, cut: int, nothing: bool = False) -> tuple[str, Citing]:
    citing = Citing(() if nothing else GIVEN)
    pieces = [answer[at : at + cut] for at in range(0, len(answer), cut)]
    return "".join(map(citing.feed, pieces)) + citing.rest(), citing


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cut", [1, 9, 1000])
def test_in_whatever_form_words_are_checked_and_wrong_ones_are_caught(form: str, cut: int) -> None:
    for number, quote, place in CASES:
        written = form.format(n=number, m=number % 4 + 1, q=quote)
        shown, citing = folded(f"Öyle {written} derler.", cut=cut)
        assert "Öyle " in shown
        assert shown.endswith(" derler.")
        assert "[1]" in shown
        assert not any(raw in shown for raw in ("【", "Kaynak", "Source", "passage", f"{number}:"))
        checked = {
            one.passage_id for one in citing.citations if one.state is CitationState.CHECKED
        }
        assert checked == ({f"p{place}"} if place else set()), (written, shown)


@pytest.mark.parametrize("bare", ["[^2]", "[Kaynak 2]", "(source 2)", "【2†source】", "[pasaj 2]"])
def test_a_number_alone_is_marked_in_whatever_form(bare: str) -> None:
    shown, citing = folded(f"So it is {bare}, they say.", cut=1)
    assert shown == "So it is [1], they say."
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]


def test_two_quotations_of_one_number_are_two() -> None:
    shown, citing = folded('So [2: "seized on 7 March 1945", "killing 28 engineers"].', cut=7)
    assert shown == "So [1][2]."
    assert {one.state for one in citing.citations} == {CitationState.CHECKED}


def test_all_of_a_range_are_marked() -> None:
    shown, citing = folded("So it is [2-4].", cut=1)
    assert shown == "So it is [1][2][3]."
    assert {one.state for one in citing.citations} == {CitationState.UNCHECKED}


def test_a_term_between_quotation_marks_makes_no_number_sure() -> None:
    _, citing = folded('It is deadly, and "American division" [2] is its name.', cut=1)
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]


def test_what_else_a_citation_says_is_kept() -> None:
    shown, _ = folded('So [Kaynak 2: "seized on 7 March 1945"; köprü üzerine].', cut=5)
    assert shown == "So [1] (köprü üzerine)."


ORDINARY = (
    "Örneklem (n = 120) küçüktü; (n=3) dışlandı.",
    "(1) Una su kat. (2) Beklet. (3) Pişir.",
    "Bkz. Tablo 2 (Şekil 3) ve [Ek 1].",
    "Skor (2: 1) idi; saat (12: 30), ayet (2:255).",
    '(1990: "Yılın Kitabı") ödülü ve {1: "bir"}',
    "Bir [sic] iki [...] üç […] dört",
    "(no 5) kapı, (nr 7), [No: 12] sokak",
    "(s. 12) ve (sayfa 3), (bkz. Bölüm 3), (see 4.2)",
    "x[1] ve y[2:5] dilimi; oran [1:4], sınıf [1-A]",
    "Maçı [3 - 1] kazandı, puanı [10/10].",
    "Jones (2020) and [Smith, 2019] agree.",
    '[Figure 1: "A map"] is drawn by hand.',
    "[source needed] [citation needed] [kaynak belirtilmeli]",
    "(kaynak 2'ye göre değişir) (kaynak 2 yıl önce silindi)",
    '[12 Mart 1971: "muhtıra"] [“böyle” dedi]',
    '```\n[Kaynak 1: "x y z"]\n``` ve `(1: "x y z")`',
    "[1](https://example.org) ve [kaynak 1](https://example.org)",
)


@pytest.mark.parametrize(("answer", "cut"), [*product(ORDINARY, [1, 1000])])
def test_brackets_that_cite_nothing_stay(answer: str, cut: int) -> None:
    assert folded(answer, cut=cut)[0] == answer
    assert folded(answer, cut=cut, nothing=True)[0] == answer


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ('Öyle [Kaynak 1: "uydurma sözler"].', 'Öyle [1?] (Kaynak 1: "uydurma sözler").'),
        ("Öyle [Kaynak 1] ve 【3†source】.", "Öyle [1?] ve [3?]."),
        ('Öyle (1: "uydurma sözler").', 'Öyle [1?] (1: "uydurma sözler").'),
        ("Öyle [^1].", "Öyle [1?]."),
    ],
)
def test_where_nothing_was_given_other_forms_are_marked_as_unchecked(
    answer: str, shown: str
) -> None:
    assert folded(answer, cut=1, nothing=True)[0] == shown


def test_an_answer_of_brackets_costs_no_time() -> None:
    for begun in ('["', "[Kaynak 1: ", '(1: "', "[passage ", '[1: "a" "', "【1: “"):
        folded(f"{begun}{'x “y” [z] ' * 600} son", cut=40)
