"""What an embedding model that is not on this computer gets to read, and what it never gets."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelChoice, ModelRole
from desktop.domain.errors import DailyCapError, LocalOnlyError
from desktop.domain.facts import Fact, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId
from desktop.domain.projects import EVERYTHING, ProjectId, Wall
from desktop.domain.search import HitKind, Query, Scope, SearchMode
from desktop.domain.usage import Purpose
from desktop.recall.embedding_client import EmbeddingProcess
from desktop.sessions.services import Services
from desktop.settings.settings import Settings
from tests.archives import NOON, finished
from tests.embedding_server import MODEL, EmbeddingServer
from tests.embedding_stand_ins import SubjectEmbedder
from tests.guards import LogWatch
from tests.loopback import LoopbackServer

HOST = "vectors.example"
NEVER = lambda: False  # noqa: E731 (a name for an argument)


@dataclass
class OwnModel:
    """Stands in for the process of the program's own models."""

    embedder: SubjectEmbedder = field(default_factory=lambda: SubjectEmbedder("own"))
    fast: None = None
    threads: int = 1


@dataclass
class User:
    core: Services
    vectors: EmbeddingServer
    endpoint: Endpoint

    def change(self, **settings: Any) -> None:
        self.core.settings_store.change(**settings)

    def embed(self) -> int:
        return self.core.embed(NEVER).made

    def search(self, text: str, wall: Wall = EVERYTHING) -> list[str]:
        kinds = frozenset({HitKind.MESSAGE})
        query = Query(text, kinds, mode=SearchMode.HYBRID, scope=Scope(wall))
        return [hit.session_id for hit in self.core.search.find(query)]

    def sent(self, words: str) -> bool:
        return any(words in text for text in self.vectors.texts)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[User]:
    """A profile with an embedding model under the name of another computer, and a consent."""
    look_up = socket.getaddrinfo

    def resolve(host: Any, *args: Any, **more: Any) -> object:  # Any: as the standard library
        return look_up("127.0.0.1" if host == HOST else host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    answers = LoopbackServer(["Tamam."])
    with EmbeddingServer() as vectors:
        made = answers.core(tmp_path)
        core = Services(
            made._archive,
            made.settings_store,
            kept_keys=made.keys,
            embedding=cast("EmbeddingProcess", OwnModel()),
        )
        endpoint = replace(
            vectors.endpoint(EndpointKind.CHAT), base_url=f"http://{HOST}:{vectors.port}/v1"
        )
        settings = core.settings_store.current
        core.settings_store.change(
            endpoints=(*settings.endpoints, endpoint),
            roles={**settings.roles, ModelRole.EMBEDDING: ModelChoice(endpoint.id, MODEL)},
            embeds_elsewhere=True,
        )
        yield User(core, vectors, endpoint)
        core.close()
        core._archive.close()
    answers.close()


def add_sessions(user: User) -> ProjectId:
    """One session in no project, one in a project that stays on this computer."""
    archive = user.core._archive
    archive.imports.add(
        [finished("cars", "Yeni otomobil"), finished("secret", "Gizli bahçe planı")]
    )
    project = archive.projects.create("Bahçe")
    archive.projects.edit(replace(project, is_local_only=True))
    archive.projects.move(project.id, [SessionId("secret")])
    fact = Fact(FactId("f"), "Bahçe", "Gizli kapı arkada", 9, Origin.USER, Term.SHORT, NOON)
    archive.facts.add([NewFact(replace(fact, project=project.id))])
    return project.id


def test_without_the_consent_nothing_is_sent_and_the_own_model_is_used(user: User) -> None:
    user.change(embeds_elsewhere=False)
    add_sessions(user)
    assert user.embed() == 2
    assert user.search("araba") == ["cars"]
    assert user.core._archive.vectors.model() == "own"
    assert user.vectors.bodies == []


def test_what_stays_on_this_computer_is_not_sent_and_is_found_by_its_words(user: User) -> None:
    project = add_sessions(user)
    assert user.embed() == 1
    assert user.sent("Yeni otomobil")
    assert not user.sent("Gizli")
    assert user.core.meanings.progress().is_complete
    asked = len(user.vectors.bodies)
    assert user.search("gizli bahçe", Wall(project)) == ["secret"]
    assert len(user.vectors.bodies) == asked
    user.search("araba", Wall(ProjectId("")))
    assert user.sent("araba")


def test_a_profile_on_this_computer_only_sends_nothing(user: User) -> None:
    add_sessions(user)
    user.embed()
    asked = len(user.vectors.bodies)
    user.change(is_local_only=True)
    user.search("araba")
    user.embed()
    user.embed()
    assert len(user.vectors.bodies) == asked
    assert user.core._archive.vectors.model() == "own"
    assert user.search("araba") == ["cars"]


def test_the_words_of_a_temporary_session_never_leave(user: User) -> None:
    user.core._archive.imports.add([finished("cars", "Yeni otomobil")])
    user.embed()
    assistant = user.core.assistant
    assistant.ask("Kırmızı zürafa nerede yaşar?").run(lambda _: None)
    assert user.sent("zürafa")
    assistant.begin_temporary()
    assistant.ask("Mavi timsah nerede yaşar?").run(lambda _: None)
    user.embed()
    assert not user.sent("timsah")


def test_a_consent_that_is_withdrawn_holds_for_the_next_request(user: User) -> None:
    source = user.core.meanings._models._served
    chosen = source.chosen() if source else None
    assert chosen is not None
    user.change(embeds_elsewhere=False)
    with pytest.raises(Exception) as caught:  # noqa: PT011 (its cause is what matters)
        chosen.embed(["text"])
    assert isinstance(caught.value.__cause__, LocalOnlyError)
    assert user.vectors.bodies == []


def test_requests_beyond_this_computer_are_counted_and_capped(
    user: User, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.recall.semantic_index", "later")
    user.core._archive.imports.add([finished("cars", "Yeni otomobil")])
    user.embed()
    (use,) = user.core.background.read().uses["today"]
    assert use.purpose is Purpose.VECTORS
    assert use.requests == len(user.vectors.bodies)
    assert use.usage.input_tokens == 7 * len(user.vectors.texts)
    user.change(background_tokens=use.usage.input_tokens)
    user.core._archive.imports.add([finished("dogs", "Bir köpek")])
    assert user.embed() == 0
    assert isinstance(user.core.meanings.progress().problem, DailyCapError)
    assert not user.sent("köpek")


def test_the_overview_counts_what_the_new_model_has_prepared(user: User) -> None:
    with_model = user.core.settings_store.current.roles
    user.change(roles={})
    add_sessions(user)
    user.embed()
    assert user.core.background.read().renewal is None
    user.change(roles=with_model)
    looks = iter([False] * 5)
    user.core.meanings.embed_due(lambda: next(looks, True) or bool(user.vectors.bodies))
    assert user.core.background.read().renewal == (1, 1)
    user.embed()
    assert user.core.background.read().renewal is None


def test_the_choice_is_stored_and_goes_with_its_connection(user: User) -> None:
    store = user.core.settings_store
    again = Settings(endpoints=store.current.endpoints, roles=store.current.roles)
    assert again.role_choice(ModelRole.EMBEDDING) == ModelChoice(user.endpoint.id, MODEL)
    user.change(roles={ModelRole.ANSWERING: ModelChoice(user.endpoint.id, "m")})
    assert store.current.role_choice(ModelRole.EMBEDDING) is None
