"""`bellek ask --file`: a picture or a document is sent with the question."""

from base64 import b64decode
from pathlib import Path
from typing import Any

from tests.commands import bellek
from tests.fakes import Says, ScriptedServer
from tests.models import connect
from tests.pictures import SVG, png


def test_a_picture_goes_with_the_question(tmp_path: Path) -> None:
    (path := tmp_path / "kedi.png").write_bytes(png())
    with ScriptedServer(default=Says("Bir kare.")) as server:
        connect(tmp_path / "bellek", server, "images")
        assert bellek("ask", "Bu ne?", "--file", str(path)).code == 0
        blocks: Any = server.asked[0].messages[-1]["content"]
    assert b64decode(blocks[0]["source"]["data"]) == png()


def test_a_file_that_cannot_be_attached_gives_its_reason_and_no_model_is_asked(
    tmp_path: Path,
) -> None:
    (path := tmp_path / "a.svg").write_bytes(SVG)
    done = bellek("ask", "Bu ne?", "--file", str(path), "--lang", "en")
    assert done.code == 1
    assert "This type of file cannot be attached to a message." in done.err
    assert not bellek("sessions", "list", "--json").lines
