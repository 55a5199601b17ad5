"""The application's one stylesheet, written from the tokens.

Widgets say what they are through dynamic properties: QPushButton and QToolButton `kind` (primary,
quiet, chip, filter, link, notice, danger), QLabel `role` (muted, small, heading, title, problem),
QFrame `role` (line, card), lists `role` (list, navigation), QPlainTextEdit `role` (field).
"""

from dataclasses import asdict
from string import Template

from desktop.settings.paths import asset
from desktop.ui.theme.tokens import Radius, Tokens, TypeScale

_TITLE_RATIO = 1.35  # headings of pages and dialogs, to the body

_SHEET = Template("""
QToolTip { color: $text; background: $raised; border: 1px solid $line; padding: 4px 8px; }

QMenuBar { background: $side; color: $muted; border: none; border-bottom: 1px solid $line;
    padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 6px 10px; border-radius: 6px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; color: $text; }
QMenu { background: $raised; color: $text; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 12px; border-radius: 6px; }
QMenu::item:selected { background: $accent_ground; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }
QStatusBar { background: $side; color: $muted; border-top: 1px solid $line;
    font-size: ${small}pt; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; font-size: ${small}pt; }

QPushButton, QToolButton, QRadioButton, QCheckBox, QTabBar, QAbstractItemView { outline: 0; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton { background: $raised; color: $text; border: 1px solid $line;
    border-radius: ${control}px; padding: 5px 14px; min-height: 1.35em; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $accent_ground; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $faint; background: $side; }
QPushButton[kind="primary"], QPushButton:default { background: $accent; color: $on_accent;
    border-color: $accent; font-weight: 600; }
QPushButton[kind="primary"]:hover, QPushButton:default:hover { background: $accent_hover; }
QPushButton[kind="primary"]:focus, QPushButton:default:focus { border: 1px solid $text; }
QPushButton[kind="primary"]:disabled, QPushButton:default:disabled { background: $hover;
    color: $muted; border-color: $line; }
QPushButton::menu-indicator { image: url("$chevron_down"); width: ${chevron}px;
    height: ${chevron}px; subcontrol-origin: padding; subcontrol-position: center right;
    right: 6px; }
QPushButton[kind="danger"] { color: $wrong; }
QPushButton[kind="danger"]:disabled { color: $faint; }
QPushButton[kind="quiet"], QToolButton { background: transparent; color: $muted;
    border: 1px solid transparent; border-radius: ${control}px; padding: 3px 6px; }
QPushButton[kind="quiet"]:hover, QToolButton:hover { background: $hover; color: $text; }
QPushButton[kind="quiet"]:focus, QToolButton:focus { border-color: $accent; color: $text; }
QToolButton:checked { color: $accent; background: $accent_ground; }
QToolButton:disabled { color: $faint; }
QToolButton::menu-indicator { image: none; }
QToolButton[kind="floating"] { background: $raised; border: 1px solid $line;
    border-radius: ${card}px; padding: 3px; }
QToolButton[kind="floating"]:hover { background: $hover; }
QPushButton[kind="back"] { background: transparent; color: $muted; border: none; padding: 3px 0; }
QPushButton[kind="back"]:hover, QPushButton[kind="back"]:focus { color: $accent; }
QPushButton[kind="notice"] { background: transparent; color: $notice_text; font-weight: 600;
    border: 1px solid transparent; border-radius: ${control}px; padding: 3px 8px; }
QPushButton[kind="notice"]:hover { background: $raised; }
QPushButton[kind="notice"]:focus { border-color: $notice_text; }
QPushButton[kind="chip"] { background: transparent; color: $muted; border: 1px solid $line;
    border-radius: ${chip}px; padding: 1px 9px; font-size: ${small}pt;
    min-height: ${chip_inside}px; }
QPushButton[kind="chip"]:hover { background: $hover; color: $text; }
QPushButton[kind="chip"]:checked { background: $accent_ground; color: $accent;
    border-color: $accent; }
QPushButton[kind="chip"]:focus { border-color: $accent; }
QPushButton[kind="filter"] { background: $accent_ground; color: $accent;
    border: 1px solid $accent_ground; border-radius: ${chip}px; padding: 1px 9px;
    font-size: ${small}pt; min-height: ${chip_inside}px; }
QPushButton[kind="filter"]:hover, QPushButton[kind="filter"]:focus { border-color: $accent; }
QPushButton[kind="choice"] { background: transparent; color: $muted; border: 1px solid $line;
    border-radius: ${control}px; padding: 2px ${beside_chevron}px 2px 8px; font-size: ${small}pt; }
QPushButton[kind="choice"]:hover, QPushButton[kind="choice"]:focus { color: $text;
    border-color: $accent; }
QPushButton[kind="choice"]::menu-indicator { image: url("$chevron_down");
    width: ${small_chevron}px; height: ${small_chevron}px;
    subcontrol-position: right center; right: 6px; }
QFrame[role="segments"] { background: transparent; border: 1px solid $line;
    border-radius: ${control}px; }
QPushButton[kind="link"] { background: transparent; color: $muted; border: none;
    border-radius: ${control}px; padding: 2px 4px; font-size: ${small}pt; text-align: left; }
QPushButton[kind="link"]:hover, QPushButton[kind="link"]:focus { color: $text;
    background: $hover; }

QLineEdit { background: $raised; color: $text; border: 1px solid $line;
    border-radius: ${control}px; padding: 5px 8px; selection-background-color: $selection;
    selection-color: $text; }
QLineEdit, QPlainTextEdit { placeholder-text-color: $muted; }
QLineEdit:focus { border-color: $accent; }
QLineEdit:disabled { background: $side; color: $faint; }
QLineEdit[role="title"] { padding: 0 6px; border-color: $accent; }
QComboBox QLineEdit, QAbstractSpinBox QLineEdit { border: none; padding: 0; }

QLabel[role="muted"] { color: $muted; }
QLabel[role="small"] { color: $muted; font-size: ${small}pt; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="badge"] { background: $notice_ground; color: $notice_text; font-size: ${small}pt;
    border-radius: 6px; padding: 2px 8px; }
QFrame[role="line"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
QFrame[role="card"] { background: $raised; border: 1px solid $line;
    border-radius: ${card}px; }
QFrame[role="card"]:focus { border-color: $accent; }

QFrame[role="side"] { background: $side; border: none; }
QFrame[role="side"] QListView { background: transparent; border: none; }
QFrame[role="bar"] { background: $ground; border: none; border-bottom: 1px solid $line; }
QFrame[role="panel"] { background: $ground; border: none; }
QFrame[role="quick"] { background: $ground; border: 1px solid $line; }
QFrame[role="rule"] { border: none; border-left: 2px solid $line; }
QPushButton[kind="passage"] { background: transparent; border: 1px solid transparent;
    border-radius: 0; padding: 0; text-align: left; }
QPushButton[kind="passage"]:hover { background: $hover; }
QPushButton[kind="passage"]:focus { border-color: $accent; }
QPushButton[kind="named"] { background: transparent; color: $text; border: none;
    border-radius: ${control}px; padding: 2px 4px; font-size: ${small}pt; font-weight: 600;
    text-align: left; }
QPushButton[kind="named"]:hover, QPushButton[kind="named"]:focus { color: $accent;
    background: $hover; }
QPushButton[kind="entry"] { background: transparent; color: $text; border: none;
    border-radius: ${control}px; padding: 2px 4px; font-size: ${small}pt; text-align: left; }
QPushButton[kind="entry"]:hover, QPushButton[kind="entry"]:focus { color: $accent;
    background: $hover; }
QPushButton[kind="status"] { background: transparent; color: $muted; border: none;
    padding: 1px 6px; font-size: ${small}pt; min-height: 1.2em; }
QPushButton[kind="status"]:hover, QPushButton[kind="status"]:focus { color: $text;
    background: $hover; border-radius: 4px; }
QFrame[role="composer"] { background: $raised; border: 1px solid $line;
    border-radius: ${composer}px; }
QFrame[role="editor"] { background: $raised; border: 1px solid $accent;
    border-radius: ${composer}px; }
QFrame[role="composer"][temporary="true"] { border: 1px dashed $notice_text; }
QFrame[role="composer"] QPlainTextEdit, QFrame[role="editor"] QPlainTextEdit {
    background: transparent; border: none; }
QFrame[role="code"] { background: $code; border: none; border-radius: ${control}px; }
QFrame[role="notice"] { background: $raised; border: 1px solid $line;
    border-radius: ${control}px; }
QFrame[rank="success"] { background: $accent_ground; border-color: $accent_ground; }
QFrame[rank="failure"] { background: $notice_ground; border-color: $notice_ground; }
QFrame[rank="failure"] QLabel { color: $notice_text; }
QFrame[role="notice"] QPushButton { background: transparent; border: 1px solid transparent;
    color: $accent; font-weight: 600; padding: 2px 6px; }
QFrame[rank="failure"] QPushButton { color: $notice_text; }
QFrame[role="notice"] QPushButton:hover, QFrame[role="notice"] QPushButton:focus {
    border-color: $accent; }
QFrame[rank="failure"] QPushButton:hover, QFrame[rank="failure"] QPushButton:focus {
    border-color: $notice_text; }
QLabel[role="key"] { color: $muted; border: 1px solid $line; border-radius: 4px;
    padding: 1px 5px; font-size: ${small}pt; }

QLabel[role="title"] { font-size: ${title}pt; font-weight: 600; }
QLabel[role="problem"] { color: $wrong; }

QPlainTextEdit[role="field"] { background: $raised; color: $text;
    border: 1px solid $line; border-radius: ${control}px; padding: 4px 6px;
    selection-background-color: $selection; selection-color: $text; }
QPlainTextEdit[role="field"]:focus { border-color: $accent; }
QComboBox, QAbstractSpinBox { background: $raised; color: $text; border: 1px solid $line;
    border-radius: ${control}px; padding: 4px 8px; min-height: 1.35em;
    selection-background-color: $selection; selection-color: $text; }
QComboBox:editable { padding-left: 6px; }
QComboBox:hover, QAbstractSpinBox:hover { background: $hover; }
QComboBox:focus, QComboBox:on, QAbstractSpinBox:focus { border-color: $accent; }
QComboBox:disabled, QAbstractSpinBox:disabled { color: $faint; background: $side; }
QComboBox::drop-down { border: none; width: ${drop_down}px; }
QComboBox::down-arrow, QAbstractSpinBox::down-arrow { image: url("$chevron_down");
    width: ${chevron}px; height: ${chevron}px; }
QAbstractSpinBox::up-arrow { image: url("$chevron_up"); width: ${chevron}px;
    height: ${chevron}px; }
QAbstractSpinBox { padding: 3px 8px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: ${step}px;
    background: transparent; }
QComboBox QAbstractItemView, QAbstractItemView[role="offered"] { background: $raised;
    color: $text; border: 1px solid $line; padding: 4px; outline: none; }
QComboBoxPrivateContainer { background: $raised; border: none; }
QComboBox QAbstractItemView::item, QAbstractItemView[role="offered"]::item { padding: 4px 8px;
    min-height: 1.35em; border-radius: 6px; }
QComboBox QAbstractItemView::item:selected, QAbstractItemView[role="offered"]::item:selected {
    background: $accent_ground; color: $text; }

QRadioButton, QCheckBox { spacing: ${beside_box}px; padding: 1px; }
QRadioButton::indicator, QCheckBox::indicator, QAbstractItemView::indicator { width: ${box}px;
    height: ${box}px; border: 1px solid $muted; background: $raised; }
QRadioButton::indicator, QCheckBox::indicator { subcontrol-position: top left; }
QRadioButton::indicator { border-radius: ${ring}px; }
QCheckBox::indicator, QAbstractItemView::indicator { border-radius: 4px; }
*[below="box"] { border: none; padding-left: ${below_box}px; }
QRadioButton::indicator:hover, QCheckBox::indicator:hover { border-color: $accent; }
QRadioButton::indicator:checked { border: ${ring_border}px solid $accent; width: ${dot}px;
    height: ${dot}px; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: $accent;
    border-color: $accent; image: url("$check"); }
QCheckBox::indicator:focus, QRadioButton::indicator:unchecked:focus { border-color: $text; }
QRadioButton:focus, QCheckBox:focus { color: $accent; }
QRadioButton[kind="segment"] { background: transparent; color: $muted; spacing: 0;
    border: 1px solid transparent; border-radius: ${segment}px; padding: 4px 8px;
    font-size: ${small}pt; }
QRadioButton[kind="segment"]::indicator, QRadioButton[kind="segment"]::indicator:checked {
    width: 0; height: 0; border: none; }
QRadioButton[kind="segment"]:hover { color: $text; background: $hover; }
QRadioButton[kind="segment"]:checked { color: $accent; background: $accent_ground; }
QRadioButton[kind="segment"]:focus { border-color: $accent; }
QRadioButton:disabled, QCheckBox:disabled { color: $faint; }

*[role="list"] { background: $raised; color: $text; border: 1px solid $line;
    border-radius: ${control}px; padding: 4px; outline: none; }
*[role="list"]:focus { border-color: $accent; }
*[role="list"]::item { padding: 4px 6px; border-radius: 6px; }
*[role="list"]::item:first { border-top-right-radius: 0; border-bottom-right-radius: 0; }
*[role="list"]::item:middle { border-radius: 0; }
*[role="list"]::item:last { border-top-left-radius: 0; border-bottom-left-radius: 0; }
*[role="list"]::item:selected { background: $accent_ground; color: $text; }
*[role="list"]::item:hover:!selected { background: $hover; }
*[role="list"] QHeaderView::section { background: transparent; color: $muted; border: none;
    padding: 4px 6px; font-size: ${small}pt; }
*[role="navigation"] { background: $side; color: $muted; border: none;
    border-right: 1px solid $line; padding: 16px 8px; outline: none; }
*[role="navigation"]::item { padding: 7px 10px; border-radius: ${control}px; margin: 1px 0;
    border: 1px solid transparent; }
*[role="navigation"]::item:hover { background: $hover; color: $text; }
*[role="navigation"]::item:selected { background: $accent_ground; color: $text; }
*[role="navigation"]::item:selected:focus { border-color: $accent; }

QTabBar { border: none; }
QTabBar::tab { color: $muted; background: transparent; border: none;
    border-bottom: 2px solid transparent; padding: 8px 2px; margin-right: 16px; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:last { margin-right: 0; }
QTabBar::tab:hover, QTabBar::tab:focus { color: $text; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

#qt_calendar_navigationbar { background: transparent; }
#qt_calendar_calendarview { background: $ground; border: none; outline: none; }
QCalendarWidget QToolButton { color: $text; font-weight: 600; }
QCalendarWidget QSpinBox { min-height: 0; padding: 1px 4px; }

QProgressBar { background: $hover; border: none; border-radius: 3px; height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $scroll; border: 3px solid transparent; border-radius: 6px; }
QScrollBar::handle:disabled { background: transparent; }
*[role="inside"] QScrollBar:horizontal { height: 6px; }
*[role="inside"] QScrollBar::handle { border-width: 0; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
""")


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
    return _SHEET.substitute(
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
