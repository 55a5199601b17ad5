"""What dropped files are: conversations to import, or documents for the library."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_CONVERSATIONS = frozenset({".zip", ".json", ".jsonl"})
_EITHER = frozenset({".md", ".markdown", ".txt", ".text"})


@dataclass(frozen=True, slots=True)
class Dropped:
    conversations: Sequence[Path] = ()
    documents: Sequence[Path] = ()
    unclear: Sequence[Path] = ()
    """Texts in which somebody speaks and somebody answers."""

    def as_conversations(self) -> "Dropped":
        return Dropped([*self.conversations, *self.unclear], self.documents)

    def as_documents(self) -> "Dropped":
        return Dropped(self.conversations, [*self.documents, *self.unclear])


def sorted_out(paths: Sequence[Path]) -> Dropped:
    """On a worker: it looks into texts."""
    conversations: list[Path] = []
    documents: list[Path] = []
    unclear: list[Path] = []
    for path in paths:
        ending = path.suffix.lower()
        if path.is_dir() or ending not in _CONVERSATIONS | _EITHER:
            documents.append(path)
        elif ending in _CONVERSATIONS:
            conversations.append(path)
        else:
            (unclear if _is_conversation(path) else documents).append(path)
    return Dropped(conversations, documents, unclear)


def _is_conversation(path: Path) -> bool:
    from desktop.domain.errors import FileUnreadableError  # noqa: PLC0415 - on a worker
    from desktop.sessions.importing.preview import looked_at  # noqa: PLC0415 - the same

    try:
        return any(seen.messages > 1 for seen in looked_at(path))
    except FileUnreadableError:
        return False  # the library says why
