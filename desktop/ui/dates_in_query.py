"""Words for a date in a search field: what they say, and whether they are taken as a date."""

from collections.abc import Callable
from datetime import datetime

from desktop.language.normalization import folded_key
from desktop.recall.query_dates import TypedQuery, parse_typed_query


def _local_now() -> datetime:
    return datetime.now()  # noqa: DTZ005 (the reader's own clock, with the system's summers)


class DatesInQuery:
    """A date that was taken off stays off for as long as the words for it are written there."""

    def __init__(self, now: Callable[[], datetime] = _local_now) -> None:
        self._now = now
        self._as_words: set[str] = set()

    def read(self, text: str) -> TypedQuery:
        folded = folded_key(text)
        self._as_words = {said for said in self._as_words if said in folded}
        return parse_typed_query(text, self._now(), as_words=self._as_words)

    def refuse(self, typed: TypedQuery) -> None:
        self._as_words.add(folded_key(typed.said))
