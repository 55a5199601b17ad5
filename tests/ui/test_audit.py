"""The audit: what is shown is seen, what is offered acts, and what is closed stays silent."""

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.domain.diary import WatchedItem, WatchKind
from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import KeyRejectedError
from desktop.domain.facts import MemoryProposal, NewFact
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.literature import (
    FoundWork,
    LiteratureQuery,
    LiteratureResults,
    ServiceFailure,
    ServiceName,
    ServicePage,
)
from desktop.domain.messages import MessageFile
from desktop.domain.projects import EVERYTHING, NO_PROJECT, Project, ProjectId
from desktop.domain.prompts import Prompt
from desktop.domain.references import Reference, WorkMark
from desktop.domain.search import EmbeddingProgress, HitKind, Suggestion
from desktop.domain.sessions import Session
from desktop.domain.sharing import (
    ItemKind,
    Leaving,
    MemberShare,
    MemberState,
    SharedProject,
    SharingReport,
)
from desktop.domain.sync import (
    CarrierGoneError,
    Conflict,
    DeviceId,
    DeviceState,
    SyncPassphraseError,
)
from desktop.domain.times import utc_now
from desktop.domain.watched_folders import FolderMissingError
from desktop.llm.endpoints import OLLAMA
from desktop.llm.model_registry import with_choice
from desktop.sessions.sharing.membership import code_of
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.storage.repositories.imports import proposal_id
from desktop.ui.composer.controls import TIERS
from desktop.ui.devices.setup_form import SetupStep
from desktop.ui.devices.sharing_part import SharingDialog
from desktop.ui.devices.sharing_runner import ListedProject, SharingListing
from desktop.ui.devices.sync_runner import SyncPlace
from desktop.ui.dialogs.form import ListDialog, TextQuestion, open_dialog
from desktop.ui.dialogs.information_dialogs import ErrorReportDialog
from desktop.ui.library.literature_actions import LiteratureAccess
from desktop.ui.palette.prompts_controller import VariablesDialog
from desktop.ui.profile.locking import UnlockWindow
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.services import NavigationTarget
from desktop.ui.settings.models_page import ModelsPage
from desktop.ui.settings.settings_view import SettingsView
from desktop.ui.settings_controller import PageId
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.question_card import QuestionCard
from desktop.ui.widgets.bars import NoticeBell, Rank
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.compare_page import ShownVersion
from desktop.ui.window.keyboard_input import EDITING
from desktop.ui.window.lifetime import WindowRequest
from tests.narrowing import instance, present
from tests.ui import audit, audit_rooms
from tests.ui.main_window.stage import Stage, write_examples
from tests.ui.memory.conftest import a_fact

QUESTION = "Dawn fenomeni ile Somogyi etkisi arasındaki fark nedir?"
TABLE = "| | Gece |\n|---|---|\n| 03.00 | düşük |"
LONG = "Uykusuzluk sabah şekerini yükseltir, ama Somogyi etkisi gecenin düşüğünden gelir. "
SIZES = ((1280, 820, 100), (900, 640, 100), (1280, 820, 200), (900, 640, 190))
"""Width, height, zoom"""
OPEN = (
    "library",
    "literature",
    "notes",
    "memory",
    "diary",
    "insight",
    "settings",
    "guide",
    "devices",
    "about",
    "passphrase",
    "welcome",
    "prompts",
    "quick",
    "new_project",
    "repair",
    "free_space",
)
APART = {
    "quit",
    "lock",
    "new_session",
    "temporary",
    "merge",
    "end_session",
    "continue",
    "delete",
    "learn",
    "examples",
    *EDITING,
}
"""Commands that leave the state, and those that the focused field carries out"""
Start = Callable[[UiLanguage], Stage]
both = pytest.mark.parametrize("language", [UiLanguage.TR, UiLanguage.EN])


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Start]:
    opened: list[Stage] = []

    def begin(language: UiLanguage) -> Stage:
        write_examples(tmp_path / "profile")
        settings = Settings(
            language=language,
            welcomed=True,
            describes_with_model=False,
            endpoints=(OLLAMA.endpoint(),),
        )
        stage = Stage(qtbot, qapp, tmp_path / "profile", settings)
        opened.append(stage)
        stage.window.show()
        stage.attach()
        fill(stage, tmp_path)
        return stage

    yield begin
    for stage in opened:
        stage.leave()


def fill(stage: Stage, folder: Path) -> None:
    paper = folder / "Kuraklık ve zeytin.md"
    paper.write_text("# Kuraklık\n\nDamla sulama yüzde 38 daha az su kullandı.", "utf-8")
    stage.services.library.add([paper])
    facts = [a_fact("ev", "Ankara'da yaşıyor."), a_fact("tez", "Tezi Mayıs'ta bitecek.")]
    stage.archive.facts.add([NewFact(one) for one in facts])
    stage.archive.prompts.replace([Prompt("Açıkla", "{bitki} nedir?")])
    stage.services.diary.write_due(lambda: False)
    watch = stage.services.watches.add(WatchKind.FEED, "https://blog.example/feed")
    item = WatchedItem(LONG, "https://blog.example/1", LONG, LONG, is_suspicious=True)
    stage.archive.watches.keep_look(watch.id, ["1"], [item, item], left_out=2)
    project = Project(NO_PROJECT, LONG, utc_now(), LONG * 3, {"ad": LONG})
    stage.services.projects.create(project)


def settle() -> None:
    for _ in range(4):
        QCoreApplication.sendPostedEvents()
        QApplication.processEvents()


def is_quiet(stage: Stage) -> bool:
    """Whether no worker has anything left to do for the window."""
    settle()
    return stage.pool._work_queue.empty() and not stage.is_finding()


def do(stage: Stage, *acts: str) -> None:
    for act in acts:
        assert stage.window.actions_by_name[act].isEnabled(), act
        stage.window.actions_by_name[act].trigger()
        settle()


def close_others(stage: Stage) -> None:
    for one in QApplication.topLevelWidgets():
        if one is not stage.window and one.isVisible():
            one.close()
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def watched(stage: Stage, folder: Path) -> Path:
    """Watch a folder of notes whose first document is gone, and one that is gone itself."""
    vault = folder / LONG.strip()
    (vault / ".obsidian").mkdir(parents=True)
    for name in ("Kovan", "Şafak"):
        (vault / f"{name}.md").write_text(f"{LONG}\n{name}", "utf-8")
    folders = stage.services.watched_folders
    added = folders.add(vault)
    (path := folder / "Kayıp").mkdir()
    lost = folders.add(path)
    path.rmdir()
    for _ in range(2):
        for _ in folders.look_in_steps(added.id):
            (vault / "Kovan.md").unlink(missing_ok=True)
    assert folders.gone(added)
    with suppress(FolderMissingError):
        folders.look(lost.id)
    folders.pause(lost.id, is_paused=True)
    return vault


def open_everything(stage: Stage, folder: Path) -> None:
    window, library = stage.window, stage.window.library
    paper = stage.archive.sources.sources(EVERYTHING)[0]
    do(stage, *OPEN)
    window.dialogs.show_contacts()
    window.dialogs.show_importing([folder])
    library.add_page()
    library.add_from_zotero()
    library.add([folder])
    vault = watched(stage, folder.parent)
    dialog = library.open_watched_folders()
    dialog.look(stage.services.watched_folders.folders(EVERYTHING)[0])
    window.dialogs.show_importing([vault])
    library.read(ReaderPlace(paper.id))
    open_dialog(VariablesDialog(stage.archive.prompts.prompts(EVERYTHING)[0], window))
    open_dialog(ErrorReportDialog("ValueError: no", Path("logs"), window))
    TextQuestion(window, "Etiket", LONG, str)
    assert window.diary.page is not None
    window.diary.page.open_watches()
    memory = window.memory.page
    assert memory is not None
    memory._add_fact()
    window.memory.open_proposals()
    proposal = MemoryProposal(proposal_id(LONG, NO_PROJECT), LONG, "claude", NO_PROJECT)
    stage.archive.proposals.add([proposal])
    window.memory.open_proposals()
    UnlockWindow(stage.theme, "").setParent(window, Qt.WindowType.Window)
    for lock in window.findChildren(UnlockWindow):
        lock.show()
    stage.until(partial(is_quiet, stage))
    for listed in window.findChildren(ListDialog):
        listed.strip.show_message(listed.notice, LONG * 2)


@both
def test_every_window_shows_what_it_says_and_its_controls_behave(
    language: UiLanguage, start: Start, tmp_path: Path
) -> None:
    stage = start(language)
    open_everything(stage, tmp_path / "Kuraklık ve zeytin.md")
    found = set()
    for width, height, zoom in SIZES:
        stage.theme.apply(Theme.LIGHT, zoom_percent=zoom)
        for window in audit.windows():
            window.resize(window.size().boundedTo(audit.size(width, height)))
        settle()
        for window in audit.windows():
            faults = audit.faults_of(window)
            if (width, zoom) == SIZES[0][::2]:
                faults |= audit.faults_of_use(window)
            found |= {f"{type(window).__name__} {width} {zoom} %: {one}" for one in faults}
    # An open dialog keeps its language: nobody can change it behind one.
    stage.window.parts.strip.show_message("a", LONG, rank=Rank.QUESTION)
    other = UiLanguage.EN if language is UiLanguage.TR else UiLanguage.TR
    stage.changes.choose_language(other)
    settle()
    notices = stage.window.parts.strip  # Each is written once, as it is shown, but for its cross
    inside = [
        one
        for one in audit.shown_in(stage.window)
        if not notices.isAncestorOf(one) or (isinstance(one, PushButton) and not one.text())
    ]
    late = [audit.foreign(one) for one in inside]
    found |= {f"language, late: {words}" for texts in late for words in texts}
    found |= {f"late: {fault}" for fault in audit_rooms.faults_of(inside)}
    close_others(stage)
    assert not found, "\n" + "\n".join(sorted(found))


def answered(stage: Stage) -> None:
    """Ask until there are an answer with all its parts, a stopped one and a failed one."""
    stage.model.says(f"{LONG * 4}\n\n{TABLE}")
    stage.ask(QUESTION)
    held = stage.model.holds("Bir ", "iki")
    stage.send(f"{QUESTION} Kısaca?")
    stage.until(lambda: stage.shown()[-1:] == ["Bir "])
    stage.window.sessions.asking.stop()
    held.go.set()
    stage.until(lambda: not stage.window.sessions.turns.is_running)
    stage.model.fails(KeyRejectedError())
    stage.ask("Peki ya uyku?")
    stage.until(lambda: bool(stage.messages()[1].facts.recalled))


def states(stage: Stage) -> Iterator[str]:
    """Bring the main window into each state; yield its name."""
    stage.window.sessions.show_active()
    stage.until(lambda: len(stage.messages()) > 1)
    for parts in (
        states_of_answers,
        states_of_search,
        states_of_writing,
        states_of_questions,
        states_of_a_past_session,
        states_of_pages,
    ):
        yield from parts(stage)


def states_of_answers(stage: Stage) -> Iterator[str]:
    transcript = stage.window.parts.transcript
    # Not held: Shiboken ends what Qt made with whatever the focus chain led from.
    bar = transcript.verticalScrollBar
    for share in (0, 0.4, 1):
        bar().setValue(round(bar().maximum() * share))
        yield f"answers {share}"
    answer, question = stage.messages()[1], stage.messages()[-2].message.id
    transcript.show_follow_ups(answer.message.id, [LONG, "Neden?"])
    answer.shows_used = True
    transcript.rebuild()
    bar().setValue(0)
    yield "passages that were used, and questions"
    facts = answer.facts
    items = [
        replace(facts.recalled[0], kind=kind, title=LONG, session_id=SessionId(key))
        for kind, key in ((HitKind.SOURCE, ""), (HitKind.MESSAGE, "x"))
    ]
    answer.facts = replace(facts, recalled=items, remembered=[a_fact("ev", LONG)])
    transcript.rebuild()
    do(stage, "sources")
    yield "passages of every kind beside a panel"
    do(stage, "sources")
    answer.facts = facts
    transcript.rebuild()
    bar().setValue(bar().maximum())
    settle()
    card = instance(transcript.live[stage.messages()[-2]], QuestionCard)
    card.begin_edit()
    yield "a question that is edited"
    card._close_edit()
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        transcript.action_chosen.emit(MessageRequest(MessageAction.EDIT, question, "Ya uyku?"))
    for panel in ("sources", "trace", "context"):
        do(stage, panel)
        yield f"panel {panel}"
    do(stage, "context")
    held = stage.sends_held()
    yield "an answer that streams"
    held.go.set()
    stage.until(lambda: not stage.window.sessions.turns.is_running)


def states_of_search(stage: Stage) -> Iterator[str]:
    window, sidebar = stage.window, stage.window.parts.sidebar
    do(stage, "find")
    window.parts.find_bar.field.setText("uyku")
    yield "find"
    window.commands.search.leave()
    sidebar.search.setText("uyku")
    yield "hits"
    do(stage, "results")
    yield "all results"
    sidebar.search.setText("yokböyle")
    yield "no hits"
    sidebar.search.clear()
    window.commands.write()
    sidebar.list.selectAll()
    yield "several sessions"
    rows = sidebar.list.selected()
    for menu in (sidebar.menu_of_several(rows), sidebar.menu_of(rows[-1])):
        menu.popup(window.pos())
        yield f"menu {menu.title()}"
        menu.close()
    sidebar.list.setCurrentIndex(sidebar.model.index_of(rows[0].session_id))
    do(stage, "rename")
    yield "a title that is changed"
    window.commands.write()
    do(stage, "palette")
    yield "palette"
    assert window.command_palette.palette is not None
    window.command_palette.palette.close_palette()


def states_of_writing(stage: Stage) -> Iterator[str]:
    window, parts = stage.window, stage.window.parts
    past = a_past_session(stage)
    stage.write(LONG)
    for one, title in ((past.id, LONG), (SessionId("b"), "Uyku")):
        window.recall.add(one, title)
    parts.composer.files.set_files([MessageFile("a", f"{LONG}.pdf", "application/pdf", 2_000_000)])
    parts.suggestions.show_suggestions(
        [Suggestion(past.id, None, LONG, past.created_at, ()) for _ in range(3)]
    )
    parts.strip.show_message("a", LONG, ("Geri taşı", settle))
    yield "a message with attachments and a notice"
    stage.write("")
    parts.composer.files.set_files([])
    parts.suggestions.show_suggestions([])
    parts.empty_page.show_has_model(False)
    parts.show_empty(is_empty=True)
    yield "an empty page with attached sessions and a notice"
    parts.show_empty(is_empty=False)
    parts.empty_page.show_has_model(True)
    window.recall.remove(past.id)
    window.recall.remove(SessionId("b"))
    for key in ("a", "b"):
        parts.strip.show_message(key, LONG, ("Geri taşı", settle), ("Daha sonra", settle))
    yield "notices"
    parts.strip.show_message("c", LONG, ("Geri taşı", settle))
    window.findChildren(NoticeBell)[0].open_list()
    yield "the list of notices"
    close_others(stage)
    for key in ("a", "b", "c"):
        parts.strip.remove(key)


def states_of_questions(stage: Stage) -> Iterator[str]:
    """What is asked after a crash, for another program, and about a project that goes."""
    window, strip = stage.window, stage.window.parts.strip
    past = replace(a_past_session(stage), title=LONG)
    recovery = window.sessions.recovery
    recovery._show_unanswered(past)
    recovery._show_interrupted(past)
    yield "what a crash interrupted"
    for key in ("unanswered", "interrupted"):
        strip.remove(f"{key}-{past.id}")
    text = WindowRequest(program=LONG, title=LONG, text=LONG * 9)
    for name, request in (
        ("fact", WindowRequest(program=LONG, fact=LONG)),
        ("page", WindowRequest(program=LONG, address=f"https://blog.example/{LONG}")),
        ("text", text),
    ):
        window.answer_request(request)
        yield f"a {name} from another program"
    present(window._programs)._show_text(text)
    yield "the text from another program"
    close_others(stage)
    for key in [*strip._strips]:
        strip.remove(key)
    project, deletion = Project(ProjectId("p"), LONG, utc_now()), window.projects._deletion
    deletion._ask_of_group(project, LONG)
    yield "a shared project that is deleted"
    close_others(stage)
    deletion._ask_of_contents(project, LONG, Leaving.TAKE_BACK)
    yield "a project with contents that is deleted"
    close_others(stage)
    deletion._ask_to_delete_untold(project, CarrierGoneError(where=LONG), with_all=True)
    yield "a shared project that is deleted without its group"
    close_others(stage)


def states_of_a_past_session(stage: Stage) -> Iterator[str]:
    window, parts = stage.window, stage.window.parts
    window.sessions.open(NavigationTarget(a_past_session(stage).id))
    stage.until(parts.reading_bar.isVisible)
    yield "a past session"
    do(stage, "read_beside")
    stage.until(parts.side_panel.isVisible)
    yield "a session beside"
    window.commands.close_beside()
    window.sessions.open(NavigationTarget(a_past_session(stage).id))
    stage.until(parts.reading_bar.isVisible)
    do(stage, "session_page")
    stage.until(lambda: window.page.page is not None and window.page.page.isVisible())
    yield "about a past session"


def states_of_pages(stage: Stage) -> Iterator[str]:
    parts = stage.window.parts
    for act in ("library", "notes", "memory", "diary", "insight", "prompts", "guide"):
        do(stage, act)
        yield f"page {act}"
    library = stage.window.library.open()
    stage.until(lambda: library.is_loaded)
    library.model.show_items(())
    library._show_state()
    yield "a library that is empty"
    projects = stage.window.project_page
    projects.open(stage.archive.projects.projects()[0])
    stage.until(lambda: projects.page is not None and projects.page.isVisible())
    yield "page of a project"
    yield from states_of_comparing(stage)
    yield from states_of_literature(stage)
    yield from states_of_devices(stage)
    yield from states_of_settings(stage)
    controller = stage.window.library
    controller.read(ReaderPlace(stage.archive.sources.sources(EVERYTHING)[0].id))
    stage.until(lambda: controller.reader is not None and controller.reader.isVisible())
    yield "a page and the reader"
    do(stage, "write")
    yield "the reader"
    parts.shell.show_side(Side.RIGHT, False)


def states_of_comparing(stage: Stage) -> Iterator[str]:
    window = stage.window
    window.parts.show_view(None)
    window.sessions.open(NavigationTarget(a_past_session(stage).id))
    stage.until(window.parts.reading_bar.isVisible)
    do(stage, "compare")
    stage.until(lambda: window.comparison.page is not None and window.comparison.page.isVisible())
    page = present(window.comparison.page)
    yield "one answer that can be compared"
    answer = page.versions[-1].message
    other = replace(answer, id=MessageId(answer.id + 1), content=f"{TABLE}\n\n{LONG}", model=LONG)
    page.show_versions(LONG, [*page.versions, ShownVersion(other)])
    yield "two answers side by side"
    window.parts.show_view(None)


def states_of_literature(stage: Stage) -> Iterator[str]:
    page = stage.window.library.open_literature()
    stage.until(lambda: page._access is not None)
    yield "literature that is off"
    page._show_access(LiteratureAccess(is_local_only=True))
    yield "literature of this computer only"
    page._show_access(LiteratureAccess(is_on=True))
    page.form._filter_button.click()
    yield "literature without results"
    csl = {"title": LONG * 2, "DOI": "10.1/a", "abstract": LONG * 9, "container-title": LONG}
    marked, name = frozenset(WorkMark), ServiceName.OPENALEX
    works = [FoundWork(Reference({"title": "Uyku"})), FoundWork(Reference(csl), marks=marked)]
    failures = [ServiceFailure(ServiceName.CROSSREF, KeyRejectedError())]
    pages = {name: ServicePage(works, 1_340, "2")}
    page._subject = LONG
    page._show_results(LiteratureResults(LiteratureQuery("uyku"), works, pages, failures))
    page.list.setCurrentIndex(page.model.index(1))
    yield "literature with results"


def states_of_devices(stage: Stage) -> Iterator[str]:
    do(stage, "devices")
    page = present(stage.window.devices.page)
    stage.until(lambda: page.is_loaded)
    form, runner = page.setup_form, stage.window.devices.runner
    for step in SetupStep:
        form.show_step(step)
        form.problem.set_text(LONG)
        yield f"devices {step.name}"
    form.show_step(SetupStep.PLACE)
    form.choose_kind(is_server=True)
    yield "devices at a server"
    form.choose_kind(is_server=False)
    lab, home = DeviceId("a" * 32), DeviceId("b" * 32)
    conflicts = [
        Conflict(1, "sessions", "s", LONG, "title", LONG, "Uyku", lab, utc_now()),
        Conflict(2, "projects", "p", "Zeytin", "instructions", LONG * 9, LONG * 8, lab, utc_now()),
        Conflict(3, "notes", "n", LONG, "", None, None, home, utc_now()),
    ]
    runner.devices = [
        DeviceState(lab, LONG, utc_now(), {}, 3),
        DeviceState(home, "", None, {}, 0),
    ]
    runner.place = SyncPlace(
        f"/mnt/{LONG}", home, is_paused=True, conflicts=conflicts, projects={}
    )
    for error in (None, SyncPassphraseError(), CarrierGoneError(where=LONG)):
        runner.error = error
        runner.changed.emit()
        yield f"devices {type(error).__name__}"
    runner.is_running = True
    runner.changed.emit()
    yield "devices while they synchronise"
    runner.is_running = False
    runner.changed.emit()
    page._ask_to_forget(lab, LONG)
    yield "a device that is forgotten"
    close_others(stage)
    page._ask_to_leave()
    yield "a synchronisation that is left"
    close_others(stage)
    runner.place, runner.error, runner.devices = None, None, ()
    runner.changed.emit()
    yield from states_of_sharing(stage)


def states_of_sharing(stage: Stage) -> Iterator[str]:
    page, runner = present(stage.window.devices.page), stage.window.devices.sharing
    me, lab = DeviceId("a" * 32), DeviceId("b" * 32)
    project = Project(ProjectId("p"), LONG, utc_now())
    members = [
        MemberShare(me, LONG, {ItemKind.SESSION: 3}, is_self=True, is_founder=True),
        MemberShare(lab, LONG, {ItemKind.NOTE: 900}, utc_now()),
        MemberShare(lab, "Can", {}, utc_now(), MemberState.REMOVED),
    ]
    shared = SharedProject(project.id, f"/mnt/{LONG}", LONG, is_founder=True)
    before = runner.listing
    runner.listing = SharingListing([ListedProject(project, shared, members)], [project])
    runner.codes = {project.id: code_of(bytes(16))}
    runner.reports = {project.id: SharingReport(3, 2, 1, {"refused": [LONG]}, code_of(bytes(16)))}
    runner.error = CarrierGoneError(where=LONG)
    runner.changed.emit()
    for name, dialog in (
        ("share", SharingDialog(runner, [project], page)),
        ("join", SharingDialog(runner, None, page)),
    ):
        dialog.problem.set_text(LONG)
        open_dialog(dialog)
        yield f"sharing with the dialog to {name}"
        dialog.reject()
    yield "sharing with members"
    page.sharing._ask_to_remove(project, members[1])
    yield "a member that is removed"
    close_others(stage)
    page.sharing._ask_to_leave(project)
    yield "a shared project that is left"
    close_others(stage)
    runner.listing, runner.codes, runner.reports, runner.error = before, {}, {}, None
    runner.changed.emit()


def states_of_settings(stage: Stage) -> Iterator[str]:
    do(stage, "settings")
    view = instance(stage.window.parts.view, SettingsView)
    view._show_endpoint(view._changes.settings.endpoints[0])
    for page in PageId:
        view._pages.setCurrentIndex(page)
        yield f"settings {page.name}"
    for query in ("oturum", "yokböyle"):
        view.search.setText(query)
        yield f"settings {query}"
    models = instance(view._pages.widget(PageId.MODELS), ModelsPage)
    view.search.setText(models.words.say("sections.meaning"))
    settings, endpoint = stage.changes.settings, OLLAMA.endpoint()
    choice = ModelChoice(endpoint.id, f"text-embedding-{'very-' * 9}large")
    models._roles[ModelRole.EMBEDDING].show_settings(
        with_choice(settings, ModelRole.EMBEDDING, choice)
    )
    progress = EmbeddingProgress(
        9, 9, 9, renewed=1_340, renewals=20_000, problem=KeyRejectedError()
    )
    models._show_prepared(progress)
    yield "settings of the search by meaning"
    models._show_prepared(EmbeddingProgress(9, 9, 9))
    models._roles[ModelRole.EMBEDDING].show_settings(settings)
    view.search.clear()


def a_past_session(stage: Stage) -> Session:
    active, kept = stage.window.sessions.active, stage.archive.sessions.sessions(EVERYTHING)
    assert active is not None
    return next(one for one in kept if one.messages > 2 and one.id != active.id)


@both
def test_every_state_of_the_window_shows_what_it_says(language: UiLanguage, start: Start) -> None:
    stage = start(language)
    answered(stage)
    found = set()
    for width, height, zoom in SIZES:
        stage.theme.apply(Theme.LIGHT, zoom_percent=zoom)
        stage.window.resize(width, height)
        for state in states(stage):
            stage.until(partial(is_quiet, stage))
            faults = set().union(*map(audit.faults_of, audit.windows()))
            if (width, zoom) == SIZES[0][::2]:
                faults |= audit.faults_of_use(stage.window)
            found |= {f"{state} {width} {zoom} %: {one}" for one in faults}
    assert not found, "\n" + "\n".join(sorted(found))


def picture(stage: Stage) -> object:
    """What a person could tell the window by."""
    actions = stage.window.actions_by_name
    shown = [one for window in audit.windows() for one in audit.shown_in(window)]
    return (
        [(id(one), audit.text_of(one), one.geometry().getRect()) for one in shown],
        [id(one) for one in QApplication.topLevelWidgets() if one.isVisible()],
        QApplication.focusWidget(),
        stage.changes.settings,
        QGuiApplication.clipboard().text(),
        stage.window.parts.composer.tiers.tier,
        [actions[act].isChecked() for act in actions],
    )


def is_noticed(stage: Stage, before: object) -> bool:
    return picture(stage) != before


def calm(stage: Stage) -> None:
    """Close what a command opened."""
    close_others(stage)
    window = stage.window
    if (palette := window.command_palette.palette) is not None:
        palette.close_palette()
    window.commands.search.leave()
    window.parts.show_view(None)
    window.parts.sidebar.search.clear()
    window.activateWindow()
    window.parts.sidebar.list.setFocus()
    QGuiApplication.clipboard().clear()
    stage.until(partial(is_quiet, stage))


@pytest.mark.parametrize("where", ["nowhere", "asked", "past"])
def test_every_command_that_is_enabled_does_something(where: str, start: Start) -> None:
    stage = start(UiLanguage.EN)
    actions = stage.window.actions_by_name
    if where == "past":
        stage.read_past()
    elif where == "asked":
        stage.ask(QUESTION)
    idle = set()
    for act in (one for one in actions if one not in APART):
        calm(stage)
        action = actions[act]
        if not (action.isEnabled() and action.isVisible()) or (
            act in TIERS and action.isChecked()
        ):
            continue
        before = picture(stage)
        action.trigger()
        settle()
        with suppress(stage.qtbot.TimeoutError):
            stage.qtbot.waitUntil(partial(is_noticed, stage, before), timeout=1_000)
        if picture(stage) == before:
            idle.add(act)
    assert not idle


def dead_parts() -> set[str]:
    """Return which widgets keep another one that Qt or Shiboken has ended."""
    found = set()
    for one in gc.get_objects():
        if not isinstance(one, QWidget) or not isValid(one):
            continue
        for name, value in vars(one).items():
            held = value if isinstance(value, list | tuple) else [value]
            parts = [
                part for each in held for part in (each if isinstance(each, tuple) else [each])
            ]
            if any(isinstance(part, QWidget) and not isValid(part) for part in parts):
                found.add(f"{type(one).__name__}.{name}")
    return found


def test_a_view_that_was_closed_says_nothing_when_theme_zoom_and_language_change(
    start: Start, tmp_path: Path
) -> None:
    stage = start(UiLanguage.TR)
    stage.ask(QUESTION)
    open_everything(stage, tmp_path / "Kuraklık ve zeytin.md")
    close_others(stage)
    stage.window.activateWindow()
    for _ in range(30):  # through the whole chain of the focus, and over a card that goes
        QTest.keyClick(stage.window.focusWidget(), Qt.Key.Key_Tab)
    stage.window.parts.transcript.rebuild()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert not dead_parts()
    for theme, zoom in ((Theme.DARK, 120), (Theme.LIGHT, 100)):
        stage.theme.apply(theme, zoom_percent=zoom)
    stage.changes.choose_language(UiLanguage.EN)
    settle()
