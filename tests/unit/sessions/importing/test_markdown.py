"""Transcripts in markdown and plain text."""

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.sessions.exporting.contents import Cited
from desktop.sessions.exporting.formats import as_markdown
from desktop.sessions.importing.import_types import ImportFormat, OmittedContent
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.archives import finished
from tests.incoming import Desk

TWO = [(Role.USER, "What is it?"), (Role.ASSISTANT, "A thing.\n\nIndeed.")]


def words_of(archive: Archive) -> list[tuple[Role, str]]:
    (session,) = archive.sessions.sessions(EVERYTHING)
    return [(one.role, one.content) for one in archive.sessions.messages(session.id)]


@pytest.mark.parametrize(
    "text",
    [
        "User: What is it?\nAssistant: A thing.\n\nIndeed.\n",
        "User:\nWhat is it?\n\nAssistant:\nA thing.\n\nIndeed.\n",
        "# A title\n\n## User\n\nWhat is it?\n\n## Assistant\n\nA thing.\n\nIndeed.\n",
        "**You:** What is it?\n\n**ChatGPT:** A thing.\n\nIndeed.",
        "**You**: What is it?\n\n**GPT-4o**: A thing.\n\nIndeed.",
        "### 🧑 You:\nWhat is it?\n### 🤖 Claude:\nA thing.\n\nIndeed.",
        "Kullanıcı: What is it?\nAsistan: A thing.\n\nIndeed.",
        "KULLANICI: What is it?\r\nYAPAY ZEKÂ: A thing.\r\n\r\nIndeed.",
        "You said:\nWhat is it?\nChatGPT said:\nA thing.\n\nIndeed.",
        "#### User (2025-01-02 10:00):\nWhat is it?\n#### Assistant (10:01):\nA thing.\n\nIndeed.",
    ],
)
def test_speakers_are_known_by_the_marks_people_use(
    archive: Archive, desk: Desk, text: str
) -> None:
    report = desk.take_bytes(text.encode(), "talk.md")
    assert (report.form, report.added, report.problems) == (ImportFormat.MARKDOWN, 1, [])
    assert words_of(archive) == TWO


def test_a_markdown_export_is_imported_unchanged(archive: Archive, desk: Desk) -> None:
    answer = "Cevap\n\n## Kullanıcı bölümü\n\n```\n## Sen\n```\n\nUser: böyle yazılır."
    one = finished("s", "Soru", answer, title="Başlık", summary="Özet.", topics=["a", "b c"])
    text = as_markdown(one.session, one.messages, Cited(Texts(Language.TR)))
    desk.take_bytes(text.encode(), "s.md")
    (session,) = archive.sessions.sessions(EVERYTHING)
    assert (session.title, session.summary) == ("Başlık", "Özet.")
    assert session.topics == ("a", "b c")
    assert words_of(archive) == [(Role.USER, "Soru"), (Role.ASSISTANT, answer)]


def test_the_same_transcript_again_adds_nothing_and_a_longer_one_its_end(
    archive: Archive, desk: Desk
) -> None:
    text = b"User: a\nAssistant: b\n"
    assert desk.take_bytes(text, "t.md").added == 1
    assert desk.take_bytes(text, "other-name.txt").already_there == 1
    report = desk.take_bytes(text + b"User: c\n", "t.md")
    assert (report.added, report.grown, report.messages) == (0, 1, 1)
    other = desk.take_bytes(b"User: a\nAssistant: something else\n", "t.md")
    assert other.added == 1
    assert len(archive.sessions.sessions(EVERYTHING)) == 2


def test_instructions_of_the_system_are_left_out(archive: Archive, desk: Desk) -> None:
    report = desk.take_bytes(b"System: Be nice.\nUser: a\nAssistant: b\n", "t.txt")
    assert report.left_out[OmittedContent.SYSTEM] == 1
    assert [content for _, content in words_of(archive)] == ["a", "b"]


def test_a_text_without_speakers_is_refused_with_the_reason(desk: Desk) -> None:
    for text, key in [
        (b"Just a letter.\n\nNote: nothing here.\n", "no_speakers"),
        (b"", "file_empty"),
        (b"User:\n\nAssistant:\n", "no_messages"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not_a_transcript"),
    ]:
        (problem,) = desk.take_bytes(text, "t.md").problems
        assert problem.key == key


def test_the_format_can_be_given_if_the_content_looks_like_another(
    archive: Archive, desk: Desk
) -> None:
    text = b'{"a": 1}\nUser: What does this mean?\nAssistant: An object.\n'
    assert desk.take_bytes(text, "t.json", ImportFormat.MARKDOWN).added == 1
    assert SessionId(archive.sessions.sessions(EVERYTHING)[0].id).startswith("md-")


@pytest.mark.parametrize("encoding", ["iso8859-9", "cp1254"])
def test_a_transcript_of_an_older_turkish_system_keeps_its_letters(
    archive: Archive, desk: Desk, encoding: str
) -> None:
    asked, told = ("Şişli'de iğde ağacı nasıl yetişir?", "Güneşli, kuru bir yer ister; su değil.")
    text = f"Kullanıcı: {asked}\nAsistan: {told}\n"
    report = desk.take_bytes(text.encode(encoding), "konusma.md")
    assert (report.added, report.problems) == (1, [])
    assert words_of(archive) == [(Role.USER, asked), (Role.ASSISTANT, told)]


def test_an_exported_session_is_read_back_with_the_headings_that_it_quotes(
    archive: Archive, desk: Desk
) -> None:
    asked = "Özetle:\n\n## You\n\nSöz\n\n## Bellek\n\nBaşka"
    told = "\\## You\n```\n## You\n```\n## Other\n    ## You\nA\u2028## You"
    one = finished("s", asked, told, title="Bellek")
    text = as_markdown(one.session, one.messages, Cited(Texts(Language.EN)))
    desk.take_bytes(text.encode(), "s.md")
    assert words_of(archive) == [(Role.USER, asked), (Role.ASSISTANT, told)]
