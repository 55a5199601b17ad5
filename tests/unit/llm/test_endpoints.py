import dataclasses
import socket

import pytest

from desktop.domain.endpoints import Endpoint, EndpointKind
from desktop.llm import endpoints
from tests.fakes import ScriptedServer


def at(preset: endpoints.Preset, port: int) -> endpoints.Preset:
    return dataclasses.replace(preset, port=port, base_url=f"http://127.0.0.1:{port}")


def found(preset: endpoints.Preset, server: ScriptedServer) -> list[Endpoint]:
    return endpoints.look_for_local_servers([at(preset, server.port)])


def test_only_loopback_is_looked_at() -> None:
    assert {place.base_url for place in endpoints.LOCAL_PRESETS} == {
        f"http://127.0.0.1:{port}" for port in (11434, 1234, 8080, 8000, 30000, 1337, 5001, 5000)
    }


def test_a_server_is_found_at_its_port(server: ScriptedServer) -> None:
    server.models = [{"id": "gemma3", "owned_by": "library"}]
    assert found(endpoints.OLLAMA, server) == [at(endpoints.OLLAMA, server.port).endpoint()]
    assert [request.path for request in server.requests] == ["/v1/models", "/v1/messages"]
    assert not server.asked


@pytest.mark.parametrize("preset", [endpoints.OLLAMA, endpoints.KOBOLD_CPP])
@pytest.mark.parametrize("kind", [EndpointKind.SERVER, EndpointKind.CHAT])
def test_the_protocol_of_a_server_is_detected_not_guessed_from_its_port(
    server: ScriptedServer, preset: endpoints.Preset, kind: EndpointKind
) -> None:
    if kind is EndpointKind.CHAT:
        server.lacks.add("/v1/messages")
    [endpoint] = found(preset, server)
    version = "/v1" if kind is EndpointKind.CHAT else ""
    assert (endpoint.kind, endpoint.base_url) == (kind, f"{server.url}{version}")


def test_a_server_that_needs_a_key_is_recognised_by_its_port(server: ScriptedServer) -> None:
    server.key = "sk-jan"
    assert found(endpoints.JAN, server) == [at(endpoints.JAN, server.port).endpoint()]


def test_a_server_is_named_by_its_reply_not_by_its_port(server: ScriptedServer) -> None:
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
