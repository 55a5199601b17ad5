"""Which sessions are looked through, whatever finds them, and what a query binds for that."""

from collections.abc import Mapping

from desktop.domain.ids import first_message_id_at
from desktop.domain.search import Query
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters

LOWEST_ID, HIGHEST_ID = -(1 << 63), (1 << 63) - 1

# `bounds` binds its parameters.
SEARCHABLE = (
    "AND s.status = 'complete' AND s.deleted_at IS NULL AND (:topic IS NULL OR s.id IN ("
    "SELECT st.session_id FROM session_topics st JOIN topics t ON t.id = st.topic_id "
    "WHERE t.folded = :topic)) AND (:pinned IS NULL OR (s.pinned_at IS NOT NULL) = :pinned)"
)


def bounds(query: Query) -> Mapping[str, str | int | None]:
    return {
        "since": first_message_id_at(query.since) if query.since else LOWEST_ID,
        "until": first_message_id_at(query.until) if query.until else HIGHEST_ID,
        "since_text": utc_text(query.since) if query.since else "",
        "until_text": utc_text(query.until) if query.until else "9999",
        "topic": folded_key(whole_letters(query.topic)) if query.topic else None,
        "pinned": query.is_pinned,
        "limit": query.limit,
    }
