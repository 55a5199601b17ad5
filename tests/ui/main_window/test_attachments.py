"""Pictures and documents in the window: pasted, dropped, chosen, sent, shown, refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.endpoints import (
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
)
from desktop.domain.projects import EVERYTHING
from desktop.settings.settings import Settings
from desktop.ui.composer.file_chips import FileChips
from desktop.ui.transcript.question_card import QuestionCard
from desktop.ui.window.attachments import PictureDialog, Screenshot, seeing_model
from tests.pictures import SVG, png
from tests.ui.main_window.stage import Stage


@pytest.fixture
def seeing(stage: Stage) -> Stage:
    stage.model.capabilities = Capabilities(images=True)
    return stage


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "kedi.png"
    path.write_bytes(png(40, 30))
    return path


def files_in(*paths: Path) -> QMimeData:
    given = QMimeData()
    given.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return given


def chips(stage: Stage) -> FileChips:
    return stage.window.parts.composer.files


def names(stage: Stage) -> list[str]:
    return [one.name for one in chips(stage).files]


def paste(stage: Stage, given: QMimeData) -> None:
    stage.window.parts.composer.field.insertFromMimeData(given)


def add(stage: Stage, *paths: Path) -> None:
    paste(stage, files_in(*paths))
    stage.until(lambda: len(names(stage)) == len(paths) and not chips(stage).is_busy)


def drop(widget: QWidget, given: QMimeData) -> None:
    actions, nothing = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    left = Qt.MouseButton.LeftButton
    enters = QDragEnterEvent(QPointF(5, 5).toPoint(), actions, given, left, nothing)
    QApplication.sendEvent(widget, enters)
    assert enters.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), actions, given, left, nothing))


def question(stage: Stage) -> QuestionCard:
    live = stage.window.parts.transcript.live.values()
    return next(card for card in live if isinstance(card, QuestionCard))


def test_a_pasted_file_becomes_a_chip_and_no_address(stage: Stage, picture: Path) -> None:
    add(stage, picture)
    assert stage.window.parts.composer.field.toPlainText() == ""
    (chip, cross) = chips(stage).buttons()
    assert chip.accessibleName().startswith("Picture: kedi.png, ")
    assert cross.accessibleName() == "Remove kedi.png"
    stage.until(lambda: not chip.icon().isNull())


def test_a_pasted_picture_becomes_a_chip(stage: Stage) -> None:
    image = QImage(30, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    given = QMimeData()
    given.setImageData(image)
    assert stage.window.parts.composer.field.canInsertFromMimeData(given)
    paste(stage, given)
    stage.until(lambda: names(stage) == ["Pasted picture.png"])


def test_a_file_dropped_on_the_composer_is_attached_not_added_to_the_library(
    stage: Stage, tmp_path: Path
) -> None:
    document = tmp_path / "ekmek.txt"
    document.write_text("Ekmek hamuru bekletilir.", encoding="utf-8")
    drop(stage.window.parts.composer, files_in(document))
    stage.until(lambda: names(stage) == ["ekmek.txt"])
    assert stage.archive.sources.sources(EVERYTHING) == []


def test_after_a_file_is_added_the_field_is_written_in(stage: Stage, picture: Path) -> None:
    stage.window.parts.composer.add.setFocus()
    stage.window.parts.composer.files_given.emit([picture])
    assert stage.window.focusWidget() is stage.window.parts.composer.field


def test_a_file_that_cannot_be_used_says_why(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "resim.svg"
    path.write_bytes(SVG)
    paste(stage, files_in(path))
    strip = stage.window.parts.strip
    stage.until(lambda: "attachment" in strip)
    assert names(stage) == []


def test_a_chip_is_removed_with_a_key(stage: Stage, picture: Path) -> None:
    add(stage, picture)
    QTest.keyClick(chips(stage).buttons()[0], Qt.Key.Key_Delete)
    assert names(stage) == []
    assert not chips(stage).isVisible()


def test_a_picture_alone_is_asked_about_and_shown_with_its_question(
    seeing: Stage, picture: Path
) -> None:
    add(seeing, picture)
    seeing.ask("")
    assert seeing.shown()[0] == "What is in this picture?"
    assert names(seeing) == []
    (sent,) = seeing.model.requests[-1].messages[-1].pictures
    assert sent.data == png(40, 30)
    files = question(seeing)._files
    assert files is not None
    (chip,) = files.buttons()
    seeing.until(lambda: not chip.icon().isNull())
    chip.click()
    seeing.until(lambda: bool(seeing.window.findChildren(PictureDialog)))


def test_an_edited_question_keeps_its_picture(seeing: Stage, picture: Path) -> None:
    add(seeing, picture)
    seeing.ask("Bu ne?")
    with seeing.qtbot.waitSignal(seeing.window.sessions.answered):
        seeing.window.sessions.edit(seeing.messages()[0].message.id, "Ya bu?")
    seeing.until(lambda: seeing.shown()[0] == "Ya bu?")
    assert [one.name for one in seeing.messages()[0].message.files] == ["kedi.png"]


def test_a_draft_s_picture_is_there_again_after_a_crash(
    opens: Callable[[], Stage], picture: Path
) -> None:
    first = opens().settle()
    add(first, picture)
    first.until(lambda: first.core.assistant.draft().files == chips(first).files)
    first.die()
    second = opens()
    second.attach()
    second.until(lambda: names(second) == ["kedi.png"])


def test_a_suggested_question_leaves_the_chips_for_the_next(stage: Stage, picture: Path) -> None:
    add(stage, picture)
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.window.commands.ask("Gelgit nedir?")
    assert stage.messages()[0].message.files == ()
    assert names(stage) == ["kedi.png"]


def test_a_model_that_sees_is_offered_if_the_chosen_one_does_not(
    stage: Stage, picture: Path
) -> None:
    blind = Endpoint(EndpointId("test"), "Test", EndpointKind.SERVER, "http://127.0.0.1:9")
    can = Capabilities(images=True)
    sees = replace(blind, id=EndpointId("sees"), name="Gören", capabilities=can)
    stage.changes.apply(
        Settings(
            endpoints=(blind, sees), roles={ModelRole.ANSWERING: ModelChoice(blind.id, "scripted")}
        )
    )
    assert seeing_model(stage.changes.settings) == ("Gören", ModelChoice(sees.id, ""))
    add(stage, picture)
    stage.send("Bu ne?")
    strip = stage.window.parts.strip
    stage.until(lambda: "attachment" in strip)
    assert "cannot see pictures" in stage.notices()[0]


def test_after_a_screenshot_the_window_is_back(stage: Stage) -> None:
    screenshot = stage.window.findChild(Screenshot)
    assert screenshot is not None
    ended: list[object] = []
    screenshot.taken.connect(ended.append)
    screenshot.failed.connect(lambda: ended.append(None))
    stage.window.parts.composer.add.screenshot_wanted.emit()
    assert not stage.window.isVisible()
    stage.until(lambda: bool(ended))
    assert stage.window.isVisible()
    stage.until(lambda: not chips(stage).is_busy)
