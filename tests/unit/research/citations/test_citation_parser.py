"""Citations of an answer while it arrives: replaced by a number, and checked."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop.domain.ids import MessageId, PassageId, SessionId, SourceId
from desktop.domain.messages import CitationState
from desktop.domain.sources import SourceKind
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.citations.url_allowlist import UrlAllowlist
from desktop.research.passages import Passage, Place, Speaker
from tests.examples import examples

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


def fed(citing: CitationParser, answer: str, cut: int = 0) -> str:
    """The answer as shown, arriving in pieces of `cut` letters, or at once."""
    step = cut or max(1, len(answer))
    pieces = [answer[at : at + step] for at in range(0, len(answer), step)]
    return "".join(map(citing.feed, pieces)) + citing.flush()


def folded(
    answer: str, given: Sequence[Passage] = GIVEN, *, cut: int = 0
) -> tuple[str, CitationParser]:
    citing = CitationParser(given)
    return fed(citing, answer, cut), citing


def test_quoted_words_that_are_in_the_passage_are_checked() -> None:
    shown, citing = folded('Sabah yükselir [1: "sabaha karşı 04.00 ile 08.00 arasında"].')
    assert shown == "Sabah yükselir [1]."
    (citation,) = citing.citations
    assert citation.state is CitationState.CHECKED
    assert (citation.source_id, citation.passage_id) == ("s1", "101")
    assert citation.quote == "sabaha karşı 04.00 ile 08.00 arasında"


def test_numbers_count_what_is_cited_and_the_same_words_have_one() -> None:
    answer = (
        'A [2: "Somogyi etkisi gece"]. B [1: "Şafak olayı, kan şekerinin"]. '
        'C [2: "somogyi  etkisi gece"]. D [2: "hipogliseminin ardından"].'
    )
    shown, citing = folded(answer)
    assert shown == "A [1]. B [2]. C [1]. D [3]."
    assert [one.number for one in citing.citations] == [1, 2, 3]
    assert {one.state for one in citing.citations} == {CitationState.CHECKED}


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


@pytest.mark.parametrize("bare", ["[2]", "【2】", "[2, s. 3]"])
def test_a_number_alone_is_unchecked(bare: str) -> None:
    shown, citing = folded(f"Öyledir{bare}, derler.", cut=1)
    assert shown == "Öyledir[1], derler."
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]


@pytest.mark.parametrize(
    "answer",
    [
        '"Somogyi etkisi gece yaşanan" [2] ve [2] "Somogyi etkisi gece yaşanan".',
        'Öyle [2: "gece"] ve [1: "arasında"].',
    ],
)
def test_words_beside_a_number_and_common_words_add_no_certainty(answer: str) -> None:
    _, citing = folded(answer)
    assert {one.state for one in citing.citations} == {CitationState.UNCHECKED}


UNTOUCHED = [
    "Kod: `a[1]` ve\n```python\nx[1] = y[2]\n```\nson",
    "Bağlantı [1](https://example.org) ve [başlık](x)",
    "- [ ] yapılacak\n- [x] yapılan",
    "[not: bir açıklama] ve [n: sayı]",
    "a [ b",
    "dizi[i] ve [1 2]",
    "(1) Una su kat. (2) Beklet. (3) Pişir.",
    "Skor (2: 1) idi; saat (12: 30), ayet (2:255).",
    '(1990: "Yılın Kitabı") ödülü ve {1: "bir"}',
    "Bir [sic] iki [...] üç […] dört [-] 【son】",
    "args_[1] ve y[2:5] dilimi; oran [1:4], sınıf [1-A], x = [1, 2], f([1])",
    '[Figure 1: "A map"] is drawn by hand [citation needed].',
    '```\n[1: "x y z"]\n``` ve `(1: "x y z")`',
    '{1: "bu bir sözlük"} <cite>1</cite> \\cite{1} ^1^ [^1] [Kaynak 1]',
]


NOTHING_GIVEN = [
    "[1]: https://example.org\nbak [başlık][1] ve a[1] ve a[1][2]",
    "x = [5] ve f([6]) ve [1, 2, 3] listesi",
    "[^1]: dipnot ve [2020] yılı",
]


@pytest.mark.parametrize(
    ("answer", "passages"),
    [*((one, GIVEN) for one in UNTOUCHED), *((one, ()) for one in (*UNTOUCHED, *NOTHING_GIVEN))],
)
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_other_brackets_are_left_unchanged(
    answer: str, passages: Sequence[Passage], cut: int
) -> None:
    shown, citing = folded(answer, passages, cut=cut)
    assert shown == answer
    assert citing.citations == ()


def test_half_a_citation_at_the_end_is_left_out() -> None:
    assert folded('Bir [1: "Şafak ol')[0] == "Bir "
    shown, citing = folded('Bir [1: "Şafak olayı"')
    assert (shown, citing.citations[0].state) == ("Bir [1]", CitationState.CHECKED)
    assert folded('Bir [1: "yok böyle')[0] == 'Bir [1: "yok böyle'
    assert [folded(f"Bir {half}")[0] for half in ("[1", "[1, 2", "[1: ")] == ["Bir "] * 3
    assert folded("Bir [1]")[0] == "Bir [1]"


@pytest.mark.parametrize("behind", ["; s. 3", " s. 3", ", sayfa 3", "; pp. 3-4", " p.3"])
def test_a_page_number_after_a_quote_is_dropped(behind: str) -> None:
    shown, citing = folded(f'Bir [1: "Şafak olayı"{behind}]. İki [2: "Somogyi etkisi"{behind}].')
    assert shown == "Bir [1]. İki [2]."
    assert [one.state for one in citing.citations] == [CitationState.CHECKED] * 2
    assert folded(f"Bir [1{behind}]. İki.")[0] == "Bir [1]. İki."


def test_brackets_inside_quoted_words_belong_to_them() -> None:
    shown, citing = folded('Öyle [1: "IŞIK etkisi yoktur [2]"; 2: "Somogyi etkisi […] görülür"].')
    assert shown == "Öyle [1][2]."
    assert citing.citations[0].quote == "IŞIK etkisi yoktur [2]"


@pytest.mark.parametrize("begun", ["[1", '[1: "a"', '[1: "a"; s', '[1: "', "["])
def test_an_unclosed_bracket_takes_linear_time(begun: str) -> None:
    for filling in (" ", "[a] ", 'x" ', "1; ", ", 2"):
        answer = f"A {begun}{filling * (800 // len(filling))} son"
        assert folded(answer, cut=40)[0].endswith(" son")


PIECES = st.sampled_from(
    [
        "{} sözü doğrudur.",
        '"{}" dedi,',
        "{}\n\n",
        "dizi[{}]",
        '[1: "{}',
        '[1: "{}]',
        "[1: {}]",
        '[1: "Şafak olayı" {}]',
        '[1: "yok böyle bir söz"; {}]',
        '[1: "Şafak olayı", {}',
        "[{}: “",
        '[1: "Şafak olayı"]',
        '[1: "Şafak olayı"; 2: “Somogyi etkisi”]',
        '[1: ""]',
        "[2]",
        "[2; s. 4]",
        "[",
        "]",
    ]
)


@given(
    st.lists(PIECES, max_size=8),
    st.lists(st.integers(0, 400), max_size=12),
    st.sampled_from([GIVEN, ()]),
)
@example(['[1: "{}', "[{}: “"], [], GIVEN)
@example(['[1: "{}', "[{}: “", "]"], [], ())
def test_every_way_of_streaming_gives_the_same_text_and_removes_only_citations(
    pieces: list[str], cuts: list[int], passages: tuple[Passage, ...]
) -> None:
    words = [f"kelime{chr(ord('a') + at)}" for at in range(len(pieces))]
    answer = " ".join(piece.format(word) for piece, word in zip(pieces, words, strict=True))
    whole, _ = folded(answer, passages)
    citing, shown = CitationParser(passages), ""
    places = sorted({0, *(min(cut, len(answer)) for cut in cuts), len(answer)})
    for start, end in pairwise(places):
        shown += citing.feed(answer[start:end])
        assert whole.startswith(shown)  # in any division, and no syntax is shown in between
    assert shown + citing.flush() == whole
    # The quote of a citation is shown with it.
    there = " ".join([whole, *(one.quote for one in citing.citations)])
    assert [word for word in words if word in there] == [word for word in words if word in answer]


@pytest.mark.parametrize("cut", [0, 1, 5])
def test_citations_without_passages_are_marked_as_unchecked(cut: int) -> None:
    said = 'Olasılık %99 [1: "uydurma sözler"] ve [2]. Öyle.[3] Bak [4][5]\n[6] Smith, 2020'
    shown = "Olasılık %99 [?] ve [?]. Öyle.[?] Bak [?][?]\n[?] Smith, 2020"
    there, citing = folded(said, (), cut=cut)
    assert (there, citing.citations) == (shown, ())


PAGE = (passage(11, "Metformin akşam alınır. Şekeri düşürür."), passage(12, "Eskidir. Ucuzdur."))


def of_a_page(answer: str) -> tuple[str, CitationParser]:
    """An answer with a page that arrives while it is written."""
    citing = CitationParser((), awaits_pages=True)
    shown = citing.feed("Bence ")
    citing.add_page(3, PAGE)
    return shown + fed(citing, answer), citing


def test_a_page_read_meanwhile_is_cited_at_the_passage_with_the_words() -> None:
    shown, citing = of_a_page(
        'ucuz [3: "Eskidir. Ucuzdur"], yeni [3: "Yenidir ve pahalıdır"] [9].'
    )
    assert shown == "Bence ucuz [1], yeni [2] [?]."
    assert [(one.passage_id, one.state) for one in citing.citations] == [
        ("112", CitationState.CHECKED),
        ("111", CitationState.UNCHECKED),
    ]


def test_a_quote_past_the_end_of_a_passage_is_cut_to_the_part_that_opens() -> None:
    _, citing = of_a_page('öyle [3: "Metformin akşam alınır. Şekeri düşürür. Eskidir."]')
    (citation,) = citing.citations
    assert (citation.quote, citation.passage_id, citation.state) == (
        "Metformin akşam alınır. Şekeri düşürür.",
        "111",
        CitationState.CHECKED,
    )


READ = Place(SourceId("web"), PassageId("p"), SourceKind.WEB, "https://a.example/read")
LINKS = examples(__file__, "LINKS")


@pytest.mark.parametrize(("answer", "expected"), LINKS)
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_an_address_that_no_source_has_is_marked(answer: str, expected: str, cut: int) -> None:
    read = replace(GIVEN[0], stored="Read https://b.example/x.", number=3, place=READ)
    citing = CitationParser(
        [*GIVEN, read], links=UrlAllowlist(["What of https://asked.example/?"])
    )
    assert fed(citing, answer, cut) == expected


LINK = "https://made.example/up"
MARKED = [
    "See https://made.example/up [?].",
    "See [it](https://made.example/up)[?].",
    'See [it](https://made.example/up "A title")[?].',
    "See <https://made.example/up>[?].",
    "See **https://made.example/up [?]**.",
]


@pytest.mark.parametrize("heard", MARKED)
def test_an_address_marked_as_invented_before_is_still_unknown(heard: str) -> None:
    assert "https://made.example/up" not in UrlAllowlist([heard])
    assert "https://made.example/up" in UrlAllowlist([heard.replace("[?]", "")])


def test_an_old_answer_is_not_a_page_that_was_read() -> None:
    said = replace(GIVEN[0], stored="See https://made.example/up.", place=None)
    by_user = replace(said, speaker=Speaker.USER)
    for passages, shown in (([said], "https://made.example/up [?]"), ([by_user], LINK)):
        citing = CitationParser(passages, links=UrlAllowlist([]))
        assert fed(citing, LINK) == shown


HIDDEN = [
    ("[x](https:&#47;&#47;evil.test/?d=1)", "https://evil.test/?d=1"),
    ("h&#116;tps://evil.test", "https://evil.test"),
    ("https:\\//evil.test and", "https://evil.test"),
    ("https://asked.example\\.evil.test/", "https://asked.example.evil.test/"),
    ("[x][1]\n\n[1]: https&colon;//evil.test", "https://evil.test"),
    ("[x](mailto:a@evil.test)", "mailto:a@evil.test"),
    ("<a@evil.test>", "mailto:a@evil.test"),
]
PLAIN = [
    "[x](mailto:ali@asked.example)",
    "`https&colon;//evil.test` and [z](smb:&#47;&#47;evil.test)",
    "[past](bellek://session/x) <https://asked.example/a_(b)>",
]


@pytest.mark.parametrize(("answer", "target"), [*HIDDEN, *((one, "") for one in PLAIN)])
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_an_unknown_address_is_marked_however_it_is_written(
    answer: str, target: str, cut: int
) -> None:
    asked = "ali@asked.example, https://asked.example/a_(b)"
    citing = CitationParser([], links=UrlAllowlist([asked, "https://asked.example"]))
    assert fed(citing, answer, cut) == (f"{answer}\n\n{target} [?]" if target else answer)
