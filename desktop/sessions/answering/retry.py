"""The texts that a research tier writes for one question: the first, and another if need be.

Both are written from the same evidence; nothing is searched, read or planned twice.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from desktop.domain.events import Outcome, TurnEvent
from desktop.domain.turn_phases import Phase
from desktop.research.tiers.web_retrieval import Reaching
from desktop.sessions.answering.quality_input import Account
from desktop.sessions.answering.report_writing import Gathering, Prepared, ReportWriting, ready
from desktop.settings.messages import Texts


@dataclass(slots=True)
class Attempts:
    writing: ReportWriting
    """The newest of them."""
    gathering: Generator[TurnEvent, None, Gathering]
    """What comes before there is an answer to be kept."""
    model: str
    reach: Reaching | None
    texts: Texts

    def write(self, reason: str) -> Iterator[TurnEvent]:
        """`reason`: what was wrong with the first; empty for that one itself."""
        turn = self.writing.turn
        if reason:
            yield turn.trace.begin(Phase.EXECUTION)
            gathering = self._again(reason)
        else:
            gathering = yield from self.gathering
        if turn.cancelled.is_set():
            yield turn.ended(Outcome.STOPPED)
            return
        yield from self.writing.write(gathering, self.model)

    def account(self) -> Account:
        account = self.writing.account
        if self.reach is None or account.is_report:
            return account  # below a report stands what could not be read
        unread = len(self.reach.troubles)
        failed = [self.texts.count("research.web_failed", unread)] if unread else []
        return replace(account, failed=failed, worked=self.reach.read)

    def _again(self, reason: str) -> Gathering:
        found = self.writing.found
        self.writing = self.writing.again()
        return ready(found.with_reason(reason) if isinstance(found, Prepared) else found)
