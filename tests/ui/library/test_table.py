"""The table of the library: its columns, sorting, filters, references, and what is added to it."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop.domain.ids import SourceId
from desktop.domain.projects import EVERYTHING
from desktop.domain.references import CslItem, FieldOrigin, Work, WorkMark
from desktop.domain.sources import SourceKind
from desktop.references import formatting
from desktop.references.merging import reference_of
from desktop.settings.settings import Theme
from desktop.ui.library.library_page import LibraryPage
from desktop.ui.library.reference_form import ReferenceForm
from desktop.ui.library.table_model import COLUMNS, Column, WorkFilter
from desktop.ui.search.results_list import ResultKind
from desktop.ui.widgets.bars import Rank
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button
from tests.ui.library.conftest import a_source, listed, opened, passages
from tests.ui.main_window.stage import Stage

HALF_LINE = QPoint(0, 12)  # from the middle of a row to above its letters
ORIGINAL = {"family": "Berg", "non-dropping-particle": "van den", "given": "Jan"}
WORKS: dict[str, CslItem] = {
    "Zeytinlikte su": {
        "type": "article-journal",
        "author": [{"family": "Yılmaz", "given": "Ahmet"}],
        "issued": {"date-parts": [[2019]]},
        "DOI": "10.1000/zeytin",
    },
    "Arı kovanı": {
        "type": "book",
        "author": [ORIGINAL, {"family": "Çelik", "given": "İrem"}],
        "issued": {"date-parts": [[2004, 5]]},
    },
    "Belgesiz not": {},
}


BIBTEX = "@article{a, title={Zeytinlikte su}, year={2019}, volume={7}}\n@book{b, title={Su}}"
CSL_JSON = (
    '[{"id":"a","type":"book","title":"Su"},{"id":"b","type":"book","title":"Zeytinlikte su",'
    '"issued":{"date-parts":[[2019]]},"volume":"7"}]'
)


@pytest.fixture
def works(empty: Stage) -> Stage:
    for title, csl in WORKS.items():
        source = a_source(title, f"/yok/{title}.pdf", kind=SourceKind.DOCUMENT)
        empty.archive.sources.add(source, passages(["Damla sulama az su ister."]))
        reference = reference_of({"title": title} | dict(csl), FieldOrigin.BIBTEX)
        empty.archive.references.store(source.id, reference)
    return empty


def choose(window: LibraryPage, title: str) -> SourceId:
    window.list.setCurrentIndex(window.model.index(listed(window).index(title), 0))
    return present(window.list.current).source.id


def act(window: LibraryPage, words: str) -> None:
    (chosen,) = (one for one in window.acts() if one.words == words)
    assert chosen.is_possible
    chosen.act()


def work(stage: Stage, source_id: SourceId) -> Work:
    return stage.archive.references.work(source_id)


def shown(window: LibraryPage) -> set[Column]:
    hidden = window.list.isColumnHidden
    return {column for place, column in enumerate(COLUMNS) if not hidden(place)}


def test_a_click_on_a_column_sorts_and_another_turns_the_order(works: Stage) -> None:
    window = opened(works)
    header = window.list.horizontalHeader()
    place = COLUMNS.index(Column.YEAR)
    middle = header.sectionViewportPosition(place) + header.sectionSize(place) // 2
    at = header.rect().center()
    at.setX(middle)
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(header.viewport(), left, pos=at)
    assert listed(window) == ["Zeytinlikte su", "Arı kovanı", "Belgesiz not"]
    assert header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
    QTest.mouseClick(header.viewport(), left, pos=at)
    assert listed(window) == ["Arı kovanı", "Zeytinlikte su", "Belgesiz not"], "no year is last"
    assert header.sortIndicatorSection() == place


def test_the_order_can_be_chosen_in_the_menu(works: Stage) -> None:
    window = opened(works)
    (choices,) = window.filter_button.findChildren(QMenu)
    choices.aboutToShow.emit()
    orders = present(choices.actions()[0].menu())
    assert isinstance(orders, QMenu)
    next(one for one in orders.actions() if one.text() == "Authors").trigger()
    assert listed(window) == ["Arı kovanı", "Zeytinlikte su", "Belgesiz not"]


def test_authors_year_and_doi_are_searched(works: Stage) -> None:
    window = opened(works)
    for query, title in (
        ("yilmaz", "Zeytinlikte su"),
        ("2004", "Arı kovanı"),
        ("10.1000", "Zeytinlikte"),
    ):
        window.search.setText(query)
        assert [one.startswith(title) for one in listed(window)] == [True], query


def test_kind_and_reading_filter_the_table_and_stay_in_another_language(works: Stage) -> None:
    window = opened(works)
    source = choose(window, "Arı kovanı")
    act(window, "Mark as rea&d")
    works.until(lambda: work(works, source).finished_at is not None)
    works.until(lambda: present(window.list.current).is_read)
    window._filter(WorkFilter(is_read=False))
    assert "Arı kovanı" not in listed(window)
    window._filter(WorkFilter(kind="book", is_read=True))
    assert listed(window) == ["Arı kovanı"]
    assert window.filter_button.text() == "Read · Book"
    works.window.library.retranslate()
    again = present(works.window.library.page)
    works.until(lambda: listed(again) == ["Arı kovanı"])


def test_narrow_tables_hide_columns_and_never_the_title(works: Stage) -> None:
    window = opened(works)
    works.window.resize(1280, 820)
    assert shown(window) == set(COLUMNS) - {Column.PLACE}, "there are neither projects nor tags"
    window.list.resize(420, 300)
    assert Column.TITLE in shown(window)
    assert shown(window) < set(COLUMNS) - {Column.PLACE, Column.KIND}
    window.list.resize(120, 300)
    assert shown(window) == {Column.TITLE}


def test_the_width_of_a_column_is_kept(works: Stage) -> None:
    window = opened(works)
    works.window.resize(1280, 820)
    place = COLUMNS.index(Column.AUTHORS)
    with works.qtbot.waitSignal(window.list.widths_changed):
        window.list.horizontalHeader().resizeSection(place, 260)
    works.window.library.retranslate()
    again = present(works.window.library.page)
    works.until(lambda: again.is_loaded)
    letter = again.fontMetrics().averageCharWidth()
    assert abs(again.list.columnWidth(place) - 260) <= letter


def form_of(stage: Stage, window: LibraryPage, title: str) -> ReferenceForm:
    choose(window, title)
    act(window, "&Edit reference…")
    (form,) = window.findChildren(ReferenceForm)
    return form


def test_the_form_stores_what_was_changed_and_undo_takes_it_back(works: Stage) -> None:
    window = opened(works)
    form = form_of(works, window, "Arı kovanı")
    source = present(window.list.current).source.id
    authors = form._fields["author"]
    assert authors.text() == "van den Berg, Jan\nÇelik, İrem"
    authors.setText("van den Berg, Jan\nKaya, Ali")
    form._fields["container-title"].setText("Arıcılık")
    button(form, "Save").click()
    works.until(lambda: window.strip.can_undo)
    stored = work(works, source).reference
    assert stored.csl["author"] == [ORIGINAL, {"family": "Kaya", "given": "Ali"}]
    assert stored.origins["container-title"] is FieldOrigin.TYPED
    assert stored.origins["issued"] is FieldOrigin.BIBTEX, "an unchanged field keeps its origin"
    assert stored.csl["issued"] == WORKS["Arı kovanı"]["issued"]
    window.strip.undo_last()
    works.until(lambda: len(work(works, source).reference.csl) == 4)


@pytest.mark.parametrize(
    ("name", "wrong", "right"), [("DOI", "zeytin", "10.1000/182"), ("issued", "geçen yıl", "2019")]
)
def test_the_form_refuses_what_the_command_refuses_and_keeps_what_was_typed(
    works: Stage, name: str, wrong: str, right: str
) -> None:
    window = opened(works)
    form = form_of(works, window, "Arı kovanı")
    source = present(window.list.current).source.id
    form._fields[name].setText(wrong)
    form.save()
    assert form.isVisible()
    assert wrong in form.problem.text()
    form._fields[name].setText(right)
    form.save()
    works.until(lambda: window.strip.can_undo)
    assert right[:4] in str(work(works, source).reference.csl[name])


def test_a_long_title_leaves_room_for_the_mark_of_a_retracted_work(works: Stage) -> None:
    title = " ".join(["Zeytinlikte su"] * 20)
    source = a_source(title, "/yok/uzun.pdf")
    works.archive.sources.add(source, passages())
    csl: CslItem = {"title": title, "keyword": WorkMark.RETRACTED}
    works.archive.references.store(source.id, reference_of(csl, FieldOrigin.BIBTEX))
    window = opened(works)
    works.theme.apply(Theme.LIGHT)
    row = next(row for row, words in enumerate(listed(window)) if words.startswith(title))
    place = window.list.visualRect(window.model.index(row, 0))
    image, wrong = window.list.viewport().grab(place).toImage(), works.theme.tokens.syntax.wrong
    colours = {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }
    assert wrong in colours


def test_a_selected_row_is_more_than_a_hovered_one_in_both_themes(works: Stage) -> None:
    window = opened(works)
    window.list.selectRow(0)
    for theme in (Theme.LIGHT, Theme.DARK):
        works.window.changes.apply(replace(works.window.changes.settings, theme=theme))
        image, tokens = works.window.grab().toImage(), works.theme.tokens
        places = (window.list.visualRect(window.model.index(row, 0)) for row in (0, 1))
        selected, other = (
            image.pixelColor(
                window.list.viewport().mapTo(works.window, place.center() - HALF_LINE)
            )
            for place in places
        )
        assert other.name() == tokens.ground
        assert selected.name() == tokens.accent_ground


def test_a_new_title_is_that_of_the_reference(works: Stage) -> None:
    window = opened(works)
    source = choose(window, "Zeytinlikte su")
    window._store(source, {"title": "Zeytin ve su"})
    works.until(lambda: "Zeytin ve su" in listed(window))
    assert work(works, source).reference.origins["title"] is FieldOrigin.TYPED


def test_a_reference_is_copied_in_a_style_or_else_as_bibtex(
    works: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "find_pandoc", lambda: None)
    window, clipboard = opened(works), QGuiApplication.clipboard()
    choose(window, "Zeytinlikte su")
    QTest.keyClick(window.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    works.until(lambda: "copied" in window.strip)
    assert window.strip.text("copied") == "1 reference copied as BibTeX."
    assert clipboard.text().startswith("@article{")


def test_questions_are_asked_about_the_chosen_works(works: Stage) -> None:
    window = opened(works)
    window.list.selectAll()
    act(window, "A&sk about these")
    assert not window.isVisible()
    ids = {source.id for source in works.archive.sources.sources(EVERYTHING)}
    assert set(works.window.recall._in_context) == ids


def test_words_that_no_column_has_are_searched_inside_documents(works: Stage) -> None:
    window = opened(works)
    window.search.setText("damla sulama")
    assert window._inside.isVisible()
    window._inside.click()
    results = works.window.parts.results
    works.until(lambda: len(results.model.sessions) == 3)
    assert results.filters.kind.value == ResultKind.SOURCES


def test_added_documents_are_reported_and_undo_removes_them(empty: Stage, files: Path) -> None:
    window = opened(empty)
    with empty.qtbot.waitSignal(empty.window.library.added, timeout=60_000):
        window.add_wanted.emit([files])
    (notice,) = window.strip.waiting() or window.strip._strips.values()
    assert notice.message.rank is Rank.FAILURE
    assert notice.message.words.startswith("1 document added. ✗ bozuk.pdf: ")
    empty.until(lambda: listed(window) == ["zeytin"])
    window.strip.undo_last()
    empty.until(lambda: listed(window) == [])


@pytest.mark.parametrize("copies", [False, True])
def test_a_copy_is_kept_if_the_settings_say_so(empty: Stage, files: Path, *, copies: bool) -> None:
    if copies:
        with empty.qtbot.waitSignal(empty.changes.saved):
            empty.changes.apply(replace(empty.changes.settings, copies_documents=True))
    with empty.qtbot.waitSignal(empty.window.library.added, timeout=60_000):
        empty.window.library.take_dropped([files / "zeytin.txt"])
    (source,) = empty.archive.sources.sources(EVERYTHING)
    assert (source.copy is not None) is copies


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.bib", BIBTEX),
        ("a.json", CSL_JSON),
    ],
)
def test_files_of_references_are_imported_and_undone(
    works: Stage, tmp_path: Path, name: str, text: str
) -> None:
    window = opened(works)
    source = choose(window, "Zeytinlikte su")
    file = tmp_path / name
    file.write_text(text, "utf-8")
    with works.qtbot.waitSignal(works.window.library.added, timeout=60_000):
        window.add_wanted.emit([file])
    (words,) = (window.strip.text(key) for key in window.strip._strips)
    assert words == "1 new reference imported. 1 reference completed."
    works.until(lambda: "Su" in listed(window))
    assert work(works, source).reference.csl["volume"] == "7"
    window.strip.undo_last()
    works.until(lambda: "volume" not in work(works, source).reference.csl)
    works.until(lambda: "Su" not in listed(window))
