"""Shared projects through a folder: what arrives, what does not, and what goes again."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from desktop.domain.claims import (
    CitedSupport,
    ClaimReview,
    ClaimWarning,
    JudgedClaim,
    Support,
    WarningKind,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.projects import Project, Wall
from desktop.domain.sharing import (
    ItemKind,
    Leaving,
    MemberId,
    MemberState,
    MemberUnknownError,
    NotPublishableError,
    SharedReadOnlyError,
    SharingCodeError,
    SharingCodeUnknownError,
    SharingKeyMissingError,
    SharingLocalOnlyError,
    SharingNoKeyringError,
    SharingNotFounderError,
    SharingOffError,
    SharingOnError,
    SharingRemovedError,
)
from desktop.domain.sync import CarrierGoneError, DeviceId, SyncAddressError
from desktop.sessions.library_notes import Notes
from desktop.sessions.library_references import References
from desktop.sessions.sharing.membership import (
    Identity,
    ProjectKey,
    code_of,
    new_secret,
    secret_of,
)
from desktop.sessions.sharing.share_places import SpaceFolder
from desktop.sessions.sharing.shared_space import SharedSpace, SharePlace
from desktop.sessions.sharing.sharing import Sharing
from desktop.sessions.use_cases import Projects, SessionArchive, Sources
from desktop.settings.keys import MemoryKeys
from tests.archives import NOON
from tests.members import Profile

MARK = "Zümrüdüanka kıyısında"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "ortak"
    place.mkdir()
    return place


@pytest.fixture
def people(tmp_path: Path) -> Iterator[list[Profile]]:
    several = [Profile(tmp_path / name) for name in ("ayşe", "can", "deniz")]
    yield several
    for each in several:
        each.archive.close()


@pytest.fixture
def group(people: list[Profile], folder: Path) -> list[tuple[Profile, Project]]:
    """Three members, the first of whom began to share; each with the project as it has it."""
    first, *others = people
    project = first.project()
    code = first.sharing.share(project, str(folder), name=first.name)
    projects = [each.sharing.join(code, str(folder), name=each.name) for each in others]
    return list(zip(people, [project, *projects], strict=True))


def update(group: list[tuple[Profile, Project]]) -> None:
    for person, project in group:
        person.sharing.run(project)


def test_a_published_session_is_found_by_another_member_and_no_other_one_is(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Martı nedir?", f"{MARK} yaşayan bir kuştur.")
    first.session(project, "s2", "Gizli martı sorusu?", "Gizli yanıt.")
    assert theirs.name == "Kuşlar"
    assert first.sharing.publish([session]).sent == 1
    assert second.sharing.run(theirs).received == 1
    assert second.found("marti", theirs) == ["Martı nedir?"]
    assert second.archive.sessions.session(session).project == theirs.id
    assert second.sharing.owners([session]) == {session: "ayşe"}
    assert first.sharing.owners([session]) == {}
    assert first.sharing.published([session, SessionId("s2")]) == {session}


def test_messages_keep_their_ids_citations_and_files(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, _), _ = group
    earlier = first.session(project, "s1", "Soru", "Yanıt")
    later = first.session(project, "s2", "Soru", "Yanıt [1]")
    cited = first.message_ids(earlier)[1]
    first.cite(first.message_ids(later)[1], earlier, str(cited), "Yanıt")
    first.sharing.publish([later, earlier])
    second.sharing.run(group[1][1])
    assert second.message_ids(later) == first.message_ids(later)
    assert second.archive.answers.citations(later) == first.archive.answers.citations(later)


def test_what_an_answer_quotes_from_an_unpublished_session_is_not_sent(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    private = first.session(project, "s1", "Soru", f"{MARK} gizlidir")
    answer = first.session(project, "s2", "Soru", "Yanıt [1]")
    passage = str(first.message_ids(private)[1])
    first.cite(first.message_ids(answer)[1], private, passage, f"{MARK} gizlidir")
    first.sharing.publish([answer])
    second.sharing.run(theirs)
    ((citation,),) = second.archive.answers.citations(answer).values()
    assert (citation.quote, citation.title, citation.source_id) == ("", "", "")


def judge(person: Profile, answer: MessageId, *numbers: int) -> None:
    """Store what a model judged of the answer's first clause."""
    cited = tuple(CitedSupport(each, Support.SUPPORTED, f"{MARK} {each}") for each in numbers)
    warnings = (ClaimWarning(WarningKind.NUMBER, "1930"),)
    review = ClaimReview((JudgedClaim(0, 5, cited, warnings),), "yargıç", NOON)
    person.archive.claims.adopt(answer, review)


def test_what_was_judged_of_claims_arrives_with_the_session(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    source = first.document(project.id, "d1", "Kuş bilimi")
    session = first.session(project, "s1", "Soru", "Yanıt [1]")
    answer = first.message_ids(session)[1]
    first.cite(answer, source, "p1", "Kuş bilimi")
    first.sharing.publish([session])
    second.sharing.run(theirs)
    assert second.archive.claims.reviews(session) == {}
    judge(first, answer, 1)
    first.sharing.publish([session])
    second.sharing.run(theirs)
    reviews = second.archive.claims.reviews(session)
    assert reviews == first.archive.claims.reviews(session)
    assert reviews[answer].claims
    assert second.archive.claims.due() == []


def test_what_was_judged_by_the_words_of_an_unpublished_session_is_not_sent(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    private = first.session(project, "s1", "Soru", f"{MARK} gizlidir")
    session = first.session(project, "s2", "Soru", "Yanıt [1]")
    answer = first.message_ids(session)[1]
    first.cite(answer, private, str(first.message_ids(private)[1]), f"{MARK} gizlidir")
    judge(first, answer, 1)
    first.sharing.publish([session])
    second.sharing.run(theirs)
    assert second.archive.claims.reviews(session)[answer].claims == ()


def test_documents_references_and_notes_of_the_project_arrive_with_their_files(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), (third, thirds) = group
    source = first.document(project.id, "d1", "Kuş bilimi", data=b"Ku\xc5\x9f bilimi")
    first.refer(source, "Kuşların Kitabı")
    first.note("Bunu oku", source_id=source)
    session = first.session(project, "s1", "Soru", "Yanıt")
    first.note("Yanıta not", message_id=first.message_ids(session)[1])
    other = first.project("Başka")
    first.document(other.id, "d2", "Başka projenin belgesi")
    first.sharing.run(project)
    update(group)
    assert second.titles(theirs) == {"Kuşların Kitabı"}
    assert second.notes(theirs) == {"Bunu oku"}  # its session is not published
    copy = second.archive.sources.source(source)
    assert copy.copy
    assert second.archive.files.read_copy(copy.copy) == b"Ku\xc5\x9f bilimi"
    assert "gizli-klasör" not in copy.address
    assert second.archive.references.work(source).reference.title == "Kuşların Kitabı"
    first.sharing.publish([session])
    update(group)
    assert third.notes(thirds) == {"Bunu oku", "Yanıta not"}


def test_a_note_on_another_members_document_reaches_everybody(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, _), (third, thirds) = group
    source = first.document(project.id, "d1", "Kuş bilimi")
    update(group)
    note = second.note("Canın notu", source_id=source)
    update(group)
    update(group)
    assert first.notes(project) == third.notes(thirds) == {"Canın notu"}
    assert third.sharing.owners([note, source]) == {note: "can", source: "ayşe"}


def test_publishing_again_sends_the_changed_session_and_nothing_before(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Soru", "Yanıt", title="Eski")
    first.sharing.publish([session])
    first.archive.sessions.rename(session, "Yeni")
    update(group)
    update(group)
    assert second.archive.sessions.session(session).title == "Eski"
    first.sharing.publish([session])
    second.sharing.run(theirs)
    assert second.archive.sessions.session(session).title == "Yeni"
    report = second.sharing.run(theirs)
    assert (report.received, report.sent, report.removed) == (0, 0, 0)


def test_what_a_member_wrote_stays_when_the_owner_changes_the_document(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    source = first.document(project.id, "d1", "Kuş bilimi")
    update(group)
    second.note("Canın notu", source_id=source)
    first.refer(source, "Yeni başlık")
    update(group)
    assert second.titles(theirs) == {"Yeni başlık"}
    assert second.notes(theirs) == {"Canın notu"}


def test_unpublishing_leaves_no_word_at_the_others_nor_in_the_folder(
    group: list[tuple[Profile, Project]], folder: Path
) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Soru", f"{MARK} yanıt")
    first.sharing.publish([session])
    update(group)
    before = {path.name for path in folder.rglob("f-*")}
    assert second.found("yanit", theirs)
    first.sharing.unpublish([session])
    assert second.sharing.run(theirs).removed == 1
    assert not {path.name for path in folder.rglob("f-*")} & before
    assert first.found("yanit", project)
    second.archive.close()
    for path in second.home.rglob("*"):
        assert not path.is_file() or "Zümrüdüanka".encode() not in path.read_bytes()


def test_a_deletion_by_the_owner_is_real_at_the_others(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Soru", "Yanıt")
    source = first.document(project.id, "d1", "Kuş bilimi", data=b"kopya")
    first.sharing.publish([session])
    update(group)
    second.note("Canın notu", source_id=source)
    kept = second.session(theirs, "kendi", "Canın sorusu", "Yanıt")
    second.archive.sessions.delete(kept)  # can still be undone
    first.archive.sessions.delete(session)
    Sources(first.archive).remove([source])
    first.sharing.run(project)
    assert second.sharing.run(theirs).removed == 2
    assert second.titles(theirs) == set()
    assert second.notes(theirs) == set()
    assert not second.archive.files.files()
    assert session not in {each.id for each in second.archive.sessions.some([session])}
    second.archive.sessions.undelete(kept)
    assert second.message_ids(kept)


def test_what_is_deleted_here_does_not_come_back(group: list[tuple[Profile, Project]]) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Soru", "Yanıt")
    first.sharing.publish([session])
    update(group)
    second.archive.sessions.delete(session)
    second.archive.purge_deleted()
    update(group)
    assert not second.found("yanit", theirs)
    assert first.found("yanit", project)


def test_what_another_member_added_cannot_be_changed(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Soru", "Yanıt", "Soru 2", "Yanıt 2")
    source = first.document(project.id, "d1", "Kuş bilimi")
    note = first.note("Not", source_id=source)
    first.sharing.publish([session])
    update(group)
    own = second.session(theirs, "kendi", "Canın sorusu", "Yanıt")
    sessions = SessionArchive(second.archive, lambda: None)
    for change in (
        lambda: sessions.rename(session, "Başka"),
        lambda: sessions.split(session, second.message_ids(session)[2]),
        lambda: sessions.merge([session, own]),
        lambda: Projects(second.archive, lambda: None, second.sharing.leave_if_shared).move(
            second.project("x").id, [session]
        ),
        lambda: References(second.archive).edit(source, {"title": "Başka"}),
        lambda: Notes(second.archive).edit(note, "Başka"),
        lambda: second.sharing.publish([session]),
    ):
        with pytest.raises(SharedReadOnlyError) as refused:
            change()
        assert refused.value.values["name"] == "ayşe"
    assert first.sharing.publish([session]).sent == 0


def test_the_memory_learns_nothing_from_what_others_said(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Ben Ankara'da yaşıyorum.", "Peki.")
    first.sharing.publish([session])
    second.sharing.run(theirs)
    assert second.archive.annotations.without(10) == []
    assert second.archive.preferences.unread(10) == []
    assert second.archive.diary.due() == []
    assert not second.archive.learning.is_due(session)
    assert second.archive.descriptions.due() == []
    assert second.archive.patterns.questions(second.archive.projects.wall(theirs.id)) == []


def test_no_sentence_title_name_or_file_name_is_in_the_folder(
    group: list[tuple[Profile, Project]], folder: Path
) -> None:
    (first, project), _, _ = group
    session = first.session(project, "s1", f"{MARK} mı?", f"{MARK}!", title=f"{MARK} başlık")
    source = first.document(project.id, "gizlibelge", f"{MARK} belge", data=MARK.encode())
    first.refer(source, f"{MARK} kitap")
    first.note(f"{MARK} not", source_id=source)
    first.sharing.publish([session])
    update(group)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 8
    for path in folder.rglob("*"):
        data = str(path.relative_to(folder)).encode()
        data += path.read_bytes() if path.is_file() else b""
        for word in ("Zümrüdüanka", "gizlibelge", "Kuşlar", "ayşe", "can", "s1", source):
            assert len(word) < 5 or word.encode() not in data
        assert "ayşe".encode() not in data


def test_members_see_who_added_what(group: list[tuple[Profile, Project]]) -> None:
    (first, project), (second, theirs), _ = group
    session = first.session(project, "s1", "Soru", "Yanıt")
    first.document(project.id, "d1", "Kuş bilimi")
    first.sharing.publish([session])
    update(group)
    update(group)
    members = {member.name: member for member in second.sharing.members(theirs)}
    assert members.keys() == {"ayşe", "can", "deniz"}
    assert members["can"].is_self
    assert members["ayşe"].is_founder
    assert members["ayşe"].counts == {ItemKind.SESSION: 1, ItemKind.SOURCE: 1}
    (own,) = (each for each in first.sharing.members(project) if each.is_self)
    assert own.counts == {ItemKind.SESSION: 1, ItemKind.SOURCE: 1, ItemKind.NOTE: 0}


def test_who_leaves_keeps_everything_and_so_do_the_others(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), (third, thirds) = group
    session = first.session(project, "s1", "Soru", "Yanıt")
    own = second.session(theirs, "s2", "Canın sorusu", "Yanıt")
    first.sharing.publish([session])
    second.sharing.publish([own])
    update(group)
    second.sharing.leave(theirs)
    with pytest.raises(SharingOffError):
        second.sharing.run(theirs)
    first.session(project, "s3", "Yeni", "Yanıt")
    first.sharing.publish([SessionId("s3")])
    third.sharing.run(thirds)
    assert second.found("yanit", theirs) == ["Yanıt", "Yanıt"]
    assert len(third.found("yanit", thirds)) == 3
    states = {member.name: member.state for member in third.sharing.members(thirds)}
    assert states["can"] is MemberState.LEFT
    assert second.sharing.owners([session]) == {session: "ayşe"}


def test_who_leaves_can_take_everything_back(group: list[tuple[Profile, Project]]) -> None:
    _, (second, theirs), (third, thirds) = group
    own = second.session(theirs, "s2", "Canın sorusu", "Yanıt")
    second.sharing.publish([own])
    third.sharing.run(thirds)
    second.sharing.leave(theirs, takes_back=True)
    assert third.sharing.run(thirds).removed == 1
    assert second.found("yanit", theirs)


def test_who_is_removed_gets_nothing_more_and_the_others_go_on_with_a_new_key(
    group: list[tuple[Profile, Project]], folder: Path
) -> None:
    (first, project), (second, theirs), (third, thirds) = group
    old = first.session(project, "s1", "Soru", "Eski yanıt")
    first.sharing.publish([old])
    mine = third.session(thirds, "s3", "Soru", "Denizin yanıtı")
    third.sharing.publish([mine])
    update(group)
    code = first.sharing.code(project)
    new_code = first.sharing.remove(project, "can")
    assert new_code != code
    new = first.session(project, "s2", "Soru", "Yeni yanıt")
    first.sharing.publish([new])
    with pytest.raises(SharingRemovedError):
        second.sharing.run(theirs)
    assert third.sharing.run(thirds).code == new_code
    assert third.found("yeni", thirds) == ["Yeni yanıt"]
    assert first.sharing.run(project).removed == 0
    assert first.found("deniz", project) or first.found("denizin", project)
    assert second.found("eski", theirs) == ["Eski yanıt"]
    states = {member.name: member.state for member in first.sharing.members(project)}
    assert states == {"ayşe": "", "can": "removed", "deniz": ""}
    # In the space that the removed member can open, nothing is left of the others.
    spaces = [[*space.rglob("f-*")] for space in folder.iterdir()]
    assert sorted(map(len, spaces)) == [0, 3]
    second.sharing.leave(theirs)
    with pytest.raises(SharingCodeUnknownError):
        second.sharing.join(code_of(new_secret()), str(folder))


def test_a_member_can_be_removed_after_another(group: list[tuple[Profile, Project]]) -> None:
    (first, project), _, (third, thirds) = group
    third.sharing.run(thirds)
    first.sharing.run(project)
    first.sharing.remove(project, "can")
    third.sharing.run(thirds)
    first.sharing.run(project)
    first.sharing.remove(project, "deniz")
    with pytest.raises(SharingRemovedError):
        third.sharing.run(thirds)


def test_only_who_began_to_share_removes_and_only_members(
    group: list[tuple[Profile, Project]],
) -> None:
    (first, project), (second, theirs), _ = group
    with pytest.raises(SharingNotFounderError):
        second.sharing.remove(theirs, "ayşe")
    with pytest.raises(MemberUnknownError):
        first.sharing.remove(project, "kimse")


def test_a_code_that_is_misread_or_of_another_project_is_refused(
    people: list[Profile], folder: Path
) -> None:
    first, second, _ = people
    project = first.project()
    code = first.sharing.share(project, str(folder))
    wrong = ("A" if code[0] != "A" else "B") + code[1:]
    swapped = next(
        code[:at] + b + a + code[at + 2 :]
        for at, (a, b) in enumerate(pairwise(code))
        if a != b and "-" not in (a, b)
    )
    for bad in ("", "bozuk", wrong, swapped, code[:-1]):
        with pytest.raises(SharingCodeError):
            second.sharing.join(bad, str(folder))
    with pytest.raises(SharingCodeUnknownError):
        second.sharing.join(code_of(new_secret()), str(folder))
    assert second.archive.projects.projects() == []
    assert second.sharing.join(code.lower().replace("-", " "), str(folder)).name == "Kuşlar"
    with pytest.raises(SharingOnError):
        second.sharing.join(code, str(folder))
    with pytest.raises(SharingOnError):
        first.sharing.share(project, str(folder))
    assert first.sharing.code(project) == code


def test_what_stays_on_this_computer_is_never_shared(people: list[Profile], folder: Path) -> None:
    first, second, _ = people
    project = first.local_only(first.project(), is_on=True)
    with pytest.raises(SharingLocalOnlyError):
        first.sharing.share(project, str(folder))
    assert list(folder.iterdir()) == []
    project = first.local_only(project, is_on=False)
    code = first.sharing.share(project, str(folder))
    session = first.session(project, "s1", "Soru", "Yanıt")
    files = sorted(folder.rglob("*"))
    first.local_only(project, is_on=True)
    assert isinstance(first.sharing.run_all()[project.id], SharingLocalOnlyError)
    with pytest.raises(SharingLocalOnlyError):
        first.sharing.publish([session])
    with pytest.raises(SharingLocalOnlyError):
        first.sharing.run(project)  # as it was before
    assert sorted(folder.rglob("*")) == files
    second.is_local_only = True
    with pytest.raises(SharingLocalOnlyError):
        second.sharing.join(code, str(folder))


def test_without_a_keyring_nothing_is_begun_and_a_lost_key_is_explained(
    people: list[Profile], folder: Path
) -> None:
    first, *_ = people
    project = first.project()
    for_a_while = Sharing(first.archive, MemoryKeys(), is_local_only=lambda: False)
    with pytest.raises(SharingNoKeyringError):
        for_a_while.share(project, str(folder))
    first.sharing.share(project, str(folder))
    with pytest.raises(SharingKeyMissingError):
        for_a_while.run(project)
    for_a_while.forget(project)
    assert first.sharing.projects() == []


def test_only_sessions_that_ended_in_a_shared_project_are_published(
    people: list[Profile], folder: Path
) -> None:
    first, *_ = people
    project = first.project()
    session = first.session(project, "s1", "Soru", "Yanıt")
    with pytest.raises(SharingOffError):
        first.sharing.publish([session])
    first.sharing.share(project, str(folder))
    empty = first.session(project, "s2")
    with pytest.raises(NotPublishableError):
        first.sharing.publish([session, empty])
    assert first.sharing.published([session, empty]) == set()


def test_a_folder_that_is_gone_changes_nothing_and_sharing_is_repeated_with_the_same_code(
    people: list[Profile], folder: Path, tmp_path: Path
) -> None:
    first, second, _ = people
    project = first.project()
    away = tmp_path / "takılmamış"
    for place in ("yanlış yazılmış", away):
        with pytest.raises(CarrierGoneError):
            first.sharing.share(project, str(place))
    code = first.sharing.code(project)
    away.mkdir()
    assert first.sharing.share(project, str(away)) == code
    with pytest.raises(CarrierGoneError):
        second.sharing.join(code, str(tmp_path / "yok"))
    with pytest.raises(SyncAddressError):
        second.sharing.join(code, "postgresql://x@/y?space=z")
    assert second.archive.projects.projects() == []


class FailingCarrier(SpaceFolder):
    """Stops at the nth thing that it writes or removes, as a program that is killed there."""

    def __init__(self, folder: Path, space: str, stops_at: int) -> None:
        super().__init__(folder, space)
        self.left = stops_at

    def write(self, device: DeviceId, name: str, data: bytes) -> None:
        self._step()
        super().write(device, name, data)

    def remove(self, device: DeviceId, name: str) -> None:
        self._step()
        super().remove(device, name)

    def _step(self) -> None:
        if self.left == 0:
            raise CarrierGoneError(where="")
        self.left -= 1


def test_a_run_that_is_killed_at_any_step_is_made_good_by_the_next(
    people: list[Profile], folder: Path
) -> None:
    first, second, _ = people
    project = first.project()
    code = first.sharing.share(project, str(folder))
    theirs = second.sharing.join(code, str(folder))
    session = first.session(project, "s1", "Soru", "Yanıt")
    first.document(project.id, "d1", "Kuş bilimi", data=b"kopya")
    key, identity = ProjectKey(secret_of(code)), Identity.new()
    place = SharePlace(project.id, project.name, "Ayşe", MemberId(""))
    for step in range(20):
        carrier = FailingCarrier(folder, key.space, step)
        space = SharedSpace(first.archive, carrier, key, identity, place)
        first.archive.sessions.rename(session, f"Başlık {step}")
        space.publish([session])
        with suppress(CarrierGoneError):
            space.send()
        second.sharing.run(theirs)
        for path in second.archive.sources.sources(Wall(theirs.id)):
            assert path.copy
            assert second.archive.files.read_copy(path.copy) == b"kopya"
    SharedSpace(first.archive, SpaceFolder(folder, key.space), key, identity, place).send()
    assert second.sharing.run(theirs).problems == {}
    assert second.archive.sessions.session(session).title == "Başlık 19"
    assert second.titles(theirs) == {"Belge d1"}


@pytest.mark.parametrize(("leaving", "stays"), [(Leaving.KEEP, True), (Leaving.TAKE_BACK, False)])
def test_deleting_a_shared_project_leaves_its_group_and_withdraws_if_that_is_wanted(
    group: list[tuple[Profile, Project]], leaving: Leaving, *, stays: bool
) -> None:
    (first, project), (second, theirs), _ = group
    session = second.session(theirs, "s1", "Martı nedir?", "Bir kuş.")
    second.sharing.publish([session])
    first.sharing.run(project)
    projects = Projects(second.archive, lambda: None, second.sharing.leave_if_shared)
    projects.delete(theirs, with_contents=True, leaving=leaving)
    assert second.sharing.projects() == []
    assert first.sharing.run(project).removed == (0 if stays else 1)
    assert bool(first.found("marti", project)) is stays
    left = {each.name: each.state for each in first.sharing.members(project)}
    assert left["can"] is MemberState.LEFT


def test_a_shared_project_is_not_deleted_while_its_group_cannot_be_told(
    group: list[tuple[Profile, Project]], folder: Path
) -> None:
    _, (second, theirs), _ = group
    projects = Projects(second.archive, lambda: None, second.sharing.leave_if_shared)
    folder.rename(folder.with_name("yok"))
    with pytest.raises(CarrierGoneError):
        projects.delete(theirs, with_contents=False)
    assert second.archive.projects.find(theirs.id)
    projects.delete(theirs, with_contents=False, leaving=Leaving.UNTOLD)
    assert not second.archive.projects.find(theirs.id)
    assert second.sharing.projects() == []
