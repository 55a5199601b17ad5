"""The report of a Deep run: the request for it, the sections below it, and its replacement."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate

from desktop.domain.claims import Support
from desktop.domain.messages import Citation, Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.research import LimitKind
from desktop.domain.times import long_date
from desktop.research.citations.quote_matching import stands_in
from desktop.research.extractive_answers import (
    CitedText,
    checked_citation,
    quote_passages,
    rank_quotable,
)
from desktop.research.passages import Passage
from desktop.research.security import escape_markup
from desktop.research.tiers.deep import Claim, ResearchFindings, as_passages
from desktop.research.tiers.evidence import search_results, suspicious_note
from desktop.research.tiers.literature_retrieval import references_section
from desktop.research.tiers.run import Run

_MOST_QUOTED = 8
_OUTPUT_TOKENS = 8_192


@dataclass(frozen=True, slots=True)
class ReportBuilder:
    findings: ResearchFindings
    run: Run

    def request(
        self, instructions: str, room: int, *, cites_itself: bool
    ) -> tuple[ModelRequest, Sequence[Claim]]:
        lengths = accumulate(len(entry.text) + len(entry.quote) for entry in self.findings.claims)
        fitting = sum(length <= room for length in lengths)
        claims = self.findings.claims[:fitting]
        passages = as_passages(claims)
        plan, texts = self.findings.plan, self.run.texts
        question = plan.question if plan else self.findings.question
        parts = [texts.say("research.asks", question=question)]
        if plan and plan.outline:
            parts.append(texts.say("research.outline", headings=" · ".join(plan.outline)))
        key = "ledger_citing" if cites_itself else "ledger"
        lines = [texts.say(f"research.{key}")]
        for number, claim in enumerate(claims, start=1):
            line = texts.say("research.claim", number=number, claim=claim.text)
            lines.append(f"{line} {self._mark(claim)}".rstrip())
            if not cites_itself:
                lines.append(f"   {texts.say('research.words', quote=escape_markup(claim.quote))}")
        parts.append("\n".join(lines))
        pairs = [
            texts.say("research.contradiction", **asdict(contradiction))
            for contradiction in self.findings.contradictions
            if contradiction.second <= len(claims)
        ]
        if pairs:
            parts.append(texts.say("research.contradictions", pairs="; ".join(pairs)))
        parts += filter(None, [suspicious_note(passages, texts)])
        results = search_results(passages) if cites_itself else ()
        messages = [RequestMessage(Role.USER, "\n\n".join(parts))]
        return ModelRequest(instructions, messages, None, _OUTPUT_TOKENS, results=results), claims

    def below(
        self, claims: Sequence[Claim], citations: Sequence[Citation], *, with_doubts: bool = True
    ) -> CitedText:
        """Return the sections below the report: doubts, disagreements, open questions, sources."""
        own: list[Citation] = []
        disagreements = list(self._disagreements(claims, citations, own))
        doubts = list(self._doubts(claims, citations)) if with_doubts else []
        sections = [
            self._section("doubts_heading", doubts),
            self._section("disagree_heading", disagreements),
            self._section("open_heading", list(self._open())),
            self._section("sources_heading", self._sources([*citations, *own])),
            self._references([*citations, *own]),
        ]
        return CitedText("\n\n".join(filter(None, sections)), tuple(own))

    def without_writer(self, key: str) -> CitedText:
        """Return the report without a model: claims or quotations under their sub-questions."""
        if claims := self.findings.claims:
            return self._listed(claims, key)
        findings, say, stop_words = self.findings, self.run.texts.say, self.run.phrases.stop_words
        questions = [findings.question, *(state.part.question for state in findings.parts)]
        candidates = findings.passages or list(self.run.passages.values())
        passages = rank_quotable(questions, candidates, stop_words)[0][:_MOST_QUOTED]
        if not passages:
            lead = "stopped_nothing" if key == "stopped" else "nothing_found"
            return CitedText(f"{say(f'research.{lead}')}\n\n{self.below((), ()).text}".strip())
        lead = say(f"research.{key}_passages")
        quoted = quote_passages(findings.question, passages, lead, stop_words, self.run.texts)
        below = self.below((), quoted.citations)
        return CitedText(f"{quoted.text}\n\n{below.text}".strip(), quoted.citations)

    def _listed(self, claims: Sequence[Claim], key: str) -> CitedText:
        parts = [self.run.texts.say(f"research.{key}")]
        citations: list[Citation] = []
        for part in dict.fromkeys(entry.part for entry in claims):
            lines = []
            for claim in (entry for entry in claims if entry.part == part):
                citations.append(checked_citation(claim.passage, claim.quote, len(citations) + 1))
                lines.append(f"- {claim.text} [{len(citations)}] {self._mark(claim)}".rstrip())
            parts.append("\n".join([f"## {part}", "", *lines]))
        below = self.below(claims, citations, with_doubts=False)
        parts.append(below.text)
        return CitedText("\n\n".join(filter(None, parts)), (*citations, *below.citations))

    def _mark(self, claim: Claim) -> str:
        is_untested = claim.support is Support.UNTESTED
        return self.run.texts.say("research.untested") if is_untested else ""

    def _doubts(self, claims: Sequence[Claim], citations: Sequence[Citation]) -> Iterator[str]:
        """Yield cited claims that were not tested.

        The program itself adds them, as a model may omit them.
        """
        for claim in claims:
            numbers = _marks(citation.number for citation in citations if _is_of(citation, claim))
            if numbers and self._mark(claim):
                yield self.run.texts.say(
                    "research.doubt_untested", claim=claim.text, numbers=numbers
                )

    def _disagreements(
        self, claims: Sequence[Claim], citations: Sequence[Citation], own: list[Citation]
    ) -> Iterator[str]:
        cited = {(each.source_id, each.passage_id): each.number for each in citations}
        for contradiction in self.findings.contradictions:
            if contradiction.second > len(claims):
                continue
            sides = claims[contradiction.first - 1], claims[contradiction.second - 1]
            places = [(side.passage.cited_in, side.passage.cited_at) for side in sides]
            if all(place in cited for place in places):
                continue
            numbers = []
            for side, place in zip(sides, places, strict=True):
                if place not in cited:
                    number = len(citations) + len(own) + 1
                    own.append(checked_citation(side.passage, side.quote, number))
                    cited[place] = own[-1].number
                numbers.append(f"[{cited[place]}]")
            yield self.run.texts.say(
                "research.disagree",
                about=contradiction.about,
                first=sides[0].text,
                second=sides[1].text,
                one=numbers[0],
                other=numbers[1],
            )

    def _open(self) -> Iterator[str]:
        findings, texts = self.findings, self.run.texts
        answered = {claim.part for claim in findings.claims}
        begun = {state.part.question: state for state in findings.parts}
        planned = [part.question for part in findings.plan.parts] if findings.plan else []
        for question in dict.fromkeys([*begun, *planned]):
            state = begun.get(question)
            if question not in answered:
                key = "open_part" if state and state.is_read else "open_unreached"
                yield texts.say(f"research.{key}", question=question)
        if findings.dropped:
            yield texts.count("research.open_dropped", findings.dropped)
        if unread := self.run.unread:
            yield f"- {texts.count('research.unread', unread)}"
        reached = self.run.budget.reached
        yield from (texts.say(f"research.open_{kind}") for kind in LimitKind if kind in reached)

    def _section(self, heading: str, lines: Sequence[str]) -> str:
        if not lines:
            return ""
        return "\n".join([f"## {self.run.texts.say(f'research.{heading}')}", "", *lines])

    def _sources(self, citations: Sequence[Citation]) -> list[str]:
        numbers: dict[str, list[int]] = {}
        passages: dict[str, Passage] = {}
        for citation in citations:
            numbers.setdefault(citation.source_id, []).append(citation.number)
            if cited := self.run.passages.get((citation.source_id, citation.passage_id)):
                passages.setdefault(citation.source_id, cited)
        return [
            self.run.texts.say(
                "research.source",
                numbers=_marks(numbers[source]),
                title=self._named(passage),
            )
            for source, passage in passages.items()
        ]

    def _references(self, citations: Sequence[Citation]) -> str:
        run = self.run
        return references_section(
            run.lookup.archive, citations, list(run.passages.values()), run.texts
        )

    def _named(self, passage: Passage) -> str:
        title = passage.title.replace("[", "(").replace("]", ")")
        place = passage.place
        if place is None:
            date = long_date(passage.said_at, self.run.texts.language)
            return f"{title} ({self.run.texts.say('research.source_session', date=date)})"
        warning = self.run.texts.say("research.source_suspicious") if place.is_suspicious else ""
        is_web = place.address.startswith(("http://", "https://"))
        return " ".join(filter(None, (title, f"<{place.address}>" if is_web else "", warning)))


def _marks(numbers: Iterable[int]) -> str:
    return "".join(f"[{number}]" for number in sorted(set(numbers)))


def _is_of(citation: Citation, claim: Claim) -> bool:
    place = claim.passage.cited_in, claim.passage.cited_at
    if (citation.source_id, citation.passage_id) != place:
        return False
    quote = citation.quote
    return not quote or stands_in(quote, claim.quote) or stands_in(claim.quote, quote)
