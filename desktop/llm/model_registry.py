"""The model of each role, and the connections behind them."""

import importlib
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Protocol

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    ConnectionStatus,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelInfo,
    ModelRole,
    RoleParameters,
    is_on_this_computer,
)
from desktop.domain.errors import AppError, KeyRejectedError, LocalOnlyError, ModelsMissingError
from desktop.domain.model import REQUESTER
from desktop.llm.capability_test import EndpointTest, OnStep, TestReport
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from desktop.llm.embedded import EmbeddedServer
from desktop.llm.embeddings import EndpointVectors
from desktop.llm.endpoints import known_model, usual_model, with_known_capabilities
from desktop.llm.lean_imports import leave_out_unused
from desktop.settings.keys import MODEL_NOT_CHOSEN, KeyStore
from desktop.settings.settings import Settings

_WARM_MESSAGES = ("anthropic", "anthropic.resources.messages", "anthropic.resources.models")
_WARM_CHAT = ("openai", "openai.resources.chat.completions", "openai.resources.models")
_WARM = (
    "httpcore2",  # and what opens its connections: else the first request imports them
    "truststore",
    "h11",
)


@dataclass(eq=False)
class Models:
    """Thread-safe. `for_role` uses no disk, network or keyring."""

    _settings: Callable[[], Settings]
    _keys: KeyStore
    _note_listing: Callable[[], None] = lambda: None
    """Called when a list of models is requested by the program itself."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _connections: dict[tuple[EndpointId, bool], Connection] = field(default_factory=dict)
    _outdated: list[Connection] = field(default_factory=list)
    _chosen: ModelChoice | None = None

    def for_role(self, role: ModelRole, settings: Settings) -> EndpointModel | None:
        """Return the role's model, else the answering model; None without an endpoint.

        `settings`: those in force for what the model will read.
        """
        usual = settings.roles.get(ModelRole.ANSWERING)
        own = None if role is ModelRole.ANSWERING else settings.own_choice(role)
        endpoints = {endpoint.id: endpoint for endpoint in settings.endpoints}
        # What was chosen may have been removed since.
        for choice in (own, self.chosen, usual):
            if choice is not None and choice.endpoint_id in endpoints:
                parameters = settings.parameters.get(role, USUAL_PARAMETERS)
                return self._model(endpoints[choice.endpoint_id], choice.model, parameters)
        return None

    def vectors(self, endpoint: Endpoint, model: str) -> EndpointVectors:
        """Return the endpoint's model for embeddings. Raises LocalOnlyError."""
        return EndpointVectors(self._connection(endpoint, embeds=True), model)

    def status(self, settings: Settings) -> ConnectionStatus:
        """Return the model that answers; may wait for a local server, contacts no remote one."""
        model = self.for_role(ModelRole.ANSWERING, settings)
        if model is None:
            return ConnectionStatus(is_local_only=settings.is_local_only)
        endpoint, listed = model.endpoint, known_model(model.name)
        tokens = endpoint.context_tokens or (listed.context_tokens if listed else None)
        if tokens is None and endpoint.kind is EndpointKind.GGUF:
            with suppress(AppError):
                tokens = model.context_tokens()
        limit = settings.request_limit(tokens) if tokens else None
        sees = model.capabilities.images
        return ConnectionStatus(
            model.name,
            endpoint.name,
            limit,
            endpoint_id=endpoint.id,
            sees=sees,
            is_local_only=settings.is_local_only,
        )

    @property
    def chosen(self) -> ModelChoice | None:
        """Return the user's choice: for the turn that asks, else the newest one."""
        requester = REQUESTER.get()
        return requester.choice if requester is not None else self._chosen

    def choose(self, choice: ModelChoice | None) -> None:
        """Answer with this model from now on; None: with that of the settings. Never waits."""
        self._chosen = choice

    def list_models(self, endpoint: Endpoint) -> list[ModelInfo]:
        """The endpoint's own list; raises LlmError. The key is the key store's."""
        if endpoint.kind is EndpointKind.GGUF:
            name = Path(endpoint.gguf_path or "").stem
            return [ModelInfo(name, name)]
        return list(self._connection(endpoint).models())

    def test(self, endpoint: Endpoint, model: str, on_step: OnStep = lambda _: None) -> TestReport:
        """Test every capability once; takes seconds and a few thousand tokens."""
        test = EndpointTest(self._connection(endpoint), self._model(endpoint, model), on_step)
        return test.run()

    def warm_up(self) -> None:
        """Import the SDK in use, which takes about a second, ahead of the first request."""
        answering = self.for_role(ModelRole.ANSWERING, self._settings())
        leave_out_unused()
        is_chat = answering is not None and answering.endpoint.kind is EndpointKind.CHAT
        for name in (*(_WARM_CHAT if is_chat else _WARM_MESSAGES), *_WARM):
            importlib.import_module(name)

    def close(self) -> None:
        """Close every connection, end reads in other threads, stop our own servers."""
        with self._lock:
            connections = [*self._connections.values(), *self._outdated]
        for connection in connections:
            connection.close()

    def _model(
        self, endpoint: Endpoint, name: str, parameters: RoleParameters = USUAL_PARAMETERS
    ) -> EndpointModel:
        full_endpoint = with_known_capabilities(endpoint)
        return EndpointModel(self._connection(endpoint), name, full_endpoint, parameters)

    def _connection(self, endpoint: Endpoint, *, embeds: bool = False) -> Connection:
        """Return the connection to an endpoint. Raises LocalOnlyError.

        A model file is served for answers or, in a process of its own, for embeddings.
        """
        if self._settings().is_local_only and not is_on_this_computer(endpoint):
            raise LocalOnlyError(where=endpoint.name)
        key = endpoint.id, embeds and endpoint.kind is EndpointKind.GGUF
        with self._lock:
            connection = self._connections.get(key)
            if connection is not None and _place(connection.endpoint) == _place(endpoint):
                return connection
            if connection is not None and connection.endpoint.kind is EndpointKind.GGUF:
                connection.close()  # its memory is freed
            elif connection is not None:
                self._outdated.append(connection)  # a running answer finishes
            serving = None
            if endpoint.kind is EndpointKind.GGUF:
                path = Path(endpoint.gguf_path or "")
                serving = EmbeddedServer(path, endpoint.context_tokens, embeds)
            made = Connection(
                endpoint,
                lambda: self._keys.get(endpoint.id),
                note_listing=self._note_listing,
                serving=serving,
            )
            self._connections[key] = made
            return made


def _place(endpoint: Endpoint) -> tuple[object, ...]:
    """Return the identity of a connection; names and capabilities are not part of it."""
    if endpoint.kind is EndpointKind.GGUF:
        return endpoint.kind, endpoint.gguf_path, endpoint.context_tokens
    return endpoint.kind, endpoint.base_url


class ModelAccess(Protocol):
    def list_models(self, endpoint: Endpoint) -> Sequence[ModelInfo]: ...

    def test(self, endpoint: Endpoint, model: str, on_step: OnStep) -> TestReport: ...


def with_free_id(endpoint: Endpoint, endpoints: Sequence[Endpoint]) -> Endpoint:
    """Return the known endpoint with the same address, else this one with an unused id."""
    address = attrgetter("kind", "base_url", "gguf_path")
    for each in endpoints if endpoint.kind is not EndpointKind.ANTHROPIC else ():
        if address(each) == address(endpoint):
            return each
    taken = {each.id for each in endpoints}
    base, place = endpoint.id, 1
    while endpoint.id in taken:
        place += 1
        endpoint = replace(endpoint, id=EndpointId(f"{base}-{place}"))
    return endpoint


@dataclass(frozen=True, slots=True)
class EndpointSetup:
    """An endpoint that the user wants to connect; `key` is empty if none is needed."""

    endpoint: Endpoint
    key: str = ""
    is_checked: bool = True


def connect_endpoint(models: ModelAccess, keys: KeyStore, setup: EndpointSetup) -> str:
    """Return the default model; delete a rejected key. Raises LlmError; call on a worker."""
    if setup.key:
        keys.put(setup.endpoint.id, setup.key)
    if not setup.is_checked:
        return MODEL_NOT_CHOSEN
    try:
        names = [each.id for each in models.list_models(setup.endpoint)]
    except KeyRejectedError:
        if setup.key:
            keys.delete(setup.endpoint.id)
        raise
    if not names:
        raise ModelsMissingError(where=setup.endpoint.name)
    return usual_model(setup.endpoint, names) or MODEL_NOT_CHOSEN


def with_endpoint(settings: Settings, endpoint: Endpoint) -> Settings:
    """Return settings with the endpoint added, or replaced if its id is known."""
    by_id = {each.id: each for each in (*settings.endpoints, endpoint)}
    return replace(settings, endpoints=tuple(by_id.values()))


def without_endpoint(settings: Settings, endpoint_id: EndpointId) -> Settings:
    """Return settings without the endpoint and without the roles that used it."""
    for role, choice in settings.roles.items():
        if choice.endpoint_id == endpoint_id:
            settings = with_choice(settings, role, None)
    endpoints = tuple(each for each in settings.endpoints if each.id != endpoint_id)
    return replace(settings, endpoints=endpoints)


def with_choice(settings: Settings, role: ModelRole, choice: ModelChoice | None) -> Settings:
    """Return settings with the model of a role; None removes it."""
    roles = {each: chosen for each, chosen in settings.roles.items() if each is not role}
    return replace(settings, roles=roles if choice is None else {**roles, role: choice})
