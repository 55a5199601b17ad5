"""What nobody asked for by hand: each request is counted, and a day has a limit."""

import pytest

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import DailyCapError, OverloadedError
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.projects import COMMON
from desktop.domain.usage import Purpose, Usage
from desktop.sessions.keeping.diary import Diary
from desktop.sessions.keeping.insight import background_table
from desktop.settings.messages import Texts
from tests.archives import NOON
from tests.models import ScriptedModel
from tests.studies import ANSWERS, Study
from tests.unit.sessions.test_compacting import compacts, fill

ASKED = ModelRequest("", (RequestMessage(Role.USER, "?"),))


@pytest.fixture
def study(study: Study) -> Study:
    study.clock.at = NOON
    return study


def counted(study: Study, period: str = "today") -> dict[Purpose, tuple[int, int]]:
    """Requests and tokens by purpose."""
    uses = study.background.read().uses[period]
    return {use.purpose: (use.requests, use.usage.total_tokens) for use in uses}


def end_a_session(study: Study) -> SessionId:
    study.script.steps.extend(ANSWERS)
    study.ask("Şafak olayı nedir, kan şekeri neden yükselir?")
    session_id = study.active.id
    study.assistant.end()
    return session_id


def test_a_title_is_counted_and_an_answer_is_not(study: Study) -> None:
    end_a_session(study)
    assert counted(study) == {}
    assert study.describe()
    assert counted(study) == {Purpose.DESCRIBE: (1, 17)}


def test_a_session_waits_for_the_next_day_when_the_cap_is_reached(study: Study) -> None:
    end_a_session(study)
    study.set(background_tokens=17)
    study.background.record(Purpose.DIARY, "m", Usage(17))
    study.describe()
    assert not study.script.json_requests
    assert study.archive.descriptions.due()
    study.clock.pass_by(days=1)
    assert [session.summary for session in study.describe()] == ["Modelin özeti."]
    assert not study.archive.descriptions.due()


def test_a_day_of_the_diary_waits_and_one_written_by_hand_does_not(study: Study) -> None:
    diary = Diary(study.archive, study.assistant._context)
    study.add_past("dün", "Maya nedir?", "Mantar.", at=NOON)
    study.clock.pass_by(days=1)
    study.set(background_cents=10)
    study.background.record(Purpose.COMPACT, "m", Usage(1, cost_usd=0.1))
    assert (diary.write_due(lambda: False), diary.due()) == (0, [NOON.date()])
    assert diary.write(NOON.date()) is not None
    assert len(study.script.json_requests) == 1
    assert Purpose.DIARY not in counted(study)


def test_a_long_session_is_not_summarised_beyond_the_cap(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    study = fill(tmp_path_factory.mktemp("long"), 40, model=ScriptedModel())
    study.set(background_tokens=1)
    study.background.record(Purpose.DIARY, "m", Usage(1))
    assert study.describe() == []
    assert not compacts(study)
    study.set(background_tokens=0)
    study.describe()
    assert compacts(study)
    assert Purpose.COMPACT in counted(study)
    study.close()


def test_a_request_that_fails_is_counted_too(study: Study) -> None:
    study.script.descriptions.append(OverloadedError())
    model = study.assistant._context.background(ModelRole.SUMMARISING, COMMON, Purpose.DIARY)
    assert model is not None
    with pytest.raises(OverloadedError):
        model.ask_json(ASKED, {"properties": {}})
    with model.stream(ASKED) as stream:
        list(stream)
    assert counted(study)[Purpose.DIARY][0] == 2


def test_the_last_weeks_are_told_apart_and_outlive_their_sessions(study: Study) -> None:
    for days, tokens in ((40, 1), (20, 2), (5, 4)):
        study.clock.at = NOON
        study.clock.pass_by(days=-days)
        study.background.record(Purpose.DESCRIBE, "m", Usage(tokens))
    study.clock.at = NOON
    session_id = end_a_session(study)
    study.describe()
    study.past.delete([session_id])
    study.archive.purge_deleted()
    assert counted(study) == {Purpose.DESCRIBE: (1, 17)}
    assert counted(study, "week") == {Purpose.DESCRIBE: (2, 21)}
    assert counted(study, "month") == {Purpose.DESCRIBE: (3, 23)}


def test_it_is_said_once_a_day(study: Study) -> None:
    study.set(background_tokens=5)
    assert not study.background.take_notice()
    for _ in range(2):
        study.background.record(Purpose.DIARY, "m", Usage(5))
        with pytest.raises(DailyCapError):
            study.background.check()
        assert (study.background.take_notice(), study.background.take_notice()) == (True, False)
        study.clock.pass_by(days=1)


@pytest.mark.parametrize("language", Language)
def test_every_purpose_has_its_name_in_the_table(study: Study, language: Language) -> None:
    for purpose in Purpose:
        study.background.record(purpose, "m", Usage(1))
    table = background_table(study.background.read(), Texts(language))
    assert len({row[1] for row in table.rows}) == len(Purpose)
