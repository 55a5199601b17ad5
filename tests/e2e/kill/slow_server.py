"""A model server that answers slowly and records when each piece of an answer was sent."""

import json
from collections import UserList
from collections.abc import Iterator
from threading import Event
from time import monotonic
from typing import Self

from desktop.domain.language import Language
from desktop.sessions.conversation.assistant_context import read_instructions
from tests.fakes import Chunk, Request, Says, ScriptedServer

_QUICK, _SLOW = 400.0, 40.0
_FEW, _MANY = 6, 90
_DESCRIPTION = {
    "title": "Gelgitin nedenleri",
    "summary": "Gelgitin nedenleri tek tek soruldu ve yanıtlandı.",
    "topics": ["gelgit", "ay", "deniz"],
    "facts": [],
}


class Answer(UserList[Chunk]):
    """The pieces of one answer; `sent_at` grows as they are sent."""

    def __init__(self, question: str, pieces: list[str]) -> None:
        super().__init__(pieces)
        self.question = question
        self.pieces = pieces
        self.sent_at: list[float] = []

    def __iter__(self) -> Iterator[Chunk]:
        for piece in self.pieces:
            yield piece
            # The server asks for the next piece when this one has left.
            self.sent_at.append(monotonic())

    @property
    def whole(self) -> str:
        return "".join(self.pieces)

    @property
    def has_left(self) -> bool:
        return len(self.sent_at) == len(self.pieces)


class Play:
    """One server; `answers` and `descriptions` are the requests, in order."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.descriptions: list[Answer] = []
        self.is_slow = False
        self.asked = Event()
        """Set by every question; whoever waits for the next one clears it first."""
        self._instructions = tuple(read_instructions(one, "describe") for one in Language)
        self.server = ScriptedServer(default=self._step)

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def questions(self) -> list[Request]:
        """The requests for an answer; those for descriptions are left out."""
        return [
            one for one in list(self.server.asked) if one.messages and not self._describes(one)
        ]

    @property
    def last_answer(self) -> Answer | None:
        return self.answers[-1] if self.answers else None

    def _describes(self, request: Request) -> bool:
        """Whether the request is for a description."""
        return request.system.startswith(self._instructions)

    def _step(self, request: Request) -> Says:
        if not request.messages:  # the kill fell between its head and its body
            return Says()
        rate = _SLOW if self.is_slow else _QUICK
        if self._describes(request):
            words = json.dumps(_DESCRIPTION, ensure_ascii=False).split(" ")
            answer = Answer("", [f"{word} " for word in words])
            self.descriptions.append(answer)
        else:
            count = _MANY if self.is_slow else _FEW
            mark = len(self.answers) + 1
            pieces = [f"Gelgit için {mark}. yanıtın {n}. sözü. " for n in range(1, count + 1)]
            answer = Answer(said_in(request)[-1][1], pieces)
            self.answers.append(answer)
            self.asked.set()
        return Says(chunks=answer, tokens_per_second=rate)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()


def said_in(request: Request) -> list[tuple[str, str]]:
    """Role and text of every message, block by block, without the changing block at the end."""
    blocks = [
        (message["role"], block["text"])
        for message in request.messages
        for block in message["content"]
    ]
    return blocks[:-1]
