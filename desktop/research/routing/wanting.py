"""Tells words that ask for work from the same words where it is refused, or only spoken of."""

import re
from collections.abc import Iterator
from functools import lru_cache

from desktop.language.hearing.routes import RouteLists
from desktop.language.phrase_matcher import Line, any_of, find_phrase

_FEW_WORDS = 4
# Behind a conjunction something else is said.
_WORD = r"(?!(?:but|and|ama|fakat|ancak|ve) )[^ |]+ "
_BEGINS = r"(?<![^ ])"
# A Turkish verb whose negation is a part of the word that was found: "hazırlama", "yapmadan".
_UNDONE = re.compile(
    r"(?:yap|yaz|hazirla|cikar|ver|bul|goster|topla)m[ae](?:y[iu]n(?:[iu]z)?|d[ae]n|san[ae])? \Z"
)


def find_wanted(
    line: Line, phrases: tuple[str, ...], routes: RouteLists, *, is_work: bool = False
) -> re.Match[str] | None:
    """The first of the phrases that is not refused; `is_work`: and is not just spoken of."""
    for said in _all(line, phrases):
        is_meant = not (is_work and _is_spoken_of(said, line, routes))
        if is_meant and not _is_refused(said, line, routes):
            return said
    return None


def _all(line: Line, phrases: tuple[str, ...]) -> Iterator[re.Match[str]]:
    said = find_phrase(line, phrases)
    while said is not None:
        yield said
        said = find_phrase(line, phrases, said.end())


def _is_refused(said: re.Match[str], line: Line, routes: RouteLists) -> bool:
    before, behind = _refuses(routes)
    is_before = before.search(line.text[: said.start()])
    return bool(is_before or behind.match(line.text, said.end()) or _UNDONE.search(said[0]))


def _is_spoken_of(said: re.Match[str], line: Line, routes: RouteLists) -> bool:
    before, behind = _speaks_of(routes)
    is_before = before.search(line.text[: said.start()])
    return bool(is_before or behind.match(line.text, said.end()))


@lru_cache(maxsize=4)
def _refuses(routes: RouteLists) -> tuple[re.Pattern[str], re.Pattern[str]]:
    few = f"(?:{_WORD}){{0,{_FEW_WORDS}}}"
    before = f"{any_of(routes.refuses_before)}{few}|{any_of(routes.refuses_just_before)}"
    behind = f"{few}{any_of(routes.refuses_behind)}|{any_of(routes.refuses_just_behind)}"
    return re.compile(rf"{_BEGINS}(?:{before})\Z"), re.compile(behind)


@lru_cache(maxsize=4)
def _speaks_of(routes: RouteLists) -> tuple[re.Pattern[str], re.Pattern[str]]:
    before = re.compile(rf"{_BEGINS}{any_of(routes.about_just_before)}\Z")
    return before, re.compile(any_of(routes.about_just_behind))
