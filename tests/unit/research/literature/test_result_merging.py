"""Which works are the same: planted duplicates are merged, works that only look alike are not."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from desktop.domain.literature import PREPRINT, FoundWork, IdKind, LiteratureQuery
from desktop.domain.literature import ServiceName as S
from desktop.domain.references import FieldOrigin, WorkMark
from desktop.references.merging import reference_of
from desktop.research.literature.result_merging import matches, merge_works

TITLES = (
    "The effect of sleep deprivation on the consolidation of declarative memory",
    "Öğrencilerin okuma alışkanlıkları üzerine nitel bir araştırma",
    "Transformer networks for protein structure prediction: a survey",
    "Türkiye’de kentsel dönüşümün toplumsal sonuçları",
    "Long-term outcomes after coronary artery bypass grafting in women",
    "Œuvres complètes et correspondance de Voltaire à Ferney",
    "Attention deficits & working memory in bilingual children",
    "Osmanlı arşivlerinde kadın vakıfları: Bursa örneği",
    "Measuring <i>Escherichia coli</i> growth with low-cost sensors",
    "COVID-19 döneminde uzaktan eğitim ve akademik başarı",
    "A randomised trial of mindfulness for chronic low back pain",
    "Deep reinforcement learning for traffic signal control in cities",
)
ASCII = str.maketrans("öÖüÜçÇşŞğĞıİèéàœŒ", "oOuUcCsSgGiIeeaoO")


def work(
    title: str,
    doi: str = "",
    *,
    author: str = "Yılmaz",
    year: int | None = 2020,
    by: S = S.OPENALEX,
    is_preprint: bool = False,
    **more: object,
) -> FoundWork:
    ids = {IdKind(name): str(value) for name, value in more.items() if name in set(IdKind)}
    csl = {
        "type": "article" if is_preprint else "article-journal",
        "genre": PREPRINT if is_preprint else "",
        "title": title,
        "author": [{"family": author, "given": "Ayşe"}],
        "issued": {"date-parts": [[year]]} if year else None,
        "DOI": doi,
    }
    ids |= {IdKind.DOI: doi} if doi else {}
    return FoundWork(reference_of(csl, FieldOrigin.LITERATURE), ids, (by,))


def titled(change: Callable[[str], str], **more: object) -> Callable[[str], list[FoundWork]]:
    return lambda title: [work(title), work(change(title), by=S.TRDIZIN, **more)]  # type: ignore[arg-type]


PLANTED: tuple[Callable[[str], list[FoundWork]], ...] = (
    lambda title: [work(title, "10.1/a"), work("Another form of it", "10.1/a", by=S.CROSSREF)],
    lambda title: [work(title, pmid="7"), work(f"{title} (in print)", pmid="7", by=S.EUROPE_PMC)],
    titled(lambda title: title.upper().translate(ASCII), year=2021),
    titled(lambda title: title.replace(":", " –").replace("-", " ").replace("’", "'") + "."),
    titled(lambda title: title.replace("ara", "aar", 1).replace("tion", "toin", 1)),
)
"""Five ways in which two services describe one work."""


def planted() -> Iterator[list[FoundWork]]:
    return (plant(title) for title in TITLES for plant in PLANTED)


LOOK_ALIKES: tuple[tuple[FoundWork, FoundWork], ...] = (
    *(
        (work(f"{title} {one}"), work(f"{title} {other}", by=S.CROSSREF))
        for title in ("Kent tarihi üzerine yeni notlar", "Studies on the theory of learning")
        for one, other in (("I", "II"), ("1", "2"), ("part one", "part two"), ("Bölüm 3",) * 2)
    ),
    *(
        (work(title), work(title, by=S.CROSSREF))
        for title in ("Editorial", "Sunuş", "Önsöz ve teşekkür", "Letter to the editor")
    ),
    *(
        (work(title, "10.48550/arxiv.1", is_preprint=True), work(title, "10.1/b", by=S.CROSSREF))
        for title in TITLES[:3]
    ),
    *((work(title, is_preprint=True, arxiv="2101.1"), work(title)) for title in TITLES[3:5]),
    *((work(title, "10.1/c"), work(title, "10.1/d", by=S.CROSSREF)) for title in TITLES[5:8]),
    (
        work("Stress in male rats after early weaning"),
        work("Stress in female rats after early weaning"),
    ),
    (
        work("Increased risk of stroke after infection"),
        work("Decreased risk of stroke after infection"),
    ),
    (
        work("Results of the first wave of the survey"),
        work("Results of the second wave of the survey"),
    ),
    (
        work("Treatment of patients with hypertension"),
        work("Treatment of patients with hypotension"),
    ),
    (work("A census of 10451 households in towns"), work("A census of 10457 households in towns")),
    (
        work("Sleep and episodic memory in a cohort of older adults"),
        work("Sleep and episodic memory in a cohort of older healthy adults"),
    ),
    (work(TITLES[0]), work(f"Correction: {TITLES[0]}")),
    (work(TITLES[4]), work(f"Reply to: {TITLES[4]}")),
    (work(TITLES[1], year=2012), work(TITLES[1], year=2020)),
    (work(TITLES[3], author="Kaya"), work(TITLES[3], author="Demir")),
    (work(TITLES[2], pmid="1"), work(TITLES[2], pmid="2")),
    (work(TITLES[7], trdizin="1"), work(TITLES[7], trdizin="2")),
)


def test_planted_duplicates_are_merged() -> None:
    pairs = list(planted())
    split = [pair for pair in pairs if len(merge_works([[one] for one in pair])) != 1]
    assert len(pairs) == 60
    assert len(split) <= 1, [[one.reference.title for one in pair] for pair in split]


def test_works_that_look_alike_are_not_merged() -> None:
    assert len(LOOK_ALIKES) >= 30
    for one, other in LOOK_ALIKES:
        assert len(merge_works([[one], [other]])) == 2, one.reference.title
        assert len(merge_works([[other], [one]])) == 2, other.reference.title


def test_a_work_with_the_ids_of_two_others_shows_that_they_are_one() -> None:
    merged = merge_works(
        [
            [work("Sleep", "10.1/a")],
            [work("Uyku", pmid="7", by=S.EUROPE_PMC)],
            [work("Sleep", "10.1/a", pmid="7", by=S.CROSSREF)],
        ]
    )
    assert [one.ids for one in merged] == [{IdKind.DOI: "10.1/a", IdKind.PMID: "7"}]


def test_each_field_is_from_the_best_service_for_it() -> None:
    def described(by: S) -> FoundWork:
        csl = {"title": f"title of {by}", "abstract": f"abstract of {by}", "volume": f"of {by}"}
        author = [{"family": str(by)}]
        reference = reference_of({**csl, "author": author}, FieldOrigin.LITERATURE)
        return FoundWork(reference, {IdKind.DOI: "10.1/a"}, (by,))

    (merged,) = merge_works([[described(by)] for by in (S.OPENALEX, S.EUROPE_PMC, S.CROSSREF)])
    assert merged.reference.title == "title of crossref"
    assert merged.abstract == "abstract of europe_pmc"
    assert merged.reference.first_author == "europe_pmc"
    assert merged.reference.text("volume") == "of crossref"
    (other,) = merge_works([[described(by)] for by in (S.OPENALEX, S.ARXIV)])
    assert (other.abstract, other.reference.title) == ("abstract of arxiv", "title of openalex")


def test_a_preprint_and_its_published_version_are_linked() -> None:
    preprint = work(TITLES[0], "10.48550/arxiv.2101.00001", is_preprint=True, by=S.ARXIV)
    published = work(TITLES[0], "10.1/b", by=S.CROSSREF)
    by_title = merge_works([[preprint], [published]])
    by_doi = merge_works(
        [[replace(preprint, preprint_of="10.1/b")], [work("Renamed", "10.1/b", by=S.CROSSREF)]]
    )
    for works in (by_title, by_doi):
        assert {(one.doi, one.preprint_of, one.has_preprint) for one in works} == {
            (preprint.doi, "10.1/b", ""),
            ("10.1/b", "", preprint.doi),
        }


def test_a_notice_marks_the_work_that_it_is_about() -> None:
    notice = replace(work("Retraction notice", "10.1/n"), notices={"10.1/a": WorkMark.RETRACTED})
    marks = {one.doi: one.marks for one in merge_works([[notice, work(TITLES[0], "10.1/a")]])}
    assert marks == {"10.1/n": frozenset(), "10.1/a": frozenset({WorkMark.RETRACTED})}


@pytest.mark.parametrize(
    ("query", "is_match"),
    [
        (LiteratureQuery("x", since=2021), False),
        (LiteratureQuery("x", since=2020, until=2020), True),
        (LiteratureQuery("x", until=2019), False),
        (LiteratureQuery("x", author="ayşe yilmaz"), True),
        (LiteratureQuery("x", author="Kaya"), False),
        (LiteratureQuery("x", venue="Dergi"), False),
        (LiteratureQuery("x", open_only=True), False),
        (LiteratureQuery("x", language="tr"), True),
    ],
)
def test_what_a_service_cannot_filter_is_filtered_here(
    query: LiteratureQuery,
    is_match: bool,  # noqa: FBT001 - of the table
) -> None:
    assert matches(work(TITLES[0], "10.1/a"), query) is is_match
