"""Phrases are found whatever their casing, letters, suffixes and punctuation."""

import pytest

from desktop.language.phrase_matcher import consists_of, find_phrase, tokenize


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("teşekkür*", "TEŞEKKÜRLER!"),
        ("iyi geceler", "İYİ geceler."),
        ("what (is|) your name", "what's your name?"),
        ("thanks for …", "thanks for the quick help"),
        ("(bunu|şunu) (hep|) hatırla", "Şunu hatırla"),
        ("(bunu|şunu) (hep|) hatırla", "bunu hep hatırla"),
    ],
)
def test_a_phrase_is_found(phrase: str, message: str) -> None:
    assert find_phrase(tokenize(message), (phrase,))


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("iyi geceler", "iyi, geceler"),
        ("thanks for …", "thanks for"),
        ("bunu hatırla", "bunu hatırlat"),
    ],
)
def test_other_words_are_no_phrase(phrase: str, message: str) -> None:
    assert find_phrase(tokenize(message), (phrase,)) is None


def test_the_longest_phrase_counts_and_leads_back_to_the_original() -> None:
    line = tokenize("Tamam, ÇOK Teşekkürler!")
    found = find_phrase(line, ("çok", "çok teşekkür*"))
    assert found is not None
    assert line.original_between(*found) == "ÇOK Teşekkürler"


def test_a_message_may_consist_of_phrases_alone() -> None:
    phrases = ("tamam", "çok teşekkür*", "hocam")
    assert consists_of(tokenize("Tamam, çok teşekkürler hocam."), phrases)
    assert not consists_of(tokenize("Tamam, çok teşekkürler, peki ya sen?"), phrases)
