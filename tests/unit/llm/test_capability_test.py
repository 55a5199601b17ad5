from collections.abc import Iterator

import pytest

from desktop.domain.endpoints import Capabilities
from desktop.domain.errors import KeyMissingError
from desktop.domain.usage import Usage
from desktop.llm.capability_test import Probe, TestStep
from desktop.llm.model_registry import Models
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from tests.fakes import CallsTool, Request, Says, SaysJson, ScriptedServer, Step
from tests.models import endpoint_of

CITATION = {
    "type": "search_result_location",
    "cited_text": "The lamp is green.",
    "search_result_index": 0,
    "source": "bellek:test",
    "title": "Test",
    "start_block_index": 0,
    "end_block_index": 1,
}


def able(request: Request) -> Step:
    """Answers like an endpoint that can do everything."""
    if "output_config" in request.json:
        return SaysJson({"greeting": "hello"})
    if "tools" in request.json:
        return CallsTool("save_number", {"number": 7})
    if b"search_result" in request.body:
        return Says("It is green.", citations=[CITATION])
    if b"cache_control" in request.body:
        return Says("Hello.", usage=Usage(5, 2, 0, 2600))
    if b'"type":"image"' in request.body:
        return Says("Red.")
    return Says("Hello.")


def plain(_: Request) -> Step:
    """Answers in prose to every request, as local servers do."""
    return Says("Hello.")


@pytest.fixture
def models() -> Iterator[Models]:
    models = Models(Settings, MemoryKeys())
    yield models
    models.close()


def test_everything_that_an_endpoint_can_do_is_found(
    server: ScriptedServer, models: Models
) -> None:
    server.default = able
    seen: list[TestStep] = []
    report = models.test(endpoint_of(server), "scripted-model", seen.append)
    assert report.works
    assert report.endpoint.capabilities == Capabilities(
        citations=True,
        structured_output=True,
        count_tokens=True,
        caching=True,
        tools=True,
        images=True,
    )
    assert [step.what for step in seen] == list(Probe)
    assert tuple(seen) == report.steps


def test_a_silently_ignored_capability_is_not_accepted(
    server: ScriptedServer, models: Models
) -> None:
    server.default = plain
    server.lacks.add("/v1/messages/count_tokens")
    report = models.test(endpoint_of(server), "scripted-model")
    assert report.works
    assert report.endpoint.capabilities == Capabilities()


def test_the_answer_and_the_number_of_models_are_reported(
    server: ScriptedServer, models: Models
) -> None:
    details = {step.what: step.detail for step in models.test(endpoint_of(server), "").steps}
    assert details[Probe.MODELS] == "1"
    assert details[Probe.ANSWER] == "Tamam."


def test_without_an_answer_no_further_test_is_sent(server: ScriptedServer, models: Models) -> None:
    server.key = "sk-right"
    report = models.test(endpoint_of(server), "scripted-model")
    assert not report.works
    assert report.endpoint == endpoint_of(server)
    assert [type(step.error) for step in report.steps] == [KeyMissingError, KeyMissingError]
