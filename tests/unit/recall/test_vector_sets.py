"""Vectors of another model: made beside those in use, which they replace once complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest

from desktop.domain.errors import RequestRejectedError
from desktop.domain.facts import Fact, FactFilter, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.search import (
    EVERYWHERE,
    EmbeddingModelChangedError,
    EmbeddingsMissingError,
    HitKind,
    Query,
    SearchMode,
    TextsRefusedError,
)
from desktop.llm.connection import Connection
from desktop.llm.embeddings import EndpointVectors
from desktop.recall.calibration import FINGERPRINTED, Calibration
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.settings.messages import Texts
from desktop.storage.repositories.facts import FactVectorStore
from desktop.storage.repositories.notes import NoteVectorStore
from tests.archives import NOON, finished
from tests.embedding_server import MODEL, EmbeddingServer, listed
from tests.embedding_stand_ins import SubjectEmbedder

if TYPE_CHECKING:
    from desktop.domain.json_values import JsonValue
    from desktop.domain.search import VectorSource
    from desktop.storage.archive import Archive
    from tests.guards import LogWatch

MESSAGES = frozenset({HitKind.MESSAGE})
NEVER = lambda: False  # noqa: E731 (a name for an argument)
OWN = "subjects"


@dataclass
class Chooser:
    """Implements VectorSources."""

    source: VectorSource | None = None
    sources: list[VectorSource] = field(default_factory=list)

    def choose(self, source: VectorSource | None) -> None:
        self.source = source
        self.sources += [source] if source else []

    def chosen(self) -> VectorSource | None:
        return self.source

    def named(self, name: str, wall: Wall) -> VectorSource | None:
        assert wall == EVERYTHING or not wall.is_open
        return next((each for each in self.sources if each.name == name), None)


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.imports.add(
        [
            finished("cars", "Yeni otomobil almak istiyorum", "Elektrikli olsun", at=NOON),
            finished(
                "doctors", "Hekim ne dedi", "Dinlenmelisin dedi", at=NOON + timedelta(days=1)
            ),
            finished("bread", "Ekşi maya nasıl yapılır", "Un ve su", at=NOON + timedelta(days=2)),
        ]
    )
    return archive


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture
def source_at() -> Iterator[Callable[[EmbeddingServer], EndpointVectors]]:
    connections: list[Connection] = []

    def make(server: EmbeddingServer, name: str = "vectors") -> EndpointVectors:
        connections.append(Connection(server.endpoint(name=name)))
        return EndpointVectors(connections[-1], MODEL)

    yield make
    for connection in connections:
        connection.close()


@pytest.fixture
def chooser(server: EmbeddingServer, source_at: Callable[..., EndpointVectors]) -> Chooser:
    chooser = Chooser()
    chooser.choose(source_at(server))
    return chooser


def index_of(
    archive: Archive, chooser: Chooser, own: SubjectEmbedder | None = None
) -> SemanticIndex:
    return SemanticIndex(
        archive.vectors,
        own or SubjectEmbedder(OWN),
        facts=FactVectorStore(archive.database),
        notes=NoteVectorStore(archive.database),
        sources=archive.source_vectors,
        served=chooser,
    )


def search(archive: Archive, meanings: SemanticIndex, text: str) -> list[str]:
    query = Query(text, kinds=MESSAGES, mode=SearchMode.SEMANTIC, scope=EVERYWHERE)
    return [hit.session_id for hit in Search(archive.index, meanings).find(query)]


def count_vectors(archive: Archive) -> dict[int, int]:
    """By set, with the rows of its table of signs checked."""
    with archive.database.reading() as db:
        rows = db.exec_driver_sql("SELECT model, count(*) FROM vectors GROUP BY model").all()
        counts = {int(row[0]): int(row[1]) for row in rows}
        for number, count in counts.items():
            table = "vector_bits" if number == 1 else "other_vector_bits"
            bits = db.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608
            assert bits == count
    return counts


def begun_with_own(
    archive: Archive, chooser: Chooser, own: SubjectEmbedder | None = None
) -> SemanticIndex:
    """An archive whose vectors are of the program's own model; another is chosen."""
    chosen, chooser.source = chooser.source, None
    meanings = index_of(archive, chooser, own)
    assert meanings.embed_due(NEVER) == 6
    chooser.source = chosen
    return meanings


def after_bread(server: EmbeddingServer) -> Callable[[], bool]:
    """Stops once the server had the newest session."""
    return lambda: "Un ve su" in server.texts


def test_the_first_vectors_are_those_of_the_chosen_model(
    archive: Archive, chooser: Chooser
) -> None:
    meanings = index_of(archive, chooser)
    assert meanings.embed_due(NEVER) == 6
    assert archive.vectors.model() == f"vectors/{MODEL}"
    assert search(archive, meanings, "araba")[0] == "cars"
    assert search(archive, meanings, "which physician?")[0] == "doctors"


def test_the_vectors_in_use_are_searched_until_all_others_are_made(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    meanings = begun_with_own(archive, chooser)
    assert meanings.embed_due(after_bread(server)) == 2
    progress = meanings.progress()
    assert (progress.renewed, progress.renewals) == (1, 3)
    assert not progress.is_complete
    assert archive.vectors.model() == OWN
    asked = len(server.bodies)
    assert search(archive, meanings, "araba")[0] == "cars"
    assert len(server.bodies) == asked
    assert meanings.embed_due(NEVER) > 0
    assert archive.vectors.model() == f"vectors/{MODEL}"
    assert search(archive, meanings, "araba")[0] == "cars"
    assert len(server.bodies) > asked
    assert len(count_vectors(archive)) == 1
    assert archive.vectors.other() is None
    assert meanings.progress().is_complete


def test_another_process_goes_on_where_a_killed_one_was(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    begun_with_own(archive, chooser).embed_due(after_bread(server))
    embedded = [text for text in server.texts if text == "Un ve su"]
    assert index_of(archive, chooser).embed_due(NEVER) == 4
    assert [text for text in server.texts if text == "Un ve su"] == embedded
    assert archive.vectors.model() == f"vectors/{MODEL}"


def test_what_comes_while_the_others_are_made_is_found_before_and_after(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    own = SubjectEmbedder(OWN)
    meanings = begun_with_own(archive, chooser, own)
    meanings.embed_due(after_bread(server))
    archive.imports.add([finished("dogs", "Bir köpek istiyorum", at=NOON)])
    assert meanings.embed_due(lambda: "Bir köpek istiyorum" in own.asked) == 1
    assert archive.vectors.model() == OWN
    assert search(archive, meanings, "dog")[0] == "dogs"
    meanings.embed_due(NEVER)
    assert archive.vectors.model() == f"vectors/{MODEL}"
    assert search(archive, meanings, "dog")[0] == "dogs"


def test_a_deleted_session_leaves_both_sets(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    meanings = begun_with_own(archive, chooser)
    meanings.embed_due(after_bread(server))
    assert len(count_vectors(archive)) == 2
    for name in ("cars", "doctors", "bread"):
        archive.sessions.delete(SessionId(name))
    archive.purge_deleted()
    assert count_vectors(archive) == {}


def test_a_session_that_was_deleted_during_the_change_is_embedded_when_it_is_back(
    archive: Archive, chooser: Chooser
) -> None:
    meanings = begun_with_own(archive, chooser)
    archive.sessions.delete(SessionId("cars"))
    meanings.embed_due(NEVER)
    archive.sessions.undelete(SessionId("cars"))
    assert meanings.embed_due(NEVER) == 2
    assert search(archive, meanings, "araba")[0] == "cars"


def test_a_choice_that_is_taken_back_leaves_everything_as_it_was(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    meanings = begun_with_own(archive, chooser)
    meanings.embed_due(after_bread(server))
    chooser.source = None
    assert meanings.embed_due(NEVER) == 0
    meanings.embed_due(NEVER)
    assert count_vectors(archive) == {1: 6}
    assert archive.vectors.other() is None
    assert meanings.progress().renewed is None


def test_the_own_model_comes_back_the_same_way(archive: Archive, chooser: Chooser) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    chooser.source = None
    stops = count()
    meanings.embed_due(lambda: next(stops) > 3)
    assert len(count_vectors(archive)) == 2
    assert search(archive, meanings, "araba")[0] == "cars"
    assert archive.vectors.model() == f"vectors/{MODEL}"
    meanings.embed_due(NEVER)
    assert archive.vectors.model() == OWN
    assert search(archive, meanings, "araba")[0] == "cars"


def test_a_model_that_changed_behind_its_name_is_never_compared(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    server.seed = 2
    assert search(archive, meanings, "araba") == []
    assert meanings.embed_due(NEVER) == 6
    assert search(archive, meanings, "araba")[0] == "cars"
    server.seed = 3
    log_watch.expect("desktop.recall.semantic_index", "later")
    archive.imports.add([finished("dogs", "Bir köpek istiyorum", at=NOON)])
    meanings.embed_due(NEVER)
    assert isinstance(meanings.progress().problem, EmbeddingModelChangedError)
    meanings.embed_due(NEVER)
    assert search(archive, meanings, "dog")[0] == "dogs"
    assert meanings.progress().problem is None


def test_a_model_with_another_number_of_dimensions_is_another_model(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    server.dimensions = 30  # no whole bytes of signs
    assert search(archive, meanings, "araba") == []
    assert meanings.embed_due(NEVER) == 6
    assert search(archive, meanings, "araba")[0] == "cars"


def test_the_same_model_at_another_place_is_not_asked_again(
    archive: Archive,
    chooser: Chooser,
    server: EmbeddingServer,
    source_at: Callable[..., EndpointVectors],
) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    chooser.choose(source_at(server, "elsewhere"))
    assert meanings.embed_due(NEVER) == 0
    assert archive.vectors.model() == f"elsewhere/{MODEL}"
    assert count_vectors(archive) == {1: 6}


def test_words_find_while_the_endpoint_is_away_and_its_words_are_kept(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    log_watch.expect("desktop.recall.semantic_index", "later")
    server.answer = lambda _: (404, {"error": {"message": "not found"}})
    archive.imports.add([finished("dogs", "Bir köpek istiyorum", at=NOON)])
    assert meanings.embed_due(NEVER) == 0
    assert isinstance(meanings.progress().problem, EmbeddingsMissingError)
    hybrid = Query("hangi otomobil?", mode=SearchMode.HYBRID, scope=EVERYWHERE)
    assert Search(archive.index, meanings).find(hybrid)[0].session_id == "cars"
    server.answer = None
    assert meanings.embed_due(NEVER) == 1
    assert meanings.progress().problem is None


def refusing(server: EmbeddingServer, words: str) -> None:
    """Let the server refuse every request that has a text with these words."""

    def answer(texts: Sequence[str]) -> tuple[int, JsonValue]:
        if any(words in text for text in texts):
            return 400, {"error": {"message": "unsupported text"}}
        return 200, listed([server.vector(text) for text in texts])

    server.answer = answer


def test_a_text_that_is_always_refused_is_set_aside_and_holds_nothing_up(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    meanings = index_of(archive, chooser)
    refusing(server, "Un ve su")  # of the newest session
    log_watch.expect("desktop.recall.calibration", "request_rejected")
    assert meanings.embed_due(NEVER) == 6
    assert search(archive, meanings, "araba")[0] == "cars"
    problem = meanings.progress().problem
    assert isinstance(problem, TextsRefusedError)
    assert problem.values == {"count": 1, "reason": "unsupported text"}
    asked = len(server.bodies)
    assert index_of(archive, chooser).embed_due(NEVER) == 0
    assert len(server.bodies) == asked


def test_a_refused_text_keeps_no_model_from_taking_over_and_is_tried_with_the_next(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    meanings = begun_with_own(archive, chooser)
    refusing(server, "otomobil")
    log_watch.expect("desktop.recall.calibration", "request_rejected")
    meanings.embed_due(NEVER)
    assert archive.vectors.model() == f"vectors/{MODEL}"
    assert search(archive, meanings, "which physician?")[0] == "doctors"
    chooser.source = None
    meanings.embed_due(NEVER)
    assert search(archive, meanings, "araba")[0] == "cars"


def test_a_fact_that_is_refused_is_near_nothing(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    meanings = index_of(archive, chooser)
    fact = Fact(FactId("f"), "Ev", "Bahçede bir otomobil var", 5, Origin.USER, Term.LONG, NOON)
    other = replace(fact, id=FactId("g"), content="Yeni otomobil elektrikli")
    archive.facts.add([NewFact(fact), NewFact(other)])
    refusing(server, "Bahçede")
    log_watch.expect("desktop.recall.calibration", "request_rejected")
    meanings.embed_due(NEVER)
    among = FactFilter(EVERYTHING)
    assert meanings.nearest_facts("araba", among, 5) == [FactId("g")]
    assert meanings.nearest_facts("araba", among, 1) == [FactId("g")]


def test_a_model_that_refuses_everything_is_asked_again_later(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    log_watch.expect("desktop.recall.semantic_index", "later")
    refusing(server, "")
    archive.imports.add([finished("dogs", "Bir köpek istiyorum", at=NOON)])
    assert meanings.embed_due(NEVER) == 0
    assert isinstance(meanings.progress().problem, RequestRejectedError)
    server.answer = None
    assert meanings.embed_due(NEVER) == 1
    assert search(archive, meanings, "dog")[0] == "dogs"


class HangingServer:
    """Hangs with a text; `is_one_at_a_time`: and then with every other one until a restart."""

    def __init__(self, server: EmbeddingServer, words: str, *, is_one_at_a_time: bool) -> None:
        self._server, self._words, self._stays = server, words, is_one_at_a_time
        self.is_hanging = False
        server.answer = self._answer

    def _answer(self, texts: Sequence[str]) -> tuple[int, JsonValue]:
        if self.is_hanging or any(self._words in text for text in texts):
            self.is_hanging = self._stays
            self._server.closing.wait()
        return 200, listed([self._server.vector(text) for text in texts])


def impatient(source: VectorSource | None) -> VectorSource:
    assert isinstance(source, EndpointVectors)
    return replace(source, timeout_s=0.3)


@pytest.mark.parametrize(("is_one_at_a_time", "runs"), [(False, 1), (True, 4)])
def test_a_text_with_which_the_server_hangs_holds_nothing_up(
    archive: Archive,
    chooser: Chooser,
    server: EmbeddingServer,
    log_watch: LogWatch,
    *,
    is_one_at_a_time: bool,
    runs: int,
) -> None:
    chooser.choose(impatient(chooser.source))
    meanings = begun_with_own(archive, chooser)
    hanging = HangingServer(server, "Un ve su", is_one_at_a_time=is_one_at_a_time)
    log_watch.expect("desktop.recall.calibration", "server_down")
    if is_one_at_a_time:
        log_watch.expect("desktop.recall.semantic_index", "later")
    for _ in range(runs):
        meanings.embed_due(NEVER)
        hanging.is_hanging = False
    assert archive.vectors.model() == f"vectors/{MODEL}"
    problem = meanings.progress().problem
    assert isinstance(problem, TextsRefusedError)
    assert problem.values == {"count": 1, "reason": "server_down"}
    assert "yanıt gelmedi" in Texts(Language.TR).error(problem)
    server.answer = None
    assert search(archive, meanings, "araba")[0] == "cars"


def test_no_text_is_set_aside_because_the_server_is_away(
    archive: Archive, chooser: Chooser, server: EmbeddingServer, log_watch: LogWatch
) -> None:
    chooser.choose(impatient(chooser.source))
    meanings = begun_with_own(archive, chooser)
    meanings.embed_due(after_bread(server))
    server.may_answer.clear()
    log_watch.expect("desktop.recall.semantic_index", "later")
    for _ in range(4):
        assert meanings.embed_due(NEVER) == 0
    server.may_answer.set()
    assert meanings.embed_due(NEVER) == 4
    assert meanings.progress().problem is None
    assert search(archive, meanings, "araba")[0] == "cars"


def test_each_request_carries_the_text_of_the_fingerprint(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    search(archive, meanings, "araba")
    assert server.texts.count(FINGERPRINTED) >= 3


def test_a_damaged_calibration_makes_the_vectors_again(archive: Archive, chooser: Chooser) -> None:
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    with archive.database.writing() as db:
        db.exec_driver_sql("UPDATE vector_model SET calibration = x'00'")
    assert search(archive, meanings, "araba") == []
    meanings.embed_due(NEVER)
    assert meanings.embed_due(NEVER) == 6
    assert search(archive, meanings, "araba")[0] == "cars"


def test_unrelated_texts_are_below_the_floor_although_the_model_puts_them_near(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    server.dimensions = 1024
    raw = [server.vector(text) for text in ("Ekşi maya nasıl yapılır", "Elektrikli olsun")]
    assert sum(a * b for a, b in zip(*raw, strict=True)) > 0.9 * sum(a * a for a in raw[0])
    meanings = index_of(archive, chooser)
    meanings.embed_due(NEVER)
    near = Query("otomobil", kinds=MESSAGES, scope=EVERYWHERE)
    assert meanings.highest_nearness("otomobil", near) > 0.42
    assert meanings.highest_nearness("zürafaların boyu", near) < 0.28


def test_what_a_model_is_like_is_read_as_it_was_stored(
    archive: Archive, chooser: Chooser, server: EmbeddingServer
) -> None:
    index_of(archive, chooser).embed_due(NEVER)
    stored = archive.vectors.current()
    assert stored is not None
    calibration = Calibration.read(stored)
    assert calibration is not None
    assert calibration.stored == stored.calibration
    assert 0 <= calibration.unrelated < 1
    assert not calibration.is_of(calibration.centre[:8])
    assert Calibration.read(replace(stored, calibration=stored.calibration[:-1])) is None
