"""What an import brings and leaves out: its preview and its report, in words."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from desktop.research.child_process import ReadingStopped
from desktop.research.library import AddOutcome
from desktop.sessions.importing.import_process import ReadFile, read_in_child
from desktop.sessions.importing.import_records import ERROR, RecordCounts
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedDocument,
    ImportedMemory,
    ImportedProject,
    ImportFormat,
    OmittedContent,
    Problem,
)
from desktop.settings.messages import Texts

_MOST_TITLES = 5
_PREVIEWED_PROBLEMS = 3
LONGEST_TITLE = 80
_YIELD_EVERY = 200
_MOST_PROBLEMS = 1_000


@dataclass(slots=True)
class ImportReport:
    """The outcome for one file."""

    form: ImportFormat | None = None  # Of the first conversation; None if there was none
    added: int = 0
    grown: int = 0
    already_there: int = 0
    messages: int = 0
    prompts: int = 0
    notes: int = 0
    records: RecordCounts = field(default_factory=RecordCounts)
    left_out: Counter[OmittedContent] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)  # The first thousand
    more_problems: int = 0
    was_stopped: bool = False

    def add_problem(self, problem: Problem) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(problem)
        else:
            self.more_problems += 1


@dataclass(frozen=True, slots=True)
class Preview:
    path: Path
    form: ImportFormat | None = None
    conversations: int = 0
    messages: int = 0
    problems: tuple[Problem, ...] = ()  # The first few
    more_problems: int = 0
    titles: tuple[str, ...] = ()
    """Of the first few; one without a title is named by its first words."""
    first: datetime | None = None
    last: datetime | None = None
    projects: int = 0
    documents: int = 0
    proposals: int = 0
    left_out: Counter[OmittedContent] = field(default_factory=Counter)

    @property
    def has_contents(self) -> bool:
        return bool(self.conversations or self.projects or self.documents or self.proposals)

    @property
    def is_folder_of_notes(self) -> bool:
        """Whether all that comes are the files of a folder, as documents."""
        is_notes = self.form is ImportFormat.NOTES and not self.conversations
        return is_notes and bool(self.documents) and self.path.is_dir()


def preview_file(
    path: Path, *, should_stop: Callable[[], bool] = lambda: False, read: ReadFile = read_in_child
) -> Iterator[Preview]:
    """Yield what is known so far until the file ends. Raises FileUnreadableError."""
    seen = Preview(path)
    with suppress(ReadingStopped):
        for place, outcome in enumerate(read(path, None, should_stop)):
            if should_stop():
                break
            if isinstance(outcome.what, Problem):
                seen = replace(
                    seen,
                    problems=(*seen.problems, outcome.what)[:_PREVIEWED_PROBLEMS],
                    more_problems=seen.more_problems + (len(seen.problems) == _PREVIEWED_PROBLEMS),
                )
            elif isinstance(outcome.what, Conversation):
                seen = _with_conversation(seen, outcome.what)
            elif isinstance(outcome.what, ImportedProject | ImportedDocument | ImportedMemory):
                seen = _with_record(seen, outcome.what)
            if place % _YIELD_EVERY == 0:
                yield seen
    yield seen


def _with_conversation(seen: Preview, conversation: Conversation) -> Preview:
    if not conversation.messages:
        return replace(seen, left_out=seen.left_out + conversation.left_out)
    times = [conversation.created_at] + [message.at for message in conversation.messages]
    title = conversation.title or " ".join(conversation.messages[0].content.split())
    if len(title) > LONGEST_TITLE:
        title = f"{title[: LONGEST_TITLE - 1].rstrip()}…"
    return replace(
        seen,
        form=seen.form or conversation.form,
        conversations=seen.conversations + 1,
        messages=seen.messages + len(conversation.messages),
        titles=(*seen.titles, title)[:_MOST_TITLES],
        first=min(filter(None, (seen.first, *times)), default=None),
        last=max(filter(None, (seen.last, *times)), default=None),
        left_out=seen.left_out + conversation.left_out,
    )


def _with_record(
    seen: Preview, record: ImportedProject | ImportedDocument | ImportedMemory
) -> Preview:
    seen = replace(seen, form=seen.form or record.form)
    if isinstance(record, ImportedProject):
        return replace(seen, projects=seen.projects + 1)
    if isinstance(record, ImportedDocument):
        return replace(seen, documents=seen.documents + 1)
    return replace(seen, proposals=seen.proposals + 1)


def problem_words(texts: Texts, problem: Problem) -> str:
    """Return what was not imported, its place, and the reason."""
    if problem.key.startswith(ERROR):
        text = texts.error_of(problem.key.removeprefix(ERROR), **problem.values)
    else:
        text = texts.say(f"import.{problem.key}", **problem.values)
    if problem.number:
        place = "line" if problem.is_line else "conversation"
        text = texts.say(f"import.{place}", n=problem.number, why=text)
    return texts.say("import.inside", file=problem.file, said=text) if problem.file else text


def outcome_words(texts: Texts, name: str, report: ImportReport) -> Iterator[str]:
    """Yield what was added, already known and left out, without the problems."""
    there = texts.number(report.already_there)
    yield texts.count("import.done", report.added, file=name, there=there)
    if report.grown:
        yield texts.count("import.grown", report.grown)
    if report.prompts:
        yield texts.count("import.prompts", report.prompts)
    if report.notes:
        yield texts.count("import.notes", report.notes)
    yield from record_words(texts, report.records)
    yield from omission_words(texts, report.left_out)
    if report.more_problems:
        yield texts.count("import.more_problems", report.more_problems)
    if report.was_stopped:
        yield texts.say("import.stopped")


def record_words(texts: Texts, counts: RecordCounts) -> Iterator[str]:
    """Yield what came beside the sessions."""
    for name, number in (
        ("projects", counts.projects),
        ("documents", counts.added),
        ("documents_known", counts.documents[AddOutcome.KNOWN]),
        ("proposals", counts.proposals),
    ):
        if number:
            yield texts.count(f"import.{name}", number)


def omission_words(texts: Texts, left_out: Counter[OmittedContent]) -> Iterator[str]:
    """Yield what an import leaves out by design."""
    if kinds := [kind for kind in OmittedContent if left_out[kind]]:
        what = [texts.count(f"import.left_out_{kind}", left_out[kind]) for kind in kinds]
        yield texts.say("import.left_out", what=", ".join(what))


def preview_words(texts: Texts, seen: "Preview") -> Iterator[str]:
    """Yield what comes beside the sessions, what does not, and what is not as it was."""
    for name, number in (
        ("projects", seen.projects),
        ("documents", seen.documents),
        ("proposals", seen.proposals),
    ):
        if number:
            yield texts.count(f"import.has_{name}", number)
    yield from omission_words(texts, seen.left_out)
    if seen.form in _ABOUT and (seen.form is not ImportFormat.CLAUDE or seen.projects):
        yield texts.say(f"import.about_{seen.form}")


_ABOUT = {ImportFormat.CLAUDE, ImportFormat.GEMINI, ImportFormat.CLAUDE_CODE}
"""The programs whose files say less than the program itself."""
