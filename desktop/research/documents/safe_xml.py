"""XML inside documents: never with entities of its own, which are only good for harm there."""

from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError, fromstring, iterparse

from desktop.domain.errors import DocumentDamagedError

_OWN_ENTITIES = b"<!ENTITY"


def tree_of(data: bytes) -> Element:
    """Raises DocumentDamagedError."""
    _refuse_entities(data)
    try:
        return fromstring(data)  # noqa: S314 - without entities, in a process with limits
    except ParseError as exc:
        raise DocumentDamagedError from exc


def events_of(data: bytes) -> Iterator[tuple[str, Element]]:
    """Where elements begin and end, in their order. Raises DocumentDamagedError."""
    _refuse_entities(data)
    try:
        yield from iterparse(BytesIO(data), ("start", "end"))  # noqa: S314 - as above
    except ParseError as exc:
        raise DocumentDamagedError from exc


def local(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """By its local name; empty where there is none."""
    return next((value for key, value in element.items() if local(key) == name), "")


def _refuse_entities(data: bytes) -> None:
    # In other encodings the letters lie apart; what they declare, the limits of the process hold.
    if _OWN_ENTITIES in data:
        raise DocumentDamagedError
