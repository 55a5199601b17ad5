"""Hears that what is said is not to be remembered: "bunu kaydetme", "off the record".

By what meets in a clause: a verb of keeping that is denied, and something said as its object.
Nobody is asked to confirm it, and nothing is answered: what such a message says is not learned.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from desktop.language.hearing.phrases import PhraseLists, is_courtesy
from desktop.language.phrase_matcher import Line, lay_out

_MIND = r"(?:akl|hatir|hafiza|belle[kg]|zihn|kafa|notlar|kayitlar)\w+(?: (?:hic|sakin|bir yere))?"
_KEEP = (
    rf"(?:hatirla|kaydet|sakla|ezberle|ogren|not (?:al|et|dus|tut)|{_MIND}"
    r" (?:tut|al|yaz|ekle|at|koy|kazi|isle|gecir|kaydet|sakla)|(?:kayda|kayitlara) gec(?:ir)?)"
)
_PASSIVE = r"(?:kaydedil|hatirlan|saklan|ezberlen|ogrenil|not (?:edil|alin)|kayda gec(?:iril)?)"
_END = r" (?=\||(?:lutfen|sakin|olur|tamam|diye|daha|artik|bunu|bunlari)(?: |$)|$)"
_DENIED = re.compile(rf"(?<![^ ]){_KEEP}m[ae](?:y[iu]n(?:[iu]z)?)?{_END}")
_UNWISHED = re.compile(
    rf"(?<![^ ])(?:{_KEEP}m[ae](?:s[ae]n(?: \w+)? (?:olur|sevinirim)|z m[iu]s[iu]n(?:[iu]z)?"
    r"|n[iu](?:z[iu])? istem(?:iyorum|em)|n(?:[iu]z)?[ae]? gerek(?: yok|m\w+)?"
    r"|m[ae]n[iu](?:z[iu])? (?:iste\w+|rica \w+|tercih \w+))"
    rf"|{_PASSIVE}m[ae]s[iu]n){_END}"
)
"""What nobody says of their own doing."""
_SAID = re.compile(
    r"(?<![^ ])(?:(?:b|s|)unu|(?:b|s|)unlari|onlari?|onu"
    r"|(?:bu|su) (?:bilgi|konu|konusma|mesaj|soz|kisim|kism|dedi|soyledi)\w*"
    r"|(?:soyle|de|anlat|yaz|paylas|bahset)\w*[dt][iu](?:g[iu]m|kl[ae]r[iu]m)\w*"
    r"|(?:soyle|anlat|yaz)y?[ae]c[ae][gk]\w+) "
)
_ALONE = re.compile(r"(?:(?:ama|ve|lutfen|sakin|asla|hic|yine de|bence) )*")
"""What stands before a verb that has no object of its own."""
_HEAD = (
    r"(?:^|\| )(?:(?:please|kindly|and|but|just|now|so|also|though) )*"
    r"(?:(?:please )?(?:do not|don|never|try not to|let s not)(?: you)?(?: ever)?"
    r"|(?:there (?:is|s) )?no need (?:for you )?to"
    r"|you (?:do not|don|(?:must|need|should)(?: not|n)|may not)"
    r"(?: (?:need|have) to)?"
    r"|(?:could|would|can) you (?:please )?not"
    r"|i (?:do not|don|would(?: not|n)) (?:want|like|need) (?:you|this|that|it) to(?: be)?"
    r"|i (?:d|would) (?:rather|prefer)(?: that)? (?:you|this|that|it)"
    r" (?:not|(?:did|was|were)(?: not|n))) "
)
_WHAT = (
    r"(?:this|that|it|these|those|(?:any|all|some) of (?:this|that|it)|anything"
    r"|(?:what|whatever|anything|that) i (?:\w+ )?(?:say|said|tell|told|write|wrote)\b|my \w+"
    r"|the fact that i|that i|i)(?![^ |])"
)
_INTO = (
    r"(?:down|aside|(?:in|to|into|on|for) (?:your |the |any )?"
    r"(?:memory|mind|notes?|records?|file|later|next time|future))"
)
_DENIED_EN = re.compile(
    rf"{_HEAD}(?:(?:remember|memori[sz]e|save|store|record|log|learn|retain|note"
    rf"|(?:take|make|keep) (?:a )?note of|hold on to|hang on to)(?:d|ed)?(?: {_WHAT}| (?=\||$))"
    rf"|(?:keep|bear|put|add|write|commit|file|jot|carry|hold) {_WHAT} {_INTO}"
    r"|keep (?:this|that|any of (?:this|that)) (?=\||$))"
)
_ASIDE = re.compile(
    r"(?<![^ ])(?:(?:aramizda|burada|bu (?:oturumda|konusmada|sohbette)) kalsin|kayit disi"
    r"|sende kalmasin|off the record|(?:just |strictly )?between (?:you and me|ourselves)"
    r"|(?:this|that|it|these) (?:stays? between us"
    r"|(?:is|are|should|must|may|need)(?: not|n) (?:to )?(?:be )?"
    r"(?:remembered|memori[sz]ed|saved|stored|recorded|noted|kept))"
    r"|(?:just |strictly )?between us(?= \|)"
    rf"|(?:leave|keep) {_WHAT} out of (?:your |the )?(?:memory|mind|notes|records?)) "
)


_NAMED = re.compile(
    r"(?<![^ ])(?:my \w+|(?!soyle|dedi|anlat|yaz)\w{2,}m(?:[iu]z)?[iu]"
    r"|\w{2,}m(?:[iu]z)?[iu]n \w+[iu])(?![^ ])"
)
"""Something of the user's: "my salary", "maaşımı"."""
_MARKS = " \t\r\n.!,;:…\"'()"


@dataclass(frozen=True, slots=True)
class KeptOut:
    words: str
    """What it names of the user's: "maaşımı"; empty: whatever is said there."""
    is_alone: bool
    """Whether the message says nothing else, so that what stood before it is meant."""


@lru_cache(maxsize=128)
def keeps_out(text: str, lists: PhraseLists) -> KeptOut | None:
    """What a message does not want remembered, or None."""
    line = lay_out(text)
    found = _ASIDE.search(line.text) or _DENIED_EN.search(line.text)
    found = found or _UNWISHED.search(line.text) or _denied(line)
    if found is None:
        return None
    start = line.text.rfind("| ", 0, found.start() + 2)
    start = start + 2 if start >= 0 else 0
    named = _NAMED.search(line.text, start, found.end())
    words = line.original_between(*named.span()) if named else ""
    rest = f"{line.original_before(start)} {line.original_after(found.end())}"
    is_alone = not words and (not rest.strip(_MARKS) or is_courtesy(rest, lists))
    return KeptOut(words, is_alone)


def _denied(line: Line) -> re.Match[str] | None:
    """A Turkish verb that has what was said for its object, or none of its own."""
    for found in _DENIED.finditer(line.text):
        before = line.text[: found.start()].rpartition("| ")[2]
        if _SAID.search(before) or _NAMED.search(before) or _ALONE.fullmatch(before):
            return found
    return None
