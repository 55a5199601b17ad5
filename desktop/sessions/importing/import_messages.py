"""Says what came of an import, in sentences for the command line and the window alike."""

from collections.abc import Iterator

from desktop.sessions.importing.import_types import LeftOut, Problem
from desktop.sessions.importing.importer import ImportReport
from desktop.settings.messages import Texts


def problem_words(texts: Texts, problem: Problem) -> str:
    """What was not imported, where it stands, and why."""
    why = texts.say(f"import.{problem.key}", **problem.values)
    if not problem.number:
        said = why
    elif problem.is_line:
        said = texts.say("import.line", n=problem.number, why=why)
    elif problem.title:
        said = texts.say(
            "import.conversation_named", n=problem.number, title=problem.title, why=why
        )
    else:
        said = texts.say("import.conversation", n=problem.number, why=why)
    return texts.say("import.inside", file=problem.file, said=said) if problem.file else said


def outcome_words(texts: Texts, name: str, report: ImportReport) -> Iterator[str]:
    """What was added, what was there and what was left out; problems are another matter."""
    there = texts.number(report.already_there)
    yield texts.count("import.done", report.added, file=name, there=there)
    if report.grown:
        yield texts.count("import.grown", report.grown)
    yield from left_out_words(texts, report)
    if report.more_problems:
        yield texts.count("import.more_problems", report.more_problems)
    if report.was_stopped:
        yield texts.say("import.stopped")


def left_out_words(texts: Texts, report: ImportReport) -> Iterator[str]:
    kinds = [kind for kind in LeftOut if report.left_out[kind] and kind is not LeftOut.LETTERS]
    if kinds:
        what = [texts.count(f"import.left_out_{kind}", report.left_out[kind]) for kind in kinds]
        yield texts.say("import.left_out", what=", ".join(what))
    if replaced := report.left_out[LeftOut.LETTERS]:
        yield texts.count("import.letters", replaced)
