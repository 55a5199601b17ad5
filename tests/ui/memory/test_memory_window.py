"""The memory window: found, traced, corrected, pinned, forgotten and brought back."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.domain.facts import Fact, FactFilter, NewFact
from desktop.domain.ids import FactId
from desktop.domain.projects import EVERYTHING
from desktop.settings.settings import UiLanguage
from desktop.ui.memory.fact_page import FactForm, FormPurpose
from desktop.ui.memory.memory_actions import FactOrder
from desktop.ui.memory.memory_page import FactsPage
from desktop.ui.searchable_list import SearchableItem
from desktop.ui.widgets.plain_text import MessageBox
from tests.archives import NOON
from tests.costs import grows_with_size
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button, texts
from tests.ui.main_window.stage import WAIT_MS, Stage
from tests.ui.memory.conftest import a_fact, form, held, listed, opened


def told(widget: QWidget) -> str:
    return "\n".join(texts(widget))


def choose(stage: Stage, memory: FactsPage, name: str) -> None:
    page = memory._page
    memory.list.choose(FactId(name))
    stage.until(lambda: page._details is not None and page._details.fact.id == name)


def test_facts_are_sorted_by_topic_and_found_while_typing(stage: Stage, memory: FactsPage) -> None:
    tools, home, thesis = "R ile çalışıyor.", "Ankara'da yaşıyor.", "Tezi 14 Mayıs'ta bitecek."
    assert listed(memory) == [tools, home, thesis]
    memory.search.setText("ankara yas")
    assert listed(memory) == [home]
    memory.search.setText("Bursa")
    assert memory._nothing.isVisible()


def test_they_can_be_sorted_by_term_importance_and_age(stage: Stage, memory: FactsPage) -> None:
    memory.order.chosen.emit(FactOrder.TERM)
    assert listed(memory)[-1] == "R ile çalışıyor."
    memory.order.chosen.emit(FactOrder.IMPORTANCE)
    assert listed(memory)[0] == "Ankara'da yaşıyor."
    memory.order.chosen.emit(FactOrder.AGE)
    assert listed(memory)[0] == "R ile çalışıyor."


def test_a_fact_shows_its_source_and_leads_to_it(stage: Stage, memory: FactsPage) -> None:
    choose(stage, memory, "ev")
    page = memory._page
    stage.until(lambda: "“Ankara'da yaşıyorum”" in told(page))
    assert "Tanışma" in told(page)
    assert "İzmir'de yaşıyor." in told(page)
    button(page, "Show in session").click()
    stage.until(lambda: stage.shown()[:1] == ["Merhaba, Ankara'da yaşıyorum."])
    assert not memory.isVisible()


def test_an_edit_keeps_the_older_wording_in_the_history(stage: Stage, memory: FactsPage) -> None:
    choose(stage, memory, "ev")
    memory.list.setFocus()
    QTest.keyClick(memory.list, Qt.Key.Key_Return)
    written = form(memory)
    assert written.purpose is FormPurpose.EDIT
    written._content.setPlainText("Ankara'da, Çankaya'da yaşıyor.")
    QTest.keyClick(written._content, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    stage.until(lambda: "Ankara'da, Çankaya'da yaşıyor." in listed(memory))
    stage.until(lambda: "Ankara'da, Çankaya'da yaşıyor." in told(memory._page))
    stage.until(lambda: "“Ankara'da yaşıyorum”" in told(memory._page))
    stage.until(lambda: "Ankara'da yaşıyor." in told(memory._page))


def test_a_replacement_keeps_none_of_the_old_sources(stage: Stage, memory: FactsPage) -> None:
    choose(stage, memory, "ev")
    button(memory._page, "Replace…").click()
    form(memory)._content.setPlainText("Eskişehir'de yaşıyor.")
    form(memory).save()
    stage.until(lambda: "Eskişehir'de yaşıyor." in listed(memory))
    stage.until(lambda: "You wrote this fact yourself" in told(memory._page))
    assert "Ankara'da yaşıyor." in told(memory._page)
    assert "Ankara'da yaşıyor." not in held(stage)


def test_empty_oversized_or_secret_facts_are_not_saved(stage: Stage, memory: FactsPage) -> None:
    memory._add_fact()
    refused = (("", "Enter a fact."), ("a" * 301, "300"), ("Şifrem: gizli123", "password"))
    for typed, problem in refused:
        form(memory)._content.setText(typed)
        form(memory).save()
        assert problem in told(form(memory))
        assert len(held(stage)) == 3


def test_what_is_written_of_a_fact_that_is_gone_meanwhile_can_be_saved_as_a_new_one(
    stage: Stage, memory: FactsPage
) -> None:
    choose(stage, memory, "ev")
    memory.list.setFocus()
    QTest.keyClick(memory.list, Qt.Key.Key_Return)
    first = form(memory)
    first._content.setPlainText("Bursa'da yaşıyor.")
    stage.archive.facts.delete([FactId("ev")])
    stage.archive.purge_deleted()
    stage.window.devices.received.emit()
    first.save()
    stage.until(lambda: [one for one in memory.findChildren(FactForm) if one.isVisible()] != [])
    assert form(memory)._content.text() == "Bursa'da yaşıyor."
    form(memory).save()
    stage.until(lambda: "Bursa'da yaşıyor." in held(stage))


def test_a_refusal_goes_when_the_fact_is_edited(stage: Stage, memory: FactsPage) -> None:
    memory._add_fact()
    form(memory).save()
    assert "Enter a fact." in told(form(memory))
    QTest.keyClick(form(memory)._content, Qt.Key.Key_A)
    assert "Enter a fact." not in told(form(memory))


def test_a_fact_is_pinned_and_let_go(stage: Stage, memory: FactsPage) -> None:
    choose(stage, memory, "dil")
    button(memory._page, "Pin").click()
    stage.until(lambda: stage.archive.facts.fact(FactId("dil")).is_pinned)
    stage.until(lambda: memory._page._details is not None and memory._page._details.fact.is_pinned)
    button(memory._page, "Unpin").click()
    stage.until(lambda: not stage.archive.facts.fact(FactId("dil")).is_pinned)


@pytest.fixture
def conflict(stage: Stage, memory: FactsPage) -> Stage:
    """A fact one day older than the selected one, with nearly the same words."""
    older = replace(a_fact("okul", "Ankara'da okuyor."), valid_from=NOON)
    stage.archive.facts.add([NewFact(older)])
    memory.load()
    stage.until(lambda: "Ankara'da okuyor." in listed(memory))
    choose(stage, memory, "ev")
    stage.until(lambda: "May conflict with" in told(memory._page))
    return stage


def test_two_facts_that_may_conflict_are_kept_and_not_asked_for_again(
    conflict: Stage, memory: FactsPage
) -> None:
    button(memory._page, "Keep both").click()
    conflict.until(lambda: "May conflict with" not in told(memory._page))
    assert {"Ankara'da yaşıyor.", "Ankara'da okuyor."} <= held(conflict)


def test_the_newer_of_two_conflicting_facts_replaces_the_older(
    conflict: Stage, memory: FactsPage
) -> None:
    button(memory._page, "Keep only the newer one").click()
    conflict.until(lambda: "May conflict with" not in told(memory._page))
    assert {one.id for one in conflict.archive.facts.history(FactId("ev"))} == {"eski", "okul"}


def test_the_other_of_two_conflicting_facts_is_deleted_and_restored(
    conflict: Stage, memory: FactsPage
) -> None:
    button(memory._page, "Delete this one").click()
    conflict.until(lambda: "deleted" in memory.strip)
    assert "Ankara'da okuyor." not in held(conflict)
    memory.strip.undo_last()
    conflict.until(lambda: "Ankara'da okuyor." in held(conflict))


def test_a_deleted_fact_is_removed_and_restored_with_its_history(
    stage: Stage, memory: FactsPage
) -> None:
    choose(stage, memory, "ev")
    QTest.keyClick(memory.list, Qt.Key.Key_Delete)
    stage.until(lambda: "deleted" in memory.strip)
    stage.until(lambda: "Ankara'da yaşıyor." not in listed(memory))
    everything = FactFilter(EVERYTHING, is_valid=None)
    assert {fact.id for fact in stage.archive.facts.facts(everything)} == {"tez", "dil"}
    QTest.keyClick(memory.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    stage.until(lambda: "Ankara'da yaşıyor." in listed(memory))
    assert [one.id for one in stage.archive.facts.history(FactId("ev"))] == ["eski"]


def test_the_undo_key_takes_back_typing_before_a_deletion(stage: Stage, memory: FactsPage) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    choose(stage, memory, "ev")
    QTest.keyClick(memory.list, Qt.Key.Key_Delete)
    stage.until(lambda: memory.strip.can_undo)
    memory.activateWindow()
    memory.search.setFocus()
    stage.until(memory.search.hasFocus)
    QTest.keyClicks(memory.search, "tez")
    QTest.keyClick(memory.search, Qt.Key.Key_Z, control)
    assert memory.search.text() == ""
    assert memory.strip.can_undo
    QTest.keyClick(memory.search, Qt.Key.Key_Z, control)
    stage.until(lambda: "Ankara'da yaşıyor." in listed(memory))
    assert not memory.strip.can_undo


def test_everything_is_deleted_only_after_a_confirmation(stage: Stage, memory: FactsPage) -> None:
    button(memory, "Delete all facts…").click()
    (box,) = memory.findChildren(MessageBox)
    button(box, "Cancel").click()
    assert len(held(stage)) == 3
    button(memory, "Delete all facts…").click()
    box = memory.findChildren(MessageBox)[-1]
    button(box, "Delete all").click()
    stage.until(lambda: not held(stage))
    stage.until(memory._add_first.isVisible)
    memory.strip.undo_last()
    stage.until(lambda: len(held(stage)) == 3)


def test_the_first_fact_is_written_if_there_is_none(empty: Stage) -> None:
    window = opened(empty)
    assert window._add_first.isVisible()
    button(window, "Write the first fact…").click()
    form(window)._content.setPlainText("Çayı şekersiz içer.")
    form(window).save()
    empty.until(lambda: "Çayı şekersiz içer." in listed(window))


def test_the_memory_to_be_sent_is_shown_word_for_word(stage: Stage, memory: FactsPage) -> None:
    stage.until(lambda: bool(memory._sent._text.toPlainText()))
    memory._tabs.setCurrentIndex(1)
    block = stage.services.assistant.memory.prompt_block(EVERYTHING)
    assert memory._sent._text.toPlainText() == block.text
    assert "Ankara'da yaşıyor." in memory._sent._text.toPlainText()


def test_the_preview_is_empty_if_no_memory_may_be_sent(stage: Stage, memory: FactsPage) -> None:
    with stage.qtbot.waitSignal(stage.changes.saved, timeout=WAIT_MS):
        stage.changes.apply(replace(stage.changes.settings, uses_memory=False))
    memory.load()
    stage.until(lambda: "turned off" in memory._sent._amount.text())
    stage.changes.apply(replace(stage.changes.settings, uses_memory=True))
    stage.window.actions_by_name["temporary"].trigger()
    stage.until(lambda: stage.window.sessions.is_temporary)
    memory.load()
    stage.until(lambda: "temporary" in memory._sent._amount.text())


def test_backups_that_contain_deleted_facts_are_mentioned(stage: Stage, memory: FactsPage) -> None:
    backups = stage.services.profile.folder / "backups"
    backups.mkdir(exist_ok=True)
    (backups / "before-step-3.db").touch()
    choose(stage, memory, "dil")
    QTest.keyClick(memory.list, Qt.Key.Key_Delete)
    stage.until(lambda: "deleted" in memory.strip)
    assert "1 earlier backup" in memory.strip.text("deleted")


def test_the_keyboard_alone_leads_through_it(stage: Stage, memory: FactsPage) -> None:
    stage.window.actions_by_name["memory"].trigger()
    memory.search.setFocus()
    QTest.keyClick(memory.search, Qt.Key.Key_Down)
    assert memory.list.current is not None
    first = memory.list.current
    QTest.keyClick(memory.list, Qt.Key.Key_Down)
    assert memory.list.current != first
    QTest.keyClick(memory.list, Qt.Key.Key_Escape)
    QTest.keyClick(memory.search, Qt.Key.Key_Escape)
    assert not memory.isVisible()


def test_the_list_is_a_sound_model(memory: FactsPage, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(memory.model)  # type: ignore[no-untyped-call]


def test_searching_facts_takes_linear_time(stage: Stage, memory: FactsPage, qtbot: QtBot) -> None:
    many = [
        a_fact(f"n{n}", f"Ölçüm {n} için {n % 17} numaralı yöntem seçildi.", f"Konu {n % 40}")
        for n in range(400)
    ]

    def search(facts: Sequence[Fact]) -> None:
        memory.model.show_items(SearchableItem.of_all(facts, [fact.content for fact in facts]))
        for query in ("ö", "öl", "ölç", "ölçüm 9", "ölçüm 99 yöntem", ""):
            memory.search.setText(query)

    assert grows_with_size(search, many[:50], many)


def test_the_actions_of_a_fact_wrap_if_they_do_not_fit(memory: FactsPage) -> None:
    inside = present(memory._page.widget())
    assert inside.minimumSizeHint().width() <= 240


def test_another_language_reopens_it_at_the_same_fact(stage: Stage, memory: FactsPage) -> None:
    choose(stage, memory, "tez")
    stage.window.changes.choose_language(UiLanguage.TR)
    anew = present(stage.window.memory.page)
    assert (anew.windowTitle(), anew.isVisible()) == ("Hatırlananlar", True)
    stage.until(lambda: anew.list.current_id == "tez")
    assert anew.search.placeholderText() == "Hatırlananlarda ara"
    stage.window.changes.choose_language(UiLanguage.EN)


def test_a_change_of_language_keeps_an_open_form(stage: Stage, memory: FactsPage) -> None:
    memory._add_fact()
    stage.window.changes.choose_language(UiLanguage.TR)
    assert memory.isVisible()
    assert form(memory).isVisible()
    form(memory).close()
    memory.close()
    stage.window.changes.choose_language(UiLanguage.EN)
