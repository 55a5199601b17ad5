"""Random edits of an archive, through its own stores: every kind of change there is."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from hashlib import sha256
from random import Random

from desktop.domain.annotations import Annotation, Entity, EntityKind
from desktop.domain.claims import CitedSupport, JudgedClaim, Support
from desktop.domain.diary import (
    DiaryItem,
    DiaryItemKind,
    Interval,
    Watch,
    WatchedItem,
    WatchId,
    WatchKind,
)
from desktop.domain.errors import FactUnknownError
from desktop.domain.events import SourceFound, WorkDone
from desktop.domain.facts import Fact, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, MessageId, NoteId, PreferenceId, SessionId, SourceId, TurnId
from desktop.domain.learned_preferences import Observation, PreferenceKind, PreferenceSource
from desktop.domain.messages import (
    Citation,
    CitationState,
    Compact,
    Message,
    MessageFile,
    MessageState,
    Rating,
    Role,
    Thumb,
)
from desktop.domain.notes import Note
from desktop.domain.projects import EVERYTHING, NO_PROJECT, ProjectId
from desktop.domain.prompts import Prompt
from desktop.domain.references import Reference
from desktop.domain.research import Spent
from desktop.domain.routing import Intent
from desktop.domain.search import HitKind, RecalledItem
from desktop.domain.sharing import Digest, ItemKind, MemberId, Ownership, SharedItem
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from desktop.storage.repositories.sessions import StoredMessage
from tests.archives import SettableClock, finished

WORD = re.compile("zq[abc][0-9]+qz")
"""What an editor says; each word once, so that it is found wherever it is left."""


class Editor:
    """Edits one archive."""

    def __init__(self, archive: Archive, clock: SettableClock, name: str, random: Random) -> None:
        self.archive, self._clock, self._name, self._random = archive, clock, name, random
        self._count = 0

    def edit(self) -> None:
        self._clock.pass_by(seconds=self._random.randrange(1, 90))
        change = self._random.choice(_EDITS)
        with suppress(FactUnknownError):  # of a session that is gone
            change(self)

    def _word(self) -> str:
        self._count += 1
        return f"zq{self._name}{self._count}qz"

    def _pick(self, query: str) -> str | None:
        with self.archive.database.reading() as db:
            rows = sorted(db.exec_driver_sql(query).scalars().all(), key=str)
        return self._random.choice(rows) if rows else None

    def _session(self) -> SessionId | None:
        picked = self._pick(
            "SELECT id FROM sessions WHERE deleted_at IS NULL AND id NOT IN "
            "(SELECT session_id FROM removed_originals) AND message_count > 1"
        )
        return SessionId(picked) if picked else None

    def _message(self) -> MessageId | None:
        picked = self._pick("SELECT id FROM messages WHERE is_current = 1 AND content <> ''")
        return MessageId(int(picked)) if picked else None

    def _source(self) -> SourceId | None:
        picked = self._pick("SELECT id FROM sources WHERE deleted_at IS NULL")
        return SourceId(picked) if picked else None

    def add_session(self) -> None:
        said = [f"{self._word()} söz {number}" for number in range(self._random.choice([2, 4, 6]))]
        name = f"{self._name}s{self._count}"
        topics = self._random.sample(["Deniz", "DENİZ", "Dağ", "dağ", "Şehir"], 3)
        new = finished(name, *said, title=self._word(), topics=topics, at=self._clock())
        self.archive.imports.add([new])

    def continue_session(self) -> None:
        """Ask again from somewhere in the session: a new version, or the end."""
        if (session_id := self._session()) is None:
            return
        path = self.archive.sessions.messages(session_id)
        kept = path[: self._random.choice([len(path), len(path) - len(path) % 2, 2])]
        rest = [StoredMessage(message, is_current=False) for message in path[len(kept) :]]
        parent = kept[-1].id if kept else None
        number = len(kept) + 1
        message_id = MessageId(
            int(self._clock().timestamp() * 1000) * 2048 + self._random.randrange(2048)
        )
        new = []
        for place, role in enumerate((Role.USER, Role.ASSISTANT)):
            new.append(
                Message(
                    id=MessageId(message_id + place),
                    session_id=session_id,
                    number=number + place,
                    role=role,
                    content=self._word(),
                    state=MessageState.COMPLETE,
                    created_at=self._clock(),
                    parent_id=parent if place == 0 else message_id,
                )
            )
        session = self.archive.sessions.session(session_id)
        session = replace(session, updated_at=self._clock(), messages=number + 1)
        answer = new[1].id
        cited = Citation(
            1, CitationState.UNCHECKED, self._word(), session_id, str(message_id), "t"
        )
        record = AnswerRecord(
            answer, "model", [cited], asks_judge=self._random.choice([None, True])
        )
        stored = [*rest, *(StoredMessage(message, is_current=True) for message in new)]
        self.archive.sessions.save(session, stored, [record])

    def rename(self) -> None:
        if session_id := self._session():
            self.archive.sessions.rename(session_id, self._word())

    def pin(self) -> None:
        if session_id := self._session():
            self.archive.sessions.pin(session_id, self._random.choice([True, False]))

    def tag(self) -> None:
        name = self._random.choice(["önemli", "Önemli", "iş", "İş", "Ev", "EV"])
        if session_id := self._session():
            self.archive.tags.set(name, [session_id], is_on=self._random.random() < 0.7)
        if source_id := self._source():
            self.archive.source_tags.set(name, [source_id], is_on=True)

    def delete_session(self) -> None:
        if session_id := self._session():
            self.archive.sessions.delete(session_id)

    def undelete_session(self) -> None:
        if picked := self._pick(
            "SELECT id FROM sessions WHERE deleted_at > '' AND message_count > 0"
        ):
            self.archive.sessions.undelete(SessionId(picked))

    def purge(self) -> None:
        self.archive.purge_deleted()

    def split(self) -> None:
        if session_id := self._session():
            path = self.archive.sessions.messages(session_id)
            if len(path) > 3:
                new = SessionId(f"{self._name}p{self._random.randrange(1 << 30)}")
                self.archive.split_merge.split(session_id, path[2].id, new)

    def merge(self) -> None:
        first, second = self._session(), self._session()
        if first and second and first != second:
            self.archive.split_merge.merge(first, second)

    def rate(self) -> None:
        if message_id := self._message():
            thumb = self._random.choice([Thumb.UP, Thumb.DOWN])
            self.archive.answers.rate(Rating(message_id, thumb, self._word()))

    def judge(self) -> None:
        if message_id := self._message():
            self.archive.claims.request(message_id)
            cited = CitedSupport(1, Support.SUPPORTED, self._word())
            judged = self._random.choice([[], [JudgedClaim(0, 3, [cited])]])
            self.archive.claims.keep(message_id, judged, "model")

    def attach_picture(self) -> None:
        """A session with a picture, whose words are read."""
        word = self._word()
        file = MessageFile(sha256(word.encode()).hexdigest(), f"{word}.png", "image/png", 3)
        new = finished(f"{self._name}i{self._count}", word, word, at=self._clock())
        asked, answer = new.messages
        messages = [replace(asked, files=(file,)), answer]
        self.archive.imports.add([replace(new, messages=messages)])
        self.archive.pictures.add(file.sha256, self._word())

    def annotate(self) -> None:
        if message_id := self._message():
            entity = Entity(EntityKind.NAME, self._word())
            annotation = Annotation(Intent.ORDINARY, 0.9, [entity])
            self.archive.annotations.add([(message_id, annotation)])

    def note_work(self) -> None:
        """What an answer read, and what of the past was sent with it."""
        message_id, session_id = self._message(), self._session()
        if message_id and session_id:
            found = SourceFound(TurnId(""), None, session_id, self._word())
            self.archive.work_done.keep(message_id, [WorkDone(0, found)])
            item = RecalledItem(1, HitKind.SESSION, "", "", "", self._clock(), session_id)
            self.archive.recalled.keep(message_id, [item])

    def share(self) -> None:
        projects = self.archive.projects.projects()
        if not projects or not (session_id := self._session()):
            return
        if self._random.random() < 0.2:
            self.archive.shared.withdraw([session_id])
            return
        item = SharedItem(session_id, ItemKind.SESSION, Digest(self._word()))
        project = ProjectId(min(project.id for project in projects))
        member = MemberId(self._name * 32)
        self.archive.shared.publish(Ownership(item, project, member, "Ada", is_own=True))

    def compact(self) -> None:
        if session_id := self._session():
            path = self.archive.sessions.messages(session_id)
            if len(path) > 1:
                self.archive.compacts.add(Compact(session_id, 1, 2, path[1].id, self._word()))

    def add_fact(self) -> None:
        fact_id = FactId(f"{self._name}f{self._random.randrange(1 << 30)}")
        fact = Fact(fact_id, "konu", self._word(), 5, Origin.USER, Term.LONG, self._clock())
        message_id = self._message()
        supports = (
            [FactSupport(message_id, 0, 4)] if message_id and self._random.random() < 0.7 else []
        )
        self.archive.facts.add([NewFact(fact, supports)])
        if message_id:
            self.archive.sent_facts.keep(message_id, [fact_id])

    def _fact(self, *, but: FactId) -> FactId | None:
        picked = self._pick(f"SELECT id FROM facts WHERE deleted_at IS NULL AND id <> '{but}'")  # noqa: S608 - an id of this test
        return FactId(picked) if picked else None

    def change_fact(self) -> None:
        picked = self._pick("SELECT id FROM facts WHERE valid_to IS NULL AND deleted_at IS NULL")
        if not picked or not self.archive.facts.some([FactId(picked)]):
            return
        old = self.archive.facts.fact(FactId(picked))
        match self._random.randrange(5):
            case 0:
                self.archive.facts.pin(old.id, is_pinned=True)
            case 1:
                self.archive.facts.use([old.id])
            case 2:
                self.archive.facts.delete([old.id])
            case 3 if other := self._fact(but=old.id):
                self.archive.facts.settle_conflict(old.id, other)
            case _:
                new = replace(
                    old,
                    id=FactId(f"{self._name}n{self._random.randrange(1 << 30)}"),
                    content=self._word(),
                )
                self.archive.facts.replace(old.id, NewFact(new))

    def learn_preference(self) -> None:
        if message_id := self._message():
            wish = Observation(
                self._random.choice([PreferenceKind.TONE, PreferenceKind.FORM]),
                "short",
                PreferenceSource.WISH,
                message_id,
                self._clock(),
                words=self._word(),
            )
            self.archive.preferences.observe([wish])

    def change_preference(self) -> None:
        if picked := self._pick("SELECT id FROM preferences WHERE deleted_at IS NULL"):
            if self._random.random() < 0.8:
                self.archive.preferences.edit(PreferenceId(picked), self._word())
            else:
                self.archive.preferences.delete(PreferenceId(picked))

    def write_diary(self) -> None:
        day = date(2026, 3, self._random.randrange(1, 4))
        if self._random.random() < 0.5:
            self.archive.diary.write_note(day, self._word())
        elif session_id := self._session():
            items = [DiaryItem(DiaryItemKind.OPEN, self._word(), session_id)]
            self.archive.diary.write(day, items, [session_id], self._clock())

    def add_source(self) -> None:
        word, at = self._word(), self._clock()
        source_id = SourceId(f"{self._name}d{self._count}")
        kind = SourceKind.DOCUMENT
        source = Source(source_id, kind, word, f"/{word}", at, at, word, project=NO_PROJECT)
        self.archive.sources.add(source, [NewPassage(f"{word} {n}", page=n) for n in (1, 2)])

    def change_source(self) -> None:
        if source_id := self._source():
            match self._random.randrange(4):
                case 0:
                    self.archive.references.store(source_id, Reference({"title": self._word()}))
                case 1:
                    self.archive.scans.add(source_id, 1, [], [NewPassage(self._word(), page=1)])
                case 2:
                    self.archive.sources.remove(source_id)
                case _:
                    self.archive.sources.refresh(source_id)

    def add_note(self) -> None:
        source_id, message_id = self._source(), self._message()
        note_id = NoteId(f"{self._name}o{self._random.randrange(1 << 30)}")
        note = Note(note_id, "quote", self._word(), self._clock(), self._clock())
        if source_id and self._random.random() < 0.5:
            self.archive.notes.add([replace(note, source_id=source_id)])
        elif message_id:
            self.archive.notes.add([replace(note, message_id=message_id)])

    def change_note(self) -> None:
        notes = self.archive.notes.notes(EVERYTHING)
        if notes:
            note = self._random.choice(sorted(notes, key=lambda note: note.id))
            if self._random.random() < 0.7:
                self.archive.notes.edit(note.id, self._word())
            else:
                self.archive.notes.delete([note.id])

    def make_project(self) -> None:
        self.archive.projects.create(self._word())

    def change_project(self) -> None:
        projects = self.archive.projects.projects()
        if not projects:
            return
        project = self._random.choice(sorted(projects, key=lambda project: project.id))
        match self._random.randrange(3):
            case 0:
                self.archive.projects.edit(replace(project, instructions=self._word()))
            case 1:
                moved = [each for each in (self._session(),) if each]
                self.archive.projects.move(ProjectId(project.id), moved)
            case _:
                self.archive.projects.delete(project.id, with_contents=self._random.random() < 0.3)

    def change_prompts(self) -> None:
        prompts = self.archive.prompts.prompts(EVERYTHING)[: self._random.randrange(1, 4)]
        self.archive.prompts.replace([*prompts, Prompt(self._word(), "Metin")])

    def watch(self) -> None:
        watch_id = WatchId(f"{self._name}w{self._random.randrange(1 << 30)}")
        kind, every = WatchKind.QUESTION, Interval.WEEK
        self.archive.watches.add(
            Watch(watch_id, kind, self._word(), every, NO_PROJECT, self._clock())
        )

    def look(self) -> None:
        if picked := self._pick("SELECT id FROM watches WHERE deleted_at IS NULL"):
            if self._random.random() < 0.3:
                self.archive.watches.delete(WatchId(picked))
            else:
                found = [WatchedItem(self._word(), "https://example.org")]
                items = self._random.choice([[], found])
                self.archive.watches.keep_look(WatchId(picked), [self._word()], items)

    def research(self) -> None:
        if (session_id := self._session()) and (
            path := self.archive.sessions.messages(session_id)
        ):
            run_id = self.archive.runs.begin(session_id, path[-1].id)
            self.archive.runs.keep_step(run_id, "plan", self._word(), Spent())

    def archive_and_remove(self) -> None:
        """Export-and-remove of originals, and their way back."""
        if session_id := self._session():
            with self.archive.database.writing() as db:
                db.exec_driver_sql(
                    "UPDATE sessions SET archived_at = updated_at WHERE id = ?", (session_id,)
                )
            session = self.archive.sessions.session(session_id)
            if self.archive.originals.remove(session, "/export") and self._random.random() < 0.5:
                self.archive.originals.bring_back([session_id])


_EDITS: Sequence[Callable[[Editor], None]] = [
    change
    for name, change in vars(Editor).items()
    if callable(change) and not name.startswith("_") and name != "edit"
]
