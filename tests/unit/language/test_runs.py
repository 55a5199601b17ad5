"""Runs of words that nothing parts: read piece by piece, they are those of the text as a whole."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from desktop.domain.language import Language
from desktop.language.describing.keyphrases import PARTED, KnownPieces, Runs, known_pieces
from desktop.language.intents.phrases import PhraseLists
from desktop.language.keywords_and_stems import stem
from desktop.language.normalization import words

_JOINT = re.compile(r"[ \t*_`-]{1,4}")
_SAMPLE = """insülin direnci İnsülin'in hücreler yapılan etkisi bir ve **kalın** _eğik_ `kod`
uyku-düzeni a/b 3,5 2024 ... - -- * ***** ( ) "tırnak" O'Brien İSTANBUL'DA glucose, levels.
e\u0301 \u0301x x\u00a0y satır\nsonu sekme\tsonra"""
_PIECES = st.sampled_from(_SAMPLE.split(" "))
_TEXTS = st.lists(st.one_of(_PIECES, st.text(max_size=6)), max_size=30).map(" ".join)


def _read_at_once(text: str, lists: PhraseLists) -> list[list[tuple[str, int, int]]]:
    """The same without any memory: from the words of the whole text."""
    runs: list[list[tuple[str, int, int]]] = [[]]
    last = -1
    for word in words(text):
        of_word = stem(word.text, Language.TR)
        if word.text in lists.stop_words.weak:
            of_word = f"+{of_word}"
        elif len(word.text) < 2 or word.text.isdigit() or word.text in lists.stop_words:
            last = -1
            continue
        if last < 0 or not _JOINT.fullmatch(text[last : word.start]):
            runs.append([])
        runs[-1].append((of_word, word.start, word.end))
        last = -1 if re.fullmatch(r".{3,}l[ae]r", word.text) else word.end
    return [run for run in runs if run]


def _parted(runs: Runs) -> list[list[tuple[str, int, int]]]:
    found: list[list[tuple[str, int, int]]] = [[]]
    for one in zip(runs.stems, runs.starts, runs.ends, strict=False):
        if one[0] == PARTED:
            found.append([])
        else:
            found[-1].append(one)
    return [run for run in found if run]


@given(text=_TEXTS)
@example(text="hücreler insüline direnç - gösterir  **insülin** direnci\u00a0nedir")
def test_runs_are_those_of_the_whole_text(text: str, lists: PhraseLists) -> None:
    known = known_pieces(Language.TR, lists.stop_words)
    assert _parted(known.runs(text)) == _read_at_once(text, lists)


def test_two_marks_of_parting_stand_behind_the_last_word(lists: PhraseLists) -> None:
    stems = KnownPieces(Language.TR, lists.stop_words).runs("insülin direnci").stems
    assert stems[-2:] == [PARTED, PARTED]
    assert stems[-3] != PARTED


def test_a_piece_that_is_no_word_of_any_language_is_not_kept(lists: PhraseLists) -> None:
    known = KnownPieces(Language.TR, lists.stop_words)
    known.runs("x" * 500 + " insülin")
    assert list(known) == ["insülin"]
