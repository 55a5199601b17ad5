"""Answers a question that is only a calculation or a conversion, without a model.

Every word has to be understood; with any other word it is another question.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from desktop.domain.language import Language
from desktop.language.language_detection import guess_language
from desktop.research.tools.arithmetic import NotArithmetic, evaluate, format_expression
from desktop.research.tools.calculator import equation
from desktop.research.tools.units import Unit, convert, unit_of
from desktop.settings.messages import Texts

_LONGEST = 200
_NUMBER = r"[-−]?\d+(?:[.,]\d+)*"
_AMOUNT = (
    rf"(?P<amount>{_NUMBER}(?:\s(?:bin|milyon|thousand|million))?"
    r"|bir buçuk|yarım|bir|half an?|one|an?)"
)
_WORDS = {"bir buçuk": "1.5", "yarım": "0.5", "half a": "0.5", "half an": "0.5"}
_SCALES = {"bin": 1_000, "thousand": 1_000, "milyon": 1_000_000, "million": 1_000_000}
_CONVERSIONS = (
    r"{amount}\s?{unit} (?:kaç|ne kadar) {to}(?: (?:eder|yapar|ediyor|olur|var))?",
    r"{amount}\s?{unit} {to} (?:cinsinden|olarak)(?: (?:kaç|kaçtır|nedir|ne kadar|ne|eder))*",
    r"{amount}\s?{unit} {to} (?:çevir|dönüştür)(?:ir misin|ür müsün|sene)?",
    r"{amount}\s?{unit} (?:in|to|into|as|is|are|equals?|=|makes?) {to}",
    r"{amount}\s?{unit} (?:is|are|equals?|makes?) how many {to}",
    r"how many {to}(?: (?:are|is|do|does|makes?|equals?))?(?: there)?(?: in)? {amount}\s?{unit}",
)
"""The first three are Turkish."""
_TURKISH_FORMS = 3
_LENGTHS_OF_NAMES = ((1, 1), (1, 2), (2, 1), (2, 2))
"""Words in the names of both units."""
_ENDING = re.compile(r"['’]\w+|[dt][ae]|[dt][ıiuü]r|y?[aeıiuü]", re.IGNORECASE)
"""What Turkish hangs on a unit."""
_DEGREES = re.compile(r"\b(?:degrees?|derece)\s(?=[cf]\b|celsius|fahr|santigrat)", re.IGNORECASE)

_CUES = (
    r"hesapla(?:r mısın|yabilir misin|yın|sana)?|kaç (?:eder|yapar|ediyor)|ne (?:kadar )?eder|eder"
    r"|yapar|sonucu (?:kaç|ne|nedir)|calculate|compute|work out|evaluate|how much (?:is|are)"
    r"|equals?"
)
"""With them also what might be a date or a range is to be worked out."""
_AROUND = (
    r"lütfen|acaba|peki|please|can you|could you|tell me|what is|what's|whats|convert|kaçtır"
    r"|kaç(?: olur| tutar)?|ne kadar(?: olur| tutar| öderim)?|nedir|ne|söyle|bana"
    r"|how (?:long|far|heavy|hot|warm|cold|tall|big|fast|deep|wide) (?:is|are)"
)
_EDGE = r"[\s,:;?!.…]*"
_LEAD = re.compile(rf"(?:(?P<cue>{_CUES})|{_AROUND})(?=[\s:]){_EDGE}", re.IGNORECASE)
_TRAIL = re.compile(rf"(?P<cue>=|\s(?:{_CUES}))\Z|\s(?:{_AROUND})\Z", re.IGNORECASE)
_TIED = re.compile(r"\d+(?:[-/:.]\d+)+")
"""A date, a time, a range, a telephone number, 24/7, 9/11."""
_JOINED = re.compile(r"[\d)%]\s*(?:[-+*/^:]|\*\*)\s*[\d(.%+-]|[^\W\d]\(")
_SUFFIX = r"(?:['’]\w+)?"
_SCALED = re.compile(rf"({_NUMBER}) (bin|milyon|thousand|million)(?!\w)", re.IGNORECASE)
_SAID: tuple[tuple[str, str], ...] = (
    (
        rf"({_NUMBER}),? ({_NUMBER})['’]\w+ (?:yüzde kaçı\w*|% kaçı\w*)",
        r"\1 / \2 * 100",
    ),
    (
        rf"(?:what )?percent(?:age)? of ({_NUMBER}) is ({_NUMBER})",
        r"\2 / \1 * 100",
    ),
    (rf"({_NUMBER}) (?:is|as) (?:what|a) percent(?:age)? of ({_NUMBER})", r"\1 / \2 * 100"),
    (rf"({_NUMBER})\s?(?:%|percent) of ({_NUMBER})", r"\2 * \1 / 100"),
    (rf"({_NUMBER}){_SUFFIX} (?:%|yüzde )\s?({_NUMBER}){_SUFFIX}", r"\1 * \2 / 100"),
    (rf"(?:the )?square root of ({_NUMBER})", r"sqrt(\1)"),
    (rf"({_NUMBER}){_SUFFIX} karekökü", r"sqrt(\1)"),
    (rf"karekök ({_NUMBER})", r"sqrt(\1)"),
    (rf"({_NUMBER})(?: squared|{_SUFFIX} karesi)", r"\1 ^ 2"),
    (rf"({_NUMBER})(?: cubed|{_SUFFIX} küpü)", r"\1 ^ 3"),
    (rf"({_NUMBER}){_SUFFIX} (?:ile|ve) ({_NUMBER}){_SUFFIX} çarp(?:ımı)?", r"\1 * \2"),
    (rf"({_NUMBER}){_SUFFIX} (?:ile|ve) ({_NUMBER}){_SUFFIX} topla(?:mı)?", r"\1 + \2"),
    (rf"({_NUMBER}){_SUFFIX} ({_NUMBER}){_SUFFIX} böl", r"\1 / \2"),
    (rf"multiply ({_NUMBER}) (?:by|and|with) ({_NUMBER})", r"\1 * \2"),
    (rf"divide ({_NUMBER}) by ({_NUMBER})", r"\1 / \2"),
    (rf"add ({_NUMBER}) (?:and|to) ({_NUMBER})", r"\1 + \2"),
)
_SIGNS: tuple[tuple[str, str], ...] = (
    ("artı|plus|−", "+"),
    ("eksi|minus|–", "-"),
    ("çarpı|kere|kez|times|multiplied by|x|×|·", "*"),
    ("bölü|divided by|over|÷", "/"),
    ("üzeri|üssü|to the power of", "^"),
)

# Percentages that are added or taken off: "350'ye %20 KDV ekle", "20% off 350".
_SHARE = rf"(?:(?:%|yüzde )\s?(?P<behind>{_NUMBER})|(?P<before>{_NUMBER})\s?(?:%|percent))"
_WHOLE = rf"(?P<whole>{_NUMBER})(?:['’]\w+)?"
_SHARE_OF_IT = rf"{_WHOLE} {_SHARE}(?:['’]\w+)?"
_TAX = r"(?: (?:kdv|vergi|bahşiş|faiz|zam|vat|tax|tip|interest|sales tax))?"
_ADDED = r"(?:ekle\w*|zamlı|zamla\w*|zam gelirse|art\w*|fazlası|dahil)"
_TAKEN = r"(?:indirim\w*|düş\w*|çıkar\w*|azal\w*|eksi[lğ]\w*)(?: (?:olursa|yapılırsa))?"
_MORE = (
    rf"{_SHARE_OF_IT}{_TAX} {_ADDED}",
    rf"{_SHARE} (?:zamlı|fazlasıyla) {_WHOLE}",
    rf"{_WHOLE} (?:plus|with) {_SHARE}{_TAX}",
    rf"add {_SHARE}{_TAX} to {_WHOLE}",
    rf"(?:increase|raise) {_WHOLE} by {_SHARE}",
    rf"{_WHOLE} (?:increased|raised) by {_SHARE}",
)
_LESS = (
    rf"{_SHARE_OF_IT} {_TAKEN}",
    rf"{_SHARE} (?:indirimli|indirimle|iskontolu) {_WHOLE}",
    rf"{_SHARE} off(?: of)? {_WHOLE}",
    rf"{_WHOLE} (?:with|after|at|less|minus)(?: an?)? {_SHARE}(?: (?:off|discount))?",
    rf"(?:decrease|reduce|lower) {_WHOLE} by {_SHARE}",
    rf"{_WHOLE} (?:decreased|reduced|lowered) by {_SHARE}",
)
# Amounts of money: calculated as numbers, shown in their currency.
_CENTS = 2
"""Places behind the point."""
_CURRENCIES = {
    "TL": ("₺", "tl", "try", "lira"),
    "€": ("€", "euro", "avro", "eur"),
    "$": ("$", "usd", "dolar", "dollar", "dollars", "buck", "bucks"),
    "£": ("£", "gbp", "sterlin", "pound", "pounds"),
}
_NAMED = {name: currency for currency, names in _CURRENCIES.items() for name in names}
_WORD = "|".join(map(re.escape, sorted(_NAMED, key=len, reverse=True)))
_CASE = r"(?:['’]?(?:n[ıiuü]n|[yn]?[aeıiuü]|[dt][ae]n?|l[ıi]k)(?!\w))?"
_BEHIND = re.compile(
    rf"(?<=\d)(?P<gap>\s?(?:bin|milyon|thousand|million|k)?\s?)(?P<name>{_WORD}){_CASE}(?!\w)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?P<name>[$€£₺])\s?(?=\d)")
_ASKED = re.compile(rf"\b(?P<how>kaç|how many) (?P<name>{_WORD})(?!\w)", re.IGNORECASE)


def calculate_answer(question: str, texts: Texts) -> str:
    """The answer; empty for any other question."""
    said = _DEGREES.sub("", " ".join(question.split()).rstrip(" ?!.…"))
    if len(said) > _LONGEST:
        return ""
    try:
        found = _conversion(said, texts) or _calculation(said, texts)
    except NotArithmetic as exc:
        return texts.say("no_model.no_result") if exc.why == "impossible" else ""
    return texts.say("no_model.calculated", equation=found) if found else ""


def _conversion(said: str, texts: Texts) -> str:
    for words in _lightened(said):
        for form, pattern in _conversions():
            found = pattern.fullmatch(words)
            told = _converted(found, form, texts) if found else ""
            if told:
                return told
    return ""


def _lightened(said: str) -> Iterator[str]:
    """As it was said, and without the words around it, one after the other."""
    yield said
    while found := _LEAD.match(said):
        said = said[found.end() :]
        yield said
    while found := re.search(r" (?:lütfen|please|acaba)\Z", said, re.IGNORECASE):
        said = said[: found.start()]
        yield said


@cache
def _conversions() -> tuple[tuple[int, re.Pattern[str]], ...]:
    word = r"[^\s\d?]\S*"
    return tuple(
        (
            form,
            re.compile(
                pattern.replace("{amount}", _AMOUNT)
                .replace("{unit}", rf"(?P<unit>{' '.join([word] * unit)})")
                .replace("{to}", rf"(?P<to>{' '.join([word] * to)})"),
                re.IGNORECASE,
            ),
        )
        for form, pattern in enumerate(_CONVERSIONS)
        for unit, to in _LENGTHS_OF_NAMES
    )


def _converted(found: re.Match[str], form: int, texts: Texts) -> str:
    name, to_name = _unit_name(found["unit"]), _unit_name(found["to"])
    unit, to = unit_of(name), unit_of(to_name)
    if unit is None or to is None:
        return ""
    amount = _amount(found["amount"], Language.TR if form < _TURKISH_FORMS else Language.EN)
    value = convert(amount, unit, to)
    if value is None:
        return ""
    return equation(
        f"{amount:f}", value, texts, Unit(name, unit.definition), Unit(to_name, to.definition)
    )


def _unit_name(said: str) -> str:
    """Without what Turkish hangs on it; as it was said where no unit is called that."""
    stems = (said[:length] for length in range(len(said), 0, -1))
    return next((one for one in stems if unit_of(one) and _is_stem(one, said)), said)


def _is_stem(stem: str, said: str) -> bool:
    return stem == said or _ENDING.fullmatch(said.removeprefix(stem)) is not None


def _amount(said: str, language: Language) -> Decimal:
    words = said.lower()
    if not any(map(str.isdigit, words)):
        return Decimal(_WORDS.get(words, "1"))
    number, _, scale = words.partition(" ")
    return evaluate(_grouped(number, language)) * _SCALES.get(scale, 1)


def _grouped(text: str, language: Language) -> str:
    """With thousands as the language parts them put together: 1.250 is 1250 in Turkish."""
    mark = r"\." if language is Language.TR else ","
    return re.sub(
        rf"(?<![\d.,])\d{{1,3}}(?:{mark}\d{{3}})+(?![\d])",
        lambda found: re.sub(mark, "", found[0]),
        text,
    )


def _calculation(said: str, texts: Texts) -> str:
    language = guess_language(said, texts.language)
    said, currency = _strip_currency(said)
    expression, is_asked = _bare(_SCALED.sub(lambda one: _in_full(one, language), said))
    expression = _grouped(_in_signs(expression), language)
    if not _JOINED.search(expression) or (_TIED.fullmatch(expression) and not is_asked):
        return ""
    read = format_expression(expression).replace("*", "×").replace("sqrt", "√").strip()
    if len(read) > _LONGEST:
        return ""
    told = equation(read, evaluate(expression), texts, places=_CENTS if currency else None)
    return _with_currency(told, currency, texts)


def _with_currency(told: str, currency: str, texts: Texts) -> str:
    """Behind the result in Turkish; in English a sign stands before it."""
    if texts.language is Language.TR or currency.isalpha():
        return f"{told} {currency}".rstrip()
    head, _, result = told.rpartition(" ")
    return f"{head} {currency}{result}"


def _in_full(found: re.Match[str], language: Language) -> str:
    return f"{_amount(found[0], language):f}"


def _bare(said: str) -> tuple[str, bool]:
    """What is to be worked out, and whether words say that it is."""
    is_asked = False
    while found := _LEAD.match(said):
        said, is_asked = said[found.end() :], is_asked or bool(found["cue"])
    while found := _TRAIL.search(said):
        said = said[: found.start()].rstrip(" ,:;?")
        is_asked = is_asked or bool(found["cue"])
    return said, is_asked


def _in_signs(said: str) -> str:
    if changed := _apply_percentage(said):
        return changed
    for pattern, expression in _SAID:
        if found := re.fullmatch(pattern, said, re.IGNORECASE):
            return found.expand(expression)
    for words, sign in _SIGNS:
        between = rf"(?<=[\d)%])\s*(?:{words})\s*(?=[\d(%.-])"
        said = re.sub(between, f" {sign} ", said, flags=re.IGNORECASE)
    return said


def _apply_percentage(said: str) -> str:
    """The expression that is meant; empty where it is anything else."""
    for forms, sign in ((_MORE, "+"), (_LESS, "-")):
        for form in forms:
            if found := re.fullmatch(form, said, re.IGNORECASE):
                share = found["behind"] or found["before"]
                return f"{found['whole']} * (1 {sign} {share} / 100)"
    return ""


def _strip_currency(said: str) -> tuple[str, str]:
    """The words without their currency, and which one it is.

    As they are, and none, where they name no currency or several: those are not converted here.
    """
    names = [one["name"] for form in (_BEHIND, _BEFORE, _ASKED) for one in form.finditer(said)]
    currencies = {_NAMED[name.lower()] for name in names}
    if len(currencies) != 1:
        return said, ""
    bare = _ASKED.sub(r"\g<how>", _BEFORE.sub("", _BEHIND.sub(r"\g<gap>", said)))
    return " ".join(bare.split()), currencies.pop()
