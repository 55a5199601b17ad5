"""What a PDF says of itself as a work: its information dictionary, XMP, and what is printed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from ctypes import byref, c_int, create_string_buffer
from typing import BinaryIO
from zlib import decompressobj, error

from lxml import etree
from pypdfium2 import PdfDocument, PdfiumError, raw

from desktop.domain.json_values import JsonValue
from desktop.domain.references import FieldOrigin, Reference
from desktop.language.normalization import folded_key
from desktop.references.fields import bare_doi, read_date, written_name
from desktop.references.merging import merged, reference_of
from desktop.references.printed_identifiers import find_dois, printed_fields

_PAGES_READ = 2  # Where a work names itself
_WHOLE_FILE = 64 << 20  # Bytes: of a larger one only the ends are searched for XMP
_END = 8 << 20
_MOST_PACKETS = 20
_LONGEST_PACKET = 4 << 20
_LONGEST_VALUE = 2_000
_LONGEST_PAGE = 20_000  # Letters
_MOST_LINKS = 500

_XMP_TEXTS = {
    "publicationName": "container-title",
    "volume": "volume",
    "number": "issue",
    "issn": "ISSN",
    "isbn": "ISBN",
    "publisher": "publisher",
}
_DOI_NAMES = {"doi", "identifier"}
_OF_JOURNALS = {"container-title", "volume", "issue", "ISSN"}
_NOBODY = ("microsoft", "user", "admin", "author", "yazar", "unknown", "adobe", "latex")


def read_metadata(document: PdfDocument, file: BinaryIO, title: str) -> Reference:
    """Return what is known about a PDF as a work; `title`: that of its information dictionary."""
    about = _information(document, title)
    xmp = reference_of(_xmp_fields(file), FieldOrigin.FILE)
    reference = merged(about, xmp)
    pages, links = _texts_and_links(document)
    printed = printed_fields(pages, links, reference.title)
    return merged(reference_of(printed, FieldOrigin.TEXT), reference)


def _information(document: PdfDocument, title: str) -> Reference:
    entries = document.get_metadata_dict()
    fields: dict[str, JsonValue] = {"title": title, "author": _authors(entries.get("Author", ""))}
    places = [_entry(document, b"doi"), _entry(document, b"WPS-ARTICLEDOI")]
    places.append(entries.get("Subject", ""))
    fields["DOI"] = next((doi for place in places for doi in find_dois(place)), "")
    return reference_of(fields, FieldOrigin.FILE)


def _entry(document: PdfDocument, name: bytes) -> str:
    size = min(raw.FPDF_GetMetaText(document, name, None, 0), _LONGEST_VALUE)
    buffer = create_string_buffer(size)
    raw.FPDF_GetMetaText(document, name, buffer, size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def _authors(text: str) -> list[JsonValue]:
    """Return the names of an entry for the author, if it names persons and no program."""
    text = " ".join(text[:_LONGEST_VALUE].split())
    for joint in (" and ", " ve ", " & "):
        text = text.replace(joint, ";")
    parts = [part.strip() for part in text.split(";")]
    if len(parts) == 1 and all(" " in part.strip() for part in text.split(",")):
        parts = [part.strip() for part in text.split(",")]
    names = [name for name in parts if " " in name and not _is_nobody(name)]
    return [written_name(name) for name in names]


def _is_nobody(name: str) -> bool:
    return any(word in _NOBODY for word in folded_key(name).split())


def _xmp_fields(file: BinaryIO) -> dict[str, JsonValue]:
    """Return the fields of the file's XMP; pictures in it may have XMP of their own."""
    properties = [_properties(packet) for packet in _packets(_searched_bytes(file))]
    dois = {
        doi.lower(): doi
        for entries in properties
        for name, values in entries.items()
        if name in _DOI_NAMES
        for value in values
        for doi in find_dois(value)[:1]
    }
    works = [entries for entries in properties if not _DOI_NAMES.isdisjoint(entries)]
    fields = _fields_of(works[-1]) if works else {}
    return fields | ({"DOI": next(iter(dois.values()))} if len(dois) == 1 else {})


def _searched_bytes(file: BinaryIO) -> bytes:
    size = file.seek(0, 2)
    file.seek(0)
    if size <= _WHOLE_FILE:
        return file.read()
    begin = file.read(_END)
    file.seek(size - _END)
    return begin + file.read(_END)


def _packets(data: bytes) -> Iterator[bytes]:
    place = 0
    for _ in range(_MOST_PACKETS):
        begin = data.find(b"<x:xmpmeta", place)
        end = data.find(b"</x:xmpmeta>", begin)
        if begin < 0 or end < 0:
            break
        place = end + len(b"</x:xmpmeta>")
        yield data[begin:place][:_LONGEST_PACKET]
    place = 0
    for _ in range(_MOST_PACKETS):
        place = data.find(b"/Metadata", place + 1)
        if place < 0:
            return
        begin = data.find(b"stream", place, place + 500)
        if b"FlateDecode" in data[max(0, place - 200) : begin] and begin >= 0:
            packed = data[begin + len(b"stream") :][:_LONGEST_PACKET].lstrip(b"\r\n")
            with suppress(error):
                yield from _packets(decompressobj().decompress(packed, _LONGEST_PACKET))


def _properties(packet: bytes) -> Mapping[str, list[str]]:
    """Return the values of each property by its name without its namespace."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    properties: dict[str, list[str]] = {}
    try:
        root = etree.fromstring(packet, parser)
    except etree.XMLSyntaxError:
        return properties
    for node in root.iter(f"{_RDF}Description"):
        for name, value in node.attrib.items():
            properties.setdefault(etree.QName(name).localname, []).append(str(value))
        for child in node.iterchildren(tag=etree.Element):
            items = child.findall(f".//{_RDF}li") or [child]
            texts = [" ".join("".join(item.itertext()).split()) for item in items]
            name = etree.QName(child).localname
            properties.setdefault(name, []).extend(text[:_LONGEST_VALUE] for text in texts if text)
    return properties


_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"


def _fields_of(properties: Mapping[str, Sequence[str]]) -> dict[str, JsonValue]:
    def first(name: str) -> str:
        return next(iter(properties.get(name, ())), "")

    fields: dict[str, JsonValue] = {csl: first(name) for name, csl in _XMP_TEXTS.items()}
    fields["title"] = first("title")
    fields["author"] = [
        written_name(name) for name in properties.get("creator", ()) if " " in name
    ]
    ends = [first("startingPage"), first("endingPage")]
    fields["page"] = first("pageRange") or "-".join(filter(None, ends))
    day = first("coverDate") or first("publicationDate")
    fields["issued"] = read_date(day[: len("2019-03-15")]) if day[:4].isdecimal() else {}
    if any(fields.get(name) for name in _OF_JOURNALS):
        fields["type"] = "article-journal"
    return {name: value for name, value in fields.items() if value}


def _texts_and_links(document: PdfDocument) -> tuple[Sequence[str], Sequence[str]]:
    texts, links = [], list[str]()
    for index in range(min(_PAGES_READ, len(document))):
        with (
            suppress(PdfiumError),
            closing(document[index]) as page,
            closing(page.get_textpage()) as text,
        ):
            texts.append(text.get_text_range()[:_LONGEST_PAGE])
            links += _links(document, page)
    return texts, links


def _links(document: PdfDocument, page: object) -> Iterator[str]:
    place, link = c_int(0), raw.FPDF_LINK()
    for _ in range(_MOST_LINKS):
        if not raw.FPDFLink_Enumerate(page, byref(place), byref(link)):
            return
        action = raw.FPDFLink_GetAction(link)
        size = min(raw.FPDFAction_GetURIPath(document, action, None, 0), _LONGEST_VALUE)
        buffer = create_string_buffer(max(size, 1))
        raw.FPDFAction_GetURIPath(document, action, buffer, size)
        address = buffer.value.decode("utf-8", "replace")
        if "doi.org/" in address:
            yield bare_doi(address)
