import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.language import Language
from desktop.language.describing.extractive_description import LONGEST_TITLE, make_title

TITLES = """
Dawn fenomeni nedir? -> Dawn fenomeni
Merhaba, bana kuantum dolanıklığını basitçe açıklar mısın? -> Kuantum dolanıklığı
Osmanlı'da tahrir defterleri ne işe yarardı? -> Osmanlı'da tahrir defterleri ne işe yarardı?
insülin direnci hakkında bilgi ver -> İnsülin direnci
kitabı özetle -> Kitap
masalı yaz -> Masal
dizi ver -> Dizi
gezi planla -> Gezi
türkü öner -> Türkü
çarşı anlat -> Çarşı
vergi hesapla -> Vergi
müşteri bul -> Müşteri
gösteri öner -> Gösteri
martı anlat -> Martı
hindi öner -> Hindi
dağı anlat -> Dağı
filmi özetle -> Film
raporu özetle -> Rapor
enflasyonu açıkla -> Enflasyon
bankacılığı anlat -> Bankacılık
konu öner -> Konu
sayı söyle -> Sayı
kapıyı göster -> Kapı
ekonomi anlat -> Ekonomi
büyük yangını anlat -> Büyük yangın
Somogyi'yi açıkla -> Somogyi
Şimdi beta hücre rejenerasyonu araştıralım -> Beta hücre rejenerasyonu
gelgit nasıl oluşur? -> Gelgit nasıl oluşur?
mRNA aşılarını anlatır mısın -> mRNA aşıları
Osmanlı Devleti'nin kuruluşunu incele -> Osmanlı Devleti'nin kuruluşu
Python'da liste sıralamayı öğrenmek istiyorum -> Python'da liste sıralama
İstanbul'un fethi konusunda bana kısaca bilgi verir misin? -> İstanbul'un fethi
Kara delikler ile ilgili araştırma yapalım -> Kara delikler
bunu özetler misin: Marmaray tüneli -> Marmaray tüneli
entropi ne demek -> Entropi
ışık hızı nedir -> Işık hızı
Mevlana'nın Mesnevi'si neyi anlatır? -> Mevlana'nın Mesnevi'si neyi anlatır?
Can you explain how tides work? -> How tides work
What is the Dawn phenomenon? -> Dawn phenomenon
Why is the sky blue? -> Why is the sky blue?
Why do cats purr? -> Why cats purr
How do I fix a leaking tap? -> How to fix a leaking tap
Who was Ada Lovelace? -> Ada Lovelace
What is aspirin used for? -> What is aspirin used for?
How does photosynthesis work? -> How does photosynthesis work?
tell me about the Ottoman tax registers -> Ottoman tax registers
explain quantum entanglement in simple terms please -> Quantum entanglement
I'd like to understand how mRNA vaccines are made and why they need to be so cold in transport -> \
How mRNA vaccines are made
Let's talk about black holes -> Black holes
iPhone battery life -> iPhone battery life
Hi! -> Hi
""".strip().splitlines()
FIRST_ENGLISH = "Can you explain how tides work? -> How tides work"


@pytest.mark.parametrize("case", TITLES)
def test_a_title_of_a_question_drops_the_asking_phrase(case: str) -> None:
    question, _, title = case.partition(" -> ")
    is_english = TITLES.index(case) >= TITLES.index(FIRST_ENGLISH)
    assert make_title(question, Language.EN if is_english else Language.TR) == title


def test_a_long_title_is_cut_at_a_word() -> None:
    title = make_title("yazılım ekiplerinde " * 9 + "verimliliği", Language.TR)
    assert len(title) <= LONGEST_TITLE
    assert set(title.rstrip("…").lower().split()) <= {"yazılım", "ekiplerinde"}


@given(st.text(max_size=200), st.sampled_from(Language))
def test_no_title_is_too_long_or_has_a_line_break(text: str, language: Language) -> None:
    title = make_title(text, language)
    assert len(title) <= LONGEST_TITLE
    assert "\n" not in title
