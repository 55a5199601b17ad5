"""`bellek profile`: several people on one computer, each with their own data."""

from pathlib import Path

from desktop.domain.endpoints import EndpointId
from desktop.settings.keys import KeyringKeys
from desktop.settings.paths import Paths
from desktop.settings.profile import ProfileLock
from desktop.settings.profiles import Profiles
from tests.commands import Done, bellek
from tests.unit.settings.test_encryption import _Ring


def run(folder: Path, *words: str, stdin: str = "") -> Done:
    return bellek("--data-dir", str(folder), "--lang", "en", *words, stdin=stdin)


def test_profiles_are_made_renamed_and_keep_their_data_apart(tmp_path: Path) -> None:
    assert run(tmp_path, "profile", "create", "work").code == 0
    assert (
        run(tmp_path, "--profile", "work", "memory", "add", "My desk is at the window.").code == 0
    )
    assert "desk" not in run(tmp_path, "memory", "list").out
    assert run(tmp_path, "profile", "rename", "work", "office").code == 0
    assert "desk" in run(tmp_path, "--profile", "office", "memory", "list").out
    names = [one["name"] for one in run(tmp_path, "profile", "list", "--json").lines]
    assert "office" in names
    assert "work" not in names


def test_a_deleted_profile_leaves_no_file_and_an_open_one_is_refused(tmp_path: Path) -> None:
    run(tmp_path, "--profile", "work", "memory", "add", "My desk is at the window.")
    profile = Paths.under(tmp_path).profile("work")
    assert run(tmp_path, "profile", "delete", "work", stdin="n\n").code == 1
    assert profile.database.exists()
    lock = ProfileLock(profile.lock)
    lock.acquire()
    assert run(tmp_path, "profile", "delete", "work", "--yes").code == 1
    lock.release()
    assert profile.database.exists()
    assert run(tmp_path, "profile", "delete", "work", "--yes").code == 0
    assert not profile.folder.exists()
    assert run(tmp_path, "profile", "delete", "work", "--yes").code == 1


def test_the_keys_of_a_profile_are_renamed_and_deleted_with_it(tmp_path: Path) -> None:
    ring = _Ring()

    def keys(profile: str) -> KeyringKeys:
        return KeyringKeys(lambda: ring, profile=profile)

    profiles = Profiles(Paths.under(tmp_path), keys)
    profiles.create("work")
    endpoint = EndpointId("server")
    keys("work").put(endpoint, "secret")
    profiles.rename("work", "office")
    assert keys("office").get(endpoint) == "secret"
    assert keys("work").get(endpoint) is None
    profiles.delete("office")
    assert "secret" not in ring.kept.values()
