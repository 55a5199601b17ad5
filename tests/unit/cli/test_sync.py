"""`bellek sync`: two computers, which meet in a folder."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.domain.sync import ConflictUnknownError, SyncOffError, SyncPassphraseError
from tests.commands import Done, bellek

PASSPHRASE = "doğru at pil zımba\n"  # noqa: S105 - of a test

On = Callable[[str], None]


@pytest.fixture
def on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> On:
    """Sits down at a computer."""
    (tmp_path / "shared").mkdir()

    def sit_down(name: str) -> None:
        monkeypatch.setenv("BELLEK_DATA_DIR", str(tmp_path / name))

    return sit_down


def sync(*argv: str, lang: str = "en") -> Done:
    return bellek("sync", *argv, "--lang", lang, "--passphrase-stdin", stdin=PASSPHRASE)


def set_up(on: On, tmp_path: Path, *names: str) -> None:
    for name in names:
        on(name)
        assert sync("setup", str(tmp_path / "shared"), "--name", name).code == 0


def names() -> list[str]:
    return [line["name"] for line in bellek("project", "list", "--json").lines]


def conflict(on: On, tmp_path: Path) -> None:
    """Both computers rename the same project."""
    set_up(on, tmp_path, "ofis", "ev")
    on("ofis")
    bellek("project", "create", "Tez")
    sync("now")
    on("ev")
    sync("now")
    bellek("project", "rename", "Tez", "Tez ev")
    sync("now")
    on("ofis")
    bellek("project", "rename", "Tez", "Tez ofis")
    sync("now")


@pytest.mark.parametrize(("choice", "expected"), [("here", ["Tez ofis"]), ("there", ["Tez ev"])])
def test_a_choice_is_listed_settled_and_learned_by_the_other_computer(
    choice: str, expected: list[str], on: On, tmp_path: Path
) -> None:
    conflict(on, tmp_path)
    assert "1 change needs a choice" in sync("status").err
    [listed] = sync("resolve", "--json").lines
    assert (listed["here"], listed["there"]) == ("Tez ofis", "Tez ev")
    assert "Tez ofis | Tez ev" in sync("resolve").out
    done = sync("resolve", str(listed["id"]), choice)
    assert (done.code, done.err) == (0, "Settled. The other devices learn of it.\n")
    assert sync("resolve").err == "Nothing needs a choice.\n"
    assert names() == expected
    sync("now")
    on("ev")
    sync("now")
    assert names() == expected
    assert sync("resolve", "--json").lines == []


def test_a_choice_that_is_not_there_or_not_made_is_refused(on: On, tmp_path: Path) -> None:
    set_up(on, tmp_path, "ofis")
    assert sync("resolve", "7", "here", "--json").json["error"]["key"] == ConflictUnknownError.key
    done = sync("resolve", "7")
    assert (done.code, "here|there|both" in done.err) == (2, True)


def test_the_check_counts_packs_and_ends_with_1_while_the_devices_differ(
    on: On, tmp_path: Path
) -> None:
    set_up(on, tmp_path, "ofis", "ev")
    on("ofis")
    bellek("project", "create", "Tez")
    done = sync("check")
    assert (done.code, "do not have the same yet" in done.err) == (1, True)
    on("ev")
    sync("now")
    on("ofis")
    assert [device["packs"] for device in sync("check", "--json").json["devices"]] == [1, 1]
    done = sync("check")
    assert (done.code, "All devices have the same." in done.err) == (0, True)
    assert "  packs: 1  ev\n" in done.out


def test_what_is_paused_is_said_and_runs_by_hand(on: On, tmp_path: Path) -> None:
    set_up(on, tmp_path, "ofis")
    file = tmp_path / "ofis" / "profiles" / "default" / "sync.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "is_paused": True}))
    assert "It is paused: only “bellek sync now” runs it." in sync("status").err
    assert "Duraklatıldı" in sync("status", lang="tr").err
    assert sync("status", "--json").json["paused"]
    assert sync("now").code == 0


def test_without_a_place_or_a_passphrase_it_is_said(on: On, tmp_path: Path) -> None:
    on("ofis")
    assert bellek("sync", "now", "--json").json["error"]["key"] == SyncOffError.key
    set_up(on, tmp_path, "ofis")
    assert bellek("sync", "now", "--json").json["error"]["key"] == SyncPassphraseError.key


def test_an_empty_place_is_not_the_current_folder(
    on: On, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on("ofis")
    monkeypatch.chdir(tmp_path / "shared")
    assert sync("setup", " ").code == 2
    assert list((tmp_path / "shared").iterdir()) == []


def test_another_passphrase_is_said_without_a_recovery_key_that_there_is_not(
    on: On, tmp_path: Path
) -> None:
    set_up(on, tmp_path, "ofis")
    on("ev")
    done = bellek(
        *("sync", "setup", str(tmp_path / "shared"), "--lang", "en", "--passphrase-stdin"),
        stdin="başka parola\n",
    )
    assert done.code == 1
    assert "recovery key" not in done.err
    assert "synchronisation passphrase" in done.err


def test_a_lost_computer_is_forgotten_by_its_name(on: On, tmp_path: Path) -> None:
    set_up(on, tmp_path, "ofis", "ev")
    on("ofis")
    assert [line["name"] for line in sync("devices", "--json").lines] == ["ev"]
    assert [sync("forget", name).code for name in ("yok", " ")] == [1, 2]
    done = sync("forget", "ev")
    assert done.code == 0
    assert "ev is forgotten" in done.err
    assert sync("devices", "--json").lines == []
