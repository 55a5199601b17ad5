"""What the application knows by itself: who it is, the date, what it may do, what it stores.

Without a model this is the answer; otherwise it goes with the request, so that the model guesses
none of it. It contains no key, and only the user is shown where data is on the disk.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from desktop.domain.routing import REFUSED, Guard, GuardTopic
from desktop.language.dates.date_formatting import long_date, spoken_moment, weekday
from desktop.settings.messages import Texts

_DAYS_AWAY = {GuardTopic.YESTERDAY: -1, GuardTopic.TOMORROW: 1}


@dataclass(frozen=True, slots=True)
class OwnKnowledge:
    now: datetime
    model: str | None = None
    """None: no model is connected."""
    endpoint: str = ""
    is_local: bool = True
    uses_past_sessions: bool = True
    uses_memory: bool = True
    sources: int = 0
    uses_web: bool = False
    folder: str = ""
    remembered: Sequence[str] = ()


def fixed_answer(topics: Sequence[GuardTopic], own: OwnKnowledge, texts: Texts) -> str:
    return "\n\n".join(dict.fromkeys(_said(topic, own, texts) for topic in topics))


def guard_block(guard: Guard, own: OwnKnowledge, texts: Texts) -> str:
    """Return the notes on these topics for a model, so that it guesses none of them."""
    known = (f"- {_told(topic, own, texts)}" for topic in guard.topics)
    lines = [texts.say("guard.lead"), *dict.fromkeys(known)]
    if guard.rest:
        lines.append(texts.say("guard.rest", rest=guard.rest))
    return "\n".join(lines)


def is_refusal(guard: Guard) -> bool:
    """Whether nothing in the message is left to request from a model."""
    return not guard.rest and REFUSED.issuperset(guard.topics)


def _told(topic: GuardTopic, own: OwnKnowledge, texts: Texts) -> str:
    """Return the answer, without what only the user may read."""
    if topic is GuardTopic.ABOUT_ME:
        return texts.say("guard.about_me_told")
    return " ".join(_said(topic, replace(own, folder=""), texts).split())


def _said(topic: GuardTopic, own: OwnKnowledge, texts: Texts) -> str:
    match topic:
        case GuardTopic.MODEL:
            return _model(own, texts)
        case GuardTopic.ABILITIES:
            return _abilities(own, texts)
        case GuardTopic.CUSTODY:
            return _custody(own, texts)
        case GuardTopic.ABOUT_ME:
            return _about_me(own, texts)
        case _:
            day = own.now + timedelta(days=_DAYS_AWAY.get(topic, 0))
            return texts.say(
                f"guard.{topic.value}",
                date=long_date(day, texts.language),
                weekday=weekday(day, texts.language),
                moment=spoken_moment(own.now, texts.language),
                zone=_zone(own.now),
            )


def _model(own: OwnKnowledge, texts: Texts) -> str:
    if own.model is None:
        return texts.say("guard.no_model")
    where = texts.say("guard.model_here" if own.is_local else "guard.model_there")
    return texts.say("guard.model", model=own.model, endpoint=own.endpoint, where=where)


def _abilities(own: OwnKnowledge, texts: Texts) -> str:
    can = ["answer"] if own.model else ["quote"]
    can += ["past"] if own.uses_past_sessions else []
    can += ["memory"] if own.uses_memory else []
    can += [] if own.sources else ["library_none"]
    lines = [f"- {texts.say(f'guard.can_{one}')}" for one in can]
    if own.sources:
        lines.append(f"- {texts.count('guard.can_library', own.sources)}")
    lines.append(f"- {texts.say('guard.can_web' if own.uses_web else 'guard.cannot_web')}")
    return "\n".join([texts.say("guard.abilities"), "", *lines])


def _custody(own: OwnKnowledge, texts: Texts) -> str:
    key = "custody_folder" if own.folder else "custody"
    where = "nowhere" if own.model is None else "here" if own.is_local else "there"
    sent = texts.say(f"guard.sent_{where}", endpoint=own.endpoint)
    return f"{texts.say(f'guard.{key}', folder=own.folder)} {sent}"


def _about_me(own: OwnKnowledge, texts: Texts) -> str:
    if not own.remembered:
        return texts.say("guard.about_me_nothing")
    return "\n".join([texts.say("guard.about_me"), "", *(f"- {one}" for one in own.remembered)])


def _zone(moment: datetime) -> str:
    return f"UTC{moment.astimezone().isoformat()[-6:]}"
