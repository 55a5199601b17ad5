"""Hears a question about the user's own life that only what they told can answer."""

import re

from desktop.domain.language import Language
from desktop.language.hearing.asking_back import AskingBack
from desktop.language.hearing.phrases import PhraseLists
from desktop.language.hearing.routes import RouteLists
from desktop.language.keywords_and_stems import content_of, content_words
from desktop.language.language_detection import guess_language
from desktop.language.normalization import fold
from desktop.language.personal_questions import asks_of_own_life
from desktop.language.phrase_matcher import Line, find_phrase, lay_out
from desktop.memory.relevant_facts import names_kin

_MOST_OWN_LIFE = 4
"""Words that say what of the user's own life is asked for; more of them tell of a case."""
# "ne alsam", "ne cevap vereyim"; not "neredeyim".
_WANTS_ADVICE = re.compile(r"[^ ]+s[ae]m |[^ ]+(?<!d)[ae]y[iu]m |(?<![^ ])(?:gid|ed)[ae]y[iu]m ")
# "yazar mısın"; not "söyler misin", "hatırlıyor musun"
_ASKS_FOR_WORK = re.compile(
    r"(?<![^ ])(?!(?:soyle|hatirla|anlat|bil)[^ ]* )[^ |]+[aeiu]r m[iu]s[iu]n(?:[iu]z)? "
)
_TELLS = re.compile(r"(?:ben|benim) ")
_ME_EN = re.compile(r"(?:i|i'm|i've|i'd|im|ive|my|mine|myself)")
_ASKS_EN = re.compile(
    r"(?:(?:so|and|ok|hey|please|pls) )*(?:what|where|who|whose|which|when|how|do|did|am|is|are"
    r"|was|were|have|has|tell|remind|can) "
)


def asks_of_what_was_told(
    text: str, phrases: PhraseLists, routes: RouteLists
) -> AskingBack | None:
    """What only the user can have said: where they live, what their sister is called."""
    own = asks_of_own_life(text)
    if own is None or own.wants_work or not (own.is_only_asked or names_kin(text)):
        return None
    if _is_of_something_else(lay_out(text), own.phrase, phrases, routes):
        return None
    asked = content_words(text, phrases.stop_words, with_weak=True)
    wanted = " ".join(text[word.start : word.end] for word in asked)
    return AskingBack(own.phrase, wanted, is_sure=False) if wanted else None


def _is_of_something_else(line: Line, mine: str, phrases: PhraseLists, routes: RouteLists) -> bool:
    """Whether it speaks of the user's own, `mine`, and asks for what nobody told."""
    if _WANTS_ADVICE.search(line.text) or _ASKS_FOR_WORK.search(line.text):
        return True
    if any(find_phrase(line, one) for one in (routes.defines, routes.tasks)):
        return True
    if guess_language(line.original, Language.TR) is Language.EN:
        # In English "dream" and "team" only end as what is mine does in Turkish.
        is_question = "?" in line.original or _ASKS_EN.match(line.text)
        if not (is_question and _ME_EN.fullmatch(fold(mine))):
            return True
    elif "?" not in line.original and _TELLS.match(line.text):
        return True
    return len(content_of(line.words, phrases.stop_words)) > _MOST_OWN_LIFE
