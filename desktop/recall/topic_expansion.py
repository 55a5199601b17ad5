"""Topic expansion: tags a message with the archive's topics and searches under them.

The topics of past sessions are the vocabulary: other forms and abbreviations ("insülin
direncinin", "İD"), broader and narrower topics, and topics that often occur together, which
includes synonyms.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop.domain.language import Language
from desktop.domain.search import Hit, Query
from desktop.language.describing.keyphrases import find_topics
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.normalization import Word, words
from desktop.language.stopwords import StopWords
from desktop.recall.results import RankedHits, merge_ranked
from desktop.recall.search import Search
from desktop.storage.descriptions import KnownTopic, TopicStore

SAID, SAME, NEAR, BESIDE = 1.0, 0.9, 0.6, 0.4
_MOST_TAGS = 12
_MOST_BESIDE = 4
_READ_WORDS = 40
_BEGINNING = 4
_SHORTEST_INITIALS = 2
_LOOKED_UP = 6
_BY_TAG = 0.3
"""Weight of a hit for a tag, relative to a hit for the query."""


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    weight: float
    """The certainty that the message is about the topic."""


@dataclass(frozen=True, slots=True)
class TopicExpander:
    """Tags messages and searches past sessions by tag; may raise StorageError."""

    topics: TopicStore
    search: Search
    stop_words: Callable[[], StopWords]

    def tags(self, message: str, language: Language) -> list[Tag]:
        """Return the topics of a message, the most certain first."""
        stop_words = self.stop_words()
        said = [one.text for one in find_topics([("user", message)], language, stop_words)]
        own = content_words(message, stop_words, with_weak=True)[:_READ_WORDS]
        known = self.topics.beginning_with(_beginnings(own))
        close = expand(own, known)
        sure = [one.id for one in known if any(tag.name == one.name for tag in close)]
        beside = self.topics.beside(sure[:_MOST_TAGS], limit=_MOST_BESIDE)
        named = [Tag(name, SAID) for name in said]
        return _best([*named, *close, *(Tag(one.name, BESIDE) for one in beside)])

    def look_up(self, query: Query, language: Language) -> list[Hit]:
        """Return tagged hits of every kind in past sessions for a message's topics."""
        tags = self.tags(query.text, language)
        lists = [RankedHits(self.search.find(query))]
        for tag in tags[:_LOOKED_UP]:
            hits = self.search.find(replace(query, text=f'"{tag.name}"'))
            lists.append(RankedHits(hits, tag.weight * _BY_TAG))
        merged = merge_ranked(lists, query.limit)
        named = self.topics.of_sessions([hit.session_id for hit in merged])
        return [replace(hit, tags=named.get(hit.session_id, ())) for hit in merged]


def expand(own: Sequence[Word], known: Iterable[KnownTopic]) -> list[Tag]:
    """Return the archive's topics that the words of a message name."""
    heard = frozenset().union(*(keys(word.text) for word in own))
    exact = {word.text for word in own}
    short = set(_initials(own))
    found: list[Tag] = []
    for topic in known:
        parts = [word.text for word in words(topic.name)]
        shared = [part for part in parts if keys(part) & heard]
        is_same = (parts and len(shared) == len(parts)) or "".join(parts) in short
        if parts and all(part in exact for part in parts):
            found.append(Tag(topic.name, SAID))
        elif is_same or _is_short_for(own, parts):
            found.append(Tag(topic.name, SAME))
        elif shared:
            found.append(Tag(topic.name, NEAR))
    return found


def _beginnings(own: Sequence[Word]) -> list[str]:
    """Return prefixes of a topic's words; a space ends a word, % is a wildcard."""
    beginnings = {word.text[:_BEGINNING] for word in own}
    beginnings |= {f"{initials} " for initials in _initials(own)}
    beginnings |= {"% ".join(word.text) for word in own if len(word.text) <= _BEGINNING}
    return sorted(beginnings)


def _initials(own: Sequence[Word]) -> Iterable[str]:
    """Return the initials of every two to four consecutive words."""
    letters = "".join(word.text[0] for word in own)
    for length in (_SHORTEST_INITIALS, 3, 4):
        for at in range(len(letters) - length + 1):
            yield letters[at : at + length]


def _is_short_for(own: Sequence[Word], parts: Sequence[str]) -> bool:
    """Whether the message has the topic's initials: "YZ" for "yapay zeka"."""
    initials = "".join(part[0] for part in parts)
    return len(parts) >= _SHORTEST_INITIALS and any(word.text == initials for word in own)


def _best(tags: Iterable[Tag]) -> list[Tag]:
    """Return each name once, with its highest weight."""
    weights: dict[str, Tag] = {}
    for tag in tags:
        key = " ".join(word.text for word in words(tag.name))
        if key not in weights or weights[key].weight < tag.weight:
            weights[key] = tag
    return sorted(weights.values(), key=lambda tag: -tag.weight)[:_MOST_TAGS]
