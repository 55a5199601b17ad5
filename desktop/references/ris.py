"""Reads and writes RIS: a tag a line, lines end with CRLF, letters are UTF-8."""

import json
from collections.abc import Mapping, Sequence

import rispy

from desktop.domain.json_values import JsonValue
from desktop.domain.references import CslItem, date_parts, plain_text
from desktop.references.fields import (
    bare_doi,
    date_text,
    differences,
    family_with_particles,
    field_tables,
    keep_in,
    kept_by,
    language_code,
    names_of,
    read_date,
    read_name,
    season_of,
    with_originals,
)

Tags = Mapping[str, Sequence[str]]

_KEPT = "ris"
_REST = "U5"  # A field for the user's own data: what RIS has no tag for
_REST_MARK = "csl-json:"
_TABLES = field_tables()["ris"]
_TYPES = _TABLES["types"]
_WRITTEN_TYPES = {kind: tag for tag, kind in reversed([*_TYPES.items()])} | {"article": "UNPB"}
_BOOKS = {"book", "chapter", "paper-conference", "thesis", "entry-encyclopedia", "report"}
_WHOLE = {"book", "thesis", "report", "manuscript"}
_NAMES = {
    "AU": "author",
    "A1": "author",
    "A2": "editor",
    "ED": "editor",
    "A3": "collection-editor",
    "A4": "translator",
}
_TEXTS = _TABLES["fields"]
_SINGLE = ("DO", "UR", "LK")
_LAST_DAY = 3


class _OwnNames(dict[str, str]):
    """Keeps every tag by its own name."""

    def __missing__(self, tag: str) -> str:
        return tag


class _Every(list[str]):
    """Keeps all values of a tag, also of one that should have only one."""

    def __contains__(self, tag: object) -> bool:
        return tag != "TY"


def read_ris(text: str) -> list[CslItem]:
    """Return the records of a file."""
    parser = rispy.RisParser(mapping=_OwnNames(), list_tags=_Every(), delimiter_tags_mapping={})
    lines: list[str] = []
    for line in text.lstrip("\ufeff").splitlines():
        if lines and line.strip() and line[2:5] != _DASH:
            lines[-1] += f" {line.strip()}"  # of a value of several lines
        elif line.strip():
            lines.append(line)
    return [_item(record) for record in parser.parse_lines(iter([*lines, f"ER{_DASH}"]))]


_DASH = "  -"


def _item(record: Mapping[str, str | Sequence[str]]) -> CslItem:
    tags = {
        tag: [values] if isinstance(values, str) else [value for value in values if value]
        for tag, values in record.items()
    }
    for tag in _NAMES.keys() & tags.keys():
        tags[tag] = [name for name in tags[tag] if read_name(name)]
    tags = {tag: values for tag, values in tags.items() if values}
    rest = [value for value in tags.get(_REST, ()) if value.startswith(_REST_MARK)]
    csl = _csl(tags)
    for value in rest:
        csl = _with_rest(csl, value.removeprefix(_REST_MARK))
        tags[_REST] = [other for other in tags[_REST] if other != value]
    read = {tag: list(values) for tag, values in tags.items() if values}
    written = {tag: list(values) for tag, values in _tags(csl).items() if tag != _REST}
    return keep_in(csl, _KEPT, differences(read, written))


def _with_rest(csl: Mapping[str, JsonValue], rest: str) -> dict[str, JsonValue]:
    try:
        return with_originals(csl, json.loads(rest))
    except ValueError:
        return dict(csl)


def _csl(tags: Tags) -> dict[str, JsonValue]:
    kind = _TYPES.get(next(iter(tags.get("TY", ())), "").strip().upper(), "document")
    csl: dict[str, JsonValue] = {"type": kind}
    for tag, values in tags.items():
        if tag in _NAMES:
            names = csl.get(_NAMES[tag], [])
            csl[_NAMES[tag]] = [*names_of(names), *map(read_name, values)]
        elif (variable := _variable(kind, tag)) and variable not in csl:
            csl[variable] = _joined(tag, values)
    return csl | _special(kind, tags, csl)


def _variable(kind: str, tag: str) -> str | None:
    if kind == "book" and tag == "T2":
        return "collection-title"
    return _TEXTS.get(tag)


def _joined(tag: str, values: Sequence[str]) -> str:
    text = values[0] if tag in _SINGLE else " ".join(values)
    return {"DO": bare_doi, "LA": language_code}.get(tag, str)(text)


def _special(kind: str, tags: Tags, csl: CslItem) -> dict[str, JsonValue]:
    """Return what several tags give together, or a tag by the type of the work."""
    fields: dict[str, JsonValue] = {}
    issued = _date(tags.get("DA", ())) or _date(tags.get("PY", ()) or tags.get("Y1", ()))
    pages = [tags[tag][0] for tag in ("SP", "EP") if tags.get(tag)]
    fields["issued"] = issued
    fields["accessed"] = _date(tags.get("Y2", ()))
    fields["number-of-pages" if kind in _WHOLE else "page"] = "-".join(pages)
    fields["ISBN" if kind in _BOOKS else "ISSN"] = "; ".join(tags.get("SN", ()))
    fields["keyword"] = ", ".join(tags.get("KW", ()))
    return {name: value for name, value in fields.items() if value and name not in csl}


def _date(values: Sequence[str]) -> dict[str, JsonValue]:
    if not values:
        return {}
    parts = [part.strip() for part in values[0].split("/")]
    numbers = [part for part in parts[:_LAST_DAY] if part]
    words = " ".join(parts[_LAST_DAY:]).strip()
    date = read_date("-".join(numbers)) if all(map(str.isdecimal, numbers)) else {}
    if not date_parts(date):
        return read_date(values[0])
    return {**date, "season": words} if words else date


def write_ris(items: Sequence[CslItem]) -> str:
    return "".join(map(_record, items))


def _record(item: CslItem) -> str:
    tags = with_originals(dict(_tags(item)), kept_by(item, _KEPT))
    lines = [f"{tag}{_DASH} {value}" for tag, values in tags.items() for value in _several(values)]
    return "".join(f"{line}\r\n" for line in (*lines, f"ER{_DASH} ", ""))


def _several(values: JsonValue) -> Sequence[str]:
    several = values if isinstance(values, Sequence) and not isinstance(values, str) else [values]
    return [" ".join(str(value).split()) for value in several]


def _tags(item: CslItem) -> dict[str, Sequence[str]]:
    """Return the tags that CSL's own fields give, the rest of them as JSON in U5."""
    kind = str(item.get("type", "document"))
    tags: dict[str, Sequence[str]] = {"TY": [_WRITTEN_TYPES.get(kind, "GEN")]}
    for variable, tag in _tag_names(kind).items():
        if variable in _NAMES.values():
            tags[tag] = [_name_text(name) for name in names_of(item.get(variable))]
        elif text := _text(item.get(variable)):
            tags[tag] = [text]
    tags |= _special_tags(kind, item)
    tags = {tag: values for tag, values in tags.items() if any(values)}
    lost = differences(keep_in(item, _KEPT, {}), _csl(tags))
    if lost:
        tags[_REST] = [f"{_REST_MARK}{json.dumps(lost, ensure_ascii=False)}"]
    return tags


def _tag_names(kind: str) -> Mapping[str, str]:
    """Return the tag of each variable, the usual one of several."""
    names = {variable: tag for tag, variable in reversed({**_NAMES, **_TEXTS}.items())}
    if kind == "book":
        names["collection-title"] = names.pop("container-title")
    order = dict.fromkeys(("author", "title", *names))
    return {variable: names[variable] for variable in order if variable in names}


def _special_tags(kind: str, item: CslItem) -> dict[str, Sequence[str]]:
    tags: dict[str, Sequence[str]] = {}
    days = date_parts(item.get("issued"))
    if len(days) == 1:
        year, *rest = days[0]
        season = season_of(item.get("issued"))
        tags["PY"] = [f"{year}///{season}" if season and not rest else str(year)]
        if rest:
            numbers = [f"{year:04d}", *(f"{number:02d}" for number in rest), "", ""]
            tags["DA"] = ["/".join((*numbers[:_LAST_DAY], season))]
    else:
        tags["PY"] = [date_text(item.get("issued"))]
    tags["Y2"] = [date_text(item.get("accessed")).replace("-", "/")]
    first, _, last = _text(item.get("number-of-pages" if kind in _WHOLE else "page")).partition(
        "-"
    )
    tags["SP"], tags["EP"] = [first], [last]
    tags["SN"] = [_text(item.get("ISBN" if kind in _BOOKS else "ISSN"))]
    tags["KW"] = _text(item.get("keyword")).split(", ")
    return tags


def _text(value: JsonValue) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    return " ".join(plain_text(str(value)).split())


def _name_text(name: Mapping[str, JsonValue]) -> str:
    if literal := name.get("literal"):
        return str(literal)
    parts = (family_with_particles(name), name.get("given"), name.get("suffix"))
    return ", ".join(str(part) for part in parts if part)
