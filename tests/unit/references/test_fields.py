"""What titles and fields of references show."""

from desktop.domain.language import Language
from desktop.domain.references import WorkMark
from desktop.references.fields import marked_title
from desktop.settings.messages import Texts


def test_a_title_bears_its_mark_once() -> None:
    texts, marks = Texts(Language.EN), [WorkMark.RETRACTED, WorkMark.CORRECTED]
    once = "Cinnamon [retracted] [corrected]"
    assert marked_title("Cinnamon", marks, texts) == once
    assert marked_title(once, marks, texts) == once
    title = "Cinnamon [retracted] (abstract only)"
    assert marked_title(title, marks, texts) == f"{title} [corrected]"
