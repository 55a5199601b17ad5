"""Warns, by rules alone, of what a claim has and its passages lack.

The rules never clear a claim: a text with the same words may say the opposite. They compare
numbers, dates, names and negation, and are silent in doubt.
"""

import re
from collections.abc import Iterator, Sequence

from desktop.domain.claims import ClaimWarning, WarningKind
from desktop.domain.language import Language
from desktop.language.keywords_and_stems import FUNCTION_WORDS, guess_language, keys
from desktop.language.normalization import folded_key, word_texts
from desktop.language.proper_nouns import names
from desktop.language.sentences import plain_text, sentences
from desktop.research.citations.claim_figures import missing_figures
from desktop.research.passages import Passage

_LEAST_REPEATED = 3  # Words besides the subject
_NEAREST = 2  # Sentences of a passage in which a negation is looked for
_SHORTEST_STEM, _LONGEST_ENDING = 4, 4
_NEGATIVE_VERB = (
    r"[a-z]{2,}m[ae](?:d[iu]\w*|m[iu]s\w*|m[ae]k\w*|y[ae]n\w*|y[ae]c[ae]\w+|y[iu]p\w*|y[iu]nc\w+"
    r"|m[ae]l[iu]\w*|z(?:\b|l[ae]r\w*|d[iu]\w*|k[ae]n\w*|s[ae]\w*)|ks[iu]z\w*)"
    r"|[a-z]{2,}m[iu]yor\w*"
)
_NEGATES = re.compile(
    rf"\b(?:not|never|no|nor|none|neither|cannot|without|degil\w*|yok(?:tu\w*|tur|sa|mus\w*)?|asla"
    rf"|hicbir\w*|{_NEGATIVE_VERB})\b|n't\b"
)
"""In a claim: what is certainly a negation."""
_NEGATIVE = re.compile(
    r"\b(?:fail\w*|lack\w*|without|absen\w+|den(?:y|ied|ies)\w*|refus\w*|reject\w*|unable|un[a-z]{4,}"
    r"|in(?:eff|cap|suff|val|dep|acc|corr|comp|sign|sep|ab)\w*|im(?:poss|perf|mat)\w*|dis[a-z]{4,}"
    r"|non\w*|few|little|hardly|rarely|barely|only|nothing|nobody|nowhere|free of|stop\w*|ceas\w*"
    r"|end(?:ed|s)|avoid\w*|prevent\w*|prohibit\w*|ban\w*|forbid\w*|instead|rather than|contrary"
    r"|\w+less|still|yet|miss\w*|loss|lost|exclud\w*|except\w*|zero|\w+s[iu]z\w*|hic\w*|olumsuz\w*"
    r"|reddet\w*|redded\w*|basarisiz\w*|eksik\w*|engel\w*|yasak\w*|aksine|yerine|disinda|haric\w*"
    r"|sadece|yalniz\w*|henuz|kaldir\w*|son ver\w*|bosa|zor\w*|guc\w*|az\b|dusuk\w*|ne\b|kacin\w*"
    rf"|gayri|karsi\w*|bitti\w*|birak\w*|vazgec\w*|{_NEGATIVE_VERB}|[a-z]{{2,}}m[ae]d[ae]n)\b"
)
"""In a passage: what another writer may call by a negation."""
_NO_NEGATION = re.compile(
    r"\bno\. ?\d|\b(?:no|never|none)\b.*\bthan\b|\b(?:not only|no less|no sooner"
    r"|yok et\w*|yok ol\w*|yalnizca degil|degil (?:mi|ayni zamanda))\b"
)


def find_warnings(claim: str, passages: Sequence[Passage]) -> tuple[ClaimWarning, ...]:
    """Return what the claim has and none of the passages; nothing without a passage."""
    if not passages:
        return ()
    text = "\n".join(passage.stored for passage in passages)
    return (
        *missing_figures(claim, text),
        *_missing_names(claim, text, passages),
        *_missing_subject(claim, text, passages),
        *_missing_negation(claim, text),
    )


def _missing_names(claim: str, text: str, passages: Sequence[Passage]) -> Iterator[ClaimWarning]:
    """Yield names; titles count as part of the passages, as their texts often say "it"."""
    if _language(claim) is not _language(text):
        return  # Germany is Almanya there
    titles = " ".join(
        f"{passage.title} {passage.place.heading if passage.place else ''}" for passage in passages
    )
    whole = f"{text}\n{titles}"
    folded, there = folded_key(whole), frozenset(word_texts(whole))
    initials = _initials(whole)
    for name in names(claim):
        word = folded_key(name.text)
        is_number = any(map(str.isdigit, word))
        if is_number or word in FUNCTION_WORDS or word in folded or word in initials:
            continue
        if any(_is_related(word, other) for other in there) or _initials(name.text) & there:
            continue
        yield ClaimWarning(WarningKind.NAME, name.text)


def _missing_subject(claim: str, text: str, passages: Sequence[Passage]) -> Iterator[ClaimWarning]:
    """Yield the first word of a claim that else repeats a sentence with another subject."""
    first, *rest = word_texts(claim) or [""]
    others = [keys(word) for word in rest if word not in FUNCTION_WORDS]
    if first in FUNCTION_WORDS or len(others) < _LEAST_REPEATED:
        return
    whole = " ".join((text, *(passage.title for passage in passages)))
    there = word_texts(whole)
    if first in _initials(whole) or any(
        _is_related(first, word) or keys(first) & keys(word) for word in there
    ):
        return
    for sentence in sentences(text):
        said = frozenset[str]().union(*map(keys, word_texts(sentence.text)))
        if all(each & said for each in others):
            yield ClaimWarning(WarningKind.NAME, plain_text(claim).split()[0].rstrip(",;:"))
            return


def _is_related(name: str, word: str) -> bool:
    """Whether one may be a form of the other: "Fransız" and "Fransa"."""
    if len(word) < _SHORTEST_STEM:
        return False
    shared = max(_SHORTEST_STEM, min(len(name), len(word)) - _LONGEST_ENDING + 1)
    return name[:shared] == word[:shared] and min(len(name), len(word)) >= shared


def _initials(text: str) -> frozenset[str]:
    """Return the initials of each run of capitalised words: WHO for World Health Organization."""
    found: set[str] = set()
    run = ""
    for word in [*re.findall(r"[^\W\d_][\w’'-]*", text), "."]:
        if word[0].isupper():
            run += folded_key(word[0])
        elif word.lower() not in ("of", "the", "and", "ve", "for", "in"):
            found |= {run[at:end] for at in range(len(run)) for end in range(at + 2, len(run) + 1)}
            run = ""
    return frozenset(found)


def _missing_negation(claim: str, text: str) -> Iterator[ClaimWarning]:
    folded = _NO_NEGATION.sub(" ", folded_key(claim.replace("’", "'")))
    negation = _NEGATES.search(folded)
    if negation is None:
        return
    near = text if _language(claim) is not _language(text) else _nearest(claim, text)
    even = folded_key(near.replace("’", "'"))
    if not _NEGATES.search(even) and not _NEGATIVE.search(even):
        at = negation.start()
        same = len(folded) == len(claim)
        shown = claim[at : negation.end()] if same else negation[0]
        yield ClaimWarning(WarningKind.NEGATION, shown)


def _nearest(claim: str, text: str) -> str:
    """Return the sentences of the text that share most words with the claim, and those beside."""
    claim_keys = [keys(word) for word in word_texts(claim) if word not in FUNCTION_WORDS]
    pieces = [plain_text(sentence.text) for sentence in sentences(text)] or [text]

    def shared(piece: str) -> int:
        there = frozenset[str]().union(*(keys(word) for word in word_texts(piece)))
        return sum(bool(each & there) for each in claim_keys)

    ranked = sorted(range(len(pieces)), key=lambda at: -shared(pieces[at]))[:_NEAREST]
    return "\n".join(pieces[at] for at in ranked)


def _language(text: str) -> Language:
    return guess_language(text, Language.EN)
