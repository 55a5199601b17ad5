"""Whatever is done to a session, memory and disk agree, and no text of the user is lost."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from desktop.domain.errors import ConnectionLostError
from desktop.domain.events import TurnEnded
from desktop.domain.ids import SessionId
from desktop.domain.messages import MessageState, Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import SessionStatus
from desktop.sessions.conversation.active_session import ActiveSession
from tests.models import ScriptedModel
from tests.studies import Study

# Questions that neither a phrase list nor the topic detection takes for something else.
QUESTIONS = st.sampled_from(["Neden?", "Peki sonra?", "Ne demek bu?", "Peki ya gece?", "Hangisi?"])
PICKS = st.integers(0, 10_000)


class ASession(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.model = ScriptedModel()
        self.study = Study(Path(self.folder.name), self.model)
        self.asked: list[str] = []
        self.answers = 0
        self.ended: list[SessionId] = []

    def teardown(self) -> None:
        self.study.close()
        self.folder.cleanup()

    @property
    def is_active(self) -> bool:
        return self.study.assistant.active is not None

    def pick(self, pick: int, *roles: Role) -> int | None:
        found = [one.id for one in self.study.active.messages if one.role in roles]
        return found[pick % len(found)] if found else None

    def answering(self, how: int) -> None:
        self.answers += 1
        text = f"Cevap {self.answers} "
        steps = (
            text,
            (text, self.study.assistant.stop, "sonrası"),
            (text, ConnectionLostError(where="x")),
            ConnectionLostError(where="x"),
        )
        self.model.steps.append(steps[how % len(steps)])

    @rule(text=QUESTIONS, how=PICKS)
    def ask(self, text: str, how: int) -> None:
        self.answering(how)
        asked = f"{text} {len(self.asked)}"
        self.asked.append(asked)
        ended = self.study.ask(asked)
        assert isinstance(ended, TurnEnded)
        self.study.clock.pass_by(seconds=1)

    @precondition(lambda self: self.is_active)
    @rule(pick=PICKS, how=PICKS)
    def rewrite(self, pick: int, how: int) -> None:
        message_id = self.pick(pick, Role.ASSISTANT)
        if message_id is not None:
            self.answering(how)
            self.study.run(self.study.assistant.retry(message_id))  # type: ignore[arg-type]  # an id

    @precondition(lambda self: self.is_active)
    @rule(pick=PICKS, text=QUESTIONS, how=PICKS)
    def edit(self, pick: int, text: str, how: int) -> None:
        message_id = self.pick(pick, Role.USER)
        if message_id is not None:
            self.answering(how)
            asked = f"{text} {len(self.asked)}"
            self.asked.append(asked)
            self.study.run(self.study.assistant.edit(message_id, asked))  # type: ignore[arg-type]  # an id

    @precondition(lambda self: self.is_active)
    @rule(pick=PICKS, version=PICKS)
    def show_version(self, pick: int, version: int) -> None:
        message_id = self.pick(pick, Role.USER, Role.ASSISTANT)
        if message_id is not None:
            ids = self.study.active.versions(message_id).ids  # type: ignore[arg-type]  # an id
            self.study.assistant.show_version(ids[version % len(ids)])

    @precondition(lambda self: self.is_active)
    @rule()
    def end(self) -> None:
        ended = self.study.assistant.end()
        if ended is not None:
            self.ended.append(ended.id)

    @precondition(lambda self: self.ended)
    @rule(pick=PICKS)
    def undo_end(self, pick: int) -> None:
        active = self.study.assistant.active
        if active is not None:
            self.ended.append(active.id)
        wanted = self.ended[pick % len(self.ended)]
        self.study.assistant.undo_end(wanted)
        assert self.study.active.id == wanted

    @rule()
    def crash(self) -> None:
        self.study = self.study.after_a_crash()
        self.study.assistant.unfinished()
        self.study.assistant.continue_unfinished()

    @invariant()
    def memory_and_disk_agree(self) -> None:
        active = self.study.assistant.active
        on_disk = self.study.archive.sessions.active()
        assert (on_disk.id if on_disk else None) == (active.id if active else None)
        if active is None:
            return
        stored = self.study.archive.sessions.all_versions(active.id)
        loaded = ActiveSession(
            active.session, stored, self.study.archive.sessions, self.study.clock
        )
        assert loaded.messages == active.messages
        assert on_disk is not None
        assert on_disk.messages == len(active.messages)
        assert on_disk.updated_at == active.session.updated_at

    @invariant()
    def a_path_has_no_gaps(self) -> None:
        if not self.is_active:
            return
        before = None
        for number, message in enumerate(self.study.active.messages, start=1):
            assert message.number == number
            assert message.parent_id == before
            assert message.state is not MessageState.STREAMING
            before = message.id

    @invariant()
    def no_word_of_the_users_is_lost(self) -> None:
        store = self.study.archive.sessions
        kept = {
            one.message.content
            for session in store.sessions(EVERYTHING)
            for one in store.all_versions(session.id)
            if one.message.role is Role.USER
        }
        assert kept == set(self.asked)

    @invariant()
    def one_session_at_most_is_active(self) -> None:
        active = [s for s in self.study.sessions() if s.status is SessionStatus.ACTIVE]
        assert len(active) <= 1


TestASession = ASession.TestCase
TestASession.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
