"""Words of a text that can stand between quotation marks as they are."""

import re

_ENDS_A_QUOTE = re.compile(r"""["“”„«»]|['’‘](?=\s*[\],;])|[\[\]]""")
# Brackets in pairs end nothing, unless they look like a citation.
_PAIR = re.compile(r"\[(?!\s*\d{1,3}\s*:)([^\[\]\"“”„«»\n]{0,80})\]")
_KEPT = str.maketrans("\x01\x02", "[]")
_LONGEST = 300


def quotable(text: str) -> str:
    """The longest piece without a mark that would end the quotation, at the most 300 letters."""
    paired = _PAIR.sub("\x01\\1\x02", text)
    pieces = [" ".join(piece.split()) for piece in _ENDS_A_QUOTE.split(paired)]
    piece = max(pieces, key=len).translate(_KEPT)
    return piece if len(piece) <= _LONGEST else piece[:_LONGEST].rpartition(" ")[0]
