"""Where entries stand, and what a reader's place becomes when others come or go."""

from desktop.ui.transcript.entries import Entry, MessageEntry
from desktop.ui.transcript.layout import ABOVE, Estimate, ListLayout, ScrollAnchor
from tests.ui.transcript.conftest import question

HIGH = 100


def entries(count: int) -> list[Entry]:
    return [MessageEntry(question(number)) for number in range(1, count + 1)]


def column(count: int, height: int = 50) -> ListLayout:
    made = ListLayout(lambda: lambda _: height)
    made.fill(entries(count))
    return made


def test_entries_know_their_place_after_every_change() -> None:
    made = column(4)
    made.insert(1, entries(1)[0])
    made.remove(3, 5)
    assert [entry.index for entry in made.entries] == [0, 1, 2]


def test_what_is_measured_moves_what_is_below_it() -> None:
    made = column(3)
    made.measure(made.entries[1], 80)
    assert [made.top(n) - ABOVE for n in range(3)] == [0, 50, 130]
    assert made.entries[1].is_measured


def test_a_window_shows_what_it_covers_and_as_much_around_as_asked_for() -> None:
    made = column(20)
    assert made.span(ABOVE + 500, HIGH) == (10, 13)
    assert made.span(ABOVE + 500, HIGH, beyond=1) == (8, 15)


def test_a_window_over_nothing_shows_nothing() -> None:
    assert column(0).span(0, HIGH) == (0, 0)


def test_what_is_alive_keeps_its_height_while_all_others_are_guessed_anew() -> None:
    guesses = [50, 70]

    def estimates() -> Estimate:
        height = guesses.pop(0)
        return lambda _: height

    made = ListLayout(estimates)
    made.fill(entries(3))
    alive = made.entries[0]
    made.measure(alive, 33)
    made.estimate_all_but({alive})
    assert [made.top(n) - ABOVE for n in range(3)] == [0, 33, 103]
    assert not alive.is_measured


def test_the_readers_place_goes_along_with_its_entry() -> None:
    place = ScrollAnchor(5, -7)
    assert place.after_insertion(5) == ScrollAnchor(6, -7)
    assert place.after_insertion(6) == place
    assert place.after_removal(1, 3) == ScrollAnchor(3, -7)
    assert place.after_removal(6, 9) == place


def test_a_place_that_was_taken_away_is_none() -> None:
    assert ScrollAnchor(5, 0).after_removal(4, 6) is None
