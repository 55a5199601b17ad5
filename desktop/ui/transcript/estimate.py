"""How tall an entry will be, guessed from the length of its text alone."""

from desktop.ui.theme.tokens import USER_SHARE, Space
from desktop.ui.transcript.card import MARGIN, Look
from desktop.ui.transcript.entries import Entry, NoticeEntry

_LETTER_EM = 0.53
_PARAGRAPH_SHARE = 0.45
_NOTICE_HEIGHT = 3 * Space.LARGE


def estimate(entry: Entry, look: Look, width: int) -> int:
    if isinstance(entry, NoticeEntry):
        return _NOTICE_HEIGHT
    line = look.style.line_height(look.style.scale.body)
    room = (width - 2 * MARGIN) * (USER_SHARE if entry.is_user else 1)
    per_line = max(room / (line / 1.6 * _LETTER_EM), 8)
    text = entry.text
    breaks = text.count("\n")
    lines = len(text) / per_line + 1 + breaks * _PARAGRAPH_SHARE
    around = look.line_of_actions() + look.line_of_small() + Space.WIDE
    return round(lines * line) + around
