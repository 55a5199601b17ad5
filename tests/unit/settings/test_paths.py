"""The places of settings, profiles and the program's own files."""

import stat
import sys
from pathlib import Path

import pytest

from desktop.domain.errors import ProfileNameError
from desktop.settings.paths import Paths, make_private_folder
from tests.examples import examples

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="XDG folders")


def test_all_data_is_in_the_folder_that_the_user_chose(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path)
    assert paths.settings_file == tmp_path / "settings.toml"
    assert paths.profile().database == tmp_path / "profiles" / "default" / "bellek.db"
    assert paths.profile("iş").logs == tmp_path / "profiles" / "iş" / "logs"


def test_a_relative_data_folder_stays_the_same_after_a_change_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Paths.under(Path("here")).data == tmp_path / "here"


def test_the_environment_names_the_folder(tmp_path: Path) -> None:
    environ = {"BELLEK_DATA_DIR": str(tmp_path)}
    assert Paths.of_system(environ) == Paths.under(tmp_path)
    assert Paths.of_system({"BELLEK_DATA_DIR": ""}) == Paths.of_system({})


@on_linux
def test_the_systems_folders_are_used(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "c"), "XDG_DATA_HOME": str(tmp_path / "d")}
    paths = Paths.of_system(environ)
    assert paths == Paths(tmp_path / "c" / "bellek", tmp_path / "d" / "bellek")


@on_linux
@pytest.mark.parametrize("unusable", ["", "relative/folder"])
def test_an_unusable_system_folder_falls_back_to_the_usual_one(unusable: str) -> None:
    paths = Paths.of_system({"XDG_CONFIG_HOME": unusable, "XDG_DATA_HOME": unusable})
    assert paths.config == Path.home() / ".config" / "bellek"
    assert paths.data == Path.home() / ".local" / "share" / "bellek"


@pytest.mark.parametrize(
    "name",
    examples(__file__, "a_name_that_cannot_be_a_folder_is_refused"),
)
def test_a_name_that_cannot_be_a_folder_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileNameError):
        Paths.under(tmp_path).profile(name)


@pytest.mark.parametrize("name", ["a", "Ayşe", "iş-2", "v1.2", "Console"])
def test_an_ordinary_name_is_taken(name: str, tmp_path: Path) -> None:
    assert Paths.under(tmp_path).profile(name).folder.name == name


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_new_folders_are_for_the_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    make_private_folder(folder)
    make_private_folder(folder)
    assert [stat.S_IMODE(made.stat().st_mode) for made in (folder, folder.parent)] == [0o700] * 2
