"""The user's own prompts."""

from collections.abc import Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.prompts import Prompt
from desktop.domain.times import utc_text
from desktop.storage.database import Repository
from desktop.storage.tables import prompts


class PromptStore(Repository):
    """A prompt is known by its name. Every method may raise StorageError."""

    def prompts(self) -> list[Prompt]:
        """Return the prompts, the last used first, then by name."""
        wanted = select(prompts.c.name, prompts.c.text)
        wanted = wanted.order_by(prompts.c.used_at.desc().nulls_last(), prompts.c.name)
        return [Prompt(*row) for row in self._rows(wanted)]

    def replace(self, wanted: Sequence[Prompt]) -> None:
        at = utc_text(self._now())
        with self._database.writing() as db:
            db.execute(delete(prompts).where(prompts.c.name.not_in([one.name for one in wanted])))
            for one in wanted:
                row = insert(prompts).values(id=one.name, **one._asdict(), updated_at=at)
                changed = {"text": one.text, "updated_at": at}
                db.execute(row.on_conflict_do_update(index_elements=[prompts.c.id], set_=changed))

    def note_use(self, name: str) -> None:
        used = {"used_at": utc_text(self._now())}
        self._change(update(prompts).where(prompts.c.name == name).values(used))
