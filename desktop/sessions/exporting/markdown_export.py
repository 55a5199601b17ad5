"""Sessions as readable Markdown; citation numbers are footnotes."""

from collections.abc import Iterator, Sequence

from desktop.domain.messages import Message
from desktop.domain.sessions import Session
from desktop.language.links import harmless_markdown
from desktop.sessions.exporting.contents import Cited, ExportContents, ExportFormat, with_marks
from desktop.sessions.importing.markdown import quote_speakers


def as_markdown(session: Session, messages: Sequence[Message], cited: Cited) -> str:
    """Return one session as readable markdown; citation numbers are footnotes."""
    parts = [f"# {harmless_markdown(' '.join((session.title or session.opening).split()))}"]
    if session.summary:
        parts.append(f"> {harmless_markdown(session.summary)}")
    if session.topics:
        parts.append(harmless_markdown(" · ".join(session.topics)))
    for message in messages:
        notes = cited.notes.get(message.id, ())
        numbers = [note.citation.number for note in notes]
        marks = {number: f"[^{message.number}-{number}]" for number in numbers}
        body = with_marks(quote_speakers(harmless_markdown(message.content)), marks)
        references = ((marks[note.citation.number], cited.words(note)) for note in notes)
        below = [f"{mark}: {harmless_markdown(words)}" for mark, words in references]
        parts += [f"## {cited.speaker(message)}", body]
        parts += [
            f"*{harmless_markdown(cited.attached(message_file))}*"
            for message_file in message.files
        ]
        if below:
            parts.append("\n".join(below))
    for heading, sources in cited.source_lists():
        lines = map(harmless_markdown, sources)
        numbered = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
        parts += [f"# {heading}", "\n".join(numbered)]
    return "\n\n".join(parts) + "\n"


def _write(contents: ExportContents) -> Iterator[bytes]:
    for each in contents.sessions:
        yield as_markdown(each.session, each.messages, each.cite()).encode()


MARKDOWN = ExportFormat("md", _write)
