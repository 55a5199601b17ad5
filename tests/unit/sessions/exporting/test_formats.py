"""The registry of export formats."""

from pathlib import Path

import pytest

from desktop.domain.language import Language
from desktop.sessions.exporting.contents import ExportFormat
from desktop.sessions.exporting.formats import BELLEK, FORMATS, format_of
from desktop.sessions.exporting.web_page import WEB_PAGE
from desktop.settings.messages import Texts


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_has_a_title_and_its_own_suffixes(form: ExportFormat) -> None:
    assert all(form.title(Texts(language)) for language in Language)
    for suffix in (form.name, *form.other_suffixes):
        assert format_of(Path(f"x.{suffix.upper()}"), BELLEK) is form


def test_a_file_of_another_suffix_has_the_usual_format() -> None:
    assert format_of(Path("notes.backup"), WEB_PAGE) is WEB_PAGE
