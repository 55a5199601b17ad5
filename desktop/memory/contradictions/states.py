"""What somebody can be in one way at a time, in whatever words: married or divorced, here or away.

Only a sentence that says such a state and nothing else is read: with a word more it may tell of a
place at weekends, of a sister, or of a wish.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from desktop.language.normalization import fold
from desktop.language.professions import PROFESSIONS
from desktop.memory.contradictions.changing import says_changed
from desktop.memory.contradictions.ending import is_housing
from desktop.memory.sentences.cities import CITIES
from desktop.memory.sentences.state_words import LEVELS, LOOKED_UP, WAYS

_PATTERNS = {key: [re.compile(way) for way in ways] for key, ways in WAYS.items()}
_EXCLUDE = {
    "marriage": {
        frozenset(pair)
        for pair in (
            ("married", "single"), ("married", "engaged"), ("married", "divorced"),
            ("married", "widowed"), ("married", "separated"), ("engaged", "single"),
            ("engaged", "divorced"), ("engaged", "widowed"),
        )
    },
    "meat": {frozenset(("eats", other)) for other in ("none", "vegetarian", "vegan")},
    "smoking": {frozenset(("smokes", "none"))},
    "alcohol": {frozenset(("drinks", "none"))},
}  # fmt: skip
"""Whichever was said first."""
_ENDS = {
    ("birth", "given"): {"pregnant"},
    ("studies", "graduated"): {"student"},
    ("work", "none"): {"has", "started"},
    ("work", "retired"): {"has", "started", "none"},
    ("work", "has"): {"none"},
    ("work", "started"): {"none"},
    ("thing", "gone"): {"has"},
}
"""What a newer one ends, and is not ended by."""
SUBJECT = re.compile(
    r"(?:kullanicinin (?P<kin_tr>annesi|babasi|esi|kocasi|karisi)(?:nin)?"
    r"|(?:ben|benim )?(?P<kin_me>annem|babam|esim|kocam|karim)(?:in)?"
    r"|(?:the user's|user's|my) (?P<kin_en>mother|father|wife|husband|spouse)(?:'s)?"
    r"|kullanici(?:nin)?|(?:the )?user(?:'s)?|ben(?:im)?|i(?:'m|'ve)?)(?= |$)"
)
_KIN = {
    "annesi": "mother", "annem": "mother", "babasi": "father", "babam": "father",
    "kocasi": "husband", "kocam": "husband", "karisi": "wife", "karim": "wife", "esi": "spouse",
    "esim": "spouse",
}  # fmt: skip
"""Of whom there is one: a brother who moved may be another one than the brother who lives here."""
_MONTHS = (
    "ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|january|february"
    "|march|april|may|june|july|august|september|october|november|december"
)
_NOW = re.compile(
    r"\b(?:artik|simdi|su an(?:da)?|su siralar|yeniden|tekrar|yine|halen|hala|halihazirda|sonunda"
    r"|yeni|gecenlerde|kisa sure once"
    r"|now|again|currently|recently|just|nowadays|these days|finally|still|anymore|any more|newly"
    r"|presently|at the moment)(?= |$)"
)
"""Tells no more than that it is so."""
_WHEN = re.compile(
    r"\b(?:bu (?:ay|yil|hafta|yaz|kis|bahar)|gecen (?:ay|yil|sene|hafta|yaz|kis|bahar|sonbahar)"
    r"|(?:bir|iki|uc|\d+) (?:ay|yil|hafta|gun) once"
    r"|(?:bir|iki|uc|dort|bes|on|yirmi|\d+) (?:yildir|aydir|senedir)|\d{4}'?(?:te|ta|de|da)n? beri"
    rf"|\d{{4}}'?(?:te|ta|de|da)|(?:{_MONTHS})'?(?:ta|te|da|de)(?:n beri)?"
    rf"|last (?:week|month|year|spring|summer|autumn|fall|winter|{_MONTHS})"
    r"|this (?:week|month|year|spring|summer|autumn|fall|winter)"
    r"|(?:a|one|two|three|\d+) (?:days?|weeks?|months?|years?) ago"
    r"|(?:for|since) (?:(?:a|an|one|two|three|four|five|ten|\d+) )?(?:years?|months?|\d{4})"
    rf"|in (?:{_MONTHS})(?: \d{{4}})?|in \d{{4}})(?= |$)"
)
_ASIDE = re.compile(
    r"\b(?:yari zamanli|hafta son|haftason|part[- ]time|weekend|aksam|gece|yazlari|kislari|ek is"
    r"|summers?|winters?|sometimes|bazen|gonullu|volunteer|night|evenings?|project|thesis|tez\w*)"
)
"""What somebody does besides."""
_WITH = re.compile(r" to \w+$| ile |'y?l[ae] ")
_FROM = re.compile(r"\bfrom \w+|\w'?[dt][ae]n ")
_NEVER = re.compile(r"(?!)")
_ASIDE_OF = defaultdict(lambda: _NEVER, {"marriage": _WITH, "home": _FROM})
"""What a sentence of a kind may tell besides: whom somebody married, where they moved from."""
_SAID_OF = {"moved": "lives", "started": "has", "became": "is"}
_BECAME = re.compile(r"^\w+ ol(?:du|mus)$")
_DIED = re.compile(r"(?i)öl(?:dü|müş)")
""""Köpeği oldu" is folded as "köpeği öldü" is."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SHORTEST_ALIKE = 3


class State(NamedTuple):
    kind: str
    value: str
    whose: str
    """Empty: the user's; otherwise of whom there is one."""
    word: str
    """The place, the profession or the thing, folded."""
    has_changed: bool
    tells_more: bool
    """Since when, say, or to whom."""
    has_year: bool
    """Told as something that happened then."""

    def ends(self, older: "State") -> bool:
        """Whether both cannot be so, and this was said later."""
        is_past = self.has_year and older.has_year  # both were so, each at its time
        if is_past or (self.kind, self.whose) != (older.kind, older.whose):
            return False
        if older.value in _ENDS.get((self.kind, self.value), ()):
            return self.kind != "thing" or _is_alike(self.word, older.word)
        if frozenset((self.value, older.value)) in _EXCLUDE.get(self.kind, ()):
            return True
        if self.kind == "level":
            return _is_alike(self.word, older.word) and are_apart(self.value, older.value)
        return self._is_elsewhere(older)

    def _is_elsewhere(self, older: "State") -> bool:
        if not self.word or not older.word or _is_alike(self.word, older.word):
            return False
        match self.kind:
            case "home":
                towns = {_bare(self.word), _bare(older.word)} & CITIES
                # Of two moves that are told with when or where from, each was once.
                is_told_apart = self.value == older.value == "moved" and older.tells_more
                has_moved = self.value == "moved" or self.has_changed
                is_known = len(towns) > 1 or (has_moved and not towns)
                return is_known and not is_told_apart
            case "role":
                return self.has_changed or self.value == "became"
            case _:
                return self.value == "started" or (self.kind == "work" and self.has_changed)

    def goes_on(self, older: "State") -> bool:
        """Whether it tells the same once more, with another day, or one more thing, beside it."""
        return self.is_same(older) and not (self.has_year and older.has_year)

    def is_same(self, other: "State") -> bool:
        """Whether both say that it is so, apart from what they tell besides."""
        ours, theirs = (_SAID_OF.get(one.value, one.value) for one in (self, other))
        if (self.kind, ours, self.whose) != (other.kind, theirs, other.whose):
            return False
        if self.word or other.word:
            return bool(self.word and other.word) and _is_alike(self.word, other.word)
        return ours not in _SAID_OF.values()


def states(text: str, *, has_changed: bool = False) -> list[State]:
    """All that a sentence can be read as; empty where it says more than one of them.

    `has_changed`: the user said that it is so now.
    """
    return [one._replace(has_changed=one.has_changed or has_changed) for one in _states(text)]


def looked_up_by(text: str) -> Sequence[str]:
    """Beginnings of words by which facts of the same kinds are found."""
    kinds = dict.fromkeys(one.kind for one in states(text))
    return [word for kind in kinds for word in LOOKED_UP[kind].split()]


def _states(text: str) -> Iterator[State]:
    line = " ".join(fold(text).strip(" .!\n").split())
    subject = SUBJECT.match(line)
    kin = next(filter(None, subject.groups()), "") if subject else ""
    line = line[subject.end() :].strip() if subject else line
    line = " ".join(_NOW.sub(" ", line).replace(",", " ").split())
    bare = " ".join(_WHEN.sub(" ", line).split())
    if _ASIDE.search(bare):
        return
    for (kind, value), patterns in _PATTERNS.items():
        found = next(filter(None, (one.fullmatch(bare) for one in patterns)), None)
        if found is None:
            continue
        named = found.groupdict()
        word = (named.get("place") or (named.get("role") if kind == "role" else "")) or ""
        level = named.get("level") or ""
        if kind == "role" and word not in PROFESSIONS:
            continue
        if kind == "thing" and _BECAME.search(bare) and not _DIED.search(text):
            continue
        tells_more = bare != line or _ASIDE_OF[kind].search(bare) is not None
        if kind != "thing" and is_housing(word):
            continue
        changed, has_year = says_changed(text), _YEAR.search(line) is not None
        yield State(
            kind,
            value or LEVELS.get(level, level),
            _KIN.get(kin, kin),
            word,
            changed,
            tells_more,
            has_year,
        )


def are_apart(level: str, other: str) -> bool:
    """Whether two levels of a language cannot both be right: C1 is advanced as well."""
    return level[:1] != other[:1] or (len(level) == len(other) and level != other)


def _is_alike(one: str, other: str) -> bool:
    first, second = sorted((_bare(one), _bare(other)), key=len)
    return len(first) >= _SHORTEST_ALIKE and second.startswith(first[: max(3, len(first) - 1)])


def _bare(place: str) -> str:
    return re.sub(r"^(?:an?|the|bir) ", "", place).strip(" '")
