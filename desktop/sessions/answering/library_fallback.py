"""Whether the library answers where no model does: documents are quoted as past sessions are."""

from dataclasses import dataclass

from desktop.domain.endpoints import ModelRole
from desktop.language.hearing.pasted import own_words
from desktop.language.hearing.phrases import is_courtesy
from desktop.language.keywords_and_stems import content_words
from desktop.recall.search import Search
from desktop.research.calculator_answers import reckoned
from desktop.research.tiers.local_retrieval import Lookup
from desktop.research.tiers.passage_store import Shelf
from desktop.research.tiers.quick import QUICK_PASSAGES, bears
from desktop.sessions.assistant_context import Surroundings
from desktop.storage.archive import Archive

_LETTERS = 600


@dataclass(frozen=True, slots=True)
class OwnDocuments:
    archive: Archive
    search: Search
    around: Surroundings

    def answer(self, question: str) -> bool:
        """Whether they have most of what is asked, and nobody else is there to be asked.

        Raises StorageError.
        """
        question, phrases = own_words(question), self.around.phrases()
        if (
            self.around.model(ModelRole.ANSWERING) is not None
            or is_courtesy(question, phrases)
            or not content_words(question, phrases.stop_words)
            or reckoned(question, self.around.wording_of(question).texts)
        ):
            return False
        lookup = Lookup(self.search, Shelf(self.archive), with_sessions=False)
        found = lookup.at_once(question, QUICK_PASSAGES, _LETTERS)
        return bears(question, found, phrases.stop_words)
