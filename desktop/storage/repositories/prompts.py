"""The user's own prompts."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.projects import EVERYTHING, NO_PROJECT, Wall
from desktop.domain.prompts import Prompt, merge_prompts
from desktop.domain.times import utc_text
from desktop.storage.repositories.projects import project_named
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import within_or_common
from desktop.storage.schema.tables import projects, prompts

_LIVE = (prompts.c.project == NO_PROJECT) | prompts.c.project.in_(
    select(projects.c.id).where(projects.c.deleted_at.is_(None))
)
"""Prompts of a deleted project are restored with it."""


class PromptStore(Repository):
    """A prompt is known by its name and project. Every method may raise StorageError."""

    def prompts(self, wall: Wall) -> list[Prompt]:
        """Return the prompts offered in a project, the last used first, then by name."""
        query = select(prompts.c.name, prompts.c.text, func.coalesce(projects.c.name, ""))
        query = query.outerjoin(projects, projects.c.id == prompts.c.project)
        query = query.where(_LIVE, within_or_common(prompts.c.project, wall))
        query = query.order_by(prompts.c.used_at.desc().nulls_last(), prompts.c.name)
        return [Prompt(*row) for row in self._rows(query)]

    def replace(self, new_prompts: Sequence[Prompt]) -> None:
        at = utc_text(self._now())
        with self._database.writing() as db:
            ids = [_store(db, prompt, at) for prompt in new_prompts]
            db.execute(delete(prompts).where(_LIVE, prompts.c.id.not_in(ids)))

    def add(self, added: Sequence[Prompt]) -> int:
        """Add prompts that do not exist yet; return how many were new."""
        there = self.prompts(EVERYTHING)
        new = merge_prompts(there, added)[len(there) :]
        at = utc_text(self._now())
        with self._database.writing() as db:
            for prompt in new:
                _store(db, prompt, at)
        return len(new)

    def note_use(self, prompt: Prompt) -> None:
        used = {"used_at": utc_text(self._now())}
        named = select(projects.c.id).where(
            projects.c.name == prompt.project, projects.c.deleted_at.is_(None)
        )
        there: ColumnElement[bool] = prompts.c.project == NO_PROJECT
        if prompt.project:
            there = prompts.c.project.in_(named)
        self._change(update(prompts).where(prompts.c.name == prompt.name, there).values(used))


def _store(db: Connection, prompt: Prompt, at: str) -> str:
    """Store a prompt, in a new project if none has the name; return its id."""
    project = project_named(db, prompt.project)
    key = f"{project}/{prompt.name}" if project else prompt.name
    row = {"name": prompt.name, "text": prompt.text, "updated_at": at}
    new = insert(prompts).values(id=key, project=project, **row)
    db.execute(new.on_conflict_do_update(index_elements=[prompts.c.id], set_=row))
    return key
