"""Daily housekeeping: what is due, once a day, with the user's consent, resumable."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count

from desktop.domain.ids import SessionId
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode
from desktop.domain.sessions import Draft
from desktop.recall.search import Search
from desktop.sessions.keeping.housekeeping import (
    Housekeeping,
    HousekeepingTask,
    TaskCount,
    archive_task,
)
from desktop.sessions.use_cases import SessionArchive
from desktop.settings.settings import Consent, Settings
from desktop.storage.archive import Archive
from tests.archives import NOON, SettableClock, finished

LONG_AGO = NOON - timedelta(days=91)


def _on() -> Settings:
    return Settings(housekeeping=Consent.ON)


def _never() -> bool:
    return False


def _housekeeping(
    archive: Archive, clock: SettableClock, settings: Callable[[], Settings] = _on
) -> Housekeeping:
    store = archive.housekeeping
    return Housekeeping(store, settings, (archive_task(store),), clock)


def _archived(archive: Archive) -> set[str]:
    with archive.database.reading() as db:
        rows = db.exec_driver_sql("SELECT id FROM sessions WHERE archived_at IS NOT NULL")
        return {row[0] for row in rows}


def test_only_sessions_untouched_for_90_days_are_archived(
    archive: Archive, clock: SettableClock
) -> None:
    for name, days in (("old", 91), ("pinned", 400), ("visited", 400), ("new", 89)):
        archive.imports.add([finished(name, "Soru", "Yanıt", at=NOON - timedelta(days=days))])
    archive.sessions.pin(SessionId("pinned"), True)
    archive.drafts.keep(SessionId("visited"), Draft("Bir de…"))
    housekeeping = _housekeeping(archive, clock)
    assert housekeeping.plan() == [TaskCount("archive", 1)]
    assert _archived(archive) == set()
    assert list(housekeeping.run(_never, only_due=True)) == [TaskCount("archive", 1)]
    assert _archived(archive) == {"old"}
    assert str(archive.sessions.session(SessionId("old")).status) == "complete"


def test_nothing_is_archived_without_consent(archive: Archive, clock: SettableClock) -> None:
    archive.imports.add([finished("old", "Soru", "Yanıt", at=LONG_AGO)])
    for consent in (Consent.ASK, Consent.OFF):
        housekeeping = _housekeeping(archive, clock, lambda: Settings(housekeeping=consent))  # noqa: B023
        assert list(housekeeping.run(_never, only_due=True)) == []
    assert _archived(archive) == set()


def test_a_task_runs_once_a_day(archive: Archive, clock: SettableClock) -> None:
    runs = count(1)
    task = HousekeepingTask("contexts", lambda _: next(runs), lambda: 0)
    housekeeping = Housekeeping(archive.housekeeping, Settings, (task,), clock)
    assert list(housekeeping.run(_never, only_due=True)) == [TaskCount("contexts", 1)]
    clock.pass_by(hours=2)
    assert list(housekeeping.run(_never, only_due=True)) == []
    clock.pass_by(hours=24)
    assert list(housekeeping.run(_never, only_due=True)) == [TaskCount("contexts", 2)]


def test_a_task_that_was_stopped_continues_the_same_day(
    archive: Archive, clock: SettableClock
) -> None:
    runs = iter((500, 700))
    task = HousekeepingTask("compacts", lambda _: next(runs), lambda: 0)
    housekeeping = Housekeeping(archive.housekeeping, Settings, (task,), clock)
    asked = count(1)
    assert list(housekeeping.run(lambda: next(asked) > 1, only_due=True)) == [
        TaskCount("compacts", 500)
    ]
    assert list(housekeeping.run(_never, only_due=True)) == [TaskCount("compacts", 700)]
    assert list(housekeeping.run(_never, only_due=True)) == []


def test_the_plan_is_offered_until_the_user_declines_and_again_after_two_weeks(
    archive: Archive, clock: SettableClock
) -> None:
    archive.imports.add([finished("old", "Soru", "Yanıt", at=LONG_AGO)])
    housekeeping = _housekeeping(archive, clock, Settings)
    assert housekeeping.offer() == [TaskCount("archive", 1)]
    housekeeping.decline()
    assert housekeeping.offer() == []
    clock.pass_by(days=14)
    assert housekeeping.offer() == [TaskCount("archive", 1)]
    assert _housekeeping(archive, clock).offer() == []  # allowed already


def test_a_session_taken_out_of_the_archive_stays_out(
    archive: Archive, clock: SettableClock
) -> None:
    archive.imports.add([finished("old", "Soru", "Yanıt", at=LONG_AGO)])
    housekeeping = _housekeeping(archive, clock)
    assert list(housekeeping.run(_never)) == [TaskCount("archive", 1)]
    assert archive.sessions.session(SessionId("old")).is_archived
    past = SessionArchive(archive, lambda: None)
    assert not past.unarchive(SessionId("old")).is_archived
    assert list(housekeeping.run(_never)) == [TaskCount("archive", 0)]


def test_an_archived_session_is_found_as_before_and_is_a_little_lower(
    archive: Archive, clock: SettableClock
) -> None:
    said = [f"Gelgit {word}?" for word in ("kıyı", "liman", "deniz", "körfez", "ada")]
    archive.imports.add([finished(f"s{n}", one, "Yanıt") for n, one in enumerate(said)])
    query = Query(
        "gelgit", mode=SearchMode.HYBRID, kinds=frozenset({HitKind.MESSAGE}), scope=EVERYWHERE
    )
    search = Search(archive.index)
    before = [hit.session_id for hit in search.find(query)]
    with archive.database.writing() as db:
        archived = "UPDATE sessions SET archived_at = '2026-01-01' WHERE id IN (?, ?)"
        db.exec_driver_sql(archived, (before[0], before[3]))
    after = [hit.session_id for hit in search.find(query)]
    assert after[:5] == [*before[:3], before[4], before[3]]


def test_splitting_and_merging_keep_what_is_archived_and_undoing_restores_it(
    archive: Archive, clock: SettableClock
) -> None:
    first, part, new = SessionId("old"), SessionId("part"), SessionId("new")
    archive.imports.add([finished("old", "Soru", "Yanıt", "Soru", "Yanıt", at=LONG_AGO)])
    archive.imports.add([finished("new", "Soru", "Yanıt")])
    list(_housekeeping(archive, clock).run(_never))
    archive.split_merge.split(first, archive.sessions.messages(first)[2].id, part)
    assert _archived(archive) == {first, part}
    one, other = archive.sessions.session(part), archive.sessions.session(new)
    number = archive.split_merge.merge(part, new)
    assert _archived(archive) == {first}  # its new messages count as touched
    archive.split_merge.undo_merge(one, other, number)
    assert _archived(archive) == {first, part}
