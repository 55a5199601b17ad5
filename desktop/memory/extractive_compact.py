"""Makes the compact of an old session without a model, from the session's own words.

It is checked as the others are: sentences with numbers, dates and names that it would lack are
added. A compact that is not clearly shorter than the messages is none.
"""

from collections.abc import Container, Iterator, Sequence

from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Compact, Session
from desktop.language.markdown_stripping import plain_text, without_code
from desktop.language.sentences import sentences
from desktop.memory.compaction import WrittenSummary, append_originals
from desktop.memory.summary_check import find_missing
from desktop.memory.summary_format import Section, Sections
from desktop.settings.messages import Texts

MOST_SHARE = 0.75
"""Of the length of what it stands for."""
_LONGEST_LINE = 140
_SENTENCE_LETTERS = range(25, 241)


def extract_compact(
    session: Session, messages: Sequence[Message], texts: Texts, common: Container[str] = ()
) -> Compact | None:
    """Return the compact of these messages. `common`: folded words that are never names."""
    first, last = messages[0], messages[-1]
    lines = {section: tuple[str, ...]() for section in Section}
    lines[Section.TOPICS] = tuple(session.topics)
    lines[Section.TIMELINE] = tuple(_timeline(messages))
    lines[Section.ESTABLISHED] = (session.summary,) if session.summary else ()
    sections = Sections(lines)
    heading = texts.say("request.compact", first=first.number, last=last.number)
    compact = Compact(
        session.id, first.number, last.number, last.id, sections.written(heading, texts)
    )
    given = [one.content for one in messages]
    written = WrittenSummary(compact, (), find_missing(given, sections.text, common))
    compact = append_originals(written, messages, texts)
    return compact if len(compact.summary) <= MOST_SHARE * sum(map(len, given)) else None


def _timeline(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        text = plain_text(without_code(message.content))
        said = [" ".join(one.text.split()) for one in sentences(text)]
        told = [one for one in said if len(one) in _SENTENCE_LETTERS] or said
        if told:
            line = " ".join(said) if message.role is Role.USER else told[0]
            yield f"[{message.number}] {message.role}: {_cut(line)}"


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_LINE:
        return text
    return f"{text[:_LONGEST_LINE].rsplit(' ', 1)[0]} …"
