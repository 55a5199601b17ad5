"""What a passage tells of where it comes from."""

from desktop.domain.messages import Role
from desktop.research.passages import Speaker, passage_of_message
from tests.archives import finished


def test_a_passage_of_a_message_says_who_said_it() -> None:
    said = finished("rome", "Why did Rome fall?", "For want of grain.", title="Rome").messages
    told = [(passage_of_message(one, "Rome", "grain", 100), one.role) for one in said]
    assert [(passage.speaker, role) for passage, role in told] == [
        (Speaker.USER, Role.USER),
        (Speaker.ASSISTANT, Role.ASSISTANT),
    ]
    assert [passage.stored for passage, _ in told] == [one.content for one in said]
