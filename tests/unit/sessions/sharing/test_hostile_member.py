"""A member who has the code and writes what no program of ours writes."""

import json
import random
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest

from desktop.domain.ids import SessionId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import Project
from desktop.domain.sharing import Digest, ItemKind, MemberId, SharedItem
from desktop.sessions.sharing import membership
from desktop.sessions.sharing.membership import Identity, ProjectKey, ShareIndex, secret_of
from desktop.sessions.sharing.share_places import SpaceFolder
from desktop.sessions.syncing.carrier import FILE, KEY, STATE, FileName
from desktop.storage.repositories.shared_forms import PARTS, ItemPart
from desktop.storage.schema.tables import sessions
from tests.members import Profile

AT = "2026-03-05T12:00:00+00:00"


class Forger:
    """Takes part with keys of its own, without a profile."""

    def __init__(self, folder: Path, code: str) -> None:
        self.key = ProjectKey(secret_of(code))
        self.identity = Identity.new()
        self.carrier = SpaceFolder(folder, self.key.space)
        self.items: list[SharedItem] = []
        self.number = 0
        self._write(*self.key.seal(self.identity.id, KEY, 1, b""))

    def add(self, kind: ItemKind, id_: str, content: JsonValue, *, text: bytes = b"") -> None:
        text = text or json.dumps(content).encode()
        item = SharedItem(id_, kind, Digest(sha256(text).hexdigest()))
        what = self.key.keyed(item.digest)
        self._write(*self.key.seal(self.identity.id, FILE, what, zlib.compress(text)))
        self.items = [*(each for each in self.items if each.id != id_), item]

    def tell(self, by: Identity | None = None, **changed: Any) -> None:
        self.number += 1
        fields: dict[str, Any] = {
            "number": self.number,
            "name": "Kötü",
            "project": "Kuşlar",
            "opens": self.identity.opens,
            "founder": MemberId(""),
            "items": tuple(self.items),
            **changed,
        }
        index = ShareIndex(**fields).to_json()
        signed = (by or self.identity).sign(self.key.space, index)
        packed = zlib.compress(json.dumps(signed).encode())
        self._write(*self.key.seal(self.identity.id, STATE, fields["number"], packed))

    def _write(self, name: str, data: bytes) -> None:
        self.carrier.write(self.identity.id, name, data)


def session(text: str = "Sahte", **changed: Any) -> dict[str, Any]:
    content: dict[str, Any] = {
        "session": [["Başlık", None, "tr", AT, AT, AT]],
        "messages": [[1, "user", text, "complete", AT, None]],
    }
    return {**content, **changed}


def source(passage: str = "p1", **changed: Any) -> dict[str, Any]:
    fields = {
        "kind": "document",
        "title": "Sahte belge",
        "author": "",
        "published": "",
        "address": "",
        "added_at": AT,
        "read_at": AT,
        "sha256": "0" * 64,
        "language": None,
        "pages": None,
        "state": "complete",
        "copy": None,
        "session_id": None,
        **changed,
    }
    return {"source": [[*fields.values()]], "passages": [[passage, 1, None, "", "Sahte metin"]]}


def note(source_id: str) -> dict[str, Any]:
    return {"note": [[source_id, None, None, 0, "", "Sahte not", AT, AT, 0]]}


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Profile]:
    it = Profile(tmp_path / "ayşe")
    yield it
    it.archive.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "ortak"
    place.mkdir()
    return place


@pytest.fixture
def project(victim: Profile, folder: Path) -> Project:
    project = victim.project()
    victim.sharing.share(project, str(folder), name="Ayşe")
    return project


@pytest.fixture
def forger(victim: Profile, project: Project, folder: Path) -> Forger:
    return Forger(folder, victim.sharing.code(project))


def test_an_honest_item_of_the_same_form_is_taken(
    victim: Profile, project: Project, forger: Forger
) -> None:
    forger.add(ItemKind.SESSION, "x1", session())
    forger.add(ItemKind.SOURCE, "x2", source())
    forger.add(ItemKind.NOTE, "x3", note("x2"))
    forger.tell()
    report = victim.sharing.run(project)
    assert (report.received, report.problems) == (3, {})


def test_ids_of_what_is_here_already_are_refused_in_every_project(
    victim: Profile, project: Project, forger: Forger
) -> None:
    other = victim.project("Başka")
    own = victim.session(project, "s1", "Benim", "Yanıt")
    private = victim.session(other, "s2", "Benim", "Yanıt")
    published = victim.session(project, "s3", "Benim", "Yanıt")
    victim.sharing.publish([published])
    document = victim.document(other.id, "d1", "Benim belgem")
    passage = victim.archive.sources.passages(document)[0].id
    for id_ in (own, private, published):
        forger.add(ItemKind.SESSION, id_, session())
    forger.add(ItemKind.SOURCE, document, source())
    forger.add(ItemKind.SOURCE, "x2", source(passage))
    forger.add(ItemKind.NOTE, "x3", note(document))
    forger.tell()
    for _ in range(2):
        report = victim.sharing.run(project)
        assert (report.received, report.removed) == (0, 0)
        assert report.problems == {"refused": ["Kötü"]}
    for id_ in (own, private, published):
        assert [m.content for m in victim.archive.sessions.messages(id_)] == ["Benim", "Yanıt"]
    assert victim.titles(other) == {"Belge d1"}
    assert victim.notes(other) == victim.notes(project) == set()
    forger.items.clear()
    forger.tell()
    assert victim.sharing.run(project).removed == 0
    assert victim.message_ids(own)


def test_an_item_of_another_member_cannot_be_taken_over(
    victim: Profile, project: Project, forger: Forger, folder: Path
) -> None:
    honest = Forger(folder, victim.sharing.code(project))
    honest.add(ItemKind.SESSION, "x1", session("Dürüst"))
    honest.tell(name="Can")
    victim.sharing.run(project)
    forger.add(ItemKind.SESSION, "x1", session("Sahte"))
    forger.tell()
    assert victim.sharing.run(project).problems == {"refused": ["Kötü"]}
    assert victim.found("durust", project) == ["Dürüst"]
    forger.items.clear()
    forger.tell()
    victim.sharing.run(project)
    assert victim.found("durust", project) == ["Dürüst"]


def test_judgements_make_no_check_due_and_lie_within_their_answer(
    victim: Profile, project: Project, forger: Forger
) -> None:
    texts = [(1, "user", "Soru"), (2, "assistant", "Yanıt"), (3, "assistant", "Öteki")]
    messages = [[id_, role, text, "complete", AT, None] for id_, role, text in texts]
    claims = [
        [place, 1, 1, start, stop, "supported", "Sözler", "[]"]
        for place, start, stop in [(1, 0, 4), (2, 0, 5), (2, -1, 3), (2, 3, 99), (3, 0, 5)]
    ]
    checks = [[1, "yargıç", AT], [2, "yargıç", AT], [3, "yargıç", None], [9, "yargıç", AT]]
    content = session(messages=messages, claims=claims, checks=checks)
    forger.add(ItemKind.SESSION, "x1", content)
    forger.tell()
    assert victim.sharing.run(project).received == 1
    [review] = victim.archive.claims.reviews(SessionId("x1")).values()
    assert [(claim.start, claim.end) for claim in review.claims] == [(0, 5)]
    assert victim.archive.claims.due() == []


def test_citations_never_lead_out_of_the_project(
    victim: Profile, project: Project, forger: Forger
) -> None:
    other = victim.project("Başka")
    private = victim.session(other, "s2", "Gizli", "Yanıt")
    message = victim.message_ids(private)[0]
    citations = [
        [1, 1, "checked", "alıntı", private, "#1", "Başlık"],
        [1, 2, "checked", "alıntı", "yok", str(message), "Başlık"],
    ]
    forger.add(ItemKind.SESSION, "x1", session(citations=citations))
    forger.tell()
    assert victim.sharing.run(project).received == 1
    ((first, second),) = victim.archive.answers.citations(SessionId("x1")).values()
    assert (first.source_id, first.passage_id) == ("", "")
    assert second.passage_id == ""


def test_an_address_never_names_a_file_of_this_computer(
    victim: Profile, project: Project, forger: Forger, tmp_path: Path
) -> None:
    secret = tmp_path / "gizli.txt"
    secret.write_text("gizli")
    forger.add(ItemKind.SOURCE, "x1", source("p1", address=str(secret)))
    forger.add(ItemKind.SOURCE, "x2", source("p2", kind="web", address=f"file://{secret}"))
    forger.tell()
    assert victim.sharing.run(project).received == 2
    for id_ in ("x1", "x2"):
        address = victim.archive.sources.source(SourceId(id_)).address
        assert "gizli" not in address
        assert not Path(address).exists()


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"session": []},
        {"messages": [[1, "user", "x", "complete", AT, None]]},
        session(messages=[]),
        session(messages=[[1, "system", "x", "complete", AT, None]]),
        session(messages=[[1, "user", "x", "streaming", AT, None]]),
        session(messages=[[1, "user", None, "complete", AT, None]]),
        session(messages=[[1, "user", "x", "complete", "dün", None]]),
        session(messages=[[1 << 70, "user", "x", "complete", AT, None]]),
        session(files=[[1, 1, "../../../etc/passwd", "x", "text/plain", 1]]),
        session(files=[[1, 1, "0" * 64, "x/../y.\n", "text/plain", 1]]),
        session(citations=[[0, 1, "checked", "", "", "", ""]]),
    ],
)
def test_content_of_another_form_is_left_out(
    victim: Profile, project: Project, forger: Forger, content: Any
) -> None:
    forger.add(ItemKind.SESSION, "x1", content)
    forger.add(ItemKind.SESSION, "x2", session())
    forger.tell()
    report = victim.sharing.run(project)
    assert report.received == 1
    assert set(report.problems) <= {"broken", "waiting"}
    assert report.problems


def test_what_a_newer_version_shares_waits_and_is_named(
    victim: Profile, project: Project, forger: Forger, monkeypatch: pytest.MonkeyPatch
) -> None:
    forger.add(ItemKind.SESSION, "x1", session())
    forger.add(ItemKind.SESSION, "x2", session(dreams=[["Düş"]]))
    forger.tell()
    report = victim.sharing.run(project)
    assert (report.received, report.problems) == (1, {"newer": ["Kötü"]})
    with monkeypatch.context() as newer:
        newer.setattr(membership, "_VERSION", 2)
        forger.tell()
    report = victim.sharing.run(project)
    assert (report.removed, report.problems) == (0, {"newer": ["Kötü"]})
    forger.tell()
    monkeypatch.setitem(
        cast("dict[str, ItemPart]", PARTS[ItemKind.SESSION]),
        "dreams",
        ItemPart(sessions, ("title",)),
    )
    report = victim.sharing.run(project)
    assert (report.received, report.problems) == (1, {})


def test_what_opens_to_more_than_allowed_is_left_out(
    victim: Profile, project: Project, forger: Forger
) -> None:
    forger.add(ItemKind.SESSION, "x1", None, text=b'"' + b"0" * (130 << 20) + b'"')
    deep = b"[" * 200_000
    forger.add(ItemKind.SESSION, "x2", None, text=deep)
    forger.tell()
    report = victim.sharing.run(project)
    assert (report.received, report.problems) == (0, {"broken": ["Kötü"]})


def test_nobody_speaks_for_another_member(
    victim: Profile, project: Project, forger: Forger, folder: Path
) -> None:
    honest = Forger(folder, victim.sharing.code(project))
    honest.add(ItemKind.SESSION, "x1", session("Dürüst"))
    honest.tell(name="Can")
    victim.sharing.run(project)
    forger.identity, liar = honest.identity, forger.identity
    forger.number = 7
    forger.tell(by=liar)  # in the other one's place, with a signature of its own
    assert victim.sharing.run(project).problems == {"broken": ["Can"]}
    assert victim.found("durust", project) == ["Dürüst"]


def test_an_earlier_index_brings_nothing_back(
    victim: Profile, project: Project, forger: Forger, folder: Path
) -> None:
    forger.add(ItemKind.SESSION, "x1", session())
    forger.tell()
    victim.sharing.run(project)
    forger.items.clear()
    forger.tell()
    assert victim.sharing.run(project).removed == 1
    for path in folder.rglob("s-*"):
        name = FileName.parse(path.name)
        if name and name.number == 2 and path.parent.name == forger.identity.id:
            path.unlink()
    assert victim.sharing.run(project).received == 0
    assert victim.found("sahte", project) == []


def test_a_founder_who_is_none_changes_no_key(
    victim: Profile, project: Project, forger: Forger, folder: Path, tmp_path: Path
) -> None:
    forger.tell(founder=forger.identity.id)
    signed = forger.identity.sign(forger.key.space, {"keys": {}})
    packed = zlib.compress(json.dumps(signed).encode())
    forger.carrier.write(forger.identity.id, *forger.key.seal(forger.identity.id, KEY, 2, packed))
    code = victim.sharing.code(project)
    assert victim.sharing.run(project).code == ""
    newcomer = Profile(tmp_path / "can")
    theirs = newcomer.sharing.join(code, str(folder))
    assert newcomer.sharing.run(theirs).code == ""
    newcomer.archive.close()


def test_files_that_are_mutated_cut_or_exchanged_change_nothing(
    victim: Profile, project: Project, forger: Forger, folder: Path
) -> None:
    forger.add(ItemKind.SESSION, "x1", session())
    forger.add(ItemKind.SOURCE, "x2", source())
    forger.tell()
    files = [path for path in folder.rglob("*-*") if path.is_file()]
    files = [path for path in files if path.parent.name == forger.identity.id]
    whole = {path: path.read_bytes() for path in files}
    rng = random.Random(20260305)  # noqa: S311  # repeatable
    for _ in range(150):
        path = rng.choice(files)
        data = bytearray(whole[path])
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.3:
            data = data[: rng.randrange(len(data))]
        if rng.random() < 0.2:
            data = bytearray(whole[rng.choice(files)])
        renamed = path
        if (name := FileName.parse(path.name)) and rng.random() < 0.8:
            renamed = path.with_name(str(FileName.of(name.kind, name.what, bytes(data))))
        path.unlink()
        renamed.write_bytes(data)
        if bytes(data) != whole[path]:
            report = victim.sharing.run(project)
            assert victim.found("sahte", project) in ([], ["Sahte"])
            assert report.removed == 0
        renamed.unlink()
        path.write_bytes(whole[path])
    victim.sharing.run(project)
    assert victim.found("sahte", project) == ["Sahte"]
    assert victim.titles(project) == {"Sahte belge"}
