"""The example library is the first thing a new user sees, so its sessions are checked as data."""

import ast
import itertools
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any  # the file is JSON whose shape these tests establish

import pytest

LIBRARY = Path(__file__).parents[2] / "resources" / "examples" / "library.jsonl"
TIME_FORMAT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
TURKISH_LETTERS = re.compile("[çğışöüÇĞİŞÖÜ]")
THANKS = re.compile(r"teşekkür|sağ ol|thank|cheers", re.IGNORECASE)
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)

Record = dict[str, Any]  # one line of the file, as parsed


def read_library() -> list[Record]:
    return [json.loads(line) for line in LIBRARY.read_text(encoding="utf-8").splitlines()]


def is_turkish(session: Record) -> bool:
    letters = TURKISH_LETTERS.findall(session["title"] + session["summary"])
    return len(letters) > 10


def time_of(text: str) -> datetime:
    assert TIME_FORMAT.fullmatch(text), text
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


every_session = pytest.mark.parametrize("session", read_library(), ids=lambda found: found["id"])


def test_there_are_at_least_a_dozen_sessions_with_ids_of_their_own() -> None:
    ids = [session["id"] for session in read_library()]
    assert len(ids) >= 12
    assert len(set(ids)) == len(ids)
    assert all(identity.startswith("example-") for identity in ids)


def test_both_languages_are_well_represented() -> None:
    turkish = sum(is_turkish(session) for session in read_library())
    assert turkish == 8
    assert len(read_library()) - turkish == 6


def test_the_dawn_and_somogyi_dialogue_is_there_with_its_table() -> None:
    [session] = [found for found in read_library() if found["id"] == "example-dawn-somogyi"]
    answers = [said["content"] for said in session["messages"] if said["role"] == "assistant"]
    assert "Dawn" in answers[0]
    assert "Somogyi" in answers[1]
    assert "| Gece 03.00 ölçümü | normal ya da yüksek | düşük" in answers[2]


def test_a_search_for_somogyi_has_several_sessions_in_both_languages_to_find() -> None:
    found = [session for session in read_library() if "Somogyi" in json.dumps(session)]
    assert len(found) >= 4
    assert {is_turkish(session) for session in found} == {True, False}


@every_session
def test_a_session_is_described_like_one_that_bellek_described(session: Record) -> None:
    assert 0 < len(session["title"]) <= 60
    assert not session["title"].endswith(".")
    assert 2 <= len(re.findall(r"(?<!\d)[.!?](?=\s|$)", session["summary"])) <= 4
    assert 3 <= len(session["topics"]) <= 7
    assert len({topic.casefold() for topic in session["topics"]}) == len(session["topics"])


@every_session
def test_user_and_assistant_take_turns_and_nothing_is_left_unanswered(session: Record) -> None:
    messages = session["messages"]
    assert 4 <= len(messages) <= 14
    roles = [said["role"] for said in messages]
    assert roles == ["user" if number % 2 == 0 else "assistant" for number in range(len(roles))]
    assert roles[-1] == "assistant" or THANKS.search(messages[-1]["content"])
    assert all(said["content"] == said["content"].strip() != "" for said in messages)


@every_session
def test_times_within_a_session_are_at_least_a_minute_apart(session: Record) -> None:
    times = [time_of(said["created_at"]) for said in session["messages"]]
    assert time_of(session["created_at"]) == times[0]
    assert time_of(session["ended_at"]) > times[-1]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert all(gap >= timedelta(minutes=1) for gap in gaps)


@every_session
def test_python_shown_in_an_answer_is_python(session: Record) -> None:
    for said in session["messages"]:
        for block in PYTHON_BLOCK.findall(said["content"]):
            ast.parse(block)


def test_markdown_of_every_kind_is_there_to_be_looked_at() -> None:
    text = "\n".join(said["content"] for found in read_library() for said in found["messages"])
    assert text.count("\n|---") >= 5
    assert len(PYTHON_BLOCK.findall(text)) >= 2
    assert text.count("```") % 2 == 0


def test_letters_are_stored_as_themselves() -> None:
    assert "\\u" not in LIBRARY.read_text(encoding="utf-8")
