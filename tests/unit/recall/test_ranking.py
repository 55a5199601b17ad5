"""What is listed for a query at all, and in which order."""

from desktop.domain.ids import MessageId, SessionId
from desktop.recall.bm25 import Term
from desktop.recall.ranking import rank
from desktop.storage.index import IndexedMessage


def passage(number: int, content: str) -> IndexedMessage:
    """Each in a session of its own."""
    return IndexedMessage(MessageId(number), SessionId(f"s{number}"), 1, content, "user", None)


def test_what_has_neither_a_word_nor_much_of_the_meaning_is_not_listed() -> None:
    nearness = {MessageId(1): 1.0, MessageId(2): 0.6, MessageId(3): 0.2, MessageId(4): 0.1}
    passages = [passage(n, f"söz {n}") for n in (1, 2, 3)] + [passage(4, "araba")]
    ranked = rank(passages, [Term("araba", 1)], 100, nearness)
    assert {one.passage.id for one in ranked} == {1, 2, 4}
