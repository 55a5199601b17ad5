from collections.abc import Mapping

import pytest

from desktop.language.hearing.phrases import (
    PHRASE_TABLES,
    EndSaid,
    PhraseLists,
    parse_phrases,
    said_end,
)

THANKS = """
tamam yeter
teşekkürler
Teşekkür ederim
tamam anladım, teşekkürler
TEŞEKKÜRLER!
tesekkur ederim
TESEKKURLER
çok teşekkür ederim
çok teşekkürler, çok yardımcı oldun
teşekkür ederiz
teşekkür ettim
çok sağ ol
sağ olun hocam
sağol
saol
eyvallah
Eyvallah abi!
tşk
tamam, bu kadar yeter
bu kadar yeterli, teşekkürler
hepsi bu kadar
şimdilik bu kadar, görüşürüz
peki, teşekkür ederim
harika, çok teşekkürler 🙏
her şey için teşekkürler
bilgiler için teşekkürler
bu güzel açıklama için çok teşekkür ederim
yardımın için teşekkürler
ellerine sağlık
Allah razı olsun
çok faydalı oldu, sağ olasın
süper oldu, teşekkürler. İyi geceler!
anladım. teşekkürler
hayır, teşekkürler
başka sorum yok, teşekkürler
tamamdır, iyi çalışmalar
aradığımı buldum, sağ ol
Minnettarım
oturumu bitirelim
oturumu kapat
yeter artık
thanks, that's all
that fixed it thanks
great its fixed now ty
I'm good now, thanks for the help
got it to work, thanks
that was it, thanks!
düzeldi sağ ol
sorun çözüldü teşekkürler
şimdi çalıştı çok teşekkür ederim
thanks
Thank you!
THANK YOU SO MUCH
thanks a lot, that was very helpful
that will be all, cheers
that's all for now
That's it, thanks
thats all thx
ok thanks
okay, got it, thank you
great, thank you very much
Thanks for your help
thanks for the detailed explanation!
perfect. that's all I needed
that's enough for today
no more questions, thank you
much appreciated
I appreciate it
cheers mate
ty
no, thanks
makes sense now, thanks
I understand, thank you. Bye!
good night
all clear, many thanks
we're done
I'm done, thanks
tamam thanks
ok teşekkürler, bye
""".strip().splitlines()

# What is behind the arrow opens the next session.
NEW_TOPIC = """
yeni konu
Yeni konu!
YENİ KONU
yeni bir konu
başka bir şey soracağım
Başka birşey sormak istiyorum
baska bir sey soracagim
başka bir konuya geçelim
başka konuya geçelim artık
Tamam, başka bir konuya geçelim
teşekkürler, yeni konuya geçelim
yeni konuya geçelim, teşekkürler
başka bir konuya geçebilir miyiz?
konuyu değiştirelim
konuyu değiştirebilir miyiz lütfen?
bambaşka bir şey soracağım
farklı bir konuya geçiyorum
başka bir şey konuşalım
yeni bir araştırmaya başlayalım
yeni oturum
bu konuyu kapatalım
Yeni konu: beta hücre rejenerasyonu nedir? -> beta hücre rejenerasyonu nedir?
yeni konu - Osmanlı'da tımar sistemi -> Osmanlı'da tımar sistemi
Yeni konu. "Suç ve Ceza" kimin? -> "Suç ve Ceza" kimin?
"Yeni konu": gelgit nasıl oluşur? -> gelgit nasıl oluşur?
Başka bir şey soracağım: Ay neden hep aynı yüzünü gösterir? -> Ay neden hep aynı yüzünü gösterir?
Teşekkürler. Şimdi başka bir konuya geçelim: 3.5 mm jak nedir? -> 3.5 mm jak nedir?
başka bir konuda sorum var, kediler neden mırlar -> kediler neden mırlar
new topic
New topic!
A new topic, please
new subject
let's talk about something else
Lets talk about something else
can we talk about something else?
let's change the subject
could we change the topic please?
ok, let's move on to something else
thanks, new topic
different topic
can I ask something else?
start a new session
now for something completely different
switching topics
new topic, how do tides work? -> how do tides work?
New topic: the French Revolution. -> the French Revolution.
NEW TOPIC - tides -> tides
Great, thanks! New topic: who was Ada Lovelace? -> who was Ada Lovelace?
let's talk about something else: black holes -> black holes
On a completely different topic, why do cats purr? -> why do cats purr?
Unrelated question: what is umami? -> what is umami?
change of subject: (quick) what is umami? -> (quick) what is umami?
new topic cooking -> cooking
ok, next topic solar panels -> solar panels
yeni konu futbol -> futbol
""".strip().splitlines()

NOT_AN_END = """
teşekkürler, peki ya tip 2?
teşekkürler ama bir şey daha var
teşekkürler, bir sorum daha var
teşekkürler de anlamadım
Teşekkürler. Bir de tablo yapar mısın?
teşekkürler, şimdi bunu kısalt
sağ ol, devam et
teşekkür mektubu nasıl yazılır?
teşekkür mektubu yaz
teşekkür etmek için ne denir
İngilizce teşekkürler nasıl denir
'thank you' Japonca nasıl denir?
eyvallah ne demek
eyvallah kelimesinin kökeni
yeni konu başlıkları öner
yeni konu önerir misin?
yeni konu ne olsun
yeni konu öner
yeni konu bul
düzeldi ama bu sefer başka bir hata veriyor
yeni konuları listele
"yeni konu" ifadesi ne demek?
başka bir konu başlığı öner
bu kadar yeter mi?
bu kadar yeter mi
yeterli insülin salgılanmazsa ne olur?
günde kaç saat uyku yeterli
yeter sayısı nedir
bu kadarı yetmez, biraz daha yaz
tamam
tamam, anladım
anladım
peki
evet
güzel, devam edelim
harika, örnek ver
tamam peki ya çocuklarda
tabloyu gördüm teşekkürler, kaynakları da ekle
başka bir şey soracağım ama bununla ilgili
başka bir örnek ver
başka bir sorum var
konuyu değiştirmeden özetle
iyi geceler kelimesi nasıl çevrilir
başka bir şey var mı?
oturumu kapatmadan önce özetle

🙏
...
thanks, and what about children?
thanks for the table, can you add a column
thanks for the table can you add a column
thanks for the table now make it shorter
thanks but that's not what I asked
Thanks! One more question
thanks, also explain the second one
thank you, but why?
thank you letter template
how do you say thank you in Turkish
write a thank you note to my teacher
thanks to penicillin, infections became treatable
is that all?
that's all?
that's all wrong
that's not all
not enough
is this enough
enough is enough meaning
ok
okay, got it
I see
great
great, continue
new topic ideas for my essay
suggest a new topic
new topic sentence examples
new topic modelling methods compared with lda
the new topic was boring
new topic vectors explained
different topic entirely
that fixed it thanks but now the printer is offline
that fixed it
is it fixed now thanks?
what does "new topic" mean?
let's talk about something else related to this: insulin pumps in children
new topic, but related to the last answer: dosage
what is done in such a case
we're done with part one, now part two
cheers meaning in British English
say goodbye in Turkish
can you make it different
explain the change of subject in Latin
something else that matters here is cost
no
""".strip("\n").splitlines()


@pytest.mark.parametrize("text", THANKS)
def test_a_session_ends_when_the_user_is_content(text: str, lists: PhraseLists) -> None:
    said = said_end(text, lists)
    assert said is not None
    assert said.kind == "thanks"
    assert said.phrase
    assert said.phrase in text


@pytest.mark.parametrize("case", NEW_TOPIC)
def test_a_session_ends_when_the_user_announces_a_new_topic(case: str, lists: PhraseLists) -> None:
    text, _, rest = case.partition(" ->")
    said = said_end(text, lists)
    assert said is not None
    assert (said.kind, said.rest) == ("new_topic", rest.strip())
    assert said.phrase in text


@pytest.mark.parametrize("text", NOT_AN_END)
def test_a_session_goes_on_while_anything_else_is_said(text: str, lists: PhraseLists) -> None:
    assert said_end(text, lists) is None


def test_there_are_enough_labelled_cases() -> None:
    assert min(len(THANKS) + len(NEW_TOPIC), len(NOT_AN_END)) >= 60


def test_the_phrase_is_given_as_the_user_wrote_it(lists: PhraseLists) -> None:
    assert said_end("Tamam, TEŞEKKÜR ederim!", lists) == EndSaid("thanks", "TEŞEKKÜR ederim")


def test_phrases_of_the_user_are_heard_with_any_ending(turkish: PhraseLists) -> None:
    own = _table(thanks=["şükran*"], new_topic=["sıradaki mesele"])
    lists = parse_phrases(own)
    assert said_end("ŞÜKRANLAR", lists) == EndSaid("thanks", "ŞÜKRANLAR")
    assert said_end("Sıradaki mesele: gelgit", lists) == EndSaid(
        "new_topic", "Sıradaki mesele", "gelgit"
    )
    assert said_end("teşekkürler", lists) is None


def test_a_phrase_with_choices_stands_for_each_of_them() -> None:
    lists = parse_phrases(_table(thanks=["(çok|) sağ (ol|olun)"]))
    said = ("Çok sağ ol", "sağ ol", "Çok sağ olun", "sağ olun")
    assert all(said_end(one, lists) for one in said)
    assert said_end("çok sağ", lists) is None


def test_a_long_run_of_thanks_is_judged_at_once(lists: PhraseLists) -> None:
    assert said_end("thanks a lot " * 2_000 + "x", lists) is None


def _table(**given: object) -> dict[str, object]:
    return {key: given.get(key, []) for key in PHRASE_TABLES}


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "thanks is missing"),
        (_table(thanks="teşekkürler"), "thanks must be a list"),
        (_table(enough=["yeter", 5]), "phrase 2 of enough"),
        (_table(enough=["  "]), "phrase 1 of enough"),
        (_table(enough=["(yeter|)"]), "phrase 1 of enough"),
        (_table(new_topic=["…"]), "phrase 1 of new_topic"),
        (_table() | {"thank": []}, "unknown phrase list: thank"),
        (_table() | {"stop_words": ["ve"]}, "stop_words must be one text"),
    ],
)
def test_a_phrase_file_of_the_wrong_shape_is_refused_by_name(
    values: Mapping[str, object], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_phrases(values)
