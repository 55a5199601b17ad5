"""Mutated files and streams, the same for each seed: imports, documents, settings, answers.

And documents of a million small things, which must not take longer than their size tells.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import tomli_w

from desktop.domain.endpoints import EndpointKind
from desktop.domain.errors import DocumentError
from desktop.references.formats import FORMATS, read_references, write_references
from desktop.research.documents.reader import DocumentReader
from desktop.research.documents.reader_worker import read_document
from desktop.sessions.importing.format_detection import read_file
from desktop.settings.paths import Paths, asset
from desktop.settings.settings import Settings
from desktop.settings.settings_schema import written_into
from desktop.settings.store import SettingsStore
from tests.bibliographies import bibliography
from tests.documents.pdfs import Page, Pdf, pdf_of
from tests.hardening.tally import Tally
from tests.unit.llm.test_chat_api import WHOLE_CHAT, WHOLE_MESSAGES, answering
from tests.unit.llm.test_chat_api import mutated as mutated_value
from tests.unit.llm.test_chat_api import read as read_answer

SEEDS = Path(__file__).parent / "seeds"
_SPLICES = (b"\0", b"\xff\xfe", b"\xed\xa0\xbd", b"[" * 2000, b"{" * 2000, b'"' * 500, b"9" * 400)
_PIECES = (
    *(("md", one) for one in ("a\n\n", "# a\n", "a\n=\n", "*a **b ", "[a](", "> ", "- a\n", "|a")),
    *(("md", one) for one in ("a", "a ", "```\n", "[a]: b\n", "<a>\n", "---\n", "# [", "\\(")),
    *(("html", one) for one in ("<p>a", "<td>a", "<h1>a</h1>", "<math><mi>a</mi></math>", "<a ")),
    *(
        ("txt", one)
        for one in ("a\n\n", "\n", " ", "data:a/b;c,", "\N{LATIN SMALL LETTER S WITH CEDILLA}")
    ),
)
_VOLUME = 2 << 20
_MANY_PAGES = 20_000
_MOST = 6
_SPOILT = 0.3


def mutated(whole: bytes, chance: Random) -> bytes:
    """Return the bytes with one to six pieces changed, removed, doubled or inserted."""
    made = bytearray(whole)
    for _ in range(chance.randint(1, _MOST)):
        at = chance.randrange(len(made) + 1)
        end = min(len(made), at + chance.choice((1, 1, 3, 20, 300)))
        match chance.randrange(5):
            case 0:
                made[at:end] = chance.randbytes(end - at)
            case 1:
                del made[at:end]
            case 2:
                made[at:at] = made[at:end] * chance.choice((1, 2, 50))
            case 3:
                made[at:at] = chance.choice(_SPLICES)
            case _:
                half = slice(at, None) if at > len(made) // 2 else slice(at)
                del made[half]
    return bytes(made)


def imports() -> Sequence[tuple[str, bytes]]:
    """Return a small file of each supported format."""
    sample = asset("resources", "examples", "library.jsonl").read_bytes()
    lines = sample.splitlines(keepends=True)
    chatgpt = [
        {
            "id": "c1",
            "title": "A",
            "create_time": 1_700_000_000.5,
            "current_node": "n2",
            "mapping": {
                "n1": {
                    "id": "n1",
                    "parent": None,
                    "children": ["n2"],
                    "message": {
                        "author": {"role": "user"},
                        "create_time": 1_700_000_000,
                        "content": {"content_type": "text", "parts": ["Nedir?"]},
                    },
                },
                "n2": {
                    "id": "n2",
                    "parent": "n1",
                    "children": [],
                    "message": {
                        "author": {"role": "assistant"},
                        "content": {"content_type": "text", "parts": ["Bir.", "İki."]},
                    },
                },
            },
        }
    ]
    claude = [
        {
            "uuid": "u1",
            "name": "B",
            "created_at": "2026-01-01T00:00:00Z",
            "chat_messages": [
                {
                    "uuid": "m1",
                    "sender": "human",
                    "created_at": "2026-01-01T00:00:00Z",
                    "text": "Nedir?",
                    "content": [{"type": "text", "text": "Nedir?"}],
                    "attachments": [{"file_name": "a.txt", "extracted_content": "b"}],
                },
                {
                    "uuid": "m2",
                    "sender": "assistant",
                    "text": "Bir.",
                    "content": [
                        {"type": "text", "text": "Bir."},
                        {
                            "type": "tool_use",
                            "name": "artifacts",
                            "input": {"id": "a", "command": "create", "content": "x = 1"},
                        },
                    ],
                },
            ],
        }
    ]
    markdown = "# Oturum\n\n**Sen:** Nedir?\n\n**Bellek:** Bir şey.\n".encode()
    return (
        ("a.jsonl", b"".join(lines[:2])),
        ("conversations.json", json.dumps(chatgpt).encode()),
        ("conversations.json", json.dumps(claude).encode()),
        ("a.md", markdown),
    )


def documents() -> Sequence[tuple[str, bytes]]:
    words = "<h1>Başlık</h1><p>Kestane &amp; köz.</p><table><tr><td>1</td></tr></table>"
    page = f"<html><head><title>A</title></head><body><article>{words * 9}</article></body></html>"
    return (
        ("a.pdf", pdf_of("Kestane közde pişer.")),
        ("a.docx", _word()),
        ("a.html", page.encode()),
        ("a.md", b"# A\n\nBir.\n\n- iki\n\n```\nx\n```\n"),
        ("a.txt", "Düz yazı.\n\nİkinci paragraf.".encode("utf-16")),
    )


def _word() -> bytes:
    from docx import Document  # noqa: PLC0415 - slow to import, and only here

    document, made = Document(), BytesIO()
    document.add_heading("Başlık")
    document.add_paragraph("Kestane közde pişer.")
    document.save(made)
    return made.getvalue()


def fuzz_files(
    part: str, files: Sequence[tuple[str, bytes]], read: Callable[[Path], object], count: int
) -> Tally:
    tally = Tally(part)
    with TemporaryDirectory(dir="/dev/shm") as folder:
        for seed in range(count):
            name, whole = files[seed % len(files)]
            path = Path(folder) / name
            path.write_bytes(mutated(whole, Random(f"{part}{seed}")))  # noqa: S311 - repeatable
            tally.attempt(f"{name} {seed}", partial(read, path))
        for kept in sorted(SEEDS.glob(f"{part.rsplit(maxsplit=1)[-1]}-*")):
            tally.attempt(kept.name, partial(read, kept))
    return tally


def fuzz_imports(count: int) -> Tally:
    return fuzz_files("mutated imports", imports(), lambda path: list(read_file(path)), count)


def fuzz_documents(count: int) -> Tally:
    return fuzz_files("mutated documents", documents(), _read_document, count)


def fuzz_references(count: int) -> Tally:
    """Files of references, read as the child does and written in every format."""
    read = read_references("a.bib", bibliography(6).encode())
    files = [(f"a{form.suffix}", write_references(read, form).encode()) for form in FORMATS]
    return fuzz_files("mutated references", files, _read_references, count)


def _read_references(path: Path) -> None:
    with suppress(DocumentError):
        references = read_references(path.name, path.read_bytes())
        for form in FORMATS:
            write_references(references, form)


def read_volumes(count: int) -> Tally:
    """Read documents of very many small things."""
    tally = Tally("volumes of small things")
    with TemporaryDirectory(dir="/dev/shm") as folder, DocumentReader() as reader:
        for ending, piece in [*_PIECES, ("pdf", "")][:count]:
            path = Path(folder) / f"a.{ending}"
            path.write_bytes(
                Pdf([Page(["a"])] * _MANY_PAGES).written()
                if ending == "pdf"
                else piece.encode() * (_VOLUME // len(piece))
            )
            tally.attempt(f"{ending} {piece!r}", partial(reader.read, path))
    return tally


def _read_document(path: Path) -> None:
    """Read as the child does, which translates these errors."""
    with suppress(DocumentError, OSError, RecursionError), path.open("rb") as file:
        for _ in read_document(path, file):
            pass


def fuzz_settings(count: int) -> Tally:
    """Unreadable settings are set aside, and the defaults apply."""
    tally = Tally("mutated settings")
    whole = tomli_w.dumps(written_into({}, Settings(variables={"a": "b"}))).encode()
    with TemporaryDirectory(dir="/dev/shm") as folder:
        paths = Paths.under(Path(folder))
        paths.settings_file.parent.mkdir(parents=True, exist_ok=True)
        for seed in range(count):
            for left in paths.config.glob("settings.toml*"):
                left.unlink()
            spoilt = mutated(whole, Random(f"settings{seed}"))  # noqa: S311 - repeatable
            paths.settings_file.write_bytes(spoilt)
            tally.attempt(f"settings {seed}", SettingsStore(paths).load)
            kept = [one.read_bytes() for one in paths.config.glob("settings.toml*")]
            tally.lost += not kept
    return tally


def fuzz_streams(count: int) -> Tally:
    """Streams of both protocols through the SDKs and a socket give an answer or a known error."""
    tally = Tally("mutated streams")
    for seed in range(count):
        kind = (EndpointKind.CHAT, EndpointKind.SERVER)[seed % 2]
        dice = Random(f"streams{seed}")  # noqa: S311 - repeatable
        whole = WHOLE_CHAT if kind is EndpointKind.CHAT else WHOLE_MESSAGES
        events = [mutated_value(dice, one) if dice.random() < _SPOILT else one for one in whole]
        if dice.random() < _SPOILT:
            dice.shuffle(events)
        with answering(*events, kind=kind) as model:
            tally.attempt(f"{kind} {seed}", partial(read_answer, model))
    return tally
