"""Names are recognised by their spelling."""

import pytest

from desktop.language.sentences import file_names, names
from tests.examples import examples


def found(text: str, common: frozenset[str] = frozenset()) -> list[str]:
    return [name.text for name in names(text, common)]


@pytest.mark.parametrize(
    ("text", "expected"),
    examples(__file__, "names_are_found"),
)
def test_names_are_found(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_words_that_are_known_to_name_nothing_are_left_out() -> None:
    assert found("Sonra Ben geldim, Ankara'dan.", frozenset({"ben"})) == ["Ankara"]


def test_files_are_found_by_their_endings_with_and_without_a_folder() -> None:
    text = (
        "rapor_v2.xlsx, src/main.py ve C:\\veri\\sonuç.csv; www.site.com/a değil, bitti.Sonra da."
    )
    assert [name for name, _, _ in file_names(text)] == ["rapor_v2.xlsx", "main.py", "sonuç.csv"]
