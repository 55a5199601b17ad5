"""Has a model judge claims, each by the passages that it cites, and checks the reply.

The request has claims and passages, and nothing else. A label counts only with the words that
decide: they must stand in a passage that the claim cites, and for "supported" they must have the
numbers and dates of the claim, and be the user's or a document's: what a model wrote before is no
evidence for what it writes now. Whatever is not so is untested.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.claims import CitedSupport, Support
from desktop.domain.json_values import (
    NUMBER_SCHEMA,
    TEXT_SCHEMA,
    JsonValue,
    list_schema,
    object_schema,
)
from desktop.research.citations.claim_figures import missing_figures
from desktop.research.citations.quote_matching import is_specific, stands_in
from desktop.research.passages import Passage, Speaker, excerpt, fitting
from desktop.research.security import escape_markup
from desktop.settings.messages import Texts

INSTRUCTIONS = "check_claims"
SCHEMA = object_schema(
    claims=list_schema(
        object_schema(
            number=NUMBER_SCHEMA,
            parts=list_schema(TEXT_SCHEMA),
            reason=TEXT_SCHEMA,
            words=list_schema(object_schema(passage=NUMBER_SCHEMA, quote=TEXT_SCHEMA)),
            label={"type": "string", "enum": ["supported", "contradicted", "absent"]},
        )
    )
)
MOST_CLAIMS, _FEWEST_CLAIMS = 30, 4  # In one request
_TOKENS_A_CLAIM, _TOKENS_AROUND = 240, 500  # Of a reply
_LEAST_TOKENS = 1_500  # Some models think before they write, within the same limit
_PASSAGE_LENGTH = 1_600  # Characters that are shown of a passage
_LONGEST_QUOTE, _LONGEST_NUMBER = 600, 20  # Characters
_EVIDENCE = {Speaker.USER, Speaker.DOCUMENT, Speaker.PAGE}
_LABELS = {label.value: label for label in Support if label is not Support.UNTESTED}


@dataclass(frozen=True, slots=True)
class CitingClaim:
    text: str
    passages: Mapping[int, Passage]
    """What it cites, by numbers of the caller's choice. Their `text` is shown to the model."""


def number_cited(cited: Iterable[tuple[Passage, str]]) -> dict[tuple[str, str], Passage]:
    """Return the passages of a request by their places, each once, numbered from 1.

    `cited`: each with words of what cites it, around which it is shown.
    """
    words: dict[tuple[str, str], list[str]] = {}
    passages: dict[tuple[str, str], Passage] = {}
    for passage, about in cited:
        place = passage.cited_in, passage.cited_at
        passages.setdefault(place, passage)
        words.setdefault(place, []).append(about)
    return {
        place: replace(
            passage,
            number=number,
            text=excerpt(passage.stored, " ".join(words[place]), _PASSAGE_LENGTH),
        )
        for number, (place, passage) in enumerate(passages.items(), start=1)
    }


@dataclass(frozen=True, slots=True)
class ClaimJudgement:
    support: Support = Support.UNTESTED
    words: Mapping[int, str] = field(default_factory=dict)
    """The words that decide, by the numbers of their passages."""

    def of(self, number: int, passage: int | None, cited: Mapping[int, Passage]) -> CitedSupport:
        """Return what the citation of a passage does; None: the passage no longer exists."""
        words = self.words.get(passage, "") if passage else ""
        if self.support is Support.ABSENT:
            return CitedSupport(number, self.support if passage in cited else Support.UNTESTED)
        return CitedSupport(number, self.support if words else Support.UNTESTED, words)


def most_claims(context_tokens: int) -> int:
    """Return how many claims one request has at most."""
    return max(_FEWEST_CLAIMS, min(MOST_CLAIMS, context_tokens // 1_000))


def output_tokens(claims: int) -> int:
    return max(_LEAST_TOKENS, _TOKENS_AROUND + claims * _TOKENS_A_CLAIM)


def batches(
    claims: Sequence[CitingClaim], room: int, most: int = MOST_CLAIMS
) -> Iterator[Sequence[CitingClaim]]:
    """Yield the claims in as few requests as fit into `room` characters each."""
    rest = claims
    while rest:
        shown: set[int] = set()

        def length(claim: CitingClaim, shown: set[int] = shown) -> int:
            new = claim.passages.keys() - shown
            shown.update(new)
            return len(claim.text) + sum(len(claim.passages[number].text) for number in new)

        batch = fitting(rest[:most], room, length, least=1)
        yield batch
        rest = rest[len(batch) :]


def request_text(claims: Sequence[CitingClaim], texts: Texts) -> str:
    """Return the passages, each once, and the claims, numbered from 1."""
    passages = {number: passage for claim in claims for number, passage in claim.passages.items()}
    parts = [texts.say("research.data")]
    parts += (
        f'<passage n="{number}">\n{escape_markup(passage.text)}\n</passage>'
        for number, passage in passages.items()
    )
    lines = (
        texts.say(
            "research.cited_claim",
            number=number,
            claim=escape_markup(claim.text),
            passages=", ".join(map(str, claim.passages)),
        )
        for number, claim in enumerate(claims, start=1)
    )
    return "\n\n".join([*parts, "\n".join(lines)])


def parse_judgements(value: JsonValue, claims: Sequence[CitingClaim]) -> list[ClaimJudgement]:
    """Return a judgement for each claim; one without exactly one label is untested."""
    entries: dict[int, list[Mapping[str, JsonValue]]] = {}
    for fields in _objects(value):
        number = _whole(fields.get("number"))
        if number is not None:
            entries.setdefault(number, []).append(fields)
    return [
        _judgement(entries.get(number, ()), claim) for number, claim in enumerate(claims, start=1)
    ]


def _objects(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    """Return the entries of a reply; a bare list counts, too."""
    entries = value.get("claims") if isinstance(value, Mapping) else value
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return []
    return [entry for entry in entries if isinstance(entry, Mapping)]


def _judgement(entries: Sequence[Mapping[str, JsonValue]], claim: CitingClaim) -> ClaimJudgement:
    labels = {_label_of(fields.get("label")) for fields in entries}
    label = labels.pop() if len(labels) == 1 else None
    if label is None or not claim.passages:
        return ClaimJudgement()
    if label is Support.ABSENT:
        return ClaimJudgement(label)
    if label is Support.SUPPORTED:
        claim = _citing_evidence(claim)
    words = _standing_words(entries[0].get("words"), claim, label)
    return ClaimJudgement(label, words) if words else ClaimJudgement()


def _citing_evidence(claim: CitingClaim) -> CitingClaim:
    """Return a claim with those of its passages that a model did not write."""
    passages = claim.passages.items()
    return replace(claim, passages={n: each for n, each in passages if each.speaker in _EVIDENCE})


def _label_of(value: JsonValue) -> Support | None:
    return _LABELS.get(value.strip().casefold()) if isinstance(value, str) else None


def _whole(value: JsonValue) -> int | None:
    """Return a number, also one that is written as a text, unless it is longer than any."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) <= _LONGEST_NUMBER:
        return int(value)
    return value if isinstance(value, int) else None


def _standing_words(value: JsonValue, claim: CitingClaim, label: Support) -> dict[int, str]:
    """Return the quoted words that stand in their passages; empty if they do not suffice."""
    quotes: dict[int, list[str]] = {}
    for number, quote in _quotes(value):
        if place := _passage_with(quote, number, claim):
            quotes.setdefault(place, []).append(quote)
    words = {number: _joined(several, claim, number) for number, several in sorted(quotes.items())}
    if label is Support.SUPPORTED and missing_figures(claim.text, " … ".join(words.values())):
        return {}
    return words


def _quotes(value: JsonValue) -> Iterator[tuple[JsonValue, str]]:
    entries = [value] if isinstance(value, (str, Mapping)) else value
    for entry in entries if isinstance(entries, Sequence) else ():
        named, quote = (
            (entry.get("passage"), entry.get("quote"))
            if isinstance(entry, Mapping)
            else (None, entry)
        )
        if isinstance(quote, str) and len(quote) <= _LONGEST_QUOTE:
            yield _whole(named), " ".join(quote.split())


def _passage_with(quote: str, named: JsonValue, claim: CitingClaim) -> int | None:
    """Return the number of the cited passage that has the words, the named one first."""
    for number in sorted(claim.passages, key=lambda number: number != named):
        stored = claim.passages[number].stored
        if stands_in(quote, stored) and is_specific(quote, stored):
            return number
    return None


def _joined(quotes: Sequence[str], claim: CitingClaim, number: int) -> str:
    """Return the words of one passage as one quotation: it stands in the passage, too."""
    fewest = sorted(
        quotes, key=lambda quote: (len(missing_figures(claim.text, quote)), -len(quote))
    )
    best = fewest[0]
    if len(quotes) > 1:
        for pair in (" … ".join(quotes), " … ".join(quotes[::-1])):
            if stands_in(pair, claim.passages[number].stored):
                return pair
    return best
