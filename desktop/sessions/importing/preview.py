"""What a file holds, before any of it is taken in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_types import Conversation, Form, Problem

_MOST_TITLES = 5
_MOST_PROBLEMS = 3
_LONGEST_TITLE = 80
_TOLD_EVERY = 200


@dataclass(frozen=True, slots=True)
class Preview:
    path: Path
    form: Form | None = None
    conversations: int = 0
    messages: int = 0
    problems: tuple[Problem, ...] = ()
    """The first few."""
    more_problems: int = 0
    titles: tuple[str, ...] = ()
    """Of the first few; where one has none, how it begins."""
    first: datetime | None = None
    last: datetime | None = None


def looked_at(path: Path, *, should_stop: Callable[[], bool] = lambda: False) -> Iterator[Preview]:
    """What is known so far, again and again until the file ends. Raises FileUnreadableError."""
    seen = Preview(path)
    for place, found in enumerate(read_file(path)):
        if should_stop():
            break
        if isinstance(found.what, Problem):
            seen = _with_problem(seen, found.what)
        elif found.what.said:
            seen = _with(seen, found.what)
        if place % _TOLD_EVERY == 0:
            yield seen
    yield seen


def _with_problem(seen: Preview, problem: Problem) -> Preview:
    if len(seen.problems) < _MOST_PROBLEMS:
        return replace(seen, problems=(*seen.problems, problem))
    return replace(seen, more_problems=seen.more_problems + 1)


def _with(seen: Preview, one: Conversation) -> Preview:
    times = [at for at in (one.created_at, *(said.at for said in one.said)) if at is not None]
    title = one.title or " ".join(one.said[0].content.split())
    return replace(
        seen,
        form=seen.form or one.form,
        conversations=seen.conversations + 1,
        messages=seen.messages + len(one.said),
        titles=(*seen.titles, _shortened(title))[:_MOST_TITLES],
        first=min(filter(None, (seen.first, *times)), default=None),
        last=max(filter(None, (seen.last, *times)), default=None),
    )


def _shortened(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"
