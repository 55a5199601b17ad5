"""What the application states about itself, the date, and its data; it guesses nothing."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from desktop.domain.language import Language
from desktop.domain.routing import Guard, GuardTopic
from desktop.research.builtin_answers import OwnKnowledge, fixed_answer, guard_block, is_refusal
from desktop.settings.messages import Texts

NOON = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
OWN = OwnKnowledge(NOON, model="qwen3:8b", endpoint="Ollama", folder="/ev/bellek", sources=3)
TURKISH, ENGLISH = Texts(Language.TR), Texts(Language.EN)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", GuardTopic)
def test_every_topic_has_an_answer_in_both_languages(
    topic: GuardTopic, language: Language
) -> None:
    said = fixed_answer([topic], OWN, Texts(language))
    assert said
    assert "{" not in said
    assert guard_block(Guard((topic,), "x"), OWN, Texts(language))


def test_the_days_around_today_are_named_with_their_weekday() -> None:
    topics = (GuardTopic.DATE, GuardTopic.YESTERDAY, GuardTopic.TOMORROW)
    said = fixed_answer(topics, OWN, TURKISH)
    assert "Bugün 5 Mart 2026, Perşembe." in said
    assert "Dün 4 Mart 2026, Çarşamba idi." in said
    assert "Yarın 6 Mart 2026, Cuma." in said


def test_the_answering_model_and_its_place_are_named_correctly() -> None:
    assert "qwen3:8b" in fixed_answer([GuardTopic.MODEL], OWN, ENGLISH)
    assert "running on this computer" in fixed_answer([GuardTopic.MODEL], OWN, ENGLISH)
    cloud = replace(OWN, is_local=False)
    assert "over the internet" in fixed_answer([GuardTopic.MODEL], cloud, ENGLISH)
    nobody = replace(OWN, model=None)
    assert "qwen" not in fixed_answer([GuardTopic.MODEL], nobody, ENGLISH)


def test_its_abilities_depend_on_the_connections() -> None:
    everything = fixed_answer([GuardTopic.ABILITIES], replace(OWN, uses_web=True), TURKISH)
    assert "Web açık" in everything
    assert "3 kaynakta" in everything
    little = replace(OWN, model=None, uses_memory=False, uses_past_sessions=False, sources=0)
    said = fixed_answer([GuardTopic.ABILITIES], little, TURKISH)
    assert "Web kapalı" in said
    assert "istediklerini hatırlar" not in said


def test_the_data_folder_is_shown_to_the_user_and_to_no_model() -> None:
    assert "/ev/bellek" in fixed_answer([GuardTopic.CUSTODY], OWN, TURKISH)
    assert "/ev/bellek" not in guard_block(Guard((GuardTopic.CUSTODY,), "x"), OWN, TURKISH)


def test_only_a_question_purely_about_secrets_is_refused_without_a_request() -> None:
    assert is_refusal(Guard((GuardTopic.SECRETS,), "x"))
    assert is_refusal(Guard((GuardTopic.SECRETS, GuardTopic.OTHERS), "x"))
    assert not is_refusal(Guard((GuardTopic.SECRETS,), "x", rest="Kant kimdir?"))
    assert not is_refusal(Guard((GuardTopic.SECRETS, GuardTopic.NAME), "x"))
