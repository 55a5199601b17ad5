"""The sources as the library lists them: found by what is typed, in the order that is chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.domain.sources import Source
from desktop.language.normalization import folded_key, softened, word_texts
from desktop.ui.source_labels import form_of


class Sorting(StrEnum):
    NEWEST = "newest"
    TITLE = "title"
    KIND = "kind"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Shelved:
    """A source with the folded words by which it is found, made once."""

    source: Source
    words: str
    """Each with a blank before it: looked through in one go, which a thousand sources need."""
    size: int | None = None
    """Bytes of its file; None where there is none any more, or never was."""

    @classmethod
    def of(cls, source: Source, size: int | None = None) -> "Shelved":
        words = dict.fromkeys(word_texts(f"{source.title} {source.address}"))
        return cls(source, "".join(f" {word}" for word in words), size)


def matching(known: Sequence[Shelved], query: str) -> list[Shelved]:
    """Those that have a word for each word of the query that begins with it."""
    asked = [[f" {form}" for form in softened(word)] for word in word_texts(query)]
    return [
        one for one in known if all(any(form in one.words for form in forms) for forms in asked)
    ]


def in_order(found: Sequence[Shelved], sorting: Sorting) -> list[Shelved]:
    """`found` comes with the newest first, which settles what the order leaves open."""
    match sorting:
        case Sorting.NEWEST:
            return list(found)
        case Sorting.TITLE:
            return sorted(found, key=lambda one: folded_key(one.source.title))
        case Sorting.KIND:
            return sorted(found, key=lambda one: form_of(one.source).value)
        case Sorting.SIZE:
            return sorted(found, key=lambda one: one.size or 0, reverse=True)
