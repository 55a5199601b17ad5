"""Formats sessions for export: Bellek's own JSON lines, markdown, and HTML."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from desktop.domain.files import MessageFile
from desktop.domain.messages import Message, Role
from desktop.domain.model import JsonValue
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.formulas import FormulaDrawing, draw_formula
from desktop.language.formulas_in_markdown import FormulaToken
from desktop.language.links import OWN_LINK, harmless_markdown, markdown_parser
from desktop.research.documents.pictures import picture_type
from desktop.sessions.export_citations import Cited, Note, with_marks
from desktop.settings.paths import asset

_NUMBER = re.compile(r"[ \t]*\[(\d{1,3})\]")
_ADDRESS = re.compile(r"https?://\S+")
_LINK = r'<a href="\g<0>" rel="noreferrer">\g<0></a>'
DrawFormula = Callable[[FormulaDrawing], str]
"""Returns the HTML that shows a formula."""
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
    parts = [f"# {harmless_markdown(session.title or session.opening)}"]
    if session.summary:
        parts.append(f"> {harmless_markdown(session.summary)}")
    if session.topics:
        parts.append(harmless_markdown(" · ".join(session.topics)))
    for message in messages:
        notes = cited.notes.get(message.id, ())
        marks = {one.citation.number: f"[^{message.number}-{one.number}]" for one in notes}
        said = with_marks(harmless_markdown(message.content), marks)
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
    """Drop internal links, and pictures: fetching one would reveal that the page is read."""
    if token.type == "image":
        address = str(token.attrGet("src") or "")
        return Token("text", "", 0, content=f"[{token.content}]({address})")
    if token.type == "link_open":
        is_own = str(token.attrGet("href")).startswith(OWN_LINK)
        token.attrs = {} if is_own else {**token.attrs, "rel": "noreferrer"}
    return token
