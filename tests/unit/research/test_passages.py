"""What is shown of a long passage."""

from desktop.research.passages import excerpt
from tests.costs import grows_with_length


def test_an_excerpt_is_where_most_of_the_words_are() -> None:
    text = "gelgit " + "söz " * 400 + "burada gelgit ile gelgit " + "son " * 400
    assert "burada gelgit ile gelgit" in excerpt(text, "gelgit", 400)


def test_an_excerpt_of_a_repeated_word_takes_linear_time() -> None:
    assert grows_with_length(lambda text: excerpt(text, "gelgit", 4_000), "gelgit ")
