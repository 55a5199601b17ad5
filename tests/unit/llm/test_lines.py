"""Open connections are cut under a thread that reads from them, as when the program ends."""

import httpx2
import pytest

from desktop.llm.connection import OpenConnections
from tests.fakes import ScriptedServer


def test_a_line_that_is_opened_after_the_cut_is_cut_as_well(server: ScriptedServer) -> None:
    lines = OpenConnections()
    with httpx2.Client(event_hooks={"request": [lines.watch]}) as client:
        assert client.get(f"{server.url}/v1/models").status_code == httpx2.codes.OK
        lines.cut()
        with pytest.raises(httpx2.TransportError):
            client.get(f"{server.url}/v1/models")
        with pytest.raises(httpx2.TransportError):
            client.get(f"{server.url}/v1/models")
