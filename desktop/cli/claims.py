"""`bellek claims`: have a model check what the newest answer of a session claims."""

from argparse import Namespace
from collections.abc import Mapping

from desktop.cli.commands import Access, Command, CommandServices, object_json, print_each
from desktop.domain.claims import JudgedClaim
from desktop.domain.errors import CitationsMissingError
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.language.sentences import plain_text


def _check(services: CommandServices, options: Namespace) -> None:
    session = services.archive.session(SessionId(options.id))
    cited, texts = services.archive.citations(session.id), services.texts
    answers = [message for message in services.archive.messages(session.id) if message.id in cited]
    if not answers:
        raise CitationsMissingError(session=session.shown_title)
    answer = answers[-1]
    checked = services.core.claims.check(answer.id, is_wanted=True)

    def text_of(claim: JudgedClaim) -> str:
        return plain_text(answer.content[claim.start : claim.end])

    def record(claim: JudgedClaim) -> Mapping[str, JsonValue]:
        values: dict[str, JsonValue] = {
            "message_id": answer.id,
            "text": text_of(claim),
            "support": claim.support.value,
        }
        return {**values, **object_json(claim)}

    def line(claim: JudgedClaim) -> str:
        label = texts.say(f"export.claim_{claim.support.value}")
        words = [cited.words for cited in claim.cited if cited.words]
        quotes = (texts.say("export.quote", words=each) for each in words)
        missing = (f"⚠ {warning.words}" for warning in claim.warnings)
        return "\n    ".join([f"{text_of(claim)} ({label})", *quotes, *missing])

    claims = checked.review.claims if checked else ()
    print_each(services, claims, line, as_json=record)


COMMANDS = {"check": Command(_check, Access.WRITE)}
