"""Reads the answers of services: values of any JSON, abstracts in their forms, works as CSL.

Whatever a service sends is data of unknown form: a value of another kind than expected is missing.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lxml import etree

from desktop.domain.json_values import JsonValue
from desktop.domain.literature import PREPRINT, FoundWork, IdKind, ServiceName
from desktop.domain.references import FieldOrigin
from desktop.language.normalization import WITHOUT_ORDER, fix_surrogates
from desktop.references.fields import bare_doi, is_doi, written_name
from desktop.references.merging import reference_of

_LONGEST = 2_000
_LONGEST_ABSTRACT = 50_000
_MOST_WORDS = 20_000  # Of an inverted abstract
_MOST_NAMES = 500
_MOST_COUNTED = 2**31 - 1
_YEARS = range(1000, 2200)
_HEADS = {"abstract", "summary", "öz", "özet", "oz", "ozet"}
_BLOCKS = {"p", "title", "sec", "list-item", "br", "div", "li", *(f"h{n}" for n in range(1, 7))}
_SOURCES = {"tex-math", "annotation"}  # Formulas that stand beside their letters
_KEPT_TAGS = re.compile(r"<(?!/?(?:i|b|sup|sub)>)[^<>]*>")
_LESS_THAN = re.compile(r"<(?![a-zA-Z/!])")
_NAMED_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(\w+);")
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(0x7F, 0xA0)], " ")
_ARXIV_ID = re.compile(r"(?:arxiv[.:/]|abs/|pdf/)?([a-z-]+(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})")
_ARXIV_DOI = "10.48550/arxiv."
_DERGIPARK = re.compile(r"dergipark\.(?:org|gov)\.tr/\S*?(?:/article|/issue/\d+)/(\d+)(?:\D|$)")


def dig(value: JsonValue, *path: str | int) -> JsonValue:
    """Return what is at a path of names and places; None if it leads nowhere."""
    for step in path:
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def text(value: JsonValue, *path: str | int, longest: int = _LONGEST) -> str:
    """Return a text or number in one line; empty if there is none."""
    content = dig(value, *path)
    is_text = isinstance(content, str | int | float) and not isinstance(content, bool)
    line = cleaned(str(content)).translate(WITHOUT_ORDER) if is_text else ""
    return " ".join(line.split())[:longest]


def items(value: JsonValue, *path: str | int) -> list[JsonValue]:
    entries = dig(value, *path)
    return list(entries) if isinstance(entries, list) else []


def whole(value: JsonValue, *path: str | int) -> int | None:
    """Return a number of at least 0, also one in a text; None if it is beyond any count.

    A window cannot show a number of more than 32 bits: Qt ends the program.
    """
    digits = text(value, *path, longest=18)
    number = int(digits) if digits.isascii() and digits.isdecimal() else None
    return None if number is None or number > _MOST_COUNTED else number


def cleaned(words: str) -> str:
    return fix_surrogates(words).translate(_CONTROLS)


def title_of(marked: str) -> str:
    """Return a title with only the tags that CSL knows, and without a full stop."""
    words = html.unescape(cleaned(marked)).translate(WITHOUT_ORDER)
    title = " ".join(_KEPT_TAGS.sub("", words).split())
    is_sentence = title.endswith(".") and not title.endswith("..")
    return (title[:-1] if is_sentence else title)[:_LONGEST]


def inverted_abstract(index: JsonValue) -> str:
    """Return the text of which OpenAlex gives the places of each word."""
    placed = [
        (place, word)
        for word, places in (index.items() if isinstance(index, Mapping) else ())
        for place in (places if isinstance(places, list) else ())
        if isinstance(place, int) and not isinstance(place, bool) and place >= 0
    ]
    words = [word for _, word in sorted(placed)[:_MOST_WORDS]]
    return cleaned(" ".join(words))[:_LONGEST_ABSTRACT]


def plain_abstract(marked: str) -> str:
    """Return the text of an abstract in JATS or HTML, a line for each heading and paragraph."""
    marked = _LESS_THAN.sub("&lt;", cleaned(marked)[: 4 * _LONGEST_ABSTRACT])
    if "<" not in marked:
        return " ".join(html.unescape(marked).split())[:_LONGEST_ABSTRACT]
    marked = _NAMED_ENTITY.sub(lambda entity: html.unescape(entity[0]), marked)
    names = " ".join(f'xmlns:{prefix}="{prefix}"' for prefix in ("jats", "mml", "xlink", "m"))
    root = parsed_xml(f"<text {names}>{marked}</text>".encode(), recovers=True)
    if root is None:
        return " ".join(re.sub(r"<[^<>]*>", " ", marked).split())[:_LONGEST_ABSTRACT]
    lines = [" ".join(line.split()) for line in "".join(_letters(root)).split("\0")]
    lines = [line for line in lines if line]
    if lines and lines[0].rstrip(":.").casefold() in _HEADS:
        del lines[0]
    return "\n".join(lines)[:_LONGEST_ABSTRACT]


def _letters(element: etree._Element) -> Iterator[str]:
    """Yield the letters of an element; a zero byte begins and ends a block."""
    name = etree.QName(element).localname
    if name in _SOURCES:
        return
    end = "\0" if name in _BLOCKS else ""
    yield f"{end}{element.text or ''}"
    for child in element:
        if isinstance(child.tag, str):
            yield from _letters(child)
        yield child.tail or ""
    yield end


def parsed_xml(body: bytes, *, recovers: bool = False) -> etree._Element | None:
    """Return the root of XML that declares no entities of its own; None if there is none."""
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        return None
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=recovers
    )
    try:
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def date_of(*parts: int | None) -> JsonValue:
    """Return a date of CSL of a year, a month and a day, as far as they are known."""
    date: list[JsonValue] = []
    for part, allowed in zip(parts, (_YEARS, range(1, 13), range(1, 32)), strict=False):
        if part is None or part not in allowed:
            break
        date.append(part)
    return {"date-parts": [date]} if date else None


def iso_date(written: str) -> JsonValue:
    """Return the date of "2019-03-15", also of one with only a year, or with a time."""
    parts = written.partition("T")[0].split("-")
    return date_of(*(int(part) if part.isdecimal() else None for part in parts[:3]))


def names_of(names: Iterable[str]) -> JsonValue:
    """Return names that are written as they are spoken: "Given Family"."""
    spoken = [" ".join(name.split()) for name in names]
    return [written_name(name) for name in spoken if name][:_MOST_NAMES]


def doi_of(written: str) -> str:
    """Return a bare DOI; empty if it is none."""
    doi = bare_doi(written)
    return doi if is_doi(doi) else ""


def arxiv_id(written: str) -> str:
    """Return the id of a preprint at arXiv without its version; empty if it is none."""
    match = _ARXIV_ID.search(written.lower())
    return match[1] if match else ""


def arxiv_of_doi(doi: str) -> str:
    is_arxiv = doi.lower().startswith(_ARXIV_DOI)
    return arxiv_id(doi[len(_ARXIV_DOI) :]) if is_arxiv else ""


def dergipark_id(addresses: Iterable[str]) -> str:
    """Return the id of an article at DergiPark that one of the addresses leads to."""
    matches = (_DERGIPARK.search(address.lower()) for address in addresses)
    return next((match[1] for match in matches if match), "")


def work_of(
    service: ServiceName,
    csl: Mapping[str, JsonValue],
    ids: Mapping[IdKind, str],
    **more: Any,  # Any: fields of FoundWork
) -> FoundWork | None:
    """Return a work, its DOI in lower case; None if it has no title or no id."""
    doi = doi_of(str(csl.get("DOI") or "")).lower()
    if arxiv_of_doi(doi):
        csl = {**csl, "type": "article", "genre": PREPRINT}
    every_id = {IdKind.DOI: doi, IdKind.ARXIV: arxiv_of_doi(doi), **ids}
    every_id = {kind: value for kind, value in every_id.items() if value}
    reference = reference_of({**csl, "DOI": doi}, FieldOrigin.LITERATURE)
    if not reference.title or not every_id:
        return None
    return FoundWork(reference, every_id, (service,), **more)
