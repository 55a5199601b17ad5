"""Whether a call of a tool carries out what a text ordered.

A model may be taken in by what it reads. What it then calls for gives it away: words that stand
beside an order and that the user never said. Nothing is lost where this is wrong, for the model is
told to go on in the user's words.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop.language.stopwords import StopWords
from desktop.language.terms import content_words, keys
from desktop.research.injection.likely import SENTENCE_END
from desktop.research.injection.suspicion import suspicious_spans
from desktop.research.injection.views import even, plain_view

_ADDRESS = re.compile(
    r"(?:https?://)?((?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#][^\s<>\"')\]]*[^\s<>\"')\].,;:!?]|/)?)"
)
_LONGEST = 320
"""Letters of a sentence; of a longer one this much at a time."""
_TEXTS_KNOWN = 128
_MOST_OF_IT = 2 / 3
_PLAIN_LEAST = 2
"""Words that an ordinary sentence must share: one is chance."""
# Plain letters, as a view has them. What tells somebody to look for something, in whatever tone.
_LOOKING = re.compile(
    r"\b(?:search(?:es|ed|ing)?|look(?:s|ing)?(?: \w+){0,2} up|google[sd]?"
    r"|quer(?:y|ies)|consult(?:s|ed)?|retrieves?|recalls?|fetch(?:es|ing)?"
    r"|find out|dig out|see (?:if|whether)|lookup"
    r"|web_search|web_fetch|memory_recall|library_search|tools?"
    r"|ara(?:t\w*|yin|yiniz|yip|yarak|yacak\w*|mali\w*|nmali\w*|nir|nsin|nacak\w*|mak|ma|masi\w*"
    r"|mayi|malar\w*)?|arastir\w*|sorgu\w*|googla\w*|hatirla\w*|getir\w*|cagir\w*|calistir\w*"
    r"|tara\w*|bak(?:in|iniz|ilacak|ilsin|ilmali\w*|malisin\w*)|goz (?:at|gezdir)\w*"
    r"|such(?:e|en|t|anfrage)|schaut? nach|nachschauen"
    r"|busca(?:r|d|ndo)?|recherche[rz]?|cherche[rz]?)\b"
)
# Who reads for somebody, as whoever plants an order calls it.
_MACHINES = re.compile(
    r"\b(?:ai|llms?|language models?|chatbots?|assistants?|agents?|bots?|software|summari[sz]ers?"
    r"|machines?|automated (?:reader|system|tool)s?|automatic(?:ally)?"
    r"|yapay zeka\w*|(?:dil )?model(?:i|in|ler\w*)?|asistan\w*|ajan\w*|bot(?:lar\w*)?|yazilim\w*"
    r"|ozetleyici\w*|makine\w*|(?:isleyen|okuyan|ozetleyen) (?:sistem|program|arac)\w*"
    r"|ki|\w*assistent\w*|asistente\w*|automat\w*|ia)\b"
)


@dataclass(frozen=True, slots=True)
class _Order:
    """A sentence that may be one, and the words beside it."""

    words: str
    """As the reader sees them."""
    is_marked: bool
    asks_to_look: bool
    is_to_machines: bool
    """Whether it speaks of whoever reads for somebody."""
    beside: str
    """It and its neighbours, in plain letters."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a tool is called with."""

    tool: str
    words: str
    """All of them that it is given; may be empty."""
    is_address: bool = False
    """Words beside one only choose among what stands there."""


def order_obeyed(
    wanted: Wanted, read: Iterable[str], said: str, stop_words: StopWords
) -> str | None:
    """The sentence of what was `read` that asks for what is `wanted`; None where none does.

    `said`: all that the user said, whose own words are nobody's order.
    """
    orders = {text: _orders(text) for text in read}
    innocent = [text for text, found in orders.items() if not any(one.is_marked for one in found)]
    call = _Call.of(wanted, said, innocent, stop_words)
    several = (order for found in orders.values() for order in found)
    return next((one.words for one in several if call.obeys(one, stop_words)), None)


@dataclass(frozen=True, slots=True)
class _Call:
    tool: str
    """Empty where its name decides nothing, for one because the user has said it."""
    addresses: Sequence[str]
    """Those that the user did not write."""
    foreign: Sequence[frozenset[str]]
    """Of each word that the user never said, what it shares with its relatives."""
    own: int
    """How many the user said."""
    innocent: Sequence[str]
    """What was read and gives no orders: what stands there is a reason to ask on."""

    @classmethod
    def of(
        cls, wanted: Wanted, said: str, innocent: Sequence[str], stop_words: StopWords
    ) -> "_Call":
        heard, given = even(said), even(wanted.words)
        addresses = [one for one in _ADDRESS.findall(given) if one not in heard]
        text = "" if wanted.is_address else _ADDRESS.sub(" ", given)
        asked = content_words(text, stop_words)
        known = _known(said, stop_words)
        foreign = [of for of in (keys(one.text) for one in asked) if not of & known]
        is_free = wanted.is_address or wanted.tool in heard
        tool = "" if is_free else wanted.tool
        return cls(tool, addresses, foreign, len(asked) - len(foreign), innocent)

    def obeys(self, order: _Order, stop_words: StopWords) -> bool:
        if (order.is_marked or order.is_to_machines) and self._is_led(order, stop_words):
            return True
        if not self.foreign:
            return False
        # What is mostly the user's has to stand in the order itself: words beside it are chance.
        words = _known(order.beside if self._is_foreign else order.words, stop_words)
        shared = sum(1 for one in self.foreign if one & words)
        least = 1 if order.is_marked else min(_PLAIN_LEAST, len(self.foreign) + self.own)
        return shared >= max(least, _MOST_OF_IT * len(self.foreign))

    @property
    def _is_foreign(self) -> bool:
        return self.own < len(self.foreign)

    def _is_led(self, order: _Order, stop_words: StopWords) -> bool:
        """Whether an order to look for something comes before words that are nobody else's."""
        if any(one in order.beside for one in self.addresses):
            return True
        if not self.own and not self.foreign:
            return "_" in self.tool and self.tool in order.beside
        if not (order.asks_to_look and self._is_foreign):
            return False
        innocent = self.innocent
        if not order.is_marked:
            innocent = [one.replace(order.words, " ") for one in innocent]
        elsewhere = frozenset[str]().union(*(_known(one, stop_words) for one in innocent))
        strange = sum(1 for one in self.foreign if not one & elsewhere)
        return strange > self.own + len(self.foreign) - strange


def _known(text: str, stop_words: StopWords) -> frozenset[str]:
    return frozenset[str]().union(*(keys(one.text) for one in content_words(text, stop_words)))


@lru_cache(_TEXTS_KNOWN)
def _orders(text: str) -> tuple[_Order, ...]:
    view = plain_view(text)
    sentences = list(_sentences(view.text))
    marked = [
        (bisect_left(view.places, span.start), bisect_left(view.places, span.end))
        for span in suspicious_spans(text)
    ]
    found: list[_Order] = []
    for at, (start, end) in enumerate(sentences):
        is_marked = any(first < end and start < last for first, last in marked)
        asks_to_look = _LOOKING.search(view.text, start, end) is not None
        if is_marked or asks_to_look:
            near = sentences[max(0, at - 1) : at + 2]
            beside = view.text[near[0][0] : near[-1][1]]
            words = text[view.places[start] : view.places[end - 1] + 1].strip()
            to_machines = _MACHINES.search(view.text, start, end) is not None
            # What is marked may only announce what the next sentence asks for.
            asks_to_look |= is_marked and _LOOKING.search(beside) is not None
            found.append(_Order(words, is_marked, asks_to_look, to_machines, beside))
    return tuple(found)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.start() for found in SENTENCE_END.finditer(text)), len(text)]:
        for first in range(start, end, _LONGEST):
            yield first, min(end, first + _LONGEST)
        start = end
