"""Which messages want something remembered, and what."""

import pytest

from desktop.language.hearing.keeping import asks_to_remember
from desktop.language.hearing.kept_words import as_kept
from desktop.language.hearing.phrases import PhraseLists

WANTED = {
    "Bunu ilerisi için hatırla: evin interneti ayın yedisinde ödeniyor.": (
        "Evin interneti ayın yedisinde ödeniyor"
    ),
    "Şu bilgiyi sonraki sefer için sakla: laktoz hassasiyetim var.": "Laktoz hassasiyetim var",
    "Şunu mutlaka aklında tut ki ben balık yemem.": "Ben balık yemem",
    "İki köpeğim var, notlarına eklersen iyi olur.": "İki köpeğim var",
    "Kayıtlarında bulunsun: arabam dizel.": "Arabam dizel",
    "Not alabilir misin, eşimin adı Turgay.": "Eşimin adı Turgay",
    "Ben diyabetliyim; kayda al lütfen.": "Ben diyabetliyim",
    "Bundan böyle hatırla, kahvaltı etmem.": "Kahvaltı etmem",
    "Kalp pilim var! Bunu mutlaka belleğine işle.": "Kalp pilim var",
    "Would you log the fact that my son studies in Ghent?": "My son studies in Ghent",
    "My flat is rented, make sure you remember that.": "My flat is rented",
    "Lock this in your memory please. My office is on the third floor.": (
        "My office is on the third floor"
    ),
    "I want it in your memory that my doorbell is broken.": "My doorbell is broken",
    "It should be kept in your memory that I take sugar.": "I take sugar",
    "I'd be glad if you would keep in your memory that I have two dogs.": "I have two dogs",
    "I'm left-handed. Kindly retain that.": "I'm left-handed",
    "Kardeşim pilot, bunu da aklının bir köşesinde tut.": "Kardeşim pilot",
    "Unutmamanı rica ediyorum: sekizden sonra aranmak istemem.": "Sekizden sonra aranmak istemem",
    "Remember for next time that I use Fahrenheit.": "I use Fahrenheit",
    "Bunu bil: ben solağım.": "Ben solağım",
    "Kedim Pamuk 7 yaşında, bunu aklından çıkarma.": "Kedim Pamuk 7 yaşında",
    "Sonrası için sakla: sürüm 3.12 kullanıyoruz.": "Sürüm 3.12 kullanıyoruz",
    "Tavuk yemediğimi unutma, olur mu?": "Tavuk yemediğim",
    "Bu konuşmadan şunu aklında tut: bütçe 5000 lira.": "Bütçe 5000 lira",
    "Know this: I'm left-handed.": "I'm left-handed",
    "Please memorize that my wife is a nurse.": "My wife is a nurse",
    "Don't ever forget that my cat is called Pamuk.": "My cat is called Pamuk",
    "unutma kedimin adı duman": "Kedimin adı duman",
    "Aklında bulunsun cumaları ofiste olmam.": "Cumaları ofiste olmam",
    "hafızana at: köpeğimin adı Paşa": "Köpeğimin adı Paşa",
    "Not al lütfen, oğlumun astımı var.": "Oğlumun astımı var",
    "Bilgin olsun, ben solağım.": "Ben solağım",
    "Eşim vegan, bunu aklının bir köşesinde tut.": "Eşim vegan",
    "Jot this down: my car is due for service in May.": "My car is due for service in May",
    "FYI I'm deaf in my left ear.": "I'm deaf in my left ear",
    "Kızımın adı Elif, bunu unutma": "Kızımın adı Elif",
    "Kızımın adı Elif. Bunu unutma!": "Kızımın adı Elif",
    "Kızımın adı Elif bunu unutma": "Kızımın adı Elif",
    "KIZIMIN ADI ELİF, BUNU UNUTMA": "KIZIMIN ADI ELİF",
    "kizimin adi elif, bunu unutma lutfen": "Kizimin adi elif",
    "Evim Ankara'da, aklında tut": "Evim Ankara'da",
    "Bunu unutma: kızımın adı Elif": "Kızımın adı Elif",
    "Şunu not al: toplantı salı 14.00'te": "Toplantı salı 14.00'te",
    "Not al: doktor randevum 5 Mayıs'ta": "Doktor randevum 5 Mayıs'ta",
    "vejetaryen olduğumu unutma": "Vejetaryen olduğum",
    "Fıstığa alerjim olduğunu aklında tut lütfen": "Fıstığa alerjim olduğu",
    "Unutma, ben vejetaryenim": "Ben vejetaryenim",
    "Unutma ki vejetaryenim": "Vejetaryenim",
    "Sakın unutma: fıstığa alerjim var": "Fıstığa alerjim var",
    "Bunu unutma. Kızımın adı Elif. Oğlum Can.": "Kızımın adı Elif. Oğlum Can",
    "Şunları unutma:\n- kızım Elif\n- oğlum Can": "Kızım Elif, oğlum Can",
    "Merhaba! Ben Ali, Konya'da öğretmenim. Bunu aklında tut lütfen, teşekkürler": (
        "Ben Ali, Konya'da öğretmenim"
    ),
    "ineğim süt vermiyor, bunu unutma": "İneğim süt vermiyor",
    "Remember that I am vegetarian": "I am vegetarian",
    "remember I'm vegetarian": "I'm vegetarian",
    "Please remember this: my daughter's name is Elif.": "My daughter's name is Elif",
    "My daughter's name is Elif. Remember this.": "My daughter's name is Elif",
    "My daughter's name is Elif, keep that in mind.": "My daughter's name is Elif",
    "Could you remember that I prefer tea?": "I prefer tea",
    "Don't forget that my flight is on 5 May": "My flight is on 5 May",
    "Add to memory: I live in Bonn": "I live in Bonn",
    "Write this down: the code is 4711": "The code is 4711",
}
WHAT_WAS_SAID_BEFORE = [
    "Yukarıda yazdığımı unutma.",
    "Söylediğimi hafızana kaydet.",
    "Remember what I just told you.",
    "Bunu unutma",
    "bunu aklında tut lütfen",
    "Peki, anladım, bunu unutma",
    "Bunu aklında tutar mısın?",
    "remember this",
    "Please keep that in mind, thanks!",
]
NOT_WANTED = [
    "Örneklem küçük olduğunu unutmadan sonuç değişir mi?",
    "Sistemin yavaş olduğunu unutmadan, sınama değişir mi?",
    "Bunu hatırlaman gerekmiyor, sadece sordum.",
    "Bunu söylediğini hatırla, sözünden döndün.",
    "Bunu PDF olarak kaydet: rapor son hali.",
    "Excel'de şunu kaydet: A1 hücresi.",
    "Zihninde canlandır, deniz kenarındasın.",
    "Kafana takma, sonra konuşuruz.",
    "Hafızana güvenme, kaynağa bak.",
    "Store this in cell A1 in Excel.",
    "Picture this in your mind, you are by the sea.",
    "My phone does not save pictures to memory.",
    "I can't get this into my head, can you draw it?",
    "Bu cümleyi İngilizceye çevir: bunu asla unutma.",
    "Translate into Turkish: please remember this.",
    "Keep this short: why is the sky blue?",
    "Dosyayı aç, sonra kaydet.",
    "Unutma hastalığı nedir?",
    "Unutma oranı nasıl hesaplanır?",
    "Şifremi unuttum, nasıl sıfırlarım?",
    "Never use a toaster in the bath, right?",
    "bunu hatırlıyor musun?",
    "Beyin nasıl unutur?",
    "Unutma eğrisi nedir?",
    "Öğrenme, hatırlama, unutma",
    "unutma",
    "Unutma ki hücre zarı seçici geçirgendir, buna göre osmozu açıkla.",
    "Hücre zarı seçici geçirgendir. Unutma ki su da geçer. Peki osmoz nedir?",
    "Osmoz nedir? Bunu unutma.",
    "Bana yarın hatırlat",
    "Do you remember my name?",
    "Remember when we talked about Rome?",
    "How do I remember this formula?",
    "How does the brain forget?",
    "Students remember that",
    "I can't remember that",
    "Don't forget to water the plants",
    "Keep in mind that water boils at 100. So why does pasta take longer?",
    "Deneyi bundan sonra tekrar yaz",
    "Bundan sonra ikinci bölümü özetle",
    "Bundan sonra ne yazmalıyım?",
    "From now on, I will write in Turkish.",
    "In the future, use of AI will grow",
    " ",
]
WISHES = [
    "I prefer metric, always use it.",
    "I write in British English, so always use that.",
    "bana asla emoji kullanma",
    "Bana yazarken hep sade bir dil kullan",
    "Benimle resmi konuşma",
    "Bana abi deme",
    "never use emojis with me",
    "Stop using bullet points when you answer me",
    "Don't call me buddy",
    "Always use Celsius with me",
    "benden bundan sonra kısa yanıt ver",
    "Bundan sonra bana hep kısa ve öz cevap ver lütfen",
    "Bundan sonra kısa yanıt verir misin?",
    "Bana Ali diye hitap et",
    "Her zaman Türkçe yanıt ver",
    "From now on answer briefly",
    "Answer briefly from now on, please.",
    "Always answer in Turkish.",
    "From now on, please keep your answers short and use metric units.",
]


@pytest.mark.parametrize(("message", "content"), WANTED.items())
def test_what_is_to_be_remembered_is_the_rest_of_what_is_said(
    message: str, content: str, lists: PhraseLists
) -> None:
    found = asks_to_remember(message, lists)
    assert found is not None
    assert found.content == content
    assert as_kept(message[found.start : found.end])[:6] == content[:6]
    assert found.is_alone
    assert not found.is_wish
    assert 8 <= found.importance <= 10


@pytest.mark.parametrize("message", WHAT_WAS_SAID_BEFORE)
def test_the_words_alone_mean_what_was_said_before(message: str, lists: PhraseLists) -> None:
    found = asks_to_remember(message, lists)
    assert found is not None
    assert found.content == ""
    assert found.is_alone


@pytest.mark.parametrize("message", NOT_WANTED)
def test_asking_and_telling_about_remembering_asks_for_nothing(
    message: str, lists: PhraseLists
) -> None:
    assert asks_to_remember(message, lists) is None


@pytest.mark.parametrize("message", WISHES)
def test_a_wish_for_how_to_answer_is_remembered_as_one(message: str, lists: PhraseLists) -> None:
    found = asks_to_remember(message, lists)
    assert found is not None
    assert found.is_wish
    assert found.content


def test_a_wish_that_is_to_be_remembered_stays_one(lists: PhraseLists) -> None:
    found = asks_to_remember("Hep kısa yanıt ver, bunu unutma", lists)
    assert found is not None
    assert (found.content, found.is_wish) == ("Hep kısa yanıt ver", True)


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (
            "Kızımın doğum günü 5 Mayıs, bunu aklında tut ve bana 3 alternatif öner",
            "Kızımın doğum günü 5 Mayıs",
        ),
        ("Vejetaryenim, bunu unutma, bana bir tarif ver", "Vejetaryenim"),
        ("Vejetaryen olduğumu unutma ve bana yemek öner", "Vejetaryen olduğum"),
        ("Bütçem 20.000 TL, aklında tut, buna göre telefon öner", "Bütçem 20.000 TL"),
        ("Kızımın adı Elif, bunu unutma ve ona ne hediye alayım?", "Kızımın adı Elif"),
        ("Unutma, fıstığa alerjim var ve bana bir tarif ver", "Fıstığa alerjim var"),
        ("Not al: Fıstığa alerjim var. Şimdi bir tarif ver.", "Fıstığa alerjim var"),
        ("Kahveyi bıraktım, bunu kaydet ve bir çay öner", "Kahveyi bıraktım"),
        ("Bunu aklında tut ve bana 3 alternatif öner", ""),
        ("I am vegetarian, keep that in mind and give me three alternatives", "I am vegetarian"),
        ("My budget is 500 euros; remember this, then suggest a phone", "My budget is 500 euros"),
        ("Remember that I'm vegetarian and suggest 3 dinners", "I'm vegetarian"),
        ("Keep that in mind and suggest three alternatives", ""),
    ],
)
def test_what_a_sentence_goes_on_to_ask_is_no_part_of_what_is_kept(
    message: str, content: str, lists: PhraseLists
) -> None:
    found = asks_to_remember(message, lists)
    assert found is not None
    assert (found.content, found.is_alone) == (content, False)


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("Vejetaryenim, bunu aklında tutarak bana öneri ver", "Vejetaryenim"),
        ("Vejetaryenim. Bunu aklında tutarak ne yemeliyim?", "Vejetaryenim"),
        ("Vejetaryen olduğumu aklında tutarak bana bir menü öner", "Vejetaryen olduğum"),
        ("Bana, vejetaryen olduğumu unutmadan, bir menü öner.", "Vejetaryen olduğum"),
        ("Kızımın adı Elif, bunu unutmadan bir masal yazar mısın?", "Kızımın adı Elif"),
        ("Bütçem 20.000 TL, bunu aklında tutarak telefon öner", "Bütçem 20.000 TL"),
        ("Keeping in mind that I'm vegetarian, suggest three dinners", "I'm vegetarian"),
        ("I'm vegetarian. Keeping that in mind, suggest three dinners.", "I'm vegetarian"),
        ("Suggest a dinner, keeping in mind that I'm vegetarian.", "I'm vegetarian"),
        ("Suggest a phone, bearing in mind my budget is 500 euros.", "My budget is 500 euros"),
    ],
)
def test_what_is_to_be_kept_in_mind_while_answering_is_kept_and_answered(
    message: str, content: str, lists: PhraseLists
) -> None:
    found = asks_to_remember(message, lists)
    assert found is not None
    assert (found.content, found.is_alone) == (content, False)


@pytest.mark.parametrize(
    "message",
    [
        "Bunu aklında tutarak bana öneri ver",
        "Teslim tarihinin yarın olduğunu aklında tutarak bir e-posta yaz",
        "Hücre zarı seçici geçirgendir, bunu aklında tutarak osmozu açıkla.",
        "Anahtarı unutmadan evden nasıl çıkarım?",
        "Şunu unutmadan söyleyeyim, hava güzel.",
        "Keeping in mind that the deadline is tomorrow, write an email",
        "Water boils at 100. Keeping that in mind, why does pasta take longer?",
        "I'm vegetarian. Keeping in mind that the deadline is tomorrow, write an email.",
        "Is keeping that in mind hard?",
    ],
)
def test_what_is_kept_in_mind_for_one_answer_is_no_fact(message: str, lists: PhraseLists) -> None:
    assert asks_to_remember(message, lists) is None


def test_a_second_fact_is_no_request(lists: PhraseLists) -> None:
    found = asks_to_remember("Remember that I live in Bonn and work in Köln", lists)
    assert found is not None
    assert (found.content, found.is_alone) == ("I live in Bonn and work in Köln", True)


def test_how_much_it_matters_is_not_what_is_kept(lists: PhraseLists) -> None:
    found = asks_to_remember("Bunu unutma, çok önemli", lists)
    assert found is not None
    assert (found.content, found.is_alone, found.importance) == ("", True, 10)


def test_a_message_that_goes_on_asks_for_more(lists: PhraseLists) -> None:
    for message in (
        "Kızımın adı Elif, bunu unutma. Ona ne hediye alabilirim?",
        "Keep in mind that I use metric units. How tall is Everest?",
        "Osmoz nedir? Bundan sonra kısa yanıt ver.",
    ):
        found = asks_to_remember(message, lists)
        assert found is not None
        assert not found.is_alone


def test_what_is_said_with_weight_weighs_more(lists: PhraseLists) -> None:
    weights = []
    for message in (
        "Unutma ki benim arabam dizel",
        "Arabam dizel, bunu unutma",
        "Arabam dizel, bunu sakın unutma",
    ):
        found = asks_to_remember(message, lists)
        assert found is not None
        weights.append(found.importance)
    assert weights == sorted(weights)
    assert weights[-1] == 10


def test_a_pasted_text_is_not_remembered_whole(lists: PhraseLists) -> None:
    long = "Sözcükler uzun uzun sürer. " * 100
    assert asks_to_remember(long + "Bunu unutma.", lists) is None
    some = asks_to_remember("Sözcükler uzun uzun sürer. " * 20 + "Bunu unutma.", lists)
    assert some is not None
    assert len(some.content) <= 300
