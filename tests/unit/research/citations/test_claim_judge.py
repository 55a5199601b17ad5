import json
from pathlib import Path

import pytest

from desktop.domain.claims import Support, WarningKind
from desktop.domain.json_values import JsonValue
from desktop.research.citations.claim_figures import missing_figures
from desktop.research.citations.claim_judge import (
    CitingClaim,
    ClaimJudgement,
    batches,
    number_cited,
    parse_judgements,
)
from desktop.research.citations.claim_rules import find_warnings, split_claims
from desktop.research.citations.quote_matching import stands_in
from desktop.research.passages import Passage, Speaker
from tests.archives import NOON

PAIRS = json.loads(Path(__file__).with_name("claim_pairs.json").read_text("utf-8"))
FIGURES = {WarningKind.NUMBER.value, WarningKind.DATE.value}
DAWN = "In 1987 the bridge was opened to traffic. It is 1,090 metres long and has two lanes."


def passage_of(text: str, title: str = "Notes", number: int = 1) -> Passage:
    return Passage(
        title=title,
        said_at=NOON,
        speaker=Speaker.DOCUMENT,
        text=text,
        stored=text,
        number=number,
    )


def judged(claim: str, text: str, *entries: JsonValue) -> ClaimJudgement:
    citing = CitingClaim(claim, {1: passage_of(text)})
    (judgement,) = parse_judgements({"claims": list(entries)}, [citing])
    return judgement


def entry(label: JsonValue, *quotes: str, number: int = 1) -> JsonValue:
    words: list[JsonValue] = [{"passage": 1, "quote": quote} for quote in quotes]
    return {"number": number, "parts": [], "reason": "", "words": words, "label": label}


def test_a_supported_claim_has_its_words() -> None:
    judgement = judged("Köprü 1987'de açıldı.", DAWN, entry("supported", "In 1987 the bridge was"))
    assert judgement == ClaimJudgement(Support.SUPPORTED, {1: "In 1987 the bridge was"})


@pytest.mark.parametrize(
    "entries",
    [
        (),
        (entry("supported"),),
        (entry("supported", "In 1987 the bridge was closed"),),
        (entry("supported", "the bridge was opened to traffic"),),  # Without the year
        (entry("supported", "in"),),
        (entry("contradicted"),),
        (entry("contradicted", "It was never opened"),),
        (entry("partly", "In 1987 the bridge was opened"),),
        (entry(["supported"], "In 1987 the bridge was opened"),),
        (entry("untested", "In 1987 the bridge was opened"),),
        (entry("supported", "In 1987 the bridge"), entry("absent")),
        (entry("supported", "In 1987 the bridge", number=2),),
        ("supported",),
    ],
)
def test_without_one_label_and_its_words_a_claim_is_untested(
    entries: tuple[JsonValue, ...],
) -> None:
    assert judged("Köprü 1987'de açıldı.", DAWN, *entries) == ClaimJudgement()


def test_words_of_a_passage_that_the_claim_does_not_cite_do_not_count() -> None:
    claims = [
        CitingClaim("The bridge has two lanes.", {1: passage_of("Nothing of it.")}),
        CitingClaim("It has two lanes.", {2: passage_of(DAWN, number=2)}),
    ]
    reply: JsonValue = {
        "claims": [
            {"number": n, "words": [{"passage": 2, "quote": "two lanes"}], "label": "supported"}
            for n in (1, 2)
        ]
    }
    first, second = parse_judgements(reply, claims)
    assert (first.support, second.support) == (Support.UNTESTED, Support.SUPPORTED)


def test_what_nothing_says_needs_no_words() -> None:
    assert judged("It is red.", DAWN, entry("absent")).support is Support.ABSENT


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["title"])
def test_a_model_that_supports_everything_clears_no_twisted_figure(
    pair: dict[str, list[list[str]]],
) -> None:
    text = str(pair["passage"])
    for kind, claim in pair["twisted"]:
        first = text.split(". ", maxsplit=1)[0]
        for quotes in ([claim], [text[:600]], [first], [first, text[-200:]], []):
            judgement = judged(claim, text, entry("supported", *quotes))
            is_green = judgement.support is Support.SUPPORTED
            assert not (is_green and kind in FIGURES)
            for words in judgement.words.values() if is_green else ():
                assert stands_in(words, text)
                assert not missing_figures(claim, words)


def test_rules_warn_of_few_true_claims_and_most_twisted_ones() -> None:
    def warned(pair: dict[str, str], claim: str) -> bool:
        return bool(find_warnings(claim, [passage_of(pair["passage"], pair["title"])]))

    true = [warned(pair, claim) for pair in PAIRS for claim in pair["true"]]
    twisted = [warned(pair, claim) for pair in PAIRS for _, claim in pair["twisted"]]
    assert len(true) == len(twisted) == 200
    assert sum(true) <= 5
    assert sum(twisted) >= 188


def test_each_passage_is_sent_once_and_a_long_answer_in_few_requests() -> None:
    passages = number_cited(
        (passage_of(f"{'word ' * 600}{n} ends here.", number=n), "ends here") for n in (1, 1, 1)
    )
    (passage,) = passages.values()
    assert "ends here" in passage.text
    assert len(passage.text) < 1_700
    claims = [CitingClaim(f"Claim {n}.", {passage.number: passage}) for n in range(40)]
    assert [len(batch) for batch in batches(claims, 100_000)] == [30, 10]
    assert sum(len(batch) for batch in batches(claims, 10)) == 40


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("It opened [1]. It is long. [2] Nobody knows.", [("It opened.", 1), ("It is long.", 2)]),
        (
            "The bridge was opened in 1987 [1], whereas the tunnel was never built [2].",
            [("The bridge was opened in 1987", 1), ("whereas the tunnel was never built.", 2)],
        ),
        ("The drug [1] lowers it by 20 %.", [("The drug lowers it by 20 %.", 1)]),
        ("- Kuruluş: 1987 [1]\n- Yer: Ankara", [("Kuruluş: 1987", 1)]),
        ("| Ankara | 5 milyon [1] |", [("Ankara | 5 milyon", 1)]),
        ("## Sources\n\n- [1] Notes\n[2] Other notes", []),
        ("`a[1]` and ```\nb[2]\n```", []),
        ("It is so [7].", []),
    ],
)
def test_claims_are_the_sentences_and_clauses_with_marks(
    answer: str, claims: list[tuple[str, int]]
) -> None:
    found = split_claims(answer, {1, 2})
    assert [(claim.text, *claim.numbers) for claim in found] == claims
    assert all(answer[claim.start : claim.end].strip() for claim in found)


def test_numbers_longer_than_any_are_no_end_of_a_check() -> None:
    digits = "9" * 5_000
    named: JsonValue = {"number": digits, "label": "absent"}
    assert judged("It is so.", DAWN, named) == ClaimJudgement()
    for claim, text in ((f"It is {digits} metres.", DAWN), ("It is 1,090 metres.", digits)):
        warnings = find_warnings(claim, [passage_of(f"{text} It is 5 metres.")])
        assert "number" in {warning.kind.value for warning in warnings}


@pytest.mark.parametrize(
    ("claim", "is_warned"),
    [
        ("Venetian archives hold more than 95 million documents.", True),
        ("Ottoman archives hold more than 95 million documents.", False),
        ("Archives of the Ottomans hold over 95 million documents.", False),
        ("They hold more than 95 million documents.", False),
        ("Parliament has archives.", False),  # too few words to be a repetition
    ],
)
def test_a_sentence_that_is_repeated_with_another_subject_is_warned_of(
    claim: str, *, is_warned: bool
) -> None:
    passage = passage_of("Ottoman archives hold more than 95 million documents.", "Archives")
    assert bool(find_warnings(claim, [passage])) is is_warned
