"""Vectors of an endpoint over a real socket, and each way in which they can be wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import nan
from threading import Thread

import numpy as np
import pytest

from desktop.domain import errors
from desktop.domain.endpoints import EndpointKind
from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.search import (
    EmbeddingFailedError,
    EmbeddingsMissingError,
    PassageTooLongError,
    VectorBrokenError,
    VectorCountError,
    VectorLengthError,
)
from desktop.llm.connection import Connection
from desktop.llm.embeddings import EndpointVectors
from desktop.settings.messages import Texts
from tests.embedding_server import MODEL, EmbeddingServer, listed

WORDS = "the words of the archive"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture(params=[EndpointKind.SERVER, EndpointKind.CHAT])
def vectors(server: EmbeddingServer, request: pytest.FixtureRequest) -> Iterator[EndpointVectors]:
    connection = Connection(server.endpoint(request.param))
    yield EndpointVectors(connection, MODEL)
    connection.close()


def cause_of(vectors: EndpointVectors, *texts: str) -> BaseException | None:
    with pytest.raises(EmbeddingFailedError) as caught:
        vectors.embed(texts or [WORDS, "other"])
    cause = caught.value.__cause__
    assert isinstance(cause, errors.AppError)
    for language in Language:
        sentence = Texts(language).error(cause)
        assert sentence != Texts(language).say("errors.unknown")
        assert WORDS not in sentence
    return cause


def test_passages_come_before_queries_and_in_their_order(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    texts = [f"text {number}" for number in range(40)]
    made = vectors.embed(texts, ["question"])
    expected = np.asarray([server.vector(text) for text in [*texts, "question"]], np.float32)
    assert np.allclose(made, expected)
    assert {body["model"] for body in server.bodies} == {MODEL}
    assert max(len(body["input"]) for body in server.bodies) == 16


def test_vectors_that_come_in_another_order_are_put_in_order(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    def turned(texts: Sequence[str]) -> tuple[int, JsonValue]:
        data = [{"index": place, "embedding": [1.0, float(place)]} for place in range(len(texts))]
        return 200, {"data": data[::-1]}  # type: ignore[dict-item]  # JSON

    server.answer = turned
    assert vectors.embed(["a", "b", "c"])[:, 1].tolist() == [0, 1, 2]


def test_a_known_model_gets_its_own_prefixes(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    replace(vectors, model="nomic-embed-text:v1.5").embed(["passage"], ["question"])
    assert server.texts == ["search_document: passage", "search_query: question"]


def test_an_endpoint_without_embeddings_says_so(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    server.answer = lambda _: (404, {"error": {"message": "not found"}})
    assert isinstance(cause_of(vectors), EmbeddingsMissingError)


def test_a_model_that_the_endpoint_does_not_have_is_named(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    server.answer = lambda _: (404, {"error": {"message": "model not found, try pulling it"}})
    cause = cause_of(vectors)
    assert isinstance(cause, errors.ModelUnknownError)
    assert cause.values["model"] == MODEL


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (listed([[1.0, 2.0]]), VectorCountError),
        (listed([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]), VectorCountError),
        ({"data": [{"index": 1, "embedding": [1.0]}] * 2}, VectorCountError),
        (listed([[1.0, 2.0], [1.0]]), VectorLengthError),
        (listed([[1.0] * 9_000] * 2), VectorLengthError),
        (listed([[1.0, nan], [1.0, 2.0]]), VectorBrokenError),
        (listed([[1.0, None], [1.0, 2.0]]), VectorBrokenError),
        (listed([[0.0, 0.0], [1.0, 2.0]]), VectorBrokenError),
        (listed([[], []]), VectorBrokenError),
        (listed(["AACAPw==", "AACAPw=="]), VectorBrokenError),
        ({"data": None}, errors.AnswerUnreadableError),
        (["nothing"], errors.AnswerUnreadableError),
    ],
)
def test_what_is_no_vector_for_each_text_is_refused(
    server: EmbeddingServer,
    vectors: EndpointVectors,
    answer: JsonValue,
    error: type[errors.AppError],
) -> None:
    server.answer = lambda _: (200, answer)
    assert type(cause_of(vectors)) is error


def test_a_text_that_is_too_long_is_cut_and_the_others_stay_whole(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    def limited(texts: Sequence[str]) -> tuple[int, JsonValue]:
        if max(map(len, texts)) > 300:
            words = "input (3001 tokens) is too large to process. increase the batch size"
            return 500, {"error": {"message": words, "type": "server_error"}}
        return 200, listed([[1.0, float(len(text))] for text in texts])

    server.answer = limited
    assert vectors.embed(["short", "x" * 1_000])[:, 1].tolist() == [5, 250]


def test_a_model_that_finds_every_text_too_long_is_not_asked_for_ever(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    words = "This model's maximum context length is 1 token"
    server.answer = lambda _: (400, {"error": {"message": words}})
    assert isinstance(cause_of(vectors), PassageTooLongError)
    assert len(server.bodies) < 20


def test_a_server_that_is_too_slow_counts_as_away(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    server.may_answer.clear()
    assert isinstance(cause_of(replace(vectors, timeout_s=0.2)), errors.ConnectionLostError)


def test_a_server_that_fails_is_quoted_without_the_texts(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    server.answer = lambda texts: (500, {"error": {"message": f"cannot embed {texts[0]}"}})
    assert isinstance(cause_of(vectors), errors.ServerFailedError)


def test_vectors_wait_until_an_answer_has_left_the_endpoint(
    server: EmbeddingServer, vectors: EndpointVectors
) -> None:
    connection = vectors._connection
    with connection.slots.held(connection.endpoint):
        background = Thread(target=vectors.embed, args=(["text"],))
        background.start()
        background.join(0.3)
        assert server.bodies == []
    background.join()
    assert len(server.bodies) == 1
