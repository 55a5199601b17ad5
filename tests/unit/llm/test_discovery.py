import dataclasses
import socket

import pytest

from desktop.domain.endpoints import Endpoint
from desktop.llm import endpoints
from tests.fakes import ScriptedServer


def at(preset: endpoints.Preset, port: int) -> endpoints.Preset:
    return dataclasses.replace(preset, port=port, base_url=f"http://127.0.0.1:{port}")


def found(preset: endpoints.Preset, server: ScriptedServer) -> list[Endpoint]:
    return endpoints.look_for_local_servers([at(preset, server.port)])


def test_only_loopback_is_looked_at() -> None:
    assert {place.base_url for place in endpoints.LOCAL_PRESETS} == {
        f"http://127.0.0.1:{port}" for port in (11434, 1234, 8080, 8000)
    }


def test_a_server_is_found_at_its_port(server: ScriptedServer) -> None:
    server.models = [{"id": "gemma3", "owned_by": "library"}]
    assert found(endpoints.OLLAMA, server) == [at(endpoints.OLLAMA, server.port).endpoint()]
    assert [request.path for request in server.requests] == ["/v1/models"]


def test_a_server_is_named_after_what_answers_and_not_after_the_port(
    server: ScriptedServer,
) -> None:
    server.models = [{"id": "gemma3", "owned_by": "llamacpp"}]
    [endpoint] = found(endpoints.VLLM, server)
    assert (endpoint.name, endpoint.base_url) == (endpoints.LLAMA_CPP.name, server.url)
    assert endpoint.capabilities == endpoints.LLAMA_CPP.capabilities


@pytest.mark.parametrize("lacking", [True, False])
def test_whatever_does_not_list_models_is_no_server(
    server: ScriptedServer, *, lacking: bool
) -> None:
    if lacking:
        server.lacks.add("/v1/models")
    else:
        server.close()
    assert found(endpoints.OLLAMA, server) == []


def test_a_port_that_never_answers_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = at(endpoints.OLLAMA, silent.getsockname()[1])
        assert endpoints.look_for_local_servers([place]) == []
