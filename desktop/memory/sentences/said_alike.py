"""Puts what is usually said in several ways into one, for holding two sentences together."""

import re

_IS = r"(?:[iıuü]yor|[aeıiuü]r|m[ae]kt[ae]d[ıi]r)"
_WAYS = (
    (r"(\w{4,}?)l[ıiuü]k yap(?:ıyor|iyor|ar|maktad[ıi]r)(?:[uı]m)?", r"\1"),
    (rf"olarak [çc]al[ıi][şs]{_IS}(?:um)?", ""),
    (r"(?:am|is|are) working as an?|works? as an?", "is a"),
    (r"sahibi(?:dir|yim)?", "var"),
    (r"bulun(?:uyor|maktad[ıi]r)", "var"),
    (r"alerjik(?:tir|im)?", "alerjisi var"),
    (r"(?:have|has) an? (\w+) allergy", r"is allergic to \1"),
    (r"(?:have|has) an? allergy to", "is allergic to"),
    (r"ikamet ediyor(?:um)?", "yaşıyor"),
    (r"(?<=[dt][ae] )otur(?=uyor|ur\b)", "yaş"),
    (r"(?<=[dt][ae] )otur(?=m[ua])", "yaşa"),
    (r"ediyor(?:um)?", "eder"),
    (r"ismi(?=m?\b|[mn]in\b|dir\b)", "adı"),
)
_PATTERNS = tuple((re.compile(rf"(?i)\b(?:{said})\b"), way) for said, way in _WAYS[:-4])
_BEGINNINGS = tuple((re.compile(rf"(?i)\b(?:{said})"), way) for said, way in _WAYS[-4:])
_FORMAL = re.compile(r"(?i)(?<=[^\W\d_])m([ae])kt[ae]d[ıi]r\b")
""""Öğrenmektedir": a report's way to say "öğreniyor"."""


def said_alike(text: str) -> str:
    for pattern, way in (*_PATTERNS, *_BEGINNINGS):
        text = pattern.sub(way, text)
    return _FORMAL.sub("iyor", text)
