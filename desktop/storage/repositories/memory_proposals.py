"""What other assistants remember: sentences that are no facts until the user confirms them."""

from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.facts import MemoryProposal
from desktop.domain.ids import ProposalId
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import memory_proposals
from desktop.storage.schema.row_mapping import listed, within_or_common
from desktop.storage.schema.tables import projects

_DIGEST_LETTERS = 20
_WAITING = memory_proposals.c.decided_at.is_(None)
_LIVE = (memory_proposals.c.project == NO_PROJECT) | memory_proposals.c.project.in_(
    select(projects.c.id).where(projects.c.deleted_at.is_(None))
)
"""A project's sentences wait until the project itself has been imported, and go with it."""


def proposal_id(text: str, project: ProjectId) -> ProposalId:
    """Return the id of a sentence, by which it is recognised after its words are gone."""
    return ProposalId(sha256(f"{project}\n{text}".encode()).hexdigest()[:_DIGEST_LETTERS])


class MemoryProposalStore(Repository):
    """Every method may raise StorageError."""

    def add(self, proposals: Iterable[MemoryProposal]) -> int:
        """Add those that never came before, also if they were decided; return how many."""
        at, added = utc_text(self._now()), 0
        with self._database.writing() as db:
            for proposal in proposals:
                row = {
                    "id": proposal.id,
                    "program": proposal.program,
                    "content": proposal.text,
                    "project": proposal.project,
                    "added_at": at,
                }
                new = insert(memory_proposals).values(row).on_conflict_do_nothing()
                added += db.execute(new).rowcount
        return added

    def waiting(self, wall: Wall) -> list[MemoryProposal]:
        """Return the sentences that wait for the user, in the order in which they came."""
        return self._read(_WAITING, _LIVE, within_or_common(memory_proposals.c.project, wall))

    def some(self, ids: Iterable[ProposalId]) -> list[MemoryProposal]:
        """Return those of these that still wait."""
        return self._read(_WAITING, _LIVE, memory_proposals.c.id.in_(listed(ids)))

    def decide(self, ids: Iterable[ProposalId]) -> int:
        """Keep no word of these sentences, only that they were decided."""
        gone = {"content": "", "decided_at": utc_text(self._now())}
        here = memory_proposals.c.id.in_(listed(ids))
        return self._change(update(memory_proposals).where(here, _WAITING).values(gone))

    def _read(self, *conditions: ColumnElement[bool]) -> list[MemoryProposal]:
        query = select(memory_proposals).where(*conditions)
        return [
            MemoryProposal(ProposalId(row.id), row.content, row.program, ProjectId(row.project))
            for row in self._rows(query.order_by(memory_proposals.c.added_at))
        ]
