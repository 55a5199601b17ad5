"""Works of a Zotero on loopback in the window: chosen, read again, gone, and not reachable."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop.domain.projects import EVERYTHING
from desktop.ui.library.zotero_dialog import ZoteroDialog
from tests.ui.dialogs.stand_ins import button, texts
from tests.ui.library.conftest import listed, opened
from tests.ui.main_window.stage import Stage
from tests.zotero import Record, StandInZotero


@pytest.fixture
def zotero(empty: Stage) -> Iterator[StandInZotero]:
    with StandInZotero() as zotero:
        empty.changes.apply(replace(empty.changes.settings, zotero_address=zotero.address))
        zotero.collections = {"AAAA1111": ("Tez", "")}
        for number in range(5):
            csl = {"type": "book", "title": f"Göç yazıları {number}"}
            inside = ["AAAA1111"] if number < 2 else []
            zotero.put(Record(f"WORK{number}", csl=csl, collections=inside))
        yield zotero


def asking(stage: Stage) -> ZoteroDialog:
    window = opened(stage)
    window.zotero_wanted.emit()
    dialog = window.findChildren(ZoteroDialog)[-1]
    stage.until(lambda: not dialog._is_asking)
    return dialog


def end(stage: Stage, dialog: ZoteroDialog, label: str) -> None:
    button(dialog, label).click()
    stage.until(lambda: dialog._is_done)


def test_a_chosen_collection_is_added(empty: Stage, zotero: StandInZotero) -> None:
    dialog = asking(empty)
    names = [dialog._collections.itemText(place) for place in range(2)]
    assert names == ["The whole library", "Tez (2)"]
    assert not dialog._renew.isVisible()
    dialog._collections.setCurrentIndex(1)
    end(empty, dialog, "Add")
    assert "2 works added. 2 of them have no PDF." in texts(dialog)
    window = opened(empty)
    empty.until(lambda: sorted(listed(window)) == ["Göç yazıları 0", "Göç yazıları 1"])
    dialog.reject()


def test_what_is_gone_is_asked_about_and_its_removal_can_be_undone(
    empty: Stage, zotero: StandInZotero
) -> None:
    empty.services.zotero.add()
    del zotero.records["WORK3"]
    dialog = asking(empty)
    end(empty, dialog, "Read changes")
    assert "1 work is no longer in Zotero. Remove it here, too?" in texts(dialog)
    assert dialog._details.toPlainText() == "Göç yazıları 3"
    assert len(empty.archive.sources.sources(EVERYTHING)) == 5
    button(dialog, "Remove").click()
    empty.until(lambda: len(empty.archive.sources.sources(EVERYTHING)) == 4)
    window = opened(empty)
    empty.until(lambda: "removed" in window.strip)


def test_what_is_gone_can_be_kept_and_is_not_asked_about_again(
    empty: Stage, zotero: StandInZotero
) -> None:
    empty.services.zotero.add()
    del zotero.records["WORK3"]
    dialog = asking(empty)
    end(empty, dialog, "Read changes")
    button(dialog, "Keep").click()
    empty.until(lambda: len(empty.services.zotero.linked()) == 4)
    assert empty.services.zotero.refresh().gone == []


def test_an_api_that_is_off_can_be_switched_on_and_tried_again(
    empty: Stage, zotero: StandInZotero
) -> None:
    zotero.is_api_on = False
    dialog = asking(empty)
    assert any("Settings > Advanced" in words for words in texts(dialog))
    zotero.is_api_on = True
    button(dialog, "Try again").click()
    empty.until(lambda: not dialog._is_asking)
    assert dialog._collections.isVisible()
    assert button(dialog, "Add").isEnabled()
    dialog.reject()


def test_a_zotero_that_stalls_is_left_at_once(empty: Stage, zotero: StandInZotero) -> None:
    dialog = asking(empty)
    zotero.stalls = True
    button(dialog, "Add").click()
    button(dialog, "Cancel").click()
    empty.until(lambda: dialog._is_done)
    assert "Stopped" in texts(dialog)
    dialog.reject()


def test_selected_works_are_sent_to_zotero(empty: Stage, zotero: StandInZotero) -> None:
    empty.services.zotero.add("Tez")
    window = opened(empty)
    empty.until(lambda: len(listed(window)) == 2)
    window.list.selectAll()
    actions = window.menu_of_selected().actions()
    next(action for action in actions if action.text() == "Send to Zotero").trigger()
    empty.until(lambda: "sent" in window.strip)
    assert sorted(item["title"] for item in zotero.imported) == [
        "Göç yazıları 0",
        "Göç yazıları 1",
    ]
