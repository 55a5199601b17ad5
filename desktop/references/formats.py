"""The formats of files of references: one record each, read by front ends and importers."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from string import ascii_lowercase

from desktop.domain.errors import ReferenceFileError
from desktop.domain.json_values import JsonValue
from desktop.domain.references import (
    CUSTOM,
    KEY,
    LINKS,
    LITERATURE,
    CslItem,
    FieldOrigin,
    Reference,
    plain_text,
)
from desktop.language.normalization import folded_key
from desktop.references.bibtex import Dialect, read_bibtex, write_bibtex
from desktop.references.fields import keep_in, valid_item
from desktop.references.merging import reference_of
from desktop.references.ris import read_ris, write_ris

LIST = "list"  # The name of a formatted list among the formats; `formatting` writes it
_LONGEST_KEY_WORD = 20


@dataclass(frozen=True, slots=True)
class ReferenceFormat:
    name: str
    suffix: str
    origin: FieldOrigin
    begins: str  # How a file of this format begins
    read: Callable[[str], list[CslItem]]
    write: Callable[[Sequence[CslItem]], str]


def read_csl(text: str) -> list[CslItem]:
    """Return the items of CSL-JSON: of a list, or of an object that has one."""
    value = json.loads(text)
    if isinstance(value, dict):
        value = value.get("items", [value])
    items = value if isinstance(value, list) else []
    return [_named(item) for item in items if isinstance(item, dict) and _is_item(item)]


def _is_item(item: Mapping[str, JsonValue]) -> bool:
    return isinstance(item.get("type"), str) and bool(item.get("title") or item.get("author"))


def _named(item: Mapping[str, JsonValue]) -> CslItem:
    key = item.get(KEY)
    return {**item, KEY: str(key) if isinstance(key, str | int) else ""}


def write_csl(items: Sequence[CslItem]) -> str:
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


_BIBTEX = [
    ReferenceFormat(
        name=dialect.value,
        suffix=".bib",
        origin=FieldOrigin.BIBTEX,
        begins="@",
        read=read_bibtex,
        write=partial(write_bibtex, dialect=dialect),
    )
    for dialect in Dialect
]
FORMATS = (
    *_BIBTEX,
    ReferenceFormat(
        name="ris",
        suffix=".ris",
        origin=FieldOrigin.RIS,
        begins="TY  -",
        read=read_ris,
        write=write_ris,
    ),
    ReferenceFormat(
        name="csl",
        suffix=".json",
        origin=FieldOrigin.CSL,
        begins="[",
        read=read_csl,
        write=write_csl,
    ),
)


def read_references(name: str, data: bytes) -> list[Reference]:
    """Return the references of a file, by its extension or its beginning.

    Raises ReferenceFileError.
    """
    text = _decoded(data)
    form = _format_of(name, text)
    try:
        items = form.read(text) if form else []
        references = [reference_of(item, form.origin) for item in items] if form else []
    except (ValueError, RecursionError) as exc:
        raise ReferenceFileError(path=name) from exc
    if not references:
        raise ReferenceFileError(path=name)
    return references


def _decoded(data: bytes) -> str:
    for encoding in ("utf-8-sig", "cp1254"):  # Turkish Windows wrote many a .bib and .ris
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def _format_of(name: str, text: str) -> ReferenceFormat | None:
    suffix = PurePath(name).suffix.lower()
    begin = text.lstrip()
    by_name = (form for form in FORMATS if form.suffix == suffix)
    by_content = (form for form in FORMATS if begin.startswith(form.begins))
    return next(by_name, None) or next(by_content, None)


def write_references(references: Sequence[Reference], form: ReferenceFormat) -> str:
    return form.write(list(map(exported, with_keys(references))))


def exported(item: CslItem) -> CslItem:
    """Return an item whose marks other programs can read: as keywords, and in a note."""
    marks = Reference(item).marks
    csl = keep_in(item, LITERATURE, {})
    if not marks:
        return csl
    keywords = [word for word in str(csl.get("keyword") or "").split(", ") if word]
    notes = [f"[{mark.replace('_', ' ')}]" for mark in marks]
    note = str(csl.get("note") or "")
    return csl | {
        "keyword": ", ".join(dict.fromkeys((*keywords, *marks))),
        "note": " ".join(filter(None, (note, *(word for word in notes if word not in note)))),
    }


def with_keys(references: Sequence[Reference]) -> list[CslItem]:
    """Return the items, each with a citation key of its own, the original one if it has any."""
    counts = Counter[str]()
    items: list[CslItem] = []
    for reference in references:
        key = reference.text(KEY) or _made_key(reference)
        counts[key] += 1
        number = counts[key]
        suffix = "" if number == 1 else ascii_lowercase[number - 1 : number] or f"-{number}"
        csl = keep_in(valid_item(reference.csl), LINKS, {})  # of a work stored long ago, too
        csl.pop(KEY, None)
        items.append({KEY: f"{key}{suffix}", **csl})
    return items


def without_originals(item: CslItem) -> CslItem:
    """Return an item without what only this program reads."""
    return {name: value for name, value in item.items() if name != CUSTOM}


def _made_key(reference: Reference) -> str:
    """Return a key in ASCII: the family name of the first author and the year."""
    family = reference.first_author.partition(",")[0] or plain_text(reference.title)
    word = "".join(
        letter for letter in folded_key(family) if letter.isascii() and letter.isalnum()
    )
    year = str(reference.year or "")
    return f"{word[:_LONGEST_KEY_WORD]}{year}" or "work"
