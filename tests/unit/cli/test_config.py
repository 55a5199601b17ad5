"""The settings from the command line, checked like their file."""

import pytest

from tests.commands import Done, bellek


def config(*argv: str) -> Done:
    return bellek("--lang", "en", "config", *argv)


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("theme", "dark", "dark"),
        ("zoom_percent", "120", 120),
        ("uses_web", "true", True),
        ("uses_web", "on", True),
        ("tools.calculator.is_on", "off", False),
        ("own_persona", "on", "on"),
        ("overflow_share", "0.5", 0.5),
        ("web_never", "a.com, b.org", ["a.com", "b.org"]),
        ("web_never", '["a.com"]', ["a.com"]),
        ("variables.Unit", "mmol", "mmol"),
        ("variables.Size", "720", "720"),
        ("own_persona", "Short and dry.", "Short and dry."),
        ("tools.calculator.is_on", "false", False),
        ("parameters.answering.temperature", "0.3", 0.3),
        (
            "retention",
            "sağlık*=8760, gezi = 24",
            [{"pattern": "sağlık*", "hours": 8760}, {"pattern": "gezi", "hours": 24}],
        ),
        (
            "instructions",
            "Metre kullan, her zaman.",
            [{"text": "Metre kullan, her zaman.", "is_on": True}],
        ),
    ],
)
def test_get_returns_the_value_that_was_set(key: str, value: str, kept: object) -> None:
    assert config("set", key, value).code == 0
    assert config("get", key, "--json").json == {key: kept}
    assert f"{key} = " in config("list").out


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("theme", "drak", "It can be: system | light | dark"),
        ("zoom_percent", "on", "It can be: 50–300"),
        ("zoom_percent", "500", "It can be: 50–300"),
        ("uses_web", "evet", "It can be: true | false"),
        ("compact_after", "12", "It can be: 0 | 30–80"),
        ("overflow_share", "2", "It can be: 0.1–0.95"),
        ("tools.calculator.is_of", "true", "“tools.calculator.is_of” is not known here"),
        ("theme.x", "1", "theme.x cannot be “1”."),
        ("endpoints", "[]", "“endpoints” is not known here"),
        ("retention", "sağlık*", "It can be: health*=8760"),
        ("variables.", "x", "variables. cannot be “x”."),
        ("literature_mail", "ada", "literature_mail cannot be “ada”."),
        ("literature_mail", "a@b.co\nCookie: x", "literature_mail cannot be"),
    ],
)
def test_an_invalid_value_is_explained_and_changes_nothing(
    key: str, value: str, said: str
) -> None:
    before = config("list").out
    done = config("set", key, value)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert config("list").out == before


def test_a_group_is_shown_whole_and_an_unknown_one_named() -> None:
    config("set", "variables.Unit", "mmol")
    assert config("get", "variables").out == "variables.Unit = mmol\n"
    assert "Did you mean “theme”?" in config("get", "them").err


def test_the_sample_sessions_are_added_once() -> None:
    first, second = (bellek("examples", "add", "--json").json for _ in range(2))
    assert first["added"] > 10
    assert (second["added"], second["already_there"]) == (0, first["added"])
    assert bellek("sessions", "list").out
