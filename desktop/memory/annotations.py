"""Annotates a user's message: its intent, and the details that a follow-up may refer to.

The parsers are those of the rest of the program; only the user's own words are read.
"""

from collections.abc import Iterator
from datetime import datetime

from desktop.domain.annotations import Annotation, Entity, EntityKind
from desktop.domain.figures import Figure, Figures
from desktop.domain.messages import Message
from desktop.language.authored_text import find_user_words
from desktop.language.dates.date_parser import match_dates
from desktop.language.dates.relative_date_annotation import written_span
from desktop.language.dates.written_dates import said_dates
from desktop.language.intents.detection import asks_to_remember, detect_intent
from desktop.language.intents.phrases import PhraseLists
from desktop.language.keywords_and_stems import content_words
from desktop.language.normalization import word_texts
from desktop.language.numbers import numbers
from desktop.language.proper_nouns import names
from desktop.language.sentences import sentences
from desktop.storage.patterns import AnnotationStore

_MOST_AT_ONCE = 100
_READ_AT_MOST = 2_000
_LONGEST_VALUE = 120
_MOST_OF_A_KIND = 6
_MOST_TOPICS = 3
_SHORTEST_TOPIC = 4


def annotate_due(store: AnnotationStore, phrases: PhraseLists, figures: Figures) -> int:
    """Annotate the newest messages that have no annotation; return how many. Raises StorageError.

    At most 100 at once, which takes about a second: an imported archive is annotated bit by bit.
    """
    annotated = []
    for message in store.without(_MOST_AT_ONCE):
        with figures.timed(Figure.ANNOTATE_MS):
            annotated.append((message.id, annotate(message, phrases)))
    if annotated:
        store.add(annotated)
    return len(annotated)


def annotate(message: Message, phrases: PhraseLists) -> Annotation:
    detected = detect_intent(message.content, phrases)
    own = find_user_words(message.content, lambda lead: asks_to_remember(lead, phrases))
    own = own[:_READ_AT_MOST]
    dates = list(_dates(own, message.created_at))
    amounts = [
        Entity(EntityKind.AMOUNT, one.text, _sentence(own, one.text))
        for one in numbers(own)
        if one.unit is not None and not any(one.text in date.text for date in dates)
    ]
    named = [
        Entity(EntityKind.NAME, one.text, _sentence(own, one.text))
        for one in names(own, phrases.stop_words.exact)
        if not any(one.text in other.text for other in (*dates, *amounts))
    ]
    named_so_far = word_texts(" ".join(one.text for one in (*dates, *amounts, *named)))
    told = dict.fromkeys(word.text for word in content_words(own, phrases.stop_words))
    topics = [
        Entity(EntityKind.TOPIC, word)
        for word in told
        if len(word) >= _SHORTEST_TOPIC and word not in named_so_far
    ]
    kinds = (dates, amounts, named, topics[:_MOST_TOPICS])
    found = [entity for kind in kinds for entity in kind[:_MOST_OF_A_KIND]]
    return Annotation(detected.intent, detected.confidence, found)


def _dates(text: str, said_at: datetime) -> Iterator[Entity]:
    now = said_at.astimezone().replace(tzinfo=None)
    written = said_dates(text)
    for date in written:
        yield Entity(EntityKind.DATE, date.text, _sentence(text, date.text))
    for match in match_dates(text):
        overlaps = any(match.start < one.end and one.start < match.end for one in written)
        if match.said.told and not overlaps:
            span = match.said.told(now)
            told = written_span(span, match.said.grain, match.language)
            yield Entity(EntityKind.DATE, text[match.start : match.end], told)


def _sentence(text: str, part: str) -> str:
    found = next((one.text for one in sentences(text) if part in one.text), "")
    return " ".join(found.split())[:_LONGEST_VALUE]
