"""Settings, texts, phrases and models, asked anew each time: the user can change them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from desktop.domain.embedding import Embedder
from desktop.domain.endpoints import ModelRole
from desktop.domain.facts import Fact, FactFilter
from desktop.domain.language import Language
from desktop.domain.model import Model
from desktop.domain.times import Clock, utc_now
from desktop.language.intents.phrases import PhraseLists
from desktop.language.language_detection import guess_language
from desktop.sessions.prompts_and_phrases import Wording
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.memory.memory import Memory
    from desktop.research.router import Rules


@dataclass(frozen=True, slots=True)
class AssistantContext:
    """What the assistant works with; each part is a function, since the user can change it."""

    settings: Callable[[], Settings]
    wording: Callable[[Language], Wording]
    language: Callable[[], Language]
    """The language of the interface."""
    phrases: Callable[[], PhraseLists]
    model: Callable[[ModelRole], Model | None]
    now: Clock = utc_now
    ticks: Callable[[], float] = monotonic
    """A monotonic clock in seconds, for time limits."""
    embedder: Callable[[], Embedder | None] = lambda: None
    """The embedding model, which may still have to be loaded; None: search by words alone."""
    can_search: Callable[[], bool] = lambda: False
    """Whether there is anything to do research in: a library, or the web."""

    def own_wording(self) -> Wording:
        """In the language of the interface."""
        return self.wording(self.language())

    def wording_of(self, question: str) -> Wording:
        """In the language of the question."""
        return self.wording(guess_language(question, self.language()))

    def rules(self) -> "Rules":
        from desktop.research.router import Rules  # noqa: PLC0415 - not for every command

        settings = self.settings()
        return Rules(
            self.phrases(),
            settings.detects_thanks,
            settings.detects_subject_change,
            settings.uses_past_sessions,
            self.now,
            self.can_search(),
        )


def open_memory(
    archive: Archive,
    context: AssistantContext,
    find_near: Callable[[str, FactFilter, int], Sequence[Fact]],
) -> "Memory":
    """The memory of a profile; `find_near` finds facts that say something near in other words."""
    from desktop.memory.memory import Memory  # noqa: PLC0415 - not for every command

    return Memory(
        archive.facts,
        archive.learning,
        context.phrases,
        lambda: context.own_wording().texts,
        context.now,
        lambda: context.settings().retention,
        find_near,
    )
