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

from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.stopwords import StopWords
from desktop.research.injection.likely import SENTENCE_END
from desktop.research.injection.orders import Order
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
# Plain letters, as a view has them. What speaks of looking for something, in whatever tone.
_LOOKING = re.compile(
    r"\b(?:search(?:es|ed|ing)?|look(?:s|ing)?(?: \w+){0,2} up|google[sd]?"
    r"|quer(?:y|ies)|consult(?:s|ed)?|retrieves?|recalls?|fetch(?:es|ing)?"
    r"|find out|dig out|see (?:if|whether)|lookup"
    r"|web_search|web_fetch|memory_recall|library_search"
    r"|ara(?:t\w*|yin|yiniz|yip|yarak|yacak\w*|mali\w*|nmali\w*|nir|nsin|nacak\w*|mak|ma|masi\w*"
    r"|mayi|malar\w*)?|arastir\w*|sorgu\w*|googla\w*|hatirla\w*|getir\w*|cagir\w*|calistir\w*"
    r"|bak(?:in|iniz|ilacak|ilsin|ilmali\w*|malisin\w*)|goz (?:at|gezdir)\w*"
    r"|such(?:e|en|t|anfrage)|schaut? nach|nachschauen"
    r"|busca(?:r|d|ndo)?|recherche[rz]?|cherche[rz]?)\b"
)
# And what tells somebody to do it: as a page of a program or of a library does not all the time.
_TOLD_TO_LOOK = re.compile(
    r"(?:^|[.,;:!?\"“(] ?"
    r"|\b(?:please|first|then|now|next|also|always|must|should|shall|will|and|to) )"
    r"(?:search|look(?: \w+){0,2} up|google (?:for|it|this|that|the|an?)|query|retrieve|recall"
    r"|fetch|consult|find out)\b"
    r"(?! (?:engines?|paths?|box|bar|results?|pages?|fields?|buttons?|tips?|functions?)\b)"
    r"|\b(?:web_search|web_fetch|memory_recall|library_search)\b"
    r"|\b(?:ara(?:t|tir)?|sorgula|googla|hatirla|getir|tara|arastir|cagir|calistir)"
    r"(?:(?:y?[iu]n(?:[iu]z)?|(?:[iu]l|n)?m[ae]l[iu]\w*|n?s[iu]n|[iu]ls[iu]n|yip|yarak|[iu]p)\b"
    r"|(?= ?(?:[.,;:!]|$|ve )))"
    r"|\b(?:arama|sorgu|tarama)(?:si|lari)? (?:yap|calistir|at)"
    r"|\b(?:suchen?|buscar?|recherche[rz]?|cherche[rz]?)\b"
)
_OF_ANOTHER = frozenset({Order.OVERRIDE, Order.POSING, Order.HIDING})
_OF_MODELS = re.compile(
    r"\b(?:prompts?|injections?|jailbreak\w*|llms?|language models?|chatbots?|ai|chatgpt|claude"
    r"|istem(?:i|in|ini|ler\w*)?|enjeksiyon\w*|yapay zeka\w*|dil model\w*|sohbet robot\w*)\b"
)
_FEW = 4
"""Words of a sentence that says too little of what is to be looked for: "Search for it.\""""
# Who reads for somebody, as whoever plants an order calls it.
_MACHINES = re.compile(
    r"\b(?:ai|llms?|language models?|chatbots?|assistants?|agents?|bots?|summari[sz]ers?"
    r"|automated (?:reader|system|tool)s?|automatic(?:ally)?"
    r"|yapay zeka\w*|(?:dil )?model(?:i|in|ler\w*)?|asistan\w*|ajan\w*|bot(?:lar\w*)?|yazilim\w*"
    r"|ozetleyici\w*|makine\w*|(?:isleyen|okuyan|ozetleyen) (?:sistem|program|arac)\w*"
    r"|ki|\w*assistent\w*|asistente\w*|automat\w*|ia)\b"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a tool is called with."""

    tool: str
    words: str
    """All of them that it is given; may be empty."""
    is_address: bool = False
    """Words beside one only choose among what stands there."""


def order_obeyed(
    wanted: Wanted, read: Sequence[str], said: str, stop_words: StopWords
) -> str | None:
    """The sentence of what was `read` that asks for what is `wanted`; None where none does.

    `said`: all that the user said, whose own words are nobody's order.
    """
    call = _Call.of(wanted, said, stop_words)
    orders = [order for text in read for order in _orders(text)]
    led = [one for one in orders if one.is_for_models and call.may_be_led(one)]
    if led:
        ordered = {one.words for one in orders if one.is_for_models}
        if call.is_strange(_without(ordered, read), stop_words):
            return led[0].words
    return next((one.words for one in orders if call.carries_out(one, stop_words)), None)


@dataclass(frozen=True, slots=True)
class _Order:
    """A sentence that may be one, and the words beside it."""

    words: str
    """As the reader sees them."""
    is_for_models: bool
    """It is marked as an order, or speaks of whoever reads for somebody."""
    is_told: bool
    """To look for something, and not only speaks of it."""
    is_of_another: bool
    """It gives itself out for the word of somebody whom a model has to obey."""
    beside: str
    """It and its neighbours, in plain letters."""


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
    phrase: str
    """All of it, in plain letters."""
    is_about_models: bool
    """Whether the user speaks of them: then what is read may only give examples of orders."""

    @classmethod
    def of(cls, wanted: Wanted, said: str, stop_words: StopWords) -> "_Call":
        heard, given = even(said), even(wanted.words)
        addresses = [one for one in _ADDRESS.findall(given) if one not in heard]
        text = "" if wanted.is_address else _ADDRESS.sub(" ", given)
        asked = content_words(text, stop_words)
        known = _known(said, stop_words)
        foreign = [of for of in (keys(one.text) for one in asked) if not of & known]
        is_free = wanted.is_address or wanted.tool in heard
        phrase = " ".join(text.split()).strip(" .?!\"'“”")
        tool = "" if is_free else wanted.tool
        is_about_models = _OF_MODELS.search(heard) is not None
        return cls(tool, addresses, foreign, len(asked) - len(foreign), phrase, is_about_models)

    @property
    def _is_foreign(self) -> bool:
        return self.own < len(self.foreign)

    def may_be_led(self, order: _Order) -> bool:
        """Whether it does what a model is told to, in whatever words."""
        is_told = order.is_told or (order.is_of_another and not self.is_about_models)
        return is_told and self._is_foreign

    def is_strange(self, others: str, stop_words: StopWords) -> bool:
        """Whether most of it is said by nobody else."""
        known = _known(others, stop_words)
        strange = sum(1 for one in self.foreign if not one & known)
        return strange > self.own + len(self.foreign) - strange

    def carries_out(self, order: _Order, stop_words: StopWords) -> bool:
        """Whether its words are those of the order, or stand beside it."""
        if order.is_for_models and self._is_named(order):
            return True
        if not self.foreign:
            return False
        if " " in self.phrase and self.phrase in order.beside:
            return True
        if not (order.is_for_models or order.is_told):
            return False
        words = _known(_ADDRESS.sub(" ", order.words), stop_words)
        # Words beside an order are chance where it says itself what it wants, or wants nothing.
        is_short = len(content_words(order.words, stop_words)) < _FEW
        if self.may_be_led(order) and (order.is_for_models or is_short):
            words |= _known(order.beside, stop_words)
        shared = sum(1 for one in self.foreign if one & words)
        least = 1 if order.is_for_models else min(_PLAIN_LEAST, len(self.foreign) + self.own)
        return shared >= max(least, _MOST_OF_IT * len(self.foreign))

    def _is_named(self, order: _Order) -> bool:
        if any(one in order.beside for one in self.addresses):
            return True
        has_words = self.own or self.foreign
        return not has_words and "_" in self.tool and self.tool in order.beside


def _without(sentences: Iterable[str], texts: Iterable[str]) -> str:
    together = "\n".join(texts)
    for one in sentences:
        together = together.replace(one, " ")
    return together


def _known(text: str, stop_words: StopWords) -> frozenset[str]:
    return frozenset[str]().union(*(keys(one.text) for one in content_words(text, stop_words)))


@lru_cache(_TEXTS_KNOWN)
def _orders(text: str) -> tuple[_Order, ...]:
    view = plain_view(text)
    sentences = list(_sentences(view.text))
    spans = [
        (bisect_left(view.places, one.start), bisect_left(view.places, one.end), one.order)
        for one in suspicious_spans(text)
    ]
    marks = [
        {order for first, last, order in spans if first < end and start < last}
        for start, end in sentences
    ]
    found: list[_Order] = []
    for at, (start, end) in enumerate(sentences):
        said, near = view.text[start:end].strip(), slice(max(0, at - 1), at + 2)
        is_told = _TOLD_TO_LOOK.search(said) is not None
        asks_to_look = is_told or _LOOKING.search(said) is not None
        if not (marks[at] or asks_to_look):
            continue
        # An order may be announced by the sentence before it.
        is_for_models = bool(marks[at]) or (is_told and any(marks[near]))
        is_for_models |= asks_to_look and _MACHINES.search(said) is not None
        is_of_another = not _OF_ANOTHER.isdisjoint(marks[at])
        beside = view.text[sentences[near][0][0] : sentences[near][-1][1]]
        words = text[view.places[start] : view.places[end - 1] + 1].strip()
        found.append(_Order(words, is_for_models, is_told, is_of_another, beside))
    return tuple(found)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.start() for found in SENTENCE_END.finditer(text)), len(text)]:
        for first in range(start, end, _LONGEST):
            yield first, min(end, first + _LONGEST)
        start = end
