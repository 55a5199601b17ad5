"""Finds the topics of a conversation: its key phrases, or its noun phrases where it is Turkish.

A Turkish clause is cut where its noun phrases end: at a case, at the possessive of a compound
("bel fıtığı"), before a name, at a verb. A phrase counts by its stems, and more if it is a
compound or the user's own. It is shown in a nominative that somebody wrote, or else in the
beginning that its forms share.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import log2
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.describing.base_forms import (
    CASES,
    HARD_ENDS,
    STILL_INFLECTED,
    has_verb_form,
    is_owned,
    is_surely_owned,
    ranks,
    rarity,
    shorter_forms,
    without_case,
    without_person,
    without_pronominal,
)
from desktop.language.describing.keyphrases import (
    Stems,
    Topic,
    find_key_phrases,
    lowered,
    readable,
    shown_form,
)
from desktop.language.describing.turkish_tokens import (
    ARTICLE,
    Token,
    ends_sentence,
    mark_adjectives,
    mark_names,
    read_tokens,
)
from desktop.language.keywords_and_stems import QUESTION_WORDS, StopWords, strip_suffixes
from desktop.language.normalization import fold

_SHORTEST, _SHORTEST_TOPIC = 3, 4  # Letters of a word, and of a topic that is no name
_LONG = 5
_PLURALS = ("lar", "ler", "lara", "lere", "larla", "lerle", "larin", "lerin")
_CASES = frozenset((*CASES, *"aeiu", "in", "un", *_PLURALS, "lari", "leri"))
_ADJECTIVES = ("li", "lu", "siz", "suz", "sal", "sel")
_INFINITIVES, _WISHES = ("mak", "mek"), ("ist", "icin", "gerek", "zorun")
_IMPERATIVES = ("yin", "yun")
_PARTICIPLES = ("an", "en", "mis", "mus")
_AFTER_SUBJECTS = frozenset(["mi", "mu", "ne", "var", "yok", "ve", "da", "de", "ile", "nedir"])
"""What follows a possessive; before any other such word it is rather an object: "suyu içer"."""
_SOFTENED = (("g", "k"), ("b", "p"), ("d", "t"))
_OF_NOUN = ("gi", "gu", "gin", "gun", "ge", "ga", "ler", "lar")
_ASKS = frozenset(("mi", "mu"))
_LONGEST = 3
_PER_WORD = {1: 1.0, 2: 2.0, 3: 2.4}
_FIRST_WEIGHT, _USER_WEIGHT, _OTHER_WEIGHT, _BOLD_WEIGHT = 3.0, 2.0, 1.0, 1.5
_MODIFIER_SHARE = 0.6
_COMPOUND_BONUS, _NAME_BONUS, _ASKED_BONUS = 1.5, 1.6, 1.5
_ONCE_MALUS, _DOUBTFUL_MALUS, _INFLECTED_MALUS = 0.6, 0.4, 0.25
_FILLS_MALUS = 0.05  # Of what is only a topic where there are hardly any
_STANDS_IN = 0.45
"""How good a longer phrase must be to replace the one that it contains."""
_MOST, _FEWEST, _LEAST_SCORE = 7, 3, 3.3


def find_topics(
    messages: Sequence[tuple[str, str]], language: Language, stop_words: StopWords
) -> list[Topic]:
    """Return up to seven phrases of one to three words, what the session is about first."""
    if language is Language.EN:
        return find_key_phrases(messages, stop_words)
    return _Conversation.read(messages, stop_words).topics()


class _Part(NamedTuple):
    text: str
    tokens: list[Token]
    weight: float


class _Chunk(NamedTuple):
    tokens: list[Token]
    after: str


@dataclass(slots=True)
class _Candidate:
    """A phrase, and how it is used."""

    stems: Stems
    order: int  # In which it was first read
    weight: float = 0.0
    times: int = 0
    messages: set[int] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)
    words: set[str] = field(default_factory=set)  # As written, of a single word
    compounds: int = 0  # How often it ends in a possessive
    objects: int = 0  # How often that may be the accusative of an object instead
    cased: int = 0  # How often it has a case
    names: int = 0  # How often each word has a capital, or an apostrophe
    capitals: float = 0.0  # Above 0 if it mostly begins with one in mid-sentence
    smalls: int = 0  # How often it begins without one
    asked: int = 0  # How often a question word follows
    heads: int = 0  # How often it ends a phrase, as no adjective does
    is_modifier: bool = False

    def add(self, place: int, weight: float) -> None:
        self.times += 1
        self.weight += weight
        self.messages.add(place)

    @property
    def is_name(self) -> bool:
        return self.names * 2 > self.times


@dataclass(frozen=True, slots=True)
class _Conversation:
    parts: list[_Part]
    written: dict[str, str]
    """All words, folded, as somebody wrote them."""
    answered: frozenset[str]
    """Those of the answers with fewer and fewer endings: "my" stands in none of them."""
    inflected: frozenset[str]
    """Words that are there with an ending, too."""
    last: frozenset[str]
    """Stems that end sentences."""
    only_last: frozenset[str]
    """Stems that only end sentences: verbs and predicates."""
    counts: Counter[str]

    @classmethod
    def read(cls, messages: Sequence[tuple[str, str]], stop_words: StopWords) -> "_Conversation":
        parts: list[_Part] = []
        is_asked = False
        for role, text in readable(messages):
            weight = _OTHER_WEIGHT
            if role == "user":
                weight, is_asked = _USER_WEIGHT if is_asked else _FIRST_WEIGHT, True
            parts.append(_Part(text, read_tokens(text, stop_words), weight))
        tokens = [token for part in parts for token in part.tokens]
        mark_adjectives(tokens)
        mark_names(tokens)
        last = {t.stem for part in parts for t in part.tokens if ends_sentence(t, part.text)}
        elsewhere = {
            t.stem for part in parts for t in part.tokens if not ends_sentence(t, part.text)
        }
        return cls(
            parts=parts,
            written={token.word: token.text for token in tokens},
            answered=frozenset(
                form
                for part in parts
                if part.weight == _OTHER_WEIGHT
                for token in part.tokens
                for form in (token.word, *shorter_forms(token.word))
            ),
            inflected=frozenset(form for token in tokens for form in shorter_forms(token.word)),
            last=frozenset(last),
            only_last=frozenset(last - elsewhere),
            counts=Counter(token.word for token in tokens),
        )

    def topics(self) -> list[Topic]:
        candidates: dict[Stems, _Candidate] = {}
        for place, part in enumerate(self.parts):
            for chunk in self._chunks(part.tokens):
                self._count(chunk, place, candidates)
        topics = [self._topic(candidate, candidates) for candidate in candidates.values()]
        order = {topic.stems: candidates[topic.stems].order for topic in topics}
        topics.sort(key=lambda topic: (-topic.score, order[topic.stems]))
        first = next((topic for topic in topics if self._is_asked(candidates[topic.stems])), None)
        return _choose([first, *topics] if first else topics)

    def _is_asked(self, candidate: _Candidate) -> bool:
        return any(self.parts[place].weight == _FIRST_WEIGHT for place in candidate.messages)

    def _chunks(self, tokens: Sequence[Token]) -> Iterator[_Chunk]:
        chunk: list[Token] = []
        breaks = [token.is_stop or self._is_verb(token) for token in tokens]
        for place, token in enumerate(tokens):
            if breaks[place]:
                continue
            chunk.append(token)
            following = tokens[place + 1] if token.after else None
            is_last = following is None or breaks[place + 1] or self._ends_phrase(token, chunk)
            if is_last or (following and following.is_name and not token.is_name):
                yield _Chunk(chunk, token.after)
                chunk = []

    def _is_verb(self, token: Token) -> bool:
        """Whether it is a verb or a predicate: "mercimek" is none where there is "mercimeği"."""
        word = token.word
        if token.is_name and not token.is_first:
            return False
        is_noun = word[-1] == "k" and any(f"{word[:-1]}{end}" in self.written for end in _OF_NOUN)
        is_unknown = word not in ranks()
        if word.endswith(_INFINITIVES) and (token.after.startswith(_WISHES) or is_unknown):
            return not is_noun
        if token.after in _ASKS and self.counts[word] == 1:
            return True  # "pahalı mı"
        return (has_verb_form(word) and not is_noun) or (
            is_unknown and self._is_used_as_verb(token)
        )

    def _is_used_as_verb(self, token: Token) -> bool:
        word = token.word
        if token.stem in self.only_last or (len(word) > _LONG and word.endswith(_IMPERATIVES)):
            return True
        is_participle = word.endswith(_PARTICIPLES)
        is_aorist = word[-1] == "r" and token.stem in self.last
        # A noun is there with a case, too.
        return len(word) >= _LONG and (is_participle or is_aorist) and word not in self.inflected

    def _ends_phrase(self, token: Token, chunk: Sequence[Token]) -> bool:
        word = token.word
        if token.is_name:
            return token.is_before_apostrophe
        if word.endswith(_ADJECTIVES):
            return token.is_adjective
        if is_owned(word):
            # "diş eti iltihabı": the owner is a compound itself.
            return not (chunk[1:] and is_owned(token.after))
        is_case = STILL_INFLECTED.fullmatch(word) or word.endswith((*_PLURALS, "in", "un"))
        if is_case and word not in ranks():
            return True
        return self._nominative(token.text, token, is_compound=False) != token.text

    def _count(self, chunk: _Chunk, place: int, candidates: dict[Stems, _Candidate]) -> None:
        part, tokens = self.parts[place], chunk.tokens
        for token in tokens[:-1]:
            if not token.is_weak:
                single = _candidate_of((token,), candidates)
                single.add(place, part.weight * _MODIFIER_SHARE)
                single.forms[token.text] += 1
                single.words.add(token.word)
                single.is_modifier = True
        names = [*takewhile(lambda token: token.is_name, tokens)]
        if 1 < len(names) < len(tokens):  # "Kara Kitap romanı"
            self._count_phrases(chunk._replace(tokens=names, after=""), place, candidates, least=2)
        if chunk.after != ARTICLE:  # "makul bir tutar": an adjective
            self._count_phrases(chunk, place, candidates)

    def _count_phrases(
        self, chunk: _Chunk, place: int, candidates: dict[Stems, _Candidate], *, least: int = 1
    ) -> None:
        """Count what ends as the chunk does, from the shortest phrase to the longest."""
        text, _, role_weight = self.parts[place]
        tokens, last = chunk.tokens, chunk.tokens[-1]
        is_compound = is_owned(last.word) or bool(without_pronominal(last.word))
        is_compound &= not last.is_before_apostrophe
        # "Fatih gemileri karadan": rather an object, if it is not there again.
        is_object = is_compound and is_owned(last.word) and not is_surely_owned(last.word)
        is_object &= bool(chunk.after) and chunk.after not in _AFTER_SUBJECTS
        weight = role_weight + _BOLD_WEIGHT * last.is_bold
        for length in range(least, min(_LONGEST, len(tokens)) + 1):
            phrase = tokens[-length:]
            is_part = length > 1 and is_owned(phrase[0].word) and not phrase[0].is_name
            if phrase[0].is_weak or is_part:
                continue
            candidate = _candidate_of(phrase, candidates)
            candidate.add(place, weight)
            written = shown_form(text[phrase[0].start : last.end])
            shown = self._nominative(written, last, is_compound=is_compound)
            candidate.forms[shown] += 1
            candidate.heads += 1
            candidate.names += all(token.is_name for token in phrase)
            candidate.capitals += _capital_weight(phrase[0], role_weight)
            candidate.smalls += phrase[0].text[0].islower()
            is_asked = chunk.after in QUESTION_WORDS - _ASKS and not is_owned(last.word)
            candidate.asked += is_asked
            is_mine = self._impersonal(*written.rpartition(" ")[::2], last.word) is not None
            candidate.cased += written != shown and not is_mine
            if length == 1:
                candidate.words.add(last.word)
            else:
                candidate.compounds += is_compound and not is_object
                candidate.objects += is_object

    def _nominative(self, written: str, last: Token, *, is_compound: bool) -> str:
        if last.is_before_apostrophe or (last.is_name and not last.word.endswith(_PLURALS)):
            return written
        if last.is_adjective:
            return written[:-2]
        head, space, shown = written.rpartition(" ")
        word = last.word
        if (own := self._impersonal(head, shown, word)) is not None:
            return own
        if space and is_compound:
            return f"{head} {shown[: len(without_pronominal(word)) or None]}"
        for shorter in strip_suffixes(word, shortest=_SHORTEST):
            if shorter in self.written:
                return f"{head}{space}{self.written[shorter]}"
        return without_case(written, self.written)

    def _impersonal(self, head: str, shown: str, word: str) -> str | None:
        """Return "bel fıtığı" of "bel fıtığım", or None if it is not said to be anybody's."""
        longer = (form for form in shorter_forms(word) if form.endswith("m"))
        if (
            word in ranks()
            or word in self.answered
            or any(form in self.written for form in longer)
        ):
            return None
        base, space = without_person(shown, self.written), " " if head else ""
        if not base and head and word.endswith(("im", "um")):
            return f"{head} {shown[:-1]}"
        if not base:
            return None
        owned = word[: len(base) + 1]
        is_known = bool(head) and owned in self.written and owned[-1] in "iu"
        return f"{head}{space}{shown[: len(base) + 1] if is_known else base}"

    def _topic(self, candidate: _Candidate, others: dict[Stems, _Candidate]) -> Topic:
        score = candidate.weight * log2(1 + len(candidate.messages))
        score *= _PER_WORD[len(candidate.stems)]
        text = min(
            candidate.forms,
            key=lambda form: (
                candidate.capitals > 0 and not form[0].isupper(),
                len(form),
                -candidate.forms[form],
            ),
        )
        if candidate.stems[1:]:
            score *= self._worth_of_phrase(candidate, others)
        else:
            text = self._shared_form(candidate, text)
            score *= self._worth_of_word(candidate, fold(text))
        if not candidate.is_name:
            score *= rarity(text, Language.TR)
            if len(text) < _SHORTEST_TOPIC:
                score *= _INFLECTED_MALUS
        if candidate.capitals <= 0 and candidate.smalls:
            text = lowered(text, Language.TR)
        return Topic(text, candidate.stems, score, is_name=candidate.capitals > 0)

    def _worth_of_phrase(self, candidate: _Candidate, others: dict[Stems, _Candidate]) -> float:
        is_once, is_asked = candidate.times == 1, self._is_asked(candidate)
        is_compound = candidate.compounds or candidate.objects > 1
        is_sure = is_compound or candidate.names
        if is_once and not is_sure and (candidate.objects or candidate.cased or not is_asked):
            return 0.0
        worth = _ONCE_MALUS if is_once and not is_sure else 1.0
        if is_compound:
            worth *= _COMPOUND_BONUS
        elif candidate.names:
            worth *= _NAME_BONUS
        elif STILL_INFLECTED.fullmatch(fold(min(candidate.forms, key=len).rpartition(" ")[2])):
            worth *= _INFLECTED_MALUS
        if is_once and len(candidate.stems) == _LONGEST:
            pair = others.get(candidate.stems[:2])
            worth *= 1.0 if pair and pair.times > 1 else _ONCE_MALUS
        return worth

    def _worth_of_word(self, candidate: _Candidate, word: str) -> float:
        is_asked = self._is_asked(candidate)
        if not candidate.heads:
            return 0.0
        worth = 1.0 if is_asked or candidate.times > 1 else _FILLS_MALUS
        if candidate.asked:
            worth *= _ASKED_BONUS
        elif not (candidate.names or candidate.is_modifier or len(candidate.words) > 1):
            worth *= _DOUBTFUL_MALUS  # an adverb or a predicate is never inflected
        if len(candidate.messages) == 1 and not is_asked:
            worth *= _DOUBTFUL_MALUS
        is_inflected = STILL_INFLECTED.fullmatch(word) or (is_owned(word) and word not in ranks())
        return worth * (_INFLECTED_MALUS if is_inflected and not candidate.names else 1.0)

    def _shared_form(self, candidate: _Candidate, text: str) -> str:
        """Return "hamur" of "hamuru" and "hamurun", if nobody wrote the word itself."""
        pairs = zip(min(candidate.words), max(candidate.words), strict=False)
        shared = "".join(letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if shared[:-1].endswith(("i", "u")) and shared[-1] == "n" and shared not in ranks():
            shared = shared[:-1]  # of "dışına" and "dışında"
        is_written = fold(text) in candidate.words and fold(text)[len(shared) :] not in _CASES
        if candidate.names or is_written or not _SHORTEST <= len(shared) < len(text):
            return text
        following = {word[len(shared) : len(shared) + 1] for word in candidate.words}
        if hard := next((hard for soft, hard in _SOFTENED if following <= {soft, hard}), ""):
            return f"{text[: len(shared)]}{hard}"  # of "parmakları" and "parmağı"
        base = text[: len(shared)]
        return base[:-1] + HARD_ENDS.get(base[-1], base[-1])


def _candidate_of(phrase: Sequence[Token], candidates: dict[Stems, _Candidate]) -> _Candidate:
    stems = tuple(token.stem for token in phrase)
    return candidates.setdefault(stems, _Candidate(stems, len(candidates)))


def _capital_weight(first: Token, weight: float) -> float:
    """Return what a token says of its capital; users begin few names with one."""
    if first.is_name:
        return 1.0
    return 0.0 if first.is_first else -1.0 if weight < _USER_WEIGHT else -0.5


def _choose(topics: Sequence[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    for topic in topics:
        if len(chosen) >= _MOST or topic.score <= 0:
            break
        if topic.score < _LEAST_SCORE and len(chosen) >= _FEWEST:
            break
        stems = set(topic.stems)
        shorter = [other for other in chosen if set(other.stems) < stems]
        if shorter and topic.score >= _STANDS_IN * shorter[0].score:
            chosen[chosen.index(shorter[0])] = topic
            chosen = [other for other in chosen if other not in shorter[1:]]
        elif not shorter and not any(_overlaps(topic.stems, other.stems) for other in chosen):
            chosen.append(topic)
    return chosen


def _overlaps(phrase: Stems, other: Stems) -> bool:
    """Whether a phrase is part of the other, or begins where it ends."""
    return set(phrase) <= set(other) or phrase[-1] == other[0] or other[-1] == phrase[0]
