"""Which messages ask about past sessions, and what they want to know."""

from datetime import UTC, datetime

import pytest

from desktop.language.hearing.asking_back import AskingBack, asks_back
from desktop.language.hearing.phrases import PhraseLists

NOW = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)

ASKING_BACK = [
    "dawn fenomeni hakkında ne karara varmıştık?",
    "hangi karara vardık?",
    "bu konuyu daha önce araştırdık mı?",
    "insülin direncini en son ne zaman konuştuk?",
    "göbeklitepe'den hiç bahsettik mi?",
    "geçenlerde bahsettiğim kitabın adı neydi?",
    "dün sorduğum soru neydi?",
    "Bana daha önce verdiğin tarif neydi?",
    "insülinle ilgili notlarımız neydi?",
    "summarize our past discussions on sleep",
    "anything we said about WAL before?",
    "what hydration did we calculate?",
    "remind me of the gear ratio",
    "daha önce konuştuklarımız",
    "geçen ay insülin direnci için ne demiştik?",
    "ne karar vermiştik",
    "nerede kalmıştık?",
    "hatırlıyor musun, sana Roma'yı sormuştum",
    "what did we decide about insulin resistance?",
    "where did we leave off?",
    "have we talked about Rome before?",
    "remember when we discussed the French Revolution?",
    "what did I ask you about last week?",
    "GEÇEN AY INSULIN DIRENCI ICIN NE DEMISTIK",
    "gecen ay insulin direnci icin ne demistik",
    "İnsülin direnci hakkında daha önce konuşmuş muyduk?",
    "Bu konuda hangi ilacı seçmiştik?",
    "Kaç miligram metformin demiştik?",
    "Dün ne konuştuk?",
    "Mart ayında Roma tarihi üzerine neler konuşmuştuk?",
    "Önceki oturumda bahsettiğin kitap hangisiydi?",
    "en son ne araştırmıştık",
    "Tez konusu için neye karar vermiştik?",
    "Somogyi etkisini sana sormuş muydum?",
    "What did you recommend for jet lag?",
    "What did we conclude last March about the budget?",
    "Which framework did we choose for the desktop app?",
    "Why did we rule out Electron?",
    "Do you remember the diet plan?",
    "Remind me what we said about sleep",
    "where were we?",
    "What was our conclusion on the migration?",
    "When did we last talk about Kafka?",
    "our conversation about black holes yesterday evening",
    "previous sessions on taxes",
    "Last time we discussed taxes, what did we say?",
    "İnsülin direnci konusunda vardığımız sonuç neydi?",
    "X projesinde nerede kalmıştık?",
    "geçen sefer ne demiştin?",
    "insülin direnci için ne demiştik, özetle",
    "Sana geçen hafta bir kitap sormuştum, adı neydi?",
    "hangi ayı söylemiştin?",
    "Balkona hangi çiçekleri dikecektik?",
    "Tatile ne kadar bütçe ayırmıştık seninle?",
    "Biz bunu konuşmamış mıydık?",
    "Bana verdiğin o formül nasıldı?",
    "Sana tahlil sonuçlarımı vermiş miydim?",
    "Who did we say became the new director?",
    "What time did I say my flight was?",
    "What was the reason we gave for postponing the launch?",
    "What dates had we pencilled in for Oslo?",
    "Remind me what you recommended for my back pain.",
    "Have you ever suggested a physiotherapist to me?",
    "What interest rate did we assume?",
]

NOT_ASKING_BACK = [
    "we agreed on the price with the seller yesterday; draft a contract",
    "Last week we discussed the merger at work; how do I write the minutes?",
    "last time I flew to Tokyo I had jet lag. How to avoid it?",
    "The last time we had a pandemic was 1918; why?",
    "son konuşmasında Atatürk ne dedi?",
    "Cumhurbaşkanının son konuşması neydi?",
    "What is the last conversation in Hamlet about?",
    "Atatürk ne demişti?",
    "what did Darwin say?",
    "What did Darwin say about evolution?",
    "Einstein neye karar vermişti?",
    "Osmanlı ordusu nerede kalmıştı?",
    "Az önce ne demiştin?",
    "Yukarıda ne demiştik?",
    "what did you just say?",
    "What did we inherit from Neanderthals?",
    "did we land on the moon?",
    "Remember to water the plants",
    "İkinci Dünya Savaşı'nda ne oldu?",
    "Fatih İstanbul'u ne zaman aldı?",
    "Geçen ay enflasyon kaç oldu?",
    "Dün akşam maç kaç kaç bitti?",
    "Who decided to drop the bomb?",
    "Last week the stock market fell, why?",
    "What happened in March 2020?",
    "Derste ne öğrenmiştik bilmiyorum",
    "Annemle ne konuşmuştuk?",
    "insülin direnci nedir?",
    "Konuşma terapisi nedir?",
    "Hafıza nasıl çalışır, neden unuturuz?",
    "How does memory work?",
    "What is a session cookie?",
    "Karar verme süreçleri nelerdir?",
    "Mehmet bana ne sormuştu?",
    "What did Napoleon decide after Waterloo?",
    "When did humans first talk?",
    "Sokrates'in son sözleri neydi?",
    "Hatırlatma uygulaması öner",
    "Daha önce hiç yurt dışına çıkmadım, nereden başlamalıyım?",
    "Have you ever read Proust?",
    "Şimdi ne dedin?",
    "what have we discussed so far?",
    "Bu oturumda ne konuştuk?",
    "Hangi senaryo daha optimistik?",
    "Hangi oteli seçmiştik diye sordu eşim, ne diyeyim?",
    "Bakanlık ne kadar bütçe ayırmıştı?",
    "Which library should we choose for charts?",
    "How did we evolve to speak?",
    "Did you know that honey never spoils?",
]


@pytest.mark.parametrize("text", ASKING_BACK)
def test_a_question_about_past_sessions_is_recognised(text: str, lists: PhraseLists) -> None:
    assert asks_back(text, NOW, lists) is not None


@pytest.mark.parametrize("text", NOT_ASKING_BACK)
def test_no_other_question_is_taken_for_one(text: str, lists: PhraseLists) -> None:
    assert asks_back(text, NOW, lists) is None


def test_there_are_enough_labelled_cases_of_both_kinds() -> None:
    assert min(len(ASKING_BACK), len(NOT_ASKING_BACK)) >= 30


@pytest.mark.parametrize("text", ASKING_BACK)
def test_capitals_and_missing_letters_make_no_difference(text: str, lists: PhraseLists) -> None:
    plain = text.translate(str.maketrans("çğıöşüŞĞİÇÖÜ", "cgiosuSGICOU"))
    assert asks_back(plain, NOW, lists) is not None
    assert asks_back(plain.upper(), NOW, lists) is not None


WORDS = [
    ("geçen ay insülin direnci için ne demiştik?", "insülin direnci"),
    ("What did we decide last March about the budget?", "budget"),
    ("hatırlıyor musun, sana Roma'yı sormuştum", "Roma"),
    ("Mart ayında Roma tarihi üzerine neler konuşmuştuk?", "Roma tarihi"),
    ("Hangi ilacı seçmiştik?", "ilacı"),
    ("Which framework did we choose for the desktop app?", "framework desktop app"),
    ("daha önce konuştuklarımız", ""),
    ("dün ne konuştuk?", ""),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_what_is_looked_up_is_the_question_without_its_asking(
    text: str, words: str, lists: PhraseLists
) -> None:
    found = asks_back(text, NOW, lists)
    assert found is not None
    assert found.words == words


def test_words_for_a_date_become_the_period(lists: PhraseLists) -> None:
    found = asks_back("geçen ay insülin direnci için ne demiştik?", NOW, lists)
    assert found is not None
    assert found.period is not None
    assert found.period.since == datetime(2026, 10, 1, tzinfo=UTC)
    assert found.period.until == datetime(2026, 11, 1, tzinfo=UTC)


def test_where_we_stopped_is_told_from_what_was_said(lists: PhraseLists) -> None:
    for text, is_left_off in (
        ("Nerede kalmıştık?", True),
        ("Where did we leave off with the thesis?", True),
        ("Tez için ne demiştik?", False),
    ):
        found = asks_back(text, NOW, lists)
        assert found is not None
        assert found.is_left_off is is_left_off


def test_what_may_have_been_said_in_this_session_is_not_sure(lists: PhraseLists) -> None:
    for text, is_sure in (
        ("What did you recommend for jet lag?", False),
        ("What did you recommend for jet lag last week?", True),
        ("Jet lag için ne dedin?", False),
        ("Jet lag için ne demiştin?", True),
    ):
        found = asks_back(text, NOW, lists)
        assert isinstance(found, AskingBack)
        assert found.is_sure is is_sure


def test_a_pasted_text_asks_nothing(lists: PhraseLists) -> None:
    assert asks_back("what did we decide about it? " * 50, NOW, lists) is None
    assert asks_back("", NOW, lists) is None
