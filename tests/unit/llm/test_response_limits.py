"""Odd and hostile servers: the real SDKs, a real socket, the bytes as they come."""

import gzip
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import chain, repeat
from pathlib import Path

import pytest

from desktop.domain import errors
from desktop.domain.endpoints import EndpointKind
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import Instead, ModelRequest, RequestMessage
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from tests.chat_protocol import chunk
from tests.unit.llm.conftest import STREAM, odd_server

CHAT, MESSAGES = EndpointKind.CHAT, EndpointKind.SERVER
ASKING = ModelRequest("", [RequestMessage(Role.USER, "Soru?")])
PAGE = {"content-type": "text/html"}
JSON = {"content-type": "application/json"}
DONE = b"data: [DONE]\n\n"
MEGABYTE = 1_000_000
ROOM_MB = 150


def event(value: object) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def said(text: str, end: str | None = None) -> bytes:
    return event(chunk({"content": text}, end))


def spoken(value: Mapping[str, JsonValue]) -> bytes:
    return f"event: {value['type']}\n".encode() + event(value)


def answer(connection: Connection) -> str:
    """What a person sees when the answer is complete."""
    shown: list[str] = []
    with EndpointModel(connection, "m").stream(ASKING) as stream:
        for text in stream:
            shown = [] if isinstance(text, Instead) else [*shown, text]
        assert stream.reply().text == "".join(shown)
    return "".join(shown)


HALVES = "ü".encode()
WHOLE = {"choices": [{"message": {"content": "Bir iki."}, "finish_reason": "stop"}]}
MESSAGE: dict[str, JsonValue] = {
    "type": "message",
    "content": [{"type": "text", "text": "Bir iki."}],
    "usage": {"input_tokens": "çok"},
    "stop_reason": "end_turn",
}


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([b"id: 1\n", said("Bir "), b": ping\n\n", b"retry: 9\n\n", said("iki.", "stop")],
         "Bir iki."),
        ([b"event: ping\n\n", said("Bir "), b"id: 7\n\n", said("iki.", "stop"), DONE], "Bir iki."),
        ([b"\xef\xbb\xbf", said("Bir "), said("iki.", "stop")], "Bir iki."),
        ([said("Bir ").replace(b"\n", b"\r\n"), said("iki.", "stop")], "Bir iki."),
        ([(said("Bir ") + said("iki.")).replace(b"\n", b"\r"), DONE], "Bir iki."),
        ([said("Bir "), said("iki."), DONE], "Bir iki."),
        ([said("Bir iki.", "stop").rstrip()], "Bir iki."),
        ([event({"choices": [], "usage": {"prompt_tokens": "x", "completion_tokens": -1}}),
          said("Bir iki.", "stop")], "Bir iki."),
        ([event({"choices": [], "usage": "none", "id": 5}), said("Bir iki.", "stop")], "Bir iki."),
        ([said("D").replace(b"D", HALVES[:1]), said("D").replace(b"D", HALVES[1:] + b"st."), DONE],
         "üst."),
        ([b'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\n\n',
          b'data: {"choices":[{"delta":{"content":"\\ude00!"}}]}\n\n', DONE], "😀!"),
        ([event(WHOLE), DONE], "Bir iki."),
        ([said("Gizli.\n</think>\n\n"), said("Görünen."), DONE], "Görünen."),
        ([said("Giz"), said("li.</thi"), said("nk>"), said("\nGörünen."), DONE], "Görünen."),
        ([said("Gizli.</think>"), said("Görünen."), DONE], "Görünen."),
    ],
)  # fmt: skip
def test_what_is_beside_an_answer_never_costs_it(pieces: list[bytes], expected: str) -> None:
    with odd_server(lambda: pieces) as connection:
        assert answer(connection) == expected


@pytest.mark.parametrize(("kind", "whole"), [(CHAT, WHOLE), (MESSAGES, MESSAGE)])
def test_an_answer_in_one_piece_is_taken(kind: EndpointKind, whole: object) -> None:
    with odd_server(lambda: [json.dumps(whole).encode()], JSON, kind=kind) as connection:
        assert answer(connection) == "Bir iki."


@pytest.mark.parametrize("packed", [gzip.compress, zlib.compress])
def test_a_compressed_answer_is_read(packed: Callable[[bytes], bytes]) -> None:
    encoding = "gzip" if packed is gzip.compress else "deflate"
    body = packed(said("Bir ") + said("iki.", "stop"))
    with odd_server(lambda: [body], {**STREAM, "content-encoding": encoding}) as connection:
        assert answer(connection) == "Bir iki."


@pytest.mark.parametrize(
    ("pieces", "headers", "status", "words"),
    [
        ([said("Bir "), event({"error": {"message": "CUDA out of memory", "code": 500}})], STREAM,
         200, "CUDA out of memory"),
        ([event({"error": "model 'x' not found"})], STREAM, 200, "model 'x' not found"),
        ([b'{"error": "model requires more system memory (5.6 GiB)"}'], JSON, 500, "5.6 GiB"),
        ([b"upstream timed out"], {"content-type": "text/plain"}, 502, "upstream timed out"),
        ([b"<html><style>b{}</style><p>Bad &amp; <b>busy</b>"], PAGE, 502, "Bad & busy"),
        ([b"<html>\n<title>502 Bad Gateway</title><h1>nginx"], PAGE, 502, "502 Bad Gateway"),
    ],
)  # fmt: skip
def test_the_servers_own_words_are_told(
    pieces: list[bytes], headers: Mapping[str, str], status: int, words: str
) -> None:
    with (
        odd_server(lambda: pieces, headers, status=status) as connection,
        pytest.raises(errors.ServerFailedError) as caught,
    ):
        answer(connection)
    assert words in str(caught.value.values["detail"])
    assert "<" not in str(caught.value.values["detail"])


def test_a_server_that_names_a_time_is_not_waited_for() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=45), usegmt=True)
    headers = {**JSON, "retry-after": later}
    with (
        odd_server(lambda: [b"{}"], headers, status=429) as connection,
        pytest.raises(errors.ModelBusyError) as caught,
    ):
        answer(connection)
    assert 30 < float(caught.value.values["seconds"]) <= 45


@pytest.mark.parametrize("thought", ["<think>Gizli, hiç kapanmıyor", "<think>Gizli.</think>\n"])
def test_an_answer_of_nothing_but_reasoning_is_told_as_that(thought: str) -> None:
    with (
        odd_server(lambda: [said(thought), said("", "length"), DONE]) as connection,
        pytest.raises(errors.OnlyReasoningError),
    ):
        answer(connection)


@pytest.mark.parametrize("kind", [CHAT, MESSAGES])
@pytest.mark.parametrize(
    "listed",
    [
        [{"id": "a"}, {"id": "b"}],
        {"object": "list", "data": [{"id": "a"}, {"id": "b"}]},
        {"models": [{"name": "a"}, {"model": "b", "size": 1}]},
        ["a", "b"],
        [{"id": "a"}, {"id": None}, {"id": "b", "owned_by": 7}],
    ],
)
def test_a_list_of_models_may_have_any_form(listed: object, kind: EndpointKind) -> None:
    with odd_server(lambda: [json.dumps(listed).encode()], JSON, kind=kind) as connection:
        assert [model.id for model in connection.models()] == ["a", "b"]


def bomb(head: bytes = b"") -> Iterator[bytes]:
    """Half a gigabyte of one letter, packed a thousandfold."""
    packing = zlib.compressobj(1, zlib.DEFLATED, 31)
    yield packing.compress(head)
    letters = b"a" * MEGABYTE
    yield from (packing.compress(letters) for _ in range(500))


def memory_mb(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith(name))
    return int(line.split()[1]) // 1_000


EMPTY = event({"choices": []})
ROLE = event(chunk({"role": "assistant"}))
HOSTILE: Mapping[str, tuple[Callable[[], Iterable[bytes]], Mapping[str, str], int]] = {
    "packed list": (lambda: bomb(b'{"data": ["'), {**JSON, "content-encoding": "gzip"}, 200),
    "packed error": (bomb, {**JSON, "content-encoding": "gzip"}, 400),
    "packed line": (lambda: bomb(b"data: "), {**STREAM, "content-encoding": "gzip"}, 200),
    "endless body": (lambda: repeat(b"a" * MEGABYTE, 1_000), JSON, 200),
    "endless line": (lambda: chain([b"data: "], repeat(b"a" * MEGABYTE, 1_000)), STREAM, 200),
    "event of many lines": (lambda: repeat(b"data: a\n" * 100_000, 1_000), STREAM, 200),
    "endless names": (lambda: repeat(b"event: " + b"a" * 999 + b"\n", 10**6), STREAM, 200),
    "endless comments": (lambda: repeat(b": ping\n\n" * 100_000, 1_000), STREAM, 200),
    "endless empty choices": (lambda: repeat(EMPTY * 100, 10**6), STREAM, 200),
    "endless roles": (lambda: repeat(ROLE * 100, 10**6), STREAM, 200),
    "endless spaces": (lambda: repeat(said(" ") * 100, 10**6), STREAM, 200),
    "endless reasoning": (
        lambda: repeat(event(chunk({"reasoning": "düşün " * 2_000})), 10**6), STREAM, 200,
    ),
    "unknown packing": (lambda: [b"x"], {**STREAM, "content-encoding": "br"}, 200),
    "broken packing": (lambda: [b"x"], {**STREAM, "content-encoding": "gzip"}, 200),
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", [CHAT, MESSAGES])
def test_no_server_takes_memory_or_time_without_end(name: str, kind: EndpointKind) -> None:
    pieces, headers, status = HOSTILE[name]
    with odd_server(pieces, headers, status=status, kind=kind, patience_s=0.5) as connection:
        before = memory_mb("VmRSS")
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # Forget the peak so far
        for asked in (answer, Connection.models):
            with suppress(errors.LlmError):
                asked(connection)
        assert memory_mb("VmHWM") - before < ROOM_MB
