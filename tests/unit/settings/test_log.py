"""The log: events, and never a word of a conversation."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.domain.errors import AppError, RequestRejectedError
from desktop.settings.log import LOG_NAME, start_logging
from tests.guards import LogWatch

SECRET = "sk-çok-gizli"  # noqa: S105  # stands for a key
log = logging.getLogger("desktop.settings.test_log")


@pytest.fixture(autouse=True)
def logs(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "logs"
    stop = start_logging(folder, logging.INFO)
    yield folder
    stop()


def written(folder: Path) -> str:
    return (folder / LOG_NAME).read_text(encoding="utf-8")


def rejected() -> RequestRejectedError:
    return RequestRejectedError(status=400, detail=SECRET)


def fail() -> None:
    try:
        int(SECRET)
    except ValueError as exc:
        raise rejected() from exc


def test_nothing_is_written_before_there_is_something_to_say(logs: Path) -> None:
    assert not (logs / LOG_NAME).exists()


def test_a_record_has_its_logger_and_level(logs: Path) -> None:
    log.info("the window opened in %d ms", 12)
    log.debug("too fine")
    assert "INFO desktop.settings.test_log [MainThread] the window opened in 12 ms" in written(
        logs
    )
    assert "too fine" not in written(logs)


@pytest.mark.parametrize(
    "logged",
    [
        ("%s", rejected()),
        ("%r", rejected()),
        ("asked: %s", rejected()),
        (rejected(),),
        ("%(error)s", {"error": rejected()}),
    ],
)
def test_an_error_of_ours_is_written_with_its_key_and_the_names_of_its_values(
    logs: Path, logged: tuple[Any, ...]
) -> None:
    log.info(*logged)
    assert "RequestRejectedError request_rejected (detail, status)" in written(logs)
    assert SECRET not in written(logs)


def test_a_logged_traceback_has_the_calls_and_causes_without_their_messages(
    logs: Path, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop", "broke")
    try:
        fail()
    except AppError:
        log.exception("turn %s broke", "t1")
    text = written(logs)
    assert "in fail" in text
    assert text.index("ValueError") < text.index("RequestRejectedError request_rejected")
    assert SECRET not in text


def test_the_traceback_of_another_handler_is_not_reused(logs: Path, log_watch: LogWatch) -> None:
    log_watch.expect("desktop", "broke")
    exc = OSError(28, SECRET)
    record = logging.LogRecord("desktop", logging.ERROR, "", 1, "broke", (), None)
    record.exc_info = (OSError, exc, None)
    record.exc_text = f"OSError: {SECRET}"
    logging.getLogger("desktop").handle(record)
    assert "OSError ENOSPC" in written(logs)
    assert SECRET not in written(logs)


def test_log_records_of_libraries_stay_out(logs: Path, log_watch: LogWatch) -> None:
    log_watch.expect("httpx")
    logging.getLogger("httpx").warning("POST %s", SECRET)
    log.info("after")
    assert SECRET not in written(logs)


def test_the_log_does_not_grow_without_end(tmp_path: Path) -> None:
    for _ in range(6000):
        log.info("x" * 1000)
    sizes = [file.stat().st_size for file in (tmp_path / "logs").iterdir()]
    assert len(sizes) == 4
    assert max(sizes) <= 1_000_000


def test_a_log_that_cannot_be_written_stops_no_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    stop = start_logging(tmp_path / "file" / "logs")
    log.info("said to nobody")
    stop()
    assert capsys.readouterr() == ("", "")
