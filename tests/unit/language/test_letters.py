from hypothesis import given
from hypothesis import strategies as st

from desktop.language.normalization import fix_surrogates

ANYTHING = st.text(alphabet=st.characters(exclude_categories=()))


@given(ANYTHING)
def test_every_text_can_be_written_down_afterwards(text: str) -> None:
    fix_surrogates(text).encode()


@given(st.text())
def test_a_complete_text_stays_as_it_is(text: str) -> None:
    assert fix_surrogates(text) == text


def test_two_halves_are_joined_and_a_lone_one_is_replaced() -> None:
    assert fix_surrogates("a\ud83d" + "\ude00b\ud83d") == "a😀b\ufffd"
