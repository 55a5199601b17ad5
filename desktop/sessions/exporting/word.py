"""Writes sessions as Word documents: headings, lists, tables, code, notes, formulas to edit.

Citations and the list of sources are fields of Word, in the form of Zotero's add-in, which can set
them in any style. Each citation has the data of its work inside, so that this needs no library;
Word and LibreOffice show the text between the marks of a field.
"""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from markdown_it.token import Token

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Message, Role
from desktop.domain.references import KEY, CslItem
from desktop.domain.sessions import Session
from desktop.language.formulas import FormulaToken, to_mathml
from desktop.language.links import OWN_LINK, markdown_parser
from desktop.sessions.exporting.contents import (
    CitationNote,
    Cited,
    ExportContents,
    ExportFormat,
    with_marks,
)

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run


LIST_CODE = ' ADDIN ZOTERO_BIBL {"uncited":[],"omitted":[],"custom":[]} CSL_BIBLIOGRAPHY'
_SCHEMA = "https://github.com/citation-style-language/schema/raw/master/csl-citation.json"
_ID_LENGTH = 12


@dataclass(slots=True)
class CitationFields:
    """Makes the codes of one document's fields."""

    document: str  # Its session: the ids of two documents must differ
    items: Mapping[str, CslItem]  # By their sources
    citations: int = 0

    def has(self, note: CitationNote) -> bool:
        return note.citation.source_id in self.items

    def code_of(self, note: CitationNote, mark: str) -> str:
        """Return the code of one citation; `mark` is what the text shows."""
        from desktop.references.formats import without_originals  # noqa: PLC0415 - only with works

        self.citations += 1
        identity = sha256(f"{self.document} {self.citations}".encode()).hexdigest()
        source = note.citation.source_id
        item = without_originals(self.items[source])
        properties: dict[str, JsonValue] = {
            "formattedCitation": mark,
            "plainCitation": mark,
            "noteIndex": 0,
        }
        cited: dict[str, JsonValue] = {
            "id": item[KEY],
            # By its address the add-in knows the same work in several citations.
            "uris": [f"urn:bellek:{source}"],
            "itemData": item,
        }
        if note.locator:
            cited |= {"locator": note.locator, "label": "page"}
        if not note.is_checked:
            properties["dontUpdate"] = True  # A style has no sign for words that were not found
        citation = {
            "citationID": identity[:_ID_LENGTH],
            "properties": properties,
            "citationItems": [cited],
            "schema": _SCHEMA,
        }
        return f" ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps(citation, ensure_ascii=False)}"


def begin_field(paragraph: Paragraph, code: str) -> None:
    """Begin a field at the end of a paragraph; what is added next is what it shows."""
    _add_mark(paragraph, "begin")
    _add(paragraph, "instrText", {"xml:space": "preserve"}, code)
    _add_mark(paragraph, "separate")


def end_field(paragraph: Paragraph) -> None:
    _add_mark(paragraph, "end")


def _add_mark(paragraph: Paragraph, kind: str) -> None:
    _add(paragraph, "fldChar", {"w:fldCharType": kind})


def _add(paragraph: Paragraph, name: str, attributes: Mapping[str, str], text: str = "") -> None:
    from docx.oxml import OxmlElement  # noqa: PLC0415 - only this export needs it
    from docx.oxml.ns import qn  # noqa: PLC0415 - the same

    element = OxmlElement(f"w:{name}")
    for attribute, value in attributes.items():
        element.set(qn(attribute), value)
    element.text = text or None
    paragraph.add_run()._r.append(element)  # noqa: SLF001 - python-docx knows no fields


_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_DEEPEST_LIST = 3
_CODE_FONT, _CODE_POINTS = "Consolas", 9.5
_NOT_IN_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])


def as_word(session: Session, messages: Sequence[Message], cited: Cited) -> bytes:
    """Return one session as a .docx file; citation numbers lead to notes below their answer."""
    from docx import Document as new_document  # noqa: N813, PLC0415 - only this export needs it

    document = new_document()
    fields = CitationFields(session.id, cited.read_items())
    document.add_heading(_clean(session.title or session.opening), level=0)
    if session.summary:
        document.add_paragraph(_clean(session.summary), style="Intense Quote")
    if session.topics:
        document.add_paragraph(_clean(" · ".join(session.topics)))
    for message in messages:
        document.add_heading(_clean(cited.speaker(message)), level=1)
        notes = cited.notes.get(message.id, ())
        if message.role is Role.USER:
            _write_question(document, message, cited)
            continue
        marks = {note.citation.number: f"[{note.number}]" for note in notes}
        live = {marks[note.citation.number]: note for note in notes if fields.has(note)}
        writer = _MarkdownWriter(document, fields, live)
        writer.write(with_marks(message.content, marks))
        for note in notes:
            document.add_paragraph(_clean(f"[{note.number}] {cited.words(note)}"), style="Caption")
    _write_lists(document, fields, cited)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def _write_lists(document: Document, fields: CitationFields, cited: Cited) -> None:
    """Write the lists of sources; the works of the first one that has any are a field.

    The other sources are below it, where the field, when its style changes, leaves them.
    """
    is_field_written = False
    for heading, sources in cited.source_lists():
        document.add_heading(_clean(heading), level=1)
        works = [] if is_field_written else [note for note in sources if fields.has(note)]
        others = [note for note in sources if note not in works]
        paragraphs = [
            document.add_paragraph(style="List Bullet") for _ in range(len(works) + len(others))
        ]
        if works:
            begin_field(paragraphs[0], LIST_CODE)
        for paragraph, note in zip(paragraphs, (*works, *others), strict=True):
            paragraph.add_run(_clean(cited.source_line(note)))
        if works:
            end_field(paragraphs[len(works) - 1])
        is_field_written = is_field_written or bool(works)


def _write_question(document: Document, message: Message, cited: Cited) -> None:
    document.add_paragraph(_clean(message.content))
    for file in message.files:
        document.add_paragraph().add_run(_clean(cited.attached(file))).italic = True


@dataclass(slots=True)
class _MarkdownWriter:
    document: Document
    fields: CitationFields
    live: Mapping[str, CitationNote]
    """The citations that become fields, by what the text shows of them."""
    lists: list[str] = field(default_factory=list)  # The style of each open list, from the outside
    quotes: int = 0
    heading: int = 0

    def write(self, markdown: str) -> None:
        tokens = iter(markdown_parser().parse(markdown))
        for token in tokens:
            match token.type:
                case "inline":
                    self._write_inline(self._paragraph(), token.children or ())
                case "fence" | "code_block":
                    _in_code(self.document.add_paragraph().add_run(_clean(token.content.rstrip())))
                case FormulaToken.ALONE:
                    _write_formula(self.document.add_paragraph(), token)
                case "table_open":
                    self._write_table(tokens)
                case _:
                    self._enter_or_leave(token)

    def _enter_or_leave(self, token: Token) -> None:
        match token.type.rpartition("_")[0]:
            case "heading":
                self.heading = int(token.tag[1:]) if token.nesting > 0 else 0
            case "blockquote":
                self.quotes += token.nesting
            case "bullet_list" | "ordered_list" if token.nesting < 0:
                self.lists.pop()
            case "bullet_list":
                self.lists.append("List Bullet")
            case "ordered_list":
                self.lists.append("List Number")
            case _:
                pass  # Items and paragraphs are written with their words.

    def _paragraph(self) -> Paragraph:
        if self.heading:
            return self.document.add_paragraph(style=f"Heading {min(self.heading + 1, 9)}")
        if self.lists:
            depth = min(len(self.lists), _DEEPEST_LIST)
            style = self.lists[-1] if depth == 1 else f"{self.lists[-1]} {depth}"
            return self.document.add_paragraph(style=style)
        return self.document.add_paragraph(style="Quote" if self.quotes else None)

    def _write_table(self, tokens: Iterator[Token]) -> None:
        rows: list[list[Sequence[Token]]] = []
        for token in tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token.children or ())
        table = self.document.add_table(len(rows), len(rows[0]), style="Table Grid")
        for shown, row in zip(table.rows, rows, strict=True):
            for cell, tokens_of_cell in zip(shown.cells, row, strict=False):
                self._write_inline(cell.paragraphs[0], tokens_of_cell)

    def _write_inline(self, paragraph: Paragraph, tokens: Sequence[Token]) -> None:
        open_marks: set[str] = set()
        target = ""
        for token in tokens:
            name, _, side = token.type.rpartition("_")
            if token.type == "link_close" and not target.startswith(OWN_LINK):
                paragraph.add_run(_clean(f" ({target})"))
            if side == "open":
                open_marks.add(name)
                target = str(token.attrGet("href") or target)
            elif side == "close":
                open_marks.discard(name)
            elif token.type == FormulaToken.IN_LINE:
                _write_formula(paragraph, token)
            elif token.type == "code_inline":
                _in_code(paragraph.add_run(_clean(token.content)))
            else:
                breaks = {"softbreak": " ", "hardbreak": "\n"}
                text = breaks.get(token.type) or _clean(token.content)
                for run in self._add_text(paragraph, text):
                    run.bold, run.italic = "strong" in open_marks, "em" in open_marks
                    run.font.strike = "s" in open_marks

    def _add_text(self, paragraph: Paragraph, text: str) -> Iterator[Run]:
        for piece in _split_at_marks(text, self.live):
            if (note := self.live.get(piece)) is None:
                yield paragraph.add_run(piece)
                continue
            begin_field(paragraph, _clean(self.fields.code_of(note, piece)))
            yield paragraph.add_run(piece)
            end_field(paragraph)


def _split_at_marks(text: str, marks: Container[str]) -> Iterator[str]:
    """Yield the marks in a text, like [1], and what is between them."""
    between, *rest = text.split("[")
    for part in rest:
        number, bracket, after = part.partition("]")
        mark = f"[{number}{bracket}"
        if mark not in marks:
            between += f"[{part}"
            continue
        if between:
            yield between
        yield mark
        between = after
    if between or not rest:
        yield between


def _clean(text: str) -> str:
    return "".join(
        letter for letter in text.translate(_NOT_IN_XML) if not "\ud800" <= letter <= "\udfff"
    )


def _in_code(run: Run) -> None:
    from docx.shared import Pt  # noqa: PLC0415 - the same

    run.font.name, run.font.size = _CODE_FONT, Pt(_CODE_POINTS)


def _write_formula(paragraph: Paragraph, token: Token) -> None:
    from docx.oxml import parse_xml  # noqa: PLC0415 - the same

    if (mathml := to_mathml(token.content, is_alone=token.type == FormulaToken.ALONE)) is None:
        _in_code(paragraph.add_run(_clean(token.markup)))
        return
    made = ET.tostring(to_omml(mathml), encoding="unicode")
    paragraph._p.append(parse_xml(_clean(made)))  # noqa: SLF001 - python-docx knows no formulas


def to_omml(mathml: str) -> ET.Element:
    """Return MathML as Office Math (ECMA-376, part 1, 22.1)."""
    tree = ET.fromstring(mathml)  # noqa: S314 - made here, without entities
    return _math("oMath", *_converted(tree))


_PARTS: Mapping[str, tuple[str, Sequence[str]]] = {
    "mfrac": ("f", ("num", "den")),
    "msup": ("sSup", ("e", "sup")),
    "msub": ("sSub", ("e", "sub")),
    "msubsup": ("sSubSup", ("e", "sub", "sup")),
    "munder": ("limLow", ("e", "lim")),
    "mover": ("limUpp", ("e", "lim")),
}
"""For each element of MathML that of Office Math, with the roles of its children."""


def _converted(element: ET.Element) -> list[ET.Element]:
    name, inside = element.tag.rpartition("}")[2], list(element)
    match name:
        case "mi" | "mn" | "mo" | "mtext" | "mspace":
            made = _math("r", _math("t"))
            made[0].text = element.text or " "
        case "munderover":
            base, below, above = inside
            low = _math("limLow", _part("e", base), _part("lim", below))
            made = _math("limUpp", _math("e", low), _part("lim", above))
        case "msqrt":
            hidden = _math("degHide")
            hidden.set(f"{{{_MATH}}}val", "1")
            made = _math("rad", _math("radPr", hidden), _math("deg"), _math("e", *_all(inside)))
        case "mroot":
            made = _math("rad", _part("deg", inside[1]), _part("e", inside[0]))
        case "mtable":
            made = _math(
                "m", *(_math("mr", *(_part("e", cell) for cell in row)) for row in inside)
            )
        case _ if name in _PARTS and len(inside) == len(_PARTS[name][1]):
            made = _math(_PARTS[name][0], *map(_part, _PARTS[name][1], inside))
        case _:
            return _all(inside)
    return [made]


def _all(elements: Sequence[ET.Element]) -> list[ET.Element]:
    return [piece for element in elements for piece in _converted(element)]


def _part(name: str, element: ET.Element) -> ET.Element:
    return _math(name, *_converted(element))


def _math(name: str, *inside: ET.Element) -> ET.Element:
    made = ET.Element(f"{{{_MATH}}}{name}")
    made.extend(inside)
    return made


def _write(contents: ExportContents) -> Iterator[bytes]:
    for each in contents.sessions:
        yield as_word(each.session, each.messages, each.cite())


WORD = ExportFormat("docx", _write, holds_many=False, is_text=False)
