"""An ordinary question passes few frames and few files."""

import pytest

from tests.bench.trace_question import Trace, trace_question


@pytest.fixture(scope="module")
def trace() -> Trace:
    return trace_question()


def test_a_request_leaves_at_most_twelve_frames_below_the_use_case(trace: Trace) -> None:
    assert 0 < len(trace.stack) <= 12, "\n".join(trace.stack)


def test_a_question_runs_code_of_at_most_68_files(trace: Trace) -> None:
    assert 0 < len(trace.files) <= 68, "\n".join(sorted(trace.files))
