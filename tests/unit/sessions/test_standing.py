"""Standing instructions and the persona stand in the stable start of every request."""

from desktop.settings.settings import OWN_PERSONA, StandingInstruction
from tests.studies import Study, words_of


def test_instructions_that_are_on_go_with_every_request_and_others_stay_at_home(
    study: Study,
) -> None:
    study.set(
        instructions=(
            StandingInstruction("Birimleri metrik ver."),
            StandingInstruction("Şaka yap.", is_on=False),
        )
    )
    study.ask("Şafak olayı nedir?")
    study.ask("İkisinin farkı ne?")
    first, second = study.script.requests
    assert first.instructions == second.instructions
    assert "- Birimleri metrik ver." in first.instructions
    assert "Şaka yap" not in first.instructions


def test_another_persona_takes_the_place_of_the_usual_one(study: Study) -> None:
    study.set(persona="butler")
    study.ask("Şafak olayı nedir?")
    sent = study.script.requests[0].instructions
    assert sent.startswith(words_of(study.language).personas["butler"])
    assert words_of(study.language).personas["research"] not in sent
    assert words_of(study.language).assistant in sent


def test_the_users_own_persona_is_taken_as_it_is_written(study: Study) -> None:
    study.set(persona=OWN_PERSONA, own_persona="Sen bir deniz fenerisin; adın Fener.")
    study.ask("Şafak olayı nedir?")
    assert study.script.requests[0].instructions.startswith(
        "Sen bir deniz fenerisin; adın Fener.\n"
    )
    study.set(persona="no such persona")
    study.ask("İkisinin farkı ne?")
    usual = words_of(study.language).personas["research"]
    assert study.script.requests[1].instructions.startswith(usual)
