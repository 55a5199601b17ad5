"""Tells what a message asks from what it brings along to be worked on."""

import re

from desktop.language.hearing.material import blanked, without_material
from desktop.language.hearing.routes import RouteLists
from desktop.language.phrase_matcher import find_phrase, lay_out

_COLON = re.compile(r":(?=\s|$)")


def said_in(text: str, routes: RouteLists) -> str:
    """The message with blanks for code, quotations, and what stands behind a task's colon.

    "Çevir: adın ne?" asks for no name. It is as long as before.
    """
    said = without_material(text)
    colon = _COLON.search(said)
    if colon and find_phrase(lay_out(said[: colon.start()]), routes.tasks):
        said = said[: colon.end()] + blanked(said[colon.end() :])
    return said
