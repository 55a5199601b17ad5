"""How tall an entry will be, guessed from the length of its text alone."""

from collections.abc import Callable

from desktop.ui.theme.tokens import ANSWER_LINE_HEIGHT, USER_SHARE, Space
from desktop.ui.transcript.card import MARGIN, Look
from desktop.ui.transcript.entries import Entry, NoticeEntry

_LETTER_EM = 0.53
_SHORT_LINE = 0.45
"""So much of a line is lost where it is broken by hand."""
_FEWEST_LETTERS = 8
_NOTICE_HEIGHT = 3 * Space.LARGE

Estimate = Callable[[Entry], int]


def estimates(look: Look, width: int) -> Estimate:
    """The guesses for one width of a card; a session of thousands asks for all of them at once."""
    line = look.style.line_height(look.style.scale.body)
    room = width - 2 * MARGIN
    letter = line / ANSWER_LINE_HEIGHT * _LETTER_EM
    answers = max(room / letter, _FEWEST_LETTERS)
    questions = max(room * USER_SHARE / letter, _FEWEST_LETTERS)
    around = look.line_of_actions() + look.line_of_small() + Space.WIDE

    def estimate(entry: Entry) -> int:
        if isinstance(entry, NoticeEntry):
            return _NOTICE_HEIGHT
        text = entry.shown
        letters = questions if entry.is_user else answers
        lines = len(text) / letters + 1 + text.count("\n") * _SHORT_LINE
        return round(lines * line) + around

    return estimate
