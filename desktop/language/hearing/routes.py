"""The phrases by which a question is routed: about the assistant itself, or for how much work.

They are written as those of `phrases`, and stand in `resources/routes`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Self

from desktop.language.phrase_matcher import has_words


@dataclass(frozen=True, slots=True)
class RouteLists:
    """The phrases of one language, or of several joined with `|`."""

    asks_name: tuple[str, ...] = ()
    asks_maker: tuple[str, ...] = ()
    asks_model: tuple[str, ...] = ()
    asks_abilities: tuple[str, ...] = ()
    asks_date: tuple[str, ...] = ()
    asks_yesterday: tuple[str, ...] = ()
    asks_tomorrow: tuple[str, ...] = ()
    asks_time: tuple[str, ...] = ()
    asks_secrets: tuple[str, ...] = ()
    asks_custody: tuple[str, ...] = ()
    asks_about_me: tuple[str, ...] = ()
    asks_others: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    """Keys and instructions; with a word of each of the next two, asked to be handed over."""
    secrets_whose: tuple[str, ...] = ()
    hands_over: tuple[str, ...] = ()
    of_anybody: tuple[str, ...] = ()
    """People whose private data are asked for, with a word of each of the next two."""
    private_things: tuple[str, ...] = ()
    pries: tuple[str, ...] = ()
    overrules: tuple[str, ...] = ()
    """What the assistant was told is to be set aside: one of each of these three."""
    what_was_told: tuple[str, ...] = ()
    told_before: tuple[str, ...] = ()
    stealthily: tuple[str, ...] = ()
    """With private things, whoever they belong to."""
    how_to: tuple[str, ...] = ()
    """Asks for a way of doing it, and not for the secret."""
    explains_kind: tuple[str, ...] = ()
    """Asks what such a thing is, unless it is somebody's."""
    kinds_of_secret: tuple[str, ...] = ()
    """Of the words that say whose it is, those that only say of what kind."""

    you: tuple[str, ...] = ()
    """The assistant as it is spoken to; with a word of what follows, and nothing else beside."""
    about_name: tuple[str, ...] = ()
    about_maker: tuple[str, ...] = ()
    about_model: tuple[str, ...] = ()
    about_abilities: tuple[str, ...] = ()
    about_custody: tuple[str, ...] = ()
    politely: tuple[str, ...] = ()
    """Begins a request to the assistant that is not about it."""
    this_here: tuple[str, ...] = ()
    """The application, where nothing was spoken of before."""
    anybody: tuple[str, ...] = ()
    """Says "you" and means anybody."""
    able: tuple[str, ...] = ()
    """The assistant as one that may be able to, with what it may be able to deal with."""
    surely_able: tuple[str, ...] = ()
    """Asks what it is able to, whatever that be, and is no request."""
    about_able: tuple[str, ...] = ()
    mine: tuple[str, ...] = ()
    """What the user says and keeps here, with what may become of it."""
    about_mine: tuple[str, ...] = ()
    me: tuple[str, ...] = ()
    """The user, in the same way."""
    about_me: tuple[str, ...] = ()
    today: tuple[str, ...] = ()
    about_date: tuple[str, ...] = ()
    tomorrow: tuple[str, ...] = ()
    yesterday: tuple[str, ...] = ()
    clock: tuple[str, ...] = ()
    about_time: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    """May stand beside all of these."""
    goes_on: tuple[str, ...] = ()
    """More is asked behind these, or it is asked of something else."""
    around: tuple[str, ...] = ()
    """May stand around these without asking for anything else."""
    between: tuple[str, ...] = ()
    """May stand inside of these as well, between their words."""
    joins: tuple[str, ...] = ()
    """Stand between two questions of one message."""

    deep: tuple[str, ...] = ()
    investigates: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    compares: tuple[str, ...] = ()
    fresh_maybe: tuple[str, ...] = ()
    """Only a hint, as the next two: what they stand in is in doubt."""
    evidence_maybe: tuple[str, ...] = ()
    deep_maybe: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    fresh_when: tuple[str, ...] = ()
    """One of these and one of the next together are no hint any more."""
    fresh_what: tuple[str, ...] = ()
    own_sources: tuple[str, ...] = ()
    own_papers: tuple[str, ...] = ()
    """What the user may have added, with what it is asked for."""
    asks_papers: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    refuses_before: tuple[str, ...] = ()
    """With a few words behind it, what follows is not wanted; `just`: right before it."""
    refuses_just_before: tuple[str, ...] = ()
    refuses_behind: tuple[str, ...] = ()
    refuses_just_behind: tuple[str, ...] = ()
    about_just_before: tuple[str, ...] = ()
    """What follows is what is asked about, and not asked for."""
    about_just_behind: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    chooses: tuple[str, ...] = ()

    says_other: tuple[str, ...] = ()
    """Looked for in answers: the assistant as somebody else."""
    says_i: tuple[str, ...] = ()
    """The assistant speaking of itself; with one of each of the next two it is somebody else."""
    other_names: tuple[str, ...] = ()
    says_kind: tuple[str, ...] = ()
    says_no: tuple[str, ...] = ()
    admits: tuple[str, ...] = ()
    """Looked for in answers: that something could not be done."""
    says_kept: tuple[str, ...] = ()
    """Looked for in answers: that something is remembered from now on."""
    learnt: bytes = b""
    """How messages about the assistant sound, whatever their words; of all languages together."""

    def __or__(self, other: Self) -> "RouteLists":
        joined = {name: getattr(self, name) + getattr(other, name) for name in ROUTE_TABLES}
        return replace(self, **joined)


ROUTE_TABLES = tuple(field.name for field in fields(RouteLists) if field.name != "learnt")


def parse_routes(values: Mapping[str, object]) -> RouteLists:
    """Raises ValueError naming what is wrong with the values of a file."""
    if set(values) != set(ROUTE_TABLES):
        wrong = ", ".join(sorted(set(values) ^ set(ROUTE_TABLES)))
        raise ValueError(f"route lists unknown or missing: {wrong}")
    return RouteLists(learnt=b"", **{key: _read(key, value) for key, value in values.items()})


def _read(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        # The caller handles one error for whatever is wrong with the file.
        raise ValueError(f"route list {name} must be a list of texts")  # noqa: TRY004
    phrases = [one for one in value if isinstance(one, str) and has_words(one)]
    if len(phrases) != len(value):
        raise ValueError(f"every phrase of {name} must be a text with a word in it")
    return tuple(phrases)
