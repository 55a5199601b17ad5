"""A member with two devices: what others shared is theirs on both."""

from pathlib import Path

import pytest

from desktop.domain.projects import Wall
from desktop.domain.sharing import ItemKind, SharedReadOnlyError
from desktop.sessions.sharing.sharing import Sharing
from desktop.sessions.use_cases import SessionArchive
from tests.members import LastingKeys, Profile
from tests.syncing import SyncedDevice


def test_what_a_member_shared_comes_from_that_member_on_every_device(tmp_path: Path) -> None:
    for name in ("ortak", "eşitleme"):
        (tmp_path / name).mkdir()
    other = Profile(tmp_path / "ayşe")
    first, second = (SyncedDevice(tmp_path / name, tmp_path / "eşitleme") for name in ("a", "b"))
    for device in (first, second):
        device.set_up().syncing.run()
    project = other.project()
    code = other.sharing.share(project, str(tmp_path / "ortak"), name="Ayşe")
    sharing = Sharing(first.archive, LastingKeys(), is_local_only=lambda: False)
    theirs = sharing.join(code, str(tmp_path / "ortak"), name="Can")
    session = other.session(project, "s1", "Soru", "Yanıt", title="Başlık")
    other.document(project.id, "d1", "Kuş bilimi")
    other.sharing.publish([session])
    sharing.run(theirs)
    for device in (first, second):
        device.syncing.run()
    assert second.archive.shared.owners(ItemKind.SESSION) == {session: "Ayşe"}
    assert second.archive.sessions.session(session).title == "Başlık"
    with pytest.raises(SharedReadOnlyError):
        SessionArchive(second.archive, lambda: None).rename(session, "Başka")
    other.sharing.unpublish([session])
    assert sharing.run(theirs).removed == 1
    for device in (first, second):
        device.syncing.run()
    assert second.archive.sessions.some([session]) == []
    assert second.archive.shared.owners(ItemKind.SESSION) == {}
    titles = {source.title for source in second.archive.sources.sources(Wall(theirs.id))}
    assert titles == {"Belge d1"}
    for device in (first, second):
        device.close()
    other.archive.close()
