"""What the quality gate is to know of an answer besides its words: what it was written from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop.domain.usage import Usage
from desktop.research.passages import Passage
from desktop.research.tiers.extractive_report import Composed


@dataclass(frozen=True, slots=True)
class Account:
    """As it is for an answer that was given at once, from what everybody knows."""

    is_written: bool = True
    """By a model: what only quotes needs no looking over."""
    text: str | None = None
    """What of the answer the model wrote; None: all of it."""
    is_report: bool = False
    """Long, dear, and with what stayed open below it: only what is certainly wrong counts."""
    is_looked_up: bool = False
    """It was to rest on what a search brought."""
    given: Sequence[Passage] = ()
    """What the search brought, as it went into the request."""
    told: Sequence[str] = ()
    """What the model was told to do with that."""
    failed: Sequence[str] = ()
    """What could not be searched or read, in the reader's words."""
    worked: int = 0
    """How much could be."""
    usage: Usage | None = None
    """Of the phase that its end ends; None: the whole of the answer's own."""
    can_try_again: bool = True
    """Whether what was set beforehand leaves room for another."""
    instead: Callable[[], Composed] | None = None
    """What is still there where the text has to give way."""
