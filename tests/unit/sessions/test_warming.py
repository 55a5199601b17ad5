"""What the first question would have to wait for is done before it."""

from desktop.domain.messages import Message
from desktop.language import phrase_matcher
from desktop.language.hearing import asking_back, followup, forgetting, keeping, phrases, wishing
from desktop.research.routing import guards
from desktop.research.routing.router import Rules, decide
from desktop.sessions.prompts_and_phrases import shipped_phrases, shipped_routes
from desktop.sessions.regex_warmup import warm_up_rules

QUESTIONS = (
    "Somogyi etkisi üzerine bugünkü araştırmalar ne diyor?",
    "Adın ne ve bugün günlerden ne?",
    "Geçen hafta insülin için ne karar vermiştik?",
    "Bunu hatırla: kedimin adı Pamuk.",
    "Compare the two, with sources",
    "teşekkürler, bu kadar yeter",
)
CACHES = (
    phrase_matcher.anywhere,
    followup._beginning,
    guards._parting,
    phrases._announcement,
    keeping._patterns,
    forgetting._patterns,
    wishing._patterns,
    asking_back._finder,
)


def compiled() -> int:
    return sum(one.cache_info().misses for one in CACHES)


def test_after_the_warm_up_no_question_waits_for_a_pattern() -> None:
    rules = Rules(shipped_phrases(), routes=shipped_routes(), can_search=True)
    warm_up_rules(rules)
    before = compiled()
    said: tuple[Message, ...] = ()
    for question in QUESTIONS:
        decide(question, said, rules)
    assert compiled() == before


def test_the_warm_up_leaves_off_when_it_is_no_longer_wanted() -> None:
    asked: list[bool] = []

    def goes_on() -> bool:
        asked.append(True)
        return len(asked) < 3

    warm_up_rules(Rules(shipped_phrases(), routes=shipped_routes()), goes_on)
    assert len(asked) == 3
