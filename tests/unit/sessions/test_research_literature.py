"""Scholarly literature in the tiers: when it is searched, how works are read, cited and listed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from desktop.domain.events import TextArrived, TurnEnded
from desktop.domain.ids import SourceId
from desktop.domain.language import Language
from desktop.domain.literature import ServiceName
from desktop.domain.messages import Citation
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.references import FieldOrigin, Reference, Work
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.sources import Source, SourceKind
from desktop.research.library import Library
from desktop.research.tiers.literature_retrieval import is_scholarly, references_section
from desktop.research.tiers.passage_store import cited_passages
from desktop.sessions.conversation.assistant_context import language_phrases
from desktop.sessions.library_references import References
from desktop.sessions.literature import Literature
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from tests.archives import NOON
from tests.fakes import Says
from tests.literature import ODD, Paper, StandInServices
from tests.researchers import ANSWER, PLAN, QUESTIONS, REPORT, Researcher, asks, plans
from tests.web import page

QUESTION = "What do studies on the dawn phenomenon say?"
FULL_TEXT = "Metformin in the evening lowers the blood sugar of the dawn by a tenth. " * 150
ABSTRACT = Paper(
    "The dawn phenomenon and its frequency in adults with diabetes",
    doi="10.1234/dawn.1",
    abstract="About half of the people with type 2 diabetes have the dawn phenomenon.",
)
RETRACTED = Paper(
    "The dawn phenomenon is cured by cinnamon within a week",
    doi="10.1234/dawn.2",
    abstract="Cinnamon cures the dawn phenomenon within a week, as we show.",
    updated_by=[("retraction", "10.1234/notice")],
)
Begin = Callable[..., StandInServices]


@pytest.fixture
def begin(someone: Researcher) -> Iterator[Begin]:
    """Return what gives the researcher all services, with these papers."""
    opened: list[StandInServices] = []

    def start(*papers: Paper, **settings: Any) -> StandInServices:  # Any: as the settings have it
        services = StandInServices(*papers)
        opened.append(services)
        study, archive = someone.study, someone.study.archive
        study.set(uses_literature=settings.pop("is_on", True))
        finder = services.finder(archive, study.clock, **settings)
        base = finder.settings

        def settings_in(wall: Wall) -> Settings:
            return replace(base(), uses_literature=study.settings_in(wall).uses_literature)

        literature = Literature(
            find=finder,
            wall=EVERYTHING,
            _settings_in=settings_in,
            _archive=archive,
            _library=Library(archive.sources, archive.files, archive.references, archive.notes),
            _references=References(archive),
            _pages=someone.web.reader,
        )
        study.use_web(someone.web, literature.behind)
        someone.brain.does[QUESTIONS] = asks("How often is the dawn phenomenon?")
        someone.brain.does[PLAN] = plans("How often is the dawn phenomenon?")
        return services

    yield start
    for services in opened:
        services.close()


def answer(someone: Researcher, question: str = QUESTION, tier: Tier = Tier.RESEARCH) -> str:
    ended = someone.ask(question, tier)
    assert ended.error is None
    assert all(someone.opens(each) for each in ended.citations)
    return someone.study.said[-1]


def cited(someone: Researcher) -> list[Citation]:
    ended = [each for each in someone.study.events if isinstance(each, TurnEnded)]
    return list(ended[-1].citations)


def test_an_answer_cites_works_and_ends_with_their_references(
    someone: Researcher, begin: Begin
) -> None:
    begin(ABSTRACT)
    text = answer(someone)
    citations = cited(someone)
    (work,) = someone.study.archive.references.works(EVERYTHING)
    assert [each.source_id for each in citations] == [work.source.id]
    assert "half of the people" in citations[0].quote
    references = text.partition("## References")[2]
    assert "Yılmaz" in references
    assert ABSTRACT.title in references
    assert references.rstrip().endswith("(abstract only)")
    request = someone.brain.requests(ANSWER)[0].newest
    assert f'="{ABSTRACT.title} (abstract only)"' in request


@pytest.mark.parametrize("tier", [Tier.RESEARCH, Tier.DEEP])
def test_a_temporary_session_says_why_no_literature_is_searched_and_stores_nothing(
    someone: Researcher, begin: Begin, tier: Tier
) -> None:
    services = begin(ABSTRACT)
    someone.brain.does[ANSWER] = lambda _: Says("I know of no study in your library.")
    someone.study.assistant.begin_temporary()
    shown: list[str] = []
    turn = someone.study.assistant.ask(QUESTION, TurnOptions(tier=tier))
    turn.run(lambda event: shown.append(event.text) if isinstance(event, TextArrived) else None)
    assert "literature was not searched" in "".join(shown)
    assert services.requests == []
    archive = someone.study.archive
    assert archive.references.works(EVERYTHING) == []
    assert archive.contacts.contacts() == []


def test_an_open_copy_is_read_and_called_the_full_text(someone: Researcher, begin: Begin) -> None:
    services = begin()
    copy = services.put("/copy", page("Dawn", FULL_TEXT))
    services.papers.append(replace(ABSTRACT, pdf=copy))
    text = answer(someone)
    assert "Metformin in the evening lowers" in cited(someone)[0].quote
    assert text.rstrip().endswith("(full text)")


def test_no_page_is_read_beyond_the_limit_of_the_run(someone: Researcher, begin: Begin) -> None:
    services = begin()
    copy = services.put("/copy", page("Dawn", FULL_TEXT))
    services.papers.append(replace(ABSTRACT, pdf=copy))
    someone.study.set(deep_fetches=0)
    text = answer(someone, tier=Tier.DEEP)
    assert "(abstract only)" in text
    assert not [path for path in services.paths() if "/copy" in path]


@pytest.mark.parametrize("tier", [Tier.RESEARCH, Tier.DEEP])
def test_retracted_work_bears_its_mark_in_requests_and_in_the_answer(
    someone: Researcher, begin: Begin, tier: Tier
) -> None:
    begin(RETRACTED)
    text = answer(someone, tier=tier)
    kind = ANSWER if tier is Tier.RESEARCH else "deep_read"
    request = someone.brain.requests(kind)[0].newest
    assert f"{RETRACTED.title} [retracted] (abstract only)" in request
    references = text.partition("## References")[2]
    assert f"{RETRACTED.title} [retracted]" in references
    if tier is Tier.DEEP:
        assert f"{RETRACTED.title} (retracted) (abstract only)" in text
        assert someone.brain.requests(REPORT)
    else:
        assert "**Note:** This answer cites" in text


def test_a_retracted_work_that_is_in_the_library_bears_its_mark_too(
    someone: Researcher, begin: Begin
) -> None:
    services = begin(RETRACTED)
    answer(someone)
    services.papers.clear()
    someone.study.set(uses_literature=False)
    text = answer(someone, "Does cinnamon cure the dawn phenomenon?", Tier.QUICK)
    assert f"{RETRACTED.title} [retracted]" in text


def test_a_work_whose_reference_is_cited_too_still_says_what_was_read(
    someone: Researcher, begin: Begin
) -> None:
    begin(RETRACTED)
    answer(someone)
    someone.study.assistant.end()
    answer(someone, "What do studies say of cinnamon, by Yılmaz in the Journal of Tests?")
    citations, archive = cited(someone), someone.study.archive
    passages = list(cited_passages(archive, citations, ""))
    assert len({each.source_id for each in citations}) < len(passages)
    for order in (passages, passages[::-1]):
        listed = references_section(archive, citations, order, Texts(Language.EN))
        assert listed.endswith("(abstract only)")


def test_a_direct_answer_about_a_retracted_work_says_so(someone: Researcher, begin: Begin) -> None:
    begin(RETRACTED)
    answer(someone)
    (stored,) = someone.study.archive.references.works(EVERYTHING)
    someone.study.assistant.end()
    options = TurnOptions(attachments=(stored.source.id,))
    someone.study.run(someone.study.assistant.ask("What does this say?", options))
    request = someone.brain.requests(ANSWER)[-1].newest
    assert f'="{RETRACTED.title} [retracted]"' in request
    assert f"{RETRACTED.title} [retracted]" in someone.study.said[-1]


@pytest.mark.parametrize(
    ("question", "tier", "is_on"),
    [
        ("What helps against the dawn phenomenon?", Tier.RESEARCH, True),  # no studies asked for
        (QUESTION, Tier.QUICK, True),
        (QUESTION, Tier.RESEARCH, False),
    ],
)
def test_services_are_not_asked_unless_studies_are(
    someone: Researcher, begin: Begin, question: str, tier: Tier, *, is_on: bool
) -> None:
    services = begin(ABSTRACT, is_on=is_on)
    answer(someone, question, tier)
    assert services.requests == []


def test_a_service_that_fails_is_counted_and_the_rest_is_used(
    someone: Researcher, begin: Begin
) -> None:
    services = begin(ABSTRACT)
    services.odd[ServiceName.CROSSREF] = ODD["500"]()
    answer(someone)
    assert "half of the people" in cited(someone)[0].quote
    assert "could not be searched or read" in someone.brain.requests(ANSWER)[0].newest
    services.papers.clear()
    someone.brain.does[ANSWER] = lambda _: Says("Naps in orbit are short.")
    text = answer(someone, "What do studies on napping in orbit say?")
    assert "literature: 1 work or service could not be read" in text


def work(number: int, doi: str) -> Work:
    source = Source(
        SourceId(f"s{number}"), SourceKind.DOCUMENT, "T", f"/{number}", NOON, NOON, str(number)
    )
    return Work(source, Reference({"DOI": doi} if doi else {}, {"DOI": FieldOrigin.TEXT}))


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("What do studies say about naps?", True),
        ("Summarise the systematic reviews of naps", True),
        ("Is there a paper on naps?", True),
        ("Kestirmenin etkisi üzerine makaleler ne diyor?", True),
        ("Bu konudaki akademik yayınları araştır", True),
        ("Literatürde kestirme nasıl tanımlanıyor?", True),
        ("How do I study for an exam?", False),
        ("Where can I buy wrapping paper?", False),
        ("Bugün çok çalıştım, ne yapsam?", False),
        ("Ankara'da nerede kahve içilir, araştır", False),
    ],
)
def test_the_words_decide_whether_a_question_is_scholarly(
    question: str, *, is_asked: bool
) -> None:
    phrases = language_phrases(Language.TR) | language_phrases(Language.EN)
    assert is_scholarly(question, phrases, list) is is_asked


def test_any_research_over_a_scholarly_library_is_scholarly() -> None:
    phrases = language_phrases(Language.EN)
    works = [work(number, f"10.1/{number}" if number % 2 else "") for number in range(5)]
    assert not is_scholarly("What helps?", phrases, lambda: works)  # two of five
    works = [work(number, "" if number % 2 else f"10.1/{number}") for number in range(5)]
    assert is_scholarly("What helps?", phrases, lambda: works)
    assert not is_scholarly("What helps?", phrases, lambda: works[:3])


def test_the_addresses_of_a_session_go_with_it(someone: Researcher, begin: Begin) -> None:
    services = begin()
    copy = services.put("/copy", page("Dawn", FULL_TEXT))
    services.papers.append(replace(ABSTRACT, pdf=copy))
    answer(someone)
    study = someone.study
    contacts = study.archive.contacts
    own = contacts.contacts(session_id=study.active.id)
    assert copy in {contact.address for contact in own}
    assert own == contacts.contacts()
