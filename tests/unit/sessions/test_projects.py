"""Projects: nothing of one is in a request of another; moves and deletions take its contents."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice, product
from pathlib import Path

import pytest
from sqlalchemy import update

from desktop.domain.events import Decided
from desktop.domain.facts import FactFilter
from desktop.domain.ids import SessionId, new_source_id
from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.messages import Thumb
from desktop.domain.model import ToolCall
from desktop.domain.projects import (
    COMMON,
    EVERYTHING,
    NO_PROJECT,
    Project,
    ProjectAmbiguousError,
    Wall,
)
from desktop.domain.prompts import Prompt
from desktop.domain.routing import Research, Tier, TurnOptions
from desktop.domain.search import HitKind, Query, Scope
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.usage import Figures
from desktop.memory.patterns import PatternFinder
from desktop.recall.related_sessions import RelatedSessions
from desktop.research.tools.tool import Tool, ToolContext
from desktop.sessions.keeping.background_requests import BackgroundRequests
from desktop.sessions.keeping.diary import Diary
from desktop.sessions.keeping.insight import InsightService
from desktop.sessions.library_notes import Notes
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from desktop.storage.schema.tables import projects
from tests.archives import NOON, finished
from tests.fakes import CallsTool, Says, ScriptedServer
from tests.guards import LogWatch
from tests.models import served_model
from tests.studies import Study, phrases, words_of

BLUE = ("Bursa", "4711", "keten", "Derya", "Tuesday", "sarmal")
RED = ("Zonguldak", "8822", "kadife", "Cemre", "Friday", "sarmat")
SUBJECTS = ("bütçe", "depo", "kumaş", "toplantı", "müdür", "budget", "warehouse", "meeting")
FORMS = (
    "{} nedir?",
    "Geçen ay {} hakkında ne konuşmuştuk?",
    "{} konusunda nerede kalmıştık?",
    "Belgelerimde {} için ne yazıyor?",
    "Hakkımda ne biliyorsun, {} ile ilgili?",
    "{} kaç euro ve nerede?",
    "{} ile ilgili ne biliyorsan unut.",
    "Geçen hafta ne konuştuk, {}?",
    "What did we say about the {}?",
    "Where did we leave off with the {}?",
    "What do my documents say about the {}?",
    "How much is the {}, and who runs it?",
    "Compare everything you know about the {}.",
)
LOOKS: Sequence[tuple[str, dict[str, object]]] = (
    ("memory_recall", {}),
    ("memory_recall", {"words": "bütçe depo"}),
    ("recall", {}),
    ("recall", {"words": "bütçe depo kumaş"}),
    ("library_search", {"words": "bütçe depo kumaş"}),
    ("library_read", {}),
    ("session_summary", {"words": "bütçe depo"}),
    ("subject_over_time", {"words": "bütçe"}),
    ("session_statistics", {"scope": "all"}),
)


@pytest.fixture
def study(tmp_path: Path, server: ScriptedServer) -> Iterator[Study]:
    with served_model(server, "tools", context_tokens=100_000) as model:
        study = Study(tmp_path, model)
        yield study
        study.close()


def furnish(study: Study, name: str, words: tuple[str, ...]) -> Project:
    """Two sessions, a document, facts, a preference, patterns and diary lines of a project."""
    city, budget, cloth, head, day, seam = words
    archive = study.archive
    project = archive.projects.create(name)
    said = (
        f"Depo {city} şehrinde, bütçe {budget} euro. Cevaplarında hep {cloth} örneği ver.",
        f"The warehouse is in {city}; the budget of {head} is {budget} euros.",
        f"Toplantı ne zaman, kumaş {cloth} mi? When is the meeting, {day}?",
        f"Kumaş {cloth}, dikiş {seam}, müdür {head}; the meeting is on {day}.",
    )
    ids = [SessionId(f"{name}{place}") for place in range(8)]
    archive.imports.add(
        [
            finished(
                one,
                *said,
                title=f"{city} deposu",
                summary=f"Bütçe {budget}, kumaş {cloth}.",
                topics=(f"{cloth} kumaş", "bütçe"),
                at=NOON - timedelta(days=place * (len(city) - 2), hours=9 - len(city)),
            )
            for place, one in enumerate(ids)
        ]
    )
    document = Source(new_source_id(), SourceKind.DOCUMENT, f"{city}.pdf", city, NOON, NOON, city)
    archive.sources.add(document, [NewPassage(f"Bütçe {budget}, depo {city}, kumaş {cloth}.")])
    archive.projects.move(project.id, ids, [document.id])
    Notes(archive).add(document.id, f"depo {city}", f"Toplantı: {head}, kumaş {cloth}, {budget}.")
    memory, wall = study.assistant.memory, Wall(project.id)
    memory.remember(f"Kullanıcı {city} şehrinde yaşıyor.", wall, topic="Yaşam")
    memory.remember(f"Deponun bütçesi {budget} euro.", wall, topic=f"{cloth} bütçesi")
    finder = PatternFinder(archive.patterns, phrases, Figures())
    finder.refresh(study.clock(), project.id)
    return project


def sent(server: ScriptedServer) -> str:
    return "\n".join(json.dumps(one.json, ensure_ascii=False) for one in server.requests)


def words_in(text: str, words: tuple[str, ...]) -> set[str]:
    return {one for one in words if one.casefold() in text.casefold()}


def raw(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.glob("bellek.db*")))


@pytest.mark.timeout(300)
def test_no_word_of_a_project_is_in_any_request_of_another(
    study: Study, server: ScriptedServer, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions", "reply_invalid")
    blue, red = furnish(study, "Mavi", BLUE), furnish(study, "Al", RED)
    archive = study.archive
    archive.projects.edit(Project(red.id, "Al", NOON, "Say Zonguldak.", {"kumaş": "kadife"}))
    study.describe()
    Diary(archive, study.assistant._context).write_due(lambda: False)
    server.requests.clear()
    study.assistant.project = blue.id
    questions = [form.format(one) for form, one in product(FORMS, SUBJECTS)]
    tiers = (None, None, Tier.QUICK, None, Tier.RESEARCH)
    for place, question in enumerate(islice(questions, 100)):
        name, given = LOOKS[place % len(LOOKS)]
        server.steps.clear()
        server.then(CallsTool(name, given), Says("Tamam."))
        study.run(study.assistant.ask(question, TurnOptions(tier=tiers[place % len(tiers)])))
        if place % 10 == 9:
            study.assistant.end()
            study.describe()
    Diary(archive, study.assistant._context).write(study.clock().date())
    assert len(server.requests) > 100
    text = sent(server)
    assert not words_in(text, RED)
    assert words_in(text, BLUE) == set(BLUE)
    learned = archive.facts.facts(FactFilter(EVERYTHING))
    assert {one.project for one in learned} == {blue.id, red.id}


def arguments(tool: Tool, words: str) -> Iterator[dict[str, JsonValue]]:
    """Return what a model may call a tool with: only what it must give, and all of it."""
    for given in ([one for one in tool.parameters if one.is_required], tool.parameters):
        for place in range(max(len(one.choices) or 1 for one in given) if given else 1):
            yield {
                one.name: one.choices[place % len(one.choices)]
                if one.choices
                else one.within.start
                if one.within
                else words
                for one in given
                if one.is_free_text or one.choices
            }


def seen_from(study: Study, project: Project) -> Mapping[str, object]:
    """Call every tool and read everything that is listed, searched or counted for a project."""
    archive, wall = study.archive, study.archive.projects.wall(project.id)
    tools = study.assistant.tools.for_session(wall, is_temporary=False)
    texts = words_of(Language.TR).texts
    context = ToolContext(
        session_id=SessionId("none"), wall=wall, messages=(), first_number=1, texts=texts
    )
    seen: dict[str, object] = {"offered": [spec.name for spec in tools.offered(texts)]}
    queries = [
        *SUBJECTS,
        *BLUE,
        *RED,
        "sarmak",
        "kadfie",
        "Zonguldka",
        "keten bütçe",
        "ne sordum?",
    ]
    for words in queries:
        for tool in tools.tools:
            for place, given in enumerate(arguments(tool, words)):
                output = tools.run(ToolCall("1", tool.name, given), context)
                seen[f"{tool.name} {place} {words}"] = (output.text, output.evidence)
        query = Query(words, frozenset(HitKind), scope=Scope(wall))
        seen[f"find {words}"] = sorted(
            (hit.title, hit.snippet) for hit in study.search.find(query)
        )
        related = RelatedSessions(study.search, lambda: phrases().stop_words)
        seen[f"related {words}"] = sorted(one.title for one in related.suggest(words, wall))
    counts = archive.statistics
    return seen | {
        "days": (counts.messages(wall), counts.sessions(wall), counts.sources(wall)),
        "subjects": counts.subjects(wall, None, 99),
        "spent": (counts.usage(wall, None), counts.thumbs(wall, Thumb.UP, None)),
        "insight": replace(
            InsightService(archive, Figures(), BackgroundRequests(archive, Settings)).read(wall),
            memory=(),
        ),
        "sessions": [one.title for one in archive.sessions.sessions(wall)],
        "archived": archive.sessions.count_archived(wall),
        "topics": archive.topics.most_used(wall, limit=99),
        "prompts": archive.prompts.prompts(wall),
        "sources": [one.title for one in archive.sources.sources(wall)],
        "diary": archive.diary.entries(wall),
        "notes": [(note.quote, note.text) for note in archive.notes.notes(wall)],
        "preferences": [(one.words, one.count) for one in archive.preferences.preferences(wall)],
        "patterns": [(one.kind, one.count) for one in archive.patterns.patterns(wall)],
        "facts": [one.content for one in archive.facts.facts(FactFilter(wall))],
    }


def test_a_project_sees_no_word_or_number_of_another(
    tmp_path: Path, server: ScriptedServer
) -> None:
    """It sees the same whether the other one is empty or full."""
    seen: list[Mapping[str, object]] = []
    for is_full in (False, True):
        with served_model(server, "tools", context_tokens=100_000) as model:
            study = Study(tmp_path / str(is_full), model)
        blue = furnish(study, "Mavi", BLUE)
        if is_full:
            other = furnish(study, "Al", RED)
            study.archive.prompts.replace([Prompt("Kadife", "Zonguldak?", other.name)])
        else:
            other = study.archive.projects.create("Al")
        study.describe()
        seen.append(seen_from(study, blue))
        tools = study.assistant.tools.for_session(Wall(other.id), is_temporary=False)
        assert tools.is_on("library_read") is is_full  # No document, no tool for them
        study.close()
    assert [name for name in seen[0] if seen[0][name] != seen[1][name]] == []
    assert words_in(str(seen[0]), BLUE) == set(BLUE)


def test_all_projects_are_read_if_a_question_wishes_it(
    study: Study, server: ScriptedServer
) -> None:
    furnish(study, "Mavi", BLUE)
    study.assistant.project = furnish(study, "Al", RED).id
    study.run(study.assistant.ask("Bütçe kaç euro?", TurnOptions(sees_all=True)))
    assert words_in(sent(server), BLUE)
    server.requests.clear()
    study.assistant.end()
    study.ask("Bütçe kaç euro?")
    assert not words_in(sent(server), BLUE)


def test_documents_of_another_project_send_no_question_to_research(study: Study) -> None:
    questions = "Yün mü keten mi daha sıcak, hangisi ucuz? Hangisi dayanıklı? Nerede üretilir?"
    decided: list[bool] = []
    for project in (furnish(study, "Mavi", BLUE), study.archive.projects.create("Al")):
        study.assistant.project = project.id
        study.ask(questions)
        (first, *_) = study.happened(Decided)
        decided.append(isinstance(first.decision, Research))
        study.assistant.end()
    assert decided == [True, False]


def test_a_project_beside_a_question_is_read_for_it_alone(
    study: Study, server: ScriptedServer
) -> None:
    blue = furnish(study, "Mavi", BLUE)
    study.assistant.project = furnish(study, "Al", RED).id
    study.run(study.assistant.ask("Bütçe kaç euro?", TurnOptions(attachments=[blue.id])))
    assert {"4711", "Bursa"} <= words_in(sent(server), BLUE)
    assert '<passage n="1"' in sent(server).replace("\\", "")
    server.requests.clear()
    study.assistant.end()
    study.ask("Bütçe kaç euro?")
    assert not words_in(sent(server), BLUE)


def test_a_fact_made_common_is_known_in_every_project(
    study: Study, server: ScriptedServer
) -> None:
    blue, red = furnish(study, "Mavi", BLUE), furnish(study, "Al", RED)
    (home,) = study.archive.facts.facts(FactFilter(Wall(blue.id), topic="Yaşam"))
    study.archive.facts.give(home.id, NO_PROJECT)
    study.assistant.project = red.id
    study.ask("Nerede yaşıyorum?")
    assert words_in(sent(server), BLUE) == {"Bursa"}


def test_a_contradiction_in_a_project_leaves_common_facts_unchanged(study: Study) -> None:
    memory, red = study.assistant.memory, study.archive.projects.create("Al")
    common = memory.remember("Kullanıcının hedef kilosu 70 kg.").added[0]
    learned = memory.remember("Kullanıcının hedef kilosu 75 kg.", Wall(red.id))
    assert [one.content for one in learned.added] == ["Kullanıcının hedef kilosu 75 kg."]
    assert study.archive.facts.fact(common.id).is_valid
    assert [one.id for one in study.archive.facts.facts(FactFilter(COMMON))] == [common.id]


def test_a_project_brings_its_instructions_and_variables(
    study: Study, server: ScriptedServer
) -> None:
    project = study.archive.projects.create("Tez")
    told = Project(
        project.id, "Tez", project.created_at, "Use Chicago style.", {"danışman": "Nurbanu"}
    )
    study.archive.projects.edit(told)
    study.ask("Merhaba, kaynakça nasıl yazılır?")
    assert not words_in(sent(server), ("Chicago", "Nurbanu"))
    study.assistant.end()
    study.assistant.project = project.id
    study.ask("Merhaba, kaynakça nasıl yazılır?")
    assert words_in(sent(server), ("Chicago", "Nurbanu", "Tez")) == {"Chicago", "Nurbanu", "Tez"}


def test_deleting_a_session_deletes_the_facts_learned_only_from_it(study: Study) -> None:
    archive, memory = study.archive, study.assistant.memory
    blue, red = archive.projects.create("Mavi"), archive.projects.create("Al")
    study.assistant.project = blue.id
    study.ask("Hatırla: kedimin adı Duman.")
    session = study.active.id
    study.assistant.end()
    by_hand = memory.remember("Elle yazıldı.", Wall(blue.id)).added[0]
    archive.projects.move(red.id, [session])
    assert [one.content for one in archive.facts.facts(FactFilter(Wall(blue.id)))] == [
        by_hand.content
    ]
    assert [one.session_id for one in archive.facts.facts(FactFilter(Wall(red.id)))] == [session]
    assert archive.sessions.session(session).project == red.id
    assert [one.id for one in archive.sessions.sessions(Wall(red.id))] == [session]


@pytest.mark.parametrize("with_contents", [True, False])
def test_deleting_a_project_can_be_undone(study: Study, with_contents: bool) -> None:  # noqa: FBT001 - a case
    blue = furnish(study, "Mavi", BLUE)
    store = study.archive.projects
    held = store.contents(blue.id)
    kept = store.delete(blue.id, with_contents=with_contents)
    assert store.projects() == []
    assert len(study.archive.sessions.sessions(EVERYTHING)) == (
        0 if with_contents else held.sessions
    )
    assert len(study.archive.facts.facts(FactFilter(COMMON))) == (0 if with_contents else 2)
    store.restore(blue.id, kept)
    assert store.contents(blue.id) == held
    assert study.archive.facts.facts(FactFilter(COMMON)) == []


def test_a_deleted_project_leaves_no_word_in_the_file(study: Study) -> None:
    furnish(study, "Mavi", BLUE)
    red = furnish(study, "Al", RED)
    told = Project(red.id, "Kuzguncuk", NOON, "Speak of Zonguldak.", {"kumaş": "kadife"})
    study.archive.projects.edit(told)
    study.describe()
    Diary(study.archive, study.assistant._context).write_due(lambda: False)
    assert b"Zonguldak" in raw(study.folder)
    study.archive.projects.delete(red.id, with_contents=True)
    study.archive.purge_deleted()
    left = raw(study.folder).decode("utf-8", "replace")
    assert words_in(left, (*RED, "Kuzguncuk")) == set()
    assert words_in(left, BLUE) == set(BLUE)


def test_without_projects_everything_is_seen(study: Study) -> None:
    assert study.archive.projects.wall(NO_PROJECT) == EVERYTHING
    study.archive.projects.create("Mavi")
    assert study.archive.projects.wall(NO_PROJECT) == COMMON


def test_a_tag_finds_its_sessions_as_a_topic_does_and_goes_with_the_last(study: Study) -> None:
    archive = study.archive
    study.add_past("a", "Bütçe kaç?", "Beş.", topics=("para",))
    study.add_past("b", "Bütçe ne?", "Altı.")
    assert archive.tags.set("Önemli", [SessionId("b")], is_on=True) == ["b"]
    assert archive.tags.set("önemli", [SessionId("b")], is_on=True) == []
    assert archive.tags.tags() == {"Önemli": {"b"}}
    study.describe()
    for tag, found in (("önemli", "b"), ("para", "a")):
        assert [one.id for one in archive.sessions.sessions(EVERYTHING, tag=tag)] == [found]
        hits = study.search.find(Query("bütçe", topic=tag, scope=Scope(EVERYTHING)))
        assert {one.session_id for one in hits} == {found}
    archive.sessions.delete(SessionId("b"))
    assert archive.tags.tags() == {}
    archive.purge_deleted()
    assert "Önemli".encode() not in raw(study.folder)


def test_of_two_projects_with_one_name_the_id_is_asked_for(archive: Archive) -> None:
    ids = [archive.projects.create(name).id for name in ("Tez", "Bahçe")]
    with archive.database.writing() as db:  # as files of earlier versions may have it
        db.execute(update(projects).values(name="Tez"))
    with pytest.raises(ProjectAmbiguousError) as refused:
        archive.projects.named("tez")
    assert all(one in str(refused.value.values["ids"]) for one in ids)
    assert archive.projects.named(ids[1]).id == ids[1]
    archive.projects.edit(replace(archive.projects.named(ids[1]), instructions="Kısa yaz."))
    assert archive.projects.named(ids[1]).instructions == "Kısa yaz."
