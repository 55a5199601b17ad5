"""The code of a shared project as a QR code, for a screen or a terminal."""

_MARGIN = 4  # Modules; the standard wants them
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Characters for two modules, the upper and the lower one; the light ones are drawn."""


def code_picture(code: str) -> list[list[bool]]:
    """Return the rows of modules with the margin around them, True where one is dark."""
    import segno  # noqa: PLC0415  # seldom needed

    made = segno.make(code, error="m", micro=False)
    return [[bool(module) for module in row] for row in made.matrix_iter(border=_MARGIN)]


def picture_lines(picture: list[list[bool]]) -> list[str]:
    """Return the lines of a picture for a terminal, which is dark: each shows two rows."""
    rows = [*picture, [True] * len(picture[0])]
    return [
        "".join(_HALVES[pair] for pair in zip(rows[at], rows[at + 1], strict=True))
        for at in range(0, len(picture), 2)
    ]
