"""A turn on the command line: tools that are called and permitted, and citations."""

import io
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from desktop.app.run import run
from desktop.settings.settings import ClaimChecks, ToolSwitch
from tests.commands import bellek, write_lines
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
