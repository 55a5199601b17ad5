"""What belongs to a session and to none of its messages: phases, addresses, cost, a draft.

A session that is put to another keeps its own until that is final, so that it has all of it when
it is taken back; then it goes to where the messages are.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, text

from desktop.domain.ids import MessageId, SessionId


def part_log(db: Connection, whole: SessionId, part: SessionId, since: MessageId) -> None:
    """What was logged since a message was written goes to the part that it begins."""
    _run(db, _PART, {"whole": whole, "part": part, "since": since})


def hand_over_log(db: Connection, source: SessionId, target: SessionId) -> None:
    _run(db, _HAND_OVER, {"source": source, "target": target})


def settle_logs(db: Connection, until: str) -> None:
    """Hand over what sessions still have that were put to others before a moment."""
    for source, target in db.execute(text(_SETTLED), {"until": until}).all():
        hand_over_log(db, source, target)


def _run(db: Connection, statements: Sequence[str], values: dict[str, str | int]) -> None:
    for statement in statements:
        db.execute(text(statement), values)


_SINCE = "(SELECT created_at FROM messages WHERE id = :since)"
_PART = (
    # A turn begins before its message is there.
    (
        "UPDATE phases SET session_id = :part WHERE session_id = :whole AND turn_id IN ("
        "SELECT turn_id FROM phases WHERE session_id = :whole GROUP BY turn_id "
        f"HAVING max(started_at) >= {_SINCE})"
    ),
    (
        "UPDATE contacted_addresses SET session_id = :part "
        f"WHERE session_id = :whole AND at >= {_SINCE}"
    ),
)
_HAND_OVER = (
    "UPDATE phases SET session_id = :target WHERE session_id = :source",
    "UPDATE contacted_addresses SET session_id = :target WHERE session_id = :source",
    "UPDATE usage SET session_id = :target WHERE session_id = :source",
    (
        "INSERT INTO refused_facts SELECT :target, reason, count FROM refused_facts "
        "WHERE session_id = :source ON CONFLICT DO UPDATE SET count = count + excluded.count"
    ),
    "DELETE FROM refused_facts WHERE session_id = :source",
    # Nobody has sent it yet: it is the user's, and nowhere else.
    (
        "INSERT INTO drafts (session_id, text, anchor_offset, updated_at, beside) "
        "SELECT :target, text, 0, updated_at, beside FROM drafts "
        "WHERE session_id = :source AND text != '' ON CONFLICT DO UPDATE SET text = "
        "CASE drafts.text WHEN '' THEN '' ELSE drafts.text || char(10, 10) END || excluded.text"
    ),
    "DELETE FROM drafts WHERE session_id = :source",
    # Of its summary: those of its messages have gone with them.
    "UPDATE citations SET source_id = :target WHERE source_id = :source",
)
_SETTLED = """
WITH RECURSIVE place (source, id) AS (
    SELECT s.id, m.now_in FROM moved_sessions m JOIN sessions s ON s.id = m.session_id
    WHERE s.deleted_at < :until
    UNION SELECT p.source, m.now_in FROM place p JOIN moved_sessions m ON m.session_id = p.id
)
SELECT p.source, p.id FROM place p JOIN sessions s ON s.id = p.id
WHERE p.id NOT IN (SELECT session_id FROM moved_sessions)
"""
