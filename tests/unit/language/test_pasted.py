"""What of a message is listened to."""

import pytest

from desktop.language.hearing.pasted import own_words, parted


def test_what_somebody_typed_is_heard_whole() -> None:
    typed = "Gelgit neden olur? " * 400
    assert own_words(typed) == typed


def test_of_a_paste_its_ends_are_heard() -> None:
    asked, ordered = "Bunu özetle:\n", "\nTürkçe yaz."
    heard = own_words(f"{asked}{'x y ' * 750_000}{ordered}")
    assert heard.startswith(asked)
    assert heard.endswith(ordered)
    assert len(heard) < 10_000


def test_of_a_long_message_its_short_first_and_last_lines_are_typed() -> None:
    letter = ["Zeytin yavaş büyür. " * 20] * 3
    assert parted("\n".join(["Özetle:", *letter, "Teşekkürler"])) == (
        "Özetle:\nTeşekkürler",
        "\n".join(letter),
    )
    assert parted("\n".join([*letter, "Bunu özetle."])) == (
        "\n".join([letter[0], "Bunu özetle."]),
        "\n".join(letter[1:]),
    )
    assert parted("Özetle:\n" + "a" * 700) == ("Özetle:", "a" * 700)


@pytest.mark.parametrize("typed", ["Kısa\nbir\nsoru", "Uzun bir soru. " * 60])
def test_what_is_short_or_of_one_line_is_typed(typed: str) -> None:
    assert parted(typed) == (typed, "")
