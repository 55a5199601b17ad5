"""Shares that are added or taken off, as people say it: "350'ye %20 KDV ekle", "20% off 350"."""

import re

_NUMBER = r"[-−]?\d+(?:[.,]\d+)*"
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


def changed_by_a_share(said: str) -> str:
    """The expression that is meant; empty where it is anything else."""
    for forms, sign in ((_MORE, "+"), (_LESS, "-")):
        for form in forms:
            if found := re.fullmatch(form, said, re.IGNORECASE):
                share = found["behind"] or found["before"]
                return f"{found['whole']} * (1 {sign} {share} / 100)"
    return ""
