"""Whether a fact rests on the user's own words: they must stand in a message, and say it.

What a user pasted, quoted or wants worked on is not the user's word, nor is what they ask, deny,
want forgotten or kept out, or say of somebody else, nor anything the assistant said, unless the
user confirmed it in the very next message.
"""

import re
from collections.abc import Sequence
from itertools import islice

from desktop.domain.facts import ProposedFact, Support
from desktop.domain.messages import Message, Role
from desktop.language.hearing.forgetting import asks_to_forget
from desktop.language.hearing.keeping import asks_in_lead
from desktop.language.hearing.keeping_out import keeps_out
from desktop.language.hearing.phrases import PhraseLists
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.normalization import fold, words
from desktop.language.sentences import sentences
from desktop.language.stopwords import StopWords
from desktop.memory.numbers.number_words import claims_only, told_numbers
from desktop.memory.sentences.about_whom import is_of_another
from desktop.memory.sentences.clauses import Clause, clause_around, is_asked, speaks_against
from desktop.memory.sentences.confirming import confirms
from desktop.memory.sentences.own_words import own_words
from desktop.memory.sentences.supposing import is_supposed

_WORD = re.compile(r"[^\W_]+")
_LEAST_LETTERS = 2
_MOST_PLACES = 10
"""Of one message where the same words stand."""


def find_support(
    proposed: ProposedFact, messages: Sequence[Message], phrases: PhraseLists
) -> Support | None:
    """The newest place where the user says the quoted words, and they say the fact."""
    pattern = _anywhere(proposed.quote)
    if pattern is None:
        return None
    told = _terms(f"{proposed.quote} {proposed.content}", phrases.stop_words)
    is_unwanted = False
    for place in reversed(range(len(messages))):
        message = messages[place]
        if message.role is not Role.USER:
            continue
        kept_out = keeps_out(message.content, phrases)
        if wish := kept_out or asks_to_forget(message.content, phrases):
            if _is_named(wish.words, told, phrases.stop_words):
                return None  # It was said before that it is to be forgotten.
        elif is_unwanted:
            pass  # The message behind it says no more than that it is to be kept out.
        elif found := _said_in(message, messages[:place], pattern, proposed, phrases):
            return found
        is_unwanted = kept_out is not None and kept_out.is_alone
    return None


def _said_in(
    message: Message,
    earlier: Sequence[Message],
    pattern: re.Pattern[str],
    proposed: ProposedFact,
    phrases: PhraseLists,
) -> Support | None:
    own = own_words(message.content, lambda lead: asks_in_lead(lead, phrases))
    for found in islice(pattern.finditer(own), _MOST_PLACES):
        clause = clause_around(own, *found.span())
        if _is_to_be_forgotten(message.content, found.start(), phrases):
            continue
        before = earlier[-1] if earlier and not clause.ends_in_question else None
        if _supports(proposed, clause, message, before, phrases):
            return Support(message.id, found.start(), found.end() - found.start())
    return None


def _supports(
    proposed: ProposedFact,
    clause: Clause,
    message: Message,
    before: Message | None,
    phrases: PhraseLists,
) -> bool:
    if is_asked(clause):
        return False  # Who asks whether it is so has not said that it is.
    said = _terms(proposed.content, phrases.stop_words)
    is_counted = any(letter.isdigit() for letter in proposed.content)
    tells_number = is_counted and claims_only(proposed.content, told_numbers(clause.quote))
    if tells_number or said & _terms(clause.quote, phrases.stop_words):
        is_said = (
            claims_only(proposed.content, told_numbers(clause.whole))
            and not is_supposed(proposed.content, clause)
            and not speaks_against(proposed.content, clause, phrases.stop_words)
            and not is_of_another(proposed.content, clause, message.content)
        )
        if is_said:
            return True
    if before is None or before.role is not Role.ASSISTANT:
        return False
    told = told_numbers(f"{clause.whole} {fold(before.content)}")
    is_about_it = not said.isdisjoint(_terms(before.content, phrases.stop_words))
    return (
        is_about_it
        and claims_only(proposed.content, told)
        and confirms(clause.quote, proposed, before, phrases)
    )


def _is_to_be_forgotten(text: str, at: int, phrases: PhraseLists) -> bool:
    """Whether words stand in a request to forget: "forget that I live in Lisbon"."""
    around = [one.text for one in sentences(text) if one.start <= at < one.end]
    return any(asks_to_forget(one, phrases) for one in around)


def says_forgotten(
    proposed: ProposedFact, forgotten: Sequence[str], stop_words: StopWords
) -> bool:
    """Whether a fact rests on what a deleted one rested on, said once more, or goes back to it.

    It says so beyond the words it quotes, or quotes nothing but what was said there.
    """
    quoted = _terms(proposed.quote, stop_words)
    beyond = _terms(proposed.content, stop_words) - quoted
    return any(
        beyond & theirs or (quoted and quoted <= theirs)
        for theirs in (_terms(words_, stop_words) for words_ in forgotten)
    )


def _is_named(unwanted: str, told: set[str], stop_words: StopWords) -> bool:
    """Whether each word of what is not wanted, in whatever form, is told."""
    named = content_words(unwanted, stop_words)
    return bool(named) and all(not told.isdisjoint(keys(word.text)) for word in named)


def _anywhere(quote: str) -> re.Pattern[str] | None:
    """The words of a quote in a row, whatever stands between them; letters are folded."""
    said = _WORD.findall(fold(quote))
    if sum(map(len, said)) < _LEAST_LETTERS:
        return None
    return re.compile(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, said)) + r"(?!\w)")


def _terms(text: str, stop_words: StopWords) -> set[str]:
    """What a text shares with its relatives: the stems of its words, and its numbers."""
    shared = {key for word in content_words(text, stop_words) for key in keys(word.text)}
    return shared | {word.text for word in words(text) if word.text.isdigit()}
