"""What titles and fields of references show."""

import pytest

from desktop.domain.language import Language
from desktop.domain.references import WorkMark
from desktop.references.fields import marked_title, written_name
from desktop.settings.messages import Texts


@pytest.mark.parametrize(
    "name",
    [
        "zoo Development Team",
        "Türkiye İstatistik Kurumu",
        "University of Oslo",
        "Millî Eğitim Bakanlığı",
    ],
)
def test_a_group_has_no_family_name(name: str) -> None:
    assert written_name(name) == {"literal": name}


def test_the_last_word_of_a_person_is_the_family_name() -> None:
    assert written_name("Ahmet Kurum") == {"family": "Kurum", "given": "Ahmet"}
    assert written_name("Kaya, Ece") == {"family": "Kaya", "given": "Ece"}


def test_a_title_bears_its_mark_once() -> None:
    texts, marks = Texts(Language.EN), [WorkMark.RETRACTED, WorkMark.CORRECTED]
    once = "Cinnamon [retracted] [corrected]"
    assert marked_title("Cinnamon", marks, texts) == once
    assert marked_title(once, marks, texts) == once
    title = "Cinnamon [retracted] (abstract only)"
    assert marked_title(title, marks, texts) == f"{title} [corrected]"
