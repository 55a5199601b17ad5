"""Hostile pages and servers give a text or a known error within ten seconds."""

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread, Timer

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.domain.language import Language
from desktop.domain.projects import COMMON
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from desktop.research.documents.reader import ReadingLimits
from desktop.research.web.safe_urls import AccessRules
from desktop.research.web.web import PageReader, Web
from desktop.settings.settings import Settings
from tests.archives import archive_in
from tests.hardening.fuzz import mutated
from tests.hardening.tally import Tally
from tests.unit.llm.test_chat_api import ASKING
from tests.web import (
    Served,
    bomb,
    cut_short,
    dripping,
    dripping_head,
    fetcher_for,
    huge,
    packed,
    page,
    redirect,
    silent,
)
from tests.web import Web as LoopbackWeb

_SECONDS = 4.0
_STOPPED_S = 2.0
_ARTICLE = page("Başlık", "Kestane közde pişer, tavada kızarır, fırında kurur.")
_DEEP = 20_000
_KINDS = ("application/pdf", "text/plain; charset=utf-16", "text/html; charset=x", "a" * 900, "")


def _pages(chance: Random, home: LoopbackWeb) -> Sequence[Served]:
    """Return one page of each kind; `home` is an address that no page may reach."""
    spoilt = replace(_ARTICLE, body=mutated(_ARTICLE.body, chance))
    tag = chance.choice((b"<div>", b"<table><tr><td>", b"<svg><g>", b"<ul><li>", b"<b><i>"))
    return (
        spoilt,
        replace(spoilt, kind=chance.choice(_KINDS)),
        replace(_ARTICLE, headers={"Content-Encoding": chance.choice(("gzip", "br", "x" * 99))}),
        replace(_ARTICLE, body=tag * _DEEP + b"Kestane."),
        replace(_ARTICLE, body=b"<a href='" + b"x" * chance.randrange(1 << 20) + b"'>"),
        replace(_ARTICLE, status=chance.choice((103, 204, 206, 304, 401, 418, 451, 503, 999))),
        replace(_ARTICLE, headers={"X": "a" * chance.randrange(1 << 18)}),
        packed(_ARTICLE, times=chance.randint(2, 9)),
        bomb(chance.choice((50, 200))),
        huge(says_so=chance.random() < 0.5),
        dripping(),
        dripping_head(),
        silent(),
        cut_short(),
        redirect("/round"),
        redirect(home.url("/secret")),
        redirect(
            chance.choice(("file:///etc/passwd", "http://[::1", "//", "http://169.254.169.254/"))
        ),
        Served(head_chunks=lambda _: iter([chance.randbytes(chance.randrange(4_000))])),
        Served(head_chunks=lambda _: iter([mutated(_HEAD, chance) + _ARTICLE.body])),
        Served(
            head_chunks=lambda _: iter(
                [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\nab"]
            )
        ),
    )


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 300\r\n\r\n"


def visit_pages(count: int) -> Tally:
    """Each page is fetched, read in the child and stored, as one that a model asked for."""
    tally = Tally("hostile pages")
    with (
        TemporaryDirectory(dir="/dev/shm") as name,
        LoopbackWeb() as loopback,
        LoopbackWeb({"/secret": _ARTICLE}) as home,
    ):
        archive = archive_in(Path(name))
        settings = Settings(uses_web=True)
        fetcher = fetcher_for(
            loopback,
            lambda: replace(AccessRules.of(settings), at_home=loopback.at_home),
            contacts=archive.contacts,
            seconds=_SECONDS,
        )
        reader = PageReader(ReadingLimits(megabytes=768, seconds=_SECONDS, letters=4 << 20))
        stores = (archive.sources, archive.references)
        web = Web(lambda _: settings, COMMON, fetcher, *stores, lambda: Language.TR, reader)
        loopback.put("/round", redirect("/round"))
        for seed in range(count):
            kinds = _pages(Random(f"page{seed}"), home)  # noqa: S311 - repeatable
            address = loopback.put(f"/p{seed}", kinds[seed % len(kinds)])
            tally.attempt(f"page {seed}", partial(web.fetch, address))
        tally.contacts += len(home.asked)
        web.close()
        archive.close()
    return tally


def visit_servers(count: int) -> Tally:
    """Each server is asked as a model's endpoint, and stopped after two seconds."""
    tally = Tally("hostile servers")
    strayed: list[bytes] = []
    with _server(lambda _: iter([b""]), strayed) as elsewhere:
        for seed in range(count):
            _visit_server(seed, elsewhere, tally)
    tally.contacts += len(strayed)
    return tally


def _visit_server(seed: int, elsewhere: str, tally: Tally) -> None:
    chance = Random(f"server{seed}")  # noqa: S311 - repeatable
    kind = (EndpointKind.CHAT, EndpointKind.SERVER)[seed % 2]
    with _server(_answer(seed // 2, chance, elsewhere), []) as url:
        address = url + ("/v1" if kind is EndpointKind.CHAT else "")
        connection = Connection(Endpoint(EndpointId("odd"), "Odd", kind, address), lambda: "k")
        tally.attempt(f"{kind} {seed}", partial(_ask, connection))
        connection.close()


def _ask(connection: Connection) -> None:
    with EndpointModel(connection, "m").stream(ASKING) as stream:
        stopper = Timer(_STOPPED_S, stream.stop)
        stopper.start()
        try:
            for _ in stream:
                pass
            stream.reply()
        finally:
            stopper.cancel()


def _answer(seed: int, chance: Random, elsewhere: str) -> Callable[[Event], Iterator[bytes]]:
    """Return what a server writes until it is closed."""
    stream = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    chunk = b"data: " + json.dumps({"choices": [{"delta": {"content": "a" * 999}}]}).encode()
    moved = f"HTTP/1.1 307 Moved\r\nContent-Length: 0\r\nLocation: {elsewhere}/\r\n\r\n".encode()

    def forever(piece: bytes) -> Callable[[Event], Iterator[bytes]]:
        def pieces(closing: Event) -> Iterator[bytes]:
            yield stream
            while not closing.is_set():
                yield piece

        return pieces

    def dripped(closing: Event) -> Iterator[bytes]:
        yield stream
        while not closing.wait(0.05):
            yield b":\n"

    once = (
        b"",
        moved,
        chance.randbytes(chance.randrange(1, 4_000)),
        mutated(stream, chance) + chunk + b"\n\n",
        stream + b"data: " + b"[" * _DEEP + b"\n\n",
        stream + b"\xff\xfe\x00" * 99 + b"\n\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>Login</h1>",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * (1 << 20),
        b"HTTP/1.1 429 No\r\nRetry-After: 99999999999\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 500 " + b"x" * 9_999 + b"\r\nContent-Length: 0\r\n\r\n",
    )
    endless = (
        dripped,
        forever(chunk + b"\n\n"),
        forever(b"data: " + b"a" * 65_536),
        lambda _: iter(()),
    )
    which = seed % (len(once) + len(endless))
    if which < len(once):
        return lambda _: iter([once[which]])
    return endless[which - len(once)]


@contextmanager
def _server(answer: Callable[[Event], Iterator[bytes]], heard: list[bytes]) -> Iterator[str]:
    """A socket that reads everything and sends these bytes to each client."""
    closing = Event()

    def serve(client: socket.socket) -> None:
        with client:
            try:
                heard.append(client.recv(1 << 20))
                for piece in answer(closing):
                    client.sendall(piece)
            except OSError:  # the client has hung up
                return

    def accept() -> None:
        while not closing.is_set():
            try:
                client, _ = listening.accept()
            except OSError:
                return
            Thread(target=serve, args=(client,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=accept, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            closing.set()
            listening.shutdown(socket.SHUT_RDWR)
