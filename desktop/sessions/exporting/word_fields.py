"""Citations and the list of sources as fields of Word, in the form of Zotero's add-in.

The add-in can set them in any style. Each citation has the data of its work inside, so that this
needs no library; Word and LibreOffice show the text between the marks of a field.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from desktop.domain.json_values import JsonValue
from desktop.domain.references import KEY, CslItem
from desktop.sessions.exporting.contents import CitationNote

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph

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


def begin_field(paragraph: "Paragraph", code: str) -> None:
    """Begin a field at the end of a paragraph; what is added next is what it shows."""
    _add_mark(paragraph, "begin")
    _add(paragraph, "instrText", {"xml:space": "preserve"}, code)
    _add_mark(paragraph, "separate")


def end_field(paragraph: "Paragraph") -> None:
    _add_mark(paragraph, "end")


def _add_mark(paragraph: "Paragraph", kind: str) -> None:
    _add(paragraph, "fldChar", {"w:fldCharType": kind})


def _add(paragraph: "Paragraph", name: str, attributes: Mapping[str, str], text: str = "") -> None:
    from docx.oxml import OxmlElement  # noqa: PLC0415 - only this export needs it
    from docx.oxml.ns import qn  # noqa: PLC0415 - the same

    element = OxmlElement(f"w:{name}")
    for attribute, value in attributes.items():
        element.set(qn(attribute), value)
    element.text = text or None
    paragraph.add_run()._r.append(element)  # noqa: SLF001 - python-docx knows no fields
