"""Preview and report of an import, and their texts for window and command line."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from desktop.research.child_process import ReadingStopped
from desktop.sessions.importing.import_process import ReadFile, read_in_child
from desktop.sessions.importing.import_types import Conversation, ImportFormat, Omission, Problem
from desktop.settings.messages import Texts

_MOST_TITLES = 5
_PREVIEWED_PROBLEMS = 3
_LONGEST_TITLE = 80
_YIELD_EVERY = 200


@dataclass(slots=True)
class ImportReport:
    """The outcome for one file."""

    form: ImportFormat | None = None
    """Of the first conversation; None if there was none."""
    added: int = 0
    grown: int = 0
    already_there: int = 0
    messages: int = 0
    prompts: int = 0
    left_out: Counter[Omission] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    """The first thousand."""
    more_problems: int = 0
    was_stopped: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    path: Path
    form: ImportFormat | None = None
    conversations: int = 0
    messages: int = 0
    problems: tuple[Problem, ...] = ()
    """The first few."""
    more_problems: int = 0
    titles: tuple[str, ...] = ()
    """Of the first few; one without a title is named by its first words."""
    first: datetime | None = None
    last: datetime | None = None


def preview_file(
    path: Path,
    *,
    should_stop: Callable[[], bool] = lambda: False,
    read: ReadFile = read_in_child,
) -> Iterator[Preview]:
    """Yield what is known so far until the file ends. Raises FileUnreadableError."""
    seen = Preview(path)
    with suppress(ReadingStopped):
        for place, found in enumerate(read(path, None, should_stop)):
            if should_stop():
                break
            if isinstance(found.what, Problem):
                seen = replace(
                    seen,
                    problems=(*seen.problems, found.what)[:_PREVIEWED_PROBLEMS],
                    more_problems=seen.more_problems + (len(seen.problems) == _PREVIEWED_PROBLEMS),
                )
            elif isinstance(found.what, Conversation) and found.what.said:
                seen = _with_conversation(seen, found.what)
            if place % _YIELD_EVERY == 0:
                yield seen
    yield seen


def _with_conversation(seen: Preview, one: Conversation) -> Preview:
    times = [at for at in (one.created_at, *(said.at for said in one.said)) if at is not None]
    title = one.title or " ".join(one.said[0].content.split())
    if len(title) > _LONGEST_TITLE:
        title = f"{title[: _LONGEST_TITLE - 1].rstrip()}…"
    return replace(
        seen,
        form=seen.form or one.form,
        conversations=seen.conversations + 1,
        messages=seen.messages + len(one.said),
        titles=(*seen.titles, title)[:_MOST_TITLES],
        first=min(filter(None, (seen.first, *times)), default=None),
        last=max(filter(None, (seen.last, *times)), default=None),
    )


def problem_words(texts: Texts, problem: Problem) -> str:
    """Return what was not imported, its place, and the reason."""
    said = texts.say(f"import.{problem.key}", **problem.values)
    if problem.number:
        place = "line" if problem.is_line else "conversation"
        said = texts.say(f"import.{place}", n=problem.number, why=said)
    return texts.say("import.inside", file=problem.file, said=said) if problem.file else said


def outcome_words(texts: Texts, name: str, report: ImportReport) -> Iterator[str]:
    """Yield what was added, already known and left out, without the problems."""
    there = texts.number(report.already_there)
    yield texts.count("import.done", report.added, file=name, there=there)
    if report.grown:
        yield texts.count("import.grown", report.grown)
    if report.prompts:
        yield texts.count("import.prompts", report.prompts)
    if kinds := [kind for kind in Omission if report.left_out[kind]]:
        what = [texts.count(f"import.left_out_{kind}", report.left_out[kind]) for kind in kinds]
        yield texts.say("import.left_out", what=", ".join(what))
    if report.more_problems:
        yield texts.count("import.more_problems", report.more_problems)
    if report.was_stopped:
        yield texts.say("import.stopped")
