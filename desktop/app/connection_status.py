"""The answering model as the status bar shows it, without a request to a cloud endpoint."""

from desktop.domain.endpoints import EndpointKind, ModelRole
from desktop.domain.errors import AppError
from desktop.llm.model_registry import Models
from desktop.llm.pricing import model_facts
from desktop.ui.services import ConnectionStatus


def connection(models: Models) -> ConnectionStatus:
    """May wait for a server on this machine; a server elsewhere is not contacted."""
    model = models.for_role(ModelRole.ANSWERING)
    if model is None:
        return ConnectionStatus()
    endpoint = model.endpoint
    known = model_facts().of(model.name)
    tokens = endpoint.context_tokens or (known.context_tokens if known else None)
    if tokens is None and endpoint.kind is EndpointKind.GGUF:
        tokens = _asked(models)
    return ConnectionStatus(model.name, endpoint.name, tokens)


def _asked(models: Models) -> int | None:
    model = models.for_role(ModelRole.ANSWERING)
    try:
        return model.context_tokens() if model else None
    except AppError:
        return None
