"""The texts of BibTeX: LaTeX to plain text with the tags of CSL, and back to UTF-8 LaTeX."""

import logging
from functools import cache
from string import ascii_letters

from pylatexenc.latex2text import (
    LatexNodes2Text,
    MacroTextSpec,
    get_default_latex_context_db,
)
from pylatexenc.latexwalker import LatexGroupNode

_CASED = '<span class="nocase">{}</span>'
_STYLES = {
    "emph": "<i>{}</i>",
    "textit": "<i>{}</i>",
    "textbf": "<b>{}</b>",
    "textsuperscript": "<sup>{}</sup>",
    "textsubscript": "<sub>{}</sub>",
    "textsc": '<span style="font-variant:small-caps;">{}</span>',
}
"""The commands that CSL has a tag for."""
_OPENED = {
    form.partition("{}")[0]: f"\\{command}{{"
    for command, form in reversed(_STYLES.items())
    if command != "textit"
} | {_CASED.partition("{}")[0]: "{"}
_CLOSED = ("</i>", "</b>", "</sup>", "</sub>", "</span>")
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u00a0": "~",
    **{sign: f"\\{sign}" for sign in "&%#_$"},
}
_BARE = ("&", "#", "%")
"""Signs that LaTeX would take as orders, and that other programs write without a backslash."""
_MATH = set("\\^_{")


class _Texts(LatexNodes2Text):  # type: ignore[misc]  # it ships no types
    """Marks the groups that protect the case of their letters."""

    def group_node_to_text(self, node: LatexGroupNode) -> str:
        text: str = super().group_node_to_text(node)
        begin = node.latex_verbatim()[1:2]
        # BibTeX takes a group that begins with a command, as in {\"O}, for one letter.
        is_protected = begin not in ("", "\\") and any(map(str.isalpha, text))
        if _follows_command(node.parsing_state.s[: node.pos]):
            return text
        return _CASED.format(text) if is_protected else text


def _follows_command(before: str) -> bool:
    """Whether a group is the argument of a command that ends here: a name or a sign."""
    return before.rstrip(ascii_letters).endswith("\\") or before[-2:-1] == "\\"


@cache
def _converter(*, keeps_case: bool) -> LatexNodes2Text:
    context = get_default_latex_context_db()
    macros = [
        MacroTextSpec(name, simplify_repl=form.format("%s")) for name, form in _STYLES.items()
    ]
    context.add_context_category("csl", prepend=True, macros=macros)
    kind = _Texts if keeps_case else LatexNodes2Text
    return kind(
        latex_context=context, math_mode="verbatim", keep_comments=True, strict_latex_spaces=True
    )


def from_latex(text: str, *, keeps_case: bool = False) -> str:
    """Return the text of a field; `keeps_case`: with tags for what {braces} protect."""
    joined = " ".join(text.split())
    if not any(sign in joined for sign in "\\{}~$`'-"):
        return joined
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # it would log words of the file
    try:
        decoded = _converter(keeps_case=keeps_case).latex_to_text(_escape_bare(joined))
    except (IndexError, ValueError, AttributeError, TypeError, RecursionError):
        return joined  # what it does not understand stays as it is
    return " ".join(decoded.split(" ")).strip()


def without_letter_commands(text: str) -> str:
    """Return a field as it is, unless LaTeX commands spell its letters: then in UTF-8."""
    joined = " ".join(text.split())
    decoded = from_latex(joined, keeps_case=True)
    is_spelt = sum(not sign.isascii() for sign in decoded if sign.isalpha()) > sum(
        not sign.isascii() for sign in joined if sign.isalpha()
    )
    return to_latex(decoded) if is_spelt else joined


def _escape_bare(text: str) -> str:
    escaped, before = [], ""
    is_odd = text.count("$") - text.count("\\$") == 1
    for sign in text:
        is_bare = sign in _BARE or (sign == "$" and is_odd)
        escaped.append(f"\\{sign}" if is_bare and before != "\\" else sign)
        before = "" if before == "\\" == sign else sign
    return "".join(escaped)


def to_latex(text: str) -> str:
    """Return a text as LaTeX in UTF-8: letters stay as they are, formulas too."""
    pieces = text.split("$")
    if len(pieces) % 2 == 0:  # the signs do not pair
        return _escaped(text)
    return "".join(
        _formula_or_text(piece) if number % 2 else _escaped(piece)
        for number, piece in enumerate(pieces)
    )


def _formula_or_text(piece: str) -> str:
    is_formula = piece.strip() == piece and not _MATH.isdisjoint(piece)
    return f"${piece}$" if is_formula else f"\\${_escaped(piece)}\\$"


def _escaped(text: str) -> str:
    escaped, place = [], 0
    while place < len(text):
        opened = next((tag for tag in _OPENED if text.startswith(tag, place)), "")
        closed = next((tag for tag in _CLOSED if text.startswith(tag, place)), "")
        tag = opened or closed
        if tag:
            escaped.append(_OPENED[opened] if opened else "}")
        else:
            escaped.append(_ESCAPES.get(text[place], text[place]))
        place += len(tag) or 1
    return "".join(escaped)
