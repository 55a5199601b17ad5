"""The fields of CSL-JSON: names, dates and languages from and to the words of other formats.

A field is read into CSL-JSON and written from it. Where a format's writer would write something
else than what was read, or nothing, both values are kept, so that no field is lost on the way from
format to format. The original is written again as long as the writer's own value is still the
same, which means that nobody changed the field meanwhile.
"""

import json
import tomllib
from calendar import monthrange
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from desktop.domain.json_values import JsonValue
from desktop.domain.references import (
    CUSTOM,
    KEY,
    CslItem,
    DateInvalidError,
    DoiInvalidError,
    FieldUnknownError,
    TitleEmptyError,
    WorkMark,
    YearInvalidError,
    date_parts,
)
from desktop.language.normalization import folded_key
from desktop.settings.messages import Texts
from desktop.settings.paths import asset

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - one line
_TURKISH_MONTHS = "oca şub mar nis may haz tem ağu eyl eki kas ara".split()  # noqa: SIM905 - the same
_TITLES = ("https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/")
_DAY = 3  # The parts of a whole date
_LONGEST_YEAR = 6  # Digits: longer ones are no year, and more than a formatter can hold
_NAME_PARTS = {
    "family",
    "given",
    "suffix",
    "literal",
    "dropping-particle",
    "non-dropping-particle",
}
_OF_GROUPS = frozenset(
    "association bakanligi baskanligi belediyesi birligi center centre collaboration committee "  # noqa: SIM905 - words
    "consortium contributors council dairesi department dernegi ekibi enstitusu fakultesi "
    "foundation group grubu institute komisyonu kurulu kurumu laboratory merkezi ministry "
    "mudurlugu network organisation organization society team toplulugu universitesi university "
    "vakfi".split()
)
"""Words in the names of authors that are no persons, without accents."""
_DATE_WORDS = {"literal", "raw"}
_DATE_SIGNS = frozenset("0123456789-./ ")


@cache
def field_tables() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return each format's names for the types and fields of CSL, by table."""
    return tomllib.loads(asset("resources", "references.toml").read_text("utf-8"))


def language_code(language: str) -> str:
    """Return the code of a language that is named in words; others as they are."""
    return field_tables()["names"]["languages"].get(language.lower(), language)


def language_name(code: str) -> str:
    """Return the name that BibLaTeX has for a code."""
    languages = field_tables()["names"]["languages"]
    names = (name for name, value in languages.items() if value == code)
    return next(names, code)


def bare_doi(text: str) -> str:
    """Return a DOI without its address or label."""
    doi = text.strip()
    lowered = doi.lower()
    for prefix in (*_TITLES, "doi.org/", "doi:"):
        if lowered.startswith(prefix):
            return doi[len(prefix) :].strip()
    return doi


def month_number(text: str) -> int | None:
    """Return the month that a number or a word, Turkish or English, names."""
    if text.isdecimal():
        return int(text) if 1 <= int(text) <= len(MONTHS) else None
    start = text.strip(". ").lower()[:3]
    for names in (MONTHS, _TURKISH_MONTHS):
        if start in names:
            return names.index(start) + 1
    return None


def read_date(text: str) -> dict[str, JsonValue]:
    """Return a date as CSL has it: "2019", "2019-03-15", a period "2019/2020", or words."""
    text = text.strip()
    days = [_day(part) for part in text.split("/")]
    known = [day for day in days if day]
    if known and len(known) == len(days) <= 2:  # noqa: PLR2004 - the ends of a period
        return {"date-parts": known}
    return {"literal": text}


def _day(text: str) -> list[JsonValue]:
    numbers = text.strip().split("-")
    is_date = 1 <= len(numbers) <= _DAY and all(number.isdecimal() for number in numbers)
    if not is_date or len(numbers[0]) != len("2019"):
        return []
    day = [int(number) for number in numbers]
    return list(day) if _is_real(*day) else []


def _is_real(year: int, month: int = 1, day: int = 1) -> bool:
    return 1 <= month <= len(MONTHS) and 1 <= day <= monthrange(year, month)[1]


def date_text(date: JsonValue) -> str:
    """Return a date of CSL in the form of ISO 8601, a period with a slash; or its words."""
    if days := date_parts(date):
        return "/".join("-".join(_padded(day)) for day in days)
    if isinstance(date, Mapping):
        return str(date.get("literal") or date.get("raw") or "")
    return ""


def season_of(date: JsonValue) -> str:
    """Return the season of a date in words, as in "2010, spring"."""
    season = date.get("season") if isinstance(date, Mapping) else None
    return season if isinstance(season, str) else ""


def _padded(day: Sequence[int]) -> Sequence[str]:
    return [f"{number:02d}" if place else f"{number:04d}" for place, number in enumerate(day)]


def read_name(text: str) -> dict[str, JsonValue]:
    """Return a name as RIS has it: "Family, Given, Suffix"; without a comma it is literal."""
    family, *rest = (part.strip() for part in text.split(","))
    if not rest:
        return {"literal": text.strip()}
    parts = {"family": family, "given": rest[0], "suffix": ", ".join(filter(None, rest[1:]))}
    return {part: value for part, value in parts.items() if value}


def written_name(name: str) -> dict[str, JsonValue]:
    """Return a name as it is printed: "Given Family", "Family, Given", or that of a group."""
    if "," not in name and not _OF_GROUPS.isdisjoint(folded_key(name).split()):
        return {"literal": name}
    given, space, family = name.rpartition(" ")
    return read_name(name) if "," in name or not space else {"family": family, "given": given}


def names_of(value: JsonValue) -> Sequence[Mapping[str, JsonValue]]:
    """Return the names of a field; whatever is no name is left out."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return ()
    return [name for name in value if isinstance(name, Mapping)]


def family_with_particles(name: Mapping[str, JsonValue]) -> str:
    parts = ("dropping-particle", "non-dropping-particle", "family")
    return " ".join(str(name[part]) for part in parts if name.get(part))


_ALIASES = {
    "year": "issued",
    "date": "issued",
    "journal": "container-title",
    "container": "container-title",
    "address": "publisher-place",
    "pages": "page",
    "doi": "DOI",
    "isbn": "ISBN",
    "issn": "ISSN",
    "url": "URL",
    "kind": "type",
}


def typed_field(name: str, text: str) -> tuple[str, JsonValue]:
    """Return a field as the user types it: several names have semicolons between them."""
    variable = _ALIASES.get(name.lower(), name)
    text = text.strip()
    if not text:
        return variable, ""
    kind = field_tables()["csl"]["fields"].get(variable)
    if kind == "names":
        return variable, [read_name(part) for part in text.split(";") if part.strip()]
    if kind == "date":
        return variable, read_date(text)
    return variable, bare_doi(text) if variable == "DOI" else text


def checked_field(name: str, text: str, *, other_names: Collection[str]) -> tuple[str, JsonValue]:
    """Return a typed field whose name and value can be stored; an empty value removes it.

    `other_names`: fields that the work has already, which CSL need not know. Raises
    FieldUnknownError, TitleEmptyError, DoiInvalidError, DateInvalidError, YearInvalidError.
    """
    names = {KEY, *field_tables()["csl"]["fields"]}
    spellings = {known.lower(): known for known in (*other_names, *names, *_ALIASES)}
    spelling = spellings.get(name.lower())
    if spelling is None:
        every_name = sorted((*names, *_ALIASES.keys() - {known.lower() for known in names}))
        raise FieldUnknownError(name=name, names=", ".join(every_name))
    variable, value = typed_field(spelling, text)
    if variable == "title" and not value:
        raise TitleEmptyError
    if variable == "DOI" and value and not is_doi(str(value)):
        raise DoiInvalidError(value=text.strip())
    if isinstance(value, Mapping) and not date_parts(value):
        _check_date_words(text.strip(), is_year=spelling == "year")
    return variable, value


def _check_date_words(text: str, *, is_year: bool) -> None:
    """Check a date that is none of numbers: words are one, an impossible day is none."""
    if is_year:
        raise YearInvalidError(value=text)
    if _DATE_SIGNS.issuperset(text):
        raise DateInvalidError(value=text)


def is_doi(text: str) -> bool:
    prefix, _, suffix = text.partition("/")
    directory, _, registrant = prefix.partition(".")
    is_prefix = directory == "10" and registrant.replace(".", "").isdecimal()
    return is_prefix and bool(suffix) and not any(map(str.isspace, text))


def valid_item(item: CslItem) -> dict[str, JsonValue]:
    """Return an item whose known fields hold what CSL allows; other fields stay as they are.

    A value of the wrong kind becomes text where it can, because a formatter refuses a whole list
    for one such value.
    """
    read = {"text": _valid_text, "words": _words, "names": _valid_names, "date": _valid_date}
    kinds = field_tables()["csl"]["fields"]
    return {
        name: read[kinds[name]](value) if name in kinds else value for name, value in item.items()
    }


def _is_whole_number(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _valid_text(value: JsonValue) -> JsonValue:
    return value if _is_whole_number(value) else _words(value)


def _words(value: JsonValue) -> str:
    match value:
        case str():
            return value
        case None:
            return ""
        case list():
            return "; ".join(filter(None, map(_words, value)))
        case _:
            return json.dumps(value, ensure_ascii=False)


def _valid_names(value: JsonValue) -> JsonValue:
    names = value if isinstance(value, list) else [value]
    valid = [_valid_name(name) for name in names if isinstance(name, Mapping | str)]
    return [name for name in valid if name]


def _valid_name(name: Mapping[str, JsonValue] | str) -> dict[str, JsonValue]:
    if isinstance(name, str):
        return {"literal": name} if name.strip() else {}
    parts = {part: _words(value) if part in _NAME_PARTS else value for part, value in name.items()}
    return {part: value for part, value in parts.items() if value not in ("", None)}


def _valid_date(value: JsonValue) -> JsonValue:
    if not isinstance(value, Mapping):
        text = _words(value)
        return read_date(text) if text else {}
    date = {part: _words(text) if part in _DATE_WORDS else text for part, text in value.items()}
    days = date.pop("date-parts", None)
    if not days or days == [[]]:
        return date
    if isinstance(days, list) and all(map(_is_day, days)):
        return {**date, "date-parts": days}
    words = date.get("literal") or date.get("raw") or _date_words(days)
    return {**date, "literal": words}


def _is_day(day: JsonValue) -> bool:
    return isinstance(day, list) and bool(day) and all(map(_is_date_number, day))


def _is_date_number(number: JsonValue) -> bool:
    digits = str(number).removeprefix("-")
    is_number = _is_whole_number(number) or isinstance(number, str)
    return is_number and digits.isdecimal() and len(digits) <= _LONGEST_YEAR


def _date_words(days: JsonValue) -> str:
    ends = days if isinstance(days, list) else [days]
    return "/".join(
        "-".join(map(_words, end)) if isinstance(end, list) else _words(end) for end in ends
    )


def differences(
    original: Mapping[str, JsonValue], written: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return for each field that differs the original and the written value, None if absent."""
    names = dict.fromkeys((*original, *written))
    return {
        name: [original.get(name), written.get(name)]
        for name in names
        if original.get(name) != written.get(name)
    }


def with_originals(written: Mapping[str, JsonValue], kept: JsonValue) -> dict[str, JsonValue]:
    """Return what is written with the original values of fields that did not change."""
    fields = dict(written)
    for name, pair in kept.items() if isinstance(kept, Mapping) else ():
        match pair:
            case [original, before] if before == written.get(name):
                if original is None:
                    fields.pop(name, None)
                else:
                    fields[name] = original
            case _:
                pass
    return fields


def kept_by(csl: CslItem, form: str) -> JsonValue:
    """Return what a format kept in an item."""
    custom = csl.get(CUSTOM)
    return custom.get(form) if isinstance(custom, Mapping) else None


def keep_in(csl: CslItem, form: str, kept: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    custom = csl.get(CUSTOM)
    others = dict(custom) if isinstance(custom, Mapping) else {}
    others.pop(form, None)
    everything = {**others, **({form: kept} if kept else {})}
    item = {name: value for name, value in csl.items() if name != CUSTOM}
    return {**item, CUSTOM: everything} if everything else item


def linked_files(csl: CslItem) -> list[str]:
    """Return the names of the files that an entry of BibTeX gives, as Zotero and JabRef do."""
    kept = kept_by(csl, "bibtex")
    pair = kept.get("file") if isinstance(kept, Mapping) else None
    links = str(pair[0]).split(";") if isinstance(pair, list) and pair and pair[0] else []
    parts = [part for link in links for part in link.replace("\\:", "").split(":")]
    return [
        name
        for part in parts
        if "." in (name := part.replace("\\", "/").rpartition("/")[2].strip())
    ]


def marked_title(title: str, marks: Iterable[WorkMark], texts: Texts) -> str:
    """Return a title with what became of the work, once: "Title [retracted]"."""
    shown = (f"[{texts.say(f'references.mark_{mark}')}]" for mark in marks)
    return " ".join((title, *(mark for mark in shown if mark not in title)))
