"""The log of contacted addresses: all of them, the newest first, gone with their session."""

from datetime import timedelta

from desktop.domain.ids import SessionId
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.storage.archive import Archive
from tests.archives import NOON, an_active_session

SESSION = SessionId("s1")


def contact(address: str, session_id: SessionId | None = None, minutes: int = 0) -> Contact:
    at = NOON + timedelta(minutes=minutes)
    return Contact(at, ContactPurpose.PAGE, address, ContactOutcome.OK, session_id)


def test_contacts_are_listed_newest_first(archive: Archive) -> None:
    first, second = contact("https://a.example/"), contact("https://b.example/", minutes=1)
    archive.contacts.add(first)
    archive.contacts.add(second)
    assert archive.contacts.contacts() == [second, first]
    assert archive.contacts.contacts(since=second.at) == [second]
    assert archive.contacts.contacts(limit=1) == [second]


def test_the_contacts_of_a_session_are_deleted_with_it(archive: Archive) -> None:
    archive.sessions.save(an_active_session(), [])
    kept, gone = contact("https://a.example/"), contact("https://b.example/", SESSION)
    archive.contacts.add(kept)
    archive.contacts.add(gone)
    assert archive.contacts.contacts(session_id=SESSION) == [gone]
    archive.sessions.delete(SESSION)
    archive.purge_deleted()
    assert archive.contacts.contacts() == [kept]


def test_a_contact_of_a_deleted_session_names_no_session_and_all_can_be_cleared(
    archive: Archive,
) -> None:
    archive.contacts.add(contact("https://a.example/", SessionId("gone")))
    assert archive.contacts.contacts() == [contact("https://a.example/")]
    archive.contacts.clear()
    assert archive.contacts.contacts() == []


def test_cleared_contacts_can_be_restored_among_newer_ones(archive: Archive) -> None:
    contacts = [contact(f"https://{name}.example/", minutes=at) for at, name in enumerate("abc")]
    archive.contacts.add(*contacts[:2])
    cleared = archive.contacts.clear()
    archive.contacts.add(contacts[2])
    archive.contacts.add(*cleared)
    assert archive.contacts.contacts() == contacts[::-1]
