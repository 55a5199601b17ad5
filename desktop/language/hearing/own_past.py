"""Hears by its grammar that a question asks for our own past, whatever the verb.

Turkish: nobody but us knows "hangi ayı söylemiştin?", "kimi seçmiştik?", "ne dikecektik?"; a
question word with the first or second person of a verb that looks back is enough. English has no
such form, and "did we" is said of mankind, too: sure is "had we", and "did we" or a clause with
"we" or "you" in it with a verb of what is said and worked out together ("who did we say became
…?"); `worked_out` and `told` list those.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from desktop.language.hearing.phrases import PhraseLists
from desktop.language.phrase_matcher import BAR, Line, any_of
from desktop.language.query_stopwords import QUESTION_WORDS

_PERSON = r"(?:k|n|n[iu]z)"
_LOOKS_BACK = rf"(?!(?:opti|pesi|ani|konfor)mist)[^ |]{{2,}}m[iu]s[td][iu]{_PERSON} "
_WAS_TO_BE = rf"[^ |]+[ae]c[ae]kt[iu](?:m|{_PERSON}) "
_WHETHER = rf"[^ |]{{2,}}m[iu]s m[iu]yd[iu]{_PERSON} "
_WHETHER_I = r"[^ |]{2,}m[iu]s m[iu]yd[iu]m "
_ASKING = ("ne", "kim", "kac", "hangi", "nasil", "nic", "niye")
_ASKS = "|".join(sorted(one for one in QUESTION_WORDS if one.startswith(_ASKING)))
_BEHIND = rf"(?!diye )(?:(?!diye )[^ |]+ ){{0,3}}(?:$|{BAR})"
"""What may follow the verb: "… ayırmıştık tatile?", but not "… diye sordu"."""
# Each group is what it is heard by; the words between are to be looked up.
_BEGIN = "(?<![^ ])"
_TURKISH = re.compile(
    rf"{_BEGIN}(?:((?:{_ASKS}) )(?:[^ |]+ )*?({_LOOKS_BACK}|{_WAS_TO_BE})|({_WHETHER})"
    rf"|(sana )(?:[^ |]+ ){{0,4}}?({_WHETHER_I}))(?={_BEHIND})"
)
_TURKISH_MAYBE = re.compile(
    rf"{_BEGIN}(?:(bana )(?:[^ |]+ ){{0,3}}?([^ |]+[td][iu]g[iu]n(?:[iu]z)? )"
    r"|([^ |]{2,}m[iu]st[iu]n(?:[iu]z)? ))"
)
_WITHOUT_ITS_LETTER = re.compile(r"m[iu]st[iu]\w{0,3}$")
_ADVERBS = r"(?:(?:ever|already|actually|finally|first|last|both|all|originally) |end up ){0,2}"
_WE = rf"(?:did|didn|had|hadn|have|haven|could) (?:not )?we {_ADVERBS}"
_YOU = rf"(?:did|didn|had|hadn) (?:not )?(?:you|i) {_ADVERBS}"
_LOOK_FOR = "(?:remind|bring|pull|go back|show|find|recap|summari[sz]e|tell me again|repeat) "

_OF_NO_MODAL = "".join(
    f"(?<!{word} )"
    for word in ("should", "can", "shall", "would", "will", "must", "may", "do", "if", "as")
)
"""Before "we": what follows has not been done."""


@dataclass(frozen=True, slots=True)
class OwnPast:
    sure: list[tuple[int, int]]
    """From which character of the message to which it is heard; that is not to be looked up."""
    maybe: list[tuple[int, int]]
    """May ask for what was said in this session, and only where it is a question."""


def own_past(line: Line, lists: PhraseLists) -> OwnPast:
    sure, maybe = _english(lists.worked_out, lists.told)
    return OwnPast(
        [*_verbs(_TURKISH, line), *_spans(sure, line)],
        [*_verbs(_TURKISH_MAYBE, line), *_spans(maybe, line)],
    )


def _verbs(pattern: re.Pattern[str], line: Line) -> list[tuple[int, int]]:
    """Where Turkish letters are typed a verb has its "ş", which "optimistik" has not."""
    spans = _spans(pattern, line)
    if line.original.isascii():
        return spans
    written = [line.original[start:end].casefold() for start, end in spans]
    return [] if any(map(_WITHOUT_ITS_LETTER.search, written)) else spans


def _spans(pattern: re.Pattern[str], line: Line) -> list[tuple[int, int]]:
    groups = [
        span for match in pattern.finditer(line.text) for span in match.regs[1:] if span[0] >= 0
    ]
    return [
        (word.start, word.end)
        for word, at in zip(line.words, line.starts, strict=True)
        if any(start <= at < end for start, end in groups)
    ]


@lru_cache(maxsize=4)
def _english(
    worked_out: tuple[str, ...], told: tuple[str, ...]
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is sure, and what may be."""
    ours, yours = any_of(worked_out + told), any_of(told)
    sure = (
        rf"({_WE}{ours})|((?:had|hadn) we )|(have you {_ADVERBS}{yours})(?=[^|]*?me )"
        rf"|({_LOOK_FOR})(?:[^ |]+ ){{0,6}}?((?:we|you|i) {ours})"
    )
    maybe = (
        rf"((?:what|which|who|whose|how|why|when|where) )(?:[^ |]+ )*?{_OF_NO_MODAL}"
        rf"((?:we|you) {ours})|((?:did|didn) we )|({_YOU}{yours})|(did you (?:think|like) )"
        rf"|(you {yours})(?=[^|]*(?:to|for) me )|(was it you who )"
    )
    return re.compile(rf"{_BEGIN}(?:{sure})"), re.compile(rf"{_BEGIN}(?:{maybe})")
