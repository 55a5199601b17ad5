"""What the user asked, denied, quoted or said of others is no fact of theirs; what they say is."""

import pytest

from desktop.memory.sentences.own_words import own_words
from tests.costs import PASTES, grows_with_length
from tests.unit.memory.test_supporting import said, support

OTHERWISE = [
    ("Ben sigara içmiyorum.", "sigara içmiyorum", "Kullanıcı sigara içiyor."),
    ("Vejetaryen değilim.", "Vejetaryen değilim", "Kullanıcı vejetaryen."),
    ("Kedim yok.", "Kedim yok", "Kullanıcının kedisi var."),
    ("I don't smoke.", "I don't smoke", "The user smokes."),
    ("I am not vegetarian.", "vegetarian", "The user is vegetarian."),
    ("I smoke a lot.", "I smoke", "The user does not smoke."),
    ("Eskiden sigara içiyordum.", "sigara içiyordum", "Kullanıcı sigara içiyor."),
    ("I used to smoke.", "smoke", "The user smokes."),
    ("Maybe I have diabetes.", "I have diabetes", "The user has diabetes."),
    ("Belki diyabetim vardır.", "diyabetim vardır", "Kullanıcının diyabeti var."),
]
OF_OTHERS = [
    ("Annem 72 yaşında.", "72 yaşında", "Kullanıcı 72 yaşında."),
    ("Arkadaşım Ali kahve seviyor.", "kahve seviyor", "Kullanıcı kahve seviyor."),
    ("Annemin diyabeti var.", "diyabeti var", "Kullanıcının diyabeti var."),
    ("Babam Ankara'da yaşıyor.", "Ankara'da yaşıyor", "Kullanıcı Ankara'da yaşıyor."),
    ("My mother is 72 years old.", "72 years old", "The user is 72 years old."),
    ("My friend Tom likes coffee.", "likes coffee", "The user likes coffee."),
    ("She lives in Bonn.", "lives in Bonn", "The user lives in Bonn."),
]
QUOTED = [
    ("Şunu İngilizceye çevir: Fıstığa alerjim var", "Fıstığa alerjim var",
     "Kullanıcının fıstığa alerjisi var."),
    ("Şu metni özetle:\n\nBen Ahmet, İzmir'de doktorum", "İzmir'de doktorum",
     "Kullanıcı İzmir'de doktor."),
    ("Ahmet: Ben İzmir'de oturuyorum", "İzmir'de oturuyorum", "Kullanıcı İzmir'de oturuyor."),
    ('You said "you live in Ankara", that is wrong.', "you live in Ankara",
     "The user lives in Ankara."),
    ("“Ben İzmir'de oturuyorum” cümlesi doğru mu?", "İzmir'de oturuyorum",
     "Kullanıcı İzmir'de oturuyor."),
    ("Please proofread this text: I live in Bonn.", "I live in Bonn", "The user lives in Bonn."),
    ("Summarise: I am a doctor.", "I am a doctor", "The user is a doctor."),
    ("Translate into Turkish: I am allergic to nuts.", "I am allergic to nuts",
     "The user is allergic to nuts."),
]  # fmt: skip
ASKED = [
    ("Do I have diabetes?", "I have diabetes", "The user has diabetes."),
    ("Kahve sağlıklı mı?", "Kahve", "Kullanıcı kahve içiyor."),
    ("Benim diyabetim var mı sence?", "Benim diyabetim var", "Kullanıcının diyabeti var."),
    ("Am I allergic to nuts?", "allergic to nuts", "The user is allergic to nuts."),
]
OTHER_NUMBERS = [
    ("Üç kedim var.", "Üç kedim var", "Kullanıcının 2 kedisi var."),
    ("Üç kedim var.", "Üç kedim var", "Kullanıcının iki kedisi var."),
    ("I have three cats.", "I have three cats", "The user has 2 cats."),
    ("Kırk iki yaşındayım.", "Kırk iki yaşındayım", "Kullanıcı 41 yaşında."),
]


@pytest.mark.parametrize(
    ("message", "quote", "content"), OTHERWISE + OF_OTHERS + QUOTED + ASKED + OTHER_NUMBERS
)
def test_what_was_not_said_supports_nothing(message: str, quote: str, content: str) -> None:
    assert support(content, quote, said(message, "Peki.")) is None


@pytest.mark.parametrize(
    ("asked", "answer", "content"),
    [
        *(
            ("Ankara'da mı yaşıyorsun?", answer, "Kullanıcı Ankara'da yaşıyor.")
            for answer in ("belki", "eskiden", "emin değilim", "sana ne", "ikincisi", "galiba",
                           "bir ara", "neden soruyorsun")
        ),
        *(
            ("Do you live in Ankara?", answer, "The user lives in Ankara.")
            for answer in ("maybe", "I used to", "that's none of your business", "not sure",
                           "the second one", "I don't know", "sometimes", "why do you ask")
        ),
        ("2 kedin mi var?", "Hayır, üç kedim var", "Kullanıcının 2 kedisi var."),
    ],
)  # fmt: skip
def test_no_answer_but_a_yes_is_taken_for_one(asked: str, answer: str, content: str) -> None:
    assert support(content, answer, said("Ne yemeliyim?", asked, answer, "Peki.")) is None


SUPPOSED = [
    ("Keşke İzmir'de yaşasam.", "İzmir'de yaşasam", "Kullanıcı İzmir'de yaşıyor."),
    ("İzmir'de yaşamak isterdim.", "İzmir'de yaşamak isterdim", "Kullanıcı İzmir'de yaşıyor."),
    ("Ankara'ya taşınmayı düşünüyorum.", "Ankara'ya taşınmayı düşünüyorum",
     "Kullanıcı Ankara'ya taşındı."),
    ("Eskiden sigara içerdim.", "sigara içerdim", "Kullanıcı sigara içiyor."),
    ("Diyabetim olabilir.", "Diyabetim olabilir", "Kullanıcının diyabeti var."),
    ("Farz et ki 50 yaşındayım.", "50 yaşındayım", "Kullanıcı 50 yaşında."),
    ("Diyelim ki diyabetim var.", "diyabetim var", "Kullanıcının diyabeti var."),
    ("Diyabetim olsa ne yemeliyim?", "Diyabetim olsa", "Kullanıcının diyabeti var."),
    ("Diyabetim varsa ne yemeliyim?", "Diyabetim varsa", "Kullanıcının diyabeti var."),
    ("Öğretmenim Almanca biliyor.", "Almanca biliyor", "Kullanıcı Almanca biliyor."),
    ("Bütçem 25 bin lira.", "Bütçem 25 bin lira", "Kullanıcının bütçesi 25 lira."),
    ("Bütçem 25 bin lira.", "Bütçem 25 bin lira", "Kullanıcının bütçesi 25 milyon lira."),
    ("Suppose I have diabetes.", "I have diabetes", "The user has diabetes."),
    ("If I lived in Bonn, what would I pay?", "I lived in Bonn", "The user lives in Bonn."),
    ("If I have diabetes, can I eat bread?", "I have diabetes", "The user has diabetes."),
    ("Imagine I am a doctor.", "I am a doctor", "The user is a doctor."),
    ("I wish I had a dog.", "I had a dog", "The user has a dog."),
    ("I'd like to live in Bonn.", "live in Bonn", "The user lives in Bonn."),
    ("A friend of mine is vegan.", "is vegan", "The user is vegan."),
    ("My teacher lives in Bonn.", "lives in Bonn", "The user lives in Bonn."),
]  # fmt: skip


@pytest.mark.parametrize(("message", "quote", "content"), SUPPOSED)
def test_what_is_only_supposed_wished_for_or_so_of_others_supports_nothing(
    message: str, quote: str, content: str
) -> None:
    assert support(content, quote, said(message, "Peki.")) is None


SAID_TR = [
    ("Her sabah 5 km koşuyorum.", "5 km koşuyorum", "Kullanıcı her sabah 5 km koşuyor."),
    ("Bütçem aylık 25 bin lira.", "Bütçem aylık 25 bin lira", "Kullanıcının bütçesi 25.000 lira."),
    ("İzmir'de yaşamak istiyorum.", "İzmir'de yaşamak istiyorum",
     "Kullanıcı İzmir'de yaşamak istiyor."),
    ("Vejetaryenim ve kilo vermek istiyorum.", "Vejetaryenim", "Kullanıcı vejetaryen."),
    ("Vaktin varsa kızım Elif için kitap öner.", "kızım Elif için", "Kullanıcının kızı Elif."),
    ("Ben vejetaryenim.", "Ben vejetaryenim", "Kullanıcı vejetaryen."),
    ("Sigara içmiyorum.", "Sigara içmiyorum", "Kullanıcı sigara içmiyor."),
    ("Sigarayı bıraktım.", "Sigarayı bıraktım", "Kullanıcı sigara içmiyor."),
    ("İki kedim var.", "İki kedim var", "Kullanıcının 2 kedisi var."),
    ("Kırk iki yaşındayım.", "Kırk iki yaşındayım", "Kullanıcı 42 yaşında."),
    ("Annem 72 yaşında.", "Annem 72 yaşında", "Kullanıcının annesi 72 yaşında."),
    ("Arkadaşım Ali kahve seviyor.", "Ali kahve seviyor", "Ali kahve seviyor."),
    ("Eşim Ayşe öğretmen.", "Eşim Ayşe öğretmen", "Kullanıcının eşi Ayşe öğretmen."),
    ("Annemle Ankara'da yaşıyorum.", "Ankara'da yaşıyorum", "Kullanıcı Ankara'da yaşıyor."),
    ("Annem diyabetli, ben de kahve içmem.", "kahve içmem", "Kullanıcı kahve içmez."),
    ("Günde 1.250 adım atıyorum.", "1.250 adım atıyorum", "Kullanıcı günde 1250 adım atıyor."),
    ("HbA1c değerim 7,1.", "HbA1c değerim 7,1", "Kullanıcının HbA1c değeri 7,1."),
    ("Et yemiyorum çünkü vejetaryenim.", "vejetaryenim", "Kullanıcı vejetaryen."),
    ("Vejetaryen olduğum için et yemem.", "Vejetaryen olduğum için et yemem",
     "Kullanıcı vejetaryen."),
    ("Bir vejetaryen olarak balık yiyebilir miyim?", "Bir vejetaryen olarak",
     "Kullanıcı vejetaryen."),
    ("Diyabetim var, ekmek yiyebilir miyim?", "Diyabetim var", "Kullanıcının diyabeti var."),
    ("Kızım Elif için kitap önerir misin?", "Kızım Elif için", "Kullanıcının kızı Elif."),
    ("Not: ben vejetaryenim.", "ben vejetaryenim", "Kullanıcı vejetaryen."),
    ('En sevdiğim kitap "Suç ve Ceza".', 'En sevdiğim kitap "Suç ve Ceza"',
     "Kullanıcının en sevdiği kitap Suç ve Ceza."),
    ("Geçen yıl İzmir'e taşındım.", "İzmir'e taşındım", "Kullanıcı geçen yıl İzmir'e taşındı."),
    ("Namaz kılıyorum.", "Namaz kılıyorum", "Kullanıcı namaz kılıyor."),
    ("Beşiktaş'ta oturuyorum.", "Beşiktaş'ta oturuyorum", "Kullanıcı Beşiktaş'ta oturuyor."),
    ("Doktora gitmem gerek.", "Doktora gitmem gerek", "Kullanıcının doktora gitmesi gerekiyor."),
    ("Düzeltme: adım Nur.", "adım Nur", "Kullanıcının adı Nur."),
]  # fmt: skip
SAID_EN = [
    ("I want to move to Bonn.", "I want to move to Bonn", "The user wants to move to Bonn."),
    ("I'd like to cook for my daughter Elif.", "my daughter Elif", "The user's daughter is Elif."),
    ("I earn 50k a year.", "I earn 50k a year", "The user earns 50,000 a year."),
    ("I am vegetarian.", "I am vegetarian", "The user is vegetarian."),
    ("I don't smoke.", "I don't smoke", "The user does not smoke."),
    ("I quit smoking.", "I quit smoking", "The user does not smoke."),
    ("I have three cats.", "I have three cats", "The user has 3 cats."),
    ("I'm forty-two years old.", "forty-two years old", "The user is 42 years old."),
    ("My mother is 72.", "My mother is 72", "The user's mother is 72."),
    ("My friend Tom likes coffee.", "Tom likes coffee", "Tom likes coffee."),
    ("My wife and I live in Bonn.", "I live in Bonn", "The user lives in Bonn."),
    ("My mother tongue is Turkish.", "My mother tongue is Turkish", "The user speaks Turkish."),
    ("My dog is 3 years old.", "My dog is 3 years old", "The user's dog is 3 years old."),
    ("Is it bad that I have diabetes?", "I have diabetes", "The user has diabetes."),
    ("Can I eat bread since I have diabetes?", "I have diabetes", "The user has diabetes."),
    ("I don't eat meat because I'm vegetarian.", "I'm vegetarian", "The user is vegetarian."),
    ("I have diabetes, what should I eat?", "I have diabetes", "The user has diabetes."),
    ("I moved to Bonn last year.", "I moved to Bonn", "The user moved to Bonn last year."),
    ("I take 10 mg of metformin.", "I take 10 mg of metformin", "The user takes 10 mg metformin."),
    ("Name: Nur. Vegetarian.", "Name: Nur", "The user's name is Nur."),
    ('My favourite film is "The Big Lebowski".', 'My favourite film is "The Big Lebowski"',
     "The user's favourite film is The Big Lebowski."),
    ("I work as a nurse in Bonn.", "I work as a nurse", "The user works as a nurse."),
    ("She is my daughter, Elif.", "my daughter, Elif", "The user's daughter is Elif."),
]  # fmt: skip


@pytest.mark.parametrize(("message", "quote", "content"), SAID_TR + SAID_EN)
def test_what_was_said_plainly_is_supported(message: str, quote: str, content: str) -> None:
    assert support(content, quote, said(message, "Peki.")) is not None


NAMED = [
    ("Annem diyabetli.", "diyabetli", "Diyabetli."),
    ("My mother has diabetes.", "has diabetes", "Has diabetes."),
    ("Ali diyabet hastası.", "diyabet hastası", "Kullanıcı diyabet hastası."),
    ("Ali diyabet hastası.", "Ali diyabet hastası", "Kullanıcı diyabet hastası."),
    ("Mehmet kahve seviyor.", "kahve seviyor", "Kullanıcı kahve seviyor."),
    ("Dün Ayşe'yle konuştum. Ayşe vejetaryen, et yemiyor.", "et yemiyor",
     "Kullanıcı et yemiyor."),
    ("Dün Ayşe'yle konuştum. Ayşe vejetaryen, et yemiyor.", "vejetaryen",
     "Kullanıcı vejetaryen."),
    ("Ahmet Bey Ankara'da yaşıyor.", "Ankara'da yaşıyor", "Kullanıcı Ankara'da yaşıyor."),
    ("Annem diyabetli, kahve seviyor.", "kahve seviyor", "Kullanıcı kahve seviyor."),
    ("Annem diyabetli ve ben vejetaryenim.", "diyabetli", "Kullanıcı diyabetli."),
    ("Zeynep 42 yaşında.", "42 yaşında", "Kullanıcı 42 yaşında."),
    ("Xiang kahve seviyor.", "kahve seviyor", "Kullanıcı kahve seviyor."),
    ("Tom has diabetes.", "has diabetes", "The user has diabetes."),
    ("Yesterday Tom was diagnosed with diabetes.", "diagnosed with diabetes",
     "The user was diagnosed with diabetes."),
    ("Tom has diabetes and I like coffee.", "has diabetes", "The user has diabetes."),
    ("Tom is vegan, lives in Bonn.", "lives in Bonn", "The user lives in Bonn."),
    ("Sarah's allergic to nuts.", "allergic to nuts", "The user is allergic to nuts."),
    ("Xiang likes tea.", "likes tea", "The user likes tea."),
    ("Tom and Ann live in Bonn.", "live in Bonn", "The user lives in Bonn."),
    ("Ali ile Ayşe Bonn'da yaşıyor.", "Bonn'da yaşıyor", "Kullanıcı Bonn'da yaşıyor."),
    ("Ali'nin diyabeti var.", "diyabeti var", "Kullanıcının diyabeti var."),
    ("Tom's dose is 10 mg.", "dose is 10 mg", "The user's dose is 10 mg."),
    ("Komşu Hasan avukat.", "avukat", "Kullanıcı avukat."),
    ("Ali öğretmen, Konya'da çalışıyor.", "Konya'da çalışıyor", "Kullanıcı Konya'da çalışıyor."),
    ("ali diyabet hastası", "diyabet hastası", "Kullanıcı diyabet hastası."),
    ("tom has diabetes", "has diabetes", "The user has diabetes."),
    ("Ali diyabet hastası.", "diyabet hastası", "Diyabet hastası."),
    ("Ali doktor.", "Ali doktor", "Kullanıcı doktor."),
    ("She is a doctor.", "is a doctor", "The user is a doctor."),
    ("Ayşe vejetaryen. Et yemiyor.", "Et yemiyor", "Kullanıcı et yemiyor."),
    ("My neighbour Tom, who has diabetes, came.", "has diabetes", "The user has diabetes."),
    ("My mother lives in Bonn and has diabetes.", "has diabetes", "The user has diabetes."),
    ("My mother has diabetes and I like coffee.", "has diabetes", "The user has diabetes."),
    ("Kedim Pamuk 3 yaşında, süt içmiyor.", "süt içmiyor", "Kullanıcı süt içmiyor."),
    ("Ali ve Veli kahve içiyorlar.", "kahve içiyorlar", "Kullanıcı kahve içiyor."),
    ("John from work is 42 years old.", "42 years old", "The user is 42 years old."),
]  # fmt: skip
BESIDE_NAMES = [
    ("Kızım 7 yaşında, adı Elif.", "7 yaşında", "Elif 7 yaşında."),
    ("Annem diyabetli.", "Annem diyabetli", "Annesi diyabetli."),
    ("Ali diyabet hastası.", "Ali diyabet hastası", "Ali diyabet hastası."),
    ("Annem diyabetli ve ben vejetaryenim.", "ben vejetaryenim", "Kullanıcı vejetaryen."),
    ("Tom has diabetes.", "Tom has diabetes", "Tom has diabetes."),
    ("Tom has diabetes and I like coffee.", "I like coffee", "The user likes coffee."),
    ("Arkadaşım Ali doktor, İzmir'de çalışıyor.", "İzmir'de çalışıyor",
     "Kullanıcının arkadaşı İzmir'de çalışıyor."),
    ("Ali'ye söyledim: vejetaryenim.", "vejetaryenim", "Kullanıcı vejetaryen."),
    ("Annem 72 yaşında, ben 42 yaşındayım.", "ben 42 yaşındayım", "Kullanıcı 42 yaşında."),
    ("Eşim Ayşe ile Konya'da yaşıyoruz, iki çocuğumuz var.", "iki çocuğumuz var",
     "Kullanıcının iki çocuğu var."),
    ("Target is 70 kg.", "Target is 70 kg", "The user's goal is 70 kg."),
    ("Doctor says it is diabetes, I take metformin.", "I take metformin",
     "The user takes metformin."),
    ("Hastanede metformin verildi.", "metformin verildi", "Kullanıcıya metformin verildi."),
    ("2020'de diyabet teşhisi konuldu.", "diyabet teşhisi konuldu",
     "Kullanıcıya 2020'de diyabet teşhisi konuldu."),
    ("Vejetaryen, 42 yaşında, Ankara.", "Vejetaryen", "Kullanıcı vejetaryen."),
    ("Merhaba, ben Ayşe. 42 yaşındayım ve Bonn'da yaşıyorum.", "Bonn'da yaşıyorum",
     "Kullanıcı Bonn'da yaşıyor."),
    ("Benim adım Ali, doktor.", "doktor", "Kullanıcı doktor."),
    ("My name is Tom, vegetarian.", "vegetarian", "The user is vegetarian."),
    ("Hello, Tom here. Vegetarian.", "Vegetarian", "The user is vegetarian."),
    ("Diyabet hastasıyım.", "Diyabet hastasıyım", "Kullanıcı diyabet hastası."),
    ("Emekli öğretmen, 65 yaşında.", "65 yaşında", "Kullanıcı 65 yaşında."),
    ("Emekli öğretmen, 65 yaşında.", "Emekli öğretmen", "Kullanıcı öğretmen."),
    ("Maalesef diyabet hastası oldum.", "diyabet hastası oldum", "Kullanıcı diyabet hastası."),
    ("Adım Ali, diyabet hastasıyım.", "diyabet hastasıyım", "Kullanıcı diyabet hastası."),
    ("Ben Ali, İzmir'de öğretmenim.", "İzmir'de öğretmenim", "Kullanıcı İzmir'de öğretmen."),
    ("Ali'nin annesiyim, diyabetim var.", "diyabetim var", "Kullanıcının diyabeti var."),
    ("Ali ile Ankara'da yaşıyorum.", "Ankara'da yaşıyorum", "Kullanıcı Ankara'da yaşıyor."),
    ("Doktor Ayşe bana metformin verdi.", "bana metformin verdi",
     "Kullanıcı metformin kullanıyor."),
    ("Bütçem 500 euro. Hedef: Japonya.", "Hedef: Japonya", "Kullanıcının hedefi Japonya."),
    ("Currently living in Bonn.", "living in Bonn", "The user lives in Bonn."),
    ("Work is stressful, I sleep badly.", "I sleep badly", "The user sleeps badly."),
    ("Doctor Smith gave me 5 mg of metformin.", "gave me 5 mg of metformin",
     "The user takes 5 mg of metformin."),
    ("Tom and I live in Bonn.", "I live in Bonn", "The user lives in Bonn."),
    ("I'm Tom, and I have diabetes.", "I have diabetes", "The user has diabetes."),
    ("This is Tom from Bonn, vegetarian.", "vegetarian", "The user is vegetarian."),
    ("Diagnosed with diabetes in 2020.", "Diagnosed with diabetes", "The user has diabetes."),
    ("Türkçe öğretmeniyim.", "Türkçe öğretmeniyim", "Kullanıcı Türkçe öğretmeni."),
    ("Laktoz bana dokunuyor.", "Laktoz bana dokunuyor", "Kullanıcının laktoz intoleransı var."),
    ("Başım her gün ağrıyor.", "Başım her gün ağrıyor", "Kullanıcının her gün başı ağrıyor."),
    ("Metformin mide ağrısı yapıyor.", "Metformin mide ağrısı yapıyor",
     "Metformin kullanıcıda mide ağrısı yapıyor."),
    ("Coffee keeps me awake.", "Coffee keeps me awake", "The user cannot sleep after coffee."),
    ("Kızım Elif vejetaryen.", "Kızım Elif vejetaryen", "Kullanıcının kızı Elif vejetaryen."),
    ("Ad: Nur. Yaş: 42. Vejetaryen.", "Vejetaryen", "Kullanıcı vejetaryen."),
    ("Almanca biliyorum.", "Almanca biliyorum", "Kullanıcı Almanca biliyor."),
    ("Deniz manzaralı bir evde oturuyorum.", "bir evde oturuyorum",
     "Kullanıcı deniz manzaralı evde oturuyor."),
    ("Deniz kenarında bir ev aldık.", "Deniz kenarında bir ev aldık", "Kullanıcı bir ev aldı."),
    ("Umut verici bir tedavi görüyorum.", "tedavi görüyorum", "Kullanıcı tedavi görüyor."),
]  # fmt: skip


@pytest.mark.parametrize(("message", "quote", "content"), NAMED)
def test_what_is_said_of_somebody_named_is_no_fact_of_the_user(
    message: str, quote: str, content: str
) -> None:
    assert support(content, quote, said(message, "Peki.")) is None


@pytest.mark.parametrize(("message", "quote", "content"), BESIDE_NAMES)
def test_what_the_user_says_of_themselves_beside_a_name_is_supported(
    message: str, quote: str, content: str
) -> None:
    assert support(content, quote, said(message, "Peki.")) is not None


@pytest.mark.parametrize(
    ("asked", "answer", "content"),
    [
        ("Ankara'da mı yaşıyorsun?", "Evet", "Kullanıcı Ankara'da yaşıyor."),
        ("Kedin var mı?", "Var.", "Kullanıcının kedisi var."),
        ("Sigara içiyor musun?", "İçiyorum", "Kullanıcı sigara içiyor."),
        ("Do you smoke?", "I do", "The user smokes."),
        ("How old are you?", "forty-two", "The user is 42 years old."),
        ("Do you live in Ankara?", "Of course", "The user lives in Ankara."),
        ("Ne sıklıkla spor yapıyorsun?", "Her gün", "Kullanıcı her gün spor yapıyor."),
    ],
)
def test_a_plain_answer_is_taken_for_one(asked: str, answer: str, content: str) -> None:
    assert support(content, answer, said("Ne yemeliyim?", asked, answer, "Peki.")) is not None


@pytest.mark.parametrize("piece", PASTES)
def test_a_long_paste_is_looked_over_in_the_time_its_length_takes(piece: str) -> None:
    assert grows_with_length(own_words, piece)


@pytest.mark.parametrize("piece", PASTES)
def test_words_in_a_long_paste_are_found_in_the_time_its_length_takes(piece: str) -> None:
    assert grows_with_length(
        lambda text: support("Kullanıcı kahve içiyor.", "kahve", said(f"{text} kahve {text}")),
        piece,
    )
