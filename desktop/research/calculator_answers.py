"""Answers a question that is only a calculation or a conversion, without a model.

Every word has to be understood; with any other word it is another question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from desktop.domain.language import Language
from desktop.language.language_detection import guess_language
from desktop.language.normalization import folded_key
from desktop.research.tools.arithmetic import NotArithmetic, evaluate, format_expression
from desktop.research.tools.calculator import equation
from desktop.research.tools.units import Unit, convert, unit_of
from desktop.settings.messages import Texts

_LONGEST = 200
_CENTS = 2
"""Decimals of an amount of money."""
_NUMBER = r"[-−]?\d+(?:[.,]\d+)*"
_SCALES = {"bin": 1_000, "thousand": 1_000, "milyon": 1_000_000, "million": 1_000_000}
_AMOUNTS: dict[tuple[str, ...], Decimal] = {
    ("bir", "bucuk"): Decimal("1.5"),
    ("half", "a"): Decimal("0.5"),
    ("half", "an"): Decimal("0.5"),
    ("yarim",): Decimal("0.5"),
    **{(one,): Decimal(1) for one in ("bir", "one", "a", "an")},
}
# What may stand around a calculation, folded.
_CUES = """
= hesapla hesaplar eder yapar ediyor sonucu calculate compute evaluate equals much
"""
"""With them, what might be a date or a range is a calculation, too."""
_TURKISH = """
kac ne kadar olur var olarak cinsinden kactir nedir cevir cevirir donustur misin tutar lutfen acaba
peki bana soyle eder yapar yapilirsa ediyor hesapla hesaplar sonucu
"""
_ENGLISH = """
in to into as is are do does make makes there how many what what's whats convert please can you
could tell me a long far heavy hot warm tall fast the
"""
_FILLERS = frozenset(f"{_CUES}{_TURKISH}{_ENGLISH}".split())
_ENDING = re.compile(r"['’]\w+|[dt][ae]|[dt][ıiuü]r|y?[aeıiuü]", re.IGNORECASE)
"""What Turkish hangs on a unit."""
_DEGREES = re.compile(r"\b(?:degrees?|derece)\s(?=[cf]\b|celsius|fahr|santigrat)", re.IGNORECASE)
_TIED = re.compile(r"\d+(?:[-/:.]\d+)+")
"""A date, a time, a range, a telephone number, 24/7, 9/11."""
_JOINED = re.compile(r"[\d)%]\s*(?:[-+*/^:]|\*\*)\s*[\d(.%+-]|[^\W\d]\(")
_SCALED = re.compile(rf"({_NUMBER}) (bin|milyon|thousand|million)(?!\w)", re.IGNORECASE)
_MONEY = re.compile(
    r"(?<=\d)\s?(?P<behind>TL|lira|euro|dolar|dollars?|[₺$€£])(?:['’]?[^\W\d]+)?(?!\w)"
    r"|(?P<before>[₺$€£])\s?(?=\d)",
    re.IGNORECASE,
)
_CURRENCIES = {
    **dict.fromkeys(("tl", "lira", "₺"), "TL"),
    **dict.fromkeys(("dolar", "dollar", "dollars"), "$"),
    "euro": "€",
}
# N: a number; S: what Turkish hangs on it.
_FORMS = (
    (r"N\s?(?:%|percent) of N", r"\2 * \1 / 100"),
    (r"NS (?:%|yüzde )\s?NS", r"\1 * \2 / 100"),
    (r"(?:the )?square root of N", r"sqrt(\1)"),
    (r"NS karekökü", r"sqrt(\1)"),
    (r"N(?: squared|S karesi)", r"\1 ^ 2"),
    (r"NS (?:ile|ve) NS çarp(?:ımı)?", r"\1 * \2"),
    (r"NS (?:ile|ve) NS topla(?:mı)?", r"\1 + \2"),
    (r"NS NS böl", r"\1 / \2"),
    (r"NS (?:%|yüzde )\s?NS(?: (?:kdv|vergi|bahşiş|faiz|zam))? (?:ekle\w*|zam\w*|art\w*)", "+"),
    (r"N (?:plus|increased by|with) N\s?(?:%|percent)(?: (?:vat|tax|tip|interest))?", "+"),
    (r"NS (?:%|yüzde )\s?NS (?:indirim\w*|düş\w*|çıkar\w*|azal\w*)", "-"),
    (r"N (?:minus|reduced by|less) N\s?(?:%|percent)", "-"),
    (r"N,? NS (?:yüzde |%)kaçı?", r"\1 * 100 / \2"),
    (r"N is what (?:percent|%) of N", r"\1 * 100 / \2"),
)
_OFF = re.compile(rf"({_NUMBER})\s?(?:%|percent) off(?: of)? ({_NUMBER})", re.IGNORECASE)
_SIGNS = (
    ("artı|plus|−", "+"),
    ("eksi|minus|–", "-"),
    ("çarpı|kere|kez|times|multiplied by|x|×|·", "*"),
    ("bölü|divided by|over|÷", "/"),
    ("üzeri|üssü|to the power of", "^"),
)


def calculate_answer(question: str, texts: Texts) -> str:
    """The answer; empty for any other question."""
    asked = _DEGREES.sub("", " ".join(question.split()).rstrip(" ?!.…"))
    if len(asked) > _LONGEST:
        return ""
    try:
        found = _conversion(asked, texts) or _calculation(asked, texts)
    except NotArithmetic as exc:
        return texts.say("no_model.no_result") if exc.why == "impossible" else ""
    return texts.say("no_model.calculated", equation=found) if found else ""


def _conversion(asked: str, texts: Texts) -> str:
    words = re.sub(r"(?<=\d)(?=[^\W\d_]|[°µ])", " ", asked).split()
    folded = [folded_key(one).strip(",:;") for one in words]
    language = Language.TR if set(_TURKISH.split()).intersection(folded) else Language.EN
    for at in range(len(words)):
        amount, behind = _amount(folded, at, language)
        if amount is None:
            continue
        for name, unit, rest in _units(words[behind:]):
            others = [*words[:at], *rest]
            for to_name, to, around in _units_within(others):
                value = convert(amount, unit, to) if _are_fillers(around) else None
                if value is not None:
                    given, wanted = replace(unit, name=name), replace(to, name=to_name)
                    return equation(f"{amount:f}", value, texts, given, wanted)
    return ""


def _amount(folded: Sequence[str], at: int, language: Language) -> tuple[Decimal | None, int]:
    """The amount that stands there, and where the words behind it begin."""
    for length in (2, 1):
        amount = _AMOUNTS.get(tuple(folded[at : at + length]))
        if amount is not None:
            return amount, at + length
    if not re.fullmatch(_NUMBER, folded[at]):
        return None, at
    amount = evaluate(_ungrouped(folded[at], language))
    scale = _SCALES.get(folded[at + 1]) if at + 1 < len(folded) else None
    return amount * (scale or 1), at + (2 if scale else 1)


def _units(words: Sequence[str]) -> Iterator[tuple[str, Unit, Sequence[str]]]:
    """The units that words may begin with: name, unit, and the words behind it."""
    for length in (2, 1):
        if len(words) >= length:
            name = _unit_name(" ".join(words[:length]))
            if unit := unit_of(name):
                yield name, unit, words[length:]


def _units_within(words: Sequence[str]) -> Iterator[tuple[str, Unit, Sequence[str]]]:
    """The same for units anywhere in the words, the last first, with the words around them."""
    for at in reversed(range(len(words))):
        for name, unit, rest in _units(words[at:]):
            yield name, unit, [*words[:at], *rest]


def _are_fillers(words: Sequence[str]) -> bool:
    return all(folded_key(one).strip(",:;") in _FILLERS for one in words)


def _unit_name(written: str) -> str:
    """Without what Turkish hangs on it; as it is written where no unit is called that."""
    for length in range(len(written), 0, -1):
        is_stem = length == len(written) or _ENDING.fullmatch(written, length)
        if is_stem and unit_of(written[:length]):
            return written[:length]
    return written


def _ungrouped(text: str, language: Language) -> str:
    """With thousands as the language separates them joined: 1.250 is 1250 in Turkish."""
    mark = "." if language is Language.TR else ","
    return re.sub(
        rf"(?<![\d.,])\d{{1,3}}(?:[{mark}]\d{{3}})+(?![\d])",
        lambda found: found[0].replace(mark, ""),
        text,
    )


def _calculation(asked: str, texts: Texts) -> str:
    language = guess_language(asked, texts.language)
    asked = _SCALED.sub(lambda one: _in_full(one, language), asked)
    names = [(one["behind"] or one["before"]).lower() for one in _MONEY.finditer(asked)]
    currencies = {_CURRENCIES.get(name, name) for name in names}
    if len(currencies) > 1:
        return ""
    expression, is_asked = _without_fillers(_MONEY.sub("", asked))
    expression = _ungrouped(_in_signs(expression), language)
    if not _JOINED.search(expression) or (_TIED.fullmatch(expression) and not is_asked):
        return ""
    read = format_expression(expression).replace("*", "×").replace("sqrt", "√").strip()
    if len(read) > _LONGEST:
        return ""
    places = _CENTS if currencies else None
    shown = equation(read, evaluate(expression), texts, places=places)
    for currency in currencies:
        if texts.language is Language.TR or currency.isalpha():
            return f"{shown} {currency}"
        head, _, result = shown.rpartition(" ")
        return f"{head} {currency}{result}"
    return shown


def _in_full(found: re.Match[str], language: Language) -> str:
    return f"{evaluate(_ungrouped(found[1], language)) * _SCALES[found[2].lower()]:f}"


def _without_fillers(asked: str) -> tuple[str, bool]:
    """What is to be calculated, and whether a word says that it is."""
    words = asked.removesuffix("=").split() + ["="] * asked.endswith("=")
    is_asked = False
    for end in (-1, 0):
        while words and (word := folded_key(words[end]).strip(",:;?")) in _FILLERS:
            is_asked = is_asked or word in _CUES.split()
            del words[end]
    return " ".join(words).rstrip(" ,:;?"), is_asked


def _in_signs(expression: str) -> str:
    expression = _OFF.sub(r"\2 * (1 - \1 / 100)", expression)
    for form, meaning in _FORMS:
        pattern = form.replace("N", f"({_NUMBER})").replace("S", r"(?:['’]\w+)?")
        if found := re.fullmatch(pattern, expression, re.IGNORECASE):
            is_share = meaning in ("+", "-")
            return found.expand(rf"\1 * (1 {meaning} \2 / 100)" if is_share else meaning)
    for words, sign in _SIGNS:
        between = rf"(?<=[\d)%])\s*(?:{words})\s*(?=[\d(%.-])"
        expression = re.sub(between, f" {sign} ", expression, flags=re.IGNORECASE)
    return expression
