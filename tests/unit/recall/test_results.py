"""The snippet of a hit."""

from hypothesis import given
from hypothesis import strategies as st

from desktop.language.normalization import words
from desktop.recall.results import snippet

TURKISH = st.text(alphabet="aAbBıIiİşŞğĞüÜçÇöÖ kp'-.\n*_#|\u0327\u0301", max_size=600)


@given(TURKISH, st.lists(st.sampled_from(["kap", "isik", "a", "bi", "cop"]), max_size=3))
def test_every_mark_is_a_whole_word_that_begins_with_a_term(text: str, terms: list[str]) -> None:
    shown, marks = snippet(text, terms)
    whole = {(word.start, word.end): word.text for word in words(shown)}
    for mark in marks:
        found = whole[mark]
        assert any(found.startswith((term, term[:-1] + "b")) for term in terms)


@given(TURKISH)
def test_a_snippet_is_short_and_on_one_line(text: str) -> None:
    shown, _ = snippet(text, ["kap"])
    assert "\n" not in shown
    assert len(shown) <= 170


def test_markdown_marks_are_not_shown() -> None:
    shown, marks = snippet("## **Kan** şekeri | `glukoz`\n> alıntı", ["kan"])
    assert shown == "Kan şekeri glukoz alıntı"
    assert marks == ((0, 3),)


def test_the_snippet_is_placed_where_most_marks_are() -> None:
    text = "elma " + "boş söz " * 60 + "elma armut elma" + " boş söz" * 60
    shown, marks = snippet(text, ["elma", "armut"])
    assert [shown[start:end] for start, end in marks] == ["elma", "armut", "elma"]


def test_a_link_is_shown_by_its_words_and_marked_in_them() -> None:
    text = (
        "Bak: [Dawn fenomeni ve Somogyi](bellek://session/a?message=3) · 13 Ekim. " + "söz " * 60
    )
    shown, marks = snippet(text, ["somogyi", "ekim"])
    assert shown.startswith("Bak: Dawn fenomeni ve Somogyi · 13 Ekim.")
    assert [shown[start:end] for start, end in marks] == ["Somogyi", "Ekim"]
