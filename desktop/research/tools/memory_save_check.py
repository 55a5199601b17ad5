"""Whether what a model would save of the user says more than the user has said.

A page can have a model put words of its own beside words of the user's: where others' words were
read for an answer, a fact has to keep to what the user has said in the session.
"""

import re
from collections.abc import Sequence

from desktop.domain.messages import Message, Role
from desktop.language.normalization import word_texts

_SITE = re.compile(r"[^\W_][\w-]*(?:\.[^\W\d_][\w-]+)+|\S+@\S+")
_STEM = 4
"""Letters of which two words have to have the same: what follows may be an ending."""
_OF_NOBODY = ("user", "kull")
"""How facts call whoever they are about, by their stems."""
_MOST_OTHERS = 1 / 3


def adds_to_the_user(content: str, messages: Sequence[Message]) -> bool:
    said = [one.content for one in messages if one.role is Role.USER]
    heard = " ".join(said).lower()
    if any(site.lower().rstrip(".") not in heard for site in _SITE.findall(content)):
        return True
    stems = {word[:_STEM] for text in said for word in word_texts(text)}
    own = [word[:_STEM] for word in word_texts(content) if len(word) >= _STEM]
    told = [stem for stem in own if stem not in _OF_NOBODY]
    others = sum(stem not in stems for stem in told)
    return others > max(1, len(told) * _MOST_OTHERS)
