"""Writes sessions down: in Bellek's own format, as markdown to read, as a page for a browser."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop.domain.messages import Message, Role
from desktop.domain.model import JsonValue
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.settings.paths import asset

_OWN_LINK = "bellek://"
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


def as_markdown(session: Session, messages: Sequence[Message], names: Mapping[Role, str]) -> str:
    """One session to read or to print; `names` says who spoke."""
    head = [f"# {session.title or session.opening}"]
    if session.summary:
        head.append(f"> {session.summary}")
    if session.topics:
        head.append(" · ".join(session.topics))
    said = [f"## {names[message.role]}\n\n{message.content}" for message in messages]
    return "\n\n".join([*head, *said]) + "\n"


def as_page(
    sessions: Sequence[tuple[Session, Sequence[Message]]], names: Mapping[Role, str]
) -> str:
    """One page by itself: no script, and nothing that a browser would fetch when it is opened."""
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
    shown = "<hr>\n".join(_section(session, messages, names) for session, messages in sessions)
    return f"{head}{shown}</body>\n</html>\n"


def _section(session: Session, messages: Sequence[Message], names: Mapping[Role, str]) -> str:
    lines = [f"<header>\n<h1>{escape(_title(session))}</h1>"]
    if session.summary:
        lines.append(f"<p>{escape(session.summary)}</p>")
    if session.topics:
        lines.append(f"<p>{escape(' · '.join(session.topics))}</p>")
    lines.append("</header>")
    lines += [_article(message, names[message.role]) for message in messages]
    return "\n".join(lines) + "\n"


def _article(message: Message, name: str) -> str:
    # A question is shown as it was typed; an answer is markdown.
    is_answer = message.role is Role.ASSISTANT
    content = _rendered(message.content) if is_answer else escape(message.content)
    local = message.created_at.astimezone()
    return (
        f'<article class="{message.role.value}">\n<h2><span>{escape(name)}</span>'
        f'<time datetime="{utc_text(message.created_at)}">{local:%Y-%m-%d %H:%M}</time></h2>\n'
        f"<div>{content.strip()}</div>\n</article>"
    )


def _title(session: Session) -> str:
    return session.title or " ".join(session.opening.split())


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _rendered(markdown: str) -> str:
    parser = _parser()
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.children:
            token.children = [_kept_inside(one) for one in token.children]
    return str(parser.renderer.render(tokens, parser.options, {}))


def _kept_inside(token: Token) -> Token:
    """Links of our own lead nowhere; a page that fetched pictures would tell that it is read."""
    if token.type == "image":
        address = str(token.attrGet("src") or "")
        return Token("text", "", 0, content=f"[{token.content}]({address})")
    if token.type == "link_open":
        is_own = str(token.attrGet("href")).startswith(_OWN_LINK)
        token.attrs = {} if is_own else {**token.attrs, "rel": "noreferrer"}
    return token
