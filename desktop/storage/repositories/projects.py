"""Projects as rows, and the moves of sessions and sources between them.

A deleted project keeps its rows until the purge; its contents deleted with it have the same time
of deletion, by which `restore` finds them.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    exists,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import AttachedId, SessionId, SourceId, new_project_id
from desktop.domain.projects import (
    NO_PROJECT,
    Project,
    ProjectAmbiguousError,
    ProjectContents,
    ProjectExistsError,
    ProjectId,
    ProjectLocalOnlyError,
    ProjectUnknownError,
    Wall,
)
from desktop.domain.times import utc_now, utc_text
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.schema.database import Database, Repository
from desktop.storage.schema.learned_tables import (
    memory_proposals,
    patterns,
    preference_evidence,
    preferences,
    watched_folders,
    watches,
)
from desktop.storage.schema.row_mapping import DatabaseRow, listed, read_json, read_time
from desktop.storage.schema.tables import (
    fact_sources,
    facts,
    messages,
    projects,
    prompts,
    session_tags,
    sessions,
    sources,
    tags,
)

T = TypeVar("T", SessionId, SourceId)
_LIVE = projects.c.deleted_at.is_(None)
_LOCAL_ONLY = select(projects.c.name).where(_LIVE, projects.c.is_local_only == 1)
_OWNED = (facts, preferences, sessions, sources)
"""The contents that are deleted with a project, and restored with it."""
_WATCHES = (watches, watched_folders)


class ImportedPlace(NamedTuple):
    is_new: bool
    is_there: bool  # Not deleted by the user since


class ProjectStore(Repository):
    """Every method may raise StorageError."""

    def projects(self) -> list[Project]:
        all_projects = [_project_of(row) for row in self._rows(select(projects).where(_LIVE))]
        return sorted(all_projects, key=lambda project: folded_key(project.name))

    def find(self, project_id: ProjectId) -> Project | None:
        if not project_id:
            return None
        row = self._row(select(projects).where(_LIVE, projects.c.id == project_id))
        return _project_of(row) if row else None

    def named(self, name: str) -> Project:
        """Return the project with that name or id.

        Raises ProjectUnknownError; ProjectAmbiguousError for a name that several have.
        """
        if project := self.find(ProjectId(name)):
            return project
        key = _key(name)
        named = [project for project in self.projects() if _key(project.name) == key]
        if not named:
            raise ProjectUnknownError(project=name)
        if len(named) > 1:
            ids = ", ".join(project.id for project in named)
            raise ProjectAmbiguousError(project=name, ids=ids)
        return named[0]

    def every_place(self) -> list[ProjectId]:
        return [NO_PROJECT, *(project.id for project in self.projects())]

    def wall(self, project: ProjectId, *, is_open: bool = False) -> Wall:
        """Return the wall around a session; an open one if there are no projects.

        A search need not check that one, which is faster in a large archive.
        """
        is_alone = not project and self._value(select(projects.c.id).limit(1)) is None
        return Wall(project, is_open=is_open or is_alone)

    def is_local_only(self, wall: Wall) -> bool:
        """Return whether something behind this wall may not leave the computer."""
        here = _LOCAL_ONLY if wall.is_open else _LOCAL_ONLY.where(projects.c.id == wall.project)
        return self._value(here.limit(1)) is not None

    def check_reach(self, wall: Wall, attached: Sequence[AttachedId]) -> None:
        """Check that a session outside a project on this computer only reads nothing of it.

        What the session has read is in its later requests, too. Raises ProjectLocalOnlyError.
        """
        if self.is_local_only(Wall(wall.project)):
            return
        others = _LOCAL_ONLY
        if not wall.is_open:
            read = {*attached, *self.places([SourceId(each) for each in attached]).values()}
            others = others.where(projects.c.id.in_(listed(read)))
        if (name := self._value(others.limit(1))) is not None:
            raise ProjectLocalOnlyError(project=name)

    def create(self, name: str) -> Project:
        """Raises ProjectExistsError."""
        project = Project(new_project_id(), _line(name), self._now())
        row = {"id": project.id, "name": project.name, "created_at": utc_text(self._now())}
        with self._database.writing() as db:
            _check_name(db, name)
            db.execute(insert(projects).values(row))
        return project

    def add_imported(self, project: Project) -> ImportedPlace:
        """Add a project of another program under its id, unless it came before.

        A project of the user's own that has its name keeps it: the new one is numbered.
        """
        with self._database.writing() as db:
            query = select(projects.c.deleted_at).where(projects.c.id == project.id)
            if row := db.execute(query).first():
                return ImportedPlace(is_new=False, is_there=row.deleted_at is None)
            taken, name, number = _ids_by_name(db), _line(project.name), 1
            while _key(name) in taken:
                number += 1
                name = f"{_line(project.name)} {number}"
            row_values = {
                "id": project.id,
                "name": name,
                "created_at": utc_text(project.created_at),
                "instructions": fix_surrogates(project.instructions),
            }
            db.execute(insert(projects).values(row_values))
        return ImportedPlace(is_new=True, is_there=True)

    def named_or_new(self, name: str) -> ProjectId:
        """Return the project of that name, made if there is none."""
        with self._database.writing() as db:
            return project_named(db, name)

    def edit(self, project: Project) -> None:
        """Store name, instructions and variables.

        Raises ProjectUnknownError, ProjectExistsError.
        """
        values = {
            "name": _line(project.name),
            "instructions": fix_surrogates(project.instructions),
            "variables": fix_surrogates(json.dumps(dict(project.variables), ensure_ascii=False)),
            "is_local_only": int(project.is_local_only),
        }
        with self._database.writing() as db:
            before = db.execute(select(projects.c.name).where(_is(project.id))).scalar()
            if before is None:
                raise ProjectUnknownError(project=project.id)
            if _key(before) != _key(project.name):
                _check_name(db, project.name)
            db.execute(update(projects).where(_is(project.id)).values(values))

    def contents(self, project: ProjectId) -> ProjectContents:
        def count(table: Table) -> int:
            query = select(func.count()).select_from(table)
            here = (table.c.project == project, table.c.deleted_at.is_(None))
            return int(self._value(query.where(*here)))

        return ProjectContents(count(sessions), count(sources), count(facts))

    def move(
        self,
        project: ProjectId,
        moved_sessions: Iterable[SessionId] = (),
        moved_sources: Iterable[SourceId] = (),
    ) -> None:
        ids = list(moved_sessions)
        with self._database.writing() as db:
            _move_sessions(db, ids, project)
            of_sources = update(sources).where(sources.c.id.in_(listed(moved_sources)))
            db.execute(of_sources.values(project=project))
        for session_id in ids:
            self.cached.drop(session_id)

    def places(self, among: Sequence[SessionId | SourceId]) -> Mapping[str, ProjectId]:
        """Return where sessions and sources are, so that they can be moved back."""
        queries = [
            select(table.c.id, table.c.project).where(table.c.id.in_(listed(among)))
            for table in (sessions, sources)
        ]
        return {row.id: ProjectId(row.project) for query in queries for row in self._rows(query)}

    def delete(self, project: ProjectId, *, with_contents: bool) -> Sequence[str]:
        """Delete a project; `restore` brings it back, a purge makes it final.

        Its contents are deleted with it, or then belong to no project; its watches end. Returns
        the ids of what stays.
        """
        at, ids = utc_text(self._now()), list[str]()
        with self._database.writing() as db:
            db.execute(update(projects).where(_is(project)).values(deleted_at=at))
            for table in () if with_contents else (*_OWNED, prompts):
                ids += _free(db, table, project)
            for table in (*_OWNED, *_WATCHES) if with_contents else _WATCHES:
                here = table.c.project == project, table.c.deleted_at.is_(None)
                db.execute(update(table).where(*here).values(deleted_at=at))
            if with_contents:
                ended = {"status": "complete", "ended_at": func.coalesce(sessions.c.ended_at, at)}
                db.execute(update(sessions).where(sessions.c.deleted_at == at).values(ended))
        self.cached.clear()
        return ids

    def restore(self, project: ProjectId, ids: Sequence[str] = ()) -> None:
        with self._database.writing() as db:
            when = select(projects.c.deleted_at).where(projects.c.id == project)
            at = db.execute(when).scalar()
            for table in (*_OWNED, *_WATCHES):
                gone = (table.c.project == project, table.c.deleted_at == at)
                db.execute(update(table).where(*gone).values(deleted_at=None))
            for table in (*_OWNED, prompts):
                left = update(table).where(table.c.id.in_(listed(ids)))
                db.execute(left.values(project=project))
            db.execute(update(projects).where(projects.c.id == project).values(deleted_at=None))
        self.cached.clear()


class TagStore(Repository, Generic[T]):
    """The user's own tags of sessions, or of sources. Every method may raise StorageError."""

    def __init__(self, database: Database, owners: Table, links: Table) -> None:
        """`links`: the table of tags; its first column is the id of the owner."""
        super().__init__(database)
        self._owners, self._links = owners, links
        self._owner = links.columns[0]
        of_owner = self._owner == bindparam("owner")
        self._names = select(tags.c.name).join(links, links.c.tag_id == tags.c.id).where(of_owner)

    def tags(self) -> Mapping[str, frozenset[T]]:
        query = (
            select(tags.c.name, self._owner)
            .join(self._links, self._links.c.tag_id == tags.c.id)
            .join(self._owners, self._owners.c.id == self._owner)
            .where(self._owners.c.deleted_at.is_(None))
            .order_by(tags.c.folded)
        )
        owners: dict[str, frozenset[T]] = {}
        for name, owner in self._rows(query):
            owners[name] = owners.get(name, frozenset()) | {owner}
        return owners

    def of(self, owner: T) -> list[str]:
        return list(self._values(self._names, {"owner": owner}))

    def set(self, name: str, among: Iterable[T], *, is_on: bool) -> Sequence[T]:
        """Tag sessions or sources, or remove their tag; return those that this changed."""
        ids, every = listed(among), self._owners.c.id
        with self._database.writing() as db:
            tag = _tag_named(db, name)
            has = self._owner.in_(ids) & (self._links.c.tag_id == tag)
            before = list(db.execute(select(self._owner).where(has)).scalars())
            if not is_on:
                db.execute(delete(self._links).where(has))
                return before
            self._link(db, tag, every.in_(ids))
            there = db.execute(select(every).where(every.in_(ids))).scalars()
            return [owner for owner in there if owner not in before]

    def tagging(self, names: Iterable[str]) -> Callable[[Connection, T], None]:
        """Return what gives tags to an owner in the transaction that adds it."""

        def tag(db: Connection, owner: T) -> None:
            for name in names:
                self._link(db, _tag_named(db, name), self._owners.c.id == owner)

        return tag

    def _link(self, db: Connection, tag: int, are_owners: ColumnElement[bool]) -> None:
        query = select(self._owners.c.id, literal(tag)).where(are_owners)
        row = insert(self._links).from_select([self._owner.name, "tag_id"], query)
        db.execute(row.prefix_with("OR IGNORE"))


def assign_imported(
    db: Connection, session_id: SessionId, project: str, names: Sequence[str]
) -> None:
    """Give an imported session the project and tags that its file names."""
    for name in dict.fromkeys(map(folded_key, names)):
        own = next(candidate for candidate in names if folded_key(candidate) == name)
        row = {"session_id": session_id, "tag_id": _tag_named(db, own)}
        db.execute(insert(session_tags).values(row).on_conflict_do_nothing())
    if project:
        project_id = project_named(db, project)
        db.execute(update(sessions).where(sessions.c.id == session_id).values(project=project_id))


def project_named(db: Connection, name: str) -> ProjectId:
    """Return the project of that name, created if missing; an empty name stands for none."""
    if not name:
        return NO_PROJECT
    if (project_id := _ids_by_name(db).get(_key(name))) is None:
        project_id = new_project_id()
        row = {"id": project_id, "name": _line(name), "created_at": utc_text(utc_now())}
        db.execute(insert(projects).values(row))
    return project_id


def _tag_named(db: Connection, name: str) -> int:
    folded = folded_key(_line(name))
    db.execute(insert(tags).values(name=_line(name), folded=folded).on_conflict_do_nothing())
    return int(db.execute(select(tags.c.id).where(tags.c.folded == folded)).scalar_one())


def purge_projects(db: Connection, until: str) -> int:
    """Remove projects deleted before a moment, with everything in them."""
    gone = select(projects.c.id).where(projects.c.deleted_at < until)
    for table in (memory_proposals, patterns, preferences, prompts):
        db.execute(delete(table).where(table.c.project.in_(gone)))
    return db.execute(delete(projects).where(projects.c.deleted_at < until)).rowcount


def _free(db: Connection, table: Table, project: ProjectId) -> list[str]:
    """Take everything out of a project; return the ids."""
    here = table.c.project == project
    ids = list(db.execute(select(table.c.id).where(here)).scalars())
    db.execute(update(table).where(here).values(project=NO_PROJECT))
    return ids


def _move_sessions(db: Connection, moved: Sequence[str], project: ProjectId) -> None:
    ids = listed(moved)
    learned = (
        (facts, fact_sources, "fact_id"),
        (preferences, preference_evidence, "preference_id"),
    )
    for owner, support, key in learned:
        of_owner = support.c[key] == owner.c.id
        conditions = (
            messages.c.id == support.c.message_id,
            sessions.c.id == messages.c.session_id,
        )
        # A fact that was made common in a project stays common.
        is_there = sessions.c.project == owner.c.project
        here = exists().where(of_owner, *conditions, sessions.c.id.in_(ids), is_there)
        elsewhere = exists().where(
            of_owner,
            *conditions,
            sessions.c.id.not_in(ids),
            sessions.c.project != project,
            sessions.c.deleted_at.is_(None),
        )
        db.execute(update(owner).where(here, ~elsewhere).values(project=project))
    db.execute(update(sessions).where(sessions.c.id.in_(ids)).values(project=project))


def _is(project: ProjectId) -> ColumnElement[bool]:
    return _LIVE & (projects.c.id == project)


def _check_name(db: Connection, name: str) -> None:
    if _key(name) in _ids_by_name(db):
        raise ProjectExistsError(project=_line(name))


def _ids_by_name(db: Connection) -> Mapping[str, ProjectId]:
    rows = db.execute(select(projects.c.id, projects.c.name).where(_LIVE)).all()
    return {_key(row.name): ProjectId(row.id) for row in rows}


def _key(name: str) -> str:
    """Return what two names have in common only if they are the same."""
    return folded_key(_line(name))


def _line(name: str) -> str:
    return fix_surrogates(" ".join(name.split()))


def _project_of(row: DatabaseRow) -> Project:
    stored = read_json(row.variables)
    variables = stored if isinstance(stored, dict) else {}
    return Project(
        ProjectId(row.id),
        row.name,
        read_time(row.created_at),
        instructions=row.instructions,
        variables={str(name): str(value) for name, value in variables.items()},
        is_local_only=bool(row.is_local_only),
    )
