"""Lines are cut under whoever uses them, also those that are opened a moment too late."""

import httpx2
import pytest

from desktop.llm.cancellable_sockets import Lines
from tests.fakes import ScriptedServer


def test_a_line_that_is_opened_after_the_cut_is_cut_as_well(server: ScriptedServer) -> None:
    lines = Lines()
    with httpx2.Client(event_hooks={"request": [lines.watch]}) as client:
        assert client.get(f"{server.url}/v1/models").status_code == httpx2.codes.OK
        lines.cut()
        with pytest.raises(httpx2.TransportError):
            client.get(f"{server.url}/v1/models")
        with pytest.raises(httpx2.TransportError):
            client.get(f"{server.url}/v1/models")
