"""The diary: what is written about a day, when, and what a deleted session changes."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from desktop.cli.commands import object_json
from desktop.domain.diary import DiaryEntry, DiaryItemId, DiaryItemKind, DiaryItemUnknownError
from desktop.domain.errors import OverloadedError
from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, Scope
from desktop.domain.usage import Purpose
from desktop.recall.other_kinds import DiarySearch
from desktop.recall.search import Search
from desktop.sessions.keeping.diary import Diary
from desktop.sessions.keeping.diary_file import DiaryReloaded, as_markdown, reload_entries
from desktop.settings.messages import Texts
from desktop.settings.settings import DiaryMode
from desktop.storage.schema.tables import sessions
from tests.models import ScriptedModel
from tests.studies import Study

DAY = date(2026, 3, 3)
EVENING = datetime(2026, 3, 3, 18, 0, tzinfo=UTC)
YEAST = (
    "Ekşi maya buzdolabında kaç gün dayanır?",
    "Ekşi maya buzdolabında beslenmeden üç hafta dayanır.",
    "Peki. Tam buğday unu kullanmaya karar verdim. Yarın mayayı iki kez besleyeceğim.",
    "İyi bir seçim; tam buğday mayayı güçlendirir.",
    "Somun neden yarılır?",
    "Üzgünüm, bunu bilmiyorum.",
)
YEAST_FOUND = YEAST[1]
GEARS = ("Dişli oranı nasıl bulunur?", "Ön dişli arka dişliye bölünür.")
GEARS_FOUND = GEARS[1]


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The zone is Istanbul, whatever the computer's zone is."""
    monkeypatch.setenv("TZ", "UTC-3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def diary(alone: Study) -> Diary:
    return diary_of(alone)


def diary_of(study: Study) -> Diary:
    study.search = Search(
        study.archive.index,
        diary=DiarySearch(study.archive.diary, lambda: study.settings.recalls_whole_diary),
    )
    return Diary(study.archive, study.assistant._context)


def bake(study: Study, name: str = "maya", at: datetime = EVENING) -> None:
    study.add_past(name, *YEAST, title="Ekşi maya", summary="Maya ve un.", at=at)


def ride(study: Study, at: datetime = EVENING + timedelta(hours=1)) -> None:
    study.add_past("disli", *GEARS, title="Dişliler", summary="Dişliler konuşuldu.", at=at)


def written(diary: Diary) -> list[date]:
    return [one.day for one in diary._archive.diary.entries(EVERYTHING)]


def entry_of(diary: Diary, day: date = DAY) -> DiaryEntry:
    entry = diary._archive.diary.entry(day, EVERYTHING)
    assert entry is not None
    return entry


def lines(entry: DiaryEntry, kind: DiaryItemKind) -> list[str]:
    return [one.text for one in entry.items if one.kind is kind]


def write(diary: Diary) -> int:
    return diary.write_due(lambda: False)


def search(study: Study, words: str) -> list[Hit]:
    return study.search.find(Query(words, frozenset({HitKind.DIARY}), scope=EVERYWHERE))


def test_an_entry_lists_what_was_asked_found_decided_and_left_open(
    alone: Study, diary: Diary
) -> None:
    bake(alone)
    assert write(diary) == 1
    entry = entry_of(diary)
    assert lines(entry, DiaryItemKind.ASKED) == [YEAST[0], YEAST[4]]
    assert lines(entry, DiaryItemKind.FOUND) == [YEAST_FOUND]
    assert lines(entry, DiaryItemKind.DECIDED) == ["Tam buğday unu kullanmaya karar verdim."]
    assert lines(entry, DiaryItemKind.OPEN) == ["Somun neden yarılır?"]
    assert lines(entry, DiaryItemKind.NEXT_STEP) == ["Yarın mayayı iki kez besleyeceğim."]
    assert entry.summary == YEAST_FOUND


def test_without_a_model_a_day_tells_what_was_settled_and_no_fragments(
    alone: Study, diary: Diary
) -> None:
    said = (
        "Ekmeğim neden hamur kalıyor? Nemi %80.",
        "Nem fazladır. Ekmek %70 nemle daha iyi pişer.",
        "Balon kaç para?",
        "Üzgünüm, bunu bilmiyorum.",
        "Geçerli mi? Tamam, %70 ile deneyeceğim.",
        "Güzel.",
    )
    alone.add_past("s", *said, title="Ekmek", summary=said[1], at=EVENING)
    write(diary)
    entry = entry_of(diary)
    assert lines(entry, DiaryItemKind.ASKED) == [said[0]]
    assert said[1] not in lines(entry, DiaryItemKind.FOUND)
    assert lines(entry, DiaryItemKind.DECIDED) == ["Tamam, %70 ile deneyeceğim."]
    assert lines(entry, DiaryItemKind.OPEN) == []


def test_a_session_without_content_still_has_a_line(alone: Study, diary: Diary) -> None:
    alone.add_past("s", "Merhaba!", "Merhaba.", title="Selam", at=EVENING)
    bake(alone, at=EVENING - timedelta(days=1))
    with alone.archive.database.writing() as db:  # as after its originals were removed
        db.exec_driver_sql("DELETE FROM messages WHERE session_id = 'maya'")
    assert write(diary) == 2
    assert [one.text for one in entry_of(diary).items] == ["Selam"]
    assert [one.text for one in entry_of(diary, date(2026, 3, 2)).items] == ["Ekşi maya"]


def test_a_session_over_midnight_belongs_to_the_local_day_it_began(
    alone: Study, diary: Diary
) -> None:
    # 23:59 in Istanbul, and 00:01 of the next day.
    bake(alone, at=datetime(2026, 3, 2, 20, 59, tzinfo=UTC))
    ride(alone, at=datetime(2026, 3, 2, 21, 1, tzinfo=UTC))
    write(diary)
    assert written(diary) == [date(2026, 3, 3), date(2026, 3, 2)]


def test_today_is_written_only_on_request(alone: Study, diary: Diary) -> None:
    bake(alone, at=alone.clock.at)
    assert write(diary) == 0
    assert diary.write(diary.today()) is not None
    assert written(diary) == [diary.today()]


def test_a_written_day_is_due_again_only_if_a_session_changed(alone: Study, diary: Diary) -> None:
    bake(alone)
    assert [write(diary), write(diary)] == [1, 0]
    alone.clock.pass_by(minutes=1)
    alone.assistant.resume(SessionId("maya"))
    alone.ask("Hamura tuz ne zaman eklenir? Yarın tuzu azaltacağım.")
    alone.assistant.end()
    alone.describe()
    assert diary.due() == [DAY]
    assert write(diary) == 1
    assert "Yarın tuzu azaltacağım." in lines(entry_of(diary), DiaryItemKind.NEXT_STEP)


def test_a_run_that_is_stopped_continues_where_it_was(alone: Study, diary: Diary) -> None:
    for day in range(5):
        bake(alone, f"s{day}", EVENING - timedelta(days=day))
    stops = iter([False, False, True])
    assert diary.write_due(lambda: next(stops)) == 2
    assert write(diary) == 3
    assert len(written(diary)) == 5


def test_the_users_text_and_ticks_outlive_every_rewriting(alone: Study, diary: Diary) -> None:
    bake(alone)
    write(diary)
    diary.edit(DAY, "Bugün fırın bozuldu.")
    (step,) = (one for one in entry_of(diary).items if one.kind is DiaryItemKind.NEXT_STEP)
    diary.tick(step.id)
    diary.write(DAY)
    entry = entry_of(diary)
    assert (entry.note, entry.summary) == ("Bugün fırın bozuldu.",) * 2
    assert [one.kind for one in entry.items if one.done_at] == [DiaryItemKind.NEXT_STEP]
    diary.edit(DAY, "Onarıldı.", begun="Fırın çalışıyor.")  # another device changed it meanwhile
    assert entry_of(diary).note == "Onarıldı.\n\nBugün fırın bozuldu."
    diary.edit(DAY, "Onarıldı.", begun=entry_of(diary).note)
    assert entry_of(diary).note == "Onarıldı."
    assert diary.edit(DAY, "  ") == entry_of(diary)
    assert (entry_of(diary).note, entry_of(diary).summary) == ("", YEAST_FOUND)


def test_only_thoughts_can_be_ticked_off(alone: Study, diary: Diary) -> None:
    bake(alone)
    write(diary)
    asked = entry_of(diary).items[0]
    for item in (asked.id, DiaryItemId(99)):
        with pytest.raises(DiaryItemUnknownError):
            diary.tick(item)


def test_a_day_without_thoughts_is_read_once_when_filtering_by_thoughts(
    alone: Study, diary: Diary
) -> None:
    alone.set(diary=DiaryMode.THOUGHTS)
    bake(alone)
    ride(alone, EVENING - timedelta(days=1))
    assert [write(diary), write(diary)] == [2, 0]
    alone.add_past("x", *GEARS, title="Gider", at=EVENING - timedelta(days=3))
    write(diary)
    alone.archive.sessions.delete(SessionId("x"))
    alone.archive.purge_deleted()
    assert write(diary) == 0
    assert written(diary) == [DAY]
    assert {one.kind for one in entry_of(diary).items} == {
        DiaryItemKind.OPEN,
        DiaryItemKind.NEXT_STEP,
    }


def test_nothing_is_written_if_the_diary_is_off(alone: Study, diary: Diary) -> None:
    alone.set(diary=DiaryMode.OFF)
    bake(alone)
    assert write(diary) == 0
    assert diary.write(DAY) is None


# What a model writes


def reply(*items: tuple[str, str, str]) -> dict[str, Any]:
    return {"items": [dict(zip(("kind", "text", "message"), one, strict=True)) for one in items]}


@pytest.fixture
def writes(study: Study, model: ScriptedModel) -> Callable[[object], Diary]:
    """Let the model answer with this."""

    def answer(said: object) -> Diary:
        model.descriptions.append(said)  # type: ignore[arg-type]  # whatever is said
        bake(study)
        ride(study)
        diary = diary_of(study)
        write(diary)
        return diary

    return answer


def test_a_model_writes_a_day_in_one_request_that_is_counted(
    study: Study, writes: Callable[[object], Diary]
) -> None:
    entry = entry_of(
        writes(reply(("found", "Üç hafta dayanır.", "1.2"), ("asked", "Oran?", "2.1")))
    )
    assert [(one.text, one.session_id) for one in entry.items] == [
        ("Oran?", "disli"),
        ("Üç hafta dayanır.", "maya"),
    ]
    assert len(study.script.json_requests) == 1
    assert study.archive.answers.spent_tokens(Purpose.DIARY) > 0


def test_lines_of_a_reply_that_rest_on_no_message_are_dropped(
    writes: Callable[[object], Diary],
) -> None:
    invented = [("found", "Uydurma.", "7.7"), ("dream", "Uydurma.", "1.1"), ("open", " ", "1.1")]
    diary = writes(reply(*invented, ("asked", "Oran?", "2.1")))
    assert entry_of(diary).whole == "Oran?"


def test_a_line_of_a_reply_is_linked_to_the_message_whose_words_it_has(
    writes: Callable[[object], Diary],
) -> None:
    wrong = ("found", "Ekşi maya üç hafta dayanır.", "2.1")
    entry = entry_of(writes(reply(wrong, ("asked", "Gear ratio?", "2.1"))))
    assert {one.text: one.session_id for one in entry.items} == {
        wrong[1]: "maya",
        "Gear ratio?": "disli",
    }


def test_a_day_takes_a_limited_number_of_requests(
    study: Study, writes: Callable[[object], Diary], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.sessions.keeping.diary._REQUESTS_A_DAY", 1)
    diary = writes(reply(("asked", "Oran?", "2.1")))
    bake(study, "yeni", EVENING - timedelta(days=1))
    assert write(diary) == 1
    assert len(study.script.json_requests) == 1


@pytest.mark.parametrize("said", [reply(), ["x"], OverloadedError()])
def test_a_day_is_extracted_if_the_model_is_of_no_use(
    writes: Callable[[object], Diary], said: object
) -> None:
    assert lines(entry_of(writes(said)), DiaryItemKind.FOUND) == [YEAST_FOUND, GEARS_FOUND]


# Deleting


def test_items_of_a_deleted_session_are_hidden_and_come_back(alone: Study, diary: Diary) -> None:
    bake(alone)
    ride(alone)
    write(diary)
    alone.archive.sessions.delete(SessionId("maya"))
    assert entry_of(diary).whole == f"{GEARS[0]}\n{GEARS_FOUND}"
    assert not search(alone, "maya")
    alone.archive.sessions.undelete(SessionId("maya"))
    assert YEAST_FOUND in entry_of(diary).whole
    assert search(alone, "maya")


def test_items_stay_when_their_sessions_messages_are_in_a_file(alone: Study, diary: Diary) -> None:
    bake(alone)
    ride(alone)
    write(diary)
    before = entry_of(diary)
    thought = next(one for one in before.items if one.kind is DiaryItemKind.OPEN)
    assert thought.id is not None
    diary.tick(thought.id)
    maya = SessionId("maya")
    with alone.archive.database.writing() as db:
        archived = update(sessions).where(sessions.c.id == maya)
        db.execute(archived.values(archived_at="2026-03-05T12:00:00.000Z"))
    assert alone.archive.originals.remove(alone.archive.sessions.session(maya), "archive.jsonl")
    diary.write(DAY)
    after = entry_of(diary)
    assert {one.text for one in after.items} == {one.text for one in before.items}
    assert [one.text for one in after.items if one.done_at] == [thought.text]


def test_a_purge_rewrites_an_entry_that_other_sessions_share(alone: Study, diary: Diary) -> None:
    bake(alone)
    ride(alone)
    write(diary)
    alone.archive.sessions.delete(SessionId("maya"))
    alone.archive.purge_deleted()
    assert entry_of(diary).whole == f"{GEARS[0]}\n{GEARS_FOUND}"
    assert not search(alone, "maya")
    assert search(alone, "dişli")
    assert b"hafta dayan" not in alone.database.read_bytes()


def test_the_users_text_of_a_day_stays_until_the_user_removes_it(
    alone: Study, diary: Diary
) -> None:
    bake(alone)
    write(diary)
    diary.edit(DAY, "Fırın bozuldu.")
    alone.archive.sessions.delete(SessionId("maya"))
    alone.archive.purge_deleted()
    assert entry_of(diary).whole == "Fırın bozuldu."
    diary.edit(DAY, "")
    assert written(diary) == []


# Finding


def test_entries_are_found_by_their_words_in_any_form(alone: Study, diary: Diary) -> None:
    bake(alone)
    ride(alone, EVENING - timedelta(days=1))
    write(diary)
    (hit,) = search(alone, "MAYAYI beslemek")
    assert (hit.kind, hit.day, hit.session_id) == (HitKind.DIARY, DAY, "maya")
    assert [one.day for one in search(alone, "diş")] == [DAY - timedelta(days=1)]


def test_a_search_for_days_lists_them_without_words(alone: Study, diary: Diary) -> None:
    bake(alone)
    ride(alone, EVENING - timedelta(days=1))
    write(diary)
    since = datetime(2026, 3, 2, 21, tzinfo=UTC)  # midnight in Istanbul
    query = Query(
        "",
        frozenset({HitKind.DIARY}),
        since=since,
        until=since + timedelta(days=1),
        scope=EVERYWHERE,
    )
    assert [hit.day for hit in alone.search.find(query)] == [DAY]


# Export and import


def reload(diary: Diary, lines: list[str]) -> DiaryReloaded:
    return reload_entries(diary._archive.diary, diary._archive.sessions, lines)


def json_line(entry: DiaryEntry) -> str:
    return json.dumps(object_json(entry))


def test_an_exported_diary_comes_back_as_it_was_and_only_once(alone: Study, diary: Diary) -> None:
    bake(alone)
    write(diary)
    diary.tick(entry_of(diary).thoughts[0].id)
    before, line = entry_of(diary), json_line(entry_of(diary))
    with alone.archive.database.writing() as db:
        db.exec_driver_sql("DELETE FROM diary_index")
        db.exec_driver_sql("DELETE FROM diary_items")
    done = reload(diary, [line, line, "{}", "[", "", '{"day": 1}'])
    assert (done.added, done.already_there, done.broken) == (1, 1, (3, 4, 6))
    fresh = [replace(one, id=DiaryItemId(0)) for one in before.items]
    assert [replace(one, id=DiaryItemId(0)) for one in entry_of(diary).items] == fresh
    assert [hit.day for hit in search(alone, "maya")] == [DAY]


def test_an_import_links_to_no_session_that_does_not_exist(alone: Study, diary: Diary) -> None:
    bake(alone)
    write(diary)
    values = json.loads(json_line(entry_of(diary)))
    values["day"] = "2020-01-01"
    values["items"][0]["session_id"] = "gone"
    reload(diary, [json.dumps(values)])
    items = entry_of(diary, date(2020, 1, 1)).items
    assert (items[0].session_id, items[0].message_id) == (None, None)
    assert items[1].session_id == "maya"


def test_markdown_has_tasks_and_links(alone: Study, diary: Diary) -> None:
    bake(alone)
    write(diary)
    entry = entry_of(diary)
    told = as_markdown(entry, Texts(alone.language))
    assert told.startswith("## 3 Mart 2026 Salı\n")
    step = entry.thoughts[-1]
    link = f"(bellek://session/maya?message={step.message_id})"
    assert f"- [ ] Yarın mayayı iki kez besleyeceğim. ([oturum]{link})" in told


def test_a_question_takes_a_day_along_if_no_message_says_it(
    study: Study, model: ScriptedModel
) -> None:
    bake(study)
    diary = diary_of(study)
    study.set(diary=DiaryMode.FULL, describes_with_model=False, recalls_whole_diary=True)
    write(diary)
    diary.edit(DAY, "Fırının termostatı bozuk çıktı.")
    study.assistant = study._assistant(None)
    study.ask("Fırının termostatı neden bozuk olabilir?")
    assert "Fırının termostatı bozuk çıktı." in study.changing


def test_leaving_out_the_only_session_of_a_day_hides_the_day(alone: Study, diary: Diary) -> None:
    bake(alone)
    write(diary)
    words = Query(
        "maya", frozenset({HitKind.DIARY}), scope=Scope(EVERYTHING, besides=(SessionId("maya"),))
    )
    assert not alone.search.find(words)
