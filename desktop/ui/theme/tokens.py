"""Every colour, space, corner and type size of the window; nothing else holds one.

Plain values without Qt, so that contrast can be computed anywhere.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

from desktop.settings.settings import LineSpacing, TextWidth


class Space(IntEnum):
    """Distances, in device-independent pixels."""

    TIGHT = 4
    SMALL = 8
    MEDIUM = 12
    LARGE = 16
    WIDE = 24


class Radius(IntEnum):
    """Corners: of what is clicked, of what holds text, of where text is written."""

    MARK = 3
    CONTROL = 8
    CARD = 12
    COMPOSER = 14


LINE_HEIGHT = 1.45
LINE_HEIGHTS = {LineSpacing.TIGHT: 1.4, LineSpacing.NORMAL: 1.6, LineSpacing.LOOSE: 1.9}
COLUMN_WIDTHS = {TextWidth.NARROW: 560, TextWidth.MEDIUM: 680, TextWidth.WIDE: 880}
"""Of the widest column of text, at a zoom of 100 percent."""
LEAST_SMALL_PIXELS = 12
USER_SHARE = 0.8  # the part of the column that the user's own words may take
ICON_SIZE = 16
SIDEBAR_WIDTH = 292
PANEL_WIDTH = 300
NARROWEST_SIDE = 200
NARROWEST_PANEL = 288  # so that its tabs can be read
WIDEST_SIDE = 520
SIDEBAR_COVERS_BELOW = 720
"""Windows narrower than this show the sidebar over the text, at a zoom of 100 percent."""
PANEL_COVERS_BELOW = 980
SCRIM_ALPHA = 70  # how dark it gets behind what covers the text, of 255
FRAME_MS = 33  # streamed text is painted at most once in this time


@dataclass(frozen=True, slots=True)
class Syntax:
    """Colours of code, each at least 4.5:1 on the ground of code."""

    keyword: str
    string: str
    number: str
    name: str
    comment: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme. `faint` is ornament and never carries words to be read."""

    is_dark: bool
    ground: str
    side: str
    raised: str
    line: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_hover: str
    accent_ground: str
    on_accent: str
    user: str
    code: str
    highlight: str
    current_highlight: str  # the mark that the reader is led to
    notice_text: str
    notice_ground: str
    selection: str
    hover: str
    scroll: str
    syntax: Syntax
    shares: tuple[str, ...]
    """Of the parts of a request, in their order; each carries words in `on_accent`."""


LIGHT = Tokens(
    is_dark=False,
    ground="#fbfaf8",
    side="#f3f1ec",
    raised="#ffffff",
    line="#e4e0d8",
    text="#23211d",
    muted="#68635b",
    faint="#a39d92",
    accent="#1f6f5c",
    accent_hover="#1a5f4f",
    accent_ground="#e3efeb",
    on_accent="#ffffff",
    user="#eef3f1",
    code="#f5f3ee",
    highlight="#fde9a9",
    current_highlight="#fbcf5c",
    notice_text="#9a5b00",
    notice_ground="#fdf3df",
    selection="#cde4dc",
    hover="#ebe8e1",
    scroll="#d3cec4",
    syntax=Syntax(
        keyword="#7a4b9a",
        string="#1f6f5c",
        number="#9a5b00",
        name="#2f5f9a",
        comment="#68635b",
        wrong="#b0413e",
    ),
    shares=(
        *("#6b6459", "#4c627d", "#766184", "#6a5434"),
        *("#1f6f5c", "#3c3a35", "#82594f", "#4e5539", "#775464", "#654f41"),
    ),
)

DARK = Tokens(
    is_dark=True,
    ground="#1b1b1a",
    side="#232321",
    raised="#262624",
    line="#363532",
    text="#eae7e0",
    muted="#aca79d",
    faint="#7a766e",
    accent="#6cc3ab",
    accent_hover="#84d0bb",
    accent_ground="#243a34",
    on_accent="#1b1b1a",
    user="#25302d",
    code="#2c2b29",
    # A shade below the drawing's, so that marked words keep 7:1.
    highlight="#564714",
    current_highlight="#644500",
    notice_text="#e8b765",
    notice_ground="#3a3120",
    selection="#2d5147",
    hover="#2f2e2b",
    scroll="#4a4843",
    syntax=Syntax(
        keyword="#c9a4e6",
        string="#6cc3ab",
        number="#e8b765",
        name="#8fbcee",
        comment="#aca79d",
        wrong="#e89a94",
    ),
    shares=(
        *("#aca79d", "#abbed2", "#c7b8d2", "#c1ad8c"),
        *("#6cc3ab", "#c4bfb5", "#cfb0ad", "#a9b091", "#ceb5c1", "#c1afa2"),
    ),
)


def in_high_contrast(tokens: Tokens) -> Tokens:
    """Tokens for higher contrast: muted text as strong as body text, visible edges."""
    return replace(
        tokens,
        muted=tokens.text,
        faint=tokens.muted,
        line=tokens.muted,
        scroll=tokens.muted,
        notice_text=tokens.text,
        syntax=replace(tokens.syntax, comment=tokens.text),
    )


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Sizes in points, from the system's own and the zoom."""

    body: float
    interface: float
    small: float
    zoom: float  # 1.0 is 100 percent; widths that hold text follow it

    @classmethod
    def of(
        cls, system_points: float, *, zoom_percent: int = 100, least_small: float = 7
    ) -> "TypeScale":
        """`least_small`: points."""
        zoom = zoom_percent / 100
        return cls(
            body=(system_points + 1) * zoom,
            interface=system_points * zoom,
            small=max(system_points - 1.5, least_small) * zoom,
            zoom=zoom,
        )
