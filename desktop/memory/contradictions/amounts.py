"""Amounts that somebody has one of at a time, in whatever words: a dose, a weight, a rent, an age.

"Metformin dozu 500 mg" and "850 mg metformin kullanıyor" tell of one dose: apart from the words
that say that it is one, they name the same medicine.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from desktop.language.normalization import fold, word_texts
from desktop.language.stopwords import StopWords
from desktop.memory.numbers.figures import Figure, figures
from desktop.memory.sentences.kin import GROUPS
from desktop.memory.sentences.saying import Said, Told, places, read

_CHANGES = (
    r"artik|now|currently|simdi|yeni|new|again|yeniden|suan|halen|oldu|olmus|yukseldi|cikti|dustu"
    r"|cikar\w*|dusur\w*|artir\w*|arttir\w*|azalt\w*|yukselt\w*|degis\w*|indir\w*|guncel\w*"
    r"|increased?|reduced?|raised?|lowered|changed|adjusted|went|gone|up|down|is|was|to|from"
)


class _Measure(NamedTuple):
    name: str
    units: frozenset[str]
    tells: re.Pattern[str]
    """It stands in every such sentence."""
    aside: re.Pattern[str]
    """Words that say nothing else."""
    has_subject: bool
    """Whether other words are left, as the name of a medicine."""
    looked_up: str = ""


def _words(listed: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{listed}|{_CHANGES})")


_TELLS_DOSE = (
    r"doz\w*|dose\w*|dosage|(?:kullan|al|ic)(?:[iu]yor|[iu]r|er)(?:um|im)?|takes?|taking|on|uses?"
    r"|prescribed|\w*reduced|\w*increased|raised|cikar\w*|dusur\w*|artir\w*|yukselt\w*"
)
_MEASURES = (
    _Measure(
        "dose",
        frozenset({"g", "l", "iu"}),
        re.compile(rf"\b(?:{_TELLS_DOSE})\b"),
        _words(
            rf"{_TELLS_DOSE}|gunluk|gunde|gun|her|daily|day|per|each|every|ilac\w*|tablet\w*|hap\w*"
            r"|medication|medicine|of|mg|doktor\w*"
        ),
        has_subject=True,
    ),
    _Measure(
        "weight",
        frozenset({"g", "£"}),
        re.compile(
            r"\b(?:kilo(?!m[ei]t|wat|ba|he)\w*|agirlig\w*|tartil\w*|gel(?:iyor|ir)(?:um|im)?|weigh\w*|kg)\b"
        ),
        _words(
            r"kilo(?!m[ei]t|wat|ba|he)\w*|agirlig\w*|tartil\w*|gel(?:iyor|ir)(?:um|im)?|weigh\w*|kg|vucut"
            r"|body|current|suanki|mevcut"
        ),
        has_subject=False,
        looked_up="kilo agirlig weigh tart",
    ),
    _Measure(
        "rent",
        frozenset({"$", "€", "£", "₺"}),
        re.compile(r"\b(?:kira\w*|rent)\b"),
        _words(
            r"kira\w*|rent|ode\w*|oduyor\w*|veriyor\w*|pays?|paying|ay\w*|month\w*|per|each|every|in|for|olarak"
        ),
        has_subject=False,
        looked_up="kira rent",
    ),
    _Measure(
        "salary",
        frozenset({"$", "€", "£", "₺"}),
        re.compile(r"\b(?:maas\w*|salary|earn\w*|makes?|kazan\w*)\b"),
        _words(
            r"maas\w*|salary|earn\w*|makes?|kazan\w*|al(?:iyor|ir)\w*|ayda|aylik|month\w*|year\w*|per|each|every"
            r"|net|olarak"
        ),
        has_subject=False,
        looked_up="maas salary earn make kazan",
    ),
    _Measure(
        "age",
        frozenset({"", "year"}),
        re.compile(
            r"\b(?:yas(?:inda|ina|ini|im)\w*|turned|years? old|aged|[iu]?n[ae] (?:bas|gir)\w+"
            r"|(?:user is|i'm|i am)(?: now)? \d+$)"
        ),
        _words(
            r"yas\w*|[iu]?n[ae]|gir(?:di|mis)\w*|bas(?:ti|mis)\w*|turned|years?|old|aged?|doldur\w*"
        ),
        has_subject=False,
        looked_up="yas turned years",
    ),
)
_WAS = re.compile(
    r"\b(?:was|were|has been|have been) (?=(?:reduc|increas|rais|lower|chang|adjust))"
)
_INTERNATIONAL = re.compile(r"(?<=\d) ?(?:iu|ie|unite|units?)\b")
_NOT_NOW = re.compile(
    r"\b(?:was|were|had|used|eskiden|onceden|formerly|previously|will|should|would|could|may|might"
    r"|if|most|max\w*|en (?:fazla|cok|az)|least"
    r"|(?<!went )(?<!gone )(?<!raised )(?<!increased )up to|hedef\w*|target|goal)\b"
)
_CHANGES_TR = re.compile(r"\b(?:cikar|dusur|artir|arttir|azalt|yukselt|indir|cikti|dustu|yuksel)")
_TO = re.compile(r"\d ?(?:\w+'?|')?y?[ae]\b")
_BY = re.compile(r"\bby \d")


class Amount(NamedTuple):
    name: str
    figure: Figure
    of: Sequence[Told]
    """What it is of, as a medicine; empty where it is the user's own."""
    names: frozenset[str]

    def is_as_much_as(self, other: "Amount") -> bool:
        ours, theirs = self.figure, other.figure
        return ours.value == theirs.value and (self.name == "age" or ours.unit == theirs.unit)

    def is_of_one(self, other: "Amount") -> bool:
        """Whether both tell the same of the same thing, whatever the figure."""
        if self.name != other.name or self.names != other.names:
            return False
        ours, theirs = Said(words=list(self.of)), Said(words=list(other.of))
        return len(self.of) == len(other.of) and None not in places(ours, theirs)


def amount(text: str, stop_words: StopWords) -> Amount | None:
    """What a sentence tells of that kind; None where it says more, or nothing of it."""
    text = _INTERNATIONAL.sub(" ml", fold(text)) if _INTERNATIONAL.search(fold(text)) else text
    text = _WAS.sub("", text)
    said = read(text, stop_words)
    told = [one for one in figures(text) if not one.figure.is_date]
    if len(told) != 1 or len(said.figures) != 1 or said.is_negated or said.comes_from:
        return None
    line = fold(text).strip(" .!\n")
    if _NOT_NOW.search(line) or "future" in said.times or _is_by(line):
        return None
    return next((one for m in _MEASURES if (one := _read(m, told[0].figure, said, line))), None)


def looked_up_by(text: str, stop_words: StopWords) -> Sequence[str]:
    """Beginnings of words by which such amounts are found."""
    found = amount(text, stop_words)
    return next((m.looked_up.split() for m in _MEASURES if found and m.name == found.name), ())


def _read(measure: _Measure, figure: Figure, said: Said, line: str) -> Amount | None:
    if figure.unit not in measure.units or not measure.tells.search(line):
        return None
    left = [word for word in said.words if not measure.aside.fullmatch(word.text)]
    if bool(left) is not measure.has_subject or (not left and _tells_of_kin(line)):
        return None
    return Amount(measure.name, figure, left, frozenset(said.names))


def _tells_of_kin(line: str) -> bool:
    """Also in a word that is too common elsewhere to be read: "son" ends things in Turkish."""
    return any(group.has(word) for group in GROUPS for word in word_texts(line))


def _is_by(line: str) -> bool:
    """Whether a change is told and not what it came to: "10 mg artırıldı", "by 10 mg"."""
    return _BY.search(line) is not None or (
        _CHANGES_TR.search(line) is not None and _TO.search(line) is None
    )
