"""One message and its answer: saved first, then sent, then saved again as it arrives."""

from dataclasses import replace

from desktop.domain import events
from desktop.domain.errors import ConnectionLostError
from desktop.domain.messages import MessageState, Role, Thumb
from desktop.domain.model import ModelRequest
from desktop.domain.routing import Answer
from desktop.domain.usage import Usage
from tests.costs import grows_with_size
from tests.studies import Study


def test_an_answer_arrives_in_pieces_and_is_kept_whole(study: Study) -> None:
    study.script.steps.append(("Sabah ", "yükselişi."))
    ended = study.ask("Şafak olayı nedir?")
    assert ended.outcome is events.Outcome.COMPLETE
    assert ended.text == "Sabah yükselişi."
    assert [event.text for event in study.happened(events.TextArrived)] == ["Sabah ", "yükselişi."]
    question, answer = study.on_disk()
    assert (question.role, question.content) == (Role.USER, "Şafak olayı nedir?")
    assert (answer.role, answer.content) == (Role.ASSISTANT, "Sabah yükselişi.")
    assert answer.state is MessageState.COMPLETE
    assert answer.model == "scripted-model"
    assert answer.parent_id == question.id
    assert ended.message_id == answer.id


def test_a_turn_emits_its_events_in_order_and_ends_with_turn_ended(study: Study) -> None:
    ended = study.ask("Soru?")
    kinds = [type(event) for event in study.events]
    assert kinds[:2] == [events.Decided, events.SessionStarted]
    user, saved, assistant = study.happened(events.MessageAdded)
    assert (user.message.role, user.is_saved) == (Role.USER, False)
    assert (saved.message.id, saved.is_saved) == (user.message.id, True)
    assert assistant.message.role is Role.ASSISTANT
    assert kinds[-1] is events.TurnEnded
    assert kinds.index(events.TextArrived) > kinds.index(events.MessageAdded)
    assert isinstance(ended.decision, Answer)
    assert {event.turn_id for event in study.events} == {ended.turn_id}


def test_the_question_is_on_the_disk_when_the_model_is_asked_and_the_answer_while_it_comes(
    study: Study,
) -> None:
    seen: list[list[tuple[str, MessageState]]] = []

    def look() -> None:
        seen.append([(one.content, one.state) for one in study.on_disk()])

    study.script.steps.append((look, "cevap"))
    study.ask("Soru?")
    assert seen == [[("Soru?", MessageState.COMPLETE), ("", MessageState.STREAMING)]]


def test_the_instructions_are_in_the_language_of_the_interface(study: Study) -> None:
    study.ask("Soru?")
    study.language = type(study.language).EN
    study.ask("Peki ya sonra?")
    turkish, english = (request.instructions for request in study.script.requests)
    assert "Türkçe" in turkish
    assert "English" in english


def test_an_answer_that_is_stopped_before_its_first_word_is_empty_and_the_next_continues(
    study: Study,
) -> None:
    study.script.steps.append((study.assistant.stop, ConnectionLostError(where="x")))
    assert study.ask("Soru?").outcome is events.Outcome.STOPPED
    assert study.ask("Bir daha?").outcome is events.Outcome.COMPLETE
    assert [one.text for one in study.script.requests[-1].messages] == ["Soru?", "Bir daha?"]


def test_a_turn_cancelled_before_the_answer_ends_without_words(study: Study) -> None:
    turn = study.assistant.ask("Soru?")
    study.script.steps.append((turn.cancel, "geç kalan söz"))
    ended = study.run(turn)
    assert (ended.outcome, ended.text) == (events.Outcome.STOPPED, "")


def test_a_partial_answer_goes_along_with_the_next_question(study: Study) -> None:
    study.script.steps.append(("Yarım", ConnectionLostError(where="x")))
    study.ask("Soru?")
    study.ask("Devam et.")
    sent = [one.text for one in study.script.requests[-1].messages]
    assert sent == ["Soru?", "Yarım", "Devam et."]


def test_tokens_and_cost_of_a_turn_are_reported_and_stored(study: Study) -> None:
    ended = study.ask("Soru?")
    (counted,) = study.happened(events.UsageCounted)
    assert counted.usage == ended.usage == Usage(12, 5, cost_usd=0.001)
    assert study.archive.answers.usage(study.active.id) == {ended.message_id: counted.usage}


def test_a_retry_sends_the_same_context_and_leaves_the_failed_answer_as_a_version(
    study: Study,
) -> None:
    study.ask("İlk soru?")
    study.script.steps.append(("Yarım ", ConnectionLostError(where="x")))
    failed = study.ask("Soru?")
    ended = study.retry(failed)
    assert ended.outcome is events.Outcome.COMPLETE
    assert _stable(study.script.requests[-1]) == _stable(study.script.requests[-2])
    assert study.said == ["İlk soru?", "Tamam.", "Soru?", "Tamam."]
    versions = study.active.versions(study.active.messages[-1].id)
    assert versions.ids == (failed.message_id, ended.message_id)
    assert versions.place == 2


def _stable(request: ModelRequest) -> ModelRequest:
    return replace(request, changing=None)


def test_a_question_that_was_never_answered_can_be_retried(study: Study) -> None:
    study.ask("İlk?")
    question = study.active.add(Role.USER, "Asılı kalan?")
    study.active.save()
    ended = study.run(study.assistant.retry(question.id))
    assert ended.outcome is events.Outcome.COMPLETE
    assert study.said[-2:] == ["Asılı kalan?", "Tamam."]


def test_a_rating_is_kept_and_taken_back(study: Study) -> None:
    study.ask("Soru?")
    message_id, rate = study.active.messages[-1].id, study.assistant.rate
    rate(message_id, Thumb.DOWN, "yanlış")
    assert study.archive.answers.ratings(study.active.id)[message_id].words == "yanlış"
    rate(message_id, None)
    assert study.archive.answers.ratings(study.active.id) == {}


def test_letters_that_arrive_in_halves_are_kept_whole(study: Study) -> None:
    study.script.steps.append(("gülen \ud83d", "\ude00 yüz"))
    ended = study.ask("Soru \udcff?")
    assert ended.text == "gülen 😀 yüz"
    assert [one.content for one in study.on_disk()] == ["Soru \ufffd?", "gülen 😀 yüz"]


def test_held_back_text_is_saved_if_the_connection_breaks(study: Study) -> None:
    study.script.steps.append(
        ("Şeker sabah yükselir [1: “çünkü karaciğer çalışır", ConnectionLostError(where="x"))
    )
    ended = study.ask("Neden?")
    assert ended.text == "Şeker sabah yükselir [1: “çünkü karaciğer çalışır"
    assert study.on_disk()[-1].content == "Şeker sabah yükselir [1: “çünkü karaciğer çalışır"


def test_a_paste_is_answered_by_its_ends_if_no_model_reads_it(alone: Study) -> None:
    def ask(text: str) -> None:
        assert alone.ask(text).outcome is events.Outcome.COMPLETE
        assert alone.on_disk()[0].content == text
        alone.assistant.end()

    assert grows_with_size(ask, "1,2.5,abc;" * 1_500, "1,2.5,abc;" * 150_000)
