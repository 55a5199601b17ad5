"""What the assistant works with: settings, models, and the texts and phrases of each language.

Each part is read each time, as the user can change it.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from time import monotonic
from typing import TYPE_CHECKING

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.facts import Fact, FactFilter
from desktop.domain.ids import MessageId, MessageIds
from desktop.domain.language import Language
from desktop.domain.model import Model
from desktop.domain.projects import Wall
from desktop.domain.search import Embedder
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import Figures, Purpose
from desktop.language.intents import PhraseLists, parse_phrases
from desktop.language.keywords_and_stems import guess_language
from desktop.language.phrase_matcher import consists_of, tokenize
from desktop.settings.messages import Texts
from desktop.settings.paths import asset
from desktop.settings.settings import Settings

if TYPE_CHECKING:
    from desktop.memory.memory import Memory
    from desktop.storage.archive import Archive


@dataclass(frozen=True, slots=True)
class Wording:
    """All texts and phrases of one language."""

    language: Language
    texts: Texts
    personas: Mapping[str, str]

    def instructions(self, *names: str) -> str:
        """Return instructions from `resources/instructions`; the same bytes each time."""
        return "\n\n".join(read_instructions(self.language, name) for name in names)


@cache
def read_instructions(language: Language, name: str) -> str:
    path = asset("resources", "instructions", language.value, f"{name}.md")
    return path.read_text(encoding="utf-8").strip()


def wording(language: Language) -> Wording:
    paths = sorted(asset("resources", "personas", language.value).glob("*.md"))
    personas = {path.stem: path.read_text(encoding="utf-8").strip() for path in paths}
    return Wording(language, Texts(language), personas)


@cache
def language_phrases(language: Language) -> PhraseLists:
    path = asset("resources", "phrases", f"{language.value}.toml")
    return parse_phrases(tomllib.loads(path.read_text(encoding="utf-8")))


@cache
def shipped_phrases() -> PhraseLists:
    """Return the phrases of both languages: people mix them."""
    return language_phrases(Language.TR) | language_phrases(Language.EN)


def heard_phrases(shipped: PhraseLists, settings: Settings) -> PhraseLists:
    own = settings.own_end_phrases, settings.own_new_topic_phrases
    return _heard(shipped, settings.ignored_phrases, *own)


@lru_cache(maxsize=4)
def _heard(
    shipped: PhraseLists,
    ignored: tuple[str, ...],
    own_end: tuple[str, ...],
    own_new_topic: tuple[str, ...],
) -> PhraseLists:
    def kept(phrases: tuple[str, ...]) -> tuple[str, ...]:
        # Words read as a removed phrase are removed with it: "tşkler" with "teşekkür*".
        if not ignored:
            return phrases
        return tuple(
            phrase
            for phrase in phrases
            if phrase not in ignored and not consists_of(tokenize(phrase), ignored)
        )

    return replace(
        shipped,
        remember=kept(shipped.remember),
        forget=kept(shipped.forget),
        style=kept(shipped.style),
        recall=kept(shipped.recall),
        end=kept(shipped.end) + own_end,
        ignored=ignored,
        new_topic=kept(shipped.new_topic) + own_new_topic,
    )


@dataclass(frozen=True, slots=True)
class AssistantContext:
    """What the assistant works with; each part is a function, since the user can change it."""

    settings: Callable[[], Settings]
    wording: Callable[[Language], Wording]
    language: Callable[[], Language]
    phrases: Callable[[], PhraseLists]
    settings_in: Callable[[Wall], Settings]
    """The settings for what reads behind this wall: see `local_only`. Reads the archive."""
    model: Callable[[ModelRole, Wall], Model | None]
    """The model of a role that may read what is behind this wall. Reads the archive."""
    chosen_model: Callable[[], ModelChoice | None] = lambda: None
    """The model that the user chose for the answers of a session; None: that of the settings."""
    metered: Callable[[Model, Purpose], Model] = lambda model, _: model
    """Counts a model's requests, and refuses them when the day's cap is reached."""
    make_room: Callable[[], None] = lambda: None
    """Stops requests that nobody waits for, as an answer waits in line; never blocks."""
    now: Clock = utc_now
    ticks: Callable[[], float] = monotonic  # A monotonic clock in seconds, for time limits
    embedder: Callable[[], Embedder | None] = lambda: None
    """The embedding model, which may still have to be loaded; None: search by words alone."""
    meaning_waits_s: float = 0.15
    """How long a question waits for the embedding model before words alone decide."""
    can_search: Callable[[Wall], bool] = lambda _: False
    """Whether the web or the documents behind this wall can be searched."""
    figures: Figures = field(default_factory=Figures)
    message_ids: MessageIds = field(default_factory=MessageIds)  # Of all sessions of the profile

    def background(self, role: ModelRole, wall: Wall, purpose: Purpose) -> Model | None:
        """Return the model for requests that nobody asks for by hand.

        It raises DailyCapError, an LlmError, when the day's cap is reached: the work stays due.
        """
        model = self.model(role, wall)
        return self.metered(model, purpose) if model else None

    def own_wording(self) -> Wording:
        return self.wording(self.language())

    def wording_of(self, question: str) -> Wording:
        return self.wording(guess_language(question, self.language()))


def open_memory(
    archive: "Archive",
    context: AssistantContext,
    find_near: Callable[[str, FactFilter, int, float | None], Sequence[Fact]],
    near_messages: Callable[[str, Sequence[MessageId], Wall], Mapping[MessageId, float]],
) -> "Memory":
    """Return the memory of a profile; the functions compare a text with facts and messages."""
    from desktop.memory.memory import Memory  # noqa: PLC0415 - not for every command
    from desktop.memory.user_messages import Preferences  # noqa: PLC0415

    def texts() -> Texts:
        return context.own_wording().texts

    return Memory(
        archive.facts,
        archive.learning,
        phrases=context.phrases,
        texts=texts,
        preferences=Preferences(
            archive.preferences, context.phrases, texts, context.figures, context.now
        ),
        now=context.now,
        retention=lambda: context.settings().retention,
        near=find_near,
        near_messages=near_messages,
        waits_s=context.meaning_waits_s,
    )
