"""An ordinary question takes a short way to the wire."""

from tests.bench.trace_question import trace_question


def test_a_request_leaves_at_most_twelve_frames_below_the_use_case() -> None:
    trace = trace_question()
    assert 0 < len(trace.stack) <= 12, "\n".join(trace.stack)
