"""Scholarly literature: what is searched for, the works that services return, what can fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from desktop.domain.errors import AppError
from desktop.domain.json_values import JsonValue
from desktop.domain.references import Reference, Work, WorkMark, with_record
from desktop.domain.web import WebError


class ServiceName(StrEnum):
    OPENALEX = "openalex"
    CROSSREF = "crossref"
    EUROPE_PMC = "europe_pmc"
    ARXIV = "arxiv"
    TRDIZIN = "trdizin"
    DERGIPARK = "dergipark"
    SEMANTIC_SCHOLAR = "semantic_scholar"


class IdKind(StrEnum):
    DOI = "doi"
    PMID = "pmid"
    PMCID = "pmcid"
    ARXIV = "arxiv"  # Without its version
    TRDIZIN = "trdizin"
    OPENALEX = "openalex"
    DERGIPARK = "dergipark"  # Of an article at dergipark.org.tr
    SEMANTIC_SCHOLAR = "semantic_scholar"


@dataclass(frozen=True, slots=True)
class LiteratureQuery:
    """What is searched for; a service ignores what it cannot filter by."""

    words: str
    author: str = ""
    since: int | None = None  # Years, both inclusive
    until: int | None = None
    venue: str = ""
    language: str = ""  # Two letters: "tr"
    open_only: bool = False
    newest_first: bool = False
    """Not by relevance, from services whose search finds nothing beside the words."""


@dataclass(frozen=True, slots=True)
class FoundWork:
    """A work as one service describes it, or merged from several."""

    reference: Reference
    """With its abstract as plain text, if there is one."""
    ids: Mapping[IdKind, str] = field(default_factory=dict)
    services: tuple[ServiceName, ...] = ()
    open_copy: str = ""  # The address of a free copy; of its PDF, if the service knows it
    marks: frozenset[WorkMark] = frozenset()
    preprint_of: str = ""  # The DOI of the version that was published later
    has_preprint: str = ""  # The DOI of an earlier version
    cited_by: int | None = None  # As the service counts
    notices: Mapping[str, WorkMark] = field(default_factory=dict)
    """By DOI: the works that this one, a notice, retracts or corrects."""

    @property
    def doi(self) -> str:
        """Return the bare DOI in lower case; empty if there is none."""
        return self.ids.get(IdKind.DOI, "")

    @property
    def abstract(self) -> str:
        return self.reference.text("abstract")

    @property
    def is_preprint(self) -> bool:
        return self.reference.text("genre") == PREPRINT

    @property
    def whole_reference(self) -> Reference:
        """Return the reference as the library stores it, with the marks and ids in `custom`."""
        record: dict[str, JsonValue] = {
            "ids": {kind.value: value for kind, value in self.ids.items()},
            "marks": sorted(self.marks),
            "preprint_of": self.preprint_of,
            "has_preprint": self.has_preprint,
        }
        return with_record(
            self.reference, {name: value for name, value in record.items() if value}
        )


PREPRINT = "preprint"  # The `genre` of a work that has not been reviewed


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceState:
    """A service as the user set it."""

    name: ServiceName
    title: str
    is_on: bool
    address: str
    takes_key: bool
    needs_key: bool
    has_key: bool
    searches: bool  # Else it only completes works that others found


@dataclass(frozen=True, slots=True)
class ServicePage:
    """What a service returned for a search, its best works first."""

    works: Sequence[FoundWork]
    total: int | None  # How many it has; None if it does not say
    next: str = ""
    """Where its next page begins, in words of its own; empty if there is none."""


@dataclass(frozen=True, slots=True)
class ServiceFailure:
    """A service that did not answer; the others are not affected."""

    service: ServiceName
    error: AppError


@dataclass(frozen=True, slots=True)
class LiteratureResults:
    """What has arrived so far of a search, each work once, the best first."""

    query: LiteratureQuery
    works: Sequence[FoundWork] = ()
    pages: Mapping[ServiceName, ServicePage] = field(default_factory=dict)
    """All that a service has returned, also over several pages."""
    failures: Sequence[ServiceFailure] = ()
    pending: frozenset[ServiceName] = frozenset()
    """The services that have not answered yet."""

    @property
    def has_more(self) -> bool:
        return any(page.next for page in self.pages.values())


class TextKind(StrEnum):
    """How much of a work can be read and cited."""

    FULL = "full_text"
    ABSTRACT = "abstract"
    NONE = "reference"


@dataclass(frozen=True, slots=True)
class AddedWork:
    """A work that was added to the library, or was there."""

    work: Work
    text: TextKind
    is_new: bool
    error: AppError | None = None  # Why its open copy could not be read


@dataclass(frozen=True, slots=True)
class MarkedWork:
    """A work of the library, or one that an answer cites, with the marks that are new."""

    work: Work
    marks: Sequence[WorkMark]


@dataclass(frozen=True, slots=True)
class MarkCheck:
    """What became of the works of the library and of those that answers cite."""

    checked: int = 0
    marked: Sequence[MarkedWork] = ()
    failures: Sequence[ServiceFailure] = ()


class LiteratureOffError(WebError):
    """The user has not turned literature on."""


class LiteratureKeptHereError(LiteratureOffError):
    """What asks stays on this computer: its project, or the whole profile."""


class LiteraturePageShortError(WebError):
    """`host`: its page has fewer letters than an article."""


class LiteratureServiceOffError(WebError):
    """`service`, `setting`: the switch of the service is off."""


class LiteratureNoneOnError(WebError):
    """No service that could do this is switched on."""


class LiteratureKeyMissingError(WebError):
    """`service`: it needs a key, and none is stored; `name`: as the command line has it."""


class LiteratureKeyRejectedError(WebError):
    """`service`: it does not accept the key."""


class LiteratureAnswerError(WebError):
    """`service`: its answer is not of its own form."""


class LiteratureRefusedError(WebError):
    """`service`, `code`: an error that the service reports."""


class LiteratureWordsMissingError(WebError):
    """A search has no words, no author and no venue."""


class LiteratureYearsError(WebError):
    """`since`, `until`: years of a search, the first of which is the later one."""


class LiteratureWorkUnknownError(WebError):
    """`doi`: no service knows it."""


class LiteratureDoiMissingError(WebError):
    """`title`: a work of the library by which no service could know it."""
