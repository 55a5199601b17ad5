"""Merges what several places say of one work, and finds the works that are the same."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.references import (
    CUSTOM,
    KEY,
    LINKS,
    LITERATURE,
    CslItem,
    FieldOrigin,
    Reference,
    Work,
)
from desktop.domain.sources import SourceKind
from desktop.language.normalization import folded_key
from desktop.references.fields import family_with_particles, names_of, valid_item

_SHORTEST_TITLE = 12  # Letters: shorter ones ("Introduction") are shared by different works


def reference_of(csl: CslItem, origin: FieldOrigin) -> Reference:
    """Return a reference of valid CSL whose fields have one origin; empty ones are left out."""
    valid = valid_item(csl)
    fields = {name: value for name, value in valid.items() if value not in ("", None, [], {})}
    return Reference(fields, dict.fromkeys(fields, origin))


def merged(reference: Reference, other: Reference) -> Reference:
    """Return both: of a field that both have, the value with the stronger origin.

    Of equal origins the other one counts, which is the newer.
    """
    csl, origins = dict(reference.csl), dict(reference.origins)
    for name, value in other.csl.items():
        origin = other.origins.get(name, FieldOrigin.TEXT)
        is_stronger = name in csl and name in origins and origins[name].rank > origin.rank
        if is_stronger and name != CUSTOM:
            continue
        csl[name] = _both(csl.get(name), value) if name == CUSTOM else value
        origins[name] = origin
    return Reference(csl, origins)


def _both(custom: JsonValue, other: JsonValue) -> JsonValue:
    if not (isinstance(custom, Mapping) and isinstance(other, Mapping)):
        return other
    whole = {**custom, **other}
    for name in (LINKS, LITERATURE):
        record, newer = custom.get(name), other.get(name)
        if isinstance(record, Mapping) and isinstance(newer, Mapping):
            whole[name] = {**record, **newer}
    # What a service said of a work holds, also if the next one does not know it.
    marks = {*Reference({CUSTOM: custom}).marks, *Reference({CUSTOM: other}).marks}
    record = whole.get(LITERATURE)
    if marks and isinstance(record, Mapping):
        whole[LITERATURE] = {**record, "marks": sorted(marks)}
    return whole


def edited(reference: Reference, fields: CslItem) -> Reference:
    """Return a reference with fields that the user typed; an empty one is removed."""
    typed = {name: value for name, value in fields.items() if reference.csl.get(name) != value}
    rest = [name for name in reference.csl if name not in typed]
    kept = Reference(
        {name: reference.csl[name] for name in rest},
        {name: origin for name, origin in reference.origins.items() if name in rest},
    )
    return merged(kept, reference_of(typed, FieldOrigin.TYPED))


def title_key(title: str) -> str:
    """Return the letters and digits of a title, for comparing; empty if it is too short."""
    key = _letters(title)
    return key if len(key) >= _SHORTEST_TITLE else ""


def _letters(text: str) -> str:
    return "".join(letter for letter in folded_key(text) if letter.isalnum())


def _title_and_year(reference: Reference) -> str:
    """Return what tells a work by its title: its year, and for a short one also who wrote it."""
    title = _letters(reference.title)
    if not title or reference.year is None:
        return ""
    if len(title) >= _SHORTEST_TITLE:
        return f"{title} {reference.year}"
    first = next(iter(names_of(reference.csl.get("author"))), {})
    family = _letters(family_with_particles(first) or str(first.get("literal", "")))
    return f"{title} {reference.year} {family}" if family else ""


def identities(work: Work) -> set[tuple[str, str]]:
    """Return what two works have in common only if they are the same."""
    reference = work.reference
    keys = {
        ("doi", reference.doi.lower()),
        ("title", _title_and_year(reference)),
        ("file", work.source.sha256 if work.source.kind is SourceKind.DOCUMENT else ""),
    }
    return {(kind, key) for kind, key in keys if key}


def find_duplicates(works: Iterable[Work]) -> list[Sequence[Work]]:
    """Return groups of works that are the same, in the order of the works.

    In a group the fullest work is the first.
    """
    groups: list[list[Work]] = []
    group_of: dict[tuple[str, ...], int] = {}
    for work in works:
        # A work of another project stays behind its wall.
        keys = {(work.source.project, *key) for key in identities(work)}
        numbers = sorted({group_of[key] for key in keys if key in group_of})
        number = numbers[0] if numbers else len(groups)
        if not numbers:
            groups.append([])
        for other in numbers[1:]:
            groups[number] += groups[other]
            groups[other] = []
        groups[number].append(work)
        if len(numbers) > 1:
            group_of = {key: number if at in numbers else at for key, at in group_of.items()}
        group_of |= dict.fromkeys(keys, number)
    return [sorted(group, key=fullness, reverse=True) for group in groups if len(group) > 1]


def fullness(work: Work) -> tuple[bool, bool, int]:
    """Return what orders works by how much they have: a file with text, a file, fields."""
    is_file = work.source.kind is SourceKind.DOCUMENT
    return is_file and work.source.passages > 0, is_file, len(work.reference.csl)


def joined(references: Iterable[Reference]) -> list[Reference]:
    """Return the entries of a file, one for each DOI; what the first says counts."""
    by_doi: dict[str, Reference] = {}
    for number, reference in enumerate(references):
        key = reference.doi.lower() or f" {number}"
        by_doi[key] = merged(reference, by_doi[key]) if key in by_doi else reference
    return list(by_doi.values())


class WorkIndex:
    """Finds the work of a library that an entry of a file of references describes."""

    def __init__(self, works: Iterable[Work]) -> None:
        self._works: dict[SourceId, Work] = {}
        self._by: defaultdict[tuple[str, str], list[SourceId]] = defaultdict(list)
        for work in works:
            self._works[work.source.id] = work
            for key in (*identities(work), *_names(work)):
                self._by[key].append(work.source.id)

    def take(self, reference: Reference, files: Iterable[str] = ()) -> Work | None:
        """Return the work, once: every further entry describes another.

        `files`: the names of files that the entry gives. A work that is known by another citation
        key, or by another title under the same key, is another work.
        """
        title = title_key(reference.title)
        doi = reference.doi.lower()
        certain = [*(("name", folded_key(name)) for name in files), ("doi", doi)]
        keys = [
            ("title", _title_and_year(reference)),
            ("bare title", title),
            ("address", f"https://doi.org/{reference.doi}" if doi else ""),
            ("address", reference.text("URL")),
            ("key", reference.text(KEY)),
            ("stem", folded_key(reference.text(KEY))),
        ]
        for key in (*certain, *keys):
            works = [
                self._works[source_id]
                for source_id in self._by.get(key, [])
                if key[1] and source_id in self._works
            ]
            works = [
                work for work in works if key in certain or _may_be(work.reference, reference)
            ]
            if len(works) == 1:
                return self._works.pop(works[0].source.id)
        return None


def _may_be(reference: Reference, other: Reference) -> bool:
    key, title = reference.text(KEY), title_key(reference.title)
    if not key:
        return True
    return key == other.text(KEY) and title_key(other.title) in {"", title}


def _names(work: Work) -> Iterable[tuple[str, str]]:
    """Yield weaker names of a work, by which only an entry may find it."""
    reference = work.reference
    if work.source.kind is SourceKind.DOCUMENT:
        name = folded_key(work.source.address.replace("\\", "/").rpartition("/")[2])
        yield "name", name
        yield "stem", name.rpartition(".")[0]
    else:
        yield "address", work.source.address
    if (title := title_key(reference.title)) and reference.year is None:
        yield "bare title", title
    if key := reference.text(KEY):
        yield "key", key
