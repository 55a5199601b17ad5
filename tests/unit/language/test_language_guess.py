import pytest

from desktop.domain.language import Language
from desktop.language.stopwords import guess_language

TURKISH = [
    "ikisinin farkı ne?",
    "dawn fenomeni nedir",
    "peki ya tip 2?",
    "ornek ver",
    "teşekkürler",
    "yeni konu",
    "Osmanli tahrir defterleri hakkinda bilgi ver",
    "Python'da decorator nasıl yazılır?",
    "machine learning modelleri nasıl eğitilir",
    "transformer mimarisi ne ise yarar",
    "simdi beta hucre rejenerasyonu arastiralim",
    "var mi boyle bir sey",
    "The Great Gatsby romanının konusu nedir?",
    "what is kelimesinin anlamı ne",
]
ENGLISH = [
    "what is the difference?",
    "how do tides work",
    "explain insulin resistance",
    "Dawn phenomenon vs Somogyi effect",
    "what about children?",
    "Who was Atatürk?",
    "How is baklava made in Gaziantep?",
    "define entropy in one sentence",
    "cheers, that will be all",
    "Ottoman tax registers in the sixteenth century",
    "Is Şanlıurfa older than Jericho?",
]


@pytest.mark.parametrize("text", TURKISH)
def test_turkish_is_also_recognised_in_ascii(text: str) -> None:
    assert guess_language(text, Language.EN) is Language.TR


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_recognised_also_around_turkish_names(text: str) -> None:
    assert guess_language(text, Language.TR) is Language.EN


@pytest.mark.parametrize("text", ["", "123", "?", "TP53", "…", "42 + 8"])
@pytest.mark.parametrize("default", list(Language))
def test_without_evidence_the_default_language_is_returned(text: str, default: Language) -> None:
    assert guess_language(text, default) is default
