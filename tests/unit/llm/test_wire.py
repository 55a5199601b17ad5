"""Numbers from a server: within their range, or none."""

import pytest

from desktop.domain.json_values import JsonValue
from desktop.domain.model import number_in
from desktop.llm.client import _chat_usage
from desktop.llm.wire import UnreadableEventError, cost_of, count_of, index_of


@pytest.mark.parametrize("said", [-1, 10**400, float("nan"), float("inf"), "9" * 5000, "x", {}])
def test_a_number_out_of_its_range_costs_the_figure_and_no_answer(said: JsonValue) -> None:
    assert count_of({"n": said}, "n") is cost_of({"n": said}, "n") is None
    with pytest.raises(UnreadableEventError):
        index_of({"n": said}, "n")
    usage = {"usage": {"prompt_tokens": said, "completion_tokens": 7}}
    assert _chat_usage(usage).total_tokens == 7


@pytest.mark.parametrize(
    ("said", "number"), [("7", 7), (" 7.5 ", 7.5), ("7x", None), ("", None), ("9" * 99, None)]
)
def test_a_header_is_a_number_or_none(said: str, number: float | None) -> None:
    assert number_in(0, said) == number
