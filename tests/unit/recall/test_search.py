"""Finding a session by a word in it, as Turkish is written and as it is typed."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, SearchOrder
from desktop.domain.sessions import DescribedBy, Description
from desktop.recall.search import Search
from tests.archives import NOON, archive_in, finished, stored
from tests.examples import examples
from tests.unit.recall.conftest import Shelf

MESSAGES = frozenset({HitKind.MESSAGE})
SESSIONS = frozenset({HitKind.SESSION})


def marked(hit: Hit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]


@pytest.mark.parametrize(
    ("typed", "written"),
    examples(__file__, "typed_words_find_the_written_forms"),
)
def test_typed_words_find_the_written_forms(shelf: Shelf, typed: str, written: str) -> None:
    shelf.add(finished("s", written), finished("other", "Bambaşka bir söz."))
    assert shelf.found(typed) == {"s"}
    (hit,) = shelf.find(typed, kinds=MESSAGES)
    assert marked(hit)
    assert hit.snippet == written


def test_words_whose_letters_a_typesetter_joined_are_found(shelf: Shelf) -> None:
    shelf.add(finished("s", "Proﬁl ve oﬃce, ﬂüt."))
    assert shelf.found("profil") == shelf.found("office") == shelf.found("flüt") == {"s"}


def test_the_marks_are_on_the_very_words_that_were_found(shelf: Shelf) -> None:
    shelf.add(finished("s", "İlk IŞIK, sonra kitabı ve kitaplarımızdan birini."))
    (hit,) = shelf.find("ışık kitap", kinds=MESSAGES)
    assert marked(hit) == ["IŞIK", "kitabı", "kitaplarımızdan"]


def test_a_hit_far_into_a_long_message_is_in_its_snippet(shelf: Shelf) -> None:
    for name, word in (("plain", "Somogyi"), ("taken_apart", "s\u0327afak")):
        long = "giriş sözü " * 900 + f"burada {word} geçiyor " + "son söz " * 900
        shelf.add(finished(name, long))
    for typed, name in (("somogyi", "plain"), ("şafak", "taken_apart")):
        (hit,) = shelf.find(typed, kinds=MESSAGES)
        assert hit.session_id == name
        assert len(marked(hit)) == 1
        assert len(hit.snippet) < 220
        assert hit.snippet.startswith("… ")
        assert hit.snippet.endswith(" …")


def test_a_title_with_some_of_the_words_is_no_match_if_a_message_has_them_all(
    shelf: Shelf,
) -> None:
    shelf.add(
        finished("said", "Kapak kırmızı mı lacivert mi olsun?", title="a"),
        finished("called", "x", title="Kapak ve kapaklar"),
        finished("before", "y", title="b", topics=["lacivert"]),
    )
    assert shelf.found("kapak kırmızı") == {"said"}
    assert shelf.found("kapak kırmızı", kinds=SESSIONS) == {"called"}
    assert "called" in shelf.found("kapak yeşil")


def test_titles_summaries_and_topics_are_searched_and_a_title_weighs_most(shelf: Shelf) -> None:
    shelf.add(
        finished("summary", "x", title="a", summary="glukoz hakkında"),
        finished("title", "y", title="Glukoz", summary="b"),
        finished("topic", "z", title="c", topics=["glukozun dengesi"]),
    )
    hits = shelf.find("GLUKOZ", kinds=SESSIONS)
    assert hits[0].session_id == "title"
    assert {hit.session_id for hit in hits} == {"title", "summary", "topic"}


def test_all_the_words_are_wanted_and_if_nothing_has_them_all_any_will_do(shelf: Shelf) -> None:
    shelf.add(finished("both", "elma ve armut"), finished("one", "elma tek"))
    assert shelf.found("elma armut") == {"both"}
    assert shelf.found("elma karpuz") == {"both", "one"}


def test_stop_words_are_searched_only_if_there_are_no_others(shelf: Shelf) -> None:
    shelf.add(finished("s", "insülin hormonu"), finished("t", "bu nedir böyle"))
    assert shelf.found("insülin nedir") == {"s"}
    assert shelf.found("nedir") == {"t"}


@pytest.mark.parametrize("quotes", ['""', "“”"])
def test_quoted_words_must_be_adjacent_and_unchanged(shelf: Shelf, quotes: str) -> None:
    shelf.add(
        finished("together", "Yüksek kan şekeri ve kanser"),
        finished("apart", "Şekeri kan yükseltir"),
        finished("longer", "kan şekerinin ölçümü"),
    )
    typed = f"{quotes[0]}kan şekeri{quotes[1]}"
    assert shelf.found(typed) == {"together"}
    (hit,) = shelf.find(typed, kinds=MESSAGES)
    assert marked(hit) == ["kan", "şekeri"]


@pytest.mark.parametrize("typed", ["kuyularda", "kuyular", "KUYUDAN", "kuyuyla"])
@pytest.mark.parametrize("order", SearchOrder)
def test_an_unknown_form_of_a_word_finds_its_other_forms(
    shelf: Shelf, typed: str, order: SearchOrder
) -> None:
    shelf.add(finished("well", "Eski kuyunun suyu"), finished("other", "kule"))
    hits = shelf.find(typed, kinds=MESSAGES, order=order)
    assert [hit.session_id for hit in hits] == ["well"]


def test_a_quotation_in_a_question_ranks_first_without_its_other_words(shelf: Shelf) -> None:
    shelf.add(
        finished("quoted", "Bin Sır tıbbi tariflerden oluşur."),
        finished("spoken of", "Behçet Efendi kitabını hangi konuda yazmıştır, bilinmez."),
    )
    asked = Query(
        'Behçet Efendi "Bin Sır" kitabını hangi konuda yazmıştır?',
        kinds=MESSAGES,
        scope=EVERYWHERE,
    )
    assert [hit.session_id for hit in shelf.search.find(asked)] == ["quoted", "spoken of"]
    newest = Query('"Bin Sır" nedir?', kinds=MESSAGES, order=SearchOrder.NEWEST, scope=EVERYWHERE)
    assert [hit.session_id for hit in shelf.search.find(newest)] == ["quoted"]


@pytest.mark.parametrize("order", SearchOrder)
def test_the_last_word_of_a_phrase_may_have_endings_without_an_exact_hit(
    shelf: Shelf, order: SearchOrder
) -> None:
    shelf.add(
        finished("s", "Sonuç orta derece işitme kaybıdır."),
        finished("t", "Kaybı büyük, işitme cihazı 65 desibel."),
    )
    (hit,) = shelf.find('"işitme kaybı"', kinds=MESSAGES, order=order)
    assert hit.session_id == "s"
    assert hit.snippet[hit.marks[0][0] : hit.marks[-1][1]] == "işitme kaybıdır"
    assert shelf.search.count('"işitme kaybı"', [hit.session_id], EVERYTHING)[hit.session_id] == 1
    shelf.add(finished("u", "İşitme kaybı kalıcı mı?"))
    found = shelf.find('"işitme kaybı"', kinds=MESSAGES, order=order)
    assert [hit.session_id for hit in found] == ["u"]
    assert not shelf.find('"cihazı 6"', kinds=MESSAGES, order=order)


def test_a_minus_leaves_out_and_a_hyphen_does_not(shelf: Shelf) -> None:
    shelf.add(finished("a", "elma armut"), finished("b", "elma kivi e-posta"))
    assert shelf.found("elma -armut") == {"b"}
    assert shelf.found("elma e-posta") == {"b"}
    assert shelf.found("-armut") == set()


def test_a_search_can_be_limited_to_a_time_a_topic_and_a_number(shelf: Shelf) -> None:
    days = {"monday": 0, "tuesday": 1, "wednesday": 2}
    for name, day in days.items():
        shelf.add(finished(name, "insülin", topics=[name], at=NOON + timedelta(days=day)))
    tuesday = NOON + timedelta(days=1)
    wednesday = NOON + timedelta(days=2)
    assert shelf.found("insulin", since=tuesday, until=wednesday) == {"tuesday"}
    assert shelf.found("insülin", until=tuesday) == {"monday"}
    assert shelf.found("insülin", topic="TUESDAY") == {"tuesday"}
    assert shelf.found("insülin", topic="friday") == set()
    assert len(shelf.find("insülin", limit=2)) == 2


def test_while_typing_the_newest_come_first(shelf: Shelf) -> None:
    for day in (3, 9, 6):
        shelf.add(finished(f"{day}", "insülin", at=NOON + timedelta(days=day)))
    hits = shelf.find("ins", kinds=MESSAGES, order=SearchOrder.NEWEST)
    assert [hit.session_id for hit in hits] == ["9", "6", "3"]
    mixed = shelf.find("ins", order=SearchOrder.NEWEST)
    assert [hit.session_id for hit in mixed] == ["9", "6", "3"]


def test_the_index_catches_up_with_what_is_new_and_drops_what_left_the_path(shelf: Shelf) -> None:
    shelf.add(finished("s1", "eski soru", "eski cevap"))
    session = shelf.archive.sessions.session(SessionId("s1"))
    question, answer = shelf.archive.sessions.messages(session.id)
    left = [stored(session.id, 2, "", is_current=False)]
    left[0] = type(left[0])(answer, is_current=False)
    new = stored(session.id, 2, "yepyeni cevap", message_id=question.id + 99)
    shelf.archive.sessions.save(session, [*left, new])
    assert shelf.archive.index.unindexed() == ["s1"]
    shelf.archive.index.index_session(session.id)
    assert shelf.archive.index.unindexed() == []
    assert shelf.found("yepyeni", kinds=MESSAGES) == {"s1"}
    assert shelf.found("cevap -yepyeni", kinds=MESSAGES) == set()


def test_a_new_title_is_found_and_the_old_one_no_longer(shelf: Shelf) -> None:
    shelf.add(finished("s", "x", title="Eski başlık"))
    shelf.archive.sessions.rename(SessionId("s"), "Yepyeni ad")
    assert shelf.found("yepyeni") == {"s"}
    assert shelf.found("eski") == set()
    shelf.archive.descriptions.keep(
        SessionId("s"), Description("T", "özgün özet", ("konu",), DescribedBy.MODEL)
    )
    shelf.archive.index.index_session(SessionId("s"))
    assert shelf.found("özgün") == {"s"}


TYPED = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["AND", "OR", "NOT", "NEAR(", "(", ")", '"', "“", "-", "*", "^", ":", "{", "}", "'",
             "\ud83d", "\u0301", "İ", "kitap", "words:", "--", "+", "ꟶ", "𞤀", "²", "e-posta"]
        ),
        max_size=8,
    ).map(" ".join),
)  # fmt: skip


@pytest.fixture(scope="module")
def shared_shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder: Path = tmp_path_factory.mktemp("shared")
    archive = archive_in(folder)
    shelf = Shelf(archive, Search(archive.index))
    shelf.add(finished("s", "İlk kitabı AND OR NOT (x) e-posta"))
    return shelf


@given(TYPED)
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_can_be_typed_breaks_the_search(shared_shelf: Shelf, typed: str) -> None:
    for order in SearchOrder:
        for hit in shared_shelf.find(typed, order=order):
            for start, end in hit.marks:
                assert 0 <= start < end <= len(hit.snippet)


def test_hits_are_counted_by_session_all_words_before_any(shelf: Shelf) -> None:
    shelf.add(
        finished("a", "insülin direnci", "insulin direncinde", "insülin"),
        finished("b", "insülin", "direnç"),
    )
    both = [SessionId("a"), SessionId("b")]
    assert shelf.search.count("insülin direnc", both, EVERYTHING) == {"a": 2, "b": 0}
    assert shelf.search.count("insülin gelgit", both, EVERYTHING) == {"a": 3, "b": 1}


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("0,65", {"number"}),
        ("c++", {"cpp"}),
        ("C#", {"csharp"}),
        ("c++ derleyici", {"cpp"}),
        ("app.py", {"file"}),
        (".py", {"file"}),
        ("f#", set()),
        ("0,66", set()),
    ],
)
def test_words_with_signs_are_found_exactly_or_not_at_all(
    shelf: Shelf, typed: str, wanted: set[str]
) -> None:
    shelf.add(
        finished("number", "Katsayı kaç?", "CSR = 0,65 · a"),
        finished("clock", "Saat kaç?", "Saat 03.00 ya da 0'dan 65'e kadar; C vitamini"),
        finished("cpp", "Hangi dil?", "Derleyici C++, ve başka dil yok."),
        finished("csharp", "Başka?", "C# ile concrete."),
        finished("file", "Nerede?", "Her şey app.py'de, app adında."),
    )
    for order in SearchOrder:
        assert shelf.found(typed, kinds=MESSAGES, order=order) == wanted
    assert shelf.found(typed) == wanted


@pytest.mark.parametrize("typed", ["Şafak olayı", "safak olayi", "ŞAFAK OLAYI", '"şafak olayı"'])
def test_a_session_with_the_typed_title_comes_first(shelf: Shelf, typed: str) -> None:
    long = "uzun bir özet " * 40
    shelf.add(
        finished("called", "x", title="Şafak olayı", summary=long),
        finished("more", "y", title="Şafak olayı ve şafak olayı", summary="şafak olayı"),
        finished("said", "Şafak olayı, şafak olayı, şafak olayı", title="z"),
    )
    hits = shelf.find(typed)
    assert hits[0].session_id == "called"
    assert [hit.session_id for hit in hits].count(SessionId("called")) == 1


def test_one_of_three_words_may_be_wrong(shelf: Shelf) -> None:
    shelf.add(
        finished("all", "elma armut kirazlar"),
        finished("two", "armut ile kiraz ve incir"),
        finished("one", "yalnız armut"),
    )
    hits = shelf.find("elma armut kiraz", kinds=MESSAGES)
    assert [hit.session_id for hit in hits] == ["all", "two"]
