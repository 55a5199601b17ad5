"""Every space, corner and type size of the window, and its colours from `colours.toml`.

Plain values without Qt, so that contrast can be computed anywhere.
"""

import tomllib
from dataclasses import replace
from enum import IntEnum
from typing import Any

from desktop.domain.frozen import dataclass
from desktop.settings.paths import asset
from desktop.settings.settings import LineSpacing, TextWidth


class Space(IntEnum):
    """Distances, in device-independent pixels."""

    TIGHT = 4
    SMALL = 8
    MEDIUM = 12
    LARGE = 16
    WIDE = 24


class Radius(IntEnum):
    """Corners: of clickable widgets, of text areas, of input fields."""

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
NARROWEST_TEXT = 440  # beside a wide panel
NARROWEST_PANEL = 288  # so that its tabs can be read
WIDEST_SIDE = 520
SIDEBAR_COVERS_BELOW = 720
"""Windows narrower than this show the sidebar over the text, at a zoom of 100 percent."""
SIDEBAR_COVERS_BESIDE_PAGE = 1300
"""The same beside a document: there is room for its page and the text, but not for three."""
PANEL_COVERS_BELOW = 980
SCRIM_ALPHA = 70  # how dark the text gets under a panel that covers it, of 255
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
    """The colours of one theme. `faint` is decoration and never used for text."""

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
    note: str  # words that the user has highlighted
    notice_text: str
    notice_ground: str
    selection: str
    hover: str
    scroll: str
    syntax: Syntax
    shares: tuple[str, ...]
    """Of the parts of a request, in their order; each carries words in `on_accent`."""


def _tokens(values: dict[str, Any]) -> Tokens:
    parts = {"syntax": Syntax(**values["syntax"]), "shares": tuple(values["shares"])}
    return Tokens(**{**values, **parts})


_THEMES = tomllib.loads(asset("resources", "theme", "colours.toml").read_text("utf-8"))
LIGHT, DARK = _tokens(_THEMES["light"]), _tokens(_THEMES["dark"])


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
