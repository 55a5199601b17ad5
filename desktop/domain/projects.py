"""Projects: sessions, documents and a memory of their own, behind a wall."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import NewType

from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass

ProjectId = NewType("ProjectId", str)

NO_PROJECT = ProjectId("")
"""For what belongs to no project; for facts and preferences: what all projects share."""


@dataclass(frozen=True, slots=True)
class Wall:
    """Which projects a question may read, and to which one new facts belong."""

    project: ProjectId
    is_open: bool = False
    is_temporary: bool = False
    """Whether a temporary session asks: its words leave this computer for its answers alone."""

    def has(self, project: str) -> bool:
        return self.is_open or project in {NO_PROJECT, self.project}


EVERYTHING = Wall(NO_PROJECT, is_open=True)
COMMON = Wall(NO_PROJECT)


@dataclass(frozen=True, slots=True)
class Project:
    id: ProjectId
    name: str
    created_at: datetime
    instructions: str = ""
    """They stand above the user's other instructions in each of its requests."""
    variables: Mapping[str, str] = field(default_factory=dict)
    is_local_only: bool = False
    """Whether nothing of it leaves this computer: `local_only` in `settings/settings.py`."""


@dataclass(frozen=True, slots=True)
class ProjectContents:
    sessions: int = 0
    sources: int = 0
    facts: int = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """Return them by the names of their kinds."""
        return {"session": self.sessions, "source": self.sources, "fact": self.facts}


class ProjectUnknownError(AppError):
    """`project`: the name or id asked for."""


class ProjectExistsError(AppError):
    """`project`: the name that another project has."""


class ProjectAmbiguousError(AppError):
    """`project`: the name that several projects have; `ids`: theirs."""


class ProjectVariableInvalidError(AppError):
    """`line`: what was written is no name and value."""


class ProjectLocalOnlyError(AppError):
    """`project`: its name. It is on this computer only, and a session outside it may not be."""
