"""The services of literature, in the order in which the user chooses among them."""

from collections.abc import Mapping

from desktop.domain.literature import ServiceName
from desktop.research.literature.client import LiteratureService
from desktop.research.literature.crossref import CROSSREF
from desktop.research.literature.openalex import OPENALEX

SERVICES: Mapping[ServiceName, LiteratureService] = {
    service.name: service for service in (OPENALEX, CROSSREF)
}
