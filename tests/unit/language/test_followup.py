import pytest

from desktop.language.hearing.followup import (
    changes_subject,
    leans_back,
    may_stand_alone,
    puts_a_case,
    speaks_of_own_case,
)
from desktop.language.hearing.phrases import PhraseLists
from tests.unit.language.transcripts import read_texts

SESSIONS = {
    "diabetes": read_texts("diabetes_tr"),
    "ottoman": read_texts("ottoman_tr"),
    "tides": read_texts("tides_en"),
    "python": read_texts("python_en"),
    "quantum": read_texts("quantum_tr"),
}

LEANING = """
ikisinin farkı ne?
peki ya tip 2?
Peki Somogyi etkisi?
ya çocuklarda?
neden?
Neden böyle?
nasıl yani
daha kısa anlat
örnek ver
tablo yap
bunu tablo yap
Bunun tedavisi nasıl yapılıyor?
bu defterler bugün nerede saklanıyor?
o zaman ne yapmalı?
onların arasındaki fark nedir
bir de yaşlılarda nasıl olur
kaynak göster
emin misin?
hangisi daha tehlikeli?
ikincisini açar mısın
biraz daha ayrıntılı anlat
devam et
İngilizceye çevir
ingilizceye cevir
aynısı kedilerde de olur mu?
çocuklarda da görülür mü, orada durum nasıl?
az önce söylediğin hormon neydi
yukarıdaki tabloya bir sütun ekle
ama bu doğru değil
peki ya hamilelerde kullanılan ilaçlar hangileri?
belirtileri neler?
gebelikte?
gebelikte nasıl?
yani kan şekeri düşüyor mu?
başka?
başka örnekler var mı
... ve sonra?
anlamadım
merhaba
tamam
bunlardan hangisi Türkiye'de daha yaygın görülüyor?
Diğerinin üretim maliyeti ne kadar?
what is the difference?
why?
why is that?
how does it work?
and what about children?
What about the Mediterranean?
give an example
give me another example
make a table
explain it in simpler terms
shorter please
are you sure?
sources?
which one is better?
what did you mean by the second point?
translate into Turkish
can you compare them?
who discovered it?
do they also occur in lakes and rivers?
but isn't the Sun much larger?
so the Moon causes both bulges?
tell me more
continue
what causes this?
in children?
in which countries are these sold?
Is that also true for cats?
how would the former affect coastal cities?
add a column for temperature to the table above
then how do sailors navigate?
ok, and in winter?
what happens next?
hmm
""".strip().splitlines()

# These stand alone, and yet they belong to the session they are asked in.
SAME_SUBJECT = [
    ("diabetes", "Gece hipoglisemisini önlemek için uzun etkili insülin dozu nasıl ayarlanır?"),
    ("diabetes", "Sürekli glukoz izlemi hangi durumlarda önerilir?"),
    ("diabetes", "Kortizol düzeyi sabahları neden yükselir?"),
    ("diabetes", "Şimdi insülin pompası seçeneklerini araştıralım"),
    ("diabetes", "karacigerin glukoz uretimi nasil azaltilir"),
    ("diabetes", "How is nocturnal hypoglycaemia treated in adolescents?"),
    ("diabetes", "Metformin ne zaman alınmalı?"),
    ("diabetes", "Egzersiz zamanlaması"),
    ("ottoman", "Tımarlı sipahilerin yükümlülükleri nelerdi?"),
    ("ottoman", "Kanuni döneminde vergi mükellefi sayısı kaçtı?"),
    ("ottoman", "Anadolu'da nüfus yoğunluğu nasıl hesaplanmış?"),
    ("ottoman", "What were timar grants worth in silver coins?"),
    ("tides", "Why does the Moon always show the same face?"),
    ("tides", "How do harbour engineers predict water levels?"),
    ("tides", "Could a tidal power plant supply Nova Scotia?"),
    ("tides", "Gelgit santrallerinin verimi ne kadardır?"),
    ("python", "How do I cancel a running coroutine?"),
    ("python", "Should I use threads for blocking libraries?"),
    ("quantum", "Kuantum bilgisayarlarda hata düzeltme nasıl yapılır?"),
    ("quantum", "Einstein'ın EPR makalesi ne savunuyordu?"),
]

CHANGES = [
    ("ottoman", "Şimdi beta hücre rejenerasyonu araştıralım"),
    ("ottoman", "Kuantum bilgisayarlar klasik bilgisayarlardan nasıl daha hızlı çalışır?"),
    ("ottoman", "Evde ekşi maya nasıl hazırlanır?"),
    ("ottoman", "Maraton için antrenman programı hazırla"),
    ("ottoman", "Elektrikli araba bataryaları kaç yıl dayanır?"),
    ("diabetes", "Osmanlı'da tımar sistemi nasıl işliyordu?"),
    ("diabetes", "Fransız Devrimi'nin ekonomik nedenleri nelerdir?"),
    ("diabetes", "İstanbul'dan Kapadokya'ya trenle nasıl gidilir?"),
    ("diabetes", "Python'da asenkron programlama nasıl öğrenilir?"),
    ("diabetes", "Yapay zekâ modelleri telif hukukunu ihlal ediyor mu?"),
    ("diabetes", "kedilerin mirlamasinin evrimsel sebebi nedir"),
    ("quantum", "Akdeniz mutfağında zeytinyağı neden vazgeçilmez?"),
    ("quantum", "Roma İmparatorluğu'nun çöküş sebepleri nelerdir?"),
    ("tides", "How is sourdough bread baked at home?"),
    ("tides", "What are the side effects of ibuprofen in elderly patients?"),
    ("tides", "Explain the economic reasons of the French Revolution"),
    ("tides", "How do transformers in machine learning use attention?"),
    ("tides", "Write a training plan for my first marathon"),
    ("tides", "Is it safe to eat raw eggs while pregnant?"),
    ("python", "Who painted the ceiling of the Sistine Chapel?"),
    ("python", "Why did the Roman Republic collapse into civil war?"),
    ("python", "Compare Turkish and Greek coffee brewing traditions"),
    ("python", "How long does it take to boil quail eggs perfectly?"),
]


@pytest.mark.parametrize("text", LEANING)
def test_a_follow_up_leans_on_what_was_said(text: str, lists: PhraseLists) -> None:
    assert leans_back(text, lists) is not None


@pytest.mark.parametrize("session", SESSIONS)
@pytest.mark.parametrize("text", LEANING)
def test_a_follow_up_never_splits_a_session(text: str, session: str, lists: PhraseLists) -> None:
    assert changes_subject(text, SESSIONS[session], lists) is None


@pytest.mark.parametrize(("session", "text"), SAME_SUBJECT)
def test_a_question_on_the_same_subject_never_splits_a_session(
    session: str, text: str, lists: PhraseLists
) -> None:
    assert changes_subject(text, SESSIONS[session], lists) is None


@pytest.mark.parametrize("session", SESSIONS)
def test_no_message_of_a_dialogue_splits_it(session: str, lists: PhraseLists) -> None:
    said = SESSIONS[session]
    for number, text in enumerate(said):
        assert changes_subject(text, said[:number], lists) is None


@pytest.mark.parametrize(("session", "text"), CHANGES)
def test_a_plain_change_of_subject_is_found(session: str, text: str, lists: PhraseLists) -> None:
    assert leans_back(text, lists) is None
    change = changes_subject(text, SESSIONS[session], lists)
    assert change is not None
    assert change.reason == "no word in common with the session"
    assert len(change.own_words) >= 3
    assert all(word in text for word in change.own_words)


@pytest.mark.parametrize(
    "text",
    [
        "I want to learn the ukulele, where do I begin?",
        "Fotosentez nedir?",
        "Bu yıl Türkiye'de enflasyon ne kadar oldu?",
        "Gelgit nasıl oluşur?",
        "Neden gökyüzü mavidir?",
        "What is entropy?",
        "Why is the sky blue?",
        "Can you explain how mRNA vaccines work?",
        "What is the difference between weather and climate?",
    ],
)
def test_a_question_with_a_subject_of_its_own_does_not_lean(text: str, lists: PhraseLists) -> None:
    assert leans_back(text, lists) is None


def test_a_young_session_is_never_split(lists: PhraseLists) -> None:
    assert (
        changes_subject("Evde ekşi maya nasıl hazırlanır?", SESSIONS["ottoman"][:2], lists) is None
    )
    small_talk = ["merhaba", "selam", "nasılsın", "iyiyim"]
    assert changes_subject("Evde ekşi maya nasıl hazırlanır?", small_talk, lists) is None


def test_the_reason_names_the_words_that_lean(lists: PhraseLists) -> None:
    assert leans_back("peki Bunun sebebi?", lists) == "goes on: peki"
    assert leans_back("Somogyi etkisinde Bunun sebebi hormon mu", lists) == "refers back: Bunun"


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("ekmeğin içi hamur kalıyor, fırını kaç derece yapayım?", True),
        ("noterden ihtar çekmem şart mı", True),
        ("iki hakem arasında anlaşmazlık olursa ne yapılır", True),
        ("fazla elektriği satabiliyor muyum?", True),
        ("which blood thinner is safest?", True),
        ("Osmanlı İmparatorluğu hangi yıl kuruldu?", False),
        ("Which chess opening suits an aggressive beginner?", False),
    ],
)
def test_a_message_about_ones_own_case_is_known(text: str, is_own: bool) -> None:  # noqa: FBT001
    assert speaks_of_own_case(text) is is_own


@pytest.mark.parametrize(
    "text",
    [
        "Why did the Maya abandon their southern cities?",
        "Bulaşık makinesi su boşaltmıyor, pompa filtresi nasıl temizlenir?",
        "Kara delikler gerçekten her şeyi yutar mı?",
    ],
)
def test_a_word_that_points_into_its_own_sentence_does_not_lean(
    text: str, lists: PhraseLists
) -> None:
    assert leans_back(text, lists) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kar yağınca ne oluyor", True),
        ("jel sürsem zararı var mı", True),
        ("Ev sahibi çıkarmak isterse?", True),
        ("what happens if I freeze the dough?", True),
        ("Papağanım neden bağırıyor?", False),
        ("Which birds can I see in Iceland?", False),
    ],
)
def test_a_case_put_to_what_was_said_is_heard(text: str, expected: bool) -> None:  # noqa: FBT001
    assert puts_a_case(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("peki Ankara'nın nüfusu kaç?", True),
        ("And which bridge is the longest in Europe?", True),
        ("Peki Somogyi etkisi?", False),
        ("peki bunun farkı ne?", False),
        ("what about cooling benefits?", False),
        ("Ankara'nın nüfusu kaç?", False),
        ("My cat keeps scratching the sofa, how can I stop it?", True),
        ("Kedim koltukları tırmalıyor, bunu nasıl önlerim?", True),
        ("How can I stop it, and should I?", False),
        ("Peki kedim koltukları tırmalıyor, bunu nasıl önlerim?", False),
    ],
)
def test_a_question_may_stand_alone_behind_its_opener_or_what_it_tells_itself(
    text: str,
    expected: bool,  # noqa: FBT001
    lists: PhraseLists,
) -> None:
    assert may_stand_alone(text, lists) is expected
