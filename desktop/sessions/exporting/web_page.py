"""Sessions as one HTML page, with citations and formulas, and as PDF, which Qt makes of one."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from desktop.domain.messages import Message, MessageFile, Role
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.formulas import FormulaDrawing, FormulaToken, draw_formula
from desktop.language.links import OWN_LINK, markdown_parser
from desktop.research.documents.pictures import picture_type
from desktop.sessions.exporting.contents import (
    CitationNote,
    Cited,
    DrawFormula,
    ExportContents,
    ExportedSession,
    ExportFormat,
)
from desktop.settings.paths import asset

_NUMBER = re.compile(r"[ \t]*\[(\d{1,3})\]")
_ADDRESS = re.compile(r"https?://\S+")
_LINK = r'<a href="\g<0>" rel="noreferrer">\g<0></a>'
_Env = Mapping[str, DrawFormula | None]
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


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
    shown = "<hr>\n".join(_section(*session, draw) for session in sessions)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_title(first) if first else ''}</title>\n<style>\n{rules}</style>\n</head>\n"
        f"<body>\n{shown}</body>\n</html>\n"
    )


def as_print_page(sessions: Iterable[ExportedSession], draw: DrawFormula) -> str:
    """Return a page in the HTML that Qt knows; `draw` shows the formulas."""
    # Pictures by name alone, as Qt would decode them in this process.
    named = [
        (each.session, each.messages, replace(each.cite(), data_of=lambda _: None))
        for each in sessions
    ]
    return as_page(named, draw, style="print")


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
        lines_of_sources = map(cited.source_line, sources)
        shown = [f"<li>{_ADDRESS.sub(_LINK, escape(line))}</li>" for line in lines_of_sources]
        lines.append(f'<section class="sources">\n<h2>{escape(heading)}</h2>\n<ol>')
        lines += [*shown, "</ol>\n</section>"]
    return "\n".join(lines) + "\n"


def _article(message: Message, cited: Cited, draw: DrawFormula) -> str:
    notes = cited.notes.get(message.id, ())
    content = escape(message.content)
    if message.role is Role.ASSISTANT:
        # A question is shown as it was typed; an answer is markdown.
        marks = {note.citation.number: _mark(message, note) for note in notes}
        content = _rendered(message.content, marks, draw).strip()
    below = [_note(message, note, cited) for note in notes]
    aside = f'\n<aside class="notes">\n{"".join(below)}\n</aside>' if below else ""
    shown = "".join(_shown(file, cited) for file in message.files)
    local = message.created_at.astimezone()
    return (
        f'<article class="{message.role.value}">\n<h2>'
        f"<span>{escape(cited.speaker(message))}</span> "
        f'<time datetime="{utc_text(message.created_at)}">{local:%Y-%m-%d %H:%M}</time></h2>\n'
        f"<div>{content.strip()}{shown}</div>{aside}\n</article>"
    )


def _shown(file: MessageFile, cited: Cited) -> str:
    label = escape(cited.attached(file))
    data = cited.data_of(file) if file.is_picture else None
    if data is None:
        return f"<p>{label}</p>"
    kind = picture_type(data[:12]) or ""
    return f'<p><img alt="{label}" src="data:{kind};base64,{b64encode(data).decode()}"></p>'


def _mark(message: Message, note: CitationNote) -> str:
    return f'<sup><a href="#n{message.id}-{note.citation.number}">{note.number}</a></sup>'


def _note(message: Message, note: CitationNote, cited: Cited) -> str:
    doubt = "" if note.is_checked else ' class="unchecked"'
    place = f'id="n{message.id}-{note.citation.number}"{doubt}'
    return f"<p {place}>{note.number} {escape(cited.words(note))}</p>"


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
    label, shown = escape(token.markup), draw(drawing)
    return f'<span class="formula" role="img" aria-label="{label}">{shown}</span>'


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
            children = map(_kept_inside, token.children)
            token.children = [piece for child in children for piece in _with_links(child, marks)]
    return str(parser.renderer.render(tokens, parser.options, {"draw": draw}))


def _with_links(token: Token, marks: Mapping[int, str]) -> list[Token]:
    if token.type != "text":
        return [token]
    pieces, at = [], 0
    for match in _NUMBER.finditer(token.content):
        if (mark := marks.get(int(match[1]))) is not None:
            pieces.append(Token("text", "", 0, content=token.content[at : match.start()]))
            pieces.append(Token("html_inline", "", 0, content=mark))
            at = match.end()
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


def _write_page(contents: ExportContents) -> Iterator[bytes]:
    cited = [(each.session, each.messages, each.cite()) for each in contents.sessions]
    yield as_page(cited).encode()


def _write_pdf(contents: ExportContents) -> Iterator[bytes]:
    if contents.print_pdf is None:
        raise NotImplementedError("this front end lays out no pages")
    yield contents.print_pdf(partial(as_print_page, contents.sessions))


WEB_PAGE = ExportFormat("html", _write_page, other_suffixes=["htm"])
PDF = ExportFormat("pdf", _write_pdf, holds_many=False, is_text=False)
