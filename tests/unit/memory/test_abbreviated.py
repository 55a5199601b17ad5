"""What a compact abbreviates is not lost, and who begins a sentence is somebody."""

import pytest

from desktop.memory.compacts.check import missing


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Hastada T2DM var.", "Hastada tip 2 diyabet var."),
        ("Tip 2 diyabetim var.", "Kullanıcıda T2DM var."),
        ("Bu konuda WHO raporuna baktık.", "World Health Organization raporuna bakıldı."),
        ("Raporu Dünya Sağlık Örgütü yazdı.", "Raporu DSÖ yazdı."),
        ("The report of the World Health Organization.", "The user read a WHO report."),
        ("Annemde KOAH var.", "Annesinde kronik obstrüktif akciğer hastalığı var."),
        ("We use AWS.", "They use Amazon Web Services."),
    ],
)
def test_an_abbreviation_and_what_it_stands_for_are_one(said: str, kept: str) -> None:
    assert not missing([said], kept)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Hastada T2DM var.", "Hastada diyabet yok."),
        ("Tip 2 diyabetim var.", "Kullanıcıda T1DM var."),
        ("We use AWS.", "They use a web service."),
        ("Raporu Dünya Sağlık Örgütü yazdı.", "Raporu BM yazdı."),
    ],
)
def test_another_abbreviation_stands_for_something_else(said: str, kept: str) -> None:
    assert missing([said], kept)


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Zerda onayladı.", "Zerda"),
        ("Önce konuştuk. Rojbin istifa etti.", "Rojbin"),
        ("Rivka approved it.", "Rivka"),
        ("Then we met. Tamsin wants a refund.", "Tamsin"),
        ("Jarek thinks it's too expensive.", "Jarek"),
    ],
)
def test_who_does_at_a_sentences_head_what_people_do_is_asked_for(said: str, who: str) -> None:
    assert missing([said], "Bir şey oldu.").names == (who,)


@pytest.mark.parametrize(
    "said",
    [
        "Banka onayladı.",
        "Kimse katılmadı.",
        "Doktorum onayladı.",
        "Kiracı taşındı.",
        "Ev sahibi reddetti.",
        "Management approved it.",
        "Customers complained.",
        "Sales dropped.",
        "Somebody signed it.",
    ],
)
def test_whatever_else_begins_a_sentence_is_not(said: str) -> None:
    assert missing([said], "Bir şey oldu.").names == ()
