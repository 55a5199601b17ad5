"""`bellek memory`, and requests to remember or forget in `ask` and `chat`."""

import json
from pathlib import Path

import pytest

from tests.commands import Done, bellek

DAUGHTER = "Kızımın adı Elif"


def add(*argv: str) -> str:
    """Add a fact; return its id."""
    return str(bellek("memory", "add", *argv, "--json").json["id"])


def contents(*argv: str) -> list[str]:
    return [str(one["content"]) for one in bellek("memory", "list", *argv, "--json").lines]


def exported() -> str:
    """The line of the only fact."""
    add(DAUGHTER)
    (line,) = bellek("memory", "export", "--all").out.splitlines()
    return line


def test_an_added_fact_is_listed_with_all_its_fields() -> None:
    added = bellek("memory", "add", DAUGHTER, "--topic", "Aile", "--importance", "8", "--json")
    assert added.code == 0
    listed = bellek("memory", "list", "--json").json
    assert listed == added.json
    wanted = "id topic content importance origin term valid_from valid_to message_id"
    assert set(wanted.split()) <= set(listed)
    assert (listed["topic"], listed["importance"], listed["origin"]) == ("Aile", 8, "user")
    assert (listed["term"], listed["valid_to"], listed["message_id"]) == ("short", None, None)


def test_a_person_reads_the_list_in_their_language() -> None:
    assert "Hatırlanan bir şey yok." in bellek("memory", "list", "--lang", "tr").err
    add(DAUGHTER, "--topic", "Aile")
    assert "yeni  Aile: Kızımın adı Elif" in bellek("memory", "list", "--lang", "tr").out
    assert "short  Aile: " in bellek("memory", "list", "--lang", "en").out


def test_a_replacement_names_the_older_fact() -> None:
    add("Metformin dozum günde 500 mg")
    done = bellek("--lang", "tr", "memory", "add", "Metformin dozum günde 850 mg")
    assert "Şunun yerini aldı: “Metformin dozum günde 500 mg”" in done.err
    assert contents() == ["Metformin dozum günde 850 mg"]


@pytest.mark.parametrize("argv", [("  ",), ("a" * 301,), ("Arabam dizel", "--importance", "11")])
def test_an_invalid_fact_is_wrong_usage(argv: tuple[str, ...]) -> None:
    assert bellek("memory", "add", *argv).code == 2
    assert contents() == []


def test_forgetting_is_final_at_once(tmp_path: Path) -> None:
    one, other = add(DAUGHTER), add("Arabam dizelgezer")
    done = bellek("memory", "forget", other, "--json")
    assert done.code == 0
    assert done.json == {"id": other, "forgotten": True}
    assert contents() == [DAUGHTER]
    assert bellek("memory", "forget", other, one).code == 1
    assert contents() == [DAUGHTER]
    for file in (tmp_path / "bellek").rglob("*"):
        if file.is_file():
            assert b"dizelgezer" not in file.read_bytes(), file


def test_a_fact_that_may_contradict_an_older_one_says_so() -> None:
    older = add("İki kedim var")
    done = bellek("memory", "add", "Artık bir kedim var")
    assert "“İki kedim var”" in done.err
    assert older in done.err


def test_only_what_is_old_enough_ages() -> None:
    add(DAUGHTER)
    done = bellek("memory", "age", "--json")
    assert (done.code, done.lines) == (0, [])
    assert contents("--term", "short") == [DAUGHTER]


@pytest.mark.parametrize("wrong", [("--older-than-hours", "0"), ("--max", "5000")])
def test_the_age_and_the_number_of_what_moves_have_bounds(wrong: tuple[str, str]) -> None:
    done = bellek("memory", "age", *wrong)
    assert done.code == 2
    assert wrong[0] in done.err


def test_an_export_can_be_reloaded_and_a_second_time_adds_nothing(tmp_path: Path) -> None:
    fact = add(DAUGHTER, "--topic", "Aile")
    add("Arabam dizel")
    before = bellek("memory", "list", "--json").lines
    file = str(tmp_path / "facts.jsonl")
    assert bellek("memory", "export", "-o", file).code == 0
    assert Path(file).read_text(encoding="utf-8") == ""
    bellek("memory", "export", "--all", "-o", file)
    bellek("memory", "forget", fact)
    done = bellek("memory", "reload", file, "--json")
    assert (done.code, done.json) == (
        0,
        {"added": 1, "already_there": 1, "secrets": 0, "problems": []},
    )
    after = bellek("memory", "list", "--json").lines
    assert sorted(after, key=str) == sorted(before, key=str)
    assert bellek("memory", "reload", file, "--json").json["added"] == 0


def test_a_file_names_the_project_of_what_it_holds(tmp_path: Path) -> None:
    at = "2026-05-04T10:00:00.000000Z"
    lines: list[dict[str, object]] = [
        {"id": "a", "topic": "Tez", "content": "Tez bitti", "importance": 5, "project": "Tez"},
        {"id": "b", "topic": "Çay", "content": "Çay sever", "importance": 5},
        {"preference": "kısa yanıt", "kind": "subject", "project": "tez"},
    ]
    file = tmp_path / "facts.jsonl"
    dated = [{**one, "valid_from": at, "created_at": at} for one in lines]
    file.write_text("\n".join(map(json.dumps, dated)), encoding="utf-8")
    assert bellek("memory", "reload", str(file)).code == 0
    written = bellek("memory", "export", "--all").lines
    assert {one.get("id", "preference"): one.get("project") for one in written} == {
        "a": "Tez",
        "b": None,
        "preference": "Tez",
    }
    assert bellek("memory", "reload", str(file), "--json").json["added"] == 0


def test_broken_lines_are_named_and_stop_no_other(tmp_path: Path) -> None:
    line = exported()
    bellek("memory", "forget", json.loads(line)["id"])
    wrong = {**json.loads(line), "id": "x", "importance": 12}
    file = tmp_path / "facts.jsonl"
    lines = ["{", json.dumps(wrong), "", line, "[]"]
    file.write_text("\n".join(lines), encoding="utf-8")
    done = bellek("memory", "reload", str(file), "--lang", "tr")
    assert done.code == 1
    assert "1. satır atlandı; okunamayan alan: JSON" in done.err
    assert "2. satır atlandı; okunamayan alan: importance" in done.err
    assert "5. satır" in done.err
    assert contents() == [DAUGHTER]
    assert bellek("memory", "reload", str(tmp_path / "yok.jsonl")).code == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("message_id", 10**30),
        ("message_id", -1),
        ("about", ["x"]),
        ("content", "x" * 5000),
        ("id", "x" * 5000),
        ("importance", 5.5),
        ("valid_from", "2026-01-01T00:00:00+99:99"),
        ("sources", [{"message_id": 1, "start": 10**40, "length": 1}]),
    ],
)
def test_a_field_with_any_value_is_accepted_or_reported(
    field: str, value: object, tmp_path: Path
) -> None:
    line = exported()
    file = tmp_path / "facts.jsonl"
    file.write_text(json.dumps({**json.loads(line), "id": "x", field: value}), encoding="utf-8")
    done = bellek("memory", "reload", str(file), "--lang", "en")
    assert done.code == 1
    assert f"is not valid: {field if field != 'sources' else 'sources[0].start'}" in done.err


@pytest.mark.parametrize(
    ("language", "why", "counted"),
    [
        ("tr", "2. satır atlandı; bu alanı bir anahtara", "1 satır eklenmedi"),
        ("en", "Skipped line 2 because this field looks like a key", "1 line was not added"),
    ],
)
@pytest.mark.parametrize(
    ("field", "secret"),
    [
        ("content", "Parolam: gizli123"),
        ("topic", "The user's API key is sk-ant-api03-abcdefghijklmnopqrstuvwx"),
        ("about", "Kart numarası 4111 1111 1111 1111"),
    ],
)
def test_a_line_with_a_secret_is_refused_named_and_counted(
    tmp_path: Path, language: str, why: str, counted: str, field: str, secret: str
) -> None:
    line = exported()
    bellek("memory", "forget", json.loads(line)["id"])
    file = tmp_path / "facts.jsonl"
    leaks = json.dumps({**json.loads(line), "id": "x", field: secret})
    file.write_text(f"{line}\n{leaks}\n", encoding="utf-8")
    done = bellek("--lang", language, "memory", "reload", str(file))
    assert (done.code, why in done.err, counted in done.err) == (1, True, True)
    assert contents() == [DAUGHTER]
    again = bellek("memory", "reload", str(file), "--json")
    (problem,) = again.json["problems"]
    assert (again.json["secrets"], problem["line"]) == (1, 2)
    assert problem["error"] == {"key": "line_secret", "field": field}
    for said in (done.out, done.err, again.out, again.err):
        assert secret not in said


def events(done: Done, name: str) -> list[dict[str, object]]:
    return [one for one in done.lines if one["event"] == name]


def test_ask_remembers_and_reports_it() -> None:
    done = bellek("ask", f"{DAUGHTER}, bunu unutma", "--json")
    (event,) = events(done, "fact_remembered")
    assert isinstance(event["fact"], dict)
    assert event["fact"]["content"] == DAUGHTER
    assert done.lines[-1]["decision"]["kind"] == "remember"
    assert (
        "Remembered: “I like tea”" in bellek("ask", "Remember that I like tea", "--lang", "en").err
    )


def test_ask_shows_what_would_be_forgotten_and_how() -> None:
    fact = add(DAUGHTER)
    done = bellek("ask", "Kızımın adını unut", "--lang", "tr")
    assert DAUGHTER in done.out
    assert f"bellek memory forget {fact}" in done.err
    assert contents() == [DAUGHTER]
    (event,) = events(bellek("ask", "Kızımın adını unut", "--json"), "forget_asked")
    assert [one["id"] for one in event["facts"]] == [fact]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("answer", "left"), [("h", [DAUGHTER]), ("", [DAUGHTER]), ("e", [])])
def test_chat_forgets_only_after_a_plain_yes(answer: str, left: list[str]) -> None:
    add(DAUGHTER)
    bellek("chat", "--lang", "tr", stdin=f"Kızımın adının Elif olduğunu unut\n{answer}\n")
    assert contents() == left


def test_a_profile_without_a_window_finds_facts_by_meaning_after_housekeeping() -> None:
    add("I am allergic to penicillin")
    add("My sister is called Ayşe")
    assert contents("--search", "amoxicillin") == []
    assert bellek("housekeeping", "--wait").code == 0
    assert contents("--search", "amoxicillin") == ["I am allergic to penicillin"]


def test_the_memory_of_another_assistant_is_confirmed_sentence_by_sentence(tmp_path: Path) -> None:
    memory = (
        "Rize’de yaşar.\n- Çay içer.\n- Parolası: sk-ant-api03-AbCdEf0123456789AbCdEf0123456789"
    )
    path = tmp_path / "memories.json"
    path.write_text(json.dumps([{"conversations_memory": memory}]), encoding="utf-8")
    data = ("--data-dir", str(tmp_path / "data"), "--json")
    report = bellek(*data, "import", str(path)).lines[0]
    assert report["proposals"] == 2
    assert bellek(*data, "memory", "list").lines == []
    first, second = bellek(*data, "import", "--memories", "list").lines
    assert [first["text"], second["text"]] == ["Rize’de yaşar.", "Çay içer."]
    accepted = bellek(*data, "import", "--memories", "accept", str(first["id"]))
    assert accepted.lines == [{"confirmed": 1}]
    (fact,) = bellek(*data, "memory", "list").lines
    assert fact["content"] == "Rize’de yaşar."
    assert bellek(*data, "import", "--memories", "decline").lines == [{"declined": 1}]
    assert bellek(*data, "import", str(path)).lines[0]["proposals"] == 0
    assert bellek(*data, "import", "--memories", "list").lines == []
    assert bellek(*data, "import", "--memories", "accept", "nothing").code == 2
