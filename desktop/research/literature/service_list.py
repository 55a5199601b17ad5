"""The services of literature, in the order in which the user chooses among them."""

from collections.abc import Mapping

from desktop.domain.literature import ServiceName
from desktop.research.literature.arxiv import ARXIV
from desktop.research.literature.client import LiteratureService
from desktop.research.literature.crossref import CROSSREF
from desktop.research.literature.europe_pmc import EUROPE_PMC
from desktop.research.literature.openalex import OPENALEX
from desktop.research.literature.semantic_scholar import SEMANTIC_SCHOLAR
from desktop.research.literature.turkish import DERGIPARK, TRDIZIN

SERVICES: Mapping[ServiceName, LiteratureService] = {
    service.name: service
    for service in (
        OPENALEX,
        CROSSREF,
        EUROPE_PMC,
        ARXIV,
        TRDIZIN,
        DERGIPARK,
        SEMANTIC_SCHOLAR,
    )
}
