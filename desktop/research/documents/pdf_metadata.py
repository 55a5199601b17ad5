"""What a PDF says of itself as a work: its information dictionary, XMP, and what is printed.

A printed DOI may be that of a cited work, or be torn by the end of a line. Where that cannot be
told, there is none: a missing DOI is typed once, a wrong one is believed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from ctypes import byref, c_int, create_string_buffer
from typing import BinaryIO, NamedTuple
from zlib import decompressobj, error

from lxml import etree
from pypdfium2 import PdfDocument, PdfiumError, raw

from desktop.domain.json_values import JsonValue
from desktop.domain.references import FieldOrigin, Reference
from desktop.language.normalization import folded_key
from desktop.references.fields import bare_doi, read_date, written_name
from desktop.references.merging import merged, reference_of, title_key

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

_ENDS_DOI = frozenset('"<>“”‘’«»|?# \t\r\n\ufffe')
_TRAILING = ".,;:'…"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_OTHERS = ("http", "www", "doi", "issn", "10.")  # What begins in a line of its own
_SPLITS = ("/", "_", "(", "-")  # Where a DOI that goes on in the next line may end
_REGISTRANT = range(4, 10)
_LONGEST_DOI = 200
_BEFORE = 250  # Letters of a reference before its DOI
_SHORT_LINE = 80
_MOST_LINES = 3  # Over which a DOI goes on
_PROSE = 3  # Words in small letters
_LIST_DIGITS = 3  # Of the number of a note
_LIST_HEADS = {"kaynakca", "kaynaklar", "references", "bibliography", "workscited", "reference"}
_CITE_LABELS = ("cite", "citation", "atif", "alinti", "kunye", "kaynak goster")


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


class _Printed(NamedTuple):
    doi: str
    is_sure: bool  # Whether it surely ends where it seems to
    before: str
    line: str


def printed_fields(
    pages: Sequence[str], links: Sequence[str] = (), title: str = ""
) -> dict[str, JsonValue]:
    """Return the work's own DOI, or else its id at arXiv, as printed on its first pages."""
    found = [list(_own(page, links, title)) for page in pages]
    doi = next((_only(dois, found) for dois in found if dois), "")
    if doi:
        return {"DOI": doi}
    return _arxiv_fields(pages[0]) if pages else {}


def _only(candidates: Sequence[_Printed], pages: Sequence[Sequence[_Printed]]) -> str:
    """Return the DOI of a page: its only one, the labelled one, or the one on both pages."""
    distinct = {candidate.doi.lower(): candidate for candidate in candidates}
    if len(distinct) > 1:
        elsewhere = {
            other.doi.lower() for page in pages if page is not candidates for other in page
        }
        strong = {
            doi: candidate
            for doi, candidate in distinct.items()
            if doi in elsewhere or (_is_labelled(candidate) and len(candidate.line) < _SHORT_LINE)
        }
        distinct = strong
    if len(distinct) != 1:
        return ""
    (candidate,) = distinct.values()
    return candidate.doi if candidate.is_sure else ""


def _is_labelled(candidate: _Printed) -> bool:
    begin = folded_key(candidate.line.strip())
    return begin.startswith(("doi", "https://doi", "http://dx", "https://dx", "http://doi"))


def _own(page: str, links: Sequence[str], title: str) -> Iterator[_Printed]:
    for candidate in _candidates(_before_list(page)):
        whole = _completed(candidate.doi, links)
        sure = candidate._replace(doi=whole, is_sure=True) if whole else candidate
        if not _is_of_cited_work(sure, title):
            yield sure


def _completed(doi: str, links: Sequence[str]) -> str:
    """Return the whole DOI as a link on the page has it."""
    bare = doi.lower().replace("-", "")
    whole = {link for link in links if link.lower().replace("-", "").startswith(bare)}
    exact = {link for link in whole if link.lower().replace("-", "") == bare}
    return next(iter(exact or whole)) if len(exact or whole) == 1 else ""


def _before_list(page: str) -> str:
    """Return a page up to its list of references."""
    lines = page.splitlines(keepends=True)
    for number, line in enumerate(lines):
        letters = "".join(letter for letter in folded_key(line) if letter.isalpha())
        if letters in _LIST_HEADS:
            return "".join(lines[:number])
    return page


def _is_of_cited_work(candidate: _Printed, title: str) -> bool:
    """Whether a DOI stands in a sentence, or in a reference to another work."""
    folded = folded_key(candidate.before)
    letters = "".join(filter(str.isalnum, folded))
    key = title_key(title)
    if any(label in folded for label in _CITE_LABELS) or (key and key in letters):
        return False
    return _is_in_sentence(candidate) or _is_in_list(candidate.before) or _has_dated_name(folded)


def _is_in_sentence(candidate: _Printed) -> bool:
    before, _, after = candidate.line.partition(candidate.doi)
    words = before.split()
    label = words.pop() if words else ""
    is_prose = sum(word[:1].islower() and len(word) > len("doi") for word in words) >= _PROSE
    goes_on = after[:1] == " " and after.strip()[:1].islower()
    if is_prose or goes_on or label.startswith("(") or before.endswith("("):
        return True
    # A sentence that goes on from the line before, and ends here.
    last = candidate.before[: len(candidate.before) - len(before)].split()[-1:]
    ends_sentence = after.rstrip() == "."
    return not words and ends_sentence and bool(last) and not last[0].endswith(".")


def _is_in_list(before: str) -> bool:
    """Whether a line above begins with the number of a note or of a reference."""
    for line in before.splitlines()[-_MOST_LINES:]:
        number, _, rest = line.strip().partition(" ")
        digits = number.strip("[].")
        if digits.isdecimal() and len(digits) <= _LIST_DIGITS and ("," in rest or "." in rest):
            return True
    return False


def _has_dated_name(folded: str) -> bool:
    """Whether a year in brackets follows a name, as in "Smith, J. (2010)."."""
    for place, sign in enumerate(folded):
        year, end = folded[place + 1 : place + 5], folded[place + 5 : place + 7].lstrip("abc")
        is_year = sign == "(" and len(year) == len("2010") and year.isdecimal()
        before = folded[:place].rstrip()[-1:]
        if is_year and end[:1] == ")" and end[1:2] in {"", *".,:"} and not before.isdigit():
            return True
    return False


def find_dois(text: str) -> list[str]:
    """Return the DOIs in a text, in order."""
    return [candidate.doi for candidate in _candidates(text)]


def _candidates(text: str) -> Iterator[_Printed]:
    place = text.find("10.")
    while place >= 0:
        if doi := _doi_at(text, place):
            whole, is_sure = _over_lines(text, place, doi)
            trimmed = _trimmed(whole)
            line_begin = text.rfind("\n", 0, place) + 1
            line = text[line_begin:].partition("\r")[0].partition("\n")[0]
            before = text[max(0, place - _BEFORE) : place]
            yield _Printed(trimmed, is_sure, before, line)
        place = text.find("10.", place + 3)


def _doi_at(text: str, place: int) -> str:
    """Return what a DOI at a place can have in its line; empty if there is none."""
    registrant, slash, _ = text[place + 3 : place + 30].partition("/")
    digits = registrant.partition(".")[0]
    is_number = registrant.replace(".", "").isdecimal() and len(digits) in _REGISTRANT
    if not (slash and is_number) or text[place - 1 : place].isalnum():
        return ""
    end = place
    while end < len(text) and text[end] not in _ENDS_DOI and end - place < _LONGEST_DOI:
        end += 1
    return text[place:end]


def _over_lines(text: str, place: int, doi: str) -> tuple[str, bool]:
    """Return a DOI with what goes on in the next lines, and whether that is certain."""
    end = place + len(doi)
    for _ in range(_MOST_LINES):
        if text[end : end + 1] == "\ufffe":  # PDFium's sign for the hyphen of a divided word
            token = _token(text, end + 1)
            # Nothing is divided before a digit, and a DOI with hyphens may be torn at one.
            if not token[:1].isalpha() or "-" in f"{doi}{token}":
                return doi, False
            doi, end = doi + token, end + 1 + len(token)
            continue
        rest = text[end:]
        begin = len(rest) - len(rest.lstrip("\r\n"))
        if not begin:
            return doi, True
        token = _token(text, end + begin)
        is_line = text[end + begin + len(token) :][:1] in ("", "\r", "\n")
        goes_on = _goes_on(doi, token, is_line=is_line)
        if goes_on is not True:
            return doi, goes_on is False
        doi, end = doi + token, end + begin + len(token)
    return doi, True


def _token(text: str, place: int) -> str:
    end = place
    while end < len(text) and text[end] not in _ENDS_DOI:
        end += 1
    return text[place:end]


def _goes_on(doi: str, token: str, *, is_line: bool) -> bool | None:
    """Whether the next line goes on with a DOI; None: it may."""
    bare = token.strip(_TRAILING)
    is_torn = doi.endswith(_SPLITS)
    if doi.endswith("-") and "-" not in f"{doi[:-1]}{bare}":
        return None  # its own hyphen, or that of a divided word
    if not bare or "@" in bare or bare.lower().startswith(_OTHERS):
        return None if is_torn else False
    if is_torn or not bare[0].isalnum():
        return is_torn
    has_digit, has_letter = (any(map(test, bare)) for test in (str.isdigit, str.isalpha))
    if not has_digit or bare[0].isupper():
        # A DOI without a digit is rare: it is more likely to be torn.
        return False if any(map(str.isdigit, doi.partition("/")[2])) else None
    is_part = has_letter or (doi.endswith(".") and "." in bare and not _is_date(bare))
    return is_part or (None if is_line or doi.endswith(".") else False)


def _is_date(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 3 and all(map(str.isdecimal, parts))  # noqa: PLR2004 - day, month, year


def _trimmed(doi: str) -> str:
    """Return a DOI without the punctuation of the sentence around it."""
    while doi and (doi[-1] in _TRAILING or _closes_nothing(doi)):
        doi = doi[:-1]
    return doi


def _closes_nothing(doi: str) -> bool:
    opening = _PAIRS.get(doi[-1])
    return opening is not None and doi.count(doi[-1]) > doi.count(opening)


def _arxiv_fields(page: str) -> dict[str, JsonValue]:
    """Return the id that arXiv prints in the margin: "arXiv:2101.12345v2 [cs.CL] 3 Jan 2021"."""
    for line in page.splitlines():
        label, _, rest = line.strip().partition(":")
        name, bracket, date = rest.partition(" [")
        number = name.partition("v")[0]
        digits = number.rpartition("/")[2].replace(".", "")
        if label == "arXiv" and bracket and digits.isdecimal() and " " not in name:
            year = date.rstrip()[-len("2021") :]
            return {
                "type": "article",
                "publisher": "arXiv",
                "number": f"arXiv:{number}",
                "URL": f"https://arxiv.org/abs/{number}",
                "issued": read_date(year) if year.isdecimal() else {},
            }
    return {}
