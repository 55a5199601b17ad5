"""What other programs get to read: everything behind the wall, nothing of another project."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.domain.errors import (
    ProgramDocumentError,
    ProgramItemUnknownError,
    ProgramsRefusedError,
)
from desktop.domain.facts import FactFilter
from desktop.domain.ids import SessionId, new_source_id
from desktop.domain.language import Language
from desktop.domain.projects import COMMON, EVERYTHING, ProjectId, Wall
from desktop.domain.references import StyleUnknownError
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.mcp.tools import LONGEST_TEXT, TOOLS, ProgramContext, checked_arguments
from desktop.sessions.services import Services
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from tests.archives import NOON, an_active_session, archive_in, finished, stored

BLUE = ("Bursa", "4711", "keten", "Derya", "sarmal")
RED = ("Zonguldak", "8822", "kadife", "Cemre", "sarmat")
SUBJECTS = ("bütçe", "depo", "kumaş", "dikiş", "müdür", "budget", "warehouse", "cloth")
FORMS = (
    "{}",
    "{} nedir?",
    "Geçen ay {} hakkında ne konuşmuştuk?",
    "Belgelerimde {} için ne yazıyor?",
    "bütçe {}",
    '"{}"',
    "What did we say about the {}?",
    "{} ve depo",
    "{} 2026",
    "last week {}",
    "note on {}",
    "who runs the {}",
    "{}*",
)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    paths = Paths.under(tmp_path)
    archive = archive_in(paths.profile().folder)
    services = Services(archive, SettingsStore(paths), Language.EN)
    yield services
    services.close()
    archive.close()


def call(services: Services, wall: Wall, name: str, value: str) -> Mapping[str, object]:
    tool = next(tool for tool in TOOLS if tool.name == name)
    values = checked_arguments(tool, {tool.parameters[0]: value})
    assert values is not None
    found = tool.run(ProgramContext(services, wall), values)
    assert isinstance(found, Mapping)
    return found


def more(context: ProgramContext, name: str, **arguments: str) -> object:
    tool = next(tool for tool in TOOLS if tool.name == name)
    values = checked_arguments(tool, arguments)
    assert values is not None
    return tool.run(context, values)


def ids(services: Services, wall: Wall, words: str) -> list[str]:
    results = call(services, wall, "search", words)["results"]
    assert isinstance(results, list)
    assert all(set(result) == {"id", "title", "url"} for result in results)
    return [result["id"] for result in results]


def add_document(services: Services, title: str, *texts: str, address: str = "") -> Source:
    source = Source(
        new_source_id(), SourceKind.DOCUMENT, title, address or title, NOON, NOON, title
    )
    services._archive.sources.add(source, [NewPassage(text) for text in texts])
    return source


def furnish(services: Services, name: str, words: tuple[str, ...]) -> Wall:
    """Sessions, a document, a note and facts of a project."""
    city, budget, cloth, head, seam = words
    archive = services._archive
    project = archive.projects.create(name)
    texts = (
        f"Depo {city} şehrinde, bütçe {budget} euro, müdür {head}.",
        f"The warehouse is in {city}; the budget of {head} is {budget} euros.",
        f"Kumaş {cloth}, dikiş {seam}?",
        f"Cloth: {cloth}, {seam}; who runs it is {head}.",
    )
    session_ids = [SessionId(f"{name}{place}") for place in range(3)]
    archive.imports.add(
        [finished(each, *texts, title=f"{city} deposu", topics=(cloth,)) for each in session_ids]
    )
    document = add_document(services, f"{city}.pdf", f"Bütçe {budget}, depo {city}, {cloth}.")
    archive.projects.move(project.id, session_ids, [document.id])
    services.notes.add(document.id, f"depo {city}", f"Müdür {head}, kumaş {cloth}, {budget}.")
    services.memory.remember(f"Deponun bütçesi {budget} euro.", Wall(project.id), topic=cloth)
    return Wall(project.id)


def test_a_hundred_queries_in_one_project_return_no_word_of_the_other(services: Services) -> None:
    blue, red = furnish(services, "blue", BLUE), furnish(services, "red", RED)
    queries = [form.format(word) for form in FORMS for word in (*SUBJECTS, "Derya", "Cemre")]
    assert len(queries) >= 100
    for wall, own, foreign in ((blue, BLUE, RED), (red, RED, BLUE)):
        read = set[str]()
        for query in queries:
            found = call(services, wall, "search", query)
            assert not any(word in json.dumps(found, ensure_ascii=False) for word in foreign)
            read.update(ids(services, wall, query))
        texts = [json.dumps(call(services, wall, "fetch", each)) for each in read]
        assert {each.partition(":")[0] for each in read} >= {"session", "passage", "fact", "note"}
        assert any(own[1] in text for text in texts)
        assert not any(word in text for text in texts for word in foreign)


def test_the_common_wall_returns_nothing_of_any_project(services: Services) -> None:
    furnish(services, "blue", BLUE)
    assert ids(services, COMMON, "bütçe depo kumaş müdür") == []


def test_an_id_of_another_project_is_as_unknown_as_one_that_never_was(services: Services) -> None:
    blue, red = furnish(services, "blue", BLUE), furnish(services, "red", RED)
    for each in {*ids(services, red, "bütçe depo"), *ids(services, red, "kumaş müdür")}:
        with pytest.raises(ProgramItemUnknownError):
            call(services, blue, "fetch", each)
    for each in (
        "",
        "session:",
        "session:x",
        "session:x#y",
        "passage:9",
        "diary:x",
        "fact:0",
        "?",
    ):
        with pytest.raises(ProgramItemUnknownError):
            call(services, blue, "fetch", each or "x")


def test_a_session_is_read_from_the_message_that_was_found(services: Services) -> None:
    texts = ("The moon is far.", "It is.", "And the cheese?", "Gouda.")
    services._archive.imports.add([finished("s1", *texts, title="Moon", summary="About it.")])
    (found,) = [each for each in ids(services, COMMON, "Gouda") if "#" in each]
    item = call(services, COMMON, "fetch", found)
    assert set(item) == {"id", "title", "text", "url", "metadata"}
    assert item["title"] == "Moon"
    assert item["text"] == "Assistant (2026-03-05T12:00): Gouda."
    whole = call(services, COMMON, "fetch", "session:s1")["text"]
    assert str(whole).startswith("About it.\n\nUser (2026-03-05T12:00): The moon is far.")


def test_a_session_that_goes_on_is_not_read(services: Services) -> None:
    services._archive.sessions.save(an_active_session("s2"), [stored(SessionId("s2"), 1, "Hm.")])
    with pytest.raises(ProgramItemUnknownError):
        call(services, COMMON, "fetch", "session:s2")


def test_a_long_document_is_read_in_parts_without_a_gap(services: Services) -> None:
    words = [f"piece {place} {'barley ' * 900}".strip() for place in range(20)]
    add_document(services, "Fields", *words, address="https://example.org/fields")
    next_id, texts = ids(services, COMMON, "piece barley")[0], list[str]()
    next_id = f"passage:{services.archive.passages(services.archive.sources(COMMON)[0].id)[0].id}"
    while next_id:
        item = call(services, COMMON, "fetch", next_id)
        text, metadata = str(item["text"]), item["metadata"]
        assert isinstance(metadata, dict)
        assert len(text) <= LONGEST_TEXT
        assert item["url"] == "https://example.org/fields"
        texts.append(text)
        next_id = metadata.get("continued_in", "")
    assert len(texts) > 2
    assert "\n\n".join(texts) == "\n\n".join(words)


@pytest.mark.parametrize("length", [LONGEST_TEXT - 50, LONGEST_TEXT, 3 * LONGEST_TEXT + 7])
@pytest.mark.parametrize("summary", ["", "About long words."])
def test_a_long_message_is_read_in_parts_to_its_end(
    services: Services, length: int, summary: str
) -> None:
    words = [f"{'barley ' * length}"[:length], "The answer.", "And the end?", "This is the end."]
    services._archive.imports.add([finished("s1", *words, summary=summary)])
    texts, next_id = list[str](), "session:s1"
    while next_id:
        assert len(texts) < 9, "it goes in circles"
        item = call(services, COMMON, "fetch", next_id)
        metadata = item["metadata"]
        assert isinstance(metadata, dict)
        texts.append(str(item["text"]))
        next_id = metadata.get("continued_in", "")
    whole = "".join(texts)
    assert whole.count("barley") == words[0].count("barley")
    assert whole.endswith("This is the end.")


def test_a_day_at_the_end_of_time_is_unknown_like_any_other(services: Services) -> None:
    for day in ("9999-12-31", "0001-01-01", "0000-00-00"):
        with pytest.raises(ProgramItemUnknownError):
            call(services, COMMON, "fetch", f"diary:{day}")


def test_the_path_of_a_file_is_not_returned(services: Services) -> None:
    add_document(services, "Barley", "Barley grows.", address="/srv/deniz/private/barley.pdf")
    results = call(services, COMMON, "search", "barley")
    (found,) = ids(services, COMMON, "barley")
    assert "deniz" not in json.dumps([results, call(services, COMMON, "fetch", found)])


def test_words_for_a_time_narrow_the_search(services: Services) -> None:
    old, new = datetime(2020, 5, 5, tzinfo=UTC), datetime(2021, 5, 5, tzinfo=UTC)
    services._archive.imports.add(
        [
            finished(name, "Tell me of barley.", "It grows.", title=name, at=at)
            for name, at in (("old", old), ("new", new))
        ]
    )
    assert {each[:11] for each in ids(services, COMMON, "barley in May 2020")} == {"session:old"}


@pytest.mark.parametrize(
    "arguments",
    [{}, {"query": 3}, {"query": " "}, {"query": "x", "y": "z"}, {"query": "x" * 4001}],
)
def test_arguments_that_a_tool_does_not_take_are_refused(arguments: dict[str, object]) -> None:
    assert checked_arguments(TOOLS[0], arguments) is None


def test_a_project_is_no_project_id(services: Services) -> None:
    furnish(services, "blue", BLUE)
    assert ids(services, Wall(ProjectId("blue")), "bütçe depo") == []


def test_a_document_is_cited_in_a_style_and_no_file_is_a_style(services: Services) -> None:
    add_document(services, "Barley in Anatolia", "Barley grows.")
    (found,) = ids(services, COMMON, "barley")
    context = ProgramContext(services, COMMON)
    cited = more(context, "cite", id=found, style="APA")
    assert isinstance(cited, Mapping)
    assert "Barley in Anatolia" in str(cited["reference"])
    for style in ("nope", "/etc/passwd", "resources/styles/apa.csl"):
        with pytest.raises(StyleUnknownError):
            more(context, "cite", id=found, style=style)


def test_nothing_is_remembered_by_a_call_itself(services: Services) -> None:
    requests = list[Mapping[str, str]]()

    def hear(**fields: str) -> bool:
        requests.append(fields)
        return True

    wall = Wall(ProjectId("p1"))
    asked = more(ProgramContext(services, wall, "Jan 1", hear), "remember", text="A\n cat." * 90)
    assert asked == {
        "asked": "Bellek asks the user in its window. It is remembered only if they agree."
    }
    (request,) = requests
    assert request == {"fact": ("A cat." * 90)[:300], "program": "Jan 1", "project": "p1"}
    assert services._archive.facts.facts(FactFilter(EVERYTHING)) == []
    with pytest.raises(ProgramsRefusedError):
        more(ProgramContext(services, wall), "remember", text="A cat.")


def test_a_document_is_only_proposed_and_never_by_its_path(services: Services) -> None:
    requests = list[Mapping[str, str]]()

    def hear(**fields: str) -> bool:
        requests.append(fields)
        return True

    context = ProgramContext(services, Wall(ProjectId("p1")), "Jan", hear)
    answer = {"asked": "Bellek asks the user in its window. It is added only if they agree."}
    assert more(context, "library_add", text="# A\ncat.", address="") == answer
    assert more(context, "library_add", address="https://example.org/a?b=1") == answer
    ours = {"program": "Jan", "project": "p1"}
    assert requests == [
        {"title": "A", "text": "# A\ncat.", "address": "", **ours},
        {"title": "", "text": "", "address": "https://example.org/a?b=1", **ours},
    ]
    for address in (
        "/etc/passwd",
        "file:///etc/passwd",
        "C:\\Users\\deniz\\tax.pdf",
        "~/tax.pdf",
        "bellek://session/s1",
        "https://bank.example@evil.example/",
        "https://ex\u0430mple.org/",
        "https://example.org/\u202egnp",
        "https://example.org/a b",
        f"https://example.org/{'a' * 1_000}",
    ):
        with pytest.raises(ProgramDocumentError):
            more(context, "library_add", address=address)
    for arguments in ({}, {"title": "A"}, {"text": "A", "address": "https://example.org"}):
        with pytest.raises(ProgramDocumentError):
            more(context, "library_add", **arguments)
    with pytest.raises(ProgramsRefusedError):
        more(ProgramContext(services, COMMON), "library_add", text="A")
    assert len(requests) == 2
    assert services._archive.sources.sources(EVERYTHING) == []


def test_only_a_session_behind_the_wall_is_opened(services: Services) -> None:
    requests = list[Mapping[str, str]]()
    blue, red = furnish(services, "blue", BLUE), furnish(services, "red", RED)

    def hear(**fields: str) -> bool:
        requests.append(fields)
        return True

    more(ProgramContext(services, blue, "", hear), "open_in_bellek", id="session:blue1#2")
    assert requests == [{"opens": "blue1"}]
    with pytest.raises(ProgramItemUnknownError):
        more(ProgramContext(services, red, "", hear), "open_in_bellek", id="session:blue1")
