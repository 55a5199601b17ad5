import pytest

from desktop.domain.language import Language
from desktop.language.language_detection import guess_language

TURKISH = [
    "ikisinin farkı ne?",
    "dawn fenomeni nedir",
    "Somogyi etkisi nedir?",
    "peki ya tip 2?",
    "neden?",
    "neden",
    "ornek ver",
    "daha kisa anlat",
    "tablo yap",
    "tesekkurler",
    "teşekkürler",
    "tamam yeter",
    "yeni konu",
    "eyvallah",
    "insulin direnci nasil tedavi edilir",
    "Osmanli tahrir defterleri hakkinda bilgi ver",
    "gelgit nasil olusur",
    "Python'da decorator nasıl yazılır?",
    "machine learning modelleri nasıl eğitilir",
    "transformer mimarisi ne ise yarar",
    "kuantum dolanıklığı",
    "hastalarda sabah yüksekliği",
    "bunu ingilizceye çevir",
    "simdi beta hucre rejenerasyonu arastiralim",
    "kim buldu",
    "hangisi daha iyi",
    "var mi boyle bir sey",
    "The Great Gatsby romanının konusu nedir?",
    "what is kelimesinin anlamı ne",
    "olur mu",
]
ENGLISH = [
    "what is the difference?",
    "why?",
    "how do tides work",
    "thanks",
    "thank you so much",
    "new topic",
    "that's all",
    "give an example",
    "shorter please",
    "explain insulin resistance",
    "Dawn phenomenon vs Somogyi effect",
    "what about children?",
    "and type 2?",
    "make a table",
    "Who was Atatürk?",
    "the history of İstanbul",
    "How is baklava made in Gaziantep?",
    "beta cell regeneration",
    "summarise this",
    "define entropy in one sentence",
    "which one is better",
    "cheers, that will be all",
    "Ottoman tax registers in the sixteenth century",
    "Is Şanlıurfa older than Jericho?",
    "okay got it",
]


@pytest.mark.parametrize("text", TURKISH)
def test_turkish_is_recognised_also_without_its_letters(text: str) -> None:
    assert guess_language(text, Language.EN) is Language.TR


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_recognised_also_around_turkish_names(text: str) -> None:
    assert guess_language(text, Language.TR) is Language.EN


@pytest.mark.parametrize("text", ["", "123", "?", "TP53", "…", "42 + 8"])
@pytest.mark.parametrize("default", list(Language))
def test_where_nothing_speaks_for_either_the_default_stands(text: str, default: Language) -> None:
    assert guess_language(text, default) is default
