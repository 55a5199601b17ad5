"""What the user wishes for in one session stands in the request of the next."""

from pathlib import Path

from tests.fakes import ScriptedServer
from tests.models import served_model
from tests.studies import Study


def test_a_wish_of_one_session_stands_once_in_the_request_of_the_next(
    tmp_path: Path, server: ScriptedServer
) -> None:
    with served_model(server) as model:
        study = Study(tmp_path, model)
        study.set(describes_with_model=False)
        study.ask("Bundan sonra kısa yanıt ver.")
        study.assistant.end()
        study.describe()
        study.ask("Fotosentez nedir?")
        study.close()
    sent = server.asked[-1].body.decode()
    assert "tercihler" in sent
    assert sent.count("ısa yanıt ver") == 1
