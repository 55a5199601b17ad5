"""Titles, times, durations, tokens, money and sources as the interface's language writes them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, QTime

from desktop.domain.references import Work
from desktop.domain.sessions import Session
from desktop.domain.sources import (
    FORM_OF_ENDING,
    DocumentType,
    Source,
    SourceKind,
    SourcePassage,
    SourceState,
)

_THOUSAND = 1000
_MILLION = 1_000_000
_WHOLE_ABOVE = 100
_LEAST_MONEY = 0.0001
_MINUTE_S = 60
_WHOLE_SECONDS = 10  # no fractions from here on
_LONGEST_NAME = 80


def short_title(session: Session) -> str:
    name = " ".join((session.title or session.opening).split())
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def clock_time(moment: datetime, *, seconds: bool = False) -> str:
    """Return the local time of day; Turkish writes it with a dot."""
    local = moment.astimezone()
    locale = QLocale()
    form = locale.timeFormat(QLocale.FormatType.ShortFormat)
    if locale.language() == QLocale.Language.Turkish:
        form = "HH.mm"
    if seconds:
        form = form.replace("mm", "mm.ss" if "." in form else "mm:ss")
    return locale.toString(QTime(local.hour, local.minute, local.second), form)


def day_and_month(day: date) -> str:
    """Return the day and the short month: "14 Eki", "Oct 14"."""
    locale = QLocale()
    first_day = locale.dateFormat(QLocale.FormatType.ShortFormat).lower().startswith("d")
    return locale.toString(QDate(day.year, day.month, day.day), "d MMM" if first_day else "MMM d")


def day(moment: datetime, today: date | None = None) -> str:
    """Return the day, with the year if it is not this year."""
    local, today = moment.astimezone().date(), today or date.today()  # noqa: DTZ011
    text = day_and_month(local)
    if local.year == today.year:
        return text
    return f"{text} {local.year}" if text[0].isdigit() else f"{text}, {local.year}"


def full_day(day: date) -> str:
    """Return weekday and date, all of it written out."""
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


def when_alone(moment: datetime, today: date) -> str:
    """Return the time if the moment is today, else the day."""
    return clock_time(moment) if moment.astimezone().date() == today else day(moment, today)


def month(day: date) -> str:
    """Return the name of the month, as it is written without a day."""
    return QLocale().standaloneMonthName(day.month)


def day_and_time(moment: datetime) -> str:
    """Return the time of day, with the day if it is not today."""
    local = moment.astimezone()
    time = clock_time(moment)
    today = datetime.now(local.tzinfo).date()
    return time if local.date() == today else f"{day_and_month(local.date())} {time}"


def short_month(day: date) -> str:
    """Return the month: "Eki", "Oct"."""
    return QLocale().standaloneMonthName(day.month, QLocale.FormatType.ShortFormat)


def weekday(day: date) -> str:
    """Return the short weekday: "Sal", "Tue"."""
    return QLocale().standaloneDayName(day.isoweekday(), QLocale.FormatType.ShortFormat)


def duration(milliseconds: int) -> str:
    """Return seconds, or minutes and seconds: "2.5 s", "1 min 3 s"."""
    seconds = milliseconds / _THOUSAND
    if seconds < _MINUTE_S:
        digits = 0 if seconds >= _WHOLE_SECONDS or seconds == int(seconds) else 1
        form = QCoreApplication.translate("Amounts", "{seconds} s")
        return form.format(seconds=QLocale().toString(seconds, "f", digits))
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    form = QCoreApplication.translate("Amounts", "{minutes} min")
    if rest:
        form = QCoreApplication.translate("Amounts", "{minutes} min {seconds} s")
    return form.format(minutes=minutes, seconds=rest)


def token_count(tokens: int) -> str:
    """Return a count, in thousands from 1,000 on: "940", "2,1 bin" (Turkish), "2.1k"."""
    if tokens < _THOUSAND:
        return QLocale().toString(tokens)
    if tokens < _MILLION:
        form = QCoreApplication.translate("Amounts", "{number}k")
        return form.format(number=_short(tokens / _THOUSAND))
    form = QCoreApplication.translate("Amounts", "{number}M")
    return form.format(number=_short(tokens / _MILLION))


def money(usd: float) -> str:
    """Return dollars and cents; amounts below a cent with four decimals."""
    if 0 < usd < _LEAST_MONEY:
        form = QCoreApplication.translate("Amounts", "< ${number}")
        return form.format(number=QLocale().toString(_LEAST_MONEY, "f", 4))
    digits = 2 if usd >= 0.01 or usd == 0 else 4  # noqa: PLR2004 (a cent)
    form = QCoreApplication.translate("Amounts", "${number}")
    return form.format(number=QLocale().toString(usd, "f", digits))


def _short(number: float) -> str:
    digits = 0 if number >= _WHOLE_ABOVE or number == int(number) else 1
    return QLocale().toString(number, "f", digits)


def form_of(source: Source) -> DocumentType:
    if source.kind is SourceKind.WEB:
        return DocumentType.WEB_PAGE
    return FORM_OF_ENDING.get(PurePath(source.address).suffix.lower(), DocumentType.TEXT)


def kind_of(work: Work) -> str:
    """Return the type of a work, or else the form of its document."""
    return work.reference.text("type") or str(form_of(work.source))


def is_excerpt(source: Source) -> bool:
    """Whether an endpoint searched by itself and returned only the cited part of a page."""
    is_partial = source.state is SourceState.PARTIAL
    return is_partial and source.kind is SourceKind.WEB and not source.pages


class SourceLabels(QObject):
    def form(self, source: Source) -> str:
        return self.forms()[form_of(source)]

    def forms(self) -> Mapping[str, str]:
        return {
            DocumentType.EPUB: self.tr("EPUB"),
            DocumentType.HTML: self.tr("HTML"),
            DocumentType.MARKDOWN: self.tr("Markdown"),
            DocumentType.PDF: self.tr("PDF"),
            DocumentType.TEXT: self.tr("Text"),
            DocumentType.WEB_PAGE: self.tr("Web"),
            DocumentType.WORD: self.tr("Word"),
        }

    def types(self) -> Mapping[str, str]:
        """Return the types of CSL that can be chosen, with their names."""
        return {
            "article-journal": self.tr("Article"),
            "book": self.tr("Book"),
            "chapter": self.tr("Chapter"),
            "paper-conference": self.tr("Conference paper"),
            "thesis": self.tr("Thesis"),
            "report": self.tr("Report"),
            "article": self.tr("Preprint"),
            "article-magazine": self.tr("Magazine article"),
            "article-newspaper": self.tr("Newspaper article"),
            "entry-encyclopedia": self.tr("Encyclopedia entry"),
            "webpage": self.tr("Web page"),
            "dataset": self.tr("Dataset"),
            "software": self.tr("Software"),
            "legislation": self.tr("Legislation"),
            "patent": self.tr("Patent"),
            "manuscript": self.tr("Manuscript"),
            "document": self.tr("Document"),
        }

    def authors(self, names: Sequence[str]) -> str:
        """Return the family names: of two authors both, of more the first."""
        families = [name.partition(",")[0] for name in names]
        if len(families) > 2:  # noqa: PLR2004 - what the sentence says
            return self.tr("{author} et al.").format(author=families[0])
        if len(families) > 1:
            both = self.tr("{author} and {other}")
            return both.format(author=families[0], other=families[1])
        return "".join(families)

    def pages(self, source: Source) -> str:
        return self.tr("%Ln page(s)", "", source.pages) if source.pages else ""

    def trouble(self, source: Source) -> str:
        if source.is_damaged:
            return self.tr("part of its record is damaged")
        if is_excerpt(source):
            return self.tr("only the quoted part was read")
        if source.state is SourceState.PARTIAL and not source.pages:
            return self.tr("some parts of it could not be read")
        if source.state is SourceState.PARTIAL:
            return self.tr("scanned pages of it have not been read yet")
        return ""

    def read(self, source: Source) -> str:
        moment = self.tr("{day}, {time}").format(
            day=day(source.read_at), time=clock_time(source.read_at)
        )
        if source.kind is SourceKind.WEB:
            return self.tr("Page read on {moment}").format(moment=moment)
        return self.tr("File read on {moment}").format(moment=moment)

    def place(self, passage: SourcePassage, printed: str = "") -> str:
        """Return where in its source a passage is; empty if that is unknown.

        `printed`: the number that is printed on its page.
        """
        page = self.tr("page {number}").format(number=passage.page) if passage.page else ""
        if page and printed and printed != str(passage.page):
            page = self.tr("{page} (printed as {label})").format(page=page, label=printed)
        return " · ".join(filter(None, (page, passage.heading)))
