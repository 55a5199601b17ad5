"""Deleting is real: afterwards the words are not in the file."""

from datetime import timedelta
from pathlib import Path

from desktop.domain.claims import CitedSupport, JudgedClaim, Support
from desktop.domain.events import SourceFound, ToolCalled, ToolState, WorkDone
from desktop.domain.ids import SessionId, SourceId, TurnId
from desktop.domain.learned_preferences import Pattern, PatternKind
from desktop.domain.messages import Citation, CitationState, Compact, MessageState, Rating, Thumb
from desktop.domain.projects import EVERYTHING, NO_PROJECT
from desktop.domain.search import EVERYWHERE, Query
from desktop.domain.sessions import Draft
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.usage import Purpose, Usage
from desktop.recall.search import Search
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import NOON, finished

SECRETS = ("zeytinyağlı", "zeytinyagli", "kuşkonmaz", "kuskonmaz", "xylophone", "qapaktitle")


def test_the_words_of_a_deleted_session_are_in_no_byte_of_the_profile_once_it_is_final(
    archive: Archive, tmp_path: Path
) -> None:
    _fill(archive)
    assert b"zeytinya" in _bytes_of(tmp_path)
    archive.sessions.delete(SessionId("secret"))
    assert archive.purge_deleted() == 1
    for word in SECRETS:
        assert word.encode() not in _bytes_of(tmp_path), word
    archive.close()
    for word in SECRETS:
        assert word.encode() not in _bytes_of(tmp_path), word


def _fill(archive: Archive) -> None:
    archive.imports.add(
        [
            finished(
                "secret",
                "zeytinyağlı kuşkonmaz",
                "xylophone kuşkonmaz",
                title="qapaktitle",
                summary="zeytinyağlı özeti",
                topics=["kuşkonmaz"],
            ),
            finished("other", "pırasa", "ıspanak", title="Pırasa", topics=["pırasa"]),
        ]
    )
    secret = archive.sessions.messages(SessionId("secret"))[1]
    archive.answers.rate(Rating(secret.id, Thumb.DOWN, "xylophone yanlış"))
    cited = Citation(
        1, CitationState.CHECKED, "zeytinyağlı", "secret", str(secret.id), "qapaktitle"
    )
    archive.sessions.keep_records(secret.session_id, [AnswerRecord(secret.id, "", [cited])])
    other = archive.sessions.messages(SessionId("other"))[1]
    quoted = SourceFound(TurnId("t"), None, "secret", "qapaktitle")
    looked = ToolCalled(TurnId("t"), "1", "recall", "xylophone", ToolState.DONE)
    archive.work_done.keep(secret.id, [WorkDone(1, looked)])
    archive.work_done.keep(other.id, [WorkDone(1, quoted)])
    archive.answers.count_usage(
        SessionId("secret"), Usage(3, 4), purpose=Purpose.ANSWER, model="m", message_id=secret.id
    )
    summary = "zeytinyağlı kuşkonmaz, xylophone"
    assert archive.compacts.add(Compact(secret.session_id, 1, 2, secret.id, summary))
    archive.claims.request(secret.id)
    judged = JudgedClaim(0, 9, (CitedSupport(1, Support.SUPPORTED, "zeytinyağlı"),))
    archive.claims.keep(secret.id, [judged], "m")
    archive.literature.store("openalex", {"10.1234/x": "a work about xylophone"})
    archive.drafts.keep(SessionId("secret"), Draft("zeytinyağlı taslak"))
    asked = archive.patterns.questions(EVERYTHING)[0]
    archive.patterns.keep([Pattern(PatternKind.SUBJECT, "kuşkonmaz", 3, 0.9, [asked])], NO_PROJECT)


def _bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.glob("bellek.db*")))


def test_rows_of_a_deleted_session_go_and_those_of_others_stay_and_are_found(
    archive: Archive,
) -> None:
    _fill(archive)
    archive.sessions.delete(SessionId("secret"))
    archive.purge_deleted()
    assert [one.id for one in archive.sessions.sessions(EVERYTHING)] == ["other"]
    search = Search(archive.index)
    assert {hit.session_id for hit in search.find(Query("pirasa", scope=EVERYWHERE))} == {"other"}
    assert search.find(Query("kuşkonmaz", scope=EVERYWHERE)) == []
    archive.check()
    with archive.database.reading() as db:
        left = db.exec_driver_sql(
            "SELECT (SELECT count(*) FROM citations) + (SELECT count(*) FROM ratings) "
            "+ (SELECT count(*) FROM usage) + (SELECT count(*) FROM drafts)"
        )
        assert left.scalar_one() == 0
        assert db.exec_driver_sql("SELECT name FROM topics").scalars().all() == ["pırasa"]


def test_there_is_nothing_to_do_if_nothing_was_deleted(archive: Archive) -> None:
    _fill(archive)
    archive.sessions.delete(SessionId("secret"))
    archive.sessions.undelete(SessionId("secret"))
    assert archive.purge_deleted() == 0
    assert len(archive.sessions.messages(SessionId("secret"))) == 2
    assert archive.sessions.messages(SessionId("secret"))[0].state is MessageState.COMPLETE


def test_a_deletion_after_the_moment_can_still_be_undone(archive: Archive) -> None:
    _fill(archive)
    archive.sessions.delete(SessionId("secret"))
    deleted_at = archive.sessions._now()
    assert archive.purge_deleted(before=deleted_at - timedelta(hours=1)) == 0
    archive.sessions.undelete(SessionId("secret"))
    assert archive.sessions.session(SessionId("secret")).id == "secret"


def test_the_tags_of_documents_stay(archive: Archive) -> None:
    source_id = SourceId("d")
    source = Source(source_id, SourceKind.DOCUMENT, "d", "/d", NOON, NOON, "d", project=NO_PROJECT)
    archive.sources.add(source, [NewPassage("Pırasa")])
    archive.source_tags.set("mevsim", [source_id], is_on=True)
    archive.imports.add([finished("s", "Soru", "Yanıt")])
    archive.sessions.delete(SessionId("s"))
    archive.purge_deleted()
    assert archive.source_tags.of(source_id) == ["mevsim"]
