"""References: what a document or page is as a work, in CSL-JSON, and the origin of each field."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from desktop.domain.errors import AppError, UsageError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.sources import Source

CslItem = Mapping[str, JsonValue]
"""One item of CSL-JSON. Fields that CSL does not know are kept; `custom` has the originals of
fields that a file format writes differently."""

KEY = "id"  # Of an item: its citation key
CUSTOM = "custom"
LINKS = "zotero"  # Of `custom`: the items of Zotero that a work comes from; never exported
LITERATURE = "literature"
"""Of `custom`: what services of literature say of a work: its ids and marks."""
MADE_ADDRESS = "urn:sha256:"
"""Begins the address of a source that is a work without a document and without an address."""
_BARE_FIELDS = {KEY, CUSTOM, "type", "title", "URL", "accessed", "language"}
_PARTICLES = ("non-dropping-particle", "dropping-particle")


class FieldOrigin(StrEnum):
    """Where the value of a field came from, the weakest first."""

    TEXT = "text"  # Printed on the pages: a DOI, the id of a preprint
    FILE = "file"  # What the file says of itself
    PROGRAM = "program"  # What another program says, which proposed the document
    WEB = "web"  # A page's own description
    LITERATURE = "literature"  # A service of scholarly literature
    CSL = "csl"
    RIS = "ris"
    BIBTEX = "bibtex"
    ZOTERO = "zotero"
    TYPED = "typed"  # By the user

    @property
    def rank(self) -> int:
        return list(FieldOrigin).index(self)


class WorkMark(StrEnum):
    """What became of a published work, the gravest first."""

    RETRACTED = "retracted"
    CONCERN = "expression_of_concern"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Reference:
    csl: CslItem = field(default_factory=dict)
    origins: Mapping[str, FieldOrigin] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Return the type of the work, as CSL names it."""
        return self.text("type") or "document"

    @property
    def is_citable(self) -> bool:
        """Whether it says more than a source without a reference does: who, when or where."""
        return not _BARE_FIELDS.issuperset(self.csl)

    @property
    def title(self) -> str:
        return plain_text(self.text("title"))

    @property
    def doi(self) -> str:
        return self.text("DOI")

    @property
    def authors(self) -> Sequence[str]:
        """Return the authors, or else the editors: family names first."""
        for role in ("author", "editor"):
            if names := shown_names(self.csl.get(role)):
                return names
        return ()

    @property
    def first_author(self) -> str:
        return next(iter(self.authors), "")

    @property
    def year(self) -> int | None:
        return year_of(self.csl.get("issued"))

    @property
    def marks(self) -> Sequence[WorkMark]:
        """Return the marks of a service, or that its keywords name, the gravest first."""
        custom = self.csl.get(CUSTOM)
        record = custom.get(LITERATURE) if isinstance(custom, Mapping) else None
        given = record.get("marks") if isinstance(record, Mapping) else None
        names = given if isinstance(given, Sequence) and not isinstance(given, str) else ()
        words = [word.strip() for word in self.text("keyword").split(",")]
        return [mark for mark in WorkMark if mark in names or mark in words]

    def text(self, name: str) -> str:
        value = self.csl.get(name)
        is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
        return str(value) if is_text else ""


def with_record(reference: Reference, record: Mapping[str, JsonValue]) -> Reference:
    """Return a reference with more that services of literature say of it, in `custom`."""
    custom = reference.csl.get(CUSTOM)
    others = dict(custom) if isinstance(custom, Mapping) else {}
    before = others.get(LITERATURE)
    others[LITERATURE] = {**(before if isinstance(before, Mapping) else {}), **record}
    return Reference({**reference.csl, CUSTOM: others}, reference.origins)


@dataclass(frozen=True, slots=True)
class Work:
    """A document or page of the library with its reference."""

    source: Source
    reference: Reference
    finished_at: datetime | None = None
    """When the user marked it as read."""
    words: str = field(default="", compare=False)
    """As stored, to be searched: authors, year, container, publisher, DOI and ISBN."""


def shown_names(names: JsonValue) -> Sequence[str]:
    """Return the names of a field of CSL as a list shows them: "Yılmaz, Ahmet"."""
    if not isinstance(names, Sequence) or isinstance(names, str):
        return ()
    return [shown for name in names if isinstance(name, Mapping) and (shown := _shown(name))]


def _shown(name: Mapping[str, JsonValue]) -> str:
    if literal := name.get("literal"):
        return str(literal)
    family = [str(name[part]) for part in (*_PARTICLES, "family") if name.get(part)]
    given = [str(name[part]) for part in ("given", "suffix") if name.get(part)]
    return ", ".join(filter(None, (" ".join(family), *given)))


def date_parts(date: JsonValue) -> Sequence[Sequence[int]]:
    """Return the days of a date of CSL, one or two for a period: each a year, month and day."""
    parts = date.get("date-parts") if isinstance(date, Mapping) else None
    if not isinstance(parts, Sequence) or isinstance(parts, str):
        return ()
    days = []
    for day in parts:
        numbers = [] if not isinstance(day, Sequence) or isinstance(day, str) else list(day)
        if numbers and all(str(number).lstrip("-").isdecimal() for number in numbers):
            days.append([int(str(number)) for number in numbers])
    return days


def year_of(date: JsonValue) -> int | None:
    """Return the year of a date of CSL, also of one in words; None if it has none."""
    if days := date_parts(date):
        return days[0][0]
    if not isinstance(date, Mapping):
        return None
    words = str(date.get("literal") or date.get("raw") or "")
    digits = "".join(letter if letter.isdecimal() else " " for letter in words).split()
    return next((int(number) for number in digits if len(number) == len("2000")), None)


def shown_field(value: JsonValue) -> str:
    """Return the value of a field in one line."""
    if isinstance(value, Mapping):
        days = ["-".join(map(str, day)) for day in date_parts(value)]
        return "/".join(days) or str(value.get("literal") or value.get("raw") or "")
    if names := shown_names(value):
        return "; ".join(names)
    return plain_text(str(value))


def plain_text(marked: str) -> str:
    """Return a title without the tags of CSL (italics, names that keep their case)."""
    if "<" not in marked:
        return marked
    plain, *rest = marked.split("<")
    for piece in rest:
        tag, end, text = piece.partition(">")
        is_tag = end and tag.strip("/").split(" ")[0] in {"i", "b", "sup", "sub", "sc", "span"}
        plain += text if is_tag else f"<{piece}"
    return plain


class StyleUnknownError(AppError):
    """There is no citation style of this name; `style`, `names`: those there are."""


class FormatterMissingError(AppError):
    """A list in this style needs pandoc, which is not installed; `style`."""


class FormatterFailedError(AppError):
    """Pandoc could not format a list; `detail`: its own words."""


class FieldUnknownError(UsageError):
    """A reference has no field `name`; `names`: those it may have."""


class TitleEmptyError(UsageError):
    """A work cannot be without a title."""


class DoiInvalidError(UsageError):
    """`value` is no DOI."""


class DateInvalidError(UsageError):
    """`value` is no day that there is."""


class YearInvalidError(UsageError):
    """`value` is no year."""
