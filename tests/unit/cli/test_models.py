"""Models are connected, tested and removed from the command line; keys go into the keyring."""

import io
from collections.abc import Iterator

import pytest

from desktop.domain.language import Language
from desktop.llm.capability_test import Probe
from desktop.settings.keys import MemoryKeys
from desktop.settings.messages import Texts
from tests.commands import Done, bellek
from tests.fakes import Fails, Says, ScriptedServer
from tests.loopback import LoopbackServer


class Keyring(MemoryKeys):
    is_lasting = True


@pytest.fixture(autouse=True)
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    """The system's, which outlives a command."""
    kept = Keyring()
    monkeypatch.setattr("desktop.settings.keys.KeyringKeys", lambda **_: kept)
    return kept


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(["A zebra ", "is striped."]) as running:
        yield running


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def models(*argv: str, stdin: str = "") -> Done:
    return bellek("--lang", "en", "models", *argv, stdin=stdin)


def test_a_server_that_was_added_answers_with_the_key_from_standard_input(
    server: LoopbackServer, keyring: Keyring
) -> None:
    done = models("add", "server", server.url, "--key-stdin", stdin=f"{server.key}\n")
    assert (done.code, done.out) == (0, "")
    assert "answers from now on" in done.err
    (listed,) = models("list", "--json").lines
    assert (listed["kind"], listed["base_url"], listed["has_key"]) == ("server", server.url, True)
    assert listed["roles"] == {"answering": "loopback"}
    assert keyring.get(listed["id"]) == server.key
    assert "A zebra is striped." in bellek("ask", "Explain zebras.").out
    assert server.key not in models("list").out


def test_a_test_prints_what_a_connection_can_do_and_fails_where_it_does_not_answer(
    scripted: ScriptedServer,
) -> None:
    models("add", "server", scripted.url, "--key-stdin", stdin="wrong\n")
    scripted.default = lambda _: Says("Hello.")
    done = models("test", "server")
    assert done.code == 0
    assert "✓ Answering" in done.out
    assert "– Structured output" in done.out
    scripted.default = lambda _: Fails(401)
    refused = models("test", "server", "--json")
    assert refused.code == 1
    end = refused.lines[-1]
    assert (end["works"], end["error"]["key"]) == (False, "key_rejected")
    assert "did not accept your key" in refused.err


@pytest.mark.parametrize("language", Language)
def test_every_step_of_a_test_has_a_name(language: Language) -> None:
    assert all(Texts(language).say(f"models.{step.value}") for step in Probe)


def test_a_connection_without_an_answer_is_not_added_and_stores_no_key(keyring: Keyring) -> None:
    with LoopbackServer([]) as gone:
        url = gone.url
    done = models("add", "server", url, "--key-stdin", stdin="secret\n")
    assert (done.code, done.out) == (1, "")
    assert models("list", "--json").lines == []
    assert keyring.get("server") is None  # type: ignore[arg-type]  # as it would be called


def test_a_second_model_is_added_and_answers_when_chosen(server: LoopbackServer) -> None:
    models("add", "ollama", "--model", "llama3")
    done = models("add", "server", server.url, "--model", "m", "--name", "Mine")
    assert "bellek models use server m" in done.err
    models("use", "server", "m")
    models("use", "ollama", "small", "--role", "quick")
    ollama, mine = models("list", "--json").lines
    assert (ollama["roles"], mine["name"]) == ({"quick": "small"}, "Mine")
    assert mine["roles"] == {"answering": "m"}


def test_the_own_model_makes_vectors_again_after_another_one() -> None:
    models("add", "ollama", "--model", "llama3")
    models("use", "ollama", "nomic-embed-text", "--role", "embedding")
    (ollama,) = models("list", "--json").lines
    assert ollama["roles"] == {"answering": "llama3", "embedding": "nomic-embed-text"}
    done = models("use", "builtin", "--role", "embedding")
    assert (done.code, done.out) == (0, "")
    assert "own model" in done.err
    (ollama,) = models("list", "--json").lines
    assert ollama["roles"] == {"answering": "llama3"}
    assert models("use", "builtin").code == 2
    assert models("use", "ollama").code == 2


def test_a_preset_and_a_server_of_the_other_protocol_are_connected(keyring: Keyring) -> None:
    add = ("--model", "m", "--key-stdin")
    models("add", "openai", *add, stdin="secret\n")
    models("add", "chat", "http://127.0.0.1:9/v1/", "--model", "m")
    openai, chat = models("list", "--json").lines
    assert (openai["kind"], openai["base_url"]) == ("chat", "https://api.openai.com/v1")
    assert (openai["has_key"], chat["has_key"]) == (True, False)
    assert (chat["id"], chat["name"], chat["base_url"]) == (
        "chat",
        "127.0.0.1:9",
        "http://127.0.0.1:9/v1",
    )


def test_a_removed_model_is_gone_with_its_key_and_its_roles(
    server: LoopbackServer, keyring: Keyring
) -> None:
    models("add", "server", server.url, "--key-stdin", stdin=f"{server.key}\n")
    assert models("remove", "server").code == 0
    assert "No model is connected" in models("list").err
    assert "A zebra" not in bellek("ask", "Explain zebras.").out
    assert keyring.get("server") is None  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("add", 2, "Something is missing: KIND"),
        ("add olama", 2, "Say what to connect, one of these: anthropic"),
        ("add server", 2, "server ADDRESS"),
        ("add server ftp://x", 2, "This is not a web address: ftp://x."),
        ("add anthropic http://127.0.0.1:1", 2, "Say what to connect"),
        ("add gguf /no/such.gguf", 1, "/no/such.gguf"),
        ("add anthropic", 1, "pipe it in with --key-stdin"),
        ("add anthropic --key-stdin", 1, "needs a key"),
        ("test olama", 2, "“olama” is not known here"),
        ("remove nobody", 2, "“nobody” is not known here"),
    ],
)
def test_a_failed_connection_is_explained(line: str, code: int, said: str) -> None:
    done = models(*line.split())
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "Settings >" not in done.err


def test_a_key_is_asked_for_in_a_terminal_and_never_an_argument(
    monkeypatch: pytest.MonkeyPatch, keyring: Keyring
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("desktop.cli.models.getpass", lambda *_: "typed ")
    add = ("--lang", "en", "models", "add", "anthropic", "--model", "m")
    assert bellek(*add, stdin=Terminal()).code == 0
    assert keyring.get("anthropic") == "typed"  # type: ignore[arg-type]  # as above
    assert models("add", "anthropic", "--key", "secret").code == 2


def test_without_a_keyring_the_unsaved_key_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.settings.keys.KeyringKeys", lambda **_: MemoryKeys())
    done = models("add", "anthropic", "--model", "m", "--key-stdin", stdin="secret\n")
    assert done.code == 1
    assert "the key was not saved" in done.err
    assert "secret" not in done.err


def test_an_empty_archive_without_a_model_says_how_to_begin() -> None:
    said = "bellek models add. For the sample sessions, run: bellek examples add"
    assert said in bellek("--lang", "en", "chat").err
    assert said in bellek("--lang", "en", "ask", "Explain zebras.").err
    bellek("examples", "add")
    assert said not in bellek("--lang", "en", "chat").err
