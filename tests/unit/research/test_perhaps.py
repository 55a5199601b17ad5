"""Words that speak to the assistant put a question in doubt, and a generic "you" does not."""

import pytest

from desktop.domain.routing import Unsure, Why
from desktop.research.routing.router import Rules, decide
from desktop.sessions.prompts_and_phrases import shipped_routes
from tests.studies import phrases


def is_in_doubt(text: str) -> bool:
    found = decide(text, (), Rules(phrases(), routes=shipped_routes()))
    return isinstance(found, Unsure) and found.reason is Why.ABOUT_IT


@pytest.mark.parametrize(
    "text",
    ["so are you some kind of oracle", "sen bir çeşit kahin misin", "what team built this"],
)
def test_what_may_be_about_the_assistant_is_in_doubt(text: str) -> None:
    assert is_in_doubt(text)


@pytest.mark.parametrize(
    "text",
    [
        "how do you boil an egg",
        "can you freeze milk",
        "what happens if you swallow gum",
        "do you need a visa for Georgia",
        "sence hangi renk daha sıcak",
        "why do you get brain freeze",
        "print(yours)\nwhat does this line do",
    ],
)
def test_a_you_that_means_anybody_is_no_doubt(text: str) -> None:
    assert not is_in_doubt(text)


@pytest.mark.parametrize(
    "text", ["sen hangi yapaysın böyle", "wat r u xactly", "mesajlrımı görüyolar mı"]
)
def test_what_sounds_like_it_is_in_doubt_however_it_is_spelt(text: str) -> None:
    assert is_in_doubt(text)


def test_what_may_be_looked_up_as_well_stays_in_doubt_where_it_is_not_about_the_assistant() -> (
    None
):
    rules = Rules(phrases(), routes=shipped_routes(), can_search=True)
    found = decide("günün adı ne bugün", (), rules)
    assert found == Unsure(Why.ABOUT_IT, then=Unsure(Why.FRESH, "bugün"))


def test_who_tells_a_password_is_not_asked_about_it() -> None:
    assert not is_in_doubt("Parolam: gizli123, e-postam için.")


def test_what_was_learnt_by_heart_costs_nothing_where_a_message_is_long() -> None:
    long = (
        "sen kimsin diye sordu ve ben de ona " * 4 + "uzun uzun anlattım, sonra ne olmuş olabilir"
    )
    assert not is_in_doubt(long)
