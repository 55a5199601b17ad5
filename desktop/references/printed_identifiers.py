"""Finds the identifiers of a work on its first pages: its DOI, or its id at arXiv.

A printed DOI may be that of a cited work, or be torn by the end of a line. Where that cannot be
told, there is none: a missing DOI is typed once, a wrong one is believed.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from desktop.domain.json_values import JsonValue
from desktop.language.normalization import folded_key
from desktop.references.fields import read_date
from desktop.references.merging import title_key

_ENDS_DOI = frozenset('"<>“”‘’«»|?# \t\r\n\ufffe')
_TRAILING = ".,;:'…"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_ADDRESSES = ("http", "www", "doi", "10.")  # What begins an address of its own
_LABELS = ("issn", "isbn", "v.", "vol", "no.", "n.", "s.", "ss.", "p.", "pp.")
"""What begins a line with the numbers of a journal, its volumes or pages."""
_SPLITS = ("/", "_", "(", "-")  # Where a DOI that goes on in the next line may end
_REGISTRANT = range(4, 10)
_LONGEST_DOI = 200
_BEFORE = 250  # Letters of a reference before its DOI
_SHORT_LINE = 80
_MOST_LINES = 3  # Over which a DOI goes on
_PROSE = 3  # Words in small letters
_LIST_DIGITS = 3  # Of the number of a note
_LIST_HEADS = {"kaynakca", "kaynaklar", "references", "bibliography", "workscited", "reference"}
_CITE_LABELS = (
    "cite this",
    "to cite",
    "cite as",
    "citation",
    "link to this",
    "reference format",
    "atif:",
    "atif/",
    "atif /",
    "atif icin",
    "alinti",
    "kunye",
    "kaynak goster",
)


class _Printed(NamedTuple):
    doi: str
    is_sure: bool  # Whether it surely ends where it seems to
    before: str
    line: str


def printed_fields(
    pages: Sequence[str], links: Sequence[str] = (), title: str = ""
) -> dict[str, JsonValue]:
    """Return the work's own DOI, or else its id at arXiv, as printed on its first pages."""
    found = [list(_own(page, links, title)) for page in pages]
    doi = next((_only(dois, found) for dois in found if dois), "")
    if doi:
        return {"DOI": doi}
    return _arxiv_fields(pages[0]) if pages else {}


def _only(candidates: Sequence[_Printed], pages: Sequence[Sequence[_Printed]]) -> str:
    """Return the DOI of a page: its only one, the labelled one, or the one on both pages."""
    distinct = {candidate.doi.lower(): candidate for candidate in candidates}
    if len(distinct) > 1:
        elsewhere = {
            other.doi.lower() for page in pages if page is not candidates for other in page
        }
        strong = {
            doi: candidate
            for doi, candidate in distinct.items()
            if doi in elsewhere or (_is_labelled(candidate) and len(candidate.line) < _SHORT_LINE)
        }
        distinct = strong
    if len(distinct) != 1:
        return ""
    (candidate,) = distinct.values()
    return candidate.doi if candidate.is_sure else ""


def _is_labelled(candidate: _Printed) -> bool:
    begin = folded_key(candidate.line.strip())
    return begin.startswith(("doi", "https://doi", "http://dx", "https://dx", "http://doi"))


def _own(page: str, links: Sequence[str], title: str) -> Iterator[_Printed]:
    for candidate in _candidates(_before_list(page)):
        whole = _completed(candidate.doi, links)
        sure = candidate._replace(doi=whole, is_sure=True) if whole else candidate
        if not _is_of_cited_work(sure, title):
            yield sure


def _completed(doi: str, links: Sequence[str]) -> str:
    """Return the whole DOI as a link on the page has it."""
    bare = doi.lower().replace("-", "")
    whole = {link for link in links if link.lower().replace("-", "").startswith(bare)}
    exact = {link for link in whole if link.lower().replace("-", "") == bare}
    return next(iter(exact or whole)) if len(exact or whole) == 1 else ""


def _before_list(page: str) -> str:
    """Return a page up to its list of references."""
    lines = page.splitlines(keepends=True)
    for number, line in enumerate(lines):
        letters = "".join(letter for letter in folded_key(line) if letter.isalpha())
        if letters in _LIST_HEADS:
            return "".join(lines[:number])
    return page


def _is_of_cited_work(candidate: _Printed, title: str) -> bool:
    """Whether a DOI stands in a sentence, or in a reference to another work."""
    folded = folded_key(candidate.before)
    letters = "".join(filter(str.isalnum, folded))
    key = title_key(title)
    if any(label in folded for label in _CITE_LABELS) or (key and key in letters):
        return False
    return _is_in_sentence(candidate) or _is_in_list(candidate.before) or _has_dated_name(folded)


def _is_in_sentence(candidate: _Printed) -> bool:
    before, _, after = candidate.line.partition(candidate.doi)
    words = before.split()
    label = words.pop() if words else ""
    is_prose = sum(word[:1].islower() and len(word) > len("doi") for word in words) >= _PROSE
    next_word = after.split()[:1]
    goes_on = after[:1] == " " and any(map(_is_plain_word, next_word))
    if is_prose or goes_on or label.startswith("(") or before.endswith("("):
        return True
    # A sentence that goes on from the line before, and ends here.
    last = candidate.before[: len(candidate.before) - len(before)].split()[-1:]
    ends_sentence = after.rstrip() == "."
    return not words and ends_sentence and bool(last) and not last[0].endswith(".")


def _is_plain_word(word: str) -> bool:
    return word[:1].islower() and word.isalpha()


def _is_in_list(before: str) -> bool:
    """Whether a line above begins with the number of a note or of a reference.

    What has no year is the number of an author's institution.
    """
    lines = before.splitlines()[-_MOST_LINES:]
    for place, line in enumerate(lines):
        number, _, rest = line.strip().partition(" ")
        digits = number.strip("[].")
        if digits.isdecimal() and len(digits) <= _LIST_DIGITS:
            return any(map(_is_year, " ".join((rest, *lines[place + 1 :])).split()))
    return False


def _is_year(word: str) -> bool:
    digits = word.strip("(),.;:")
    return len(digits) == len("2010") and digits.isdecimal() and digits[:2] in {"18", "19", "20"}


def _has_dated_name(folded: str) -> bool:
    """Whether a year in brackets follows a name, as in "Smith, J. (2010)."."""
    for place, sign in enumerate(folded):
        year, end = folded[place + 1 : place + 5], folded[place + 5 : place + 7].lstrip("abc")
        is_year = sign == "(" and len(year) == len("2010") and year.isdecimal()
        before = folded[:place].rstrip()[-1:]
        if is_year and end[:1] == ")" and end[1:2] in {"", *".,:"} and not before.isdigit():
            return True
    return False


def find_dois(text: str) -> list[str]:
    """Return the DOIs in a text, in order."""
    return [candidate.doi for candidate in _candidates(text)]


def _candidates(text: str) -> Iterator[_Printed]:
    place = text.find("10.")
    while place >= 0:
        if doi := _doi_at(text, place):
            whole, is_sure = _over_lines(text, place, doi)
            trimmed = _trimmed(whole)
            line_begin = text.rfind("\n", 0, place) + 1
            line = text[line_begin:].partition("\r")[0].partition("\n")[0]
            before = text[max(0, place - _BEFORE) : place]
            yield _Printed(trimmed, is_sure, before, line)
        place = text.find("10.", place + 3)


def _doi_at(text: str, place: int) -> str:
    """Return what a DOI at a place can have in its line; empty if there is none."""
    registrant, slash, _ = text[place + 3 : place + 30].partition("/")
    digits = registrant.partition(".")[0]
    is_number = registrant.replace(".", "").isdecimal() and len(digits) in _REGISTRANT
    if not (slash and is_number) or text[place - 1 : place].isalnum():
        return ""
    end = place
    while end < len(text) and text[end] not in _ENDS_DOI and end - place < _LONGEST_DOI:
        end += 1
    return text[place:end]


def _over_lines(text: str, place: int, doi: str) -> tuple[str, bool]:
    """Return a DOI with what goes on in the next lines, and whether that is certain."""
    end = place + len(doi)
    for _ in range(_MOST_LINES):
        if text[end : end + 1] == "\ufffe":  # PDFium's sign for the hyphen of a divided word
            token = _token(text, end + 1)
            # Nothing is divided before a digit, and a DOI with hyphens may be torn at one.
            if not token[:1].isalpha() or "-" in f"{doi}{token}":
                return doi, False
            doi, end = doi + token, end + 1 + len(token)
            continue
        rest = text[end:]
        begin = len(rest) - len(rest.lstrip("\r\n"))
        if not begin:
            return doi, True
        token = _token(text, end + begin)
        is_line = text[end + begin + len(token) :][:1] in ("", "\r", "\n")
        goes_on = _goes_on(doi, token, is_line=is_line)
        if goes_on is not True:
            return doi, goes_on is False
        doi, end = doi + token, end + begin + len(token)
    return doi, True


def _token(text: str, place: int) -> str:
    end = place
    while end < len(text) and text[end] not in _ENDS_DOI:
        end += 1
    return text[place:end]


def _goes_on(doi: str, token: str, *, is_line: bool) -> bool | None:
    """Whether the next line goes on with a DOI; None: it may."""
    bare = token.strip(_TRAILING)
    has_own_digit = any(map(str.isdigit, doi.partition("/")[2]))
    is_torn = doi.endswith(_SPLITS) or (doi.endswith(".") and not has_own_digit)
    if doi.endswith("-") and "-" not in f"{doi[:-1]}{bare}":
        return None  # its own hyphen, or that of a divided word
    if not bare or "@" in bare or bare.lower().startswith(_ADDRESSES):
        return None if is_torn else False
    if is_torn or _is_of_journal(bare):
        return is_torn
    if not any(map(str.isdigit, bare)) or bare[0].isupper():
        # A DOI without a digit is rare: it is more likely to be torn.
        return False if has_own_digit else None
    if doi.endswith("."):
        return True if "." in bare and not _is_date(bare) else None
    return None if is_line or any(map(str.isalpha, bare)) else False


def _is_of_journal(text: str) -> bool:
    """Whether a word begins what is no part of a DOI: an ISSN, a volume, an institution."""
    is_issn = text[:4].isdecimal() and text[4:5] == "-" and text[5:8].isdecimal()
    return (
        is_issn
        or not text[0].isalnum()
        or text.lower().startswith(_LABELS)
        or _is_affiliation(text)
    )


def _is_affiliation(text: str) -> bool:
    """Whether a text is the number of an author's institution with its first word."""
    word = text.lstrip("0123456789")
    return len(word) < len(text) and word[:1].isupper() and word.isalpha()


def _is_date(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 3 and all(map(str.isdecimal, parts))  # noqa: PLR2004 - day, month, year


def _trimmed(doi: str) -> str:
    """Return a DOI without the punctuation of the sentence around it."""
    while doi and (doi[-1] in _TRAILING or _closes_nothing(doi)):
        doi = doi[:-1]
    return doi


def _closes_nothing(doi: str) -> bool:
    opening = _PAIRS.get(doi[-1])
    return opening is not None and doi.count(doi[-1]) > doi.count(opening)


def _arxiv_fields(page: str) -> dict[str, JsonValue]:
    """Return the id that arXiv prints in the margin: "arXiv:2101.12345v2 [cs.CL] 3 Jan 2021"."""
    for line in page.splitlines():
        label, _, rest = line.strip().partition(":")
        name, bracket, date = rest.partition(" [")
        number = name.partition("v")[0]
        digits = number.rpartition("/")[2].replace(".", "")
        if label == "arXiv" and bracket and digits.isdecimal() and " " not in name:
            year = date.rstrip()[-len("2021") :]
            return {
                "type": "article",
                "publisher": "arXiv",
                "number": f"arXiv:{number}",
                "URL": f"https://arxiv.org/abs/{number}",
                "issued": read_date(year) if year.isdecimal() else {},
            }
    return {}
