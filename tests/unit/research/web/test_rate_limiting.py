"""The pace of requests, as the answers of a service state it."""

from datetime import timedelta
from email.message import Message
from email.utils import format_datetime

import pytest

from desktop.domain.times import utc_now
from desktop.research.web.rate_limiting import Pace, busy_pause_s, pause_s


def headers(**values: str) -> Message:
    message = Message()
    for name, value in values.items():
        message[name.replace("_", "-")] = value
    return message


@pytest.mark.parametrize(
    ("stated", "gap_s", "at_once"),
    [
        ({"x_rate_limit_limit": "3", "x_rate_limit_interval": "1s"}, 1 / 3, 1),
        ({"x_rate_limit_limit": "1", "x_rate_limit_interval": "1s"}, 1.0, 1),
        ({"x_concurrency_limit": "3"}, 0.5, 3),
        ({"x_rate_limit_limit": "1", "x_rate_limit_interval": "86400"}, 10.0, 1),
        ({"x_rate_limit_limit": "0", "x_rate_limit_interval": "soon"}, 0.5, 1),
        ({}, 0.5, 1),
    ],
)
def test_a_pace_follows_what_an_answer_states(
    stated: dict[str, str], gap_s: float, at_once: int
) -> None:
    pace = Pace("service", 0.5)
    pace.learn(headers(**stated))
    assert pace == Pace("service", gap_s, at_once)


def test_a_pause_is_stated_in_seconds_as_a_date_or_by_a_limit_that_is_used_up() -> None:
    soon = format_datetime(utc_now() + timedelta(seconds=90))
    moment = str(int(utc_now().timestamp()) + 60)
    used_up = {"x_ratelimit_remaining": "0"}
    assert pause_s(headers(retry_after="7")) == 7
    assert 80 <= (pause_s(headers(retry_after=soon)) or 0) <= 90
    assert pause_s(headers(**used_up, x_ratelimit_reset="40")) == 40
    assert 50 <= (pause_s(headers(**used_up, x_ratelimit_reset=moment)) or 0) <= 60
    assert pause_s(headers(retry_after="999999")) == 3600
    assert pause_s(headers(x_ratelimit_remaining="5", x_ratelimit_reset="40")) is None
    assert (pause_s(headers(retry_after="later")), busy_pause_s(headers())) == (None, 60)
