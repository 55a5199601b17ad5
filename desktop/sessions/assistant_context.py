"""What sessions work with that the user can change at any time."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from desktop.domain.embedding import Embedder
from desktop.domain.endpoints import ModelRole
from desktop.domain.language import Language
from desktop.domain.model import Model
from desktop.domain.times import Clock, utc_now
from desktop.language.hearing.phrases import PhraseLists
from desktop.language.language_detection import guess_language
from desktop.research.routing.router import Rules
from desktop.sessions.prompts_and_phrases import Wording, shipped_routes
from desktop.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the assistant works with; each is asked anew, since the user can change it."""

    settings: Callable[[], Settings]
    wording: Callable[[Language], Wording]
    language: Callable[[], Language]
    """The language of the interface."""
    phrases: Callable[[], PhraseLists]
    model: Callable[[ModelRole], Model | None]
    now: Clock = utc_now
    ticks: Callable[[], float] = monotonic
    """Seconds as they pass, for what has a limit of time."""
    embedder: Callable[[], Embedder | None] = lambda: None
    """The model of meanings, which may be asleep; None: words have to do."""
    can_search: Callable[[], bool] = lambda: False
    """Whether there is anything to do research in: a library, or the web."""

    def own_wording(self) -> Wording:
        """In the language of the interface."""
        return self.wording(self.language())

    def wording_of(self, question: str) -> Wording:
        """In the language of a question: what answers it is read by whoever asked."""
        return self.wording(guess_language(question, self.language()))

    def rules(self) -> Rules:
        settings = self.settings()
        return Rules(
            self.phrases(),
            settings.detects_thanks,
            settings.detects_subject_change,
            settings.uses_past_sessions,
            self.now,
            shipped_routes(),
            self.can_search(),
        )
