"""Translates SDK and network errors into domain errors, without keys, prompts or answers."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parsedate_to_datetime
from html import unescape

from desktop.domain import errors
from desktop.domain.endpoints import Endpoint, EndpointKind, is_nearby
from desktop.domain.model import number_in
from desktop.domain.times import utc_now
from desktop.llm.lean_imports import leave_out_unused
from desktop.llm.wire import (
    NotAStreamError,
    RefusedInStreamError,
    StalledError,
    UnreadableEventError,
)

_TOO_LONG = re.compile(
    r"prompt is too long|context (size|length|window)|maximum context|too many (\w+ )?tokens"
    r"|input .{0,40}is too (large|long)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"<title[^<>]*>([^<>]+)", re.IGNORECASE)
_TAG = re.compile(
    r"<(script|style)\b.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)|<[^<>]*>?", re.IGNORECASE | re.DOTALL
)
_LONGEST_PAGE = 50_000
_DETAIL_LENGTH = 200
_ECHO_LENGTH = 24

# An error in mid-stream comes with status 200, or none: only its type says what it is.
_STATUS_OF_TYPE: Mapping[str, int] = {
    "invalid_request_error": 400,
    "exceed_context_size_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_TOO_LONG_TYPES = ("exceed_context_size_error", "context_length_exceeded")
_NO_CREDIT = "insufficient_quota"
_REFUSED_KEYS = ("api key not valid", "incorrect api key")
"""Of endpoints that refuse a key with 400."""
_PLAIN_ERRORS: dict[int, type[errors.LlmError]] = {
    401: errors.KeyRejectedError,
    403: errors.NotPermittedError,
    408: errors.ConnectionLostError,
    413: errors.ContextTooLongError,
    529: errors.OverloadedError,
}
_OK = 200
_BAD_REQUEST = 400
_UNAUTHORIZED = 401
_NOT_FOUND = 404
_NOT_THERE = (404, 405)
_BUSY = 429
_UNNAMED_FAILURE = 500
_LAST_STATUS = 599
_LONGEST_WAIT_S = 24 * 3600.0


def world_errors(kind: EndpointKind) -> tuple[type[Exception], ...]:
    """Return the exceptions of a failed call to an endpoint, for an `except` clause."""
    import httpx2  # noqa: PLC0415

    return (
        _sdk_error(kind),
        httpx2.HTTPError,
        httpx2.StreamError,
        json.JSONDecodeError,
        UnicodeDecodeError,
        UnreadableEventError,
        StalledError,
        NotAStreamError,
        RefusedInStreamError,
    )


def _sdk_error(kind: EndpointKind) -> type[Exception]:
    if kind is EndpointKind.CHAT:
        import openai  # noqa: PLC0415  the import costs most of a second

        return openai.APIError
    leave_out_unused()
    import anthropic  # noqa: PLC0415  the import costs most of a second

    return anthropic.APIError


def translated(
    exc: Exception, endpoint: Endpoint, model: str = "", *, secrets: Iterable[str] = ()
) -> errors.LlmError:
    """Return the domain error for one of `world_errors`.

    `secrets` (the key, the prompt's texts) are removed from the endpoint's own message.
    """
    import httpx2  # noqa: PLC0415

    where = endpoint.name
    match exc:
        case NotAStreamError():
            detail = _without(secrets, " ".join(exc.words.split()))
            return errors.ProtocolMismatchError(status=exc.status, detail=detail, where=where)
        case httpx2.TransportError():
            return connection_lost(endpoint)
        case StalledError():
            return errors.AnswerStalledError(where=where)
        case UnreadableEventError() | ValueError():
            return errors.AnswerUnreadableError(where=where)
        case httpx2.HTTPError() | httpx2.StreamError():
            return errors.StreamBrokenError(where=where)
        case _:
            refusal = _Refusal.of(exc)
            error = _of_status(refusal, where, model, secrets) if refusal else None
            is_lost = isinstance(error, errors.ConnectionLostError)
            return connection_lost(endpoint) if error is None or is_lost else error


def connection_lost(endpoint: Endpoint) -> errors.ConnectionLostError:
    error = errors.ServerDownError if is_nearby(endpoint) else errors.ConnectionLostError
    return error(where=endpoint.name)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """What an SDK's error says; both SDKs are made by the same generator."""

    status: int
    words: str
    types: Sequence[str]
    wait_s: int

    @classmethod
    def of(cls, exc: Exception) -> "_Refusal | None":
        """Return None if there was no answer."""
        body = getattr(exc, "body", None)
        status = getattr(exc, "status_code", None)
        if not isinstance(status, int) and body is None:
            return None
        error = _error_in(body)
        types = [str(error[name]) for name in ("type", "code") if error.get(name)]
        if not isinstance(status, int) or status == _OK:
            # OpenRouter writes the status as the code.
            codes = (number_in(_BAD_REQUEST, code, _LAST_STATUS) for code in types)
            statuses = filter(None, (*map(_STATUS_OF_TYPE.get, types), *codes))
            status = int(next(statuses, _UNNAMED_FAILURE))
        words = error.get("message") or error.get("detail") or _text(body)
        headers = getattr(getattr(exc, "response", None), "headers", {})
        wait_s = min(seconds_to_wait(headers), _LONGEST_WAIT_S)
        return cls(status, _text(words), types, round(wait_s))


def seconds_to_wait(headers: Mapping[str, str]) -> float:
    """Return how long a server wants to be left alone; 0 if it does not say."""
    if (milliseconds := number_in(0, headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    wish = headers.get("retry-after", "")
    if (seconds := number_in(0, wish)) is not None:
        return seconds
    try:
        return max(0.0, (parsedate_to_datetime(wish) - utc_now()).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return 0


def _error_in(body: object) -> Mapping[str, object]:
    match body:
        case [first, *_]:
            return _error_in(first)
        case {"error": {**inner}}:
            return {str(name): value for name, value in inner.items()}
        case {**outer}:
            return {str(name): value for name, value in outer.items()}
        case _:
            return {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str) if value else ""


def _of_status(
    refusal: _Refusal, where: str, model: str, secrets: Iterable[str]
) -> errors.LlmError:
    words, status = refusal.words, refusal.status
    if _TOO_LONG.search(words) or any(type_name in _TOO_LONG_TYPES for type_name in refusal.types):
        return errors.ContextTooLongError(where=where)
    is_key = status == _BAD_REQUEST and any(key in words.lower() for key in _REFUSED_KEYS)
    if plain := _PLAIN_ERRORS.get(_UNAUTHORIZED if is_key else status):
        return plain(where=where)
    if status == _BUSY and _NO_CREDIT not in refusal.types:
        over = utc_now() + timedelta(seconds=refusal.wait_s)
        at = f"{over.astimezone():%H:%M:%S}" if refusal.wait_s else ""
        return errors.ModelBusyError(seconds=refusal.wait_s, at=at, where=where)
    if status >= _UNNAMED_FAILURE:
        words = _without(secrets, " ".join(words.split())) or f"HTTP {status}"
        return errors.ServerFailedError(detail=words, where=where)
    if status == _NOT_FOUND and "model" in words.lower():
        return errors.ModelUnknownError(model=model, where=where)
    error = errors.ProtocolMismatchError if status in _NOT_THERE else errors.RequestRejectedError
    return error(status=status, detail=_without(secrets, words), where=where)


def _without(secrets: Iterable[str], words: str) -> str:
    if words.lstrip().startswith("<"):  # The page of a proxy
        page = words[:_LONGEST_PAGE]
        title = _TITLE.search(page)
        words = " ".join(unescape(title[1] if title else _TAG.sub(" ", page)).split())
    for secret in secrets:
        beginning = secret.strip()[:_ECHO_LENGTH]
        if beginning and beginning in words:
            return ""
    return words.strip()[:_DETAIL_LENGTH]
