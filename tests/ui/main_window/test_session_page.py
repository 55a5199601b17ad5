"""The page of a past session: its parts lead on and can be corrected."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from desktop.domain.facts import Fact, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId
from desktop.ui.services import NavigationTarget
from desktop.ui.session.session_page import SessionPageView
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.plain_text import HintLabel
from tests.narrowing import present
from tests.ui.main_window.stage import Stage
from tests.ui.read_aloud import nameless

INSULIN, DAWN = SessionId("example-bazal-insulin"), SessionId("example-dawn-somogyi")


@pytest.fixture
def page(library: Stage) -> SessionPageView:
    """Opened, of a session from which a fact was learned."""
    said = library.archive.sessions.messages(INSULIN)[0]
    fact = Fact(FactId("f"), "Health", "NPH at 19", 5, Origin.SESSION, Term.SHORT, said.created_at)
    library.archive.facts.add([NewFact(fact, [FactSupport(said.id, 0, 6)])])
    library.archive.tags.set("okunacak", [INSULIN], is_on=True)
    library.window.sessions.open(NavigationTarget(INSULIN))
    library.until(lambda: library.window.sessions.is_past_shown)
    assert library.window.page.page is None
    library.window.actions_by_name["session_page"].trigger()
    library.until(lambda: library.window.page.page is not None)
    view: SessionPageView = present(library.window.page.page)
    library.until(view.isVisible)
    return view


def press(card: SessionPageView, beginning: str) -> None:
    buttons = card.findChildren(Button)
    named = {one.accessibleName(): one for one in buttons}
    (found,) = [name for name in named if name.startswith(beginning)]
    named[found].click()


def test_it_shows_the_description_and_every_part_has_a_name(
    library: Stage, page: SessionPageView
) -> None:
    session = library.archive.sessions.session(INSULIN)
    assert [field.text() for field in page.fields.values()] == [
        session.title,
        session.summary,
        ", ".join(session.topics),
    ]
    assert "12 messages · #okunacak" in present(page.findChild(HintLabel)).text()
    assert not nameless(page)
    library.window.actions_by_name["session_page"].trigger()
    assert not page.isVisible()


def test_it_names_the_model_that_described_the_session(
    library: Stage, page: SessionPageView
) -> None:
    details = present(page.details)
    page.show_details(replace(details, page=replace(details.page, describing_model="qwen3-8b")))
    about = present(page.findChild(HintLabel))
    assert about.text().endswith("described by qwen3-8b")


def test_its_links_lead_to_the_memory_and_to_related_sessions(
    library: Stage, page: SessionPageView
) -> None:
    press(page, "Facts learned: NPH at 19")
    memory = library.window.memory
    library.until(lambda: memory.page is not None and memory.page.isVisible())
    library.window.history.back()
    library.until(page.isVisible)
    press(page, "Related: Dawn fenomeni")
    sessions = library.window.sessions
    library.until(lambda: sessions.shown is not None and sessions.shown.id == DAWN)
    assert not page.isVisible()


def test_a_correction_is_kept_and_can_be_undone(library: Stage, page: SessionPageView) -> None:
    before = library.archive.sessions.session(INSULIN)
    title, _, topics = page.fields.values()
    title.setFocus()
    title.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(title, "!")
    QTest.keyClick(title, Qt.Key.Key_Return)
    strip = library.window.parts.strip
    library.until(lambda: "corrected" in strip)
    assert library.archive.sessions.session(INSULIN).title == f"{before.title}!"
    library.until(lambda: f"{before.title}!" in " ".join(library.rows()))
    strip.undo_last()
    library.until(lambda: library.archive.sessions.session(INSULIN) == before)
    library.until(lambda: title.text() == before.title or title.hasFocus())
    topics.setFocus()
    topics.selectAll()
    QTest.keyClicks(topics, "one, two ,, one")
    QTest.keyClick(topics, Qt.Key.Key_Return)
    library.until(lambda: library.archive.sessions.session(INSULIN).topics == ("one", "two"))


def test_an_emptied_title_is_again_what_it_was(library: Stage, page: SessionPageView) -> None:
    title, before = page.fields["title"], page.fields["title"].text()
    title.setFocus()
    title.selectAll()
    QTest.keyClick(title, Qt.Key.Key_Delete)
    assert title.text() == ""
    QTest.keyClick(title, Qt.Key.Key_Return)
    assert title.text() == before
    assert not page.holds_work


def test_the_active_session_has_no_page_yet(library: Stage) -> None:
    library.ask("Soru")
    assert not library.window.actions_by_name["session_page"].isEnabled()


def test_an_unfinished_edit_is_saved_for_its_own_session(
    library: Stage, page: SessionPageView
) -> None:
    title = page.fields["title"]
    title.setFocus()
    title.selectAll()
    QTest.keyClicks(title, "Half")
    library.window.sessions.open(NavigationTarget(DAWN))
    library.until(lambda: library.archive.sessions.session(INSULIN).title == "Half")
    library.window.page.toggle()
    library.until(lambda: present(page.details).page.session.id == DAWN)
    dawn = library.archive.sessions.session(DAWN)
    assert title.text() == dawn.title


def test_a_summary_that_was_focused_but_not_changed_is_replaced_by_a_newer_one(
    library: Stage, page: SessionPageView
) -> None:
    title, summary, _ = page.fields.values()
    descriptions = library.archive.descriptions
    library.window.activateWindow()
    summary.setFocus()
    library.until(summary.hasFocus)
    described = present(descriptions.described(INSULIN))
    descriptions.write(INSULIN, replace(described, summary="Newer"))
    library.window.archive.refresh(INSULIN)
    library.until(lambda: summary.text() == "Newer")
    title.setFocus()
    QTest.qWait(100)
    after = present(descriptions.described(INSULIN))
    assert (after.summary, after.corrected) == ("Newer", described.corrected)
    summary.setFocus()
    QTest.keyClicks(summary, "My ")
    title.setFocus()
    library.until(lambda: "corrected" in library.window.parts.strip)
    assert library.archive.sessions.session(INSULIN).summary == "My Newer"


@pytest.mark.parametrize("part", ["title", "summary", "topics"])
def test_escape_takes_back_what_was_written_and_then_leaves(
    page: SessionPageView, part: str
) -> None:
    field = page.fields[part]
    before = field.text()
    field.setFocus()
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == before
    assert page.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not page.isVisible()


def test_a_text_is_as_high_as_it_is_long(page: SessionPageView) -> None:
    summary = page.fields["summary"]
    short = summary.height()
    summary.setPlainText("Uzun bir özet. " * 100)
    assert summary.height() > 2 * short
    assert summary.verticalScrollBar().maximum() == 0


def test_leaving_the_field_unchanged_writes_no_summary(
    library: Stage, page: SessionPageView
) -> None:
    title, summary, _ = page.fields.values()
    summary.setFocus()
    with library.qtbot.assertNotEmitted(page.written):
        title.setFocus()
