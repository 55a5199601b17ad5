"""An endpoint's own embedding model, over `/v1/embeddings`, which both kinds of servers have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from desktop.domain import errors
from desktop.domain.endpoints import Endpoint, is_on_this_computer
from desktop.domain.search import (
    EmbeddingFailedError,
    EmbeddingsMissingError,
    PassageTooLongError,
    VectorBrokenError,
    VectorCountError,
    VectorLengthError,
)
from desktop.domain.usage import Usage
from desktop.llm.wire import count_of, fields_of, items_of, side_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.domain.json_values import JsonValue
    from desktop.domain.search import Vectors
    from desktop.llm.connection import Connection

_AT_ONCE = 16  # Texts of a request: the more, the longer an answer waits for it
_TIMEOUT_S = 120.0
_SHORTEST = 64  # Characters: a text that is refused is halved down to about this
_MOST_NUMBERS = 8_192  # That are compared
_RETRIEVAL = "Represent this sentence for searching relevant passages: "
_TASK = "Given a web search query, retrieve relevant passages that answer the query"
_PREFIXES = (
    (r"nomic-embed", "search_document: ", "search_query: "),
    (r"\be5-(small|base|large)", "passage: ", "query: "),
    (r"\bbge-(small|base|large)-en|mxbai-embed", "", _RETRIEVAL),
    (
        r"qwen3-embedding",
        "",
        f"Instruct: {_TASK}\nQuery: ",
    ),
    (r"embeddinggemma", "title: none | text: ", "task: search result | query: "),
)
"""What a passage and a query begin with, by the model's name, as the models' cards say."""


@dataclass(frozen=True, slots=True)
class EndpointVectors:
    """Implements domain.search.VectorSource. Requests wait in line behind answers."""

    _connection: Connection
    model: str
    check: Callable[[Endpoint], None] = lambda _: None
    """Called before each request; raises an LlmError if the endpoint may not be asked."""
    note: Callable[[str, Usage], None] = lambda *_: None
    """Called after each request with the model and what the endpoint counted."""
    timeout_s: float = _TIMEOUT_S

    @property
    def name(self) -> str:
        return f"{self._connection.endpoint.id}/{self.model}"

    @property
    def leaves_computer(self) -> bool:
        return not is_on_this_computer(self._connection.endpoint)

    def embed(self, passages: Sequence[str], queries: Sequence[str] = ()) -> Vectors:
        """Return a row for each passage, then one for each query.

        Raises EmbeddingFailedError, whose cause is an LlmError that says why.
        """
        import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

        before = next(
            (found[1:] for found in _PREFIXES if re.search(found[0], self.model.lower())),
            ("", ""),
        )
        texts = [f"{before[0]}{text}" for text in passages]
        texts += [f"{before[1]}{text}" for text in queries]
        rows: list[list[float]] = []
        try:
            for start in range(0, len(texts), _AT_ONCE):
                rows += self._fitting(texts[start : start + _AT_ONCE])
            self._check_lengths(rows)
        except errors.LlmError as exc:
            raise EmbeddingFailedError from exc
        return np.asarray(rows, np.float32)

    def _fitting(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors; of a text that is too long for the model, that of its beginning."""
        try:
            return self._ask(texts)
        except errors.ContextTooLongError as exc:
            if len(texts) > 1:
                return [row for text in texts for row in self._fitting([text])]
            if len(texts[0]) < 2 * _SHORTEST:
                raise PassageTooLongError(where=self._where) from exc
            return self._fitting([texts[0][: len(texts[0]) // 2]])

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        connection, endpoint = self._connection, self._connection.endpoint
        self.check(endpoint)
        body: dict[str, JsonValue] = {
            "model": self.model,
            "input": [text or " " for text in texts],
            "encoding_format": "float",
        }
        try:
            with connection.slots.held(endpoint), connection.errors(self.model, texts=texts):
                answer = connection.api().embeddings(body, self.timeout_s)
                items = list(map(fields_of, items_of(answer.get("data"))))
        except errors.ProtocolMismatchError as exc:
            raise EmbeddingsMissingError(where=self._where) from exc
        self.note(self.model, _usage(answer))
        if len(items) != len(texts):
            raise VectorCountError(where=self._where, expected=len(texts), received=len(items))
        places = [item.get("index", place) for place, item in enumerate(items)]
        if sorted(map(str, places)) != sorted(map(str, range(len(texts)))):
            raise VectorCountError(
                where=self._where, expected=len(texts), received=len(set(map(str, places)))
            )
        in_order = sorted(zip(places, items, strict=True), key=lambda pair: int(str(pair[0])))
        return [self._numbers(item.get("embedding")) for _, item in in_order]

    @property
    def _where(self) -> str:
        return self._connection.endpoint.name

    def _numbers(self, value: JsonValue) -> list[float]:
        numbers = value if isinstance(value, list) else []
        vector = [float(number) for number in numbers if isinstance(number, int | float)]
        if len(vector) != len(numbers) or not all(map(isfinite, vector)) or not any(vector):
            raise VectorBrokenError(where=self._where)
        return vector

    def _check_lengths(self, rows: Sequence[Sequence[float]]) -> None:
        lengths = [len(row) for row in rows]
        for length in lengths:
            if length != lengths[0] or length > _MOST_NUMBERS:
                expected = min(lengths[0], _MOST_NUMBERS)
                raise VectorLengthError(where=self._where, expected=expected, received=length)


def _usage(answer: Mapping[str, JsonValue]) -> Usage:
    return Usage(input_tokens=count_of(side_fields(answer.get("usage")), "prompt_tokens") or 0)
