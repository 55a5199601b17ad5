"""What the window shows of the router and of the gate behind an answer."""

from desktop.domain.routing import Guard
from tests.ui.main_window.stage import Stage

ENGLISH = (
    "The dawn phenomenon is a rise of blood sugar in the early morning, which is caused by the "
    "hormones that prepare the body for waking up."
)
TURKISH = "Şafak olayı, sabaha karşı salgılanan hormonların kan şekerini yükseltmesidir."
QUESTION = "Şafak olayı nedir, kan şekeri neden yükselir?"


def test_an_answer_that_is_written_again_takes_the_place_of_the_one_before(stage: Stage) -> None:
    stage.model.says(ENGLISH)
    stage.model.says(TURKISH)
    stage.ask(QUESTION)
    assert stage.shown() == [QUESTION, TURKISH]
    stage.until(lambda: len(_versions(stage)) == 2)


def test_a_word_about_an_answer_that_failed_twice_is_shown_with_it(stage: Stage) -> None:
    stage.model.says(ENGLISH)
    stage.model.says(ENGLISH)
    stage.ask(QUESTION)
    assert stage.shown()[1].startswith(ENGLISH)
    assert "sorunun dilinde gelmedi" in stage.shown()[1]


def test_what_the_application_knows_is_answered_from_its_own_knowledge(stage: Stage) -> None:
    stage.model.says("Adım Bellek.")
    decided: list[object] = []
    stage.window.sessions.turns.decided.connect(decided.append)
    stage.ask("adın ne?")
    assert isinstance(decided[-1], Guard)
    stage.until(lambda: "own knowledge" in stage.window.parts.status._doing.text())


def _versions(stage: Stage) -> tuple[object, ...]:
    versions = stage.messages()[-1].facts.versions
    return tuple(versions.ids) if versions else ()
