"""A turn on the command line: tools that are called and permitted, and citations."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.app.run import run
from desktop.settings.paths import Paths
from desktop.settings.settings import ClaimChecks, ToolSwitch
from desktop.settings.store import SettingsStore
from tests import outside_server
from tests.commands import Done, bellek, write_lines
from tests.documents.pdfs import pdf_of
from tests.fakes import SMALL_USAGE, CallsTool, Fails, Says, SaysJson, ScriptedServer
from tests.models import connect

SAVES = CallsTool(
    "memory_save",
    {"content": "Kullanıcı Bursa'da yaşıyor.", "topic": "Yaşam", "quote": "Bursa'da yaşıyorum"},
)
SAYS = "Ben Bursa'da yaşıyorum."


class Terminal(io.StringIO):
    """A user at a terminal who types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(SAVES, default=Says("Aklımda.")) as server:
        yield server


@pytest.fixture
def asking(tmp_path: Path, server: ScriptedServer) -> None:
    """Saving needs permission."""
    asks_first = {"memory_save": ToolSwitch(asks_first=True)}
    connect(tmp_path / "bellek", server, "tools", tools=asks_first)


def test_the_action_of_a_tool_is_printed_beside_the_answer(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, "tools")
    done = bellek("ask", SAYS, "--lang", "tr")
    assert done.out == "Aklımda.\n"
    assert "Hatırlanacak bir bilgi eklendi" in done.err


def test_tools_are_events_in_json(tmp_path: Path, server: ScriptedServer) -> None:
    connect(tmp_path / "bellek", server, "tools")
    called = [
        line for line in bellek("ask", SAYS, "--json").lines if line["event"] == "tool_called"
    ]
    assert [(one["name"], one["state"]) for one in called] == [
        ("memory_save", "running"),
        ("memory_save", "done"),
    ]
    assert called[0]["summary"] == "Kullanıcı Bursa'da yaşıyor."
    assert called[1]["duration_ms"] >= 0


@pytest.mark.parametrize(("typed", "is_error"), [("e\n", False), ("h\n", True), ("", True)])
def test_a_user_at_a_terminal_is_asked(
    server: ScriptedServer, asking: None, typed: str, *, is_error: bool
) -> None:
    done = bellek("ask", SAYS, "--lang", "tr", stdin=Terminal(typed))
    assert "İzin veriyor musun? [e/H]" in done.err
    assert "Bursa'da yaşıyor" in done.err
    assert [one for _, one in server.asked[1].results] == [is_error]


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_without_a_terminal_nothing_is_allowed(
    server: ScriptedServer, asking: None, more: tuple[str, ...]
) -> None:
    done = bellek("ask", SAYS, *more, stdin="e\n")
    assert done.code == 0
    assert [one for _, one in server.asked[1].results] == [True]


OLIVE = "The olive tree lives for a thousand years."
ANSWER = 'It is old [1: "lives for a thousand years"], and wise [1: "is wise"]. It grows [1]. [9]'


@pytest.fixture
def _library(tmp_path: Path) -> None:
    document = tmp_path / "Trees.pdf"
    document.write_bytes(pdf_of("Page one is of figs.", OLIVE))
    assert bellek("library", "add", str(document)).code == 0


@pytest.fixture
def _model(tmp_path: Path) -> Iterator[None]:
    with ScriptedServer(default=Says(ANSWER)) as server:
        connect(tmp_path / "bellek", server)
        yield


@pytest.mark.usefixtures("_library", "_model")
def test_checked_citations_show_their_words_and_others_are_unchecked() -> None:
    done = bellek("ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en")
    assert done.out.splitlines() == [
        "It is old [1], and wise [2]. It grows [3]. [?]",
        "",
        "[1] “lives for a thousand years” Trees, p. 2",
        "[2?] “is wise” Trees, p. 2, these words could not be matched to a place in the source",
        "[3?] Trees, p. 2, not checked against the source",
    ]


JUDGED = {
    "claims": [
        {
            "number": 1,
            "parts": ["the olive is old"],
            "reason": "The passage says so.",
            "words": [{"passage": 1, "quote": "The olive tree lives for a thousand years"}],
            "label": "supported",
        },
        {"number": 2, "parts": [], "reason": "Nothing of it.", "words": [], "label": "absent"},
    ]
}


@pytest.mark.usefixtures("_library")
def test_citations_carry_what_their_passages_say_of_the_claims(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, checks_claims=ClaimChecks.ALWAYS)
    server.steps.clear()
    server.then(
        Says('It is old [1: "lives for a thousand years"]. It sings [1].'), SaysJson(JUDGED)
    )
    ask = ("ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en")
    *_, ended = bellek(*ask, "--json").lines
    assert [(one["support"], one["support_words"]) for one in ended["citations"]] == [
        ("supported", "The olive tree lives for a thousand years"),
        ("absent", ""),
    ]
    assert ended["usage"]["output_tokens"] == 2 * SMALL_USAGE.output_tokens
    exported = bellek("export", ended["session_id"], "--format", "md", "--lang", "en").out
    assert "p. 2, the source does not say this" in exported
    server.then(SaysJson(JUDGED))
    first, second = bellek("claims", "check", ended["session_id"], "--json").lines
    assert (first["text"], first["support"]) == ("It is old.", "supported")
    assert second["cited"] == [{"number": 2, "support": "absent", "words": ""}]
    server.then(SaysJson(JUDGED))
    assert bellek("claims", "check", ended["session_id"], "--lang", "en").out.splitlines() == [
        "It is old. (the source says so)",
        "    “The olive tree lives for a thousand years”",
        "It sings. (the source does not say this)",
    ]
    assert bellek("claims", "check", "nobody").code == 1


@pytest.mark.usefixtures("_library")
def test_a_source_that_says_one_of_two_sentences_is_noted_for_each(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, checks_claims=ClaimChecks.ALWAYS)
    server.steps.clear()
    server.then(Says("It is old [1]. It sings [1]."), SaysJson(JUDGED))
    server.then(Says("It is old [1]. It sings [1]."), SaysJson(JUDGED))
    ask = ("ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en")
    *_, ended = bellek(*ask, "--json").lines
    words = "The olive tree lives for a thousand years"
    assert ended["claims"] == [
        {"text": "It is old.", "citations": [1], "support": "supported", "support_words": words},
        {"text": "It sings.", "citations": [1], "support": "absent", "support_words": ""},
    ]
    each = "“It is old.”: the source says so, “It sings.”: the source does not say this"
    assert each in bellek("export", ended["session_id"], "--format", "md", "--lang", "en").out
    assert each in bellek(*ask).out


@pytest.mark.usefixtures("_library")
def test_why_claims_were_not_checked_stands_below_the_answer(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, checks_claims=ClaimChecks.ALWAYS)
    server.steps.clear()
    server.then(Says('It is old [1: "lives for a thousand years"].'), Fails(401))
    both = io.StringIO()
    with redirect_stdout(both), redirect_stderr(both):
        run(["ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en"])
    lines = both.getvalue().splitlines()
    assert "It is old [1]." in lines
    assert lines.index("It is old [1].") < len(lines) - 1
    assert "key" in lines[-1]


@pytest.mark.usefixtures("_library")
def test_an_answers_own_quotation_is_not_printed_twice() -> None:
    done = bellek("ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en")
    assert done.out.count("thousand years") == 1


def test_used_past_sessions_are_listed(tmp_path: Path) -> None:
    past = {
        "id": "dawn",
        "title": "Şafak olayı",
        "messages": [
            {"role": "user", "content": "Şafak olayı nedir, kan şekeri neden yükselir?"},
            {"role": "assistant", "content": "Şafak olayında kortizol sabah şekeri yükseltir."},
        ],
    }
    bellek("import", write_lines(tmp_path / "in.jsonl", [past]))
    with ScriptedServer(default=Says("Tamam.")) as server:
        connect(tmp_path / "bellek", server, "tools")
        asked = "Şafak olayında kan şekeri neden yükselir, anlat"
        done = bellek("ask", asked, "--lang", "tr")
        assert "1 geçmiş oturumdan pasaj gönderildi: Şafak olayı" in done.err
        events = bellek("ask", asked, "--json").lines
        server.then(Fails(400))
        assert "kullanıldı" not in bellek("ask", asked, "--lang", "tr").err
    (recalled,) = [one for one in events if one["event"] == "passages_recalled"]
    assert {one["session_id"] for one in recalled["items"]} == {"dawn"}


def add_port(tmp_path: Path, *more: str, stdin: str | io.StringIO = "") -> Done:
    command = (sys.executable, outside_server.__file__, "friendly", str(tmp_path / "called"))
    return bellek("tools", "add", "port", "--lang", "en", *more, "--run", *command, stdin=stdin)


@pytest.mark.parametrize("typed", ["n\n", "\n", ""])
def test_a_server_is_shown_whole_and_not_run_without_a_yes(tmp_path: Path, typed: str) -> None:
    done = add_port(tmp_path, stdin=Terminal(typed))
    assert done.code == 1
    for word in (sys.executable, outside_server.__file__, "friendly", str(tmp_path / "called")):
        assert f"    {word}\n" in done.err
    assert "Nothing was run" in done.err
    assert bellek("tools", "list", "--json").lines == []


def test_without_a_terminal_nothing_is_run(tmp_path: Path) -> None:
    assert add_port(tmp_path, stdin="y\n").code == 1
    assert bellek("tools", "list", "--json").lines == []


def test_a_server_is_added_listed_decided_on_and_removed(tmp_path: Path) -> None:
    done = add_port(tmp_path, stdin=Terminal("y\n"))
    assert done.code == 0
    assert "tide  Tells when the tide is high" in done.out
    (listed,) = bellek("tools", "list", "--json").lines
    assert (listed["name"], listed["tools"]) == ("port", {"tide": "ask"})
    for action, consent in (("allow", "allowed"), ("off", "off"), ("ask", "ask")):
        assert bellek("tools", action, "port", "tide").code == 0
        (listed,) = bellek("tools", "list", "--json").lines
        assert listed["tools"] == {"tide": consent}
    assert bellek("tools", "allow", "port", "wipe").code == 1
    assert bellek("tools", "remove", "port").code == 0
    assert bellek("tools", "list", "--json").lines == []


def test_a_turn_in_a_terminal_shows_all_arguments_and_lists_the_call(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, "tools")
    add_port(tmp_path, "--yes")
    server.then(CallsTool("port__tide", {"harbour": "Foça", "more": ["a", {"b": 1}]}))
    question = "When is the tide high in Foça?"
    done = bellek("ask", question, "--lang", "en", stdin=Terminal("y\n"))
    assert "Uses “tide” of the tool server “port”" in done.err
    assert '"harbour": "Foça"' in done.err
    assert '"b": 1' in done.err
    assert "Used tide (port)" in done.err
    assert (tmp_path / "called").exists()
    (call,) = bellek("tools", "calls", "--json").lines
    assert (call["server"], call["tool"], call["outcome"]) == ("port", "tide", "done")
    assert "harbour" not in json.dumps(call)


def test_a_changed_tool_is_said_and_offered_after_a_yes(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, "tools")
    command = (sys.executable, outside_server.__file__, "changes_description")
    called = str(tmp_path / "called")
    bellek("tools", "add", "port", "--yes", "--run", *command, called)
    done = bellek("ask", SAYS, "--lang", "en", stdin=Terminal(""))
    assert "“port” has new or changed tools" in done.err
    looked = bellek("tools", "look", "port", "--lang", "en", stdin=Terminal("n\n"))
    assert looked.code == 1
    assert "wants your memory" in looked.out
    assert bellek("tools", "look", "port", stdin=Terminal("y\n")).code == 0
    unchanged = bellek("tools", "look", "port", "--lang", "en")
    assert "as you saw them" in unchanged.err


def test_a_server_that_fails_is_said_below_the_answer(
    tmp_path: Path, server: ScriptedServer
) -> None:
    connect(tmp_path / "bellek", server, "tools")
    add_port(tmp_path, "--yes")
    store = SettingsStore(Paths.under(tmp_path / "bellek"))
    (port,) = store.load().tool_servers
    dead = replace(port, command=(sys.executable, "-c", "pass"))
    store.change(tool_servers=(replace(dead, confirmed=dead.mark),))
    done = bellek("ask", SAYS, "--lang", "en")
    assert done.code == 0
    assert "“port” ended by itself" in done.err
