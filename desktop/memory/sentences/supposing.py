"""Whether words only suppose something, or wish for it: "diyabetim varsa", "I'd like to move"."""

import re

from desktop.language.keywords_and_stems import keys
from desktop.language.normalization import words
from desktop.memory.sentences.clauses import Clause, part_around
from desktop.memory.sentences.verbs import root_of, verb

_SUPPOSES = re.compile(
    r"\b(?:keske|eger|sayet|farz e[dt]\w*|diyelim|varsay\w*|sanki|gibi davran\w*"
    r"|suppose|supposing|assume|assuming|imagine|pretend|if (?:i|we)|i wish|what if|let'?s say"
    r"|as if|as though)\b"
)
_CONDITION = re.compile(
    r"\b(?:varsa|yoksa|olsa\w{0,4}|olursa\w{0,4}|\w{2,}(?:yor|[aeiu]r|m[ae]z)s[ae](?:m|k)?"
    r"|\w{2,}[dt][iu]ys[ae](?:m|k)?|\w{3,}[iu]ys[ae]m)$"
)
_CONDITION_WITHIN = re.compile(_CONDITION.pattern.removesuffix("$") + r"\b")
_WISHES_TR = re.compile(
    r"\b(?P<stem>\w{2,}?)m[ae](?:k ist\w+|y[iae] (?:dusun|planl|ist|um[iu]t|umu|hayal)\w*"
    r"|k (?:niyetind|uzerey|hayal)\w*)"
)
_WISHES_EN = re.compile(
    r"\b(?:like|love|want|hope|plan|planning|wish|going|intend|thinking (?:of|about)) (?:to )?"
    r"(?P<stem>[a-z]{2,})"
)
_TELLS_WISH = re.compile(
    r"\b(?:ist[ie]\w*|dusun\w*|planl\w*|umu\w*|hayal\w*|hedef\w*|niyet\w*|amac\w*|\w{2,}m[ae]k"
    r"|\w{2,}[ae]c[ae][kg]\w*|want\w*|would|like\w*|hop\w+|plan\w*|wish\w*|intend\w*|goal\w*"
    r"|dream\w*|consider\w*|thinking|will|going to)\b"
)
_EN_ENDING = re.compile(r"(?:e?s|e?d|ing)$")
_SHORTEST = 3


def is_supposed(content: str, clause: Clause) -> bool:
    """Whether what a fact takes for true was said as a supposition, a condition or a wish."""
    part, quote_end = part_around(clause)
    if _SUPPOSES.search(part[:quote_end]) or "gibi davran" in part[quote_end:]:
        return True
    following = re.match(r" ?\w*", part[quote_end:])
    if _CONDITION.search(part[:quote_end].rstrip()) or (
        following
        and following[0].strip()
        and _CONDITION.search(part[: quote_end + following.end()])
    ):
        return True
    return _is_conditional(clause.quote, content) or _is_wished(part, content)


def _is_conditional(quote: str, content: str) -> bool:
    """Whether what a fact says stands before a condition: "vejetaryen olsam ne yerdim"."""
    ours = {key for word in words(content) for key in keys(word.text)}
    for found in _CONDITION_WITHIN.finditer(quote):
        before, behind = words(quote[: found.end()]), words(quote[found.end() :])
        shared = [
            any(not ours.isdisjoint(keys(word.text)) for word in said) for said in (before, behind)
        ]
        if shared == [True, False]:
            return True
    return False


def _is_wished(part: str, content: str) -> bool:
    """Whether a fact says of something wished for that it is so."""
    said = words(content)
    if _TELLS_WISH.search(" ".join(word.text for word in said)):
        return False
    roots = {found.root for place in range(len(said)) if (found := verb(said, place))}
    if any(root_of(one["stem"]) in roots for one in _WISHES_TR.finditer(part)):
        return True
    stems = {_EN_ENDING.sub("", word.text) for word in said if len(word.text) >= _SHORTEST}
    return any(
        _EN_ENDING.sub("", one["stem"]).rstrip("e") in {stem.rstrip("e") for stem in stems}
        for one in _WISHES_EN.finditer(part)
    )
