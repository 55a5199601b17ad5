"""`bellek literature`: search, show and add works by DOI, and the services with their keys."""

from argparse import Namespace
from getpass import getpass
from typing import TYPE_CHECKING

from desktop.cli.commands import Access, Command, CommandServices, object_json, to_json
from desktop.domain.errors import UsageError
from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    AddedWork,
    FoundWork,
    LiteratureDoiMissingError,
    LiteratureQuery,
    LiteratureResults,
    LiteratureWorkUnknownError,
    ServiceFailure,
    ServiceName,
    ServicePage,
)
from desktop.domain.projects import COMMON, Wall
from desktop.references.fields import marked_title
from desktop.research.literature.finder import MOST, PAGE, key_id, literature_rules
from desktop.research.literature.result_merging import count_matching
from desktop.research.literature.service_list import SERVICES
from desktop.settings.messages import SETTING_WORDS, Texts

if TYPE_CHECKING:
    from desktop.sessions.literature import Literature


def _search(services: CommandServices, options: Namespace) -> int:
    """Print the works of all services that are on; exit code 1 if none of them answered."""
    _check_limit(services, options.limit)
    if options.since and options.until and options.since > options.until:
        raise _usage(services, "years", since=options.since, until=options.until)
    query = LiteratureQuery(
        options.text,
        author=options.author or "",
        since=options.since,
        until=options.until,
        venue=options.venue or "",
        language=options.language or "",
        open_only=options.open,
    )
    only = [ServiceName(name) for name in options.service]
    finder = _literature(services, options).find
    results = LiteratureResults(query)
    for results in finder.search(query, only, options.limit):  # noqa: B007 - the last is complete
        pass
    if services.as_json:
        services.print_json(_results_json(services, results))
        return int(not results.pages)
    for number, work in enumerate(results.works, start=1):
        _print_work(services, work, f"{number}. ")
    _print_counts(services, results)
    return int(not results.pages)


def _print_counts(services: CommandServices, results: LiteratureResults) -> None:
    """Print how many works each service has, and which service failed."""
    texts, titles = services.texts, _titles()
    for name, page in results.pages.items():
        shown, total = texts.number(count_matching(page, results.query)), page.total
        if total is None:
            services.say("literature.shown", service=titles[name], shown=shown)
        else:
            services.say(
                "literature.shown_of", service=titles[name], shown=shown, total=texts.number(total)
            )
    for failure in results.failures:
        _print_failure(services, failure)
    if results.pages and not results.works:
        services.say("literature.found_none")
    elif results.pages:
        services.say_count("literature.found", len(results.works))


def _check_limit(services: CommandServices, limit: int | None) -> None:
    if limit is not None and not 1 <= limit <= MOST:
        raise _usage(services, "limit", limit=limit, most=MOST)


def _usage(services: CommandServices, key: str, **values: int) -> UsageError:
    detail = services.texts.say(f"literature.bad_{key}", **values)
    return UsageError(detail=detail, command="bellek literature")


def _print_failure(services: CommandServices, failure: ServiceFailure) -> None:
    why = services.texts.error(failure.error)
    services.say("literature.failed", service=_titles()[failure.service], why=why)


def _get(services: CommandServices, options: Namespace) -> None:
    work = _literature(services, options).find.get(options.doi)
    if services.as_json:
        services.print_json(_work_json(work))
        return
    _print_work(services, work)
    if work.abstract:
        services.print_line()
        services.print_line(work.abstract)


def _add(services: CommandServices, options: Namespace) -> None:
    """Add works by their DOIs; a copy that cannot be read leaves the abstract."""
    literature = _literature(services, options)
    work = literature.find.get(options.doi)
    added = literature.add(work).value
    _print_added(services, work, added)


def _literature(services: CommandServices, options: Namespace) -> "Literature":
    """Return the literature for a project, or for what belongs to none."""
    project = services.project_of(options)
    return services.core.literature(Wall(project) if project else COMMON)


def _print_added(services: CommandServices, work: FoundWork, added: AddedWork) -> None:
    source = added.work.source
    if services.as_json:
        record = {"id": source.id, "text": added.text, "is_new": added.is_new}
        message = services.texts.error(added.error) if added.error else None
        failure = {"error": to_json(added.error), "message": message}
        services.print_json({**object_json(record), **_work_json(work), **failure})
        return
    title = _marked(services, work)
    key = "literature.added" if added.is_new else "literature.known"
    services.say(key, id=source.id, title=title)
    services.say(f"literature.text_{added.text}")
    if added.error is not None:
        services.say("literature.no_copy", why=services.texts.error(added.error))


def _complete(services: CommandServices, options: Namespace) -> int:
    """Fill in what is missing in references; a work that no service knows makes the code 1."""
    code = 0
    for source_id in options.ids:
        try:
            work = services.core.literature(COMMON).complete(SourceId(source_id)).value
        except (LiteratureDoiMissingError, LiteratureWorkUnknownError) as exc:
            services.note(services.texts.error(exc))
            code = 1
            continue
        record: dict[str, JsonValue] = {"id": source_id, "reference": dict(work.reference.csl)}
        services.report(record, "references.edited", title=work.source.title)
    return code


def _check(services: CommandServices, _options: Namespace) -> int:
    """Look for works that were retracted or corrected; exit code 1 if a service failed."""
    check = services.core.literature(COMMON).check_marks()
    for marked in check.marked:
        source = marked.work.source
        title = marked_title(source.title, marked.work.reference.marks, services.texts)
        if services.as_json:
            services.print_json(
                {"id": source.id, "title": source.title, "marks": to_json(marked.marks)}
            )
        else:
            services.print_line(f"{source.id}  {title}")
    for failure in check.failures:
        _print_failure(services, failure)
    if not services.as_json:
        services.say_count("literature.checked", check.checked, new=len(check.marked))
    return int(bool(check.failures))


def _cited_by(services: CommandServices, options: Namespace) -> None:
    _check_limit(services, options.limit)
    find = _literature(services, options).find
    _print_page(
        services, find.related(find.get(options.doi), options.limit or PAGE, is_citing=True)
    )


def _references(services: CommandServices, options: Namespace) -> None:
    _check_limit(services, options.limit)
    find = _literature(services, options).find
    _print_page(
        services, find.related(find.get(options.doi), options.limit or PAGE, is_citing=False)
    )


def _print_page(services: CommandServices, page: ServicePage) -> None:
    for number, work in enumerate(page.works, start=1):
        if services.as_json:
            services.print_json(_work_json(work))
        else:
            _print_work(services, work, f"{number}. ")
    if not services.as_json:
        total = len(page.works) if page.total is None else page.total
        shown = services.texts.number(len(page.works))
        services.say("literature.page", shown=shown, total=services.texts.number(total))


def _services(services: CommandServices, _options: Namespace) -> None:
    """Print each service, whether it is on, and what is sent to it."""
    words = Texts(services.texts.language, file=SETTING_WORDS)
    find = services.core.literature(COMMON).find
    for state in find.states():
        if services.as_json:
            services.print_json(object_json(state))
            continue
        is_on = services.texts.say(f"literature.{'on' if state.is_on else 'off'}")
        key = ""
        if state.takes_key:
            key = services.texts.say(f"literature.{'has_key' if state.has_key else 'no_key'}")
        head = ", ".join(filter(None, (state.title, is_on, key)))
        services.print_line(f"{state.name:<17} {head}  {state.address}")
        services.print_line(f"    {words.say(f'uses_{state.name}.hint')}")
    rules = literature_rules(find.settings())
    if not rules.is_on:
        services.note(services.texts.error(rules.off()))


def _key(services: CommandServices, options: Namespace) -> int:
    """Store the key of a service in the keyring, or remove it."""
    name, keys = ServiceName(options.service), services.core.keys
    title = _titles()[name]
    if options.remove:
        had_key = bool(keys.get(key_id(name)))
        keys.delete(key_id(name))
        message = "literature.key_removed" if had_key else "literature.key_none"
        services.report({"service": name, "has_key": False}, message, name=title)
        return 0
    if options.key_stdin:
        key = services.stdin.readline().strip()
    else:
        key = getpass(services.texts.say("models.key", name=title), services.stderr).strip()
    if key:
        keys.put(key_id(name), key)
    is_kept = bool(key) and keys.is_lasting
    message = "literature.key_kept" if key else "literature.key_empty"
    if key and not is_kept:
        message = "literature.key_not_kept"
    services.report({"service": name, "has_key": is_kept}, message, name=title)
    return int(not is_kept)


def _titles() -> dict[ServiceName, str]:
    return {name: service.title for name, service in SERVICES.items()}


def _print_work(services: CommandServices, work: FoundWork, number: str = "") -> None:
    """Print a work in a few lines: title with its marks, authors, where, what more there is."""
    reference, texts = work.reference, services.texts
    indent = " " * len(number)
    year = f"({reference.year})" if reference.year else ""
    who = " ".join(filter(None, ("; ".join(reference.authors), year)))
    where = [reference.text("container-title"), *_shown_ids(work)]
    more = [", ".join(_titles()[name] for name in work.services)]
    if work.cited_by is not None:
        more.append(texts.count("literature.cited", work.cited_by))
    if work.open_copy:
        more.append(texts.say("literature.open", address=work.open_copy))
    if work.preprint_of:
        more.append(texts.say("literature.preprint_of", doi=work.preprint_of))
    if work.has_preprint:
        more.append(texts.say("literature.has_preprint", doi=work.has_preprint))
    lines = (who, ". ".join(filter(None, where)), " · ".join(filter(None, more)))
    services.print_line(f"{number}{_marked(services, work)}")
    for line in filter(None, lines):
        services.print_line(f"{indent}{line}")


def _marked(services: CommandServices, work: FoundWork) -> str:
    reference = work.whole_reference
    return marked_title(reference.title, reference.marks, services.texts)


def _shown_ids(work: FoundWork) -> list[str]:
    """Return the ids by which a person finds a work: its DOI, or else those of the services."""
    if work.doi:
        return [f"https://doi.org/{work.reference.doi}"]
    return [f"{kind}:{value}" for kind, value in work.ids.items()]


def _results_json(services: CommandServices, results: LiteratureResults) -> dict[str, JsonValue]:
    works: list[JsonValue] = [_work_json(work) for work in results.works]
    pages: list[JsonValue] = [
        {"service": name, "shown": count_matching(page, results.query), "total": page.total}
        for name, page in results.pages.items()
    ]
    failures: list[JsonValue] = [
        {
            "service": failure.service,
            "error": to_json(failure.error),
            "message": services.texts.error(failure.error),
        }
        for failure in results.failures
    ]
    query = object_json(results.query)
    return {"query": query, "services": pages, "failures": failures, "works": works}


def _work_json(work: FoundWork) -> dict[str, JsonValue]:
    reference = work.whole_reference
    return {
        "title": reference.title,
        "authors": list(reference.authors),
        "year": reference.year,
        "venue": reference.text("container-title"),
        "doi": work.doi,
        "ids": object_json(work.ids),
        "abstract": work.abstract,
        "open_copy": work.open_copy,
        "marks": list(reference.marks),
        "preprint_of": work.preprint_of,
        "has_preprint": work.has_preprint,
        "cited_by": work.cited_by,
        "services": list(work.services),
        "reference": dict(work.reference.csl),
    }


COMMANDS = {
    "add": Command(_add, Access.WRITE),
    "check": Command(_check, Access.WRITE),
    "cited-by": Command(_cited_by, Access.LOG),
    "complete": Command(_complete, Access.WRITE),
    "get": Command(_get, Access.LOG),  # what is contacted, and cached
    "key": Command(_key),
    "references": Command(_references, Access.LOG),
    "search": Command(_search, Access.LOG),
    "services": Command(_services),
}
