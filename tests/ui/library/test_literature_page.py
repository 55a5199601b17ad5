"""The page of literature over the real window, with all services on loopback."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from desktop.domain.literature import ServiceName as S
from desktop.domain.projects import EVERYTHING, NO_PROJECT, Project
from desktop.domain.references import Reference
from desktop.domain.sources import SourceKind
from desktop.domain.times import utc_now
from desktop.settings.settings import Settings, UiLanguage
from desktop.ui.library.library_page import LibraryPage
from desktop.ui.library.literature_page import LiteraturePage
from tests.literature import ODD, Paper, StandInServices
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import texts
from tests.ui.main_window.stage import Stage
from tests.web import page, silent

COPY = "/article"
LETTERS = "Uyku, öğrenilenlerin belleğe yerleşmesine yardım eder. " * 200
SLEEP = Paper(
    "Sleep and the consolidation of memory in adults",
    authors=[("Yılmaz", "Ayşe"), ("Kaya", "Ali")],
    doi="10.1234/sleep.1",
    abstract="We show that sleep helps memory.",
)
RETRACTED = Paper(
    "Sleep without any memory at all in rats",
    doi="10.1234/sleep.2",
    updated_by=[("retraction", "10.1234/notice")],
    cites=[SLEEP.doi],
)
PREPRINT = Paper(
    "Dreams and sleep in the laboratory of the north",
    doi="10.1101/dreams",
    is_preprint=True,
    kind="posted-content",
    published_as="10.1234/dreams.final",
    year=2024,
)


@pytest.fixture
def services() -> Iterator[StandInServices]:
    with StandInServices(SLEEP, RETRACTED, PREPRINT) as made:
        yield made


@pytest.fixture
def stage(opens: Callable[[], Stage], services: StandInServices) -> Stage:
    made = opens()
    made.attach()
    own = {
        name: address
        for name, address in services.settings.items()
        if name in Settings.__dataclass_fields__
    }
    off = {f"uses_{name}": False for name in (S.EUROPE_PMC, S.ARXIV, S.TRDIZIN)}
    use(made, **own, **off, uses_literature=True)
    return made


def use(stage: Stage, **changes: Any) -> None:
    """Change settings, as the user would."""
    with stage.qtbot.waitSignal(stage.changes.in_force):
        stage.changes.apply(replace(stage.changes.settings, **changes))


def opened(stage: Stage) -> LiteraturePage:
    stage.window.actions_by_name["literature"].trigger()
    shown = instance(stage.window.parts.view, LiteraturePage)
    stage.until(lambda: shown._access is not None)
    return shown


def search(stage: Stage, shown: LiteraturePage, words: str) -> None:
    shown.search.setText(words)
    QTest.keyClick(shown.search, Qt.Key.Key_Return)
    stage.until(lambda: not shown._actions.is_searching)


def found(shown: LiteraturePage) -> list[str]:
    return [str(shown.model.index(at).data()) for at in range(shown.model.rowCount())]


def choose(shown: LiteraturePage, paper: Paper) -> None:
    shown.list.setCurrentIndex(shown.model.index(found(shown).index(paper.title)))


def row(shown: LiteraturePage, paper: Paper) -> str:
    index = shown.model.index(found(shown).index(paper.title))
    return str(index.data(Qt.ItemDataRole.AccessibleTextRole))


def press(shown: LiteraturePage, words: str) -> None:
    """Carry out an act of the chosen work."""
    act = next(act for act in shown.acts() if act.words.replace("&", "") == words)
    assert act.is_possible
    act.act()


def library(stage: Stage) -> list[str]:
    return [work.source.title for work in stage.archive.references.works(EVERYTHING)]


def strip_text(stage: Stage) -> str:
    return "\n".join(texts(stage.window.parts.strip))


def test_nothing_is_contacted_until_it_is_turned_on_here(
    stage: Stage, services: StandInServices
) -> None:
    use(stage, uses_literature=False)
    shown = opened(stage)
    words = "\n".join(texts(shown))
    assert "Literature search is off" in words
    assert "Crossref: " in words  # what would be sent to whom
    assert services.requests == []
    shown._turn_on.click()
    stage.until(lambda: bool(shown._access and shown._access.is_on))
    search(stage, shown, "sleep")
    assert SLEEP.title in found(shown)


def test_a_project_on_this_computer_only_contacts_no_service(
    stage: Stage, services: StandInServices
) -> None:
    project = stage.services.projects.create(Project(NO_PROJECT, "Klinik", utc_now()))
    stage.services.projects.edit(replace(project, is_local_only=True))
    stage.services.assistant.project = project.id
    shown = opened(stage)
    assert "On this computer only" in texts(shown)
    assert shown._turn_on.isHidden()
    shown.search.setText("sleep")
    shown.begin()
    stage.until(lambda: not shown._actions.is_searching)
    assert services.requests == []
    assert found(shown) == []


def test_works_are_listed_with_their_marks_and_how_many_there_are(
    stage: Stage, services: StandInServices
) -> None:
    services.totals[S.OPENALEX] = 1340
    shown = opened(stage)
    search(stage, shown, "sleep")
    assert sorted(found(shown)) == sorted(p.title for p in (SLEEP, RETRACTED, PREPRINT))
    assert "OpenAlex: 3 of 1,340" in shown._count.text()
    assert "retracted" in row(shown, RETRACTED)
    assert "retracted" not in row(shown, SLEEP)
    assert "Yılmaz and Kaya · 2020 · Journal of Tests" in row(shown, SLEEP)
    assert "preprint of 10.1234/dreams.final" in row(shown, PREPRINT)
    assert "OpenAlex, Crossref" in row(shown, SLEEP)
    choose(shown, SLEEP)
    assert "We show that sleep helps memory." in shown._details.text()


def test_a_service_that_fails_is_named_and_hides_none_of_the_others(
    stage: Stage, services: StandInServices
) -> None:
    services.odd[S.CROSSREF] = ODD["500"]()
    shown = opened(stage)
    search(stage, shown, "sleep")
    assert SLEEP.title in found(shown)
    assert "Crossref" in shown._failures.text()
    assert not shown._failures.isHidden()


def test_a_search_is_stopped_and_replaced_by_the_next(
    stage: Stage, services: StandInServices
) -> None:
    services.odd[S.CROSSREF] = silent()
    shown = opened(stage)
    shown.search.setText("memory")
    QTest.keyClick(shown.search, Qt.Key.Key_Return)
    stage.until(lambda: SLEEP.title in found(shown))  # what has arrived is shown
    assert shown._actions.is_searching
    assert "Waiting for Crossref" in shown._count.text()
    QTest.keyClick(shown.list, Qt.Key.Key_Escape)
    stage.until(lambda: not shown._actions.is_searching)
    assert SLEEP.title in found(shown)
    del services.odd[S.CROSSREF]
    search(stage, shown, "dreams")
    assert found(shown) == [PREPRINT.title]


def test_filters_are_part_of_the_search(stage: Stage) -> None:
    shown = opened(stage)
    shown.form._filter_button.click()
    assert shown.form._author.hasFocus()
    QTest.keyClicks(shown.form._since, "2022")
    shown.search.setText("sleep")
    QTest.keyClick(shown.form._since, Qt.Key.Key_Return)
    stage.until(lambda: not shown._actions.is_searching)
    assert found(shown) == [PREPRINT.title]
    assert "(1)" in shown.form._filter_button.text()


def test_a_work_is_added_with_its_copy_and_the_addition_is_undone(
    stage: Stage, services: StandInServices
) -> None:
    services.put(COPY, page("Sleep", *[LETTERS] * 2))
    services.papers[0] = replace(SLEEP, pdf=services.url(COPY))
    use(stage, web_at_home=(services.url("/").split("/")[2],))
    shown = opened(stage)
    search(stage, shown, "memory")
    choose(shown, SLEEP)
    press(shown, "Add to the library")
    stage.until(lambda: "full text" in strip_text(stage))
    work = stage.archive.references.works(EVERYTHING)[0]
    assert (work.source.kind, work.reference.doi) == (SourceKind.WEB, SLEEP.doi)
    stage.until(lambda: "in your library" in row(shown, SLEEP))
    stage.window.parts.strip.undo_last()
    stage.until(lambda: library(stage) == [])


def test_a_retracted_work_is_added_with_a_warning_and_its_abstract_alone(stage: Stage) -> None:
    shown = opened(stage)
    search(stage, shown, "rats")
    choose(shown, RETRACTED)
    press(shown, "Add to the library")
    stage.until(lambda: "was added" in strip_text(stage))
    assert "Note: retracted." in strip_text(stage)
    assert "neither a free copy nor an abstract" in strip_text(stage)


def test_a_question_about_a_work_attaches_it_to_the_message(stage: Stage) -> None:
    shown = opened(stage)
    search(stage, shown, "memory")
    choose(shown, SLEEP)
    press(shown, "Ask about this")
    stage.until(lambda: stage.window.parts.view is None)
    assert library(stage) == [SLEEP.title]
    work = stage.archive.references.works(EVERYTHING)[0]
    assert stage.window.recall._in_context == {work.source.id: SLEEP.title}


def test_a_reference_is_copied_as_bibtex_with_its_mark(stage: Stage) -> None:
    shown = opened(stage)
    search(stage, shown, "rats")
    choose(shown, RETRACTED)
    press(shown, "Copy as BibTeX")
    clipboard = QGuiApplication.clipboard()
    stage.until(lambda: RETRACTED.doi in clipboard.text())
    assert "retracted" in clipboard.text()


def test_cited_by_leads_on_and_back_to_the_search(stage: Stage) -> None:
    shown = opened(stage)
    search(stage, shown, "consolidation")
    choose(shown, SLEEP)
    press(shown, "Works that cite it")
    stage.until(lambda: found(shown) == [RETRACTED.title] and not shown._actions.is_searching)
    assert SLEEP.title in shown._subject_label.text()
    QTest.keyClick(shown.list, Qt.Key.Key_Escape)
    assert SLEEP.title in found(shown)
    assert not shown._subject_label.isVisible()


def test_the_library_and_the_literature_lead_to_each_other(stage: Stage) -> None:
    shown = opened(stage)
    shown.library_wanted.emit()
    listed = instance(stage.window.parts.view, LibraryPage)
    listed.literature_wanted.emit()
    assert present(stage.window.parts.view) is shown


def in_library(stage: Stage, paper: Paper) -> LibraryPage:
    """Add a work of which little is known, and choose it in the library."""
    reference = Reference({"title": paper.title, "DOI": paper.doi})
    stage.services.references.add([reference])
    stage.window.library.desk.changed.emit()
    stage.window.actions_by_name["library"].trigger()
    listed = instance(stage.window.parts.view, LibraryPage)
    stage.until(lambda: bool(listed.model.count))
    listed.list.setCurrentIndex(listed.model.index(0, 0))
    return listed


def press_in_library(listed: LibraryPage, words: str) -> None:
    act = next(act for act in listed.acts() if act.words.replace("&", "") == words)
    assert act.is_possible
    act.act()


def test_a_reference_of_the_library_is_completed_by_its_doi(stage: Stage) -> None:
    listed = in_library(stage, SLEEP)
    press_in_library(listed, "Complete by DOI")
    stage.until(lambda: "edited" in listed.strip)
    work = stage.archive.references.works(EVERYTHING)[0]
    assert (work.reference.year, work.reference.authors[0]) == (2020, "Yılmaz, Ayşe")
    listed.strip.undo_last()
    stage.until(lambda: stage.archive.references.works(EVERYTHING)[0].reference.year is None)


def test_what_cites_a_work_of_the_library_is_found_once_literature_is_on(stage: Stage) -> None:
    use(stage, uses_literature=False)
    press_in_library(in_library(stage, SLEEP), "Works that cite it")
    shown = instance(stage.window.parts.view, LiteraturePage)
    stage.until(shown._turn_on.isEnabled)
    shown._turn_on.click()
    stage.until(lambda: found(shown) == [RETRACTED.title])
    assert SLEEP.title in shown._subject_label.text()


def test_a_work_is_found_read_and_added_by_keys_alone(stage: Stage) -> None:
    shown = opened(stage)
    assert shown.search.hasFocus()
    QTest.keyClicks(shown.search, "consolidation")
    QTest.keyClick(shown.search, Qt.Key.Key_Return)
    stage.until(lambda: found(shown) == [SLEEP.title])
    QTest.keyClick(shown.search, Qt.Key.Key_Down)
    assert shown.list.hasFocus()
    QTest.keyClick(shown.list, Qt.Key.Key_Return)
    assert shown._details.hasFocus()
    assert "We show that sleep helps memory." in shown._details.text()
    QTest.keyClick(shown._details, Qt.Key.Key_Tab)
    focused = instance(stage.window.focusWidget(), QAbstractButton)
    assert focused.text() == "&Add to the library"
    QTest.keyClick(focused, Qt.Key.Key_Return)
    stage.until(lambda: library(stage) == [SLEEP.title])


def test_more_works_that_cite_a_work_follow_the_first(
    stage: Stage, services: StandInServices
) -> None:
    services.papers += [
        Paper(f"Rats{'!' * number}", doi=f"10.1234/{'a' * number}x", cites=[SLEEP.doi])
        for number in range(25)
    ]
    shown = opened(stage)
    search(stage, shown, "consolidation")
    choose(shown, SLEEP)
    press(shown, "Works that cite it")
    stage.until(lambda: not shown._actions.is_searching)
    assert (len(found(shown)), shown._more_results.isVisible()) == (20, True)
    shown._more_results.click()
    stage.until(lambda: not shown._actions.is_searching)
    assert len({*found(shown)}) == 26
    assert (shown._trouble.text(), shown._more_results.isVisible()) == ("", False)


def test_why_a_search_failed_is_not_said_of_the_next(
    stage: Stage, services: StandInServices
) -> None:
    shown = opened(stage)
    search(stage, shown, "sleep")
    choose(shown, SLEEP)
    services.odd[S.OPENALEX] = ODD["500"]()
    press(shown, "Works that cite it")
    stage.until(lambda: not shown._actions.is_searching)
    assert "HTTP 500" in shown._trouble.text()
    shown._back.click()
    assert (shown._trouble.text(), len(found(shown))) == ("", 3)
    shown._trouble.set_text("failed")
    search(stage, shown, "sleep")
    assert shown._trouble.text() == ""


@pytest.mark.parametrize("typed", ["2.024", "2,024", "+2024", "1e3", "20245"])
def test_a_year_is_four_digits_in_every_locale(stage: Stage, typed: str) -> None:
    shown = opened(stage)
    shown.form._turn_filters()
    year = shown.form._since
    before = QLocale()
    try:
        for locale in ("tr_TR", "en_US", "C"):
            QLocale.setDefault(QLocale(locale))
            year.clear()
            QTest.keyClicks(year, typed)
            assert year.text() in {"2024", "13"}
            assert shown.form.query.since == int(year.text())
    finally:
        QLocale.setDefault(before)


def test_years_in_the_wrong_order_are_said_and_asked_of_nobody(
    stage: Stage, services: StandInServices
) -> None:
    shown = opened(stage)
    shown.form._since.setText("2025")
    shown.form._until.setText("2020")
    search(stage, shown, "sleep")
    assert "2025" in shown._trouble.text()
    assert shown._trouble.height() > 0
    assert services.requests == []


def test_enter_in_an_empty_year_searches(stage: Stage) -> None:
    shown = opened(stage)
    shown.search.setText("sleep")
    shown.form._turn_filters()
    QTest.keyClick(shown.form._until, Qt.Key.Key_Return)
    stage.until(lambda: not shown._actions.is_searching and len(found(shown)) == 3)


def test_a_count_beyond_what_the_window_can_show_is_left_out(
    stage: Stage, services: StandInServices
) -> None:
    services.papers[:] = [replace(SLEEP, cited_by=3_000_000_000)]
    shown = opened(stage)
    search(stage, shown, "sleep")
    assert "cited" not in row(shown, SLEEP)


def test_the_works_that_are_listed_are_counted(stage: Stage, services: StandInServices) -> None:
    services.papers[:] = [SLEEP, replace(RETRACTED, year=1990, at=frozenset({S.CROSSREF}))]
    shown = opened(stage)
    shown.form._since.setText("2000")
    search(stage, shown, "sleep")
    assert (len(found(shown)), shown._count.text()) == (1, "OpenAlex: 1 of 1 · Crossref: 1 of 2")


def test_the_chosen_work_stays_when_the_language_changes(stage: Stage) -> None:
    shown = opened(stage)
    search(stage, shown, "sleep")
    choose(shown, RETRACTED)
    use(stage, language=UiLanguage.TR)
    assert present(shown.chosen).reference.title == RETRACTED.title
    assert "geri çekildi" in shown._details.text()
