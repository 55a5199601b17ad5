"""Formats sessions for export: Bellek's own JSON lines, markdown, and HTML, with citations."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from desktop.domain.errors import PassageUnknownError, SessionUnknownError, SourceUnknownError
from desktop.domain.ids import MessageId, PassageId, SessionId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Citation, CitationState, Message, MessageFile, Role
from desktop.domain.sessions import Session
from desktop.domain.sources import SourceKind
from desktop.domain.times import utc_text
from desktop.language.dates.date_formatting import long_date
from desktop.language.formulas import FormulaDrawing, FormulaToken, draw_formula
from desktop.language.links import OWN_LINK, harmless_markdown, markdown_parser
from desktop.research.documents.pictures import picture_type
from desktop.sessions.archive_service import ArchiveService
from desktop.sessions.importing.markdown import quote_speakers
from desktop.settings.messages import Texts
from desktop.settings.paths import asset

_CODE_OR_NUMBER = re.compile(
    r"(?ms)(?:^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(`+)(?:(?!\2).)*\2)"
    r"|\[(\d{1,3})\](?!\()"
)


@dataclass(frozen=True, slots=True)
class Note:
    """A citation with the place of its passage."""

    citation: Citation
    page: int | None = None
    heading: str = ""
    address: str = ""
    """Of a web page only: the path of a file would reveal something about this computer."""
    read_at: datetime | None = None
    is_session: bool = False

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
    notes: Mapping[MessageId, Sequence[Note]] = field(default_factory=dict)
    data_of: Callable[[MessageFile], bytes | None] = lambda _: None
    """Returns the bytes of a file; None if they are missing."""

    def source_lists(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the sources under their headings: confirmed ones, then the others."""
        notes = [note for several in self.notes.values() for note in several]
        confirmed = {one.citation.source_id: one for one in reversed(notes) if one.is_checked}
        cited = {one.citation.source_id: one for one in reversed(notes)}
        others = [one for source, one in cited.items() if source not in confirmed]
        for key, listed in (("sources", list(confirmed.values())), ("unconfirmed", others)):
            if listed:
                ordered = sorted(listed, key=notes.index)
                lines = [" · ".join(map(_in_one_line, self._listed(one))) for one in ordered]
                yield self.texts.say(f"export.{key}"), lines

    def words(self, note: Note) -> str:
        """Return a note in one line: the cited words, and their place."""
        quote = _plain(note.citation.quote)
        told = ", ".join(map(_in_one_line, self._told(note)))
        return f"{self.texts.say('export.quote', words=quote)} {told}" if quote else told

    def _told(self, note: Note) -> Iterator[str]:
        yield _plain(note.citation.title)
        if note.page:
            yield self.texts.say("export.page", number=str(note.page))
        if note.heading and note.heading != note.citation.title:
            yield note.heading
        if not note.is_checked:
            yield self.texts.say(f"export.{'not_found' if note.citation.quote else 'unchecked'}")

    def _listed(self, note: Note) -> Iterator[str]:
        yield _plain(note.citation.title)
        if note.is_session:
            yield self.texts.say("export.session")
        if note.address:
            yield note.address
        if note.read_at is not None:
            yield self.texts.say("export.read", day=long_date(note.read_at, self.texts.language))


def cited_in(
    archive: ArchiveService, session_id: SessionId, messages: Sequence[Message], texts: Texts
) -> Cited:
    """Return what these messages of a session cite. Raises StorageError."""
    found = archive.answers.citations(session_id)
    wanted = [one.id for one in messages if one.id in found]
    return Cited(texts, {one: [note_of(archive, cited) for cited in found[one]] for one in wanted})


def with_marks(content: str, marks: Mapping[int, str]) -> str:
    """Replace the citation numbers in a text by their marks; code stays unchanged."""

    def marked(found: re.Match[str]) -> str:
        return marks.get(int(found[3]), found[0]) if found[3] else found[0]

    return _CODE_OR_NUMBER.sub(marked, content)


def note_of(archive: ArchiveService, citation: Citation) -> Note:
    """Return a citation with its place. Raises StorageError."""
    try:
        source = archive.sources.source(SourceId(citation.source_id))
    except SourceUnknownError:
        # A summary or a fact is cited without a message.
        return Note(citation, is_session=_is_session(archive, citation))
    is_page = source.kind is SourceKind.WEB
    address, read_at = (source.address, source.read_at) if is_page else ("", None)
    try:
        passage = archive.sources.passage(PassageId(citation.passage_id))
    except PassageUnknownError:
        return Note(citation, None, "", address, read_at)
    return Note(citation, passage.page, passage.heading, address, read_at)


def _is_session(archive: ArchiveService, citation: Citation) -> bool:
    try:  # a summary or a fact is cited without a message
        archive.sessions.session(SessionId(citation.source_id))
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
        one.markup if one.type in kinds else one.content for one in inline.children or ()
    )


_NUMBER = re.compile(r"[ \t]*\[(\d{1,3})\]")
_ADDRESS = re.compile(r"https?://\S+")
_LINK = r'<a href="\g<0>" rel="noreferrer">\g<0></a>'
DrawFormula = Callable[[FormulaDrawing], str]  # Returns the HTML that shows a formula
_Env = Mapping[str, DrawFormula | None]
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def as_line(
    session: Session,
    messages: Sequence[Message],
    data_of: Callable[[MessageFile], bytes | None] = lambda _: None,
    *,
    project: str = "",
    tags: Sequence[str] = (),
) -> str:
    """Return one session as one line of Bellek's own format, with the bytes of its files."""
    value: dict[str, JsonValue] = {
        "id": session.id,
        "created_at": utc_text(session.created_at),
        "ended_at": utc_text(session.ended_at) if session.ended_at else None,
        "archived_at": utc_text(session.archived_at) if session.archived_at else None,
        "title": session.title,
        "summary": session.summary,
        "topics": list(session.topics) or None,
        "project": project or None,
        "tags": list(tags) or None,
    }
    kept: dict[str, JsonValue] = {name: one for name, one in value.items() if one is not None}
    kept["messages"] = [
        {
            **({"ref": message.ref} if message.ref else {}),
            "role": message.role.value,
            "content": message.content,
            "created_at": utc_text(message.created_at),
            **({"files": files} if (files := _files(message, data_of)) else {}),
        }
        for message in messages
    ]
    return json.dumps(kept, ensure_ascii=False)


def _files(message: Message, data_of: Callable[[MessageFile], bytes | None]) -> list[JsonValue]:
    found = [(one, data_of(one)) for one in message.files]
    return [{"name": one.name, "data": b64encode(data).decode()} for one, data in found if data]


def as_markdown(session: Session, messages: Sequence[Message], cited: Cited) -> str:
    """Return one session as readable markdown; citation numbers are footnotes."""
    parts = [f"# {harmless_markdown(_in_one_line(session.title or session.opening))}"]
    if session.summary:
        parts.append(f"> {harmless_markdown(session.summary)}")
    if session.topics:
        parts.append(harmless_markdown(" · ".join(session.topics)))
    for message in messages:
        notes = cited.notes.get(message.id, ())
        numbers = [one.citation.number for one in notes]
        marks = {number: f"[^{message.number}-{number}]" for number in numbers}
        said = with_marks(quote_speakers(harmless_markdown(message.content)), marks)
        told = ((marks[one.citation.number], cited.words(one)) for one in notes)
        below = [f"{mark}: {harmless_markdown(words)}" for mark, words in told]
        parts += [f"## {_speaker(message, cited)}", said]
        parts += [f"*{harmless_markdown(attached(one, cited))}*" for one in message.files]
        if below:
            parts.append("\n".join(below))
    for heading, sources in cited.source_lists():
        lines = map(harmless_markdown, sources)
        numbered = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
        parts += [f"# {heading}", "\n".join(numbered)]
    return "\n\n".join(parts) + "\n"


def as_svg(drawing: FormulaDrawing) -> str:
    size = (
        f"width:{drawing.width:.3f}em;height:{drawing.height:.3f}em;"
        f"vertical-align:{-drawing.depth:.3f}em"
    )
    coloured = drawing.svg.replace('fill="black"', 'fill="currentColor"')
    return coloured.replace("<svg ", f'<svg style="{size}" fill="currentColor" ', 1)


def as_page(
    sessions: Sequence[tuple[Session, Sequence[Message], Cited]],
    draw: DrawFormula = as_svg,
    style: str = "session",
) -> str:
    """Return one HTML page without scripts, and without anything that a browser would fetch.

    `style`: the name of a style sheet in `resources/export`.
    """
    first = sessions[0][0] if sessions else None
    language = first.language.value if first and first.language else ""
    rules = asset("resources", "export", f"{style}.css").read_text(encoding="utf-8")
    shown = "<hr>\n".join(_section(*one, draw) for one in sessions)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_title(first) if first else ''}</title>\n<style>\n{rules}</style>\n</head>\n"
        f"<body>\n{shown}</body>\n</html>\n"
    )


def as_fragment(markdown: str) -> str:
    """Return an answer as HTML without a page around it, with formulas as they were written."""
    return _rendered(markdown, {}, None)


def _section(
    session: Session, messages: Sequence[Message], cited: Cited, draw: DrawFormula
) -> str:
    lines = [f"<header>\n<h1>{_title(session)}</h1>"]
    if session.summary:
        lines.append(f"<p>{escape(session.summary)}</p>")
    if session.topics:
        lines.append(f"<p>{escape(' · '.join(session.topics))}</p>")
    lines.append("</header>")
    lines += [_article(message, cited, draw) for message in messages]
    for heading, sources in cited.source_lists():
        shown = [f"<li>{_ADDRESS.sub(_LINK, escape(line))}</li>" for line in sources]
        lines.append(f'<section class="sources">\n<h2>{escape(heading)}</h2>\n<ol>')
        lines += [*shown, "</ol>\n</section>"]
    return "\n".join(lines) + "\n"


def _article(message: Message, cited: Cited, draw: DrawFormula) -> str:
    notes = cited.notes.get(message.id, ())
    content = escape(message.content)
    if message.role is Role.ASSISTANT:
        # A question is shown as it was typed; an answer is markdown.
        marks = {one.citation.number: _mark(message, one) for one in notes}
        content = _rendered(message.content, marks, draw).strip()
    below = [_note(message, one, cited) for one in notes]
    aside = f'\n<aside class="notes">\n{"".join(below)}\n</aside>' if below else ""
    shown = "".join(_shown(one, cited) for one in message.files)
    local = message.created_at.astimezone()
    return (
        f'<article class="{message.role.value}">\n<h2>'
        f"<span>{escape(_speaker(message, cited))}</span> "
        f'<time datetime="{utc_text(message.created_at)}">{local:%Y-%m-%d %H:%M}</time></h2>\n'
        f"<div>{content.strip()}{shown}</div>{aside}\n</article>"
    )


def attached(file: MessageFile, cited: Cited) -> str:
    return cited.texts.say("export.attached", name=" ".join(file.name.split()))


def _shown(file: MessageFile, cited: Cited) -> str:
    told = escape(attached(file, cited))
    data = cited.data_of(file) if file.is_picture else None
    if data is None:
        return f"<p>{told}</p>"
    kind = picture_type(data[:12]) or ""
    return f'<p><img alt="{told}" src="data:{kind};base64,{b64encode(data).decode()}"></p>'


def _mark(message: Message, note: Note) -> str:
    return f'<sup><a href="#n{message.id}-{note.citation.number}">{note.number}</a></sup>'


def _note(message: Message, note: Note, cited: Cited) -> str:
    doubt = "" if note.is_checked else ' class="unchecked"'
    place = f'id="n{message.id}-{note.citation.number}"{doubt}'
    return f"<p {place}>{note.number} {escape(cited.words(note))}</p>"


def _speaker(message: Message, cited: Cited) -> str:
    return cited.texts.say(f"cli.{message.role.value}")


def _title(session: Session) -> str:
    return escape(session.title or " ".join(session.opening.split()))


def _formula_in_line(
    _renderer: RendererHTML, tokens: Sequence[Token], at: int, _: object, env: _Env
) -> str:
    token, draw = tokens[at], env["draw"]
    if draw is None:
        return escape(token.markup)
    drawing = draw_formula(token.content, is_alone=token.type == FormulaToken.ALONE)
    if drawing is None:
        return f"<code>{escape(token.markup)}</code>"
    said, shown = escape(token.markup), draw(drawing)
    return f'<span class="formula" role="img" aria-label="{said}">{shown}</span>'


def _formula_alone(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, _: object, env: _Env
) -> str:
    return f'<p class="formula">{_formula_in_line(renderer, tokens, at, _, env)}</p>\n'


def _rendered(markdown: str, marks: Mapping[int, str], draw: DrawFormula | None) -> str:
    parser = markdown_parser()
    parser.add_render_rule(FormulaToken.IN_LINE, _formula_in_line)
    parser.add_render_rule(FormulaToken.ALONE, _formula_alone)
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.children:
            kept = map(_kept_inside, token.children)
            token.children = [piece for one in kept for piece in _with_links(one, marks)]
    return str(parser.renderer.render(tokens, parser.options, {"draw": draw}))


def _with_links(token: Token, marks: Mapping[int, str]) -> list[Token]:
    if token.type != "text":
        return [token]
    pieces, at = [], 0
    for found in _NUMBER.finditer(token.content):
        if (mark := marks.get(int(found[1]))) is not None:
            pieces.append(Token("text", "", 0, content=token.content[at : found.start()]))
            pieces.append(Token("html_inline", "", 0, content=mark))
            at = found.end()
    return [*pieces, Token("text", "", 0, content=token.content[at:])]


def _kept_inside(token: Token) -> Token:
    """Drop internal links and pictures: fetching one would reveal that the page is read."""
    if token.type == "image":
        address = str(token.attrGet("src") or "")
        return Token("text", "", 0, content=f"[{token.content}]({address})")
    if token.type == "link_open":
        is_own = str(token.attrGet("href")).startswith(OWN_LINK)
        token.attrs = {} if is_own else {**token.attrs, "rel": "noreferrer"}
    return token
