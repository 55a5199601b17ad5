"""Tells a question that may be about the assistant itself, in words that no list foresees.

Nothing is decided by it: the quick model is asked which it is, and without one it is a question as
any other.
"""

import re

from desktop.language.hearing.phrases import PhraseLists
from desktop.language.hearing.routes import RouteLists
from desktop.language.keywords_and_stems import content_words
from desktop.language.phrase_matcher import Line, anywhere, find_at, lay_out, without
from desktop.language.secrets import has_secret
from desktop.research.routing.likeness import likeness
from desktop.research.routing.material import said_in

_ASKS = re.compile(
    r"(?<![^ ])(?:who|what|which|where|how|is|are|does|do|can|kim|kime|kimin|ne|neyi|hangi|nerede"
    r"|nereye|nasil|m[iu](?:s[iu]n(?:[iu]z)?)?) "
)
_MOST_WORDS = 14
_MOST_OTHER = 2
"""Words that say what a question is about, beside those that speak of the assistant."""


def may_be_about_it(
    text: str, routes: RouteLists, phrases: PhraseLists, *, has_session: bool
) -> str:
    """The words that speak to the assistant; empty where nothing does.

    At the head of a session "this" can only be the application, or what the message brings along.
    """
    own = said_in(text, routes)
    line = lay_out(own)
    if len(line.words) > _MOST_WORDS:
        return ""
    said = without(line.text, routes.politely, routes.anybody)
    asks = _ASKS.search(line.text) is not None
    is_alone = asks and not has_session and own == text
    who = [one for one in _who(routes) if anywhere(one).search(said)]
    is_spoken_to = bool(who)
    if not who and is_alone and anywhere(routes.this_here).search(said):
        who = [routes.this_here]
    if not who:
        return ""
    found = next(filter(None, (anywhere(one).search(said) for one in who)))
    rest = without(said, *who)
    less = without(rest, routes.about_maker, routes.about_model, routes.about_custody)
    if is_spoken_to:
        less = without(less, routes.about_name, routes.about_abilities, routes.about_able)
        less = without(less, routes.about_mine, routes.about_me, routes.secrets)
    is_named = less != rest
    if not is_named and not (is_spoken_to and asks):
        return ""
    around = (routes.around, routes.beside, phrases.courtesies, phrases.greets)
    other = content_words(without(less, *around), phrases.stop_words)
    most = _MOST_OTHER if is_named else int(routes.you in who)
    return _as_written(line, found[0]) if len(other) <= most else ""


def how_it_sounds(text: str, routes: RouteLists, *, has_session: bool) -> float:
    """How much a message sounds like one about the assistant, from 0 to 1, whatever its words."""
    said = lay_out(text).text
    less = without(said[find_at(said, routes.politely) :], routes.anybody)
    asks_of_it = less == said or any(anywhere(one).search(less) for one in _who(routes))
    # What a message brings along is what it is about; who tells a password asks for none.
    if said_in(text, routes) != text or not asks_of_it or has_secret(text):
        return 0.0
    return likeness(text, routes.learnt, has_session=has_session)


def _who(routes: RouteLists) -> tuple[tuple[str, ...], ...]:
    return routes.you, routes.mine, routes.me


def _as_written(line: Line, found: str) -> str:
    start = line.text.find(found)
    return line.original_between(start, start + len(found)) if start >= 0 else found.strip()
