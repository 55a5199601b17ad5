"""Foreign text cannot control a terminal; hits are marked for people."""

import io
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from desktop.app.run import run
from tests.commands import bellek, write_lines

ORDERS = "\x1b]52;c;ZXZpbA==\x07 \x9b2J \u202ereversed\b\r"
HOSTILE = {
    "id": "evil",
    "created_at": "2026-01-05T08:00:00.000Z",
    "title": f"Zebra {ORDERS}",
    "topics": [f"zebra {ORDERS}"],
    "messages": [
        {"role": "user", "content": f"What is a zebra? {ORDERS}"},
        {"role": "assistant", "content": f"A zebra is a striped animal. {ORDERS}"},
        {"role": "user", "content": "Where does the zebra live?"},
        {"role": "assistant", "content": "The zebra lives in Africa."},
    ],
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stock")
    lines = write_lines(folder / "in.jsonl", [HOSTILE])
    assert bellek("--data-dir", str(folder / "bellek"), "import", lines).code == 0
    return folder / "bellek"


@pytest.fixture
def hostile(tmp_path: Path, stock: Path) -> None:
    shutil.copytree(stock, tmp_path / "bellek", dirs_exist_ok=True)


def in_terminal(*argv: str) -> str:
    with redirect_stdout(Terminal()) as out:
        assert run(["--lang", "en", *argv]) == 0
    return out.getvalue()


def orders_in(text: str) -> set[str]:
    return {one for one in text if one in "\x1b\x07\x9b\u202e\b\r"}


@pytest.mark.parametrize(
    "line",
    [
        "sessions list",
        "sessions show evil",
        "search zebra",
        "ask zebra",
        "stats",
        "sessions list --json",
        "sessions show evil --json",
        "search zebra --json",
    ],
)
def test_no_command_prints_control_characters(hostile: None, line: str) -> None:
    done = bellek(*line.split())
    assert done.code == 0
    assert orders_in(done.out + done.err) == set()


@pytest.mark.parametrize("form", ["jsonl", "md"])
def test_an_export_is_cleaned_for_a_terminal_and_whole_in_a_file(
    hostile: None, tmp_path: Path, form: str
) -> None:
    assert orders_in(in_terminal("export", "--format", form)) == set()
    assert bellek("export", "--format", form, "-o", str(tmp_path / "out")).code == 0
    written = (tmp_path / "out").read_bytes().decode()
    assert "\x1b" in written or "\\u001b" in written
    assert bellek("export", "--format", form).out == written


def test_hits_are_bold_in_a_terminal_alone(hostile: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "The \x1b[1mzebra\x1b[0m lives in \x1b[1mAfrica\x1b[0m." in in_terminal(
        "search", "zebra Africa"
    )
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in in_terminal("search", "zebra Africa")
    monkeypatch.delenv("NO_COLOR")
    assert "The zebra lives in Africa." in bellek("search", "zebra Africa").out


def test_a_title_is_once_above_the_hits_of_its_session(hostile: None) -> None:
    found = bellek("search", "zebra", "--kind", "message").out
    assert found.count("(evil)") == 1
    assert found.count("2026-01-05") > 1


@pytest.mark.parametrize("argv", [["mart 1999"], ["--since", "mart 1999", "--until", "mart 1999"]])
def test_days_without_a_session_are_named(hostile: None, argv: list[str]) -> None:
    done = bellek("--lang", "tr", "search", *argv)
    assert (done.code, done.out) == (0, "")
    assert "Bu günlerde oturum yok: 1 Mart 1999 – 31 Mart 1999." in done.err
