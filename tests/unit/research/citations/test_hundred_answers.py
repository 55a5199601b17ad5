"""A hundred answers with right, wrong, shifted and invented citations, in two languages.

All wrong ones are caught, and no right one is lost.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product

import pytest

from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.messages import CitationState
from desktop.domain.sources import SourceKind
from desktop.language.sentences import sentences
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.citations.quote_matching import stands_in
from desktop.research.passages import Passage, Place, Speaker

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
        "Metformin lowers the sugar that the liver makes by about 30 %. It does not cause weight "
        "gain. The usual dose is 500 to 2,000 mg a day, taken “with the evening meal”."
    ),
    (
        "Somogyi etkisi, gece yaşanan hipogliseminin ardından görülen yükselmedir. Sık olduğu "
        "sanılmıştır; sürekli ölçümler bunu doğrulamamıştır. Tedavide gece insülini azaltılır."
    ),
    (
        "In the trial 120 people walked for 30 minutes after dinner; their fasting glucose fell "
        "by 0.4 mmol/L. The control group’s did not change. The authors call the evidence “weak”."
    ),
)
WAYS = 5
"""In which the same citation is written."""


def passage(number: int, text: str) -> Passage:
    return Passage(
        number=number,
        session_id=SessionId(""),
        message_id=None,
        title=f"Source {number}",
        said_at=datetime(2026, 3, 5, tzinfo=UTC),
        speaker=Speaker.DOCUMENT,
        text=text,
        stored=text,
        place=Place(
            SourceId(f"s{number}"),
            PassageId(f"p{number}"),
            SourceKind.DOCUMENT,
            f"/books/{number}.pdf",
            number,
        ),
    )


GIVEN = tuple(passage(number, text) for number, text in enumerate(TEXTS, start=1))


@dataclass(frozen=True)
class Case:
    kind: str
    number: int
    """Of the passage that the model names."""
    quote: str
    place: str | None
    """The passage that has the words; None: none has them."""
    way: int

    @property
    def answer(self) -> str:
        quote = self.quote
        written = (
            f'[{self.number}: "{quote}"]',
            f"[{self.number}: “{quote}”]",
            f'[ {self.number} : "{quote}" ]',
            f'[{self.number}: "{quote.upper() if quote.isascii() else quote}"]',
            f'[{self.number}: "{quote.replace(" ", chr(10), 1)}"]',
        )[self.way]
        return f"That is so {written}, they say."


def first_words(text: str) -> str:
    return " ".join(sentences(text)[0].text.rstrip(".").split()[:8])


def last_words(text: str) -> str:
    return " ".join(sentences(text)[-1].text.split()[:5]).rstrip(".,;")


def twisted(text: str) -> str:
    """A word of it in the place of another: it reads well, and nobody wrote it."""
    own = first_words(text).split()
    return " ".join([*own[:2], own[-1], *own[3:-1], own[2]])


INVENTED = (
    "coffee cures diabetes within a week",
    "bilim insanları bunu kesin olarak kanıtladı",
    "metformin lowers the sugar that the liver makes by about 80 %",
    "şafak olayı akşam yemeğinden sonra görülür",
    "the evidence is strong and undisputed",
)


def cases() -> list[Case]:
    found: list[Case] = []
    for way, (number, text) in product(range(WAYS), enumerate(TEXTS, start=1)):
        other = number % len(TEXTS) + 1
        found += [
            Case("right", number, first_words(text), f"p{number}", way),
            Case("shifted", other, last_words(text), f"p{number}", way),
            Case("wrong", number, twisted(text), None, way),
            Case("invented", number, INVENTED[number - 1], None, way),
        ]
    return found


def cited(answer: str, *, cut: int) -> tuple[str, CitationParser]:
    citing = CitationParser(GIVEN)
    pieces = [answer[at : at + cut] for at in range(0, len(answer), cut)]
    return "".join(map(citing.feed, pieces)) + citing.flush(), citing


@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_all_wrong_ones_are_caught_and_no_right_one_is_lost(cut: int) -> None:
    caught, lost = [], []
    for case in cases():
        shown, citing = cited(case.answer, cut=cut)
        (citation,) = citing.citations
        assert shown == "That is so [1], they say."
        is_checked = citation.state is CitationState.CHECKED
        if case.place is None:
            caught.append((case, not is_checked))
        else:
            found = is_checked and citation.passage_id == case.place
            lost.append((case, not found))
        if is_checked:
            text = next(one.stored for one in GIVEN if one.cited_at == citation.passage_id)
            assert stands_in(citation.quote, text)
    assert [case for case, is_caught in caught if not is_caught] == []
    assert [case for case, is_lost in lost if is_lost] == []


PRINTED = (
    passage(
        1, "Take 2.5 mg daily at −5 °C or below. In 2020 some 100.000 people did; 1,500 died."
    ),
    passage(2, "The drug X was withdrawn from the market. And drinking water is safe."),
    passage(3, "The eﬃciency of CO₂ capture in cafe\u0301s is an effi\u00ad\ncient\u200b matter."),
)
SLIPS = (
    "5 mg daily",
    "5 °C",
    "100",
    "000 people did",
    "some 100",
    "500 died",
    "the drug … is safe",
    "and",
    "market",
    "The drug X was … drinking water",
)
TRUE_ONES = (
    "2.5 mg daily",
    "-5 °C or below",
    "100.000 people",
    "1,500 died",
    "The drug X was withdrawn",
    "the efficiency of CO2 capture in cafés",
    "an efficient matter",
)


@pytest.mark.parametrize(
    ("quotes", "state"), [(SLIPS, CitationState.UNCHECKED), (TRUE_ONES, CitationState.CHECKED)]
)
def test_pieces_of_numbers_are_caught_and_other_letters_are_not_lost(
    quotes: tuple[str, ...], state: CitationState
) -> None:
    for quote in quotes:
        citing = CitationParser(PRINTED)
        shown = citing.feed(f'So [1: "{quote}"], they say.') + citing.flush()
        assert (shown, [one.state for one in citing.citations]) == ("So [1], they say.", [state])
