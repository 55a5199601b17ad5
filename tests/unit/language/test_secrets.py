"""Texts that look like a key, a password or the number of a card."""

import pytest

from desktop.language.secrets import has_secret, secrets_in
from tests.costs import PASTES, grows_with_length
from tests.examples import examples

SECRETS = examples(__file__, "SECRETS")
ORDINARY = examples(__file__, "ORDINARY")


@pytest.mark.parametrize(("text", "value"), SECRETS.items())
def test_a_secret_is_recognised_with_its_secret_part(text: str, value: str) -> None:
    assert has_secret(text)
    assert value in secrets_in(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_a_text_about_passwords_contains_no_password(text: str) -> None:
    assert not has_secret(text)


@pytest.mark.parametrize("piece", [*PASTES, "parola ", "sifrem a", "4111 ", "eyJa", "pin'"])
def test_checking_a_long_paste_takes_linear_time(piece: str) -> None:
    assert grows_with_length(has_secret, piece)
