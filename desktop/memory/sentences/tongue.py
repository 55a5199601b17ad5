"""Whether a fact is told in another language than the words it rests on."""

from desktop.domain.language import Language
from desktop.language.language_detection import guess_language


def is_in_other_language(content: str, quote: str) -> bool:
    """Only where both can be told without doubt: a name, or two words, are of any language."""
    told, said = _sure(content), _sure(quote)
    return told is not None and said is not None and told is not said


def _sure(text: str) -> Language | None:
    found = {guess_language(text, default) for default in Language}
    return found.pop() if len(found) == 1 else None
