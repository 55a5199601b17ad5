"""Names are found by a few letters: beginnings, initials, with or without Turkish letters."""

import pytest

from desktop.language.fuzzy_matching import foldable, fuzzy_match


def score(query: str, name: str) -> float:
    found = fuzzy_match(foldable(query), foldable(name))
    return found.score if found else 0.0


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("yeni", "Yeni oturum"),
        ("oturum yeni", "Yeni oturum"),
        ("yo", "Yeni oturum"),
        ("yenot", "Yeni oturum"),
        ("disa", "Dışa aktar"),
        ("IŞIK", "açık ışık"),
        ("isik", "Işık"),
        ("ışık", "isik"),
        ("port", "Export as Markdown…"),
        ("", "Anything"),
    ],
)
def test_typed_letters_match_in_order(query: str, name: str) -> None:
    assert fuzzy_match(foldable(query), foldable(name)) is not None


@pytest.mark.parametrize(
    ("query", "name"), [("xyz", "Yeni oturum"), ("oy", "Yeni oturum"), ("yeni z", "Yeni oturum")]
)
def test_letters_without_a_place_do_not_match(query: str, name: str) -> None:
    assert fuzzy_match(foldable(query), foldable(name)) is None


def test_prefixes_rank_before_substrings_and_those_before_initials() -> None:
    ranked = ["Set", "Settings", "Free settings", "Reset", "Search every thing"]
    scores = [score("set", name) for name in ranked]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


def test_the_marks_cover_the_letters_of_the_name() -> None:
    found = fuzzy_match(foldable("disa ak"), foldable("Dışa aktar"))
    assert found is not None
    assert ["Dışa aktar"[start:end] for start, end in found.marks] == ["Dışa", "ak"]
