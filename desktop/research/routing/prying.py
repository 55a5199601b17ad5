"""Finds in a clause what is refused: keys and instructions, and other people's private data.

Words that somebody lists are never all of them, so that what is asked for and that it is asked to
be handed over are looked for apart.
"""

import re
from collections.abc import Iterator

from desktop.domain.routing import GuardTopic
from desktop.language.hearing.routes import RouteLists
from desktop.language.phrase_matcher import anywhere, without
from desktop.language.turkish_possessive import is_mine

# "okul kurallarını", "ilacın kullanım talimatlarını": somebody else's, by the word before it.
_POSSESSIVE = re.compile(r"[^ ]+[iu]n[iu]? ")
_CASE = re.compile(r"(?<=m)(?:[aeiu]|d[ae]n?)\Z|(?<=z)(?:[aeiu]|d[ae]n?)\Z")
_GENITIVE = re.compile(
    r"(?<![^ ])(?!(?:senin|sizin|icin|bugun|butun|sistemin|program[iu]n|uygulaman[iu]n"
    r"|asistan[iu]n) )[^ |]{2,}[iu]n (?:[^ |]+ ){0,2}\Z"
)


def find_refused(said: str, routes: RouteLists) -> Iterator[GuardTopic]:
    """`said`: the folded words of one clause."""
    listed = anywhere(routes.asks_secrets).finditer(said)
    is_listed = any(not _is_somebodys(one, said, routes) for one in listed)
    if (is_listed or _asks_for_secrets(said, routes)) and not _is_of_a_kind(said, routes):
        yield GuardTopic.SECRETS
    things = anywhere(routes.private_things).finditer(said)
    of_others = any(not _is_mine(one, said) for one in things)
    pries = (routes.of_anybody, routes.pries)
    is_asked = anywhere(routes.asks_others).search(said)
    if is_asked or (of_others and (_has_all(said, pries) or _has_all(said, (routes.stealthily,)))):
        yield GuardTopic.OTHERS


def _asks_for_secrets(said: str, routes: RouteLists) -> bool:
    if _has_all(said, (routes.overrules, routes.what_was_told, routes.told_before)):
        return True
    if anywhere(routes.how_to).search(said):
        return False
    asks = (routes.secrets, routes.secrets_whose, routes.hands_over)
    if not _has_all(said, asks):
        return False
    secrets = anywhere(routes.secrets).finditer(said)
    return any(not _is_somebodys(one, said, routes) for one in secrets)


def _is_of_a_kind(said: str, routes: RouteLists) -> bool:
    """Whether it asks what such things are, "sistem talimatı nedir?", and means nobody's own."""
    if not anywhere(routes.explains_kind).search(said):
        return False
    whose = (one[0].strip() for one in anywhere(routes.secrets_whose).finditer(said))
    left = without(said, routes.you)
    return left == said and all(
        anywhere(routes.kinds_of_secret).search(f"{one} ") for one in whose
    )


def _is_mine(thing: re.Match[str], said: str) -> bool:
    """Of the user's own: "is my landlord allowed to read my mail?"."""
    if said[: thing.start()].endswith(("my ", "our ")):
        return True
    return is_mine(_CASE.sub("", thing[0].strip()))


def _is_somebodys(secret: re.Match[str], said: str, routes: RouteLists) -> bool:
    """In Turkish "your rules" and "its rules" are one word."""
    if not _POSSESSIVE.match(secret[0]):
        return False
    before = said[: secret.start()]
    if _GENITIVE.search(before):
        return True
    last = " ".join(before.split()[-1:])
    known = (routes.secrets_whose, routes.secrets, routes.hands_over, routes.around, routes.beside)
    return bool(last) and bool(without(f"{last} ", *known).strip())


def _has_all(said: str, lists: tuple[tuple[str, ...], ...]) -> bool:
    return all(anywhere(phrases).search(said) for phrases in lists)
