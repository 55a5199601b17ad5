"""Pictures and documents in the window: pasted, dropped, chosen, sent, shown, refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.domain.endpoints import (
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelInfo,
    ModelRole,
)
from desktop.domain.projects import EVERYTHING
from desktop.llm.capability_test import OnStep, Probe, TestReport, TestStep
from desktop.ui.composer.attachments import Screenshot
from desktop.ui.dialogs.information_dialogs import PictureDialog
from desktop.ui.transcript.question_card import QuestionCard
from desktop.ui.widgets.file_chips import FileChips
from desktop.ui.widgets.plain_text import Label
from tests.narrowing import present
from tests.pictures import png
from tests.ui.gestures import drop, files_in
from tests.ui.main_window.stage import Stage, english


@pytest.fixture
def seeing(stage: Stage) -> Stage:
    stage.model.capabilities = Capabilities(images=True)
    return stage


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "kedi.png"
    path.write_bytes(png(40, 30))
    return path


def chips(stage: Stage) -> FileChips:
    return stage.window.parts.composer.files


def names(stage: Stage) -> list[str]:
    return [one.name for one in chips(stage).files]


def paste(stage: Stage, given: QMimeData) -> None:
    stage.window.parts.composer.field.insertFromMimeData(given)


def add(stage: Stage, *paths: Path) -> None:
    paste(stage, files_in(*paths))
    stage.until(lambda: len(names(stage)) == len(paths) and not chips(stage).is_busy)


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


def test_a_dropped_folder_is_refused_with_its_reason(stage: Stage, tmp_path: Path) -> None:
    drop(stage.window.parts.composer, files_in(tmp_path))
    told = [one.text() for one in stage.window.parts.strip.findChildren(Label)]
    assert any(f"“{tmp_path.name}” is a folder" in words for words in told)
    assert not chips(stage).is_busy


@pytest.mark.parametrize("place", ["composer", "empty_page", "transcript", "strip"])
@pytest.mark.parametrize("html", ["", "<p>Ekmek <b>neden</b> kabarır?</p>"])
def test_text_dropped_anywhere_is_written_into_the_field(
    stage: Stage, place: str, html: str
) -> None:
    given, asked = QMimeData(), "Ekmek neden kabarır?"
    if html:
        given.setHtml(html)
    else:
        given.setText(asked)
    target: QWidget | None = getattr(stage.window.parts, place)
    while target is not None and not target.acceptDrops():  # as Qt looks for one that takes it
        target = target.parentWidget()
    assert target is not None
    drop(target, given)
    composer = stage.window.parts.composer
    assert composer.text == asked
    composer.clear()
    assert composer.field.canInsertFromMimeData(given)
    paste(stage, given)
    assert composer.text == asked


def test_after_a_file_is_added_the_field_is_written_in(stage: Stage, picture: Path) -> None:
    stage.window.parts.composer.add.setFocus()
    stage.window.parts.composer.files_given.emit([picture])
    assert stage.window.focusWidget() is stage.window.parts.composer.field


def test_a_file_that_cannot_be_used_says_why(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "resim.bin"
    path.write_bytes(bytes(range(256)))
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
    files = present(question(seeing)._files)
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
    first.until(lambda: first.services.assistant.drafts.read().files == chips(first).files)
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


BLIND = Endpoint(EndpointId("test"), "Test", EndpointKind.SERVER, "http://127.0.0.1:9")


class BlindModels:
    """Connections whose models can do much, but do not see."""

    def choose(self, _: ModelChoice | None) -> None:
        """Only the settings decide."""

    def list_models(self, _: Endpoint) -> list[ModelInfo]:
        return []

    def test(self, endpoint: Endpoint, _model: str, _on_step: OnStep) -> TestReport:
        step = TestStep(Probe.ANSWER, ok=True)
        return TestReport(replace(endpoint, capabilities=Capabilities(tools=True)), (step,))


@pytest.fixture
def blind(opens: Callable[[], Stage]) -> Stage:
    """A model that nobody has tested for pictures; it sees what the settings say."""
    made = opens()
    made.stand_in(models=BlindModels())
    made.changes.apply(replace(english(), endpoints=(BLIND,)))
    made.changes.in_force.connect(
        lambda now: setattr(made.model, "capabilities", now.endpoints[0].capabilities)
    )
    return made.settle()


def press(stage: Stage, key: str, label: str) -> None:
    buttons = {one.text(): one for one in stage.window.parts.strip._strips[key].buttons}
    buttons[label].click()


def test_a_model_not_known_to_see_is_asked_about_when_the_picture_is_added(
    blind: Stage, picture: Path
) -> None:
    add(blind, picture)
    strip = blind.window.parts.strip
    blind.until(lambda: "unseen" in strip)
    assert strip.text("unseen") == "It is not known whether scripted can see pictures."
    blind.write("Bu ne?")
    with blind.qtbot.waitSignal(blind.window.sessions.answered):
        press(blind, "unseen", "Send anyway")
    assert len(blind.model.requests[-1].messages[-1].pictures) == 1
    assert "unseen" not in strip


def test_a_picture_is_left_out_of_a_question_that_failed_because_of_it(
    blind: Stage, picture: Path
) -> None:
    add(blind, picture)
    blind.write("Bu ne?")
    blind.ask("Bu ne?")
    assert "is not known to see pictures" in blind.notices()[0]
    with blind.qtbot.waitSignal(blind.window.sessions.answered):
        press(blind, "attachment", "Send without pictures")
    blind.until(lambda: blind.shown() == ["Bu ne?", "Tamam."])
    assert blind.messages()[0].message.files == ()


def test_a_test_from_the_notice_says_what_it_found_and_is_kept(
    blind: Stage, picture: Path
) -> None:
    add(blind, picture)
    strip = blind.window.parts.strip
    press(blind, "unseen", "Test the model")
    blind.until(lambda: strip.text("attachment") == "scripted cannot see pictures.")
    assert blind.changes.settings.endpoints[0].capabilities.tools
    press(blind, "attachment", "Send without pictures")
    assert names(blind) == []


def test_a_connected_model_that_sees_is_offered(blind: Stage, picture: Path) -> None:
    sees = replace(BLIND, id=EndpointId("sees"), capabilities=Capabilities(images=True))
    blind.changes.apply(replace(blind.changes.settings, endpoints=(BLIND, sees)))
    add(blind, picture)
    blind.until(lambda: "unseen" in blind.window.parts.strip)
    press(blind, "unseen", "Use Test")
    assert blind.changes.settings.roles[ModelRole.ANSWERING] == ModelChoice(sees.id, "")


def test_the_files_of_an_edited_question_are_shown_and_can_be_removed(
    seeing: Stage, picture: Path
) -> None:
    add(seeing, picture)
    seeing.ask("Bu ne?")
    card = question(seeing)
    card.begin_edit()
    assert card._edit is not None
    assert card._edit.files.height() > 0
    assert card._files is not None
    assert card._files.isHidden()
    QTest.keyClick(card._edit.files.buttons()[0], Qt.Key.Key_Delete)
    with seeing.qtbot.waitSignal(seeing.window.sessions.answered):
        card._edit._ask()
    seeing.until(lambda: seeing.messages()[0].message.files == ())
    assert seeing.model.requests[-1].messages[-1].pictures == ()


def test_after_a_screenshot_the_window_is_back(stage: Stage) -> None:
    screenshot = present(stage.window.findChild(Screenshot))
    ended: list[object] = []
    screenshot.taken.connect(ended.append)
    screenshot.failed.connect(lambda: ended.append(None))
    stage.window.parts.composer.add.screenshot_wanted.emit()
    assert not stage.window.isVisible()
    stage.until(lambda: bool(ended))
    assert stage.window.isVisible()
    stage.until(lambda: not chips(stage).is_busy)
