"""Numbers from a server: within their range, or none."""

import pytest

from desktop.domain.json_values import JsonValue
from desktop.domain.model import number_in
from desktop.llm.client import _chat_usage
from desktop.llm.wire import UnreadableEventError, cost_of, count_of, index_of


@pytest.mark.parametrize("said", [-1, 10**400, float("nan"), float("inf"), "9" * 5000, "1"])
def test_a_number_out_of_its_range_is_refused(said: JsonValue) -> None:
    for read in (count_of, cost_of, index_of):
        with pytest.raises(UnreadableEventError):
            read({"n": said}, "n")
    usage = {"usage": {"prompt_tokens": said, "completion_tokens": 7}}
    assert _chat_usage(usage).total_tokens == 0


@pytest.mark.parametrize(
    ("said", "number"), [("7", 7), (" 7.5 ", 7.5), ("7x", None), ("", None), ("9" * 99, None)]
)
def test_a_header_is_a_number_or_none(said: str, number: float | None) -> None:
    assert number_in(0, said) == number
