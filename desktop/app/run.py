"""Starts a command, the window or a benchmark, and imports only what that needs."""

import builtins
import errno
import gc
import importlib
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from desktop.cli.commands import print_failure
from desktop.cli.parser import make_parser, parse
from desktop.domain import errors
from desktop.domain.language import Language
from desktop.settings.messages import Texts, system_language
from desktop.settings.paths import DEFAULT_PROFILE, Paths, asset, program_version

DONE, FAILED, WRONG_USAGE = 0, 1, 2
_IN_A_WINDOW = ("open", "quick")


def run(argv: Sequence[str]) -> int:
    """Run and return the exit code: 0 done, 1 an error of the environment, 2 wrong usage."""
    _open_closed_streams()
    _speak_utf8()
    language = _asked_language(argv)
    texts = Texts(language or system_language(os.environ))
    command, as_json = "bellek", "--json" in argv
    try:
        options = parse(argv, texts)
        command += f" {options.command or ''}".rstrip()
        code = _dispatch(options, texts, language)
        sys.stdout.flush()
    except errors.UsageError as exc:
        if exc.key == "usage" and "command" not in exc.values:  # found by the command, not parsed
            detail = texts.say("grammar.invalid", detail=str(exc.values.get("detail", "")))
            exc = errors.UsageError(detail=detail, command=command)
        print_failure(texts, exc, as_json=as_json)
        return WRONG_USAGE
    except errors.AppError as exc:
        print_failure(texts, exc, as_json=as_json)
        return FAILED
    except KeyboardInterrupt:
        return FAILED
    except OSError as exc:
        is_full = exc.errno in (errno.ENOSPC, errno.EDQUOT)
        if not is_full and not isinstance(exc, BrokenPipeError):
            raise
        # Nothing takes our output any more; Python would report it once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if is_full:
            print_failure(texts, errors.DiskFullError(), as_json=False)
        return FAILED
    return code


def _dispatch(options: Namespace, texts: Texts, language: Language | None) -> int:
    is_chosen, options.profile = bool(options.profile), options.profile or DEFAULT_PROFILE
    paths = (
        Paths.under(Path(options.data_dir)) if options.data_dir else Paths.of_system(os.environ)
    )
    if options.version:
        print(texts.say("cli.version", version=program_version()))
        return DONE
    needs_window = _needs_window(options)
    if options.self_test or needs_window:
        import_plainly()
    if options.self_test:
        if not _has_display():
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from desktop.app.self_test import self_test  # noqa: PLC0415 - Qt only if it is needed

        return self_test()
    if (small := _small_command(options, paths, texts)) is not None:
        return small
    if needs_window:
        from desktop.app.window import open_window  # noqa: PLC0415 - Qt only if it is needed
        from desktop.settings.store import last_profile  # noqa: PLC0415 - the same
        from desktop.ui.window.lifetime import WindowRequest  # noqa: PLC0415 - the same

        backup = Path(options.restoring) if options.restoring else None
        request = WindowRequest(
            options.command == "quick",
            tuple(Path(file) for file in getattr(options, "opened", ())),
            is_hidden=options.in_tray,
            is_repair=options.repairing,
            is_locked=options.keep_locked,
        )
        profile = options.profile if is_chosen else last_profile(paths)
        return open_window(paths, profile, language, restoring=backup, request=request)
    if options.command is None:
        print(texts.say("cli.no_display"), file=sys.stderr)
        options.command = "chat"
    return _run_command(options, paths, texts, language)


def _run_command(options: Namespace, paths: Paths, texts: Texts, language: Language | None) -> int:
    if options.command == "mcp":
        from desktop.app.command_runner import answer_programs  # noqa: PLC0415 - for this alone

        return answer_programs(options, paths, texts, language)
    gc.disable()  # imports leave hardly any garbage; collecting takes a tenth of the start
    from desktop.app.command_runner import run_command  # noqa: PLC0415 - a window starts without it

    gc.freeze()  # what is imported next is collected without looking at this again
    gc.enable()
    return run_command(options, paths, texts, language)


def _small_command(options: Namespace, paths: Paths, texts: Texts) -> int | None:
    """Run a command that opens no profile; None for other commands."""
    if options.command == "bench":
        return _bench(options)
    if options.command == "completion":
        from desktop.cli.parser import completion_script  # noqa: PLC0415 - for this alone

        print(completion_script(make_parser(texts), options.shell), end="")
        return DONE
    if options.command == "profile" and options.action == "lock":
        return _lock(paths, options.profile, texts)
    return None


def _lock(paths: Paths, name: str, texts: Texts) -> int:
    """Have the window that has the profile lock it, and the keyring forget the key."""
    from desktop.app.single_instance import ask_first_window  # noqa: PLC0415 - for this alone
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - the same
    from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - the same
    from desktop.ui.window.lifetime import WindowRequest  # noqa: PLC0415 - the same

    profile = paths.profile(name)
    if not profile.is_encrypted:
        raise errors.UsageError(detail=texts.say("passphrase.none"))
    KeyFile.of_profile(profile.folder).forget(KeyringKeys(profile=name))
    is_heard = ask_first_window(profile.folder, WindowRequest(is_locked=True))
    print(texts.say("passphrase.locked" if is_heard else "passphrase.not_open"))
    return DONE


def _needs_window(options: Namespace) -> bool:
    """Raise DisplayMissingError if the request needs a window."""
    is_asked = options.command in _IN_A_WINDOW
    if is_asked and not _has_display():
        raise errors.DisplayMissingError
    return is_asked or (options.command is None and _has_display())


def _bench(options: Namespace) -> int:
    """Benchmarks belong to the tests, which only the source tree has."""
    tests = asset("tests")
    if not (tests / "bench").is_dir():
        raise errors.BenchmarksMissingError
    sys.path.insert(0, str(tests.parent))
    code: int = importlib.import_module("tests.bench.bench").bench(
        options.names,
        runs=options.runs,
        is_small=options.small,
        is_encrypted=options.encrypted,
        is_synced=options.synced,
        has_display=_has_display(),
    )
    return code


def import_plainly() -> None:
    """Import without PySide's hook, a fifth faster, and without collecting, another tenth.

    A window collects again once all is loaded.
    """
    gc.disable()
    import PySide6.QtCore  # noqa: F401, PLC0415 - this adds the hook

    builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)


def _asked_language(argv: Sequence[str]) -> Language | None:
    """Return the value of --lang before parsing: the parser's own texts depend on it."""
    for place, argument in enumerate(argv):
        name, _, value = argument.partition("=")
        if name == "--lang":
            code = value or "".join(argv[place + 1 : place + 2])
            return Language(code) if code in set(Language) else None
    return None


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in names)


def _open_closed_streams() -> None:
    """Open what the caller closed (`>&-`) on nothing: the next file would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _speak_utf8() -> None:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="replace")
