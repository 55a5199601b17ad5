"""The kinds of card there are: every entry comes alive as one of them."""

from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.transcript.notice_card import NoticeCard
from desktop.ui.transcript.question_card import QuestionCard

SaidCard = QuestionCard | AnswerCard
"""Has words that can be marked."""
LiveCard = SaidCard | NoticeCard
