"""What is kept of a message where the user asks for it as it stands."""

from desktop.domain.facts import LONGEST_FACT
from desktop.memory.gist import gist


def test_a_short_message_is_kept_whole_and_without_its_markdown() -> None:
    message = "\n Kan şekerini **mg/dL** olarak\nyazarım. "
    found = gist(message)
    assert found.text == "Kan şekerini mg/dL olarak yazarım."
    assert message[found.start : found.start + found.length] == message.strip()


def test_of_a_long_one_the_first_sentences_are_kept_and_no_half_one() -> None:
    first, second = "Tez 14 Mayıs'ta bitecek.", "Danışman her salı gelir."
    message = f"# Plan\n\n{first} {second} " + "Ardından uzun uzun başka şeyler anlatıldı. " * 9
    found = gist(message)
    assert found.text.startswith(f"{first} {second}")
    assert found.text.endswith(".")
    assert len(found.text) <= LONGEST_FACT
    assert message[found.start : found.start + found.length].startswith(first)


def test_one_endless_sentence_ends_with_a_whole_word() -> None:
    found = gist("kelime " * 200)
    assert len(found.text) <= LONGEST_FACT
    assert found.text.endswith("kelime…")


def test_nothing_is_kept_of_nothing() -> None:
    assert gist(" \n ").text == ""
