"""Citations that a model marks in a way of its own are shown as all others; nothing else is."""

import re

import pytest

from desktop.domain.messages import CitationState
from desktop.research.citations.citing import Citing
from tests.unit.research.test_hundred_answers import passage

TEXTS = (
    "Zeytinin kökleri kayalık toprağa altı metre iner. Hasat ekim sonunda başlar, 70 gün sürer.",
    "The keeper recorded 412 storms between 1881 and 1903. The tower was rebuilt in granite.",
    "Kuru maya 35 derece suda on dakikada kabarır. Daha sıcak su mayayı öldürür.",
)
GIVEN = tuple(passage(number, text) for number, text in enumerate(TEXTS, start=1))
QUOTING = (
    '{{{n}: "{q}"}}',
    "{{{n}: “{q}”}}",
    '{{"{n}": "{q}"}}',
    '{{{{{n}: "{q}"}}}}',
    '{{"n": {n}, "quote": "{q}"}}',
    '{{"quote": "{q}", "source_id": "{n}"}}',
    "{{'kaynak': {n}, 'alıntı': '{q}'}}",
    '{{"citation": {{"index": {n}, "words": "{q}"}}}}',
    '(quote: "{q}", source: {n})',
    '[{n} = "{q}"]',
    '[{n} => "{q}"]',
    '[{n}]["{q}"]',
    '[{n}]{{"{q}"}}',
    '[[{n}]]("{q}")',
    "［{n}：「{q}」］",
    "（{n}：“{q}”）",
    "「{q}」 [{n}]",
    "_{q}_ ({n})",
    "'{q}' [{n}]",
    '"{q}" {{{n}}}',
    "[quote {n}]{q}[/quote]",
    '\\cite{{{n}}}{{"{q}"}}',
    '<cite source="{n}">"{q}"</cite>',
    "<cite>{q}</cite>",
    '<cite n="{n}">{q}</cite>',
    "<cite id='{n}' quote='{q}' />",
    '<cite>[{n}: "{q}"]</cite>',
    '<cite>{n}: "{q}"</cite>',
    "<cite:{n}>{q}</cite>",
    '<citation source="{n}" quote="{q}"/>',
    '<source id="{n}">{q}</source>',
    '<quote source="{n}">{q}</quote>',
    '<sup>[{n}: "{q}"]</sup>',
    '"{q}"<sup>{n}</sup>',
    '<{n}: "{q}">',
    "({n}: {q})",
    "(Kaynak {n}: {q})",
    'Kaynak {n}: "{q}"',
    'Source {n} says: "{q}"',
    'Passage {n} states that "{q}"',
    'Kaynak [{n}] şöyle der: "{q}"',
    'According to [{n}], "{q}"',
    '"{q}" — [{n}]',
    '"{q}" ({n})',
    '("{q}" [{n}])',
    '"{q}" [{n}, s. 3]',
    '[{n}: "{q}"',
    '\\[{n}: "{q}"\\]',
    '`[{n}: "{q}"]`',
    '[[{n}: "{q}"]]',
    '[n: "{q}"]',
    '[{n}: "{q}"](#{n})',
    '[Alıntı: "{q}", kaynak {n}]',
    '⟦{n}: "{q}"⟧',
    '[**{n}**: "{q}"]',
    '[Kaynak-{n}: "{q}"]',
    '[K{n}: "{q}"]',
    '[doc_{n}: "{q}"]',
    '[Kaynak {n}’den: "{q}"]',
    '\\cite{{{n}}} "{q}"',
    "\\cite[{q}]{{{n}}}",
    "[“{q}”]({n})",
    '["{q}"][{n}]',
    '{n} numaralı pasajda "{q}"',
    '([{n}]: "{q}")',
    '[{n} → "{q}"]',
    '<q cite="{n}">{q}</q>',
    '[{n}] numaralı kaynakta "{q}"',
    'as Source {n} puts it, "{q}"',
    '(passage n="{n}": "{q}")',
    "“{q}” $^{{{n}}}$",
)
CASES = (
    (1, "kökleri kayalık toprağa altı metre iner", True),
    (2, "recorded 412 storms between 1881 and 1903", True),
    (3, "Daha sıcak su mayayı öldürür", True),
    (1, "kökleri kumlu toprağa altı metre iner", False),
    (2, "recorded 512 storms between 1881 and 1903", False),
    (3, "Daha soğuk su mayayı öldürür", False),
)
BARE = (
    "<cite>1</cite>",
    "<cite>[1]</cite>",
    '<cite n="1"/>',
    "<cite:1>",
    "<ref>1</ref>",
    "<sup>1</sup>",
    "<sup>[1]</sup>",
    "[[1]]",
    "[[1]](#ref1)",
    "\\[1\\]",
    "[doc1]",
    "[**1**]",
    "⟦1⟧",
    "\\cite{1}",
    "^[1]",
    "^1^",
    "[^1^]",
    "[1](#)",
    "[1](source)",
    "[1](/books/1.pdf)",
    "⁽¹⁾",
    "¹",
    "(Quelle 1)",
    "【1:0†source】",
)
_MARK = re.compile(r"\[(?:\d+|\?)\]")


def folded(answer: str, *, cut: int) -> tuple[str, Citing]:
    citing = Citing(GIVEN)
    pieces = [answer[at : at + cut] for at in range(0, len(answer), cut)]
    return "".join(map(citing.feed, pieces)) + citing.rest(), citing


@pytest.mark.parametrize("form", QUOTING)
@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_words_that_are_marked_in_another_way_are_checked(form: str, cut: int) -> None:
    for number, quote, is_right in CASES:
        shown, citing = folded(f"Bu konuda {form.format(n=number, q=quote)} denir.", cut=cut)
        checked = [
            one.passage_id for one in citing.citations if one.state is CitationState.CHECKED
        ]
        assert checked == ([f"p{number}"] if is_right else []), shown
        assert _MARK.search(shown)
        assert not re.search(r"[\[\]{}<>⟦⟧\\|]", _MARK.sub("", shown)), shown
        assert shown.startswith("Bu konuda ")
        assert shown.endswith(" denir.")


@pytest.mark.parametrize("written", BARE)
@pytest.mark.parametrize("cut", [1, 1000])
def test_a_number_that_is_marked_in_another_way_is_unchecked(written: str, cut: int) -> None:
    shown, citing = folded(f"Hasat yetmiş gün sürer {written}, sonra biter.", cut=cut)
    told = " ".join(shown.replace("[1]", " ").split())
    assert told == "Hasat yetmiş gün sürer , sonra biter."
    assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]


def test_words_that_an_answer_claims_as_its_own_stay_in_it() -> None:
    shown, citing = folded('Öyle. <cite n="2">The tower was rebuilt in granite.</cite>', cut=3)
    assert shown == "Öyle. The tower was rebuilt in granite. [1]"
    assert [one.state for one in citing.citations] == [CitationState.CHECKED]
    assert folded('<cite n="3">Maya her suda ölür.</cite>', cut=3)[0] == "Maya her suda ölür. [1]"


def test_a_list_of_sources_has_the_readers_numbers() -> None:
    answer = (
        'Sürer [3: "on dakikada kabarır"]. Yandı [2].\n\n**Kaynaklar:**\n1. Zeytin üzerine\n'
        "2) Fener: “recorded 412 storms between 1881 and 1903”\n- 3. Maya\n4. Sağlık Örgütü\n"
    )
    for cut in (1, 1000):
        shown, citing = folded(answer, cut=cut)
        assert shown == (
            "Sürer [1]. Yandı [2].\n\n**Kaynaklar:**\n- [3] Zeytin üzerine\n"
            "- [4] Fener: “recorded 412 storms between 1881 and 1903”\n- [5] Maya\n"
            "- [?] Sağlık Örgütü\n"
        )
        places = [(one.passage_id, one.state is CitationState.CHECKED) for one in citing.citations]
        assert places == [("p3", True), ("p2", False), ("p1", False), ("p2", True), ("p3", False)]


def test_sources_that_a_sentence_names_have_the_readers_numbers() -> None:
    shown, citing = folded("Kaynak 3'e göre ölür. Sources 2 and 3 agree; so does Source 9.", cut=1)
    assert shown == "Kaynak [1]'e göre ölür. Sources [2] and [1] agree; so does Source 9."
    assert {one.state for one in citing.citations} == {CitationState.UNCHECKED}


def test_words_quoted_in_another_clause_make_no_number_sure() -> None:
    for answer in (
        'Zehirlidir [1], oysa "kökleri kayalık toprağa altı metre iner" denir.',
        'Zehirlidir [1]. "kökleri kayalık toprağa altı metre iner" denir.',
        'Öyle: "kökleri kayalık toprağa altı metre iner".\n[1] Zehirlidir.',
    ):
        _, citing = folded(answer, cut=1000)
        assert [one.state for one in citing.citations] == [CitationState.UNCHECKED]


ORDINARY = (
    'The broker sends {"n": 1, "quote": "EUR/USD"}, {"id": 1, "title": "Dune"} and no more.',
    'Use data["1"]["name"], matrix[[1]]("x"), f(1)("x"), a[1]["key"] = "it"; the set {1}.',
    "In BBCode [quote]text[/quote] and [quote=Ann]hello[/quote] show boxes; {{cite|a|b}}.",
    'A flag (source: "internal", n: 12, kind: "x") is data; so is (text: plain words, id = 1).',
    "_Moby Dick_ (1851) and _Emma_ (1) are long; “Stay” {1} was its word; the track [quote 1] is.",
    "a[1] = b[2]; args[1], dizi[2], someList[3], $_[1], call([1, 2]), x = [1, 2], {1: 2, 2: 3}",
    "5² = 25, 12 m², 3 metre², x^2, 10^{3}, e^{1}, H<sub>2</sub>O, x<sup>2</sup>, 10<sup>2</sup>",
    '"{1}, {2}".format(a, b) {"1": "bir"} {1: "bir"} f{1}x \\d{1} \\frac{1}{2} \\[ x = 1 \\]',
    "Saat 12:30; 1881-1903; madde 3.2; (1) bir (2) iki; (2: 1); sayfa (3); Isaiah (1:2)",
    "1. Önce kaynatın.\n2. Bekleyin (2. adım).\n3) Süzün.\n\nNotlar: 1, 2 ve 3.",
    "Kaynak 2 kez açıldı, open source 3.0, kaynak kodu 2 satır, resource 1, data source 2x",
    "<b>kalın</b> <https://a.b> 3 < 5 > 2 <i>1</i> <source src='a.mp4'> <ref> <cite>Hamlet</cite>",
    '```\n<cite>1</cite> {1: "bu dört sözlük bir"} word¹\n``` ve `{1}` ve `a[1]` ve `[1]`',
    "[[2, 3], [1, 2]] ve \"params\": [1] ve [Zeytin](https://a.example/1) ve [('a', 1), ('b', 2)]",
)


@pytest.mark.parametrize("answer", ORDINARY)
@pytest.mark.parametrize("cut", [1, 1000])
def test_numbers_of_other_kinds_stay_as_they_are(answer: str, cut: int) -> None:
    shown, citing = folded(answer, cut=cut)
    assert shown == answer
    assert citing.citations == ()
