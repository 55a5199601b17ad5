"""`bellek models`: list, add, use, test and remove; keys go into the keyring."""

import errno
import os
from argparse import Namespace
from dataclasses import replace
from getpass import getpass
from pathlib import Path
from urllib.parse import urlsplit

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    error_json,
    object_json,
    print_each,
)
from desktop.cli.parser import meant
from desktop.domain import errors
from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    is_on_this_computer,
)
from desktop.domain.json_values import JsonValue
from desktop.llm.capability_test import TestStep
from desktop.llm.endpoints import CLOUD_PRESETS, LOCAL_PRESETS, OLLAMA, Preset, gguf_endpoint
from desktop.llm.model_files import LocalModel, fitting_models, local_models, read_memory
from desktop.llm.model_registry import (
    EndpointSetup,
    connect_endpoint,
    with_endpoint,
    with_free_id,
    without_endpoint,
)
from desktop.settings.keys import MODEL_NOT_CHOSEN

_PRESETS = {preset.id: preset for preset in (*CLOUD_PRESETS, *LOCAL_PRESETS)}
_BUILTIN = "builtin"
_GIGABYTE = 1_000_000_000
_STEPS = 20  # Lines of progress
_KINDS = tuple(kind.value for kind in EndpointKind if kind is not EndpointKind.ANTHROPIC)


def _list(services: CommandServices, _options: Namespace) -> None:
    settings, keys = services.core.settings_store.current, services.core.keys

    def as_json(endpoint: Endpoint) -> dict[str, JsonValue]:
        has_key = keys.get(endpoint.id) is not None
        return {**object_json(endpoint), "has_key": has_key, "roles": roles(endpoint)}

    def roles(endpoint: Endpoint) -> dict[str, JsonValue]:
        chosen = settings.roles.items()
        return {
            role.value: choice.model
            for role, choice in chosen
            if choice.endpoint_id == endpoint.id
        }

    def line(endpoint: Endpoint) -> str:
        name = "no_key" if keys.get(endpoint.id) is None else "has_key"
        key = services.texts.say(f"models.{name}")
        where = endpoint.base_url or endpoint.gguf_path or ""
        used = (f"{role}: {model or '–'}" for role, model in roles(endpoint).items())
        return "  ".join(filter(None, (endpoint.id, endpoint.name, where, key, *used)))

    print_each(services, settings.endpoints, line, as_json=as_json, empty="models.none")


def _add(services: CommandServices, options: Namespace) -> int:
    """Add a connection that answers; without --model it is asked for its models first."""
    store, core = services.core.settings_store, services.core
    made = _endpoint(services, options)
    endpoints = store.current.endpoints
    endpoint = with_free_id(replace(made, name=options.name or made.name), endpoints)
    key = _read_key(services, options, endpoint)
    setup = EndpointSetup(endpoint, key, is_checked=not options.model)
    try:
        model = (
            connect_endpoint(core.models, core.keys, setup) or options.model or MODEL_NOT_CHOSEN
        )
    except errors.LlmError as exc:
        if key and endpoint not in endpoints:
            core.keys.delete(endpoint.id)
        if isinstance(exc, errors.KeyMissingError):
            raise errors.KeyNeededError from exc
        raise
    _connect(services, endpoint, model)
    if key and not core.keys.is_lasting:
        services.say("models.key_not_kept")
        return 1
    return 0


def _connect(services: CommandServices, endpoint: Endpoint, model: str) -> None:
    """Store a connection; its model answers unless another one does."""
    store = services.core.settings_store
    roles = {ModelRole.ANSWERING: ModelChoice(endpoint.id, model), **store.current.roles}
    store.change(endpoints=with_endpoint(store.current, endpoint).endpoints, roles=roles)
    answers = roles[ModelRole.ANSWERING].endpoint_id == endpoint.id
    record: dict[str, JsonValue] = {**object_json(endpoint), "model": model}
    message_key = "models.answers" if answers else "models.added"
    services.report(
        record, message_key, name=endpoint.name, id=endpoint.id, model=model or "MODEL"
    )


def _endpoint(services: CommandServices, options: Namespace) -> Endpoint:
    """Return the endpoint that a preset or a kind with its address means. Raises UsageError."""
    kind, address, texts = options.kind, options.address or "", services.texts
    if kind == EndpointKind.GGUF and address:
        if not (path := Path(address).expanduser().absolute()).is_file():
            raise errors.FileUnreadableError(path=address, detail=os.strerror(errno.ENOENT))
        return gguf_endpoint(path)
    preset = _PRESETS.get(kind)
    if kind in _KINDS and address:
        preset = Preset(kind, urlsplit(address).netloc, EndpointKind(kind), address)
    if preset is None or (address and preset.kind is EndpointKind.ANTHROPIC):
        allowed = " · ".join([*_PRESETS, *(f"{kind} ADDRESS" for kind in _KINDS)])
        detail = texts.say("models.kinds", allowed=allowed)
        raise errors.UsageError(detail=detail, command="bellek models add")
    try:
        return preset.endpoint(address or None)
    except ValueError as exc:
        detail = texts.say("errors.address_refused", address=address)
        raise errors.UsageError(detail=detail, command="bellek models add") from exc


def _read_key(services: CommandServices, options: Namespace, endpoint: Endpoint) -> str:
    """Return the key from stdin, or from a prompt that shows nothing; empty if none is needed."""
    if options.key_stdin:
        return services.stdin.readline().strip()
    is_local = is_on_this_computer(endpoint)
    if is_local or not services.can_ask():
        return ""
    return getpass(services.texts.say("models.key", name=endpoint.name), services.stderr).strip()


def _use(services: CommandServices, options: Namespace) -> None:
    """Let a model of a connection do a task: answer, unless another role is named.

    `builtin` is the program's own model, which only makes vectors.
    """
    store, role = services.core.settings_store, ModelRole(options.role)
    record = {"id": options.id, "role": options.role}
    if options.id == _BUILTIN and role is ModelRole.EMBEDDING and not options.model:
        left = {each: choice for each, choice in store.current.roles.items() if each is not role}
        store.change(roles=left)
        services.report(record, "models.used_builtin", **record)
        return
    endpoint = _find(services, options.id)
    if not options.model:
        raise errors.UsageError(detail="models use ID MODEL", command="bellek models use")
    store.change(roles={**store.current.roles, role: ModelChoice(endpoint.id, options.model)})
    record["model"] = options.model
    services.report(record, "models.used", name=endpoint.name, **record)


def _test(services: CommandServices, options: Namespace) -> int:
    """Test what a connection can do and store the result; exit code 1 if it does not answer."""
    endpoint, texts = _find(services, options.id), services.texts
    store = services.core.settings_store
    used = (choice for choice in store.current.roles.values() if choice.endpoint_id == endpoint.id)
    model = options.model or next((choice.model for choice in used), MODEL_NOT_CHOSEN)

    def show(step: TestStep) -> None:
        if services.as_json:
            services.print_json({"step": step.what.value, "ok": step.ok, "detail": step.detail})
        else:
            name = texts.say(f"models.{step.what.value}")
            services.print_line(f"{'✓' if step.ok else '–'} {name}")

    report = services.core.models.test(endpoint, model, show)
    if report.works:
        store.change(endpoints=with_endpoint(store.current, report.endpoint).endpoints)
    error = next((step.error for step in report.steps if step.error), None)
    if services.as_json:
        services.print_json({"works": report.works, **error_json(texts, error)})
    if error and not report.works:
        services.note(texts.error(error))
    return 0 if report.works else 1


def _remove(services: CommandServices, options: Namespace) -> None:
    endpoint, store = _find(services, options.id), services.core.settings_store
    services.core.keys.delete(endpoint.id)
    left = without_endpoint(store.current, endpoint.id)
    store.change(endpoints=left.endpoints, roles=left.roles)
    services.report({"id": endpoint.id, "deleted": True}, "models.removed", name=endpoint.name)


def _fit(services: CommandServices, _options: Namespace) -> None:
    """List the models that suit the memory of this computer, best first."""
    memory, texts = read_memory(), services.texts

    def as_json(model: LocalModel) -> dict[str, JsonValue]:
        needs = {"memory": model.memory, "fits": memory.holds(model)}
        return {**object_json(model), **needs}

    def line(model: LocalModel) -> str:
        fits = "fits" if memory.holds(model) else "too_large"
        parts = (
            model.id,
            model.name,
            texts.say("models.size", size=f"{model.bytes / _GIGABYTE:.1f}"),
            model.licence,
            texts.say("models.languages", count=model.languages),
            texts.say(f"models.{fits}", size=f"{model.memory / _GIGABYTE:.1f}"),
            texts.say(f"models.good_{model.good_for}"),
        )
        return "  ".join(parts)

    print_each(services, fitting_models(memory), line, as_json=as_json, empty="models.none")


def _download(services: CommandServices, options: Namespace) -> None:
    """Fetch a model of the list, and connect it."""
    models = {model.id: model for model in local_models()}
    if (model := models.get(options.id)) is None:
        detail = meant(services.texts, options.id, models)
        raise errors.UsageError(detail=detail, command="bellek models download")
    files, shown = services.core.model_files, -1

    def show(there: int, size: int) -> None:
        nonlocal shown
        if (part := there * _STEPS // size) > shown:
            shown = part
            services.note(services.texts.say("models.progress", percent=part * 100 // _STEPS))

    if options.ollama:
        files.pull(model, show)
        _connect(services, _free(services, OLLAMA.endpoint()), model.ollama)
    else:
        endpoint = gguf_endpoint(files.fetch(model, show))
        _connect(services, _free(services, endpoint), MODEL_NOT_CHOSEN)


def _free(services: CommandServices, endpoint: Endpoint) -> Endpoint:
    return with_free_id(endpoint, services.core.settings_store.current.endpoints)


def _find(services: CommandServices, name: str) -> Endpoint:
    settings = services.core.settings_store.current
    endpoints = {endpoint.id: endpoint for endpoint in settings.endpoints}
    if endpoint := endpoints.get(EndpointId(name)):
        return endpoint
    raise errors.UsageError(detail=meant(services.texts, name, endpoints), command="bellek models")


COMMANDS = {
    "list": Command(_list),
    "add": Command(_add),
    "use": Command(_use),
    "test": Command(_test),
    "remove": Command(_remove),
    "fit": Command(_fit),
    "download": Command(_download, Access.LOG),
}
