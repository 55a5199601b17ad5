"""The registry of tools: what the user sees of each, and what a model is told."""

from pathlib import Path

import pytest

from desktop.domain.language import Language
from desktop.domain.model import ToolCall
from desktop.research.tools.registry import summarize_call
from desktop.research.tools.tool_texts import tool_label
from desktop.settings.messages import Texts
from tests.studies import Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path)


def test_every_tool_is_listed(study: Study) -> None:
    tools = {tool.name: tool for tool in study.assistant.tools.tools}
    assert list(tools) == [
        "memory_save",
        "memory_recall",
        "memory_age",
        "recall",
        "library_search",
        "library_read",
        "calculator",
        "date_time",
        "session_statistics",
        "session_summary",
        "subject_over_time",
        "attachments",
    ]
    parameters = [parameter.name for parameter in tools["recall"].parameters]
    assert parameters == ["words", "since", "until"]


@pytest.mark.parametrize("language", Language)
def test_every_tool_has_words_for_the_user(study: Study, language: Language) -> None:
    texts, names = Texts(language), [tool.name for tool in study.assistant.tools.tools]
    assert all(texts.say(f"tools.{name}").endswith(".") for name in names)
    assert not set(names) & {tool_label(name, texts) for name in names}
    assert len({texts.say(f"tools.{name}_did") for name in names}) == len(names)


@pytest.mark.parametrize("language", Language)
def test_every_parameter_is_described_in_a_closed_schema(study: Study, language: Language) -> None:
    for spec in study.assistant.tools.offered(Texts(language)):
        assert spec.description.endswith(".")
        assert spec.parameters["additionalProperties"] is False
        properties = spec.parameters["properties"]
        assert isinstance(properties, dict)
        for schema in properties.values():
            assert isinstance(schema, dict)
            assert str(schema["description"]).endswith(".")


def test_a_tool_of_another_version_is_shown_by_its_name() -> None:
    assert tool_label("phase_of_mars", Texts(Language.EN)) == "phase_of_mars"


def test_no_tool_lets_the_model_choose_the_profile(study: Study) -> None:
    for tool in study.assistant.tools.tools:
        names = {parameter.name for parameter in tool.parameters}
        assert not {"profile", "user", "session"} & names


def test_a_long_argument_without_blanks_is_cut_and_not_hidden() -> None:
    address = f"https://example.org/{'a' * 500}"
    summary = summarize_call(ToolCall("1", "web_fetch", {"url": address}))
    assert summary.endswith("…")
    assert address.startswith(summary[:-1])
    assert len(summary) > len("https://example.org/")
