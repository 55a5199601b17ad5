"""`bellek doctor`: whether the program can work here, and what is missing."""

from argparse import Namespace
from dataclasses import dataclass

from desktop.cli.output import print_json
from desktop.cli.services import CommandServices
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError
from desktop.domain.model import JsonValue


@dataclass(frozen=True, slots=True)
class Check:
    what: str
    is_ok: bool
    is_needed: bool
    detail: str


def doctor(services: CommandServices, options: Namespace) -> int:
    """Exit 0 when the program can work; what it can do without is reported all the same."""
    findings = [
        _database(services),
        _search(services),
        _meanings(services),
        _keyring(services),
        _model(services),
    ]
    works = all(finding.is_ok for finding in findings if finding.is_needed)
    if options.json:
        checks: dict[str, JsonValue] = {
            one.what: {"ok": one.is_ok, "detail": one.detail} for one in findings
        }
        print_json(services, {"works": works, "checks": checks})
    else:
        for finding in findings:
            print(f"{'✓' if finding.is_ok else '–'} {finding.detail}", file=services.stdout)
        print(
            services.texts.say("doctor.works" if works else "doctor.fails"), file=services.stdout
        )
    return 0 if works else 1


def _database(services: CommandServices) -> Check:
    try:
        services.archive.check()
    except AppError as exc:
        return Check("database", False, True, services.texts.error(exc))
    detail = services.texts.say("doctor.database", path=str(services.archive.path))
    return Check("database", True, True, detail)


def _search(services: CommandServices) -> Check:
    count = len(services.archive.index.unindexed())
    detail = services.texts.say("doctor.search", n=count)
    return Check("search", True, True, detail)


def _meanings(services: CommandServices) -> Check:
    if not services.core.meanings.is_on():
        return Check("meanings", True, False, services.texts.say("doctor.meanings_off"))
    made = services.core.meanings.progress()
    detail = services.texts.say(
        "doctor.meanings", done=made.embedded, sessions=made.sessions, refined=made.refined
    )
    return Check("meanings", made.embedded == made.sessions, False, detail)


def _keyring(services: CommandServices) -> Check:
    is_lasting = services.core.keys.is_lasting
    key = "doctor.keyring" if is_lasting else "doctor.no_keyring"
    return Check("keyring", is_lasting, False, services.texts.say(key))


def _model(services: CommandServices) -> Check:
    model = services.core.models.for_role(ModelRole.ANSWERING)
    if model is None:
        return Check("model", False, False, services.texts.say("doctor.no_model"))
    detail = services.texts.say("doctor.model", name=model.name, where=model.endpoint.name)
    return Check("model", True, False, detail)
