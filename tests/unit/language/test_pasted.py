"""What of a message is listened to."""

from desktop.language.hearing.pasted import own_words


def test_what_somebody_typed_is_heard_whole() -> None:
    typed = "Gelgit neden olur? " * 400
    assert own_words(typed) == typed


def test_of_a_paste_its_ends_are_heard() -> None:
    asked, ordered = "Bunu özetle:\n", "\nTürkçe yaz."
    heard = own_words(f"{asked}{'x y ' * 750_000}{ordered}")
    assert heard.startswith(asked)
    assert heard.endswith(ordered)
    assert len(heard) < 10_000
