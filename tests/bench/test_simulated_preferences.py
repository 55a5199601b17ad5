"""Wishes in a user's own words are found; mere mentions are not.

Eight people have an archive each. The sentences were written before anything was fitted, and
nothing is fitted on them. A preference is said in several ways over the weeks, as people do; the
decoys have its words and wish for nothing.
"""

from pathlib import Path
from typing import NamedTuple

from desktop.domain.messages import Thumb
from desktop.domain.projects import EVERYTHING
from tests.examples import examples
from tests.studies import Study


class Person(NamedTuple):
    says: dict[str, list[str]]
    """By value: the wishes; what begins with - stands beside a thumb down, with + beside an up."""
    speaks_of: list[str]
    """Decoys."""


PERSONS = [Person(**person) for person in examples(__file__, "persons")]


def _live(person: Person, study: Study) -> None:
    """Send the wishes and the decoys in turns, each in a session of its own."""
    rounds = max(map(len, person.says.values()))
    said = [texts[at] for at in range(rounds) for texts in person.says.values() if at < len(texts)]
    for text in (*said, *person.speaks_of):
        study.clock.pass_by(days=1)
        if text[0] in "-+":
            study.ask("Gelgit neden olur?")
            thumb = Thumb.DOWN if text[0] == "-" else Thumb.UP
            study.assistant.rate(study.active.messages[-1].id, thumb, text[2:])
        else:
            study.ask(text)
        study.assistant.end()
        study.describe()


def test_planted_preferences_are_found_and_no_decoy_is(tmp_path: Path) -> None:
    planted = found = 0
    wrong: list[str] = []
    missed: list[str] = []
    for number, person in enumerate(PERSONS):
        study = Study(tmp_path / str(number))
        study.set(describes_with_model=False)
        _live(person, study)
        in_effect = [
            preference
            for preference in study.archive.preferences.preferences(EVERYTHING)
            if preference.is_in_effect
        ]
        # A wish with a condition, or one that no value expresses, is in the person's own words.
        value_by_wish = {
            text.rstrip("."): value for value, texts in person.says.items() for text in texts
        }
        known = {
            value_by_wish.get(preference.words.rstrip("."), preference.value): preference
            for preference in in_effect
        }
        planted += len(person.says)
        found += len(person.says.keys() & known.keys())
        missed += [f"{number} {value}" for value in person.says.keys() - known.keys()]
        wrong += [f"{number} {value}" for value in known.keys() - person.says.keys()]
        for value, one in known.items():
            quotes = [said.quote for said in study.archive.preferences.evidence(one.id)]
            own = [text.lstrip("-+ ") for text in person.says.get(value, ())]
            wrong += [quote for quote in quotes if value in person.says and quote not in own]
        study.close()
    assert not wrong, wrong
    assert found >= 0.95 * planted, missed
