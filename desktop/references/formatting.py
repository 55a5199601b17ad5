"""Formats lists of references in a citation style.

Pandoc does it, in a child process without access to files: a program that is found, or the one
that the extra `references` brings. Without it, citeproc-py formats the few lists that it writes as
pandoc does. Two things of pandoc's are repaired, both in Turkish lists: the order of their letters
and the capital of "içinde".
"""

import json
import subprocess
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which

from lxml import etree, html

from desktop.domain.language import Language
from desktop.domain.references import (
    CslItem,
    FormatterFailedError,
    FormatterMissingError,
    Reference,
    StyleUnknownError,
)
from desktop.language.normalization import sort_key
from desktop.references.fields import marked_title
from desktop.references.formats import without_originals
from desktop.settings.messages import Texts
from desktop.settings.paths import asset

_OLDEST_PANDOC = 3
_PANDOC_S = 60.0
_LOCALES = {Language.TR: "tr-TR", Language.EN: "en-US"}
_SAME_AUTHOR = "———"
_NAMESPACE = "{http://purl.org/net/xbiblio/csl}"


@dataclass(frozen=True, slots=True)
class CitationStyle:
    name: str  # As the user types it
    file: str  # In resources/styles
    title: str
    plain_in: frozenset[Language] = frozenset()
    """The languages in which citeproc-py writes what pandoc writes."""


STYLES = (
    CitationStyle("apa", "apa", "APA 7"),
    CitationStyle("apa-tr", "apa-tr", "APA 6 (Türkçe)", frozenset({Language.TR})),
    CitationStyle("isnad", "isnad-dipnotlu", "İSNAD 2 (dipnotlu)"),
    CitationStyle("isnad-metinici", "isnad-metinici", "İSNAD 2 (metin içi)"),
    CitationStyle("isnad-1", "isnad", "İSNAD 1 (dipnotlu)"),
    CitationStyle("ieee", "ieee", "IEEE", frozenset({Language.TR})),
    CitationStyle("vancouver", "nlm-citation-sequence", "Vancouver (NLM)"),
    CitationStyle("chicago", "chicago-author-date", "Chicago 18 (author-date)"),
    CitationStyle("chicago-notes", "chicago-notes-bibliography", "Chicago 18 (notes)"),
    CitationStyle("mla", "modern-language-association", "MLA 9"),
    CitationStyle("harvard", "harvard-cite-them-right", "Harvard (Cite Them Right)"),
    CitationStyle("tubitak", "turkiye-bilimsel-ve-teknolojik-arastirma-kurumu", "TÜBİTAK"),
)


@dataclass(frozen=True, slots=True)
class FormattedEntry:
    key: str
    text: str
    html: str


def format_list(
    items: Sequence[CslItem], style: str, language: Language
) -> Sequence[FormattedEntry]:
    """Return the list in the order of the style; waits for a child process.

    `style`: a name of STYLES, or the path of a .csl file. Raises StyleUnknownError,
    FormatterMissingError, FormatterFailedError.
    """
    shipped = next((entry for entry in STYLES if entry.name == style.lower()), None)
    path = asset("resources", "styles", f"{shipped.file}.csl") if shipped else Path(style)
    if not path.is_file():
        raise StyleUnknownError(style=style, names=", ".join(entry.name for entry in STYLES))
    sent = [_with_marks(item, language) for item in items]
    if not sent:
        return []
    if (pandoc := find_pandoc()) is not None:
        entries = _by_pandoc(pandoc, sent, path, language)
    elif shipped and language in shipped.plain_in and not _needs_suffixes(sent, path):
        entries = _by_citeproc(sent, path, language)
    else:
        raise FormatterMissingError(style=style)
    if language is not Language.TR:
        return entries
    capital = [
        FormattedEntry(entry.key, *(_with_dot(text) for text in (entry.text, entry.html)))
        for entry in entries
    ]
    return _in_turkish_order(capital) if _sorts(path) else capital


def _with_marks(item: CslItem, language: Language) -> CslItem:
    """Return an item whose title has its marks: no style shows them otherwise."""
    plain, marks = without_originals(item), Reference(item).marks
    title = str(plain.get("title") or "")
    return {**plain, "title": marked_title(title, marks, Texts(language))} if marks else plain


@cache
def find_pandoc() -> Path | None:
    """Return pandoc, if one is installed that knows the styles of today."""
    spec = find_spec("pypandoc")
    carried = Path(spec.origin).parent / "files" / "pandoc" if spec and spec.origin else None
    candidates = [which("pandoc"), which(str(carried)) if carried else None]
    return next((Path(path) for path in candidates if path and _is_new_enough(path)), None)


def _is_new_enough(pandoc: str) -> bool:
    try:
        version = _run([pandoc, "--version"], "").partition("\n")[0].split()[-1]
    except (FormatterFailedError, IndexError):
        return False
    major = version.partition(".")[0]
    return major.isdecimal() and int(major) >= _OLDEST_PANDOC


def _by_pandoc(
    pandoc: Path, items: Sequence[CslItem], style: Path, language: Language
) -> list[FormattedEntry]:
    command = [
        str(pandoc),
        "--sandbox",
        "--from=csljson",
        "--to=html",
        "--wrap=none",
        "--citeproc",
        f"--csl={style}",
        f"--metadata=lang:{_LOCALES[language]}",
    ]
    page = html.fromstring(f"<div>{_run(command, json.dumps(items, ensure_ascii=False))}</div>")
    return [
        FormattedEntry(
            str(entry.get("id", "")).removeprefix("ref-"), _text_of(entry), _html_of(entry)
        )
        for entry in page.iter("div")
        if "csl-entry" in entry.get("class", "").split()
    ]


def _run(command: Sequence[str], text: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - a found program, without a shell
            command,
            input=text.encode(),
            capture_output=True,
            timeout=_PANDOC_S,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise FormatterFailedError(detail=type(exc).__name__) from exc
    if done.returncode:
        detail = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise FormatterFailedError(detail=detail or str(done.returncode))
    return done.stdout.decode()


def _text_of(entry: html.HtmlElement) -> str:
    parts = entry.xpath("./div") or [entry]
    return " ".join(" ".join(str(part.text_content()).split()) for part in parts)


def _html_of(entry: html.HtmlElement) -> str:
    parts = entry.xpath("./div") or [entry]
    inner = [
        (part.text or "") + "".join(etree.tostring(child, encoding="unicode") for child in part)
        for part in parts
    ]
    return " ".join(" ".join(piece.split()) for piece in inner)


def _mended(text: str) -> str:
    """Set the spaces of citeproc-py right: behind a number, before the end."""
    text = text.replace(" .", ".")
    label, end, rest = text.partition("]")
    return f"{label}{end} {rest}" if text.startswith("[") and label[1:].isdecimal() else text


def _with_dot(text: str) -> str:
    return text.replace("Içinde", "İçinde")


def _sorts(style: Path) -> bool:
    """Whether a style orders its list by names, and not by the places of the citations."""
    return _parsed(style).find(f"{_NAMESPACE}bibliography/{_NAMESPACE}sort") is not None


def _needs_suffixes(items: Sequence[CslItem], style: Path) -> bool:
    """Whether the style sets letters after the years of these works, which citeproc-py omits."""
    citation = _parsed(style).find(f"{_NAMESPACE}citation")
    if citation is None or citation.get("disambiguate-add-year-suffix") != "true":
        return False
    works = [Reference(item) for item in items]
    return len({(*work.authors, work.year) for work in works}) < len(works)


def _parsed(style: Path) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        return etree.parse(style, parser).getroot()
    except (etree.XMLSyntaxError, OSError) as exc:
        raise FormatterFailedError(detail=str(exc)) from exc


def _in_turkish_order(entries: Sequence[FormattedEntry]) -> list[FormattedEntry]:
    """Order by the first name; entries with the same one stay in the order of the style."""
    groups: list[list[FormattedEntry]] = []
    for entry in entries:
        if groups and entry.text.startswith(_SAME_AUTHOR):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    groups.sort(key=lambda group: sort_key(_first_name(group[0].text), Language.TR))
    return [entry for group in groups for entry in group]


def _first_name(text: str) -> str:
    ends = [place for sign in ",.(" if (place := text.find(sign)) > 0]
    return text[: min(ends, default=len(text))]


def _by_citeproc(
    items: Sequence[CslItem], style: Path, language: Language
) -> list[FormattedEntry]:
    from citeproc import (  # noqa: PLC0415 - only without pandoc
        Citation,
        CitationItem,
        CitationStylesBibliography,
        CitationStylesStyle,
        formatter,
    )
    from citeproc.source.json import CiteProcJSON  # noqa: PLC0415 - as above

    def formatted(form: Callable[..., str]) -> list[str]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fields that it does not know
            written = CitationStylesStyle(str(style), locale=_LOCALES[language], validate=False)
            source = CiteProcJSON([dict(item) for item in items])
            bibliography = CitationStylesBibliography(written, source, form)
            bibliography.register(Citation([CitationItem(str(item["id"])) for item in items]))
            bibliography.sort()
            keys[:] = [str(key) for key in bibliography.keys]
            return [_mended(str(entry)) for entry in bibliography.bibliography()]

    keys: list[str] = []
    texts, pages = formatted(formatter.plain), formatted(formatter.html)
    return [FormattedEntry(*entry) for entry in zip(keys, texts, pages, strict=True)]
