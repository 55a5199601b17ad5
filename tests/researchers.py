"""A researcher: a library, a small web, and a model that plans, reads and writes."""

import atexit
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle
from pathlib import Path
from threading import Lock
from threading import enumerate as enumerate_threads

from desktop.domain.endpoints import EndpointKind
from desktop.domain.events import TurnEnded
from desktop.domain.ids import PassageId, new_source_id
from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import COMMON
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.usage import Usage
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from desktop.research.citations.quote_matching import stands_in
from desktop.research.web.safe_urls import AccessRules
from desktop.research.web.web import PageReader, Web
from desktop.sessions.conversation.assistant_context import read_instructions
from desktop.settings.settings import WebSearch
from tests.archives import NOON
from tests.chat_protocol import TESTED_KIND
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step
from tests.models import endpoint_of
from tests.studies import Study
from tests.web import Web as LoopbackWeb
from tests.web import fetcher_for, page, result, searxng

ANSWER = "answer"
PLAN, QUESTIONS, GAPS, READ, VERIFY, COMPARE, REPORT, WEB = (
    "deep_plan",
    "research_plan",
    "research_gaps",
    "deep_read",
    "check_claims",
    "deep_compare",
    "deep_report",
    "research_web",
)
PASSAGE = re.compile(r'<passage n="(\d+)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)
CITED_CLAIM = re.compile(r"^(\d+)\. (.*) \(passages: (\d+)", re.MULTILINE)
LEDGER = re.compile(r"^(\d+)\. [^\n]*\n   [^“]*“([^”]*)”", re.MULTILINE)
_WORDS_OF_A_HEADING = 4
_LONGEST_REQUEST_S = 10
SMALL = Usage(input_tokens=100, output_tokens=20)

Part = Callable[[Request], Step]


def kind_of(request: Request) -> str:
    """Return the kind of a run's request."""
    for language in Language:
        for kind in (PLAN, QUESTIONS, GAPS, READ, VERIFY, COMPARE, REPORT, WEB):
            if request.system.startswith(read_instructions(language, kind)):
                return kind
    return ANSWER


def passages_in(text: str) -> list[tuple[int, str]]:
    return [(int(number), words) for number, words in PASSAGE.findall(text)]


def first_sentence(text: str) -> str:
    """The first sentence of the first line that is no heading."""
    lines = [one for one in text.splitlines() if len(one.split()) > _WORDS_OF_A_HEADING]
    return (lines or [text])[0].split(". ", maxsplit=1)[0].rstrip(".")


def reads_all(request: Request) -> Step:
    """One claim from the first sentence of every passage."""
    claims = [
        {"claim": first_sentence(words), "passage": number, "quote": first_sentence(words)}
        for number, words in passages_in(request.newest)
    ]
    return SaysJson({"claims": claims}, SMALL)


def supports_all(request: Request) -> Step:
    """Every claim is supported by the first sentence of the first passage that it cites."""
    return judges(request, "supported")


def judges(request: Request, *labels: str) -> Step:
    """Judge the claims by these labels, in turn."""
    words = dict(passages_in(request.newest))
    entries = [
        {
            "number": int(number),
            "parts": [claim],
            "reason": "It says so.",
            "words": [{"passage": int(passage), "quote": first_sentence(words[int(passage)])}],
            "label": label,
        }
        for (number, claim, passage), label in zip(
            CITED_CLAIM.findall(request.newest), cycle(labels), strict=False
        )
    ]
    return SaysJson({"claims": entries}, SMALL)


def cites_all(request: Request) -> Step:
    """Write a sentence for every claim or passage, each with its words."""
    told = LEDGER.findall(request.newest) or [
        (str(number), first_sentence(words)) for number, words in passages_in(request.newest)
    ]
    return Says(
        " ".join(f'So it is [{number}: "{words}"].' for number, words in told), usage=SMALL
    )


def plans(*questions: str, searches: Sequence[str] = ()) -> Part:
    parts = [{"question": one, "searches": list(searches) or [one]} for one in questions]
    plan = {"question": "In context.", "parts": parts, "outline": ["One", "Two"]}
    return lambda _: SaysJson(plan, SMALL)


def asks(*questions: str) -> Part:
    listed = [{"question": one, "search": one} for one in questions]
    return lambda _: SaysJson({"questions": listed, "gaps": listed}, SMALL)


def in_turn(*steps: Step) -> Part:
    """One after the other."""
    left = iter(steps)
    return lambda _: next(left)


@dataclass
class Brain:
    """Answers each kind of request in its own way, in any order."""

    does: dict[str, Part] = field(
        default_factory=lambda: {
            PLAN: plans("What is it?", "How often is it?"),
            QUESTIONS: asks("What is it?", "How often is it?", "What helps?"),
            GAPS: asks(),
            READ: reads_all,
            VERIFY: supports_all,
            COMPARE: lambda _: SaysJson({"contradictions": []}, SMALL),
            REPORT: cites_all,
            ANSWER: cites_all,
        }
    )
    asked: list[tuple[str, Request]] = field(default_factory=list)
    before: Callable[[int], Step | None] = lambda _: None
    """Sees how many were asked for before; what it gives is answered instead."""
    answered: list[tuple[str, str]] = field(default_factory=list)
    """Kind and words of those that got what they asked for."""
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, request: Request) -> Step:
        kind = kind_of(request)
        with self._lock:
            number = len(self.asked)
            self.asked.append((kind, request))
        if instead := self.before(number):
            return instead
        with self._lock:
            self.answered.append((kind, request.newest))
        return self.does[kind](request)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.asked]

    def requests(self, kind: str) -> list[Request]:
        return [request for one, request in self.asked if one == kind]


class SharedPageReader(PageReader):
    """Its process serves all tests in turn, as starting one takes half a second."""

    def close(self) -> None:
        """Stop reading."""
        self._is_closing.set()
        with self._lock:
            self._is_closing.clear()

    def end(self) -> None:
        super().close()


@cache
def _page_reader() -> SharedPageReader:
    reader = SharedPageReader()
    atexit.register(reader.end)
    return reader


class Researcher:
    """Has a library; the web is off until the test turns it on."""

    def __init__(  # noqa: PLR0913 (by name)
        self,
        folder: Path,
        server: ScriptedServer,
        loopback: LoopbackWeb,
        *,
        can: Sequence[str] = (),
        name: str = "scripted-model",
        context_tokens: int = 100_000,
        kind: EndpointKind = TESTED_KIND,
    ) -> None:
        self.brain = Brain()
        server.default = self.brain
        self.server = server
        self.loopback = loopback
        endpoint = endpoint_of(server, *can, context_tokens=context_tokens, kind=kind)
        self.connection = Connection(endpoint, lambda: "key")
        self.model = EndpointModel(self.connection, name)
        self.study = Study(folder, self.model, language=Language.EN)
        self._open_web()

    def _open_web(self) -> None:
        def rules() -> AccessRules:
            return replace(AccessRules.of(self.study.settings), at_home=self.loopback.at_home)

        contacts, now = self.study.archive.contacts, self.study.clock
        fetcher = fetcher_for(self.loopback, rules, contacts=contacts, now=now)
        self.web = Web(
            self.study.settings_in,
            COMMON,
            fetcher,
            self.study.archive.sources,
            self.study.archive.references,
            lambda: Language.EN,
            reader=_page_reader(),
        )
        self.study.use_web(self.web)

    def turn_web_on(self) -> None:
        self.study.set(
            uses_web=True, web_search=WebSearch.SEARXNG, searxng_address=self.loopback.url()
        )

    def offer_pages(self, *texts: str) -> None:
        """Turn the web on; every search finds a page with each of the texts."""
        found = [
            self.loopback.put(f"/page{number}", page("Page", text))
            for number, text in enumerate(texts)
        ]
        self.loopback.put("/search", searxng(*(result("Page", one) for one in found)))
        self.turn_web_on()

    def shelve(self, title: str, *passages: str) -> Source:
        """Add a document to the library, one passage a page."""
        source = Source(
            new_source_id(), SourceKind.DOCUMENT, title, f"/books/{title}.pdf", NOON, NOON, title
        )
        pages = [NewPassage(one, page=number) for number, one in enumerate(passages, start=1)]
        return self.study.archive.sources.add(source, pages)

    def ask(self, question: str, tier: Tier) -> TurnEnded:
        return self.study.run(self.study.assistant.ask(question, TurnOptions(tier=tier)))

    def opens(self, citation: Citation) -> bool:
        """Whether it is checked, and its words are in the stored passage that it leads to."""
        passage = self.study.archive.sources.passage(PassageId(citation.passage_id))
        is_there = passage.source_id == citation.source_id
        is_checked = citation.state is CitationState.CHECKED
        return is_there and is_checked and stands_in(citation.quote, passage.text)

    def after_a_crash(self) -> None:
        settings = self.study.settings
        self.web.close()
        self.study = self.study.after_a_crash()
        self.study.settings = settings
        self._open_web()

    def close(self) -> None:
        self.web.close()
        # Nothing waits for a stopped run; its request may still be running.
        for thread in enumerate_threads():
            if thread.name.startswith("research"):
                thread.join(_LONGEST_REQUEST_S)
        self.connection.close()
        self.study.close()
