from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.projects import Project, ProjectId, Wall
from desktop.domain.search import HitKind
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.search.hits import FoundHits
from desktop.ui.search.query import Filter
from desktop.ui.services import NavigationTarget
from desktop.ui.sidebar.entries import AnswerMarks, Entry, RowLabels
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.sidebar.view import SessionDelegate
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import Index
from tests.narrowing import present
from tests.ui.sidebar.conftest import NOON, hit

LONG_TITLE = "Diyabette sabah hiperglisemisinin nedenlerini ayırt etmek üzere yapılan uzun " * 3


def session(name: str, days_ago: int = 0) -> Session:
    at = NOON - timedelta(days=days_ago)
    return Session(SessionId(name), SessionStatus.COMPLETE, at, at, title=name, summary="Özet")


def height(sidebar: Sidebar, name: str) -> int:
    return sidebar.list.visualRect(sidebar.model.index_of(SessionId(name))).height()


def entry(sidebar: Sidebar, name: str) -> Entry:
    return present(sidebar.list.entry(sidebar.model.index_of(SessionId(name))))


def test_the_keyboard_walks_from_the_search_over_sessions_and_back(sidebar: Sidebar) -> None:
    sidebar.show_sessions([session("a"), session("b", 1)], has_more=False)
    sidebar.query.focus()
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.list.currentIndex().data() == "a"
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down)
    assert sidebar.list.currentIndex().data() == "b"
    QTest.keyClick(sidebar.list, Qt.Key.Key_Home)
    assert sidebar.list.currentIndex().data() == "a"
    QTest.keyClick(sidebar.list, Qt.Key.Key_Up)
    assert sidebar.search.hasFocus()


def test_a_change_measures_the_rows_that_it_concerns_and_no_others(
    sidebar: Sidebar, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    sidebar.show_sessions([session(f"s{n}", n) for n in range(300)], has_more=False)
    assert height(sidebar, "s0")
    measured: list[str] = []
    measure = SessionDelegate._measure

    def count(delegate: SessionDelegate, index: Index) -> QSize:
        measured.append(str(index.data()))
        return measure(delegate, index)

    monkeypatch.setattr(SessionDelegate, "_measure", count)
    place = SessionId("s7")
    changes: Sequence[Callable[[], None]] = (
        lambda: sidebar.model.put(replace(session("s7", 7), title=LONG_TITLE)),
        lambda: sidebar.model.set_open(place),
        lambda: sidebar.model.set_marks(AnswerMarks(answered=frozenset({place}))),
        lambda: sidebar.model.set_labels([], {"etiket": [place]}, frozenset(), {}),
        lambda: sidebar.model.remove(SessionId("s8")),
        lambda: sidebar.show_sessions([session(f"s{n}", n) for n in range(300)], has_more=False),
    )
    for change in changes:
        measured.clear()
        change()
        assert height(sidebar, "s299")
        assert {name for name in measured if name.startswith("s")} <= {"s7", "s8"}
    sidebar.model.say_again()
    assert height(sidebar, "s299")
    assert "s299" in measured


def test_enter_and_click_open_a_session(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.show_sessions([session("a")], has_more=False)
    sidebar.list.enter()
    with qtbot.waitSignal(sidebar.place_chosen) as by_key:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    with qtbot.waitSignal(sidebar.place_chosen) as by_mouse:
        place = sidebar.list.visualRect(sidebar.model.index_of(SessionId("a"))).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert by_key.args == by_mouse.args == [NavigationTarget(SessionId("a"))]


def test_a_hit_is_opened_at_its_message_with_the_words_to_mark(
    sidebar: Sidebar, qtbot: QtBot
) -> None:
    sidebar.search.setText("somogyi etkisi")
    sidebar.show_hits(FoundHits([hit("a")]))
    with qtbot.waitSignal(sidebar.place_chosen) as chosen:
        sidebar.step(1)
    assert chosen.args == [
        NavigationTarget(SessionId("a"), MessageId(7), ("somogyi", "etkisi"), "somogyi etkisi")
    ]


def test_hits_of_a_query_that_was_cleared_are_not_shown(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits([hit("a")]))
    assert not sidebar.model.is_searching


def test_the_filter_before_a_search_comes_back_after_it(sidebar: Sidebar) -> None:
    sidebar.show_sessions([session("a")], has_more=False)
    sidebar.chips.chosen.emit(Filter.PINNED)
    sidebar.search.setText("so")
    sidebar.show_hits(FoundHits([hit("a")]))
    chosen = [sidebar.model.chosen_filter]
    sidebar.search.clear()
    chosen.append(sidebar.model.chosen_filter)
    assert chosen == [Filter.ALL, Filter.PINNED]


def test_the_number_of_message_hits_is_on_its_chip_and_none_of_titles(sidebar: Sidebar) -> None:
    sidebar.search.setText("so")
    sidebar.show_hits(FoundHits([hit("a"), hit("b")], has_more=True))
    chip = sidebar.chips._buttons[Filter.MESSAGES]
    assert chip.isVisible()
    assert chip.text() == "Messages 2+"
    title = replace(hit("a"), kind=HitKind.SESSION, message_id=None)
    sidebar.show_hits(FoundHits([title], has_more=True))
    assert chip.text().strip() == "Messages"


@pytest.mark.parametrize(
    ("chosen", "words"),
    [(Filter.ALL, "any word in it"), (Filter.PINNED, "Pinned"), (Filter.THIS_WEEK, "week")],
)
def test_an_empty_list_says_what_will_be_there(
    sidebar: Sidebar, chosen: Filter, words: str
) -> None:
    sidebar.show_sessions([], has_more=False)
    sidebar.chips.chosen.emit(chosen)
    assert words in sidebar.list._nothing.text()


def test_before_the_archive_is_read_the_list_is_not_called_empty(sidebar: Sidebar) -> None:
    assert sidebar.list._nothing.isHidden()


def test_a_row_is_as_high_as_its_words_need(sidebar: Sidebar) -> None:
    short, long = session("kısa"), replace(session("uzun"), summary="Uzunca bir özet. " * 20)
    bare = replace(session("boş"), summary=None)
    sidebar.show_sessions([short, long, bare], has_more=False)
    assert height(sidebar, "uzun") > height(sidebar, "kısa") > height(sidebar, "boş")


def test_a_title_of_two_hundred_letters_takes_two_lines_and_is_read_whole(
    sidebar: Sidebar,
) -> None:
    half = replace(session("b"), title=LONG_TITLE[:40])
    whole = replace(session("c"), title=LONG_TITLE)
    sidebar.show_sessions([session("a"), half, whole], has_more=False)
    sidebar.grab()
    assert height(sidebar, "a") < height(sidebar, "b") == height(sidebar, "c")
    index = sidebar.model.index_of(SessionId("c"))
    assert index.data(Qt.ItemDataRole.ToolTipRole) == tip(LONG_TITLE.strip())


def test_a_title_is_not_repeated(sidebar: Sidebar) -> None:
    same = replace(
        session("Ne karar aldık?"), summary="Ne karar aldık?", opening="Ne karar aldık?"
    )
    sidebar.show_sessions([same], has_more=False)
    assert entry(sidebar, "Ne karar aldık?").text == ""


def test_a_long_title_takes_a_line_of_a_long_summary(sidebar: Sidebar) -> None:
    told = "Uzunca bir özet. " * 20
    short, long = replace(session("a"), summary=told), replace(session("b"), summary=told)
    sidebar.show_sessions([short, replace(long, title=LONG_TITLE)], has_more=False)
    # A line of a title is a little higher than one of the summary, and no more than that.
    assert abs(height(sidebar, "a") - height(sidebar, "b")) <= Space.TIGHT


def test_a_hit_keeps_both_lines_of_its_words_below_a_long_title(sidebar: Sidebar) -> None:
    words = "Somogyi etkisi ile karıştırılan sabah yüksekliği " * 4
    short = replace(hit("a"), title="Kısa", snippet=words)
    long = replace(hit("b"), title=LONG_TITLE, snippet=words)
    sidebar.search.setText("somogyi")
    sidebar.show_hits(FoundHits([short, long]))
    sidebar.grab()
    assert height(sidebar, "a") == height(sidebar, "b")


def test_ten_thousand_sessions_are_listed_and_painted(sidebar: Sidebar) -> None:
    many = [session(f"s{number}", number // 20) for number in range(10_000)]
    sidebar.show_sessions(many, has_more=False)
    assert not sidebar.grab().isNull()
    assert sidebar.model.rowCount() > 10_000


def test_a_title_is_changed_in_its_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.show_sessions([session("a")], has_more=False)
    sidebar.rename(SessionId("a"))
    editor = present(sidebar.list.findChild(QLineEdit))
    assert editor.text() == "a"
    editor.setText("Yeni ad")
    with qtbot.waitSignal(sidebar.model.renamed) as renamed:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == ["a", "Yeni ad"]


def test_a_title_that_is_being_typed_stays_when_the_list_is_read_again(
    sidebar: Sidebar, qtbot: QtBot
) -> None:
    before = [session(name, number) for number, name in enumerate("abc")]
    sidebar.show_sessions(before, has_more=True)
    sidebar.rename(SessionId("b"))
    editor = present(sidebar.list.findChild(QLineEdit))
    QTest.keyClicks(editor, "Yeni ad")
    sidebar.model.retranslate_rows()
    sidebar.show_sessions([replace(one, title="Başka") for one in before], has_more=True)
    sidebar.show_sessions([session("yeni"), *before[:2]], has_more=True)  # a full page
    with qtbot.waitSignal(sidebar.model.renamed) as renamed:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == ["b", "Yeni ad"]


def test_the_menu_offers_what_makes_sense(sidebar: Sidebar) -> None:
    active = replace(session("now"), status=SessionStatus.ACTIVE)
    sidebar.show_sessions([replace(session("a"), is_pinned=True)], has_more=False)
    sidebar.model.set_active(active)
    past = [action.text() for action in sidebar.menu_of(entry(sidebar, "a")).actions()]
    now = [action.text() for action in sidebar.menu_of(entry(sidebar, "now")).actions()]
    assert "Continue this session" in past
    assert "Unpin" in past
    assert "Continue this session" not in now
    assert "Pin" in now


def test_each_action_of_the_menu_names_its_session(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.show_sessions([session("a")], has_more=False)
    actions = {one.text(): one for one in sidebar.menu_of(entry(sidebar, "a")).actions()}
    for name, what in (
        ("Continue this session", "continue"),
        ("Copy as text", "copy"),
        ("Export…", "export"),
        ("Delete", "delete"),
        ("Pin", "pin"),
    ):
        with qtbot.waitSignal(sidebar.act_wanted) as asked:
            actions[name].trigger()
        assert asked.args == [what, ["a"]]


def test_next_and_previous_count_from_what_is_open_wherever_the_keyboard_was(
    sidebar: Sidebar, qtbot: QtBot
) -> None:
    sidebar.show_sessions([session("a"), session("b", 1), session("c", 2)], has_more=False)
    sidebar.select(SessionId("b"))
    sidebar.list.setCurrentIndex(sidebar.model.index_of(SessionId("a")))
    with qtbot.waitSignal(sidebar.place_chosen) as chosen:
        sidebar.step(1)
    assert chosen.args == [NavigationTarget(SessionId("c"))]


def test_the_heading_of_a_group_is_seen_with_its_first_row(sidebar: Sidebar) -> None:
    sidebar.resize(292, 300)
    sidebar.show_sessions([session(f"s{n}", n) for n in range(30)], has_more=False)
    sidebar.list.scrollToBottom()
    sidebar.select(SessionId("s0"))
    assert sidebar.list.visualRect(sidebar.model.index(0)).top() >= 0


def test_a_long_list_is_whole_after_every_change(sidebar: Sidebar) -> None:
    many = [session(f"s{n}", n) for n in range(450)]
    sidebar.show_sessions(many, has_more=False)
    last = sidebar.model.index_of(SessionId("s449"))
    sidebar.list.doItemsLayout()
    assert sidebar.list.visualRect(last).height() > 0
    sidebar.list.scrollToBottom()
    at = sidebar.list.verticalScrollBar().value()
    sidebar.model.put(replace(many[3], title="Yeni ad"))
    sidebar.list.doItemsLayout()
    assert sidebar.list.verticalScrollBar().value() == at


def test_every_selected_session_is_marked(sidebar: Sidebar) -> None:
    sidebar.show_sessions([session("a"), session("b", 1), session("c", 2)], has_more=False)
    places = [sidebar.model.index_of(SessionId(name)) for name in "abc"]
    for place in places[:2]:
        sidebar.list.selectionModel().select(place, QItemSelectionModel.SelectionFlag.Select)
    painted = sidebar.list.viewport().grab().toImage()
    marked, also, plain = (
        painted.pixelColor(sidebar.list.visualRect(place).center().x(), rect.bottom() - 4)
        for place in places
        for rect in [sidebar.list.visualRect(place)]
    )
    assert marked == also != plain


def test_the_open_session_is_marked_in_the_list(sidebar: Sidebar) -> None:
    sidebar.show_sessions([session("a"), session("b", 1)], has_more=False)
    sidebar.select(SessionId("b"))
    assert sidebar.list.currentIndex().data() == "b"
    sidebar.select(None)
    assert not sidebar.list.selectionModel().hasSelection()


def test_chips_wrap_if_the_sidebar_is_narrow(sidebar: Sidebar) -> None:
    wide = sidebar.chips.heightForWidth(400)
    assert sidebar.chips.heightForWidth(120) > wide


def test_the_key_that_leads_here_is_shown_until_something_is_typed(sidebar: Sidebar) -> None:
    hint = sidebar.search._hint
    sidebar.set_hints(QKeySequence("Ctrl+K"), QKeySequence("Ctrl+N"))
    assert hint.isVisible()
    sidebar.search.setText("a")
    assert not hint.isVisible()
    sidebar.search._clear.click()
    assert sidebar.query.text == ""
    assert hint.isVisible()


def test_nothing_is_opened_if_there_is_nothing(sidebar: Sidebar) -> None:
    sidebar.show_sessions([], has_more=False)
    sidebar.list.enter()
    assert sidebar.list.currentIndex() == QModelIndex()
    sidebar.step(1)


TAGGED = SessionId("a")


def show_labels(sidebar: Sidebar, *sessions: Session) -> None:
    sidebar.show_sessions(sessions, has_more=False)
    project = Project(ProjectId("p"), "Tez", NOON)
    tags, branched, owners = {"okunacak": {TAGGED}}, frozenset({TAGGED}), {"shared": "Ayşe"}
    sidebar.model.set_labels([project], tags, branched, owners)


def test_a_row_names_project_tags_and_branches_also_for_a_screen_reader(sidebar: Sidebar) -> None:
    show_labels(sidebar, replace(session("a"), project=ProjectId("p")), session("b"))
    label = SessionRole.LABELS
    assert sidebar.model.index_of(TAGGED).data(label) == RowLabels(
        "Tez", ("#okunacak", "branched")
    )
    assert not sidebar.model.index_of(SessionId("b")).data(label)
    said = sidebar.model.index_of(TAGGED).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Tez, #okunacak, branched" in said
    sidebar.model.wall = Wall(ProjectId("p"))  # the list says once which project it shows
    assert sidebar.model.index_of(TAGGED).data(label).project == ""


def test_a_row_names_the_member_that_a_shared_session_comes_from(sidebar: Sidebar) -> None:
    show_labels(sidebar, session("shared"), session("b"))
    index = sidebar.model.index_of(SessionId("shared"))
    assert index.data(SessionRole.LABELS) == RowLabels("", ("Ayşe",))
    assert "Ayşe" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_labels_take_a_line_of_the_text_and_none_of_a_compact_row(sidebar: Sidebar) -> None:
    several = [replace(session(name), summary="Uzun bir özet. " * 20) for name in ("a", "b")]
    show_labels(sidebar, *several)
    assert height(sidebar, "a") == height(sidebar, "b")
    full = height(sidebar, "a")
    sidebar.list.set_compact(is_compact=True)
    sidebar.list.doItemsLayout()
    assert height(sidebar, "a") == height(sidebar, "b") < full / 2


def select_three(sidebar: Sidebar) -> None:
    sidebar.show_sessions(
        [session(name, days) for days, name in enumerate("abcd")], has_more=False
    )
    sidebar.activateWindow()
    sidebar.list.enter()
    for _ in range(2):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)


def test_shift_and_arrows_select_several_and_a_bar_acts_on_all(
    sidebar: Sidebar, qtbot: QtBot
) -> None:
    assert not sidebar.selection.isVisible()
    select_three(sidebar)
    assert sidebar.selection.isVisible()
    assert sidebar.selection.accessibleName() == "3 selected"
    for what in ("export", "merge", "delete"):
        with qtbot.waitSignal(sidebar.act_wanted) as act:
            sidebar.selection.buttons[what].click()
        assert act.args == [what, ["a", "b", "c"]]


def test_what_cannot_be_merged_is_not_offered_for_merging(sidebar: Sidebar) -> None:
    select_three(sidebar)
    assert sidebar.selection.buttons["merge"].isVisible()
    sidebar.list.clearSelection()
    sidebar.model.set_active(replace(session("e"), status=SessionStatus.ACTIVE))
    sidebar.list.selectAll()
    assert sidebar.selection.isVisible()
    assert not sidebar.selection.buttons["merge"].isVisible()


@pytest.mark.parametrize("place", ["list", "bar"])
def test_escape_clears_the_selection_and_the_list_keeps_the_keys(
    sidebar: Sidebar, place: str
) -> None:
    select_three(sidebar)
    bar = sidebar.selection
    if place == "bar":
        bar.buttons["delete"].setFocus()
    QTest.keyClick(sidebar.list if place == "list" else bar.buttons["delete"], Qt.Key.Key_Escape)
    assert sidebar.chosen() == []
    assert not bar.isVisible()
    assert sidebar.list.hasFocus()


def test_the_keys_stay_in_the_list_when_the_selected_sessions_go(sidebar: Sidebar) -> None:
    select_three(sidebar)
    sidebar.selection.buttons["delete"].setFocus()
    for name in "abc":
        sidebar.model.remove(SessionId(name))
    assert not sidebar.selection.isVisible()
    assert sidebar.list.hasFocus()
