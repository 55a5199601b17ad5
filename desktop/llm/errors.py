"""Translates SDK and network errors into domain errors, without keys, prompts or answers."""

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import (
    ConnectionLostError,
    ContextTooLongError,
    KeyRejectedError,
    LlmError,
    ModelBusyError,
    ModelUnknownError,
    NotPermittedError,
    OverloadedError,
    RequestRejectedError,
    ServerFailedError,
    StreamBrokenError,
)

if TYPE_CHECKING:
    import anthropic

_TOO_LONG = re.compile(
    r"prompt is too long|context (size|length|window)|maximum context|too many (\w+ )?tokens",
    re.IGNORECASE,
)
_DETAIL_LENGTH = 200
_ECHO_LENGTH = 24

# An error in mid-stream comes with status 200: only its type says what it is.
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "exceed_context_size_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_PLAIN_ERRORS: dict[int, type[LlmError]] = {
    401: KeyRejectedError,
    403: NotPermittedError,
    408: ConnectionLostError,
    413: ContextTooLongError,
    529: OverloadedError,
}
_OK = 200
_NOT_FOUND = 404
_BUSY = 429
_UNNAMED_FAILURE = 500


def world_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of a failed call to an endpoint, for an `except` clause."""
    import anthropic  # noqa: PLC0415  the import costs over a second
    import httpx2  # noqa: PLC0415

    return (
        anthropic.APIError,
        httpx2.HTTPError,
        httpx2.StreamError,
        json.JSONDecodeError,
        UnicodeDecodeError,
    )


def translated(
    exc: Exception, endpoint: Endpoint, model: str = "", *, secrets: Iterable[str] = ()
) -> LlmError:
    """Return the domain error for one of `world_errors`.

    `secrets` (the key, the prompt's texts) are removed from the endpoint's own message.
    """
    import anthropic  # noqa: PLC0415
    import httpx2  # noqa: PLC0415

    match exc:
        case anthropic.APIStatusError():
            return _of_status(exc, endpoint, model, secrets)
        case anthropic.APIConnectionError() | httpx2.TransportError():
            return ConnectionLostError(where=endpoint.name)
        case _:  # events cut off, or a server that speaks something else
            return StreamBrokenError(where=endpoint.name)


def _of_status(
    exc: "anthropic.APIStatusError", endpoint: Endpoint, model: str, secrets: Iterable[str]
) -> LlmError:
    words = exc.api_message or ""
    status = exc.status_code
    if status == _OK:
        status = _STATUS_OF_TYPE.get(str(exc.type), _UNNAMED_FAILURE)
    where = endpoint.name
    if str(exc.type) == "exceed_context_size_error" or _TOO_LONG.search(words):
        return ContextTooLongError(where=where)
    if plain := _PLAIN_ERRORS.get(status):
        return plain(where=where)
    if status == _BUSY:
        return ModelBusyError(seconds=_seconds_to_wait(exc), where=where)
    if status == _NOT_FOUND and "model" in words.lower():
        return ModelUnknownError(model=model, where=where)
    if status >= _UNNAMED_FAILURE:
        return ServerFailedError(status=status, where=where)
    return RequestRejectedError(status=status, detail=_without(secrets, words), where=where)


def _seconds_to_wait(exc: "anthropic.APIStatusError") -> int:
    said = exc.response.headers.get("retry-after", "")
    try:
        return max(0, round(float(said)))
    except ValueError:  # a date, or nothing
        return 0


def _without(secrets: Iterable[str], words: str) -> str:
    """Return the text, or nothing if it repeats a secret."""
    for secret in secrets:
        beginning = secret.strip()[:_ECHO_LENGTH]
        if beginning and beginning in words:
            return ""
    return words.strip()[:_DETAIL_LENGTH]
