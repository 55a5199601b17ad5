"""Words of a text that can stand between quotation marks as they are."""

import re

_ENDS_A_QUOTE = re.compile(r"""["“”„«»]|['’‘](?=\s*[\],;])""")
_LONGEST = 300


def quotable(text: str) -> str:
    """The longest piece without a mark that would end the quotation, at the most 300 letters."""
    pieces = [" ".join(piece.split()) for piece in _ENDS_A_QUOTE.split(text)]
    piece = max(pieces, key=len)
    return piece if len(piece) <= _LONGEST else piece[:_LONGEST].rpartition(" ")[0]
