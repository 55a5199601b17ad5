"""Answers with right, shifted, wrong and invented citations, in two languages.

All wrong ones are detected, and no right one is lost.
"""

from collections.abc import Callable

import pytest

from desktop.domain.messages import CitationState
from desktop.language.sentences import sentences
from desktop.research.citations.quote_matching import stands_in
from tests.unit.research.citations.test_citation_parser import folded, passage

TEXTS = (
    (
        "The dawn phenomenon is a rise of blood sugar between four and eight in the morning. It "
        "is caused by growth hormone and cortisol. About half of those with diabetes have it."
    ),
    (
        "Şafak olayı, kan şekerinin sabaha karşı 04.00 ile 08.00 arasında yükselmesidir. Büyüme "
        "hormonu ve kortizol etkilidir. IŞIK’ın bir etkisi gösterilememiştir."
    ),
    (
        "In the trial 120 people walked for 30 minutes after dinner; their fasting glucose fell "
        "by 0.4 mmol/L. The control group’s did not change. The authors call the evidence “weak”."
    ),
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


def first_words(text: str) -> str:
    return " ".join(sentences(text)[0].text.rstrip(".").split()[:8])


def last_words(text: str) -> str:
    return " ".join(sentences(text)[-1].text.split()[:5]).rstrip(".,;")


def twisted(text: str) -> str:
    """The quotation with one word replaced: plausible, but nobody wrote it."""
    own = first_words(text).split()
    return " ".join([*own[:2], own[-1], *own[3:-1], own[2]])


INVENTED = (
    "coffee cures diabetes within a week",
    "bilim insanları bunu kesin olarak kanıtladı",
    "the evidence is strong and undisputed",
)


def cases() -> list[tuple[int, str, str | None]]:
    """The named passage, the words, and the passage that contains them, if any."""
    found: list[tuple[int, str, str | None]] = []
    for number, text in enumerate(TEXTS, start=1):
        other = number % len(TEXTS) + 1
        found += [
            (number, first_words(text), f"10{number}"),
            (other, last_words(text), f"10{number}"),
            (number, twisted(text), None),
            (number, INVENTED[number - 1], None),
        ]
    return found


def capitals(quote: str) -> str:
    return quote.upper() if quote.isascii() else quote


def over_a_line_end(quote: str) -> str:
    return quote.replace(" ", "\n", 1)


@pytest.mark.parametrize(
    ("form", "spelled"),
    [*((form, str) for form in FORMS), (FORMS[0], capitals), (FORMS[0], over_a_line_end)],
)
@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_every_wrong_answer_is_caught_and_no_right_one_is_rejected(
    form: str, spelled: Callable[[str], str], cut: int
) -> None:
    for number, quote, place in cases():
        answer = f"That is so {form.format(n=number, q=spelled(quote))}, they say."
        shown, citing = folded(answer, GIVEN, cut=cut)
        (citation,) = citing.citations
        assert shown == "That is so [1], they say."
        assert (citation.state is CitationState.CHECKED) == bool(place), answer
        if place:
            assert citation.passage_id == place
            assert stands_in(citation.quote, GIVEN[int(place) - 101].stored)
