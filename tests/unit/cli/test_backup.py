"""`bellek backup` and `bellek restore`, as a user runs them."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.profile import ProfileLock
from tests.commands import bellek, bellek_process, write_lines
from tests.unit.cli.test_commands import BREAD, DAWN, make_newer

EN, TR = ("--lang", "en"), ("--lang", "tr")


@pytest.fixture
def profile(tmp_path: Path) -> ProfilePaths:
    """A profile with one session."""
    assert bellek("import", write_lines(tmp_path / "dawn.jsonl", [DAWN])).code == 0
    return Paths.under(tmp_path / "bellek").profile()


@pytest.fixture
def window(profile: ProfilePaths) -> Iterator[None]:
    lock = ProfileLock(profile.lock)
    lock.acquire()
    yield
    lock.release()


def sessions() -> set[str]:
    return {one["id"] for one in bellek("sessions", "list", "--json").lines}


def test_restoring_a_backup_keeps_a_copy_of_the_newer_archive(
    profile: ProfilePaths, tmp_path: Path
) -> None:
    copy = str(tmp_path / "copy.db")
    done = bellek("backup", copy, "--json")
    size = Path(copy).stat().st_size
    assert done.json == {"path": copy, "sessions": 1, "messages": 2, "bytes": size}
    bellek("import", write_lines(tmp_path / "bread.jsonl", [BREAD]))
    bellek("sessions", "delete", "dawn")
    restored = bellek("restore", copy, "--json").json
    assert sessions() == {"dawn"}
    assert bellek("search", "sabaha", "--json").lines
    assert (restored["sessions"], restored["messages"]) == (1, 2)
    assert restored["path"] == str(profile.database)
    kept = Path(restored["kept"])
    assert kept.parent == profile.backups
    bellek("restore", str(kept))
    assert sessions() == {"bread"}


def test_the_place_and_contents_of_the_copy_are_printed(
    profile: ProfilePaths, tmp_path: Path
) -> None:
    copy = str(tmp_path / "copy.db")
    done = bellek(*TR, "backup", copy)
    assert (done.code, done.out) == (0, f"{copy}\n")
    assert re.search(r"1 oturum, 2 mesaj, \d+,\d MB", done.err)
    restored = bellek(*EN, "restore", copy)
    assert (restored.code, restored.out) == (0, "")
    assert "Sessions: 1. Messages: 2." in restored.err
    assert str(profile.backups) in restored.err


def test_in_a_folder_the_copy_gets_a_name_of_the_profile_and_the_day(
    profile: ProfilePaths, tmp_path: Path
) -> None:
    folder = tmp_path / "usb"
    folder.mkdir()
    names = [Path(bellek("backup", str(folder)).out.strip()).name for _ in range(2)]
    assert len({*names}) == 2
    assert {*names} == {file.name for file in folder.iterdir()}
    assert all(re.fullmatch(r"bellek-default-\d{8}-\d{6}(-1)?\.db", name) for name in names)


def test_an_existing_file_is_not_overwritten(profile: ProfilePaths, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("dur")
    done = bellek(*EN, "backup", str(there))
    assert (done.code, done.out) == (1, "")
    assert "already exists" in done.err
    assert there.read_text() == "dur"
    assert list(tmp_path.glob("there*")) == [there]


def test_a_folder_that_is_meant_and_is_missing_is_not_taken_for_a_name(
    profile: ProfilePaths, tmp_path: Path
) -> None:
    done = bellek(*TR, "backup", f"{tmp_path / 'usb'}/")
    assert done.code == 1
    assert "böyle bir dosya ya da klasör yok" in done.err


def test_beside_a_window_there_is_a_backup_and_no_restoring(
    profile: ProfilePaths, window: None, tmp_path: Path
) -> None:
    copy = str(tmp_path / "copy.db")
    assert bellek("backup", copy, "--json").json["sessions"] == 1
    before = profile.database.read_bytes()
    done = bellek(*EN, "restore", copy)
    assert (done.code, done.out) == (1, "")
    assert "open in a Bellek window" in done.err
    assert profile.database.read_bytes() == before


def test_a_file_that_is_no_archive_is_refused_with_an_explanation(
    profile: ProfilePaths, tmp_path: Path
) -> None:
    text = tmp_path / "not.db"
    text.write_text("bir mektup")
    done = bellek(*TR, "restore", str(text))
    assert (done.code, done.out) == (1, "")
    assert "bir Bellek yedeği değil" in done.err
    missing = bellek(*TR, "restore", str(tmp_path / "none.db"))
    assert missing.code == 1
    assert "böyle bir dosya ya da klasör yok" in missing.err
    newer = tmp_path / "newer.db"
    bellek("backup", str(newer))
    make_newer(newer)
    done = bellek(*EN, "restore", str(newer))
    assert (done.code, "newer version of Bellek" in done.err) == (1, True)
    assert sessions() == {"dawn"}


def test_no_key_is_in_a_backup(profile: ProfilePaths, tmp_path: Path) -> None:
    key = "sk-ant-cokgizlianahtar"
    copy = tmp_path / "copy.db"
    done = bellek_process("backup", str(copy), environ={"ANTHROPIC_API_KEY": key})
    assert done.code == 0
    assert key.encode() not in copy.read_bytes()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (EN, "Deleted items may still be in 1 backup: "),
        (TR, "Silinenler 1 yedekte hâlâ duruyor olabilir: "),
    ],
)
def test_a_deletion_warns_of_backups_that_may_still_contain_it(
    profile: ProfilePaths, language: tuple[str, str], said: str
) -> None:
    profile.backups.mkdir()
    assert said not in bellek("memory", "add", "Kestaneyi severim", *language).err
    assert bellek("backup", str(profile.backups)).code == 0
    (fact,) = bellek("memory", "list", "--json").lines
    told = f"{said}{profile.backups}"
    assert told in bellek("memory", "forget", str(fact["id"]), *language).err
    assert told in bellek("sessions", "delete", "dawn", *language).err
    for one in profile.backups.iterdir():
        os.utime(one, (0, 0))
    assert bellek("memory", "add", "Cevizi severim").code == 0
    (newer,) = bellek("memory", "list", "--json").lines
    assert said not in bellek("memory", "forget", str(newer["id"]), *language).err
