"""The formats of a text document, the runs of a paragraph in it, and pictures of formulas."""

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum, auto
from functools import partial
from math import ceil

from PySide6.QtCore import QCoreApplication, QObject, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer

from desktop.domain.claims import Support
from desktop.domain.frozen import dataclass
from desktop.language.formulas import FormulaDrawing, draw_formula
from desktop.language.links import OWN_LINK
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.transcript.markdown import (
    SUPPORTS,
    InlineSpan,
    Paragraph,
    ParagraphKind,
    Style,
    plain,
)
from desktop.ui.widgets.plain_text import tip

_LOOK_EVERY_MS = 15
_SCALE = 1.15  # The formulas' letters are smaller than those of an interface font of the same size
CITATION_SCHEME = "citation:"
_HEADING_STEPS = (1.45, 1.25, 1.12, 1.0, 1.0, 1.0)
_CITATION_SIZE = 0.74
_RAISED_PERCENT = 32
_ENDLESS = 20_000  # Letters of a word
_NARROW = "\u202f"
_SPACE = "\u00a0"
_QUOTE_INDENT = Space.LARGE
_POINTS_PER_INCH = 72


@dataclass(frozen=True, slots=True)
class Formula:
    tex: str
    is_alone: bool


class FormulaImages(QObject):
    """Draws formulas in the background and keeps the drawings; lives on the GUI thread."""

    drawn = Signal()  # A requested formula can be painted

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawings: dict[Formula, Future[FormulaDrawing | None]] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="formulas")
        self._look = make_timer(self, _LOOK_EVERY_MS, self._tell_when_done)
        self.destroyed.connect(partial(self._pool.shutdown, wait=False, cancel_futures=True))

    def is_waiting(self, formula: Formula) -> bool:
        """Whether a formula is being drawn; this call starts the drawing if necessary."""
        if (drawing := self._drawings.get(formula)) is None:
            drawing = self._drawings[formula] = self._pool.submit(
                draw_formula, formula.tex, is_alone=formula.is_alone
            )
            self._look.start()
        return not drawing.done()

    def image(self, formula: Formula, font: QFont, colour: str) -> QImage | None:
        """Return the picture of a formula that is drawn; None if it cannot be drawn."""
        if (drawing := self._drawings[formula].result()) is None:
            return None
        ratio = QGuiApplication.primaryScreen().devicePixelRatio()
        return paint_formula(drawing, font, colour, ratio)

    def _tell_when_done(self) -> None:
        if all(future.done() for future in self._drawings.values()):
            self._look.stop()
            self.drawn.emit()


def paint_formula(drawing: FormulaDrawing, font: QFont, colour: str, ratio: float) -> QImage:
    """Paint a formula with margins that align it with the base line of the text; any thread.

    In a text document, the middle of a middle-aligned object is a quarter of the font's
    x-height above the base line.
    """
    em = QFontInfo(font).pixelSize() * _SCALE
    above_middle = QFontMetrics(font).xHeight() / 4
    width, height, depth = (
        length * em for length in (drawing.width, drawing.height, drawing.depth)
    )
    reach = max(depth + above_middle, height - depth - above_middle)
    image = QImage(
        round(width * ratio), round(2 * reach * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    top = reach - (height - depth - above_middle)
    area = QRectF(0, top * ratio, width * ratio, height * ratio)
    QSvgRenderer(drawing.svg.encode()).render(painter, area)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(colour))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


class Drawn(Enum):
    CITATION = auto()
    UNCHECKED = auto()
    CODE = auto()
    MARKER = auto()
    QUOTE = auto()
    RULE = auto()
    FORMULA = auto()  # Nothing is painted; a copy contains the original text


@dataclass(frozen=True, slots=True)
class Ornament:
    drawn: Drawn
    start: int
    end: int
    text: str = ""


class TextStyle:
    """The formats of one theme and zoom; made once and shared by all texts."""

    def __init__(self, theme: ThemeController, formulas: FormulaImages | None = None) -> None:
        """`formulas`: None where formulas are shown as text."""
        self.formulas = formulas
        self.theme, self.tokens, self.scale = theme, theme.tokens, theme.scale
        self.font = theme.reading_font
        self.small = theme.font(self.scale.small)
        self.mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.mono.setPointSizeF(self.scale.body * 0.92)
        self.metrics, self.mono_metrics = QFontMetricsF(self.font), QFontMetricsF(self.mono)
        # Room for a number of two digits, the gap behind it included, at every zoom.
        number = ceil(self.metrics.horizontalAdvance("00.")) + Space.SMALL
        self.list_indent = max(round(Space.WIDE * self.scale.zoom), number)
        dots = QGuiApplication.primaryScreen().logicalDotsPerInch()
        self._pixels_per_point = dots / _POINTS_PER_INCH
        self._chars: dict[tuple[Style, str, int], QTextCharFormat] = {}
        self._images: dict[Formula, QImage | None] = {}

    def line_height(self, points: float) -> float:
        """Return the line height in pixels."""
        return points * self._pixels_per_point * self.theme.line_height

    def characters(self, style: Style, href: str, heading: int) -> QTextCharFormat:
        key = (style, href, heading)
        if (char_format := self._chars.get(key)) is None:
            char_format = self._character_format(style, href, heading)
            if not href:
                self._chars[key] = char_format
        return char_format

    def _character_format(self, style: Style, href: str, heading: int) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self.mono if style & Style.CODE else self.font)
        made.setForeground(QColor(self.tokens.text))
        if heading:
            made.setFontPointSize(self.heading_points(heading))
            made.setFontWeight(QFont.Weight.DemiBold)
        if style & Style.BOLD:
            made.setFontWeight(QFont.Weight.DemiBold)
        made.setFontItalic(bool(style & Style.ITALIC))
        made.setFontStrikeOut(bool(style & Style.STRIKE))
        if href:
            made.setAnchor(True)
            made.setAnchorHref(href)
            made.setForeground(QColor(self.tokens.accent))
        if style & Style.CITATION:
            made.setFontPointSize(self.scale.body * _CITATION_SIZE)
            made.setFontWeight(QFont.Weight.DemiBold)
            made.setBaselineOffset(_RAISED_PERCENT)
        if style & Style.UNCHECKED:
            made.setForeground(QColor(self.tokens.muted))
        if style & (Style.CONTRADICTED | Style.ABSENT):
            made.setForeground(QColor(self.tokens.notice_text))
        return made

    def formula_image(self, formula: Formula) -> QImage | None:
        if self.formulas is None:
            return None
        if formula not in self._images:
            self._images[formula] = self.formulas.image(formula, self.font, self.tokens.text)
        return self._images[formula]

    def heading_points(self, level: int) -> float:
        return self.scale.body * _HEADING_STEPS[level - 1]

    def block(self, paragraph: Paragraph, *, is_first: bool) -> QTextBlockFormat:
        made = QTextBlockFormat()
        points = self.scale.body
        if paragraph.kind is ParagraphKind.HEADING:
            points = self.heading_points(paragraph.level)
        if paragraph.kind is not ParagraphKind.RULE:
            types = QTextBlockFormat.LineHeightTypes
            has_formula = any(run.tex for run in paragraph.runs)
            kind = types.MinimumHeight if has_formula else types.FixedHeight
            made.setLineHeight(self.line_height(points), kind.value)
        below = Space.TIGHT if paragraph.is_tight else Space.MEDIUM
        above = Space.LARGE if paragraph.kind is ParagraphKind.HEADING else below
        if paragraph.kind is ParagraphKind.FORMULA:
            made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        # Of two adjacent margins, the wider one counts.
        made.setTopMargin(0 if is_first else above)
        made.setBottomMargin(below)
        made.setLeftMargin(paragraph.depth * self.list_indent + paragraph.quotes * _QUOTE_INDENT)
        return made


def write_runs(
    cursor: QTextCursor,
    runs: Iterable[InlineSpan],
    style: TextStyle,
    ornaments: list[Ornament],
    *,
    heading: int = 0,
    is_alone: bool = False,
) -> bool:
    """Write runs at a cursor; return whether a formula is still being drawn.

    `is_alone`: a formula is on a line of its own.
    """
    is_waiting = False
    for run in runs:
        start = cursor.position()
        if run.style & Style.CITATION:
            is_checked = not run.style & Style.UNCHECKED
            form = style.characters(run.style, f"{CITATION_SCHEME}{run.text}", heading)
            support = _support_of(run.style)
            form.setToolTip(_citation_tip(run.tip, support, is_checked=is_checked))
            cursor.insertText(_NARROW, style.characters(Style.PLAIN, "", heading))
            start = cursor.position()
            # No-break spaces keep the number on its background and beside its word.
            sign = SUPPORT_SIGNS.get(support, "" if is_checked else "?")
            shown = f"{run.text}{sign}"
            cursor.insertText(f"{_SPACE}{shown}{_SPACE}", form)
            drawn = Drawn.CITATION if is_checked else Drawn.UNCHECKED
            ornaments.append(Ornament(drawn, start, cursor.position(), run.text))
        elif run.style & Style.FORMULA:
            formula = Formula(run.tex, is_alone)
            waits = style.formulas is not None and style.formulas.is_waiting(formula)
            is_waiting |= waits
            if waits or not _insert_drawn(cursor, formula, style):
                # The original text, until the formula is drawn or if it cannot be.
                form = style.characters(run.style | Style.CODE, "", heading)
                cursor.insertText(run.text, form)
            ornaments.append(Ornament(Drawn.FORMULA, start, cursor.position(), run.text))
        else:
            form = style.characters(run.style, run.href, heading)
            if run.style & Style.UNCHECKED:
                form.setToolTip(tip(unchecked_reason(has_quote=False)))
            elif run.href and not run.href.startswith(OWN_LINK):
                form.setToolTip(tip(run.href))
            _wrap_endless(cursor.document(), run.text)
            cursor.insertText(run.text, form)
            if run.style & Style.CODE:
                ornaments.append(Ornament(Drawn.CODE, start, cursor.position()))
    return is_waiting


def _wrap_endless(document: QTextDocument, text: str) -> None:
    """Let the lines of a document end within words if it has one that is thousands of lines long.

    For each line, Qt would look for the end of the word.
    """
    option = document.defaultTextOption()
    is_set = option.wrapMode() is QTextOption.WrapMode.WrapAnywhere
    if len(text) > _ENDLESS and not is_set and max(map(len, text.split()), default=0) > _ENDLESS:
        option.setWrapMode(QTextOption.WrapMode.WrapAnywhere)
        document.setDefaultTextOption(option)


def _insert_drawn(cursor: QTextCursor, formula: Formula, style: TextStyle) -> bool:
    """Insert the picture of a formula; return whether there is one."""
    image = style.formula_image(formula)
    if image is None:
        return False
    name = f"formula:{formula.is_alone}:{formula.tex}"
    cursor.document().addResource(
        QTextDocument.ResourceType.ImageResource.value, QUrl(name), image
    )
    made = QTextImageFormat()
    made.setFont(style.font)
    made.setName(name)
    made.setWidth(image.deviceIndependentSize().width())
    made.setHeight(image.deviceIndependentSize().height())
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    cursor.insertImage(made)
    return True


def _support_of(style: Style) -> Support:
    return next((support for support, flag in SUPPORTS.items() if style & flag), Support.UNTESTED)


def _citation_tip(cited: str, support: Support, *, is_checked: bool) -> str:
    title, quote, words, *_ = *cited.split("\n", 2), "", ""
    lines = []
    form = QCoreApplication.translate("Citations", "“{words}”")
    if quote:
        lines.append(form.format(words=plain(quote)))
    if not is_checked and (quote or support is Support.UNTESTED):
        lines.append(unchecked_reason(has_quote=bool(quote)))
    if support is not Support.UNTESTED:
        lines.append(support_label(support))
    if words and plain(words) not in plain(quote):
        lines.append(form.format(words=plain(words)))
    return tip("\n".join([title, *lines]))


SUPPORT_SIGNS = {Support.SUPPORTED: "✓", Support.CONTRADICTED: "✗", Support.ABSENT: "!"}


def support_label(support: Support) -> str:
    """Return what a citation does for a claim, in words."""
    match support:
        case Support.SUPPORTED:
            return QCoreApplication.translate("Citations", "✓ The source says this")
        case Support.CONTRADICTED:
            return QCoreApplication.translate("Citations", "✗ The source says otherwise")
        case Support.ABSENT:
            return QCoreApplication.translate("Citations", "! Not in the source")
        case Support.UNTESTED:
            return QCoreApplication.translate("Citations", "Not tested")


def unchecked_reason(*, has_quote: bool) -> str:
    if has_quote:
        return QCoreApplication.translate(
            "Citations", "These words could not be matched to a place in the source"
        )
    return QCoreApplication.translate("Citations", "Not checked against the source")
