"""The texts, instructions and phrase lists of each language."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from desktop.domain.language import Language
from desktop.language.intents.phrases import PhraseLists, parse_phrases
from desktop.language.phrase_matcher import consists_of, tokenize
from desktop.settings.messages import Texts
from desktop.settings.paths import asset
from desktop.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything that depends on the language of the interface."""

    language: Language
    texts: Texts
    assistant: str
    """The rules of every answer; the same bytes at every turn."""
    personas: Mapping[str, str]
    """Whom the assistant is, by name."""
    describe: str
    learn: str
    """Follows `describe` where facts are to be looked for as well."""
    summarise: str
    same_subject: str
    how_much_work: str
    about_what: str
    judge: str


def wording(language: Language) -> Wording:
    return Wording(
        language,
        Texts(language),
        assistant=_instruction(language, "assistant"),
        personas=_personas(language),
        describe=_instruction(language, "describe"),
        learn=_instruction(language, "learn"),
        summarise=_instruction(language, "summarise"),
        same_subject=_instruction(language, "same_subject"),
        how_much_work=_instruction(language, "how_much_work"),
        about_what=_instruction(language, "about_what"),
        judge=_instruction(language, "judge"),
    )


@cache
def shipped_phrases() -> PhraseLists:
    """The phrases of both languages: people mix them."""
    return language_phrases(Language.TR) | language_phrases(Language.EN)


def heard_phrases(shipped: PhraseLists, settings: Settings) -> PhraseLists:
    """The shipped phrases as the user has changed them."""
    ignored = settings.ignored_phrases

    def kept(phrases: tuple[str, ...]) -> tuple[str, ...]:
        if not ignored:
            return phrases
        # What is read as a phrase that was struck out goes with it: "tşkler" with "teşekkür*".
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
        end=kept(shipped.end) + settings.own_end_phrases,
        ignored=ignored,
        new_topic=kept(shipped.new_topic) + settings.own_new_topic_phrases,
    )


def _personas(language: Language) -> Mapping[str, str]:
    folder = asset("resources", "personas", language.value)
    return {
        path.stem: path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob("*.md"))
    }


def _instruction(language: Language, name: str) -> str:
    path = asset("resources", "instructions", language.value, f"{name}.md")
    return path.read_text(encoding="utf-8").strip()


def language_phrases(language: Language) -> PhraseLists:
    path = asset("resources", "phrases", f"{language.value}.toml")
    return parse_phrases(tomllib.loads(path.read_text(encoding="utf-8")))
