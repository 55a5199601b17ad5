"""Describes a session without a model: title, summary and topics taken from its own words."""

import re
from collections.abc import Iterator, Sequence
from math import sqrt

from desktop.domain.language import Language
from desktop.domain.sessions import DescribedBy, Description
from desktop.language.describing.keyphrases import Topic, find_topics
from desktop.language.describing.titles import LONGEST_TITLE, make_title
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists, find_announcement, find_farewell
from desktop.language.keywords_and_stems import content_words, stem
from desktop.language.normalization import fold, word_texts
from desktop.language.relevant_sentences import defines
from desktop.language.sentences import plain_text, sentences, without_code

_LONGEST_SUMMARY = 400
_MOST_SENTENCES = 3
_SENTENCE_LETTERS = range(35, 281)
_ANSWERS_READ = 60
_READ_OF_ANSWER = 1_500
_QUESTIONS_OF_MESSAGE = 6
_LONGEST_QUESTION = 300
_EARLIER_IS_BETTER = 0.6
_COMPANION_SHARE = 0.5
_AND = {Language.TR: "ve", Language.EN: "and"}
_DEFINES_BONUS = 1.4
_LEANS_MALUS = 0.45
_SAID = 0.2
"""What a topic counts again in a second sentence."""
_REMARK = re.compile(r"^[ \t]*\*[^*\n]+\*[ \t]*$", re.MULTILINE)
"""A line of slanted letters alone: what is said of an answer, as that it was cut."""
# Sentences that begin so are only understood after the one before.
_LEANS = re.compile(
    r"(?:bu|bun\w+|su|o|on(?:u|un|a|lar\w*)|boyle\w*|ancak|ayrica|fakat|ama|yani|cunku|ornegin|mesela|ise"
    r"|it|its|this|these|they|that|those|such|however|also|but|so|for example|for instance|e\.g"
    r"|here|there|he|she|his|her|their|in addition|as a result|yes|no|evet|hayir)\b"
)


def describe(
    messages: Sequence[tuple[str, str]],
    language: Language,
    lists: PhraseLists,
    *,
    title: str | None = None,
) -> Description:
    """Return title, summary and 3 to 7 topics of a session of (role, text) messages.

    `title`: the one it has already.
    """
    topics = find_topics(messages, language, lists.stop_words)
    if not title:
        questions = [text for role, text in messages if role == "user"]
        title = _title(questions, topics, language, lists)
    return Description(
        title=title,
        summary=_summary(messages, topics, language) or title,
        topics=tuple(topic.text for topic in topics),
        by=DescribedBy.EXTRACTION,
    )


def _title(
    messages: Sequence[str], topics: Sequence[Topic], language: Language, lists: PhraseLists
) -> str:
    total = sum(topic.score for topic in topics)
    best, best_score, factor = "", 0.0, 1.0
    for question in _questions(messages, lists):
        if 2 * factor < best_score:
            break
        covered = sum(topics[at].score for at in _covered(question, topics, language))
        score = (1 + (covered / total if total else 0.0)) * factor
        factor *= _EARLIER_IS_BETTER
        title = make_title(question, language)
        if title and score > best_score:
            best, best_score = title, score
    if best:
        return _with_companion(best, topics, language)
    named = [topic.text[:1].upper() + topic.text[1:] for topic in topics[:1]]
    return next(filter(None, [*named, *(make_title(text, language) for text in messages)]), "")


def _with_companion(title: str, topics: Sequence[Topic], language: Language) -> str:
    stems = [stem(word, language) for word in word_texts(title)]
    main = next((topic for topic in topics if _stems(topic) == stems), None)
    if main is None:
        return title
    for other in topics:
        is_like = len(other.stems) > 1 and other.score >= _COMPANION_SHARE * main.score
        both = f"{title} {_AND[language]} {other.text}"
        if is_like and not set(other.stems) & set(main.stems) and len(both) <= LONGEST_TITLE:
            return both
    return title


def _questions(messages: Sequence[str], lists: PhraseLists) -> Iterator[str]:
    is_first = True  # nothing comes before it that it could lean on
    for message in messages:
        if find_farewell(message, lists):
            continue
        announced = find_announcement(message, lists)
        text = announced.rest if announced else without_code(message)
        said = [plain_text(sentence.text) for sentence in sentences(text)] or [plain_text(text)]
        # What follows the last question says for whom it is, or how it is to be answered.
        asked = [place for place, one in enumerate(said, start=1) if one.rstrip().endswith("?")]
        for question in said[: asked[-1] if asked else None][:_QUESTIONS_OF_MESSAGE]:
            if not 0 < len(question) <= _LONGEST_QUESTION:
                continue
            stands = is_first and bool(content_words(question, lists.stop_words))
            if stands or not leans_back(question, lists):
                is_first = False
                yield question


def _covered(text: str, topics: Sequence[Topic], language: Language) -> frozenset[int]:
    said = {stem(word, language) for word in word_texts(text)}
    return frozenset(at for at, topic in enumerate(topics) if said.issuperset(_stems(topic)))


def _stems(topic: Topic) -> list[str]:
    return [word.lstrip("+") for word in topic.stems]


def _summary(
    messages: Sequence[tuple[str, str]], topics: Sequence[Topic], language: Language
) -> str:
    answers = [_REMARK.sub("", text) for role, text in messages if role == "assistant"]
    said = answers or [text for _, text in messages]
    if len(said) > _ANSWERS_READ:
        # The first answers define, the last ones conclude.
        said = said[: _ANSWERS_READ // 2] + said[-_ANSWERS_READ // 2 :]
    covers: dict[str, frozenset[int]] = {}
    for text in said:
        for sentence in sentences(text[:_READ_OF_ANSWER]):
            line = plain_text(sentence.text)
            if len(line) in _SENTENCE_LETTERS and line[-1] in ".!)”\"'…":
                covers.setdefault(line, _covered(line, topics, language))
    worth = {line: _factor(line, language) for line in covers}
    unsaid, room = [sqrt(topic.score) for topic in topics], _LONGEST_SUMMARY
    chosen: set[str] = set()
    for _ in range(_MOST_SENTENCES):
        fitting = [line for line in covers if line not in chosen and len(line) <= room]
        if not fitting:
            break
        best = max(fitting, key=lambda one: sum(unsaid[at] for at in covers[one]) * worth[one])
        chosen.add(best)
        room -= len(best) + 1
        for at in covers[best]:
            unsaid[at] *= _SAID
    return " ".join(line for line in covers if line in chosen)


def _factor(line: str, language: Language) -> float:
    factor = _DEFINES_BONUS if defines(line, language) else 1.0
    return factor * (_LEANS_MALUS if _LEANS.match(fold(line)) else 1.0)
