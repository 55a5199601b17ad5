"""Reads and writes BibTeX and BibLaTeX."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain

from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.middlewares.names import (
    NameParts,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.middlewares.parsestack import default_parse_stack
from bibtexparser.model import Entry

from desktop.domain.json_values import JsonValue
from desktop.domain.references import KEY, CslItem, date_parts
from desktop.references.fields import (
    MONTHS,
    bare_doi,
    date_text,
    differences,
    field_tables,
    keep_in,
    kept_by,
    language_code,
    language_name,
    month_number,
    names_of,
    read_date,
    season_of,
    with_originals,
)
from desktop.references.latex import from_latex, to_latex, without_letter_commands


class Dialect(StrEnum):
    BIBTEX = "bibtex"
    BIBLATEX = "biblatex"


_KEPT = "bibtex"  # The part of `custom` with the originals
_TYPE = "@"  # Stands for the type of an entry among its fields
_REST = "csl"  # The field with what BibTeX has no field for
_BIBLATEX_ONLY = {"date", "journaltitle", "location", "subtitle", "langid"}
_BIBLATEX_TYPES = {"online", "report", "thesis", "dataset", "software", "collection"}
_TABLES = field_tables()["bibtex"]
_TYPES = _TABLES["types"]
_WRITTEN_TYPES = _TABLES["written_types"]
_BIBLATEX_WRITTEN = _TABLES["written_types_biblatex"]
_GENRES = {"mastersthesis": "Master’s thesis", "phdthesis": "PhD thesis"}
_TURKISH_GENRES = {"mastersthesis": "Yüksek lisans tezi", "phdthesis": "Doktora tezi"}
_ARTICLES = {"article-journal", "article-magazine", "article-newspaper", "periodical"}
_PARTS = {"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"}
_VERBATIM = {"doi", "url", "file", "eprint", "isbn", "issn"}
_NOT_IN_KEYS = frozenset(" \t\r\n,{}\"'#%~\\=")
_CASED = {"title", "booktitle", "journal", "journaltitle", "series", "subtitle"}
_NAMES = {
    "author": "author",
    "editor": "editor",
    "translator": "translator",
    "bookauthor": "container-author",
}
_DATES = {"date": "issued", "urldate": "accessed", "origdate": "original-date"}
_FIELDS = _TABLES["fields"]


def read_bibtex(text: str) -> list[CslItem]:
    """Return the entries that can be read; others are skipped."""
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # it would log words of the file
    library = parse_string(text)
    rest = [block.ignore_error_block for block in library.failed_blocks]
    repeated = [_parsed(block, library) for block in rest if isinstance(block, Entry)]
    return [_item(entry) for entry in chain(library.entries, *repeated)]


def _parsed(entry: Entry, library: Library) -> Sequence[Entry]:
    """Return an entry whose key was there before, which the parser leaves as it is written."""
    alone = Library([*library.strings, entry])
    for middleware in default_parse_stack():
        alone = middleware.transform(alone)
    return alone.entries


def _item(entry: Entry) -> CslItem:
    raw = {field.key.lower(): str(field.value) for field in entry.fields}
    kind = entry.entry_type.lower()
    csl = _csl(kind, raw, entry.key)
    if rest := raw.pop(_REST, ""):
        csl = _with_rest(csl, rest)
    original = {name: _normal(name, value) for name, value in raw.items()}
    is_biblatex = kind in _BIBLATEX_TYPES or not _BIBLATEX_ONLY.isdisjoint(raw)
    written = _fields(csl, Dialect.BIBLATEX if is_biblatex else Dialect.BIBTEX)
    written.pop(_REST, None)
    return keep_in(csl, _KEPT, differences({_TYPE: kind, **original}, written))


def _normal(name: str, value: str) -> str:
    return " ".join(value.split()) if name in _VERBATIM else without_letter_commands(value)


def _csl(kind: str, raw: Mapping[str, str], key: str) -> dict[str, JsonValue]:
    csl: dict[str, JsonValue] = {KEY: key, "type": _TYPES.get(kind, "document")}
    for name, value in raw.items():
        if name in _NAMES:
            csl[_NAMES[name]] = list(_read_names(value))
        elif name in _DATES:
            csl[_DATES[name]] = read_date(value)
        elif (variable := _FIELDS.get(name)) and variable not in csl:
            csl[variable] = _read_text(name, value)
    csl |= _numbers(str(csl["type"]), raw)
    if "date" not in raw and "year" in raw:
        csl["issued"] = _read_year(raw)
    if "title" in csl and raw.get("subtitle"):
        csl["title"] = f"{csl['title']}: {_read_text('subtitle', raw['subtitle'])}"
    language = language_code(from_latex(raw.get("langid") or raw.get("language", "")))
    genre = csl.get("genre") or _genres(language).get(kind)
    return csl | {
        name: value for name, value in (("language", language), ("genre", genre)) if value
    }


def _genres(language: str) -> Mapping[str, str]:
    return _TURKISH_GENRES if language.startswith("tr") else _GENRES


def _numbers(kind: str, raw: Mapping[str, str]) -> dict[str, JsonValue]:
    numbers: dict[str, JsonValue] = {}
    if pages := from_latex(raw.get("pages", "").replace("--", "-").replace("–", "-")):
        numbers["page"] = pages
    if number := from_latex(raw.get("number", "")):
        is_of_series = kind in {"book", *_PARTS}
        name = "collection-number" if is_of_series else "number"
        numbers["issue" if kind in _ARTICLES else name] = number
    elif issue := from_latex(raw.get("issue", "")):
        numbers["issue"] = issue
    return numbers


def _read_text(name: str, value: str) -> str:
    if name in _VERBATIM:
        plain = " ".join(value.replace("\\", "").split())
        return bare_doi(plain) if name == "doi" else plain
    return from_latex(value, keeps_case=name in _CASED)


def _read_year(raw: Mapping[str, str]) -> dict[str, JsonValue]:
    date = read_date(from_latex(raw["year"]))
    words = from_latex(raw.get("month", ""))
    month = month_number(words)
    days = date_parts(date)
    if not words or len(days) != 1 or len(days[0]) > 1:
        return date
    if month is None:
        return date if words.isdecimal() else {**date, "season": words}
    day = raw.get("day", "")
    return {"date-parts": [[days[0][0], month, *([int(day)] if day.isdecimal() else [])]]}


def _read_names(value: str) -> Iterable[JsonValue]:
    for name in split_multiple_persons_names(" ".join(value.split())):
        if name == "others":
            continue
        try:
            parts = parse_single_name_into_parts(name, strict=False)
        except ValueError:
            yield {"literal": from_latex(name)}
            continue
        yield _name(parts)


def _name(parts: NameParts) -> JsonValue:
    first = parts.last[0] if len(parts.last) == 1 else ""
    is_whole = first.startswith("{") and first[1:2] != "\\"
    family = from_latex(" ".join(parts.last))
    if first and not (parts.first or parts.von or parts.jr):
        return {"literal": family} if is_whole else {"family": family}
    name = {
        "family": family,
        "given": from_latex(" ".join(parts.first)),
        "non-dropping-particle": from_latex(" ".join(parts.von)),
        "suffix": from_latex(" ".join(parts.jr)),
    }
    return {part: value for part, value in name.items() if value}


def _with_rest(csl: dict[str, JsonValue], rest: str) -> dict[str, JsonValue]:
    try:
        kept = json.loads(rest)
    except ValueError:
        return csl
    return with_originals(csl, kept)


def write_bibtex(items: Sequence[CslItem], dialect: Dialect) -> str:
    """Return the items as a .bib file in UTF-8; every field is there again when it is read."""
    return "\n".join(_entry(item, dialect) for item in items)


def _entry(item: CslItem, dialect: Dialect) -> str:
    fields = with_originals(_fields(item, dialect), kept_by(item, _KEPT))
    kind = fields.pop(_TYPE)
    lines = [f"  {name} = {_value(name, str(value))}," for name, value in fields.items() if value]
    return "\n".join((f"@{kind}{{{entry_key(item)},", *lines, "}\n"))


def entry_key(item: CslItem) -> str:
    """Return the citation key without letters that would end it."""
    return "".join("-" if sign in _NOT_IN_KEYS else sign for sign in str(item.get(KEY, "")))


def _value(name: str, value: str) -> str:
    return value if name == "month" and value in MONTHS else f"{{{value}}}"


def _fields(item: CslItem, dialect: Dialect) -> dict[str, str]:
    """Return the type and the fields of an entry, as CSL's own fields give them."""
    kind = str(item.get("type", "document"))
    entry_type = _entry_type(item, kind, dialect)
    fields = {_TYPE: entry_type}
    for variable, name in _field_names(kind, dialect).items():
        value = item.get(variable)
        if variable in _NAMES.values():
            text = _names_text(value)
        elif variable in _DATES.values():
            text = date_text(value)
        else:
            text = _value_text(name, value)
        if text:
            fields[name] = text
    # The type of the entry says it already.
    if fields.get("type") == _genres(str(item.get("language", ""))).get(entry_type):
        fields.pop("type", None)
    if dialect is Dialect.BIBTEX:
        fields |= _year_fields(fields.pop("date", ""), to_latex(season_of(item.get("issued"))))
    rest = _rest(item, fields)
    return fields | ({_REST: rest} if rest else {})


def _entry_type(item: CslItem, kind: str, dialect: Dialect) -> str:
    if kind == "thesis" and dialect is Dialect.BIBTEX:
        genre = str(item.get("genre", "")).lower()
        is_masters = "master" in genre or "yüksek" in genre
        return "mastersthesis" if is_masters else "phdthesis"
    written = _BIBLATEX_WRITTEN if dialect is Dialect.BIBLATEX else {}
    return written.get(kind) or _WRITTEN_TYPES.get(kind, "misc")


def _field_names(kind: str, dialect: Dialect) -> Mapping[str, str]:
    """Return the fields of an entry by the variable of CSL, in the order of a .bib file."""
    is_new = dialect is Dialect.BIBLATEX
    publishers = {
        "thesis": "institution" if is_new else "school",
        "report": "institution",
    }
    container = "booktitle" if kind in _PARTS else "journaltitle" if is_new else "journal"
    names = {variable: name for name, variable in _NAMES.items()}
    names |= {"title": "title", "container-title": container, "issued": "date"}
    names |= {variable: name for name, variable in _FIELDS.items() if name not in _REPLACED_NAMES}
    names["container-title"] = container
    names["publisher"] = publishers.get(kind, "publisher")
    names["publisher-place"] = "location" if is_new else "address"
    names["language"] = "langid" if is_new else "language"
    names |= {"page": "pages", "accessed": "urldate", "original-date": "origdate"}
    names["issue" if kind in _ARTICLES else "number"] = "number"
    if kind in {"book", *_PARTS}:
        names["collection-number"] = "number"
    return names


_REPLACED_NAMES = {"journal", "journaltitle", "booktitle", "school", "institution"} | {
    "organization",
    "address",
    "location",
}
"""Fields that depend on the dialect, or on the type of the work."""


def _value_text(name: str, value: JsonValue) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    text = " ".join(str(value).split())
    write: Mapping[str, Callable[[str], str]] = {
        "pages": lambda pages: to_latex(pages).replace("-", "--"),
        "language": language_name,
        "langid": language_name,
    }
    if name in _VERBATIM:
        return text if text.count("{") == text.count("}") else ""
    return write.get(name, to_latex)(text)


def _names_text(value: JsonValue) -> str:
    return " and ".join(filter(None, map(_name_text, names_of(value))))


def _name_text(name: Mapping[str, JsonValue]) -> str:
    def part(key: str) -> str:
        return to_latex(str(name.get(key, "")))

    if name.get("literal"):
        return f"{{{part('literal')}}}"
    particles = (part("dropping-particle"), part("non-dropping-particle"))
    family = " ".join(filter(None, (*particles, _whole(part("family")))))
    return ", ".join(filter(None, (family, part("suffix"), part("given"))))


def _whole(family: str) -> str:
    """Protect what would end a name, or a family name of several words that has no particle."""
    return f"{{{family}}}" if "," in family or " and " in family else family


def _year_fields(date: str, season: str) -> dict[str, str]:
    """Return the year, month and day; a season stands in the place of the month."""
    parts = date.split("-")
    if "/" in date or not all(part.isdecimal() for part in parts):
        return {"year": date.replace("/", "--")} if date else {}
    fields = {"year": parts[0]}
    if season and len(parts) == 1:
        fields["month"] = season
    if len(parts) > 1:
        fields["month"] = MONTHS[int(parts[1]) - 1]
    if len(parts) > 2:  # noqa: PLR2004 - the day
        fields["day"] = str(int(parts[2]))
    return fields


def _rest(item: CslItem, fields: Mapping[str, str]) -> str:
    """Return, as JSON, what these fields would not give back."""
    back = _csl(
        fields[_TYPE], {name: fields[name] for name in fields if name != _TYPE}, entry_key(item)
    )
    lost = differences({KEY: "", **keep_in(item, _KEPT, {})}, back)
    return _without_braces(json.dumps(lost, ensure_ascii=False)) if lost else ""


def _without_braces(text: str) -> str:
    """Escape the braces in the strings of a JSON text, which need not be in pairs."""
    pieces = text.split('"')
    is_string, escaped = False, []
    for piece in pieces:
        is_inside, is_string = is_string, not is_string
        if is_inside:
            ends_escaped = (len(piece) - len(piece.rstrip("\\"))) % 2 == 1
            is_string = ends_escaped
            piece = piece.replace("{", "\\u007b").replace("}", "\\u007d")  # noqa: PLW2901
        escaped.append(piece)
    return '"'.join(escaped)
