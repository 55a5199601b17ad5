"""The page at the head of a past session: it unfolds, its parts lead on and can be corrected."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.facts import Fact, NewFact, Origin, Support, Term
from desktop.domain.ids import FactId, SessionId
from desktop.ui.services import NavigationTarget
from desktop.ui.session.session_page import SessionPageCard
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.plain_text import Label
from tests.narrowing import present
from tests.ui.main_window.stage import Stage
from tests.ui.read_aloud import nameless

INSULIN, DAWN = SessionId("example-bazal-insulin"), SessionId("example-dawn-somogyi")


@pytest.fixture
def page(library: Stage) -> SessionPageCard:
    """Unfolded, of a session from which a fact was learned."""
    said = library.archive.sessions.messages(INSULIN)[0]
    fact = Fact(FactId("f"), "Health", "NPH at 19", 5, Origin.SESSION, Term.SHORT, said.created_at)
    library.archive.facts.add([NewFact(fact, [Support(said.id, 0, 6)])])
    card = library.window.parts.page
    library.window.sessions.open(NavigationTarget(INSULIN))
    library.until(lambda: library.window.sessions.is_past_shown)
    assert not card.isVisible()
    library.window.actions_by_name["session_page"].trigger()
    library.until(card.isVisible)
    return card


def press(card: SessionPageCard, beginning: str) -> None:
    buttons = card.findChildren(Button)
    named = {one.accessibleName(): one for one in buttons}
    (found,) = [name for name in named if name.startswith(beginning)]
    named[found].click()


def test_it_shows_the_description_and_every_part_has_a_name(
    library: Stage, page: SessionPageCard
) -> None:
    session = library.archive.sessions.session(INSULIN)
    assert [field.text() for field in page.fields] == [
        session.title,
        session.summary,
        ", ".join(session.topics),
    ]
    assert not nameless(page)
    library.window.actions_by_name["session_page"].trigger()
    assert not page.isVisible()


def test_it_names_the_model_that_described_the_session(
    library: Stage, page: SessionPageCard
) -> None:
    assert page.page is not None
    page.show_page(replace(page.page, describing_model="qwen3-8b"), ())
    (row,) = [label for label in page.findChildren(Label) if label.text() == "qwen3-8b"]
    library.until(row.isVisible)
    assert row.height() > 0


def test_its_links_lead_to_the_memory_and_to_related_sessions(
    library: Stage, page: SessionPageCard
) -> None:
    press(page, "Facts learned: NPH at 19")
    memory = library.window.memory
    library.until(lambda: memory.page is not None and memory.page.isVisible())
    press(page, "Related: Dawn fenomeni")
    sessions = library.window.sessions
    library.until(lambda: sessions.shown is not None and sessions.shown.id == DAWN)
    assert not page.isVisible()


def test_a_correction_is_kept_and_can_be_undone(library: Stage, page: SessionPageCard) -> None:
    before = library.archive.sessions.session(INSULIN)
    title, _, topics = page.fields
    title.setFocus()
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
    topics.setText("one, two ,, one")
    QTest.keyClick(topics, Qt.Key.Key_Return)
    library.until(lambda: library.archive.sessions.session(INSULIN).topics == ("one", "two"))


def test_the_active_session_has_no_page_yet(library: Stage) -> None:
    library.ask("Soru")
    assert not library.window.parts.page.isVisible()
    assert not library.window.actions_by_name["session_page"].isEnabled()


def test_an_unfinished_edit_is_saved_for_its_own_session(
    library: Stage, page: SessionPageCard
) -> None:
    title = page.fields[0]
    title.setFocus()
    title.setText("Half")
    library.window.sessions.open(NavigationTarget(DAWN))
    library.until(lambda: library.archive.sessions.session(INSULIN).title == "Half")
    library.window.page.toggle()
    library.until(lambda: page.page is not None and page.page.session.id == DAWN)
    dawn = library.archive.sessions.session(DAWN)
    assert title.text() == dawn.title


def test_a_summary_that_was_focused_but_not_changed_is_replaced_by_a_newer_one(
    library: Stage, page: SessionPageCard
) -> None:
    title, summary, _ = page.fields
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


@pytest.mark.parametrize("place", range(3))
def test_escape_folds_it_from_every_field(page: SessionPageCard, place: int) -> None:
    QTest.keyClick(page.fields[place], Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert page.page is None


def test_leaving_the_field_unchanged_writes_no_summary(
    library: Stage, page: SessionPageCard
) -> None:
    title, summary, _ = page.fields
    summary.setFocus()
    with library.qtbot.assertNotEmitted(page.written):
        title.setFocus()
