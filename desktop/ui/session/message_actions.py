"""Carries out message actions, and loads the details of the messages that are shown."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, QUrlQuery, Signal
from PySide6.QtGui import QDesktopServices

from desktop.domain import messages
from desktop.domain.changes import Change
from desktop.domain.events import TurnEnded
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.notes import Note
from desktop.domain.search import HitKind, RecalledItem
from desktop.domain.usage import NO_USAGE
from desktop.language.links import is_allowed
from desktop.ui.dialogs.note_editor import NoteEditor
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.shown_session import (
    SessionFacts,
    SessionUsage,
    facts_of,
    remembered_of,
    spent_in,
)
from desktop.ui.transcript.actions import copy_markdown, copy_text
from desktop.ui.transcript.document_writer import CITATION_SCHEME
from desktop.ui.transcript.entries import (
    NO_FACTS,
    MessageAction,
    MessageEntry,
    MessageFacts,
    MessageRequest,
    ShownClaim,
)
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import PopupMenu, place_of_menu
from desktop.ui.widgets.plain_text import announce

if TYPE_CHECKING:
    from desktop.sessions.answering.claim_check import CheckedClaims
    from desktop.sessions.services import Services

_VERSION_WORDS = 60  # characters
_INDENT, _DEEPEST = "      ", 8


@dataclass(frozen=True, slots=True)
class Completed:
    message: messages.Message
    facts: MessageFacts
    of_question: messages.Versions | None
    spent: SessionUsage


class MessageActions(QObject):
    usage_known = Signal(object)  # Usage of the whole session in the transcript
    context_known = Signal(int)  # Tokens of the next request, without its question
    citations_wanted = Signal(object, int)  # Citations of an answer, and the number clicked
    citation_wanted = Signal(object)  # Citation that is opened in its source
    citations_changed = Signal()  # The details of the shown answers changed
    place_wanted = Signal(object)  # Place that a link opens
    preferred = Signal(object)  # Preferences that take effect by a thumb

    def __init__(
        self, transcript: TranscriptView, sessions: SessionController, worker: Worker
    ) -> None:
        super().__init__(sessions)
        self._worker = worker
        self._transcript = transcript
        self._sessions = sessions
        self._facts: SessionFacts | None = None
        self._wanted: set[MessageId] = set()
        self._is_loading = False
        self._loads_again = False  # the details being read may be outdated
        self._completed: dict[MessageId, MessageFacts] = {}
        """Answers that ended since loading began; the loaded details may be older."""
        self._rated: dict[MessageId, messages.Rating | None] = {}
        """Ratings given in this window, which may not be on the disk yet."""
        self._left_out: dict[MessageId | None, list[SessionId]] = {}
        """By question: past sessions that its next answer must not use."""
        transcript.facts_wanted.connect(self._want)
        transcript.action_chosen.connect(self._act)
        transcript.action_chosen.connect(self._act_on_used)
        transcript.action_chosen.connect(self._act_on_claims)
        transcript.action_chosen.connect(self._list_versions)
        sessions.session_opened.connect(self._forget)
        sessions.answered.connect(self._complete)
        sessions.asking.stopped.connect(self._complete_stopped)

    def newest_citations(self) -> Sequence[messages.Citation]:
        for entry in reversed(self._transcript.entries):
            if isinstance(entry, MessageEntry) and entry.facts.citations:
                return entry.facts.citations
        return ()

    def retranslate(self) -> None:
        self._wanted.update(
            entry.message.id
            for entry in self._transcript.entries
            if isinstance(entry, MessageEntry) and entry.facts.error
        )
        if self._wanted:
            self._facts = None
            self._load()

    def reload(self, message_ids: Collection[MessageId]) -> None:
        """Load the details of messages that have changed."""
        if message_ids:
            self._wanted.update(message_ids)
            self._facts = None
            self._load()

    def _forget(self, session_id: SessionId | None) -> None:
        self._facts = None
        self._wanted.clear()
        self.usage_known.emit(NO_USAGE)
        self.context_known.emit(0)
        if session_id is not None:
            self._load()

    def recount(self) -> None:
        """Read the tokens of the shown session again: describing it has cost some."""
        shown = self._sessions.shown
        if shown is None:
            return

        def show(spent: SessionUsage) -> None:
            if (now := self._sessions.shown) is not None and now.id == shown.id:
                self._tell_spent(spent)

        self._worker.do_latest("spent", lambda services: spent_in(services, shown.id), show)

    def _tell_spent(self, spent: SessionUsage) -> None:
        self.usage_known.emit(spent.whole)
        self.context_known.emit(spent.next_request)

    def _want(self, ids: Sequence[MessageId]) -> None:
        self._wanted.update(ids)
        if self._facts is not None:
            self._tell()

    def _load(self) -> None:
        shown = self._sessions.shown
        if shown is None:
            return
        if self._is_loading:
            self._loads_again = True
            return
        session_id = shown.id
        self._is_loading = True
        self._completed.clear()
        self._worker.do(lambda services: facts_of(services, session_id), self._keep, self._loaded)

    def _loaded(self) -> None:
        self._is_loading = False
        if self._loads_again:
            self._loads_again = False
            self._load()

    def _keep(self, facts: SessionFacts) -> None:
        shown = self._sessions.shown
        if shown is None or shown.id != facts.session_id or self._loads_again:
            return
        self._facts = facts
        self._tell_spent(facts.spent)
        self._tell()

    def _tell(self) -> None:
        read = self._facts.of if self._facts else {}
        for message_id in self._wanted:
            stored = read.get(message_id, NO_FACTS)
            # A note is loaded after it is saved; the end of the answer may have been read before.
            facts = replace(self._completed.get(message_id, stored), notes=stored.notes)
            facts = _with_review(facts, stored)
            if message_id in self._rated:
                facts = replace(facts, rating=self._rated[message_id])
            self._transcript.set_facts(message_id, facts)
        self._wanted.clear()
        self.citations_changed.emit()

    def _complete(self, event: TurnEnded) -> None:
        message_id = event.message_id
        if message_id is None:
            return

        def work(services: "Services") -> Completed | None:
            active = services.assistant.active
            if active is None or active.id != event.session_id:
                return None
            spent = spent_in(services, active.id)
            of_turn = event.usage if event.usage != NO_USAGE else None
            facts = MessageFacts(
                citations=event.citations,
                versions=active.versions(message_id),
                usage=spent.usage.get(message_id, of_turn),  # the turn's until it is saved
                error=services.texts().error(event.error) if event.error else "",
                remembered=remembered_of(services, active.id).get(message_id, ()),
                recalled=services.archive.recalled_with(active.id).get(message_id, ()),
            )
            message = active.message(message_id)
            parent_id = message.parent_id
            versions = active.versions(parent_id) if parent_id is not None else None
            return Completed(message, facts, versions, spent)

        self._worker.do(work, self._show_complete)

    def _complete_stopped(self, event: TurnEnded) -> None:
        """Show a stopped answer as saved; its version was unknown when the window was freed."""
        if event.message_id is not None and self._transcript.holds(event.message_id):
            self._complete(event)

    def _show_complete(self, completion: Completed | None) -> None:
        shown = self._sessions.shown
        if completion is None or shown is None or completion.message.session_id != shown.id:
            return
        answer, question_id = completion.message, completion.message.parent_id
        if not self._transcript.holds(answer.id):
            return  # another version was asked for meanwhile
        # It may be rated or highlighted already; neither must be lost.
        now = self._transcript.facts_of(answer.id)
        facts = replace(completion.facts, rating=now.rating, notes=now.notes)
        facts = _with_review(facts, now)
        self._transcript.finish(answer, facts)
        self._completed[answer.id] = facts
        if question_id is not None:
            # An edited question has one more version.
            of_question = self._transcript.facts_of(question_id)
            self._completed[question_id] = replace(of_question, versions=completion.of_question)
            self._transcript.set_facts(question_id, self._completed[question_id])
        self.citations_changed.emit()
        self._tell_spent(completion.spent)

    def _act(self, request: MessageRequest) -> None:
        message = request.message
        if message is None:
            return
        match request.action:
            case MessageAction.COPY:
                self._copy(message)
            case MessageAction.RATE:
                self._rate(message, request.thumb, request.text)
            case MessageAction.REWRITE | MessageAction.GO_ON:
                self._left_out.pop(self._question_of(message), None)
                self._sessions.retry(message, goes_on=request.action is MessageAction.GO_ON)
            case MessageAction.EDIT:
                self._sessions.edit(message, request.text, request.files)
            case MessageAction.SHOW_VERSION:
                self._sessions.show_version(message)
            case MessageAction.FOLLOW:
                self.follow(self._transcript.facts_of(message).citations, request.text)
            case _:
                pass  # other parts of the window handle these

    def _act_on_claims(self, request: MessageRequest) -> None:
        message = request.message
        if message is None:
            return
        if request.action is MessageAction.REWRITE_WITHOUT:
            self._sessions.rewrite_without(message)
        if request.action is not MessageAction.CHECK_CLAIMS:
            return
        announce(self._transcript, self.tr("Checking the claims…"))
        self._worker.do(
            lambda services: services.claims.check(message, is_wanted=True), self.take_checked
        )

    def take_checked(self, checked: "CheckedClaims | None") -> None:
        """Show what was found out about the claims of an answer."""
        shown = self._sessions.shown
        if checked is None or shown is None or shown.id != checked.session_id:
            return
        self.reload([checked.message_id])
        doubts = len(checked.review.not_said)
        words = self.tr("Claims checked: %n without support in the source", "", doubts)
        announce(self._transcript, words)

    def claims_of(self, citations: Sequence[messages.Citation]) -> Sequence[ShownClaim]:
        """Return the judged claims of the shown answer that has these citations."""
        for entry in self._transcript.entries:
            if not isinstance(entry, MessageEntry) or entry.facts.citations != citations:
                continue
            claims = entry.facts.review.claims if citations and entry.facts.review else ()
            return [ShownClaim(entry.text[claim.start : claim.end], claim) for claim in claims]
        return ()

    def _copy(self, message: MessageId) -> None:
        shown = self._transcript.find_message(message)
        is_answer = shown is not None and shown.role is messages.Role.ASSISTANT
        (copy_markdown if is_answer else copy_text)(self._transcript.text_of(message))

    def _list_versions(self, request: MessageRequest) -> None:
        """List the branches of the session in a menu, by the first words of what differs."""
        message, shown = request.message, self._sessions.shown
        if request.action is not MessageAction.LIST_VERSIONS or message is None or shown is None:
            return

        def load(services: "Services") -> Sequence[messages.Branch]:
            active = services.assistant.active
            if active is not None and active.id == shown.id:
                stored = active.all_versions
            else:
                stored = services.archive.all_versions(shown.id)
            path = {version.message.id for version in stored if version.is_current}
            return messages.map_branches((version.message for version in stored), path)

        def show(branches: Sequence[messages.Branch]) -> None:
            menu = PopupMenu(self._transcript)
            for branch in branches:
                version_id = branch.message.id
                words = " ".join(branch.message.content.split())[:_VERSION_WORDS]
                indent = _INDENT * min(branch.depth, _DEEPEST)
                label = f"{indent}{branch.place}. {words}".replace("&", "&&")
                act = menu.addAction(label, partial(self._sessions.show_version, version_id))
                act.setCheckable(True)
                act.setChecked(branch.is_current)
                if version_id == message:
                    menu.setActiveAction(act)
            menu.popup(place_of_menu(self._transcript.window()))

        self._worker.do(load, show)

    def _act_on_used(self, request: MessageRequest) -> None:
        message, item = request.message, request.item
        if message is None or item is None:
            return
        if request.action is MessageAction.OPEN_USED:
            self.citation_wanted.emit(cite_recalled(item))
        else:
            left_out = self._left_out.setdefault(self._question_of(message), [])
            left_out.append(item.session_id)
            self._sessions.retry(message, tuple(left_out))

    def _question_of(self, answer: MessageId) -> MessageId | None:
        shown_message = self._transcript.find_message(answer)
        return shown_message.parent_id if shown_message else None

    def _rate(self, message_id: MessageId, thumb: messages.Thumb | None, words: str) -> None:
        self._rated[message_id] = messages.Rating(message_id, thumb, words) if thumb else None
        self._worker.do_in_turn(
            lambda services: services.assistant.rate(message_id, thumb, words), self.preferred.emit
        )

    def follow(self, citations: Sequence[messages.Citation], link: str) -> None:
        """Open a link of an answer that has these citations."""
        url = QUrl(link)
        if link.startswith(CITATION_SCHEME):
            self.citations_wanted.emit(citations, int(link.removeprefix(CITATION_SCHEME)))
        elif url.scheme() == "bellek":
            message = QUrlQuery(url).queryItemValue("message")
            message_id = MessageId(int(message)) if message.isdecimal() else None
            session_id = SessionId(url.path().strip("/"))
            # A split or a merge may have moved the message.
            self._worker.do(
                lambda services: services.archive.session_of_message(session_id, message_id),
                lambda session_id: self.place_wanted.emit(
                    NavigationTarget(session_id, message_id)
                ),
            )
        elif is_allowed(link):
            QDesktopServices.openUrl(url)


def _with_review(facts: MessageFacts, newer: MessageFacts) -> MessageFacts:
    """Return the details with the claims as they were checked after the answer had ended."""
    if newer.review is None or newer.review.judged_at is None:
        return facts
    return replace(facts, review=newer.review, citations=newer.citations)


def cite_recalled(item: RecalledItem) -> messages.Citation:
    """Return a citation of a recalled passage: it opens like one in the answer."""
    passage = item.target if item.kind in {HitKind.SOURCE, HitKind.MESSAGE} else ""
    quote = item.snippet.strip("… ")
    return messages.Citation(
        number=item.number,
        state=messages.CitationState.CHECKED,
        quote=quote,
        source_id=item.session_id,
        passage_id=passage,
        title=item.title,
    )


class MessageNotes(QObject):
    """Highlights and notes of the messages that are shown."""

    def __init__(
        self,
        *transcripts: TranscriptView,
        strip: MessageBar,
        worker: Worker,
        desk: MessageActions,
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._editor = NoteEditor(worker, strip, strip)
        self._editor.changed.connect(self._show)
        for transcript in transcripts:
            transcript.action_chosen.connect(self._act)

    def _act(self, request: MessageRequest) -> None:
        message_id = request.message

        def add(services: "Services", text: str) -> Change[Note]:
            if message_id is None:
                raise AssertionError("a note has a message")
            return services.notes.add_to_message(
                message_id, request.text, text, occurrence=request.occurrence
            )

        match request.action:
            case MessageAction.HIGHLIGHT:
                self._editor.highlight(add)
            case MessageAction.NOTE:
                self._editor.write(request.text, add)
            case MessageAction.EDIT_NOTE if request.note is not None:
                self._editor.edit(request.note)
            case _:
                pass  # other parts of the window handle these

    def _show(self, note: Note) -> None:
        if note.message_id is not None:
            self._desk.reload([note.message_id])
