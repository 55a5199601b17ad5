"""What an export is made of, and the record that describes a format."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from desktop.domain.claims import CitedSupport, JudgedClaim, Support, differing
from desktop.domain.errors import PassageUnknownError, SessionUnknownError, SourceUnknownError
from desktop.domain.ids import MessageId, PassageId, SessionId, SourceId
from desktop.domain.messages import Citation, CitationState, Message, MessageFile
from desktop.domain.prompts import Prompt
from desktop.domain.references import CslItem, WorkMark
from desktop.domain.sessions import Session
from desktop.domain.sources import Source, SourceKind
from desktop.domain.times import long_date
from desktop.language.formulas import FormulaDrawing, FormulaToken
from desktop.language.links import markdown_parser
from desktop.language.sentences import plain_text
from desktop.references.fields import marked_title
from desktop.sessions.archive_reader import ArchiveReader
from desktop.settings.messages import Texts

DrawFormula = Callable[[FormulaDrawing], str]  # Returns the HTML that shows a formula
PrintPdf = Callable[[Callable[[DrawFormula], str]], bytes]
"""Lays out the page that a function makes; only a front end with Qt can."""
PrintedPage = Callable[[Source, int], str]
"""Returns the number printed on a page, which is counted from 1; empty if it is not known."""
ReadFile = Callable[[MessageFile], bytes | None]  # None if its bytes are missing
_CODE_NUMBER_OR_KEY = re.compile(
    r"(?ms)(?:^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(`+)(?:(?!\2).)*\2)"
    r"|\[(\d{1,3})\](?!\()|(?<![\w/])@(?=\w)"
)


@dataclass(frozen=True, slots=True)
class CitationNote:
    """A citation with the place of its passage."""

    citation: Citation
    page: int | None = None
    heading: str = ""
    address: str = ""
    """Of a web page only: the path of a file would reveal something about this computer."""
    read_at: datetime | None = None
    is_session: bool = False
    locator: str = ""  # The number printed on the page, where it is known
    marks: Sequence[WorkMark] = ()  # Of the cited work: retracted, corrected
    sentences: Sequence[tuple[str, CitedSupport]] = ()
    """The sentences with its number, only if the source does not do the same for all."""

    @property
    def is_checked(self) -> bool:
        return self.citation.state is CitationState.CHECKED

    @property
    def number(self) -> str:
        """Return the number as the window shows it: marked if its words were not found."""
        return f"{self.citation.number}{'' if self.is_checked else '?'}"


@dataclass(frozen=True, slots=True)
class Cited:
    """The notes of a session's messages, and the texts in which they are written."""

    texts: Texts
    notes: Mapping[MessageId, Sequence[CitationNote]] = field(default_factory=dict)
    data_of: ReadFile = lambda _: None
    read_items: Callable[[], Mapping[str, CslItem]] = dict
    """Returns the works that have a reference, each with its citation key, by their sources."""
    link_of: Callable[[CitationNote], str] | None = None
    """Returns a link to the cited document, for a file beside it; empty if there is none. With
    it the lists of sources have all works, those with a key too."""

    def source_lists(self) -> Iterator[tuple[str, list[CitationNote]]]:
        """Yield a note of each source under their headings: confirmed ones, then the others."""
        notes = [note for several in self.notes.values() for note in several]
        confirmed = {note.citation.source_id: note for note in reversed(notes) if note.is_checked}
        cited = {note.citation.source_id: note for note in reversed(notes)}
        others = [note for source, note in cited.items() if source not in confirmed]
        for key, listed in (("sources", list(confirmed.values())), ("unconfirmed", others)):
            if listed:
                yield self.texts.say(f"export.{key}"), sorted(listed, key=notes.index)

    def source_line(self, note: CitationNote) -> str:
        return " · ".join(map(_in_one_line, self._listed(note)))

    def speaker(self, message: Message) -> str:
        return self.texts.say(f"cli.{message.role.value}")

    def attached(self, file: MessageFile) -> str:
        return self.texts.say("export.attached", name=" ".join(file.name.split()))

    def words(self, note: CitationNote) -> str:
        """Return a note in one line: the cited words, and their place."""
        quote = _plain(note.citation.quote)
        details = ", ".join(map(_in_one_line, self._describe(note)))
        return f"{self.texts.say('export.quote', words=quote)} {details}" if quote else details

    def page_words(self, number: str) -> str:
        return self.texts.say("export.page", number=number)

    def _describe(self, note: CitationNote) -> Iterator[str]:
        yield marked_title(_plain(note.citation.title), note.marks, self.texts)
        if note.page:
            yield self.page_words(note.locator or str(note.page))
        if note.heading and note.heading != note.citation.title:
            yield note.heading
        if not note.is_checked and note.citation.quote:
            yield self.texts.say("export.not_found")
        if note.sentences:
            yield from (self._describe_sentence(text, cited) for text, cited in note.sentences)
        elif note.citation.support is not Support.UNTESTED:
            yield self._describe_support(note.citation)
        elif not note.is_checked and not note.citation.quote:
            yield self.texts.say("export.unchecked")

    def _describe_support(self, citation: Citation) -> str:
        label = self.texts.say(f"export.claim_{citation.support.value}")
        words = _plain(citation.support_words)
        is_new = words and words not in _plain(citation.quote)
        return f"{label}: {self.texts.say('export.quote', words=words)}" if is_new else label

    def _describe_sentence(self, sentence: str, cited: CitedSupport) -> str:
        label = self.texts.say(f"export.claim_{cited.support.value}")
        return self.texts.say("export.claim_of_sentence", sentence=sentence, label=label)

    def _listed(self, note: CitationNote) -> Iterator[str]:
        yield marked_title(_plain(note.citation.title), note.marks, self.texts)
        if note.is_session:
            yield self.texts.say("export.session")
        if note.address:
            yield note.address
        if note.read_at is not None:
            yield self.texts.say("export.read", day=long_date(note.read_at, self.texts.language))


def with_marks(content: str, marks: Mapping[int, str], at_sign: str = "@") -> str:
    """Replace the citation numbers in a text by their marks; code stays unchanged.

    `at_sign`: what is written where a word begins with @, which is a citation to Pandoc.
    """

    def marked(match: re.Match[str]) -> str:
        if match[0] == "@":
            return at_sign
        return marks.get(int(match[3]), match[0]) if match[3] else match[0]

    return _CODE_NUMBER_OR_KEY.sub(marked, content)


def note_of(
    archive: ArchiveReader, citation: Citation, printed_page: PrintedPage = lambda *_: ""
) -> CitationNote:
    """Return a citation with its place. Raises StorageError."""
    try:
        source = archive.source(SourceId(citation.source_id))
    except SourceUnknownError:
        # A summary or a fact is cited without a message.
        return CitationNote(citation, is_session=_is_session(archive, citation))
    is_page = source.kind is SourceKind.WEB
    address, read_at = (source.address, source.read_at) if is_page else ("", None)
    try:
        passage = archive.passage(PassageId(citation.passage_id))
    except PassageUnknownError:
        return CitationNote(citation, None, "", address, read_at)
    is_paged = passage.page is not None and passage.is_current
    locator = printed_page(source, passage.page or 0) if is_paged else ""
    return CitationNote(citation, passage.page, passage.heading, address, read_at, locator=locator)


def with_sentences(note: CitationNote, answer: str, claims: Sequence[JudgedClaim]) -> CitationNote:
    """Return a note with what its citation does for each sentence, where that differs."""
    pairs = differing(note.citation.number, claims)
    sentences = [(plain_text(answer[claim.start : claim.end]), cited) for claim, cited in pairs]
    return replace(note, sentences=sentences)


def _is_session(archive: ArchiveReader, citation: Citation) -> bool:
    try:  # a summary or a fact is cited without a message
        archive.session(SessionId(citation.source_id))
    except SessionUnknownError:
        return citation.passage_id.isdecimal()
    return True


def _in_one_line(part: str) -> str:
    return " ".join(part.split())


def _plain(words: str) -> str:
    """Return what was cited, in one line, without the marks of the answer that it comes from."""
    (inline,) = markdown_parser().parseInline(_in_one_line(words))
    kinds = (FormulaToken.IN_LINE, FormulaToken.ALONE)
    return "".join(
        token.markup if token.type in kinds else token.content for token in inline.children or ()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedSession:
    session: Session
    messages: Sequence[Message]
    cite: Callable[[], Cited]  # Reads what the messages cite, which not every format shows
    data_of: ReadFile
    project: str
    tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class ExportContents:
    sessions: Iterable[ExportedSession]  # Read one by one: an archive may exceed the memory
    prompts: Sequence[Prompt]  # The user's own; only if everything is exported
    note_lines: Iterable[str]  # Of Bellek's own format: of the sessions, or of everything
    print_pdf: PrintPdf | None


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """Its title is `format_NAME` in the core's texts, under `export`."""

    name: str  # Also the suffix of its files
    write: Callable[[ExportContents], Iterator[bytes]]
    """Yields a piece a session, or all of them at once."""
    holds_many: bool = True  # Sessions; False if it cannot be written piece by piece
    is_text: bool = True  # Otherwise it is for files only
    is_for_reading: bool = True  # Otherwise only whole sessions can be exported
    other_suffixes: Sequence[str] = ()
    shares_keys: bool = False  # A work has the same citation key in all sessions

    def title(self, texts: Texts) -> str:
        return texts.say(f"export.format_{self.name}")
