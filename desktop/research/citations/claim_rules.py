"""What rules alone find of the claims of an answer: where they are, and what to warn of.

A claim is a sentence or clause that carries a citation mark. A warning names what it has and its
passages lack. The rules never clear a claim: a text with the same words may say the opposite. They
compare numbers, dates, names and negation, and are silent in doubt.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from desktop.domain.claims import ClaimWarning, WarningKind
from desktop.domain.language import Language
from desktop.language.keywords_and_stems import FUNCTION_WORDS, guess_language, keys
from desktop.language.links import CITE_MARK
from desktop.language.normalization import folded_key, word_texts
from desktop.language.sentences import LINE_LEAD, names, plain_text, sentences
from desktop.research.citations.claim_figures import missing_figures
from desktop.research.passages import Passage

_MARKS = re.compile(r"(?:[ \t]*\[(?:\d{1,3}|\?)\](?!\())+")
_CODE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(`+)(?:(?!\2).)*\2")
_LINE = re.compile(r"[^\n]+")
_JOINT = re.compile(r"\s*(?:[,;:–—]|\.\s|(?P<word>\w+)\b)")
_JOINS = frozenset(
    word_texts("ve ama fakat ancak oysa ise iken and but while whereas although however yet or")
)
_FEWEST_WORDS = 3  # Of a clause that is a claim of its own
_Span = tuple[int, int]


class AnswerClaim(NamedTuple):
    """A claim with its marks, as a span of the answer."""

    text: str  # One line of plain text, without marks
    start: int
    end: int
    numbers: tuple[int, ...]  # Of its citations, as the answer shows them


def split_claims(answer: str, numbers: Container[int]) -> list[AnswerClaim]:
    """Return the claims in order. `numbers`: the citations that the answer has.

    A list of sources, whose lines begin with marks, has no claims.
    """
    prose = _CODE.sub(lambda code: " " * len(code[0]), answer)
    claims: list[AnswerClaim] = []
    for start, end in _units(prose):
        for first, last in _clauses(prose, start, end):
            marks = dict.fromkeys(int(mark[1]) for mark in CITE_MARK.finditer(prose, first, last))
            cited = tuple(number for number in marks if number in numbers)
            text = plain_text(LINE_LEAD.sub("", _MARKS.sub("", answer[first:last]), count=1))
            text = text.strip(" ,;–—|")
            if cited and any(map(str.isalpha, text)):
                claims.append(AnswerClaim(text, first, last, cited))
    return claims


def _units(prose: str) -> Iterator[_Span]:
    """Yield the sentences, and the lines that are none, if they have a mark."""
    spans = [(sentence.start, sentence.end) for sentence in sentences(prose)]
    spans = _with_trailing_marks(prose, spans)
    for start, end in sorted([*spans, *_lines_outside(prose, spans)]):
        if CITE_MARK.search(prose, start, end) and not _is_reference(prose, start, end):
            yield start, end


def _with_trailing_marks(prose: str, spans: Sequence[_Span]) -> list[_Span]:
    """Give marks that follow a sentence to it: "It is so. [1] So it goes on."."""
    moved: list[_Span] = []
    for start, end in spans:
        marks = _MARKS.match(prose, start, end)
        if marks and moved and not prose[moved[-1][1] : start].strip(" \t"):
            moved[-1] = (moved[-1][0], marks.end())
            moved.append((_skip(" \t\n", prose, marks.end(), end), end))
        else:
            moved.append((start, end))
    moved = [(start, end) for start, end in moved if start < end]
    for place, (start, end) in enumerate(moved):
        following = moved[place + 1][0] if place + 1 < len(moved) else len(prose)
        if marks := _MARKS.match(prose, end, following):
            moved[place] = (start, marks.end())
    return moved


def _lines_outside(prose: str, spans: Sequence[_Span]) -> Iterator[_Span]:
    """Yield the lines that no sentence touches: list items and rows of tables."""
    for line in _LINE.finditer(prose):
        if not any(start < line.end() and line.start() < end for start, end in spans):
            yield line.span()


def _is_reference(prose: str, start: int, end: int) -> bool:
    """Whether it begins its line with marks, as the lines of a list of sources do."""
    lead = LINE_LEAD.match(prose, prose.rfind("\n", 0, start) + 1, end)
    begins = lead.end() if lead else start
    return begins >= start - 1 and _MARKS.match(prose, max(begins, start), end) is not None


def _clauses(prose: str, start: int, end: int) -> Iterator[_Span]:
    """Yield the clauses that have marks of their own; else the whole span."""
    first = start
    for marks in _MARKS.finditer(prose, start, end):
        is_clause = len(prose[first : marks.start()].split()) >= _FEWEST_WORDS
        if is_clause and CITE_MARK.search(marks[0]) and _begins_a_clause(prose, marks.end(), end):
            yield first, marks.end()
            first = _skip(" \t,;:–—", prose, marks.end(), end)
    if CITE_MARK.search(prose, first, end):
        yield first, end


def _begins_a_clause(prose: str, at: int, end: int) -> bool:
    joint = _JOINT.match(prose, at, end)
    if joint is None or len(prose[at:end].split()) < _FEWEST_WORDS:
        return False
    return joint["word"] is None or folded_key(joint["word"]) in _JOINS


def _skip(letters: str, prose: str, start: int, end: int) -> int:
    return end - len(prose[start:end].lstrip(letters))


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
