"""What a model's endpoint finds on the web by itself while it writes an answer.

Every page is kept before the words that cite it are shown, so that they can be looked for in it.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.errors import StorageError
from desktop.domain.events import ProgressMade, TurnEvent
from desktop.domain.model import (
    FoundPage,
    Model,
    ModelRequest,
    ReplyStream,
    ServerWeb,
    WebCall,
)
from desktop.domain.sources import Source, SourcePassage
from desktop.language.stopwords import StopWords
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage
from desktop.research.tiers.evidence_prompt import (
    Gathered,
    evidence_text,
    numbered,
    search_results,
)
from desktop.research.tiers.passage_selection import bearing_passages, cited_passages
from desktop.research.tiers.passage_store import Shelf
from desktop.research.tiers.run import Run
from desktop.research.tiers.server_side_web import MOST_CITED, ServedReach
from desktop.research.tiers.web_retrieval import Page
from desktop.research.web.server_web_events import CallsTold

log = logging.getLogger(__name__)

_PASSAGES_A_PAGE = 3
_LENGTH = 1_400


@dataclass(slots=True)
class Keeping:
    """Pages of one answer, each kept before the words that cite it are shown."""

    keep: Callable[[FoundPage], Page | None]
    """Raises StorageError."""
    shelf: Shelf
    question: str
    stop_words: StopWords
    tell: Callable[[Sequence[Passage]], None]
    """Given the passages of a page, those first that give orders."""
    kept: dict[int, list[Passage]] = field(default_factory=dict)
    """By the number of the page: those of its passages that bear on the question."""
    _seen: dict[int, FoundPage] = field(default_factory=dict)

    @property
    def passages(self) -> list[Passage]:
        return [one for passages in self.kept.values() for one in passages]

    def following(
        self,
        stream: ReplyStream,
        citing: CitationParser,
        tell: Callable[[WebCall], None],
        settle: Callable[[], None],
    ) -> Iterator[str]:
        """What arrives, once what it may cite is known. Raises LlmError.

        `settle`: when the last of it has come, whatever became of it.
        """
        told = CallsTold(tell)
        try:
            for text in stream:
                told.look(stream.web_calls)
                self._take(stream.pages, citing)
                yield text
        finally:
            # Also of an answer that failed or was stopped: the endpoint has been there.
            told.finish(stream.web_calls)
            self._take(stream.pages, citing)
            settle()

    def _take(self, pages: Sequence[FoundPage], citing: CitationParser) -> None:
        for page in pages:
            if self._seen.get(page.number) != page:
                self._seen[page.number] = page
                self._keep(page, citing)

    def _keep(self, page: FoundPage, citing: CitationParser) -> None:
        """A disk that refuses leaves what is cited of it unchecked."""
        try:
            kept = self.keep(page)
        except StorageError as exc:
            log.warning("a page that the endpoint found is not kept: %s", exc.key)
            return
        if kept is None:
            return
        source, stored = kept
        citing.add_page(page.number, [self._passage(source, one) for one in stored])
        best = cited_passages(stored, page.cited, MOST_CITED) or bearing_passages(
            stored, self.question, _PASSAGES_A_PAGE, self.stop_words
        )
        bearing = [self._passage(source, one) for one in best]
        self.kept[page.number] = bearing
        self.tell(sorted(bearing, key=_is_harmless))

    def _passage(self, source: Source, stored: SourcePassage) -> Passage:
        return self.shelf.passage(source, stored, self.question, _LENGTH)


@dataclass(slots=True)
class Meanwhile:
    """For one answer of a tier. Loop over `following` once; `told` gives what happened since."""

    run: Run
    reach: ServedReach
    web: ServerWeb
    gathered: Gathered
    """What the request carries besides."""
    keeping: Keeping = field(init=False)
    _events: list[TurnEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        hands = self.run.hands
        self.keeping = Keeping(
            self.reach.keep,
            hands.lookup.shelf,
            self.run.asked.question,
            hands.phrases.stop_words,
            self.run.found,
        )

    def following(self, stream: ReplyStream, citing: CitationParser) -> Iterator[str]:
        """What arrives, once what it may cite is known. Raises LlmError."""
        self.run.emit = self._events.append

        def settle() -> None:
            self.reach.settle(stream, self.web.searches, self.web.fetches)
            budget = self.run.asker.budget
            progress = ProgressMade(self.run.asked.turn_id, budget.spent, budget.limits)
            self._events.append(progress)

        yield from self.keeping.following(stream, citing, self.reach.tell, settle)

    def told(self) -> Iterator[TurnEvent]:
        events = self._events[:]
        self._events.clear()
        yield from events

    def again(self, model: Model, request: ModelRequest) -> tuple[ModelRequest, list[Passage]]:
        """The request for another text from the same evidence: nothing is searched twice."""
        passages = numbered([*self.gathered.passages, *self.keeping.passages])
        gathered = replace(
            self.gathered,
            passages=passages,
            used_web=True,
            unread=len(self.reach.troubles),
            web=None,
        )
        cites_itself, texts = model.capabilities.citations, self.run.hands.texts
        before = evidence_text(self.gathered, texts, cites_itself=bool(request.results))
        evidence = evidence_text(gathered, texts, cites_itself=cites_itself)
        return replace(
            request,
            changing=(request.changing or "").replace(before, evidence),
            results=search_results(passages) if cites_itself else (),
            web=None,
        ), list(passages)


def _is_harmless(passage: Passage) -> bool:
    """What gives orders comes first: a source is told of once, by its first passage."""
    return not (passage.place and passage.place.is_suspicious)
