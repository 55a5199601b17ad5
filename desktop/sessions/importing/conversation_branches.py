"""Which messages of a conversation that branched are the ones its reader last saw."""

from collections.abc import Mapping


def path_to(leaf: str, parents: Mapping[str, str | None]) -> list[str]:
    """From the first message to the leaf; a circle, which only a broken file has, is cut."""
    path: dict[str, None] = {}
    at: str | None = leaf
    while at is not None and at in parents and at not in path:
        path[at] = None
        at = parents[at]
    return list(reversed(path))


def leaves(parents: Mapping[str, str | None]) -> list[str]:
    """Messages that nothing follows, in the file's order."""
    followed = set(parents.values())
    return [one for one in parents if one not in followed]
