"""What a message is like that answers a question, whatever its words.

Beside the answer stands the message that asks for it, and has more of the words. And an answer to
"how many" has a number, one to "when" a time. That tells among messages of a few sentences; in
long texts numbers and questions stand by chance, and a short one among them is a remark. What it
contributes is measured in the README.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from desktop.language.normalization import folded_key
from desktop.recall.ranking import Ranked

_FEW_SENTENCES = 300
"""Letters."""
_FIRST = 20
_ASKS, _ENDS_ASKING = -0.1, -0.1
_HAS_WHAT_IS_ASKED = 0.3

_SO_MANY = re.compile(r"\b(?:how (?:many|much|old|long|far|often|tall)|kac\w*|ne kadar)\b")
_WHEN = re.compile(
    r"^\W*(?:and |so )?(?:since |until |by )?(?:when|what (?:date|day|month|year)|"
    r"(?:in |on |at )?(?:which|what) (?:date|day|month|year|time))\b"
    r"|\bne zaman\w*|\bhangi (?:tarih|gun|ay|yil|sene|saat)\w*"
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    r"fifty|hundred|thousand|million|once|twice|couple|dozen|few|half|"
    r"iki|uc|dort|bes|alti|yedi|sekiz|dokuz|on|yirmi|otuz|kirk|elli|yuz|bin|milyon|yarim)\b"
)
_TIME = re.compile(
    r"\d|\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|week(?:s|end)?|months?|years?|"
    r"days?|morning|evening|night|summer|winter|spring|autumn|fall|birthday|christmas|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|"
    r"dun|bugun|yarin|once|gecen|gelecek|onumuzdeki|hafta\w*|ay|aylar\w*|yil\w*|sene\w*|gun\w*|"
    r"sabah\w*|aksam\w*|gece\w*|yazin|kisin|bahar\w*|pazar\w*|sali\w*|carsamba\w*|persembe\w*|"
    r"cuma\w*|ocak\w*|subat\w*|mart\w*|nisan\w*|mayis\w*|haziran\w*|temmuz\w*|agustos\w*|eylul\w*|"
    r"ekim\w*|kasim\w*|aralik\w*)\b"
)


def answers_first(ranked: Sequence[Ranked], question: str) -> list[Ranked]:
    """The same messages, those that answer above those that ask."""
    lengths = [len(one.passage.content) for one in ranked[:_FIRST]]
    if not lengths or median(lengths) > _FEW_SENTENCES:
        return list(ranked)
    asked = folded_key(question)
    wanted = [
        answer for asking, answer in ((_SO_MANY, _NUMBER), (_WHEN, _TIME)) if asking.search(asked)
    ]
    lifted = [replace(one, score=one.score + _lift(one.passage.content, wanted)) for one in ranked]
    return sorted(lifted, key=lambda one: -one.score)


def _lift(text: str, wanted: Sequence[re.Pattern[str]]) -> float:
    if len(text) > _FEW_SENTENCES:
        return 0.0
    lift = (_ASKS if "?" in text else 0.0) + (_ENDS_ASKING if _ends_asking(text) else 0.0)
    if wanted and any(answer.search(folded_key(text)) for answer in wanted):
        lift += _HAS_WHAT_IS_ASKED
    return lift


def _ends_asking(text: str) -> bool:
    return text.rstrip(" \n\"'”)").endswith("?")
