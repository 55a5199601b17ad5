"""Runs one command of the command line on one profile."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop.cli.commands import (
    Access,
    Command,
    CommandEnvironment,
    CommandServices,
    find_command,
    print_error,
)
from desktop.cli.profile import unlocked
from desktop.domain import errors
from desktop.domain.language import Language
from desktop.sessions.archive_care import convert
from desktop.sessions.services import Services
from desktop.settings.file_writing import make_private
from desktop.settings.log import start_logging
from desktop.settings.messages import Texts
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.profile import WAITS_S, ProfileLock
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive, open_for_reading, open_to_add

if TYPE_CHECKING:
    from desktop.sessions.exporting.contents import DrawFormula
    from desktop.settings.encryption import ProfileKey

_HINDRANCES = (
    errors.ProfileInUseError,
    errors.DatabaseReadOnlyError,
    errors.DatabaseLockedError,
    errors.DiskFullError,
    errors.DiskFailedError,
)
"""What keeps a command from preparing the archive, and not from reading it."""


def run_command(options: Namespace, paths: Paths, texts: Texts, language: Language | None) -> int:
    """Run the command and return its exit code; raises AppError."""
    command = find_command(options)
    profile = paths.profile(options.profile)
    environment = _environment(options, paths, texts)
    if command.access is Access.NONE:
        return command.run(environment, options) or 0
    store = SettingsStore(paths, options.profile)
    try:
        store.load()
    except errors.AppError as exc:
        print_error(texts, exc)
    stop_logging = start_logging(profile.logs)
    make_private(profile)
    try:
        key = unlocked(environment, options, asks=command.locked is None)
        if key is None and profile.is_encrypted and command.locked is not None:
            command.locked(environment, options)
            return 0
        if key is not None:
            key = _converted(profile, key, texts)
            environment = replace(environment, key=key)
            _unlock(store, key, texts)
        return _run(command, options, environment, store, language)
    except errors.DatabaseDamagedError:
        if not _salvage(profile, texts, environment.key):
            raise
        return 1  # it may have begun to answer: the caller decides on a retry
    finally:
        stop_logging()


def answer_programs(
    options: Namespace, paths: Paths, texts: Texts, language: Language | None
) -> int:
    """Answer other programs until they close the connection; raises AppError.

    The archive is open only while a call is answered, so that a profile which is locked, restored
    or opened by a window meanwhile is no exception.
    """
    try:
        from desktop.mcp.server import ProgramServer, serve  # noqa: PLC0415 - an extra, and a second
    except ModuleNotFoundError as exc:
        if (exc.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise errors.ProtocolMissingError from exc
    from desktop.settings.programs import ProgramCalls  # noqa: PLC0415 - as above

    profile = paths.profile(options.profile)
    server = ProgramServer(
        partial(_opened_for_call, options, paths, texts, language),
        ProgramCalls(profile.folder),
        texts,
        project=options.project,
        has_more=options.more,
        ask_window=partial(_ask_window, profile),
    )
    stop_logging = start_logging(profile.logs)
    try:
        server.check()
        serve(server, texts)
    finally:
        stop_logging()
    return 0


def _ask_window(profile: ProfilePaths, **fields: Any) -> bool:  # `replace` checks the names
    from desktop.app.single_instance import ask_first_window  # noqa: PLC0415 - Qt only if needed
    from desktop.ui.window.lifetime import WindowRequest  # noqa: PLC0415 - the same

    return ask_first_window(profile.folder, replace(WindowRequest(), **fields))


@contextmanager
def _opened_for_call(
    options: Namespace, paths: Paths, texts: Texts, language: Language | None
) -> Iterator[Services]:
    """Open the archive beside a window, if there is one.

    An encrypted profile is refused, also where the keyring has its key: whether a window has
    locked it cannot be seen from here.
    """
    environment = _environment(options, paths, texts)
    if environment.profile.is_encrypted:
        raise errors.ProgramsRefusedError(why=texts.say("mcp.is_encrypted"))
    store = SettingsStore(paths, options.profile)
    store.unlock(None)
    with _beside(environment.profile, texts, None) as archive:
        services = Services(archive, store, language)
        try:
            yield services
        finally:
            services.close()


def _unlock(store: SettingsStore, key: "ProfileKey | None", texts: Texts) -> None:
    try:
        store.unlock(key)
    except errors.AppError as exc:
        print_error(texts, exc)


def _run(
    command: Command,
    options: Namespace,
    environment: CommandEnvironment,
    store: SettingsStore,
    language: Language | None,
) -> int:
    profile = environment.profile
    if command.access is Access.REPLACE:
        with _locked(profile, WAITS_S):
            return command.run(environment, options) or 0
    opened = {
        Access.WRITE: partial(_owned, waits_s=WAITS_S),
        Access.LOG: partial(_beside, open_=open_to_add),
    }.get(command.access, _beside)
    with opened(profile, environment.texts, environment.key) as archive:
        services = Services(archive, store, language, print_pdf=_print_pdf)
        try:
            return command.run(_with_services(environment, services), options) or 0
        finally:
            services.close()


def _print_pdf(make: "Callable[[DrawFormula], str]") -> bytes:
    from desktop.ui.transcript.printing import print_pdf  # noqa: PLC0415 - no other command needs Qt

    return print_pdf(make)


def _converted(profile: ProfilePaths, key: "ProfileKey", texts: Texts) -> "ProfileKey | None":
    """Finish an interrupted conversion, unless a window has the profile and so has done it.

    What fails is told and tried again at the next start: each piece can be read as it is.
    """
    try:
        with suppress(errors.ProfileInUseError, errors.DatabaseReadOnlyError), _locked(profile):
            return convert(profile, key)
    except errors.AppError as exc:
        print_error(texts, exc)
    return key


@contextmanager
def _locked(profile: ProfilePaths, waits_s: float = 0) -> Iterator[None]:
    """Hold the profile's lock. Raises ProfileInUseError."""
    lock = ProfileLock(profile.lock, for_command=True, waits_s=waits_s)
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _owned(
    profile: ProfilePaths, texts: Texts, key: "ProfileKey | None", *, waits_s: float = 0
) -> Iterator[Archive]:
    """Yield the archive as its owner. Raises ProfileInUseError."""
    with _locked(profile, waits_s):
        archive = _open_or_salvage(profile, texts, key)
        try:
            archive.sessions.interrupt_streaming()
            _index(archive)
            yield archive
        finally:
            archive.close()


@contextmanager
def _beside(
    profile: ProfilePaths,
    texts: Texts,
    key: "ProfileKey | None",
    *,
    open_: Callable[..., Archive] = open_for_reading,
) -> Iterator[Archive]:
    """Yield the archive for reading, or to add rows; other processes may own the profile."""
    hindrance: errors.AppError | None = None
    try:
        with _owned(profile, texts, key):
            pass  # the owner's preparations are done
    except _HINDRANCES as exc:
        hindrance = exc
    try:
        archive = open_(profile.database, key=key)
    except errors.DatabaseReadOnlyError as exc:
        raise hindrance or exc from exc
    try:
        yield archive
    finally:
        archive.close()


def _salvage(profile: ProfilePaths, texts: Texts, key: "ProfileKey | None") -> bool:
    """Repair what the command met, unless another process has the profile."""
    try:
        with _locked(profile):
            open_archive(profile.database, backups=profile.backups, key=key).close()
    except errors.DatabaseDamagedError as exc:
        print_error(texts, exc)
    except errors.ProfileInUseError:
        return False
    else:
        print(texts.say("doctor.repaired_indexes"), file=sys.stderr)
    return True


def _open_or_salvage(profile: ProfilePaths, texts: Texts, key: "ProfileKey | None") -> Archive:
    try:
        return open_archive(profile.database, backups=profile.backups, key=key)
    except errors.DatabaseDamagedError as exc:
        print_error(texts, exc)
        return open_archive(profile.database, backups=profile.backups, key=key)


def _index(archive: Archive) -> None:
    with suppress(errors.DiskFullError, errors.DiskFailedError, errors.DatabaseReadOnlyError):
        for session_id in archive.index.unindexed():
            archive.index.index_session(session_id)


def _environment(options: Namespace, paths: Paths, texts: Texts) -> CommandEnvironment:
    return CommandEnvironment(
        paths=paths,
        profile=paths.profile(options.profile),
        texts=texts,
        as_json=options.json,
        stdin=sys.stdin,
        stdout=sys.stdout,
        stderr=sys.stderr,
    )


def _with_services(environment: CommandEnvironment, services: Services) -> CommandServices:
    parts = {field.name: getattr(environment, field.name) for field in fields(environment)}
    return CommandServices(**{**parts, "texts": services.texts()}, core=services)
