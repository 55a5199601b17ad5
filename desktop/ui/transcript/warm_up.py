"""Imports what the first answer needs, so that no one waits for it then."""

from desktop.ui.transcript.code_block import lexer_of
from desktop.ui.transcript.markdown import parse


def warm_up() -> None:
    """Call on a worker once the window is painted."""
    parse("")
    lexer_of("python")
