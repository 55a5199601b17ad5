"""Answers without a model: quotations, each with its source."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from desktop.domain.events import Outcome
from desktop.domain.facts import Fact, Origin, Term
from desktop.domain.ids import FactId, MessageId, PassageId, SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.messages import CitationState
from desktop.domain.routing import Recall
from desktop.domain.search import EVERYWHERE, Query, SearchOrder
from desktop.domain.sources import SourceKind
from desktop.language.links import markdown_parser
from desktop.research.extractive_answers import (
    CitedText,
    Closeness,
    quote_facts,
    quote_passages,
    quote_recollection,
    rank_quotable,
)
from desktop.research.passages import DiaryNote, Passage, Place, Recollection, Speaker
from desktop.research.tiers.plans import split_into_questions
from desktop.settings.messages import Texts
from tests.archives import NOON, finished
from tests.studies import Study, phrases

DAWN = (
    "Şafak olayı nedir?",
    """Şafak olayı, kan şekerinin sabaha karşı 04.00 ile 08.00 arasında yükselmesidir. Büyüme
hormonu ve kortizol karaciğerden glukoz salınımını artırır.

- Gece ölçümü tanıda yardımcı olur.""",
)
SOMOGYI = (
    "Somogyi etkisi nedir?",
    "Somogyi etkisi, gece yaşanan hipogliseminin ardından sabah görülen tepkisel yüksekliktir.",
)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path / "alone")
    yield study
    study.close()


@pytest.fixture
def stocked(alone: Study) -> Study:
    alone.archive.imports.add(
        [
            finished("dawn", *DAWN, title="Şafak [olayı]"),
            finished("somogyi", *SOMOGYI, title="Somogyi etkisi"),
            finished("bread", "Ekmek nasıl mayalanır?", "Hamur ılık yerde bir saat bekletilir."),
        ]
    )
    return alone


def test_an_answer_quotes_verbatim_from_the_cited_message(stocked: Study) -> None:
    ended = stocked.ask("Şafak olayı neden olur?")
    assert ended.outcome is Outcome.COMPLETE
    assert ended.citations
    for citation in ended.citations:
        source = stocked.archive.sessions.messages(SessionId(citation.source_id))
        (passage,) = [one for one in source if one.id == MessageId(int(citation.passage_id))]
        assert citation.state is CitationState.CHECKED
        assert citation.quote in passage.content
        assert " ".join(citation.quote.split()) in ended.text
        assert f"[{citation.number}]" in ended.text
    assert [one.number for one in ended.citations] == list(range(1, len(ended.citations) + 1))
    assert "mayalan" not in ended.text


def test_a_title_with_brackets_does_not_break_its_link(stocked: Study) -> None:
    assert "[Şafak (olayı)](bellek://session/dawn" in stocked.ask("Şafak olayı nedir?").text


def test_one_common_word_of_a_question_is_not_enough_to_quote(stocked: Study) -> None:
    stocked.archive.imports.add(
        [
            finished(f"y{n}", "Ne zaman?", f"Bu {n} yıl önce oldu; o yıl çok yağmur yağdı.")
            for n in range(6)
        ]
    )
    ended = stocked.ask("Lozan antlaşması hangi yıl imzalandı?")
    assert ended.text == Texts(Language.TR).say("no_model.nothing_found")
    assert stocked.ask("Hamur hangi yıl mayalandı?").citations


@pytest.mark.parametrize(
    "asked", ["What did we say about the mortgage?", "Where did we leave off with the mortgage?"]
)
def test_a_summary_in_the_words_of_a_message_is_quoted_once_where_it_can_be_opened(
    stocked: Study, asked: str
) -> None:
    said = "After fees the mortgage wins unless you hold for over ten years."
    session = finished("home", "Should I overpay it?", said, title="Mortgage", summary=said)
    stocked.archive.imports.add([session])
    quoted = [one for one in stocked.ask(asked).citations if one.quote == said]
    assert [bool(one.passage_id) for one in quoted] == [True]


def test_a_table_is_quoted_by_its_cells(alone: Study) -> None:
    table = "| | Dawn | Somogyi |\n|---|:-:|---|\n| Cause | hormones | low sugar |"
    asked = "Compare the dawn phenomenon and the Somogyi effect"
    alone.archive.imports.add([finished("table", asked, table, title="Dawn or Somogyi")])
    text = alone.ask(asked).text
    assert "> Dawn · Somogyi; Cause · hormones · low sugar [1]" in text
    assert "|" not in text


def test_a_sentence_is_quoted_once_with_and_without_marks(alone: Study) -> None:
    said = "The **dawn phenomenon** raises glucose because *cortisol* is released."
    summary = said.replace("*", "")
    session = finished("dawn", "Why is it high?", said, title="Dawn", summary=summary)
    alone.archive.imports.add([session])
    quoted = alone.ask("What did we say about the dawn phenomenon?").citations
    assert [(one.quote, bool(one.passage_id)) for one in quoted] == [(said, True)]


@pytest.mark.parametrize(
    ("asked", "again"),
    [
        ("tell me about hedgehogs in winter", "What did we say about hedgehogs?"),
        ("kirpiler kışın ne yapar", "Kirpiler hakkında ne konuşmuştuk?"),
    ],
)
def test_ones_own_question_is_no_answer_to_it(alone: Study, asked: str, again: str) -> None:
    alone.archive.imports.add([finished("bread", "Bread?", "It rises for an hour.")])
    for _ in range(5):
        alone.ask(asked)
    alone.assistant.end()
    alone.describe()
    for question in (asked, again):
        assert asked not in alone.ask(question).text


@pytest.mark.parametrize(
    ("asked", "said", "decided"),
    [
        (
            "What did we decide about the loft conversion?",
            "A loft conversion needs a structural survey. Two builders gave prices.",
            "We settled on the cheaper builder, starting in May.",
        ),
        (
            "Çatı katı için ne karar almıştık?",
            "Çatı katı için statik raporu gerekir. İki usta fiyat verdi.",
            "Kararlaştırdığımız gibi mayısta ucuz olanla başlanacak.",
        ),
    ],
)
def test_a_question_about_a_decision_is_answered_by_the_sentence_that_states_it(
    stocked: Study, asked: str, said: str, decided: str
) -> None:
    more = "Hangisi daha iyi, karar verdik mi?"
    session = finished("loft", asked, said, more, f"Fark az. {decided}", title="Loft / Çatı katı")
    stocked.archive.imports.add([session])
    quoted = [one.quote for one in stocked.ask(asked).citations if one.source_id == "loft"]
    assert decided in quoted
    assert any(quote in said for quote in quoted)
    assert more not in quoted


def test_what_the_user_wrote_in_the_diary_is_part_of_the_past(stocked: Study) -> None:
    note = "Arı kovanlarını kışlığa aldım."
    stocked.archive.diary.write_note(date(2026, 2, 20), note)
    stocked.archive.diary.write_note(date(2026, 2, 22), "Tez önsözü bitti.")
    for asked in ("Arı kovanları hakkında ne yazmıştım?", "20 Şubat'ta ne konuşmuştuk?"):
        text = stocked.ask(asked).text
        assert f"> {note} · 20 Şubat 2026" in text
        assert "Tez" not in text


def test_if_only_a_question_has_the_words_its_answer_is_quoted_after_it(stocked: Study) -> None:
    answer = "Üstü örtülü kalsın, bir saat dinlensin."
    stocked.archive.imports.add([finished("dough", "Poğaça hamuru ne kadar bekler?", answer)])
    ended = stocked.ask("Daha önce poğaça hamuru için ne konuşmuştuk?")
    assert answer in [citation.quote for citation in ended.citations]


def test_passages_of_a_period_are_introduced_as_such(stocked: Study) -> None:
    ended = stocked.ask("Bu ay ne konuşmuştuk?")
    lead, _, _ = ended.text.partition("\n")
    assert lead.endswith("tarihli oturumlarda konuşulanlar:")
    assert ended.citations


@pytest.mark.parametrize(
    ("said", "key", "language"),
    [
        ("merhaba", "greeting", Language.TR),
        ("rica ederim", "courtesy", Language.TR),
        ("hello", "greeting", Language.EN),
        ("you're welcome", "courtesy", Language.EN),
    ],
)
@pytest.mark.parametrize("of_window", list(Language))
def test_a_greeting_is_answered_without_a_search(
    alone: Study, said: str, key: str, language: Language, of_window: Language
) -> None:
    alone.language = of_window
    assert alone.ask(said).text == Texts(language).say(f"no_model.{key}")


def answer_in_session(number: int, stored: str) -> Passage:
    return Passage(
        number=number,
        session_id=SessionId(f"s{number}"),
        message_id=MessageId(number),
        title="Bahçe",
        said_at=NOON,
        speaker=Speaker.ASSISTANT,
        text=stored,
        stored=stored,
    )


def test_passages_similar_only_in_meaning_are_quoted_as_the_nearest() -> None:
    said = "Güllerin dalları şubat sonunda budanır."
    near = [answer_in_session(number, said) for number in range(1, 4)]
    quoted = quote_recollection(
        Recall("ne konuşmuştuk", "zeplin"),
        Recollection(near),
        CitedText(""),
        stop_words=phrases().stop_words,
        texts=Texts(Language.TR),
    )
    assert "Anlamca en yakın olanlar" in quoted.text
    assert [one.source_id for one in quoted.citations] == ["s1", "s2"]


def test_a_quotation_that_begins_with_an_ordinal_is_no_list() -> None:
    said = "16. yüzyılda nüfus arttı."
    fact = Fact(FactId("f"), "tarih", said, 5, Origin.SESSION, Term.SHORT, NOON)
    texts = Texts(Language.TR)
    quoted = quote_recollection(
        Recall("ne konuşmuştuk", "nüfus arttı"),
        Recollection(
            [answer_in_session(1, said)],
            notes=[DiaryNote(date(2026, 3, 5), said)],
        ),
        quote_facts([fact], lambda _: [], texts),
        stop_words=phrases().stop_words,
        texts=texts,
    )
    kinds = [token.type for token in markdown_parser().parse(quoted.text)]
    assert kinds.count("blockquote_open") == 3
    assert "ordered_list_open" not in kinds


# The session at hand


def test_a_continued_session_is_quoted_before_all_others(stocked: Study) -> None:
    stocked.add_past(
        "insulin",
        "Bazal insülinler nasıl ayrılır?",
        "Glarjin düz etkilidir. Gece hipoglisemisi glarjinle NPH'ye göre azdır.",
    )
    stocked.add_past("tools", "Bu yöntem ne?", "Terim 1980'lerden beri kullanılıyor.")
    stocked.assistant.resume(SessionId("insulin"))
    ended = stocked.ask("NPH yerine glarjin kullanılırsa ne değişir?")
    assert ended.text.startswith(Texts(Language.TR).say("no_model.said_here"))
    assert {citation.source_id for citation in ended.citations} == {"insulin"}
    assert "NPH'ye göre azdır" in ended.text


def test_a_session_is_quoted_in_itself_where_past_sessions_are_off(stocked: Study) -> None:
    stocked.set(uses_past_sessions=False)
    stocked.assistant.resume(SessionId("somogyi"))
    assert stocked.ask("Somogyi etkisi gece mi görülür?").citations
    off = stocked.ask("Hamur nerede bekletilir?")
    assert off.text == Texts(Language.TR).say("no_model.past_off")


# Answers that only quote are pointers to their sources


@pytest.fixture
def echoed(stocked: Study) -> Study:
    """Has an ended session that asked for the others and was answered with quotations."""
    stocked.ask("Somogyi etkisi için ne demiştik?")
    stocked.assistant.end()
    stocked.describe()
    return stocked


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("somogyi etkisi", SearchOrder.NEWEST),
        ("somogyi etkisi", SearchOrder.RANKED),
        ("Somogyi etkisi için ne demiştik?", SearchOrder.RANKED),
    ],
)
def test_quotations_are_found_after_what_they_quote(
    echoed: Study, typed: str, order: SearchOrder
) -> None:
    hits = echoed.search.find(Query(typed, order=order, scope=EVERYWHERE))
    found = [hit.session_id for hit in hits]
    assert found.index(SessionId("somogyi")) == 0
    echoes = [hit for hit in hits if hit.session_id != "somogyi"]
    assert echoes == hits[-len(echoes) :]
    assert all(hit.is_pointer for hit in echoes)


def test_an_unanswered_question_is_not_recalled(echoed: Study) -> None:
    echoed.ask("Zürafaların omurları kaç tanedir?")
    echoed.assistant.end()
    echoed.describe()
    ended = echoed.ask("Zürafaların omurları için ne demiştik?")
    assert ended.citations == ()


# What may be quoted without a model: a search by meaning always finds something


FOUND, NEAR, FOREIGN = Closeness.FOUND, Closeness.NEAR, Closeness.FOREIGN


def passage(stored: str, title: str = "Book") -> Passage:
    at = datetime(2026, 3, 5, tzinfo=UTC)
    place = Place(SourceId(title), PassageId(stored), SourceKind.DOCUMENT, "/b.pdf", 1)
    return Passage(
        title=title, said_at=at, speaker=Speaker.DOCUMENT, text=stored, stored=stored, place=place
    )


def on_page(stored: str, page: int) -> Passage:
    place = Place(SourceId("b"), PassageId(str(page)), SourceKind.DOCUMENT, "/b.pdf", page)
    return replace(passage(stored), place=place)


ZEBRAS = passage("Page one talks of the number of zebras that live in the open grass.")
QUOKKAS = passage("The quokka lives on an island and seems to smile at everyone who comes by.")
LEAVES = passage("They eat leaves in the evening when the heat of the day is over.", "Quokkas")
AIR = passage("Durgun hava kirleticileri yere yakın tutar.", "Ankara")
NEARBY = passage("Hava bugün durgun.", "İzmir")
CONQUEST = passage("İstanbul 1453'te fethedildi.", "Tarih")
WEATHER = passage("Lodosta hava ısınır.", "İstanbul iklimi")
TURKISH = passage("Kısa kuyruklu kanguru adada yaşar ve gülümsüyormuş gibi görünür.")


@pytest.mark.parametrize(
    ("question", "found", "kept", "closeness"),
    [
        ("What is the number of quokkas?", [ZEBRAS, QUOKKAS, LEAVES], [QUOKKAS, LEAVES], FOUND),
        ("What is the number of quokkas?", [ZEBRAS], [], FOREIGN),
        ("What is the number of quokkas?", [ZEBRAS, TURKISH, QUOKKAS], [QUOKKAS], FOUND),
        ("What is the number of quokkas?", [ZEBRAS, TURKISH], [TURKISH], FOREIGN),
        ("What is the number?", [ZEBRAS], [ZEBRAS], FOUND),
        ("What is the number of quokkas?", [], [], FOREIGN),
        ("Do zebras swim to an island?", [ZEBRAS, QUOKKAS], [ZEBRAS, QUOKKAS], NEAR),
        ("Do quokkas live on an island?", [ZEBRAS, QUOKKAS], [QUOKKAS], FOUND),
        ("İstanbul'da hava nasıl?", [AIR, CONQUEST, NEARBY], [AIR, CONQUEST], NEAR),
        ("İstanbul'da hava nasıl?", [AIR, WEATHER], [WEATHER], FOUND),
    ],
)
def test_a_passage_with_one_of_several_words_is_quoted_only_as_near(
    question: str, found: list[Passage], kept: list[Passage], closeness: Closeness
) -> None:
    assert rank_quotable([question], found, phrases().stop_words) == (kept, closeness)


def test_each_quotation_has_its_page() -> None:
    said = ["Quokkas live on an island.", "Quokkas sleep by day."]
    texts = Texts(Language.EN)
    of_pages = [on_page(one, number) for number, one in enumerate(said, start=2)]
    quoted = quote_passages("Quokkas", of_pages, "Lead.", phrases().stop_words, texts)
    assert quoted.text == (
        "Lead.\n\n**Book**\n\n> Quokkas live on an island. [1] (p. 2)\n\n"
        "> Quokkas sleep by day. [2] (p. 3)"
    )
    again = quote_passages("Quokkas", of_pages * 2, "Lead.", phrases().stop_words, texts)
    assert again == quoted


def test_a_common_word_alone_gives_no_near_hit() -> None:
    def weigh(words: Sequence[str]) -> dict[str, float]:
        return {word: 0.5 if word == "hava" else 5.0 for word in words}

    found, _ = rank_quotable(
        ["İstanbul'da hava nasıl?"], [AIR, CONQUEST], phrases().stop_words, weigh
    )
    assert found == [CONQUEST]


def test_every_part_of_a_question_is_quoted_and_no_heading_is() -> None:
    stored = (
        "Sulama ve budama\n"
        "Zeytin ağaçları ilk üç yıl haftada bir sulanır. Kalın ağaç on beş günde bir sulanır. "
        "Fazla su zeytin köklerini çürütür. Budama şubat sonunda yapılır."
    )
    place = Place(
        SourceId("z"), PassageId("p"), SourceKind.DOCUMENT, "/z.pdf", 4, "Bahçe › Sulama ve budama"
    )
    quoted = quote_passages(
        "Zeytin ağaçları ne sıklıkta sulanır ve budama ne zaman yapılır?",
        [replace(passage(stored, "Zeytin"), place=place)],
        "",
        phrases().stop_words,
        Texts(Language.TR),
    )
    assert [one.quote for one in quoted.citations] == [
        "Zeytin ağaçları ilk üç yıl haftada bir sulanır.",
        "Budama şubat sonunda yapılır.",
    ]


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What is WAL? How are files locked?", ["What is WAL?", "How are files locked?"]),
        ("Zeytin", ["Zeytin"]),
    ],
)
def test_each_question_is_looked_up_by_itself(text: str, questions: list[str]) -> None:
    assert [one.question for one in split_into_questions(text)] == questions
