"""The active memory of a request: ranks facts, and writes the best of them in at most 400 tokens.

It is part of the changing block at the end of the request and is never stored with a message.
Facts that are old enough move to the long term, where they are found on demand. Pinned facts and
the user's wishes for how to be answered come first and never move; important facts stay as well,
unless the user gave their topic a time.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase

from desktop.domain.facts import AGES_AFTER_HOURS, STAYS_FROM, Fact, Origin, Retention, Term
from desktop.domain.frozen import dataclass
from desktop.domain.learned_preferences import Preference
from desktop.domain.times import long_date
from desktop.domain.usage import estimate_tokens
from desktop.language.keywords_and_stems import guess_language
from desktop.language.normalization import folded_key
from desktop.settings.messages import Texts

MOST_TOKENS = 400
MOST_FACTS = 15
MOST_FACTS_LITE = 2
LEAST_IMPORTANCE = 3
MOST_AGED_AT_ONCE = 100
_FOR_GOOD = 24 * 365 * 1_000  # Hours
_UNUSED_AFTER = timedelta(days=7)
_SINKS_ABOVE = 3
_SUNK = 0.6
_MOST_REPEATED = 4
_PER_REPETITION = 0.5


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    text: str = ""
    facts: Sequence[Fact] = ()
    left_out: int = 0
    preference_line: str = ""
    preferences: Sequence[Preference] = ()

    @property
    def whole(self) -> str:
        return "\n\n".join(filter(None, (self.preference_line, self.text)))

    @property
    def tokens(self) -> int:
        return estimate_tokens(len(self.whole))


def preference_name(preference: Preference, texts: Texts) -> str:
    """Return the value's name in the user's language; of a subject the user's words."""
    if preference.is_subject:
        return preference.words or preference.value
    return texts.say(f"preferences.{preference.value}")


def memory_block(
    ranked: Sequence[Fact], texts: Texts, *, wishes: Sequence[str] = (), is_lite: bool = False
) -> MemoryBlock:
    """Return a block with as many facts as fit. `ranked`: the best first."""
    most_facts, most_tokens = MOST_FACTS, MOST_TOKENS
    if is_lite:
        most_facts, most_tokens = MOST_FACTS_LITE, MOST_TOKENS // 2
    taken: list[Fact] = []
    for fact in ranked:
        if len(taken) == most_facts:
            break
        if estimate_tokens(len(_written([*taken, fact], texts, wishes))) <= most_tokens:
            taken.append(fact)
    text = _written(taken, texts, wishes)
    return MemoryBlock(text, taken, len(ranked) - len(taken))


def _written(facts: Sequence[Fact], texts: Texts, others: Sequence[str]) -> str:
    wishes = [fact.content for fact in facts if fact.origin is Origin.DIRECTIVE]
    wishes += others
    plain_facts = [fact for fact in facts if fact.origin is not Origin.DIRECTIVE]
    parts = (
        ("request.memory", [_line(fact, texts) for fact in plain_facts]),
        ("request.wishes", [f"- {wish}" for wish in wishes]),
    )
    return "\n\n".join("\n".join([texts.say(key), *lines]) for key, lines in parts if lines)


def _line(fact: Fact, texts: Texts) -> str:
    from desktop.language.dates.written_dates import is_of_its_day  # noqa: PLC0415

    if not is_of_its_day(fact.content):
        return f"- {fact.content}"
    day = long_date(fact.valid_from, guess_language(fact.content, texts.language))
    return f"- {fact.content} ({day})"


def sort_facts(facts: Iterable[Fact], now: datetime) -> list[Fact]:
    """Return the facts, the best first; of equals the newer."""
    return sorted(facts, key=lambda fact: (_rank(fact, now), fact.valid_from), reverse=True)


def find_aged(
    facts: Iterable[Fact],
    now: datetime,
    retention: Sequence[Retention] = (),
    *,
    usual_hours: int = AGES_AFTER_HOURS,
    limit: int = MOST_AGED_AT_ONCE,
) -> list[Fact]:
    """Return the facts that are old enough to move, the least important first."""
    old = [
        fact
        for fact in facts
        if fact.term is Term.SHORT and fact.is_valid and is_old(fact, now, retention, usual_hours)
    ]
    old.sort(key=lambda fact: (fact.importance, fact.valid_from))
    return old[:limit]


def is_old(fact: Fact, now: datetime, retention: Sequence[Retention], usual_hours: int) -> bool:
    if fact.is_pinned or fact.origin is Origin.DIRECTIVE:
        return False
    usual = _FOR_GOOD if fact.importance >= STAYS_FROM else usual_hours
    return now - fact.valid_from > timedelta(hours=retention_hours(fact.topic, retention, usual))


def retention_hours(
    topic: str, retention: Sequence[Retention], usual: int = AGES_AFTER_HOURS
) -> int:
    """Return how long facts of a topic stay in short-term memory: the first match decides.

    Patterns are those of a shell ("sağlık*"), ignoring case and dots.
    """
    name = _folded(topic)
    hours = (rule.hours for rule in retention if fnmatchcase(name, _folded(rule.pattern)))
    return next(hours, usual)


def _rank(fact: Fact, now: datetime) -> tuple[bool, bool, bool, float]:
    """Return a sort key. Importance decays with disuse; the stored one does not change."""
    value = fact.importance + _PER_REPETITION * min(fact.weight - 1, _MOST_REPEATED)
    used_at = max(fact.used_at or fact.valid_from, fact.valid_from)
    if fact.importance > _SINKS_ABOVE and now - used_at > _UNUSED_AFTER:
        value *= _SUNK
    is_important = fact.importance >= STAYS_FROM
    return fact.is_pinned, fact.origin is Origin.DIRECTIVE, is_important, value


def _folded(text: str) -> str:
    return " ".join(folded_key(text).split())
