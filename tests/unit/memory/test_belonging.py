"""A compact is asked of what its numbers are told, and who is told to have called."""
# ruff: noqa: E501 - what somebody says stands in one line

import pytest

from desktop.memory.compacts.check import missing
from desktop.memory.compacts.lone import called_by_name, lone_number
from desktop.sessions.prompts_and_phrases import shipped_phrases
from tests.costs import PASTES, grows_with_length

COMMON = shipped_phrases().stop_words
TALKS: list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = [
    (
        (
            "Metformin 500 mg ve Ramipril 5 mg kullanıyorum. Amlodipin de 5 mg.",
            "Metformin 500 mg yaygın bir dozdur.",
        ),
        (
            "[1] kullanıcı: Metformin 500 mg, Ramipril 5 mg, Amlodipin 5 mg kullanıyor. Asistan: Metformin 500 mg yaygın.",
            "İlaçlar: Metformin (500 mg), Ramipril (5 mg), Amlodipin (5 mg)",
            "Ramipril ve Amlodipin 5 mg, Metformin 500 mg",
        ),
        (
            "Metformin 5 mg, Ramipril 500 mg, Amlodipin 5 mg kullanıyor.",
            "Metformin 500 mg, Ramipril 500 mg, Amlodipin 5 mg.",
        ),
    ),
    (
        (
            "I take Lisinopril 10 mg, Atorvastatin 40 mg and Aspirin 81 mg.",
            "Lisinopril 10 mg is a usual dose.",
        ),
        (
            "User takes Lisinopril 10 mg, Atorvastatin 40 mg, Aspirin 81 mg.",
            "Medicines - Lisinopril: 10 mg; Atorvastatin: 40 mg; Aspirin: 81 mg",
        ),
        ("User takes Lisinopril 40 mg, Atorvastatin 10 mg, Aspirin 81 mg.",),
    ),
    (
        ("Ali 500 TL verdi, Veli 500 TL verdi, ben 200 TL.",),
        (
            "Ali ve Veli 500 TL, kullanıcı 200 TL verdi.",
            "Ali 500 TL verdi. Veli de aynı miktarı verdi. Kullanıcı 200 TL.",
        ),
        ("Ali 500 TL verdi, kullanıcı 200 TL. Sonra Veli geldi.",),
    ),
    (
        (
            "Sabah açlık kan şekerim 126 mg/dL çıktı. Akşam 140 mg/dL idi.",
            "126 mg/dL sınırda sayılır; 140 mg/dL tokluk için normal.",
        ),
        (
            "Açlık kan şekeri 126 mg/dL (sınırda), akşam 140 mg/dL (normal).",
            "Ölçümler: sabah 126 mg/dL, akşam kan şekeri 140 mg/dL",
        ),
        (),
    ),
    (
        (
            "Depo 120 m² ve kirası 18.000 TL. Dükkân 45 m², kirası 25.000 TL.",
            "Dükkânın metrekare fiyatı daha yüksek.",
        ),
        (
            "Depo: 120 m², 18.000 TL kira. Dükkân: 45 m², 25.000 TL kira; asistan: m² fiyatı daha yüksek.",
        ),
        ("Depo: 120 m², 25.000 TL. Dükkân: 45 m², 18.000 TL.",),
    ),
    (
        (
            "Our flight to Lisbon costs 220 euros, the hotel in Porto 340 euros.",
            "Then Lisbon is cheap.",
        ),
        (
            "Flight to Lisbon: 220 euros; hotel in Porto: 340 euros.",
            "[1] user: the Lisbon flight is €220 and the Porto hotel €340. Assistant: cheap.",
        ),
        ("Flight to Lisbon: 340 euros; hotel in Porto: 220 euros.",),
    ),
    (
        (
            "Kızım 12 yaşında, 38 kg. Oğlum 9 yaşında, 29 kg.",
            "Kızınız için 38 kg normal.",
        ),
        ("Kızı 12 yaşında ve 38 kg, oğlu 9 yaşında ve 29 kg. Asistan: 38 kg kız için normal.",),
        ("Kızı 12 yaşında, 29 kg; oğlu 9 yaşında, 38 kg.",),
    ),
    (
        (
            "Un 500 g, şeker 200 g, tereyağı 150 g. 180 derecede 40 dakika.",
            "Şekeri 150 g'a düşürebilirsin.",
        ),
        (
            "Tarif: 500 g un, 200 g şeker, 150 g tereyağı; 180°C'de 40 dakika. Asistan: şeker 150 g olabilir.",
        ),
        ("Tarif: 200 g un, 500 g şeker, 150 g tereyağı; 180°C'de 40 dakika.",),
    ),
    (
        (
            "The server has 64 GB of RAM and a 2 TB disk. The laptop has 16 GB of RAM.",
            "16 GB is enough for the laptop.",
        ),
        ("Server: 64 GB RAM, 2 TB disk. Laptop: 16 GB RAM (enough, says the assistant).",),
        ("Server: 16 GB RAM, 2 TB disk. Laptop: 64 GB RAM.",),
    ),
    (
        (
            "Boyum 175 cm, kilom 82 kg. Hedefim 75 kg.",
            "175 cm için 75 kg iyi bir hedef.",
        ),
        (
            "Boy 175 cm, kilo 82 kg, hedef 75 kg. Asistan: iyi bir hedef.",
            "82 kg; 75 kg'ye inmek istiyor; 175 cm boyunda.",
        ),
        ("Boy 175 cm, kilo 75 kg, hedef 82 kg.",),
    ),
    (
        (
            "Ankara'da 3 °C, Antalya'da 18 °C.",
            "Antalya daha ılık.",
        ),
        ("Ankara 3 °C, Antalya 18 °C; Antalya daha ılık.",),
        ("Ankara 18 °C, Antalya 3 °C.",),
    ),
    (
        (
            "Projeye Deniz 40 saat, Ece 25 saat ayırdı. Bütçe 90.000 TL; harcanan 35.000 TL.",
            "Kalan 55.000 TL.",
        ),
        ("Deniz 40, Ece 25 saat ayırdı. Bütçe 90.000 TL, harcanan 35.000 TL, kalan 55.000 TL.",),
        ("Deniz 40, Ece 25 saat ayırdı. Bütçe 35.000 TL, harcanan 90.000 TL, kalan 55.000 TL.",),
    ),
    (
        (
            "Revenue was $4 million in Q1 and $5 million in Q2. Costs were $3 million.",
            "So profit was $1 million in Q1.",
        ),
        (
            "Revenue: $4 million (Q1), $5 million (Q2); costs $3 million. Assistant: profit $1 million in Q1.",
        ),
        ("Revenue: $3 million (Q1), $5 million (Q2); costs $4 million; profit $1 million.",),
    ),
    (
        (
            "Kaç kişisiniz?",
            "Yedi.",
        ),
        ("Kullanıcı 7 kişi olduklarını söyledi.",),
        ("Kullanıcı kalabalık olduklarını söyledi.",),
    ),
    (
        (
            "How many do you need?",
            "About twelve.",
        ),
        ("User needs about 12.",),
        ("User needs some.",),
    ),
    (
        ("Fatma aradı, yarın gelecekmiş.",),
        ("Fatma aradı; yarın gelecek.",),
        ("Bir tanıdığı aradı; yarın gelecek.",),
    ),
    (
        ("Wolfgang called, he is late.",),
        ("Wolfgang called: he is late.",),
        ("A friend called: he is late.",),
    ),
    (
        (
            "Annem aradı. Doktor dedi ki dinlenmeliyim. Mom called too. Nobody said anything. Everyone asked. She said no.",
        ),
        ("Annesi aradı, doktoru dinlenmesini söyledi.",),
        (),
    ),
    (
        ("İlaçları sabah 8'de ve akşam 20'de alıyorum. Tansiyonum 140/90, nabzım 72.",),
        ("İlaçlar saat 8 ve 20'de; tansiyon 140/90, nabız 72.",),
        (),
    ),
    (
        ("Kredim 250.000 TL, faizi yüzde 3,2. Diğer kredim 80.000 TL, faizi yüzde 4,1.",),
        ("İki kredi: 250.000 TL (%3,2 faiz) ve 80.000 TL (%4,1 faiz).",),
        (),
    ),
    (
        ("Elma 40 TL, armut 60 TL, muz 85 TL.",),
        (
            "40 TL elma; 60 TL armut; 85 TL muz",
            "Fiyatlar: elma 40, armut 60, muz 85 TL",
        ),
        ("Elma 60 TL, armut 40 TL, muz 85 TL.",),
    ),
    (
        (
            "Berlin'e tren 89 €, Hamburg'a 59 €.",
            "Hamburg daha ucuz, 59 € iyi fiyat.",
        ),
        ("Tren: Berlin 89 €, Hamburg 59 € (daha ucuz).",),
        ("Tren: Berlin 59 €, Hamburg 89 €.",),
    ),
    (
        (
            "We are choosing a laptop. The Dell XPS costs $1,299 and weighs 1.2 kg. The ThinkPad costs $1,549 and weighs 1.1 kg.",
            "The ThinkPad is 100 g lighter and $250 dearer. The Dell has 16 GB of memory.",
            "The MacBook is $1,599 and 1.24 kg. Battery: Dell 12 hours, MacBook 18 hours.",
            "Then the MacBook wins on battery.",
        ),
        (
            "Dell XPS: $1,299, 1.2 kg, 16 GB, 12 h battery. ThinkPad: $1,549, 1.1 kg. MacBook: $1,599, 1.24 kg, 18 h. Assistant: ThinkPad is 100 g lighter and $250 dearer; MacBook wins on battery.",
            "Prices: Dell XPS $1,299, ThinkPad $1,549, MacBook $1,599. Weights: 1.2 kg, 1.1 kg and 1.24 kg. Battery 12 hours (Dell) and 18 hours (MacBook). Dell has 16 GB. ThinkPad 100 g lighter, $250 more.",
        ),
        (
            "Dell XPS: $1,549, 1.2 kg, 16 GB, 12 h battery. ThinkPad: $1,299, 1.1 kg. MacBook: $1,599, 1.24 kg, 18 h. ThinkPad 100 g lighter, $250 dearer.",
        ),
    ),
    (
        (
            "Ev bakıyoruz: Çankaya'daki daire 95 m², 28.000 TL; Batıkent'teki 120 m², 22.000 TL.",
            "Batıkent'teki daha büyük ve ucuz. Aidatlar nedir?",
            "Çankaya'da aidat 1.800 TL, Batıkent'te 900 TL. İşe Çankaya 15 dakika, Batıkent 45 dakika.",
            "Toplam: Çankaya 29.800 TL, Batıkent 22.900 TL.",
        ),
        (
            "Çankaya dairesi: 95 m², kira 28.000 TL, aidat 1.800 TL (toplam 29.800 TL), işe 15 dakika. Batıkent dairesi: 120 m², kira 22.000 TL, aidat 900 TL (toplam 22.900 TL), işe 45 dakika.",
            "- Çankaya: 95 m², 28.000 TL + 1.800 TL aidat = 29.800 TL; işe 15 dk\n- Batıkent: 120 m², 22.000 TL + 900 TL aidat = 22.900 TL; işe 45 dk",
        ),
        (
            "Çankaya: 120 m², 28.000 TL + 1.800 TL aidat = 29.800 TL; işe 15 dk. Batıkent: 95 m², 22.000 TL + 900 TL aidat = 22.900 TL; işe 45 dk.",
        ),
    ),
    (
        (
            "Tez takvimim: giriş 12 sayfa, yöntem 20 sayfa, bulgular 35 sayfa olacak.",
            "Bulgular 35 sayfa uzun; 30 yeter.",
            "Danışmanım Selin Hoca 35 dedi.",
            "Peki, 35 sayfa kalsın.",
        ),
        (
            "Tez: giriş 12, yöntem 20, bulgular 35 sayfa. Asistan 30 sayfa önerdi; danışman Selin Hoca 35 dediği için 35 kaldı.",
        ),
        (),
    ),
    (
        (
            "My savings: 40% in bonds, 35% in stocks, 25% in cash. Inflation is 6%.",
            "Cash at 25% loses to 6% inflation. Consider 10% cash.",
            "I moved 15% into stocks, so stocks are 50% now.",
        ),
        (
            "Savings were 40% bonds, 35% stocks, 25% cash; inflation 6%. Assistant suggested 10% cash. User moved 15% into stocks: now 50% stocks.",
            "Bonds 40%, stocks 35% (later 50% after moving 15%), cash 25%; inflation at 6%; 10% cash was suggested",
        ),
        (
            "Savings were 40% cash, 35% stocks, 25% bonds; inflation 6%. Assistant suggested 10% cash. Moved 15%: now 50% stocks.",
        ),
    ),
    (
        (
            "Kerem 3.200 adım, Zeynep 8.700 adım attı. Kerem'in nabzı 92, Zeynep'in 68.",
            "Zeynep'in dinlenme nabzı 68 iyi.",
        ),
        ("Kerem: 3.200 adım, nabız 92. Zeynep: 8.700 adım, nabız 68 (iyi).",),
        ("Kerem: 8.700 adım, nabız 92. Zeynep: 3.200 adım, nabız 68 (iyi).",),
    ),
    (
        (
            "Marta paid 60 euros and Jonas paid 60 euros for the boat. Petra owes 30 euros.",
            "So 150 euros in all.",
        ),
        (
            "Boat: Marta and Jonas paid 60 euros each; Petra owes 30 euros; 150 euros in all.",
            "Marta: 60 euros, Jonas: 60 euros, Petra (owes): 30 euros. Total 150 euros.",
        ),
        ("Marta paid 60 euros; Petra owes 30 euros; Jonas came along. 150 euros in all.",),
    ),
    (
        (
            "Reaktör 350 °C'de, 12 bar basınçta çalışıyor. Ayırıcı 80 °C ve 2 bar.",
            "Ayırıcıda 80 °C düşük olabilir, 95 °C deneyin.",
        ),
        ("Reaktör: 350 °C, 12 bar. Ayırıcı: 80 °C, 2 bar; asistan 95 °C denenmesini önerdi.",),
        ("Reaktör: 80 °C, 12 bar. Ayırıcı: 350 °C, 2 bar; asistan 95 °C önerdi.",),
    ),
    (
        (
            "Sınav notlarım: fizik 85, kimya 70, matematik 92. Geçme notu 60.",
            "Kimya 70 ile geçer.",
            "Evet ama burs için ortalama 80 lazım.",
        ),
        ("Notlar: fizik 85, kimya 70, matematik 92; geçme notu 60; burs ortalaması 80.",),
        (),
    ),
    (
        (
            "Kaç çocuk gelecek?",
            "Sekiz.",
            "Bütçe?",
            "2.400 lira.",
        ),
        ("8 çocuk gelecek; bütçe 2.400 TL.",),
        ("Çocuklar gelecek; bütçe 2.400 TL.",),
    ),
    (
        (
            "Hande aradı, toplantı iptal. Murat yazdı.",
            "Tamam.",
        ),
        ("Hande aradı: toplantı iptal; Murat yazdı.",),
        ("Bir arkadaşı aradı: toplantı iptal; Murat yazdı.",),
    ),
    (
        (
            "The Boeing seats 189 and burns 2,500 kg an hour. The Airbus seats 180 and burns 2,400 kg an hour.",
        ),
        ("Boeing: 189 seats, 2,500 kg/h. Airbus: 180 seats, 2,400 kg/h.",),
        ("Boeing: 189 seats, 2,400 kg/h. Airbus: 180 seats, 2,500 kg/h.",),
    ),
    (
        (
            "İlk deneyde 3 g katalizör koydum, verim %54. İkinci deneyde 5 g koydum, verim %71. Üçüncüde 5 g ile %69.",
            "5 g yeterli görünüyor.",
        ),
        (
            "Deney 1: 3 g katalizör, verim %54. Deney 2: 5 g, %71. Deney 3: 5 g, %69. Asistan: 5 g yeterli.",
        ),
        (),
    ),
    (
        (
            "Kahvaltıda 2 yumurta, 40 g peynir; öğlen 120 g tavuk, 60 g pirinç. Toplam 850 kcal.",
            "Protein az: 120 g tavuğu 150 g yapın.",
        ),
        (
            "Kahvaltı: 2 yumurta, 40 g peynir. Öğle: 120 g tavuk, 60 g pirinç; toplam 850 kcal. Asistan tavuğun 150 g olmasını önerdi.",
        ),
        (
            "Kahvaltı: 2 yumurta, 60 g peynir. Öğle: 120 g tavuk, 40 g pirinç; toplam 850 kcal; 150 g tavuk önerildi.",
        ),
    ),
    (
        (
            "Babam Coumadin 5 mg, Beloc 50 mg ve Lasix 40 mg alıyor.",
            "INR kaç? Coumadin 5 mg için hedef 2-3 olur.",
            "INR 2,4. Doktor Lasix'i 20 mg'a düşürdü.",
        ),
        (
            "Babası Coumadin 5 mg, Beloc 50 mg, Lasix 40 mg alıyordu; doktor Lasix'i 20 mg'a düşürdü. INR 2,4 (hedef 2-3).",
            "İlaçlar: Coumadin (5 mg), Beloc (50 mg), Lasix (40 mg → 20 mg). INR: 2,4; hedef 2–3.",
        ),
        (
            "Babası Coumadin 50 mg, Beloc 5 mg, Lasix 40 mg alıyordu; Lasix 20 mg oldu. INR 2,4 (hedef 2-3).",
        ),
    ),
    (
        (
            "Rent in Utrecht is 1,450 euros; in Leiden 1,200 euros.",
            "Leiden is 250 euros cheaper.",
            "The Utrecht flat has 62 m2, the Leiden one 55 m2.",
        ),
        (
            "Utrecht: 1,450 euros, 62 m2. Leiden: 1,200 euros, 55 m2; 250 euros cheaper.",
            "Flats compared: Utrecht (1,450 euros) and Leiden (1,200 euros, i.e. 250 euros cheaper); sizes 62 m2 and 55 m2.",
        ),
        ("Utrecht: 1,200 euros, 62 m2. Leiden: 1,450 euros, 55 m2; 250 euros cheaper.",),
    ),
    (
        (
            "Bahçeye domates için 60 cm, biber için 45 cm, kabak için 90 cm aralık bıraktım.",
            "Kabak 90 cm doğru; biber 40 cm de olur.",
        ),
        (
            "Dikim aralıkları: domates 60 cm, biber 45 cm (asistan: 40 cm de olur), kabak 90 cm (doğru).",
            "Aralık: 60 cm (domates), 45 cm (biber), 90 cm (kabak). Biber için 40 cm de olur dendi.",
        ),
        ("Dikim aralıkları: domates 90 cm, biber 45 cm (40 cm de olur), kabak 60 cm.",),
    ),
    (
        (
            "Team A scored 14 points, Team B 11 points. Attendance was 3,200.",
            "Team A led by 3.",
        ),
        ("Team A 14 points, Team B 11 points; attendance 3,200; lead of 3.",),
        (),
    ),
    (
        (
            "Ocak'ta 120 kWh, Şubat'ta 145 kWh tükettik. Fatura Ocak'ta 310 TL, Şubat'ta 390 TL.",
            "Şubat artışı 25 kWh.",
        ),
        (
            "Tüketim: Ocak 120 kWh, Şubat 145 kWh (25 kWh artış). Fatura: Ocak 310 TL, Şubat 390 TL.",
        ),
        (),
    ),
    (
        (
            "Naomi earns 52,000 dollars and Ruth earns 61,000 dollars. Their rent is 2,100 dollars.",
            "Ruth could pay 55%, Naomi 45% of the rent.",
        ),
        (
            "Naomi 52,000 dollars, Ruth 61,000 dollars; rent 2,100 dollars. Suggested split: Ruth 55%, Naomi 45%.",
        ),
        (
            "Naomi 61,000 dollars, Ruth 52,000 dollars; rent 2,100 dollars. Split: Ruth 55%, Naomi 45%.",
            "Naomi 52,000 dollars, Ruth 61,000 dollars; rent 2,100 dollars. Split: Ruth 45%, Naomi 55%.",
        ),
    ),
    (
        ("Selma 3 bin lira, Nuri 3 bin lira koydu, kalan 1.500 lirayı ben.",),
        (
            "Selma ile Nuri üçer bin lira (3.000 TL), kullanıcı 1.500 lira koydu.",
            "Selma: 3.000 TL; Nuri: 3.000 TL; kullanıcı: 1.500 TL.",
        ),
        ("Selma 3.000 TL, kullanıcı 1.500 TL koydu. Nuri yanındaydı.",),
    ),
    (
        (
            "How many guests?",
            "Thirty-two.",
            "And tables?",
            "Four.",
        ),
        ("32 guests, 4 tables.",),
        (
            "Guests and tables were counted: 32.",
            "Guests come to 4 tables.",
        ),
    ),
    (
        (
            "Melis söyledi: toplantı 14:30'da. Kargo aradı, yarın gelecek. Hocam dedi ki bekle. Dün sordu.",
        ),
        ("Melis'e göre toplantı 14:30'da; kargo yarın gelecek; hocası beklemesini istedi.",),
        ("Toplantı 14:30'da; kargo yarın gelecek.",),
    ),
    (
        (
            "Kemal 2 kutu, Leyla 5 kutu boya aldı. Oda 18 m², koridor 7 m².",
            "18 m² için 2 kutu yeter.",
        ),
        ("Boya: Kemal 2 kutu, Leyla 5 kutu. Oda 18 m² (2 kutu yeter), koridor 7 m².",),
        ("Boya: Kemal 5 kutu, Leyla 2 kutu. Oda 18 m² (2 kutu yeter), koridor 7 m².",),
    ),
    (
        (
            "I ran with Priya: she did 8 km, I did 5 km. Then we swam 1 km.",
            "8 km is a good run.",
        ),
        ("Priya ran 8 km (good, says the assistant), the user 5 km; both swam 1 km.",),
        (),
    ),
    (
        (
            "Pompa 1 60 bar, Pompa 2 45 bar. Vana 3'te kaçak var.",
            "45 bar düşük.",
        ),
        ("Pompa 1: 60 bar; Pompa 2: 45 bar (düşük). Vana 3'te kaçak.",),
        (),
    ),
    (
        (
            "CPU 85%, RAM 60%, disk 40% dolu. Gece CPU 20%'ye iniyor.",
            "85% CPU yüksek.",
        ),
        ("CPU 85% (yüksek; gece 20%), RAM 60%, disk 40%.",),
        ("CPU 85% (gece 20%), RAM 40%, disk 60%.",),
    ),
    (
        ("The Nile is 6,650 km long, the Danube 2,850 km, the Rhine 1,230 km.",),
        (
            "Rivers: Nile 6,650 km, Danube 2,850 km, Rhine 1,230 km.",
            "6,650 km (Nile), 2,850 km (Danube), 1,230 km (Rhine)",
        ),
        ("Nile 6,650 km, Danube 1,230 km, Rhine 2,850 km.",),
    ),
]
"""What was said, compacts that keep it, and compacts that do not."""
RIGHT = [(said, kept) for said, right, _ in TALKS for kept in right]
WRONG = [(said, kept) for said, _, wrong in TALKS for kept in wrong]


@pytest.mark.parametrize(("said", "kept"), RIGHT)
def test_a_compact_that_tells_everything_of_what_it_is_misses_nothing(
    said: tuple[str, ...], kept: str
) -> None:
    assert not missing(said, kept, COMMON).all


@pytest.mark.parametrize(("said", "kept"), WRONG)
def test_a_number_that_is_told_of_something_else_is_missed(
    said: tuple[str, ...], kept: str
) -> None:
    assert missing(said, kept, COMMON)


def test_what_is_missed_is_the_piece_that_says_whose_it_is() -> None:
    found = missing(["Metformin 500 mg, Ramipril 5 mg"], "Metformin 5 mg, Ramipril 500 mg", COMMON)
    assert set(found.numbers) == {"Ramipril 5 mg", "Metformin 500 mg"}


@pytest.mark.parametrize(
    ("text", "value"),
    [("Yedi.", "7"), ("Four.", "4"), ("Yaklaşık on iki tane", "12"), ("About twelve.", "12")],
)
def test_a_message_that_is_a_number_tells_it(text: str, value: str) -> None:
    told = lone_number(text)
    assert told is not None
    assert told.values == {value}


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("Nurgül dün aradı.", ["Nurgül"]),
        ("Hande aradı, toplantı iptal.", ["Hande"]),
        ("Sinem Hanım 5 mg istiyor. Fatma geldi.", ["Sinem", "Fatma"]),
        ("Wolfgang wrote again.", ["Wolfgang"]),
        ("Doktor yarın gel dedi. Sonuçları sordu. Raporda öyle yazmış. Annem aradı.", []),
        ("Müdür Bey sordu. Kimse aradı mı? Dün Ayşe aradı.", []),
        ("The nurse called. Nobody said so. Mom wrote. Then asked.", []),
    ],
)
def test_who_called_is_heard_where_a_sentence_begins_with_the_name(
    text: str, called: list[str]
) -> None:
    assert list(called_by_name(text, COMMON)) == called


def test_who_stands_before_a_date_is_heard_and_what_is_the_users_is_not() -> None:
    said = ["Tolgaç 5 Mart 2026'da yazdırmış bunu. Sınavım 9 Mart'ta. Bugün 3 Mart."]
    kept = "5 Mart 2026, sınav 9 Mart, 3 Mart"
    assert missing(said, kept, COMMON).names == ("Tolgaç",)
    assert not missing(["Uçuş 5 Mart'ta. Toplantı 3 Mayıs'ta."], "uçuşu 5 Mart, 3 Mayıs toplantı")


def test_behind_a_semicolon_a_capital_is_a_name() -> None:
    assert missing(["Bunu değiştirme; Tolgaç ile konuş."], "değiştirme", COMMON).names == (
        "Tolgaç",
    )


@pytest.mark.parametrize("text", ["Bir.", "One.", "Elmayı yedi.", "The two of us.", "Atına bin!"])
def test_a_message_with_more_than_a_number_is_no_answer(text: str) -> None:
    assert lone_number(text) is None


@pytest.mark.parametrize("piece", [*PASTES, "Ali 5 mg, ", "a 1 b 2; ", "Fatma aradı. "])
def test_a_long_paste_of_numbers_costs_what_its_length_does(piece: str) -> None:
    assert grows_with_length(lambda text: missing([text], text, COMMON), piece)
