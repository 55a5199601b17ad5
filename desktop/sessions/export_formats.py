"""Formats sessions for export: Bellek's own JSON lines, markdown, and HTML."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.model import JsonValue
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.formulas import Piece, read_formula
from desktop.language.formulas_in_markdown import FormulaToken, add_formulas
from desktop.sessions.export_citations import Cited, Note, with_marks
from desktop.settings.paths import asset

_OWN_PLACE = re.compile(r' id="[^"]*"')
_NUMBER = re.compile(r"[ \t]*\[(\d{1,3})\]")
_OWN_LINK = "bellek://"
_NOTHING_CITED = Cited()
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def as_line(session: Session, messages: Sequence[Message]) -> str:
    """One session as one line of Bellek's own format."""
    value: dict[str, JsonValue] = {
        "id": session.id,
        "created_at": utc_text(session.created_at),
        "ended_at": utc_text(session.ended_at) if session.ended_at else None,
        "title": session.title,
        "summary": session.summary,
        "topics": list(session.topics) or None,
    }
    kept: dict[str, JsonValue] = {name: one for name, one in value.items() if one is not None}
    kept["messages"] = [
        {
            **({"ref": message.ref} if message.ref else {}),
            "role": message.role.value,
            "content": message.content,
            "created_at": utc_text(message.created_at),
        }
        for message in messages
    ]
    return json.dumps(kept, ensure_ascii=False)


def answered_in(messages: Sequence[Message], answer: MessageId) -> Sequence[Message]:
    """An answer and the question that it answers; nothing where it is not among the messages."""
    end = next((place for place, one in enumerate(messages) if one.id == answer), None)
    if end is None:
        return ()
    asked = [place for place in range(end) if messages[place].role is Role.USER]
    return messages[asked[-1] if asked else end : end + 1]


def as_markdown(
    session: Session,
    messages: Sequence[Message],
    names: Mapping[Role, str],
    cited: Cited = _NOTHING_CITED,
) -> str:
    """One session to read or to print; `names` says who spoke."""
    head = [f"# {session.title or session.opening}"]
    if session.summary:
        head.append(f"> {session.summary}")
    if session.topics:
        head.append(" · ".join(session.topics))
    said = [f"## {names[message.role]}\n\n{_with_notes(message, cited)}" for message in messages]
    return "\n\n".join([*head, *said, *_source_list(cited)]) + "\n"


def _with_notes(message: Message, cited: Cited) -> str:
    """An answer whose numbers are footnotes, which stand below it."""
    notes = cited.notes(message)
    marks = {one.citation.number: f"[^{_name(message, one)}]" for one in notes}
    below = [f"{marks[one.citation.number]}: {cited.words(one)}" for one in notes]
    return "\n\n".join(filter(None, [with_marks(message.content, marks), "\n".join(below)]))


def _source_list(cited: Cited) -> list[str]:
    return [
        *_listed(cited.say("sources"), cited.sources(), cited),
        *_listed(cited.say("unconfirmed"), cited.unconfirmed(), cited),
    ]


def _listed(heading: str, notes: Sequence[Note], cited: Cited) -> list[str]:
    lines = [
        f"{number}. {' · '.join(' '.join(part.split()) for part in cited.listed(one))}"
        for number, one in enumerate(notes, start=1)
    ]
    return [f"# {heading}", "\n".join(lines)] if lines else []


def _name(message: Message, note: Note) -> str:
    return f"{message.number}-{_number(note)}"


def as_page(
    sessions: Sequence[tuple[Session, Sequence[Message]]],
    names: Mapping[Role, str],
    cited: Mapping[SessionId, Cited] | None = None,
) -> str:
    """One HTML page without scripts, and without anything that a browser would fetch."""
    first = sessions[0][0] if sessions else None
    language = first.language.value if first and first.language else ""
    title = escape(_title(first)) if first else ""
    style = asset("resources", "export", "session.css").read_text(encoding="utf-8")
    head = (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    )
    of = cited or {}
    shown = "<hr>\n".join(
        _section(session, messages, names, of.get(session.id, _NOTHING_CITED))
        for session, messages in sessions
    )
    return f"{head}{shown}</body>\n</html>\n"


def _section(
    session: Session, messages: Sequence[Message], names: Mapping[Role, str], cited: Cited
) -> str:
    lines = [f"<header>\n<h1>{escape(_title(session))}</h1>"]
    if session.summary:
        lines.append(f"<p>{escape(session.summary)}</p>")
    if session.topics:
        lines.append(f"<p>{escape(' · '.join(session.topics))}</p>")
    lines.append("</header>")
    lines += [_article(message, names[message.role], cited) for message in messages]
    lines += _page_of_sources(cited)
    return "\n".join(lines) + "\n"


def _page_of_sources(cited: Cited) -> list[str]:
    return [
        *_section_of("sources", cited.sources(), cited),
        *_section_of("unconfirmed", cited.unconfirmed(), cited),
    ]


def _section_of(key: str, notes: Sequence[Note], cited: Cited) -> list[str]:
    lines = [f"<li>{' · '.join(map(_shown, cited.listed(one)))}</li>" for one in notes]
    if not lines:
        return []
    return [
        f'<section class="sources">\n<h2>{escape(cited.say(key))}</h2>',
        *("<ol>", *lines, "</ol>\n</section>"),
    ]


def _shown(part: str) -> str:
    """Addresses of the web as links."""
    told = escape(" ".join(part.split()))
    is_address = part.startswith(("http://", "https://"))
    return f'<a href="{told}" rel="noreferrer">{told}</a>' if is_address else told


def _page_notes(message: Message, cited: Cited) -> str:
    lines = []
    for one in cited.notes(message):
        name, is_sure = _place(message, one), "" if one.is_checked else ' class="unchecked"'
        back = f'<a href="#r{name}">{_number(one)}</a>'
        lines.append(f'<p id="n{name}"{is_sure}>{back} {escape(cited.words(one))}</p>')
    return f'\n<aside class="notes">\n{"".join(lines)}\n</aside>' if lines else ""


def _number(note: Note) -> str:
    """As the window shows it: with a doubt where its words were not found."""
    return f"{note.citation.number}{'' if note.is_checked else '?'}"


def _place(message: Message, note: Note) -> str:
    return f"{message.id}-{note.citation.number}"


def _article(message: Message, name: str, cited: Cited) -> str:
    # A question is shown as it was typed; an answer is markdown.
    is_answer = message.role is Role.ASSISTANT
    marks = {
        one.citation.number: (
            f'<sup><a id="r{_place(message, one)}" href="#n{_place(message, one)}">'
            f"{_number(one)}</a></sup>"
        )
        for one in cited.notes(message)
    }
    content = _rendered(message.content, marks) if is_answer else escape(message.content)
    local = message.created_at.astimezone()
    return (
        f'<article class="{message.role.value}">\n<h2><span>{escape(name)}</span>'
        f'<time datetime="{utc_text(message.created_at)}">{local:%Y-%m-%d %H:%M}</time></h2>\n'
        f"<div>{content.strip()}</div>{_page_notes(message, cited)}\n</article>"
    )


def _title(session: Session) -> str:
    return session.title or " ".join(session.opening.split())


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    add_formulas(made)
    made.add_render_rule(FormulaToken.IN_LINE, _formula_in_line)
    made.add_render_rule(FormulaToken.ALONE, _formula_alone)
    return made


def _formula_in_line(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    """As it was written where it cannot be read."""
    written, read = tokens[at].markup, read_formula(tokens[at].content)
    if read is None:
        return f"<code>{escape(written)}</code>"
    shown = "".join(map(_piece, read))
    return f'<span class="formula" title="{escape(written)}">{shown}</span>'


def _formula_alone(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    return f'<p class="formula">{_formula_in_line(renderer, tokens, at)}</p>\n'


def _piece(piece: Piece) -> str:
    shown = escape(piece.text).replace("\u2028", "<br>")
    for tag, has_it in (
        ("i", piece.is_italic),
        ("b", piece.is_bold),
        ("sup", piece.level > 0),
        ("sub", piece.level < 0),
    ):
        shown = f"<{tag}>{shown}</{tag}>" if has_it else shown
    return shown


def _rendered(markdown: str, marks: Mapping[int, str]) -> str:
    parser, unused = _parser(), dict(marks)
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.children:
            kept = (_kept_inside(one) for one in token.children)
            token.children = [piece for one in kept for piece in _with_links(one, unused)]
    return str(parser.renderer.render(tokens, parser.options, {}))


def _with_links(token: Token, marks: dict[int, str]) -> list[Token]:
    """The numbers of citations in a text as links to their notes; the rest stays text.

    A note leads back to the first of its numbers.
    """
    if token.type != "text" or not marks or "[" not in token.content:
        return [token]
    pieces, at = [], 0
    for found in _NUMBER.finditer(token.content):
        if (mark := marks.get(int(found[1]))) is not None:
            pieces.append(Token("text", "", 0, content=token.content[at : found.start()]))
            pieces.append(Token("html_inline", "", 0, content=mark))
            marks[int(found[1])] = _OWN_PLACE.sub("", mark)
            at = found.end()
    return [*pieces, Token("text", "", 0, content=token.content[at:])]


def _kept_inside(token: Token) -> Token:
    """Drop links of our own, and pictures: fetching one would reveal that the page is read."""
    if token.type == "image":
        address = str(token.attrGet("src") or "")
        return Token("text", "", 0, content=f"[{token.content}]({address})")
    if token.type == "link_open":
        is_own = str(token.attrGet("href")).startswith(_OWN_LINK)
        token.attrs = {} if is_own else {**token.attrs, "rel": "noreferrer"}
    return token
