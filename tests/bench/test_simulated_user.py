"""What a simulated person does regularly is found; what only looks like it is not.

The sentences were written before anything that learns from them was tried on them.
"""

from pathlib import Path

from desktop.domain.language import Language
from desktop.domain.learned_preferences import PatternKind
from desktop.domain.projects import EVERYTHING, NO_PROJECT
from desktop.domain.usage import Figures
from desktop.memory.patterns import PatternFinder
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.importing.importer import Importer
from tests.bench.simulated_user import (
    ACTIVE_HOURS,
    OPEN_QUESTIONS,
    SEQUENCES,
    SESSIONS,
    SUBJECTS,
    SimulatedUser,
)
from tests.studies import Study


def test_planted_patterns_are_found_with_their_evidence_and_no_decoy_is_used(
    tmp_path: Path,
) -> None:
    study = Study(tmp_path)
    path = tmp_path / "lived.jsonl"
    assert SimulatedUser(study.clock()).write(path) == SESSIONS
    importer = Importer(study.archive, shipped_phrases, lambda: Language.TR, study.clock)
    assert importer.import_file(path).added == SESSIONS
    finder = PatternFinder(study.archive.patterns, shipped_phrases, Figures())
    finder.refresh(study.clock(), NO_PROJECT)
    used = [one for one in study.archive.patterns.patterns(EVERYTHING) if one.is_used]
    found = {(one.kind, one.value.lower(), one.next_value.lower()): one for one in used}
    study.close()

    days, hours = "1,2,3,4,5", ",".join(map(str, ACTIVE_HOURS))
    pairs = [(one.first, one.then) for one in SEQUENCES if one.is_habit]
    planted = {
        (PatternKind.DAYS, days, ""): "",
        (PatternKind.HOURS, hours, ""): "",
        **{(PatternKind.SUBJECT, one.name, ""): one.name for one in SUBJECTS if one.is_habit},
        # Both sides of a sequence come back, too.
        **{(PatternKind.SUBJECT, name, ""): name for pair in pairs for name in pair},
        **{
            (PatternKind.OPEN_QUESTION, one.text.lower(), ""): one.text.lower()
            for one in OPEN_QUESTIONS
            if one.is_habit
        },
        **{(PatternKind.SEQUENCE, first, then): "" for first, then in pairs},
    }
    missed = planted.keys() - found.keys()
    assert len(missed) <= 0.05 * len(planted), missed
    assert found.keys() <= planted.keys()
    for key, pattern in found.items():
        said = [one.text.lower() for one in pattern.evidence]
        assert all(planted[key] in text for text in said)
        if pattern.kind is PatternKind.SEQUENCE:
            assert all(pattern.value in text or pattern.next_value in text for text in said)
