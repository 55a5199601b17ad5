"""Both languages, and plain text from foreign sources."""

import ast
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import PySide6
import pytest
from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QEvent, QLocale, QPoint, Qt
from PySide6.QtGui import QColor, QKeySequence, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLabel,  # noqa: TID251
    QMessageBox,  # noqa: TID251
    QToolTip,  # noqa: TID251
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.domain.events import SourceFound
from desktop.domain.ids import SessionId, TurnId, new_source_id
from desktop.domain.language import Language
from desktop.domain.search import Suggestion
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.times import long_date, utc_now
from desktop.settings.messages import SETTING_WORDS, Texts
from desktop.settings.settings import UiLanguage, number_of
from desktop.ui.dialogs.form import TextQuestion
from desktop.ui.formatting import day
from desktop.ui.i18n import LanguageController, compiled
from desktop.ui.library.library_actions import DroppedFiles
from desktop.ui.services import NavigationTarget
from desktop.ui.widgets.fields import NumberField
from desktop.ui.widgets.plain_text import Label, MessageBox, tip
from tests.archives import finished
from tests.narrowing import present
from tests.ui.main_window.stage import Stage

SHIPPED = Path(__file__).parents[2] / "i18n"


class Listener(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heard = 0

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        self.heard += event.type() == QEvent.Type.LanguageChange
        super().changeEvent(event)


@pytest.fixture
def controller() -> LanguageController:
    return LanguageController(Language.TR)


def close_word() -> str:
    return QCoreApplication.translate("QPlatformTheme", "Close")


def test_every_widget_follows_a_change_of_language(
    controller: LanguageController, qtbot: QtBot
) -> None:
    window = Listener()
    child = Listener(window)
    qtbot.addWidget(window)
    controller.apply(UiLanguage.TR)
    qtbot.waitUntil(lambda: window.heard > 0 and child.heard > 0)


def test_our_texts_and_those_of_qt_change_together(controller: LanguageController) -> None:
    controller.apply(UiLanguage.TR)
    assert QCoreApplication.translate("SettingsView", "Settings") == "Ayarlar"
    assert close_word() == "Kapat"
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text().replace("&", "") != "Cancel"
    controller.apply(UiLanguage.EN)
    assert QCoreApplication.translate("SettingsView", "Settings") == "Settings"
    assert close_word() == "Close"


def test_counts_follow_each_languages_plural(controller: LanguageController) -> None:
    def found(count: int) -> str:
        return QCoreApplication.translate("ServerChoice", "%n server(s) found", "", count)

    controller.apply(UiLanguage.EN)
    assert [found(1), found(2)] == ["1 server found", "2 servers found"]
    controller.apply(UiLanguage.TR)
    assert [found(1), found(2)] == ["1 sunucu bulundu", "2 sunucu bulundu"]


def test_the_choice_of_the_system_is_the_language_of_the_system(
    controller: LanguageController,
) -> None:
    assert controller.apply(UiLanguage.SYSTEM) is Language.TR
    assert QLocale().language() == QLocale.Language.Turkish


def test_every_label_of_a_file_dialog_speaks_the_chosen_language(
    controller: LanguageController, qtbot: QtBot
) -> None:
    controller.apply(UiLanguage.TR)
    dialog = QFileDialog()
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    said = [label.text().replace("&", "") for label in dialog.findChildren(QLabel)]
    assert said == ["Konum:", "Dosya adı:", "Dosya türü:"]


@pytest.mark.parametrize(
    ("language", "buttons", "money", "dates"),
    [
        (UiLanguage.TR, ["Kaydet", "Vazgeç"], "12,50 $", ("28 Eki 2025", "28 Ekim 2025")),
        (UiLanguage.EN, ["Save", "Cancel"], "$12.50", ("Oct 28, 2025", "October 28, 2025")),
    ],
)
def test_buttons_money_and_dates_have_one_form_in_a_language(
    controller: LanguageController,
    qtbot: QtBot,
    language: UiLanguage,
    buttons: list[str],
    money: str,
    dates: tuple[str, str],
) -> None:
    chosen = controller.apply(language)
    parent = QWidget()
    qtbot.addWidget(parent)
    question = TextQuestion(parent, "", "", print)
    assert [question.okButtonText(), question.cancelButtonText()] == buttons
    form = Texts(chosen, file=SETTING_WORDS).say_or_empty("deep_cents.form")
    field = NumberField(number_of("deep_cents"), form)
    qtbot.addWidget(field)
    field.selectAll()
    QTest.keyClicks(field, money.strip("$ ")[:-1])
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (field.text(), field.number) == (money, 1250)
    field.show_value(100_000)
    assert field.text() == money.replace("12", "1.000" if "," in money else "1,000").replace(
        "50", "00"
    )
    moment = datetime(2025, 10, 28, 12, tzinfo=UTC)
    assert (day(moment), long_date(moment, chosen)) == dates


def test_keys_are_called_what_is_printed_on_them(controller: LanguageController) -> None:
    controller.apply(UiLanguage.TR)
    shown = QKeySequence("Ctrl+Shift+F").toString(QKeySequence.SequenceFormat.NativeText)
    assert shown == "Ctrl+Shift+F"


def test_a_page_has_the_locale_of_the_language_that_was_chosen_since_the_start(
    empty: Stage,
) -> None:
    for language, first in (
        (UiLanguage.TR, Qt.DayOfWeek.Monday),
        (UiLanguage.EN, Qt.DayOfWeek.Sunday),
    ):
        empty.changes.choose_language(language)
        empty.window.actions_by_name["diary"].trigger()
        calendar = present(empty.window.diary.page).calendar
        assert calendar.firstDayOfWeek() is first


def test_the_change_is_reported_once(controller: LanguageController, qtbot: QtBot) -> None:
    told: list[Language] = []
    controller.language_changed.connect(told.append)
    controller.apply(UiLanguage.TR)
    controller.apply(UiLanguage.SYSTEM)
    assert told == [Language.TR]


def test_a_catalog_without_its_compiled_form_is_compiled_on_the_fly(tmp_path: Path) -> None:
    source = tmp_path / "bellek_tr.ts"
    shutil.copy(SHIPPED / "bellek_tr.ts", source)
    ready = compiled(source)
    assert ready == tmp_path / "bellek_tr.qm"
    assert ready.stat().st_size > 1000


def test_a_frozen_build_needs_no_source(tmp_path: Path) -> None:
    ready = tmp_path / "bellek_tr.qm"
    ready.write_bytes(b"compiled")
    assert compiled(tmp_path / "bellek_tr.ts") == ready


ROOT = Path(__file__).parents[2]
CATALOGS: dict[str, tuple[str, ...]] = {"tr": (), "en": ("-pluralonly",)}
both = pytest.mark.parametrize("language", CATALOGS)

_SLOT = re.compile(r"\{[^{}]*\}|%n|%\d")
_MNEMONIC = re.compile(r"&(?!&)")


def messages(catalog: Path) -> Iterator[tuple[str, ET.Element]]:
    for context in ET.parse(catalog).iter("context"):  # noqa: S314 (our own file)
        for message in context.iter("message"):
            yield context.findtext("name", ""), message


def committed(language: str) -> list[tuple[str, ET.Element]]:
    return list(messages(ROOT / "i18n" / f"bellek_{language}.ts"))


def forms(message: ET.Element) -> list[str]:
    translation = present(message.find("translation"))
    plural = [form.text or "" for form in translation.iter("numerusform")]
    return plural or [translation.text or ""]


def sources(catalog: list[tuple[str, ET.Element]]) -> set[tuple[str, str, str]]:
    return {
        (context, message.findtext("source", ""), message.findtext("comment", ""))
        for context, message in catalog
    }


@both
def test_no_translation_is_unfinished_or_vanished(language: str) -> None:
    left = [
        (context, message.findtext("source"))
        for context, message in committed(language)
        if message.find("translation[@type]") is not None or not all(forms(message))
    ]
    assert left == []


@both
def test_every_form_has_the_slots_of_its_source(language: str) -> None:
    wrong = [
        (context, source, form)
        for context, message in committed(language)
        for source in [message.findtext("source", "")]
        for form in forms(message)
        if sorted(_SLOT.findall(form)) != sorted(_SLOT.findall(source))
    ]
    assert wrong == []


WORDS = {
    r"instructions?": "talimat",
    r"watch(es)?": "izle",
    r"references?": "künye|kaynakça",
    r"retracted": "geri çek",
    r"passphrases?": "parola",
    r"devices?": "cihaz",
    r"claims?": "iddia",
    r"filters?": "filtre",
    r"answering": "yanıt",
    r"\(again\)": r"\(tekrar\)",
    r"remember": "hatırla",
    r"synchroni\w+": "eşit",
    r"takes? back": "geri çek",
    r"attach(ed)? to the question": "soruya ekle|soruya ekl",
    r"sample": "örnek",
}
"""One word for one thing: what stands for it in every Turkish text."""


RIVALS = {
    "tr": (r"yalnız(?!\w|-)", r"bütün(?!\w| bir )", r"bağlama ekle", r"örnek oturumlar\w* yükle"),
    "en": (r"\bto library\b", r"\bto web\b"),
}
"""Forms of a word beside which another is used: “yalnızca”, “tüm”, “soruya ekle”."""


def texts_in(language: str) -> Iterator[str]:
    """Yield every text that is shown in a language, in the window or on the command line."""
    for _, message in committed("tr"):
        yield from forms(message) if language == "tr" else [message.findtext("source", "")]
    for name in (f"{language}.toml", f"settings_{language}.toml"):
        yield (ROOT / "resources" / "texts" / name).read_text("utf-8")
    yield (ROOT / "resources" / "guide" / f"{language}.md").read_text("utf-8")


@both
def test_no_text_uses_the_rival_of_a_word(language: str) -> None:
    used = [
        (rival, text[max(found.start() - 30, 0) : found.end() + 30])
        for text in texts_in(language)
        for rival in RIVALS[language]
        for found in [re.search(rival, text.replace("&", ""), re.IGNORECASE)]
        if found
    ]
    assert used == []


PAGES = ("library", "literature", "notes", "memory", "diary", "insight", "prompts", "settings")


def test_only_a_command_that_asks_for_more_ends_in_an_ellipsis(empty: Stage) -> None:
    actions = empty.window.actions_by_name
    assert [act for act in PAGES if actions[act].text().endswith("…")] == []


@pytest.mark.parametrize("word", WORDS)
def test_a_thing_has_one_name_in_turkish(word: str) -> None:
    wrong = [
        (context, source, form)
        for context, message in committed("tr")
        for source in [_SLOT.sub("", message.findtext("source", "")).replace("&", "")]
        for form in forms(message)
        if re.search(rf"(?<!\w){word}(?!\w)", source, re.IGNORECASE)
        and not re.search(WORDS[word], form.replace("&", "").replace("İ", "i").lower())
    ]
    assert wrong == []


@both
def test_mnemonics_keep_working(language: str) -> None:
    lost = [
        (context, source, form)
        for context, message in committed(language)
        for source in [message.findtext("source", "")]
        for form in forms(message)
        if len(_MNEMONIC.findall(form)) != len(_MNEMONIC.findall(source))
    ]
    assert lost == []


def test_english_has_two_plural_forms_and_turkish_one() -> None:
    counts = {
        language: {
            len(forms(message)) for _, message in committed(language) if message.get("numerus")
        }
        for language in CATALOGS
    }
    assert counts == {"tr": {1}, "en": {2}}


@both
def test_extracting_the_texts_again_changes_no_catalog(language: str, tmp_path: Path) -> None:
    """If this fails, run packaging/catalogs.sh and translate the new texts."""
    fresh = tmp_path / f"bellek_{language}.ts"
    code = sorted(str(path) for path in (ROOT / "desktop" / "ui").rglob("*.py"))
    lupdate = next(Path(PySide6.__file__).parent.glob("lupdate*"))
    languages = ["-source-language", "en", "-target-language", language]
    command = [str(lupdate), "-silent", *languages, *CATALOGS[language], *code, "-ts", str(fresh)]
    subprocess.run(command, check=True, timeout=60)  # noqa: S603 (Qt's own tool)
    assert sources(list(messages(fresh))) == sources(committed(language))


def test_a_translation_has_no_mark_for_a_letter_twice() -> None:
    texts = {message.findtext("translation", "") for _, message in committed("tr")}
    plain = {text: text.replace("&&", "") for text in texts}
    assert {text for text in texts if plain[text].count("&") > 1 or "amp;" in text} == set()


def test_every_text_of_the_code_is_in_the_catalog() -> None:
    """lupdate silently skips what it cannot parse, for example a text in its own parentheses."""
    known = {message.findtext("source", "") for _, message in committed("tr")}
    code = (ROOT / "desktop" / "ui").rglob("*.py")
    written = {text for path in code for text in _translated(ast.parse(path.read_text("utf-8")))}
    assert written - known == set()


def _translated(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = {"tr": 0, "translate": 1}.get(name)
        if place is not None and len(node.args) > place:
            text = node.args[place]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value


HOSTILE = 'Zebra <img src="probe.png">'
PINK = QColor("#ff00ff")
UI = Path(__file__).parents[2] / "desktop" / "ui"


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture that hostile texts name; if it is loaded, it is pink."""
    picture = QPixmap(60, 60)
    picture.fill(PINK)
    path = tmp_path / "probe.png"
    assert picture.save(str(path))
    monkeypatch.chdir(tmp_path)
    return path


def is_pink(widget: QWidget) -> bool:
    picture = widget.grab().toImage()
    middle = range(0, picture.height(), 4)
    return any(
        picture.pixelColor(x, y) == PINK for y in middle for x in range(0, picture.width(), 4)
    )


def shown_tip(text: str, over: QWidget) -> QWidget:
    QToolTip.showText(QPoint(10, 10), text, over)
    (found,) = [
        each
        for each in QApplication.topLevelWidgets()
        if each.inherits("QTipLabel") and isinstance(each, QLabel) and each.text() == text
    ]
    return found


@pytest.mark.usefixtures("probe")
@pytest.mark.parametrize("text", [HOSTILE, f"{HOSTILE} {'çok uzun ' * 20}", f"&lt;\n{HOSTILE}"])
def test_a_tip_never_loads_the_picture_that_a_text_names(qtbot: QtBot, text: str) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    assert is_pink(shown_tip(text, over)), "the picture would be seen, were it loaded"
    assert not is_pink(shown_tip(tip(text), over))
    QToolTip.hideText()


@pytest.mark.usefixtures("probe")
def test_labels_and_message_boxes_never_load_the_picture_that_a_text_names(qtbot: QtBot) -> None:
    label, box = Label(HOSTILE), MessageBox(MessageBox.Icon.Warning, HOSTILE, HOSTILE)
    for each in (label, box):
        qtbot.addWidget(each)
        assert not is_pink(each)
    assert not markup_in(box)


def test_every_tool_tip_in_the_code_is_made_plain() -> None:
    raw = [
        f"{path.relative_to(UI)}:{call.lineno}"
        for path in sorted(UI.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and getattr(call.func, "attr", "") in {"setToolTip", "setTabToolTip"}
        and not _is_plain(call.args[-1])
    ]
    assert raw == []


def _is_plain(argument: ast.expr) -> bool:
    made_by = getattr(argument, "func", None)
    return isinstance(made_by, ast.Name) and made_by.id in {"tip", "_citation_tip"}


def markup_in(top: QWidget) -> list[str]:
    """The widgets below `top` whose text or tool tip is read as markup."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        name = f"{type(widget).__name__} {widget.objectName()}"
        is_icon = widget.objectName() == "qt_msgboxex_icon_label"  # of a box without one
        if isinstance(widget, QLabel) and not is_icon and widget.pixmap().isNull():
            is_plain = widget.textFormat() is Qt.TextFormat.PlainText
            found += [] if is_plain else [f"{name}: {widget.text()}"]
        if "<img" in widget.toolTip():
            found.append(f"{name}: {widget.toolTip()}")
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            found += [f"{name}: {told}" for told in tips_of(model) if "<img" in told]
    return found


def tips_of(model: QAbstractItemModel) -> Iterator[str]:
    for row in range(model.rowCount()):
        yield str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) or "")


def test_a_hostile_title_is_plain_text_everywhere_in_the_window(
    opens: Callable[[], Stage],
) -> None:
    made = opens()
    title = f"{HOSTILE} {'uzun ' * 30}"
    made.archive.imports.add([finished("kötü", "Zebra nedir?", HOSTILE, title=title)])
    now = utc_now()
    source = Source(new_source_id(), SourceKind.WEB, title, HOSTILE, now, now, sha256="a")
    made.archive.sources.add(source, [NewPassage(HOSTILE, 1, HOSTILE)])
    made.attach()
    window, parts = made.window, made.window.parts
    parts.results.ask("zebra")
    made.until(lambda: parts.results.model.rowCount() > 0)
    parts.suggestions.show_suggestions(
        [Suggestion(SessionId(name), None, title, now, ()) for name in ("kötü", "öteki")]
    )
    parts.context_chips.show_attached({SessionId("kötü"): title})
    parts.trace.take(SourceFound(TurnId("t"), source.kind, source.id, title, HOSTILE))
    window.sessions.open(NavigationTarget(SessionId("kötü")))
    window.library.open()
    library = present(window.library.page)
    made.until(lambda: library.is_loaded)
    shown = [*tips_of(parts.results.model), *tips_of(parts.sidebar.model)]
    assert any("<\u2060img" in told for told in shown)
    assert markup_in(window) == []
    assert markup_in(library) == []


def test_message_boxes_show_the_names_of_files_plainly(
    stage: Stage,
) -> None:
    stage.window.library._ask(DroppedFiles(unclear=[Path(HOSTILE)]))
    stage.window.dialogs._ask_to_restore(Path(HOSTILE), None, datetime(2026, 3, 5, tzinfo=UTC))
    boxes = stage.window.findChildren(QMessageBox)
    assert [HOSTILE in box.text() for box in boxes] == [True, True]
    assert [markup_in(box) for box in boxes] == [[], []]
