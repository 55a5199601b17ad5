"""Hears a wish to remember by its verb: one of keeping, asked of the listener, and what it keeps.

For wishes in words that no list has: "bunu ilerisi için hatırla: …", "would you save the fact that
…". What is kept stands beside the clause that asks, or behind an English "that".
"""

import re
from collections.abc import Container, Iterable
from typing import NamedTuple

from desktop.language.phrase_matcher import Line

_THIS = r"(?:(?:bu|su)(?:n[iu]|nlar[iu]| (?:bilgi|dedig|soyledig)\w*))"
_MIND = (
    r"(?:(?:akl[iu]|hatiri|hafiza|belleg[iu]|zihni|kafa|notlari|kayitlari)n(?:[iu]n|[dt]?[ae])"
    r"|hafizaya|bellege|kayda|kayitlara|notlara)"
)
"""The listener's."""
_WHEN = (
    r"(?:(?:d[ae]|hep|hic|mutlaka|lutfen|sakin|asla|benim|bizim|simdilik|sonra\w*|ileri\w*"
    r"|gelecek\w*|daha|icin|uzere|bir|yer\w*|kenar\w*|kose\w*|hakkimda|iyice|iyi|cok) )"
)
_BETWEEN = rf"(?:{_WHEN}|(?![^ ]*[ae] |olarak )[^ |]+ )"
"""What is saved "as a file" or "to a folder" is no wish."""
_KINDLY = (
    r"(?:[iu]ver(?:ir m[iu]s[iu]n)?|[iuae]?r m[iu]s[iu]n(?:[iu]z)?"
    r"|y?[ae]bilir m[iu]s[iu]n(?:[iu]z)?|[iuae]?rs[ae]n(?:[iu]z)?(?: \w+)? (?:sevinirim|olur)"
    r"|m[ae]n(?:[iu]z)?[iu]? (?:ist(?:er|iyor)\w*|rica \w+|gerek(?:iyor|ir|li)?|lazim|onemli|sart)"
    r"|m[ae]nd[ae] fayda var|m[ae]l[iu]s[iu]n)"
)
_WISHED = rf"(?:y?[iu]n(?:[iu]z)?|s[ae]ne|y?{_KINDLY})?"
_NOT_FORGOTTEN = (
    r"unutma(?:z m[iu]s[iu]n|zsan(?: \w+)? (?:sevinirim|olur)"
    r"|man(?:[iu]z)?[iu]? (?:ist(?:er|iyor)\w*|rica \w+|gerek(?:iyor|ir|li)?|lazim|onemli|sart))"
)
_FORGET_NOT = rf"(?:unutma(?:y[iu]n(?:[iu]z)?|yas[iu]n)?|{_NOT_FORGOTTEN})"
_SAVE = r"(?:kayde[dt]|sakla|ezberle|ogren|not (?:al|e[dt]|dus))"
_PUT_TR = (
    r"(?:tut|bulundur|yerlestir|al|yaz|ekle|at|koy|kazi|isle|gec(?:ir)?|kayde[dt]|sakla|yer e[dt])"
)
_NO_DEED = r"(?![^ ]*[dt][iu]g\w*n[iu] )[^ |]+ "
"""Whoever is to remember what they did themselves is reproached."""
_ASKED = re.compile(
    rf"(?:(?<![^ |]){_THIS} (?:{_NO_DEED})*?(?:hatirla{_WISHED}|{_FORGET_NOT})"
    rf"|(?:^|\| )(?:{_WHEN}|rica \w+ )*{_THIS} {_BETWEEN}{{0,4}}?{_SAVE}{_WISHED}"
    rf"|(?<![^ |])(?:{_THIS} )?{_WHEN}*{_MIND} (?:[^ |]+ ){{0,2}}?"
    rf"(?:{_PUT_TR}{_WISHED}|[^ |]+s[iu]n|[^ |]+?{_KINDLY})"
    rf"|(?:^|\| )(?:{_NO_DEED}){{0,3}}hatirla{_WISHED}"
    rf"|(?:^|\| ){_WHEN}*(?:{_SAVE}y?{_KINDLY}|{_NOT_FORGOTTEN}"
    rf"|(?:hatirla|{_FORGET_NOT}) {_THIS}(?: {_WHEN})?)"
    r")(?<! ) ?(?=\||(?:lutfen|olur|tamam|ki|bunu|bunlari)(?: |$)|$)"
)
_HEAD = (
    r"(?:^|\| )(?:(?:please|kindly|and|but|just|now|so|also|oh|then) )*"
    r"(?:(?:could|would|can|will) you (?:please |kindly |just )?"
    r"|i (?:want|need|d like|would like|ask|trust|expect) (?:that )?you (?:to )?"
    r"|(?:it s|it is) (?:important|best|good) (?:that |if )?you "
    r"|i (?:hope|(?:d|would) (?:(?:love|like|appreciate) it|be glad) if)"
    r" you (?:ll |will |would )?"
    r"|you (?:should|must|need to|have to|might want to|may want to|had better) "
    r"|(?:do|always|make (?:[^ |]+ )?sure (?:to|you)|be sure to|try to|let s|go ahead and) )?"
    r"(?:(?:always|[^ |]+ly|[^ |]+ and) )?"
)
_OBJECT = (
    r"(?:this|that|it|these|those|the following|(?:this|that|the following|one) fact|the fact)"
)
_PLACE = (
    r"(?:[^ |]+ ){0,5}?(?:(?:your|the|in|to|into|of) )(?:long term )?"
    r"(?:memory|mind|head|brain|notes|records|file on me)"
)
_REMEMBER = (
    r"(?:remember(?:ed)?|memori[sz]e|retain|(?:don|do not|never)(?: you)?(?: ever)? forget)"
)
_FUTURE = r"for (?:the future|next time|later|future \w+|the next \w+)"
_STORE = (
    r"(?:save|store|record|log|note|register|keep (?:a )?(?:note|record) of|make (?:a )?note of)"
)
_PUT = r"(?:keep|bear|put|hold|file|add|commit|write|tuck|stash|carry|enter|have|get|fix|lock)"
_LATER = r"(?: (?:down|away))?(?: (?:for|about) (?:[^ |]+ ){0,3}[^ |]+)?"
_END = r" (?=\||that |please |$)"
_OF_ME = r"(?=that (?:i|my|we|our) )"
_ASKED_EN = re.compile(
    rf"{_HEAD}(?:{_REMEMBER} (?:{_OBJECT}(?:{_LATER}{_END}| (?=that ))|{_OF_ME}|(?=\|))"
    rf"|(?:{_REMEMBER}|{_STORE}) {_FUTURE} (?=that )"
    rf"|{_STORE} (?:{_OBJECT}{_LATER}{_END}|(?:this|the) fact (?=that )|{_OF_ME})"
    rf"|{_PUT} (?:{_OBJECT} )?{_PLACE}{_LATER}{_END})"
    r"|(?:^|\| )(?:it|this) (?:should|must|has to|needs to) be (?:kept|stored|saved|remembered"
    rf"|noted|recorded) (?:{_PLACE} )?(?=that )"
    rf"|(?:^|\| )i (?:want|need|d like) (?:to have )?{_OBJECT} {_PLACE}{_END}"
)
_FILLER = re.compile(_WHEN)
_THAT = re.compile(r"(?:that|ki) ")
_LEADS = re.compile(r"\b(?:su|sun[iu]|sunlar[iu]|the following)\b")
_BAR = "| "


class ByVerb(NamedTuple):
    said: tuple[int, int]
    clause: tuple[int, int]
    """Of what is kept, in the line's text; of no length: what stands around the sentence."""


def says_nothing(words: Iterable[str], common: Container[str]) -> bool:
    """Whether words only go with a request: "bunu mutlaka"."""
    return all(word in common or _FILLER.fullmatch(f"{word} ") for word in words)


def kept_by_verb(line: Line) -> ByVerb | None:
    found = _ASKED_EN.search(line.text) or _ASKED.search(line.text)
    if found is None:
        return None
    if that := _THAT.match(line.text, found.end()):
        return ByVerb(found.span(), (that.end(), _end(line.text, that.end())))
    # The clause that asks, with what stands in it before the verb.
    start = found.start() if found[0].startswith(_BAR) else line.text.rfind(_BAR, 0, found.start())
    start = 0 if start < 0 or not found.start() else start + len(_BAR)
    behind = line.text.find(_BAR, found.end() - 1)
    end = len(line.text) if behind < 0 else behind + len(_BAR)
    before, after = (0, start), (end, _end(line.text, end))
    is_led = _LEADS.search(found[0]) is not None or ":" in line.original_after(found.end())[:3]
    if after[0] < after[1] and (is_led or not start):
        return ByVerb(found.span(), after)
    return ByVerb(found.span(), before)


def _end(text: str, start: int) -> int:
    return len(text) if text[start:].strip(" |") else start
