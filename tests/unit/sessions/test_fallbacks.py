"""The fall-backs for an answer that is not good enough; each of them is used."""

import pytest

from desktop.domain.events import AnswerRejected, Outcome
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL
from desktop.domain.routing import Tier
from desktop.settings.messages import Texts
from tests.fakes import Says
from tests.researchers import ANSWER, SMALL, Researcher
from tests.studies import Study

QUESTIONS = {
    Language.TR: "Şafak olayı nedir, kan şekeri neden yükselir?",
    Language.EN: "What is the dawn phenomenon, and why does the sugar rise?",
}
KEY = "sk-ant-abcdefghijklmnopqrstuv"


def said(language: Language, key: str, **values: str) -> str:
    return Texts(language).say(f"fallback.{key}", **values)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
@pytest.mark.parametrize(
    "made_up",
    [
        "It is so, see https://journal.example/dawn for that.",
        'It is so [1: "a rise in the early morning"].',
    ],
)
def test_it_does_not_know_if_nothing_was_found_and_only_made_up_sources_come(
    someone: Researcher, language: Language, tier: Tier, made_up: str
) -> None:
    someone.brain.does[ANSWER] = lambda _: Says(made_up, usage=SMALL)
    ended = someone.ask(QUESTIONS[language], tier)
    (rejected,) = someone.study.happened(AnswerRejected)
    assert "unfounded" in rejected.faults
    assert (ended.outcome, ended.text) == (Outcome.COMPLETE, said(language, "unknown"))
    assert someone.study.on_disk()[-1].content == ended.text


def test_an_address_that_the_user_named_is_not_made_up(someone: Researcher) -> None:
    someone.brain.does[ANSWER] = lambda _: Says(
        "I have not read https://journal.example/dawn, so I do not know.", usage=SMALL
    )
    ended = someone.ask("What does https://journal.example/dawn say of sugar?", Tier.QUICK)
    assert someone.study.happened(AnswerRejected) == []
    assert ended.text.startswith("I have not read")


@pytest.mark.parametrize("language", list(Language))
def test_an_answer_that_shows_a_key_again_is_replaced(study: Study, language: Language) -> None:
    study.script.steps += [f"{KEY}", f"Yine: {KEY}"]
    (study.language,) = {*Language} - {language}  # notices are in that of the interface
    ended = study.ask(QUESTIONS[language])
    assert ended.text == said(language, "not_allowed")
    assert KEY not in study.on_disk()[-1].content
    for one in study.happened(AnswerRejected):
        why = Texts(study.language).say(f"quality.{one.faults[0]}")
        assert one.said == said(study.language, "try_again", why=why)


@pytest.mark.parametrize("language", list(Language))
def test_it_cannot_if_the_model_writes_nothing(study: Study, language: Language) -> None:
    study.script.steps += ["", "…"]
    assert study.ask(QUESTIONS[language]).text == said(language, "cannot")
    assert study.on_disk()[-1].model == NO_MODEL


@pytest.mark.parametrize("language", list(Language))
def test_it_names_what_it_needs_to_know_if_a_part_stays_unanswered(
    study: Study, language: Language
) -> None:
    question, part, other = {
        Language.TR: (
            "Gökkuşağı nedir? Roma ne zaman bölündü?",
            "Roma ne zaman bölündü?",
            "Gökkuşağı, güneş ışığının yağmur damlalarında kırılmasıdır.",
        ),
        Language.EN: (
            "What is a rainbow? When was Rome divided?",
            "When was Rome divided?",
            "A rainbow is sunlight that is refracted in drops of rain.",
        ),
    }[language]
    study.script.steps += [other, other]
    study.script.descriptions += [{"choice": "no"}, {"choice": "no"}]
    ended = study.ask(question)
    assert ended.text.startswith(other)
    assert said(language, "need_to_know", part=part) in ended.text
