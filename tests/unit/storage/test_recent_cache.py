"""Recently read values: cached for an hour, and dropped when their session changes."""

from collections.abc import Callable
from dataclasses import replace

from desktop.domain.figures import Figure
from desktop.domain.ids import SessionId
from desktop.storage.archive import Archive
from desktop.storage.repositories.sessions import StoredMessage
from desktop.storage.schema.database import KEPT_S, MOST, RecentCache
from tests.archives import finished

ONE = SessionId("one")


def _near(archive: Archive) -> list[str]:
    return [message.content for message in archive.index.neighbours(ONE, 1, 1)]


def _edit(archive: Archive) -> None:
    first = archive.sessions.messages(ONE)[0]
    edited = StoredMessage(replace(first, content="Yeni soru"), is_current=True)
    archive.sessions.save(archive.sessions.session(ONE), [edited])


def _delete(archive: Archive) -> None:
    archive.sessions.delete(ONE)
    archive.purge_deleted()


def _split(archive: Archive) -> None:
    archive.split_merge.split(ONE, archive.sessions.messages(ONE)[1].id, SessionId("new"))


def test_a_repeated_read_is_cached_until_its_session_changes(archive: Archive) -> None:
    changes: list[tuple[Callable[[Archive], None], list[str]]] = [
        (_edit, ["Yeni soru", "Yanıt"]),
        (_split, ["Yeni soru"]),
        (_delete, []),
    ]
    archive.imports.add([finished("one", "Soru", "Yanıt")])
    before = ["Soru", "Yanıt"]
    for change, after in changes:
        assert _near(archive) == before
        assert _near(archive) == before
        change(archive)
        assert _near(archive) == after
        before = after
    hits = archive.database.cached.figures.take()
    assert [one.figure for one in hits] == [Figure.CACHE_HITS]
    assert 0 < hits[0].total < hits[0].count


def test_entries_expire_after_an_hour_and_the_oldest_is_dropped_first() -> None:
    at = [0.0]
    cache, reads = RecentCache(lambda: at[0]), list[int]()

    def read(number: int) -> int:
        def now() -> int:
            reads.append(number)
            return number

        return cache.get("", number, now)

    for number in (*range(1, MOST + 1), MOST, MOST + 1, 1):
        assert read(number) == number
    assert reads == [*range(1, MOST + 2), 1]
    at[0] = KEPT_S + 1
    read(MOST)
    assert reads[-1] == MOST


def test_a_read_from_before_a_change_is_not_cached_after_it() -> None:
    cache = RecentCache()

    def read_while_it_changes() -> str:
        cache.drop("one")
        return "old"

    assert cache.get("one", 1, read_while_it_changes) == "old"
    assert cache.get("one", 1, lambda: "new") == "new"
