"""What the results list of each session."""

from dataclasses import replace

from desktop.ui.search.hits import by_session
from tests.ui.sidebar.hits import hit


def test_where_some_messages_have_the_words_those_around_them_are_no_hits() -> None:
    around = replace(hit("a", 6), marks=())
    (found,) = by_session([around, hit("a", 7)], {})
    assert [one.message_id for one in found.hits] == [7]
    assert found.count == 1


def test_what_is_near_in_meaning_alone_is_shown_and_not_counted() -> None:
    (found,) = by_session([replace(hit("a"), marks=())], {})
    assert [one.message_id for one in found.hits] == [7]
    assert found.count == 0
