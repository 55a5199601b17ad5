# ruff: noqa: S608  # names of this test
"""Five people in two groups on one real PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from desktop.domain.projects import Project
from desktop.domain.sharing import SharingCodeUnknownError
from desktop.domain.sync import SyncSpaceClosedError
from desktop.sessions.sharing.membership import ProjectKey, secret_of
from tests.database_server import DatabaseServer, database_server
from tests.members import Profile

pytestmark = pytest.mark.xdist_group("postgresql")

MARK = "Zümrüdüanka kıyısında"
_TABLES = ("files", "parts")


@pytest.fixture(scope="module")
def server() -> Iterator[DatabaseServer]:
    with database_server() as it:
        yield it


class Person(Profile):
    """A profile whose role owns nothing on the server."""

    def __init__(self, home: Path, server: DatabaseServer) -> None:
        super().__init__(home)
        self.server = server
        self.role = f"role_{home.parent.name}_{home.name}".replace("-", "_").lower()
        server.sql(f'CREATE ROLE "{self.role}" LOGIN')
        self.address = server.address(self.role)

    def admit(self, refused: SyncSpaceClosedError) -> None:
        """Do what an administrator is told to do."""
        self.server.sql(str(refused.values["statement"]))


Group = tuple[list[Person], list[Project], str]


@pytest.fixture
def groups(server: DatabaseServer, tmp_path: Path) -> Iterator[list[Group]]:
    """Groups of three and two, each with a project; members are admitted one by one."""
    # Its owner makes the tables.
    owner = Profile(tmp_path / "yönetici")
    owner.sharing.share(owner.project("Tablolar"), server.address())
    owner.archive.close()
    made: list[Group] = []
    for letters in ("abc", "de"):
        people = [Person(tmp_path / letter, server) for letter in letters]
        first, *others = people
        project = first.project(f"{MARK} {letters}")
        with pytest.raises(SyncSpaceClosedError) as refused:
            first.sharing.share(project, first.address, name=f"{MARK} {letters[0]}")
        first.admit(refused.value)
        code = first.sharing.share(project, first.address)
        projects = [project]
        for person in others:
            with pytest.raises(SyncSpaceClosedError) as refused:
                person.sharing.join(code, person.address)
            person.admit(refused.value)
            projects.append(person.sharing.join(code, person.address, name=person.name))
        made.append((people, projects, code))
    yield made
    for people, _, _ in made:
        for person in people:
            person.archive.close()


def publish_everywhere(groups: list[Group]) -> None:
    for people, projects, _ in groups:
        for person, project in zip(people, projects, strict=True):
            name = person.name
            session = person.session(project, f"s-{name}", f"Soru {name}", f"{MARK} {name}")
            person.document(project.id, f"d-{name}", MARK, data=f"{MARK} dosya".encode())
            person.sharing.publish([session])
    for people, projects, _ in groups:
        for person, project in zip(people, projects, strict=True):
            person.sharing.run(project)


def test_five_members_in_two_groups_have_what_is_theirs_and_nothing_else(
    groups: list[Group], server: DatabaseServer
) -> None:
    publish_everywhere(groups)
    for people, projects, _ in groups:
        for person, project in zip(people, projects, strict=True):
            found = person.found("zumruduanka", project)
            assert found == [f"{MARK} {each.name}" for each in people]
            assert len(person.titles(project)) == len(people)
    # No row of the server says a word, whoever reads it.
    rows = [row for table in _TABLES for row in server.sql(f"SELECT * FROM bellek_sync.{table}")]
    assert len(rows) > 50
    for value in (value for row in rows for value in row):
        data = value if isinstance(value, bytes) else str(value).encode()
        assert "Zümrüdüanka".encode() not in data


@pytest.mark.parametrize("table", _TABLES)
def test_the_role_of_one_group_reaches_nothing_of_another_with_plain_sql(
    groups: list[Group], server: DatabaseServer, table: str
) -> None:
    publish_everywhere(groups)
    (_, _, code), ((other, _), _, _) = groups
    space = ProjectKey(secret_of(code)).space
    of_space = f"FROM bellek_sync.{table} WHERE space = '{space}'"
    ((count,),) = server.sql(f"SELECT count(*) {of_space}")
    assert int(str(count)) > 9
    assert server.sql(f"SELECT * {of_space}", other.role) == []
    assert server.sql(f"DELETE {of_space} RETURNING 1", other.role) == []
    spaces = server.sql(f"SELECT DISTINCT space FROM bellek_sync.{table}", other.role)
    assert len(spaces) == 1
    assert (space,) not in spaces
    columns, values = "space, device, name, owner", f"'{space}', 'x', 'x', '{other.role}'"
    if table == "parts":
        columns, values = f"{columns}, part, data", f"{values}, 1, ''"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        server.sql(f"INSERT INTO bellek_sync.{table} ({columns}) VALUES ({values})", other.role)
    admitted = server.sql("SELECT member FROM bellek_sync.members", other.role)
    assert admitted == [(other.role,)]
    with pytest.raises(SyncSpaceClosedError):
        other.sharing.join(code, other.address)


def test_a_removed_member_is_kept_out_by_key_and_by_role(groups: list[Group]) -> None:
    (people, projects, _), _ = groups
    first, second, third = people
    with pytest.raises(SyncSpaceClosedError) as refused:
        first.sharing.remove(projects[0], "b")
    first.admit(refused.value)
    code = first.sharing.remove(projects[0], "b")
    with pytest.raises(SyncSpaceClosedError) as refused:
        third.sharing.run(projects[2])
    third.admit(refused.value)
    assert third.sharing.run(projects[2]).code == code
    with pytest.raises((SyncSpaceClosedError, SharingCodeUnknownError)):
        second.sharing.join(code, second.address)


def test_a_server_that_is_killed_in_between_loses_nothing(
    groups: list[Group], server: DatabaseServer
) -> None:
    (people, projects, _), _ = groups
    first, second, _ = people
    session = first.session(projects[0], "s1", "Soru", "Yanıt")
    first.sharing.publish([session])
    server.kill()
    server.start()
    assert second.sharing.run(projects[1]).received == 1
    assert second.found("yanit", projects[1]) == ["Yanıt"]
