"""The application's one stylesheet: `resources/theme/bellek.qss`, filled in from the tokens.

Widgets say what they are through dynamic properties: QPushButton and QToolButton `kind` (primary,
quiet, chip, filter, link, notice, danger), QLabel `role` (muted, small, heading, title, problem),
QFrame `role` (line, card), lists `role` (list, navigation), QPlainTextEdit `role` (field).
"""

from dataclasses import asdict
from string import Template

from desktop.settings.paths import asset
from desktop.ui.theme.tokens import Radius, Tokens, TypeScale

_TITLE_RATIO = 1.35  # headings of pages and dialogs, to the body

_CHIP_RADIUS = 1.45  # pixels a point of its type
_BOX = 14  # what is inside the border of a check box
_BESIDE_BOX = 7


def stylesheet(tokens: Tokens, scale: TypeScale) -> str:
    theme = "dark" if tokens.is_dark else "light"
    # A stylesheet can only load pictures from files.
    pictures = {
        name: asset("resources", "theme", f"{name.replace('_', '-')}-{theme}.svg").as_posix()
        for name in ("chevron_up", "chevron_down", "check")
    }
    chip = round(scale.small * _CHIP_RADIUS)
    box = 2 * round(_BOX * scale.zoom / 2)
    ring_border = round(box / 3)
    beside_box = round(_BESIDE_BOX * scale.zoom)
    chevron, small_chevron = round(12 * scale.zoom), round(10 * scale.zoom)
    sheet = Template(asset("resources", "theme", "bellek.qss").read_text(encoding="utf-8"))
    return sheet.substitute(
        {**asdict(tokens), **pictures},
        wrong=tokens.syntax.wrong,
        small=f"{scale.small:g}",
        title=f"{scale.body * _TITLE_RATIO:g}",
        control=int(Radius.CONTROL),
        segment=int(Radius.CONTROL) - 1,
        card=int(Radius.CARD),
        composer=int(Radius.COMPOSER),
        # Half of its height makes a pill; Qt draws no corner at all where it would be more.
        chip=chip,
        chip_inside=2 * chip - 4,
        # Beside large words a small mark is overlooked.
        chevron=chevron,
        small_chevron=small_chevron,
        beside_chevron=small_chevron + 10,
        drop_down=chevron + 10,
        step=chevron + 8,
        box=box,
        ring=box // 2 + 1,
        ring_border=ring_border,
        dot=box + 2 - 2 * ring_border,
        beside_box=beside_box,
        # The box with its border, and the space that Qt keeps before it.
        below_box=box + beside_box + 3,
    )
