"""Contacts that no disk keeps: those of temporary sessions."""

from collections import deque
from dataclasses import dataclass, field

from desktop.domain.web import Contact

_MOST = 1000


@dataclass(frozen=True, slots=True)
class PassingContacts:
    """Any thread may use it."""

    _contacts: deque[Contact] = field(default_factory=lambda: deque(maxlen=_MOST))

    def add(self, contact: Contact) -> None:
        self._contacts.append(contact)

    def contacts(self) -> list[Contact]:
        """The newest first."""
        return list(self._contacts)[::-1]
