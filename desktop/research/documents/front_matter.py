"""Reads the front matter of a Markdown file: what stands between two lines of `---` above it.

It is a small part of YAML that notes programs write: a text, a list in brackets, or a list with a
dash before each entry. What is anything else is left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from desktop.domain.json_values import JsonValue
from desktop.domain.references import FieldOrigin, Reference
from desktop.references.fields import bare_doi, is_doi, read_date, written_name
from desktop.references.merging import reference_of

OWN_KEY = "bellek"
"""Names what a file was written from: such a file is not read back from its folder."""
MOST_OF_HEAD = 4096  # Bytes within which the key is looked for
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n((?:.*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FIELD = re.compile(r"([\w.-]+(?: [\w.-]+)*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)\Z")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)\Z")
_COMMENT = re.compile(r"(?:\A|[ \t]+)#.*\Z")
_OWN = re.compile(rf"{OWN_KEY}:[ \t]*\S")
_DAY = re.compile(r"\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?(?=\Z|[T ])")
_PIECE = re.compile(r"\s*(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'|([^,]*))\s*(?:,|\Z)")
_MOST, _LONGEST = 50, 200  # Entries of a list, characters of one
_NAMES: Mapping[str, Sequence[str]] = {
    "author": ("author", "authors", "yazar", "yazarlar"),
    "date": ("date", "published", "tarih"),
    "tags": ("tags", "tag", "keywords", "etiketler"),
    "aliases": ("aliases", "alias"),
}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    title: str = ""
    reference: Reference = field(default_factory=Reference)  # Without the title
    tags: Sequence[str] = ()
    aliases: Sequence[str] = ()  # Other names of the note


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter of a text, and the rest of it."""
    match = _FRONT_MATTER.match(text)
    if match is None:
        return FrontMatter(), text
    fields = _fields(match[1])

    def values(name: str) -> Sequence[str]:
        names = _NAMES.get(name, (name,))
        return next((fields[each] for each in names if fields.get(each)), ())

    tags = [tag for value in values("tags") for tag in _separate(value)]
    front = FrontMatter(
        " ".join(values("title")[:1]),
        _reference(values("author"), values("date"), values("doi")),
        list(dict.fromkeys(filter(None, (tag.lstrip("#").strip() for tag in tags))))[:_MOST],
        list(values("aliases")),
    )
    return front, text[match.end() :]


def is_own_note(head: bytes) -> bool:
    """Return whether a file that begins like this was written by this program into a folder."""
    match = _FRONT_MATTER.match(head.decode("utf-8", "replace").replace("\r\n", "\n"))
    return match is not None and any(map(_OWN.match, match[1].splitlines()))


def _separate(tags: str) -> Sequence[str]:
    """Return the tags of an entry: notes programs also write them with commas or spaces."""
    return tags.split(",") if "," in tags else tags.split() if "#" in tags else [tags]


def _fields(text: str) -> Mapping[str, Sequence[str]]:
    fields: dict[str, list[str]] = {}
    values: list[str] = []
    for line in text.splitlines():
        if entry := _ENTRY.match(line):
            values += [_scalar(entry[1])]
        elif match := _FIELD.match(line):
            values = fields.setdefault(match[1].lower(), [])
            values += _listed((match[2] or "").strip())
    return {name: [each for each in several if each][:_MOST] for name, several in fields.items()}


def _listed(value: str) -> Sequence[str]:
    if not (value.startswith("[") and value.endswith("]")) or value.startswith("[["):
        return [_scalar(value)]
    # A number of pieces bounds the work on a line of commas.
    pieces = (_unquoted(piece) for piece in _PIECE.finditer(value[1:-1]))
    return [piece[:_LONGEST] for _, piece in zip(range(_MOST), pieces, strict=False)]


def _scalar(value: str) -> str:
    value = value.strip()
    if value[:1] in "\"'" and (piece := _PIECE.match(value)):
        return _unquoted(piece)[:_LONGEST]
    if value[:1] in ("{", "|", ">", "&", "*", "!"):
        return ""
    return _COMMENT.sub("", value)[:_LONGEST].strip()


def _unquoted(piece: re.Match[str]) -> str:
    double, single, plain = piece.groups()
    if double is not None:
        return re.sub(r"\\(.)", r"\1", double)
    return single.replace("''", "'") if single is not None else plain.strip()


def _reference(authors: Sequence[str], dates: Sequence[str], dois: Sequence[str]) -> Reference:
    csl: dict[str, JsonValue] = {}
    names = [name for value in authors for name in _names(value)]
    if names:
        csl["author"] = [written_name(name) if name.strip() else {} for name in names]
    if (day := _DAY.match(" ".join(dates[:1]))) and "date-parts" in (date := read_date(day[0])):
        csl["issued"] = date
    if is_doi(doi := bare_doi(" ".join(dois[:1]))):
        csl["DOI"] = doi
    return reference_of(csl, FieldOrigin.FILE)


def _names(value: str) -> Sequence[str]:
    """Return the names in a text: a link to a note of a person is that person's name."""
    value = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]", r"\1", value)
    parts = re.split(r"\s*;\s*|\s+(?:and|ve|&)\s+", value)
    return [name for name in parts if name.strip()]
