import pytest

from desktop.domain.language import Language
from desktop.language.keywords_and_stems import guess_language, text_language

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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Bu kılavuz su pompasının kurulumunu anlatır.", Language.TR),
        ("Bu belge Turkce harfler olmadan yazilmistir ve icinde cok bilgi vardir.", Language.TR),
        ("This manual describes how to install the pump.", Language.EN),
        ("El manual describe la instalación de la bomba. No toque el motor de noche.", None),
        ("Manual de usuario. Lea las instrucciones antes de usar el aparato.", None),
        ("O manual descreve a bomba de agua. Leia as seguintes partes da manutenção.", None),
        ("Le manuel décrit la pompe, ne pas ouvrir. Il est interdit de le modifier.", None),
        ("Das Handbuch beschreibt die Pumpe und die Teile, die man braucht.", None),
        ("Manualul descrie pompa şi piesele, de la început până la sfârşit.", None),
        ("Руководство описывает насос.", None),
        ("42; 17; 3", None),
    ],
)
def test_a_text_in_a_third_language_has_none_of_the_two(
    text: str, language: Language | None
) -> None:
    assert text_language(text) is language


@pytest.mark.parametrize("text", ["", "123", "?", "TP53", "…", "42 + 8"])
@pytest.mark.parametrize("default", list(Language))
def test_without_evidence_the_default_language_is_returned(text: str, default: Language) -> None:
    assert guess_language(text, default) is default
