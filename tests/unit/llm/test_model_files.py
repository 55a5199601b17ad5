"""Models for this computer: which fit, and how one arrives from a server that errs."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from desktop.domain.errors import (
    ConnectionLostError,
    FileNotWrittenError,
    LocalOnlyError,
    ModelFileBrokenError,
    ModelFileMissingError,
    ModelFileRefusedError,
    ModelPullError,
    SpaceTooLittleError,
)
from desktop.domain.language import Language
from desktop.domain.web import Contact, ContactOutcome
from desktop.llm.model_files import (
    AvailableMemory,
    DownloadStoppedError,
    LocalModel,
    ModelFiles,
    fitting_models,
    local_models,
    read_memory,
)
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from tests.model_site import CONTENT, ModelSite

GIGABYTE = 1_000_000_000


@pytest.fixture
def site() -> Iterator[ModelSite]:
    with ModelSite() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def model(site: ModelSite) -> LocalModel:
    return site.model()


class Fetching:
    def __init__(self, folder: Path) -> None:
        self.contacts: list[Contact] = []
        self.shown: list[tuple[int, int]] = []
        self.settings = Settings()
        self.files = ModelFiles(folder, lambda: self.settings, self.contacts.append)

    def show(self, there: int, size: int) -> None:
        self.shown.append((there, size))


@pytest.fixture
def fetching(tmp_path: Path) -> Fetching:
    return Fetching(tmp_path / "models")


def test_a_model_arrives_with_its_progress_and_is_listed_among_the_contacts(
    fetching: Fetching, model: LocalModel
) -> None:
    file = fetching.files.fetch(model, fetching.show)
    assert file.read_bytes() == CONTENT
    assert [path.name for path in file.parent.iterdir()] == ["small.gguf"]
    assert fetching.shown[-1] == (len(CONTENT), len(CONTENT))
    assert [(contact.address, contact.outcome) for contact in fetching.contacts] == [
        (model.address, ContactOutcome.OK)
    ]


def test_a_model_that_is_there_is_not_fetched_again(
    fetching: Fetching, model: LocalModel, site: ModelSite
) -> None:
    fetching.files.fetch(model, fetching.show)
    fetching.files.fetch(model, fetching.show)
    assert len(site.ranges) == 1


def test_a_download_that_was_cut_goes_on_where_it_stopped(
    fetching: Fetching, model: LocalModel, site: ModelSite
) -> None:
    site.cut_at = 3 << 20
    with pytest.raises(ModelFileMissingError, match=r"127\.0\.0\.1"):
        fetching.files.fetch(model, fetching.show)
    site.cut_at = 0
    assert fetching.files.fetch(model, fetching.show).read_bytes() == CONTENT
    first, second = site.ranges
    assert first == "bytes=0-"
    assert int(second.removeprefix("bytes=").removesuffix("-")) > 0
    outcomes = [contact.outcome for contact in fetching.contacts]
    assert outcomes == [ContactOutcome.FAILED, ContactOutcome.OK]


def test_a_server_that_cannot_go_on_begins_anew(
    fetching: Fetching, model: LocalModel, site: ModelSite
) -> None:
    site.cut_at, site.takes_ranges = 3 << 20, False
    with pytest.raises(ModelFileMissingError):
        fetching.files.fetch(model, fetching.show)
    site.cut_at = 0
    assert fetching.files.fetch(model, fetching.show).read_bytes() == CONTENT


@pytest.mark.parametrize("content", [CONTENT[:-1] + b"?", CONTENT + b"more"])
def test_a_file_with_another_checksum_is_removed(
    fetching: Fetching, model: LocalModel, site: ModelSite, content: bytes
) -> None:
    site.content = content
    with pytest.raises(ModelFileBrokenError, match="Small 1B"):
        fetching.files.fetch(model, fetching.show)
    assert list(fetching.files.folder.iterdir()) == []


def test_a_server_without_the_model_is_named(
    fetching: Fetching, model: LocalModel, site: ModelSite
) -> None:
    site.status = 404
    with pytest.raises(ModelFileRefusedError) as caught:
        fetching.files.fetch(model, fetching.show)
    for language in Language:
        told = Texts(language).error(caught.value)
        assert "127.0.0.1" in told
        assert "404" in told


def test_a_server_that_is_not_reached_is_named(fetching: Fetching, model: LocalModel) -> None:
    away = replace(model, address="http://127.0.0.1:1/model.gguf")
    with pytest.raises(ConnectionLostError, match=r"127\.0\.0\.1"):
        fetching.files.fetch(away, fetching.show)


def test_a_download_that_is_stopped_keeps_what_arrived(
    fetching: Fetching, model: LocalModel
) -> None:
    with pytest.raises(DownloadStoppedError):
        fetching.files.fetch(model, fetching.show, lambda: len(fetching.shown) >= 2)
    (partial,) = fetching.files.folder.iterdir()
    assert 0 < partial.stat().st_size < len(CONTENT)


def test_a_disk_without_room_is_told_before_anything_is_sent(
    fetching: Fetching, model: LocalModel, site: ModelSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = shutil._ntuple_diskusage(9, 9, 400_000_000)  # other programs need some, too
    monkeypatch.setattr(shutil, "disk_usage", lambda _: left)
    with pytest.raises(SpaceTooLittleError):
        fetching.files.fetch(model, fetching.show)
    assert site.ranges == []


def test_a_disk_that_fills_is_told(model: LocalModel) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    fetching = Fetching(full / "models")
    with pytest.raises(FileNotWrittenError):
        fetching.files.fetch(model, fetching.show)


def test_nothing_is_fetched_for_a_profile_that_stays_on_this_computer(
    fetching: Fetching, model: LocalModel, site: ModelSite
) -> None:
    fetching.settings = Settings(is_local_only=True)
    with pytest.raises(LocalOnlyError):
        fetching.files.fetch(model, fetching.show)
    with pytest.raises(LocalOnlyError):
        fetching.files.pull(model, fetching.show, address=site.address)
    assert (site.ranges, site.pulled) == ([], [])


def test_ollama_fetches_a_model_and_tells_how_far_it_is(
    fetching: Fetching, model: LocalModel, site: ModelSite
) -> None:
    site.lines = [
        '{"status": "pulling manifest"}',
        '{"status": "pulling", "total": 100, "completed": 40}',
        '{"status": "success"}',
    ]
    fetching.files.pull(model, fetching.show, address=site.address)
    assert site.pulled == [{"model": "small:1b"}]
    assert fetching.shown == [(40, 100)]


@pytest.mark.parametrize(
    "lines",
    [
        ['{"error": "no such model"}'],
        ['{"status": "pulling"}'],
        [],
        ["<html>"],
        ['{"status": "pulling", "total": "many"}'],
        ["[" * 99_999],
    ],
)
def test_what_ollama_does_not_finish_is_an_error(
    fetching: Fetching, model: LocalModel, site: ModelSite, lines: list[str]
) -> None:
    site.lines = lines
    with pytest.raises(ModelPullError):
        fetching.files.pull(model, fetching.show, address=site.address)


def test_an_ollama_that_does_not_run_is_an_error(fetching: Fetching, model: LocalModel) -> None:
    with pytest.raises(ModelPullError):
        fetching.files.pull(model, fetching.show, address="http://127.0.0.1:1")


def test_three_models_are_shown_and_the_best_of_them_fits() -> None:
    for gigabytes in (1, 2, 4, 8, 12, 16, 24, 64):
        memory = AvailableMemory(gigabytes * GIGABYTE)
        shown = fitting_models(memory)
        assert len(shown) == 3
        assert list(shown) == sorted(shown, key=lambda model: -model.bytes)
        if any(memory.holds(model) for model in local_models()):
            assert any(memory.holds(model) for model in shown)
        larger = [model for model in local_models() if model.bytes > shown[0].bytes]
        assert not any(memory.holds(model) for model in larger)
    assert (
        fitting_models(AvailableMemory(8 * GIGABYTE, graphics=24 * GIGABYTE))[0].id == "qwen3-14b"
    )


def test_the_list_is_sorted_pinned_and_whole() -> None:
    models = local_models()
    assert list(models) == sorted(models, key=lambda model: model.bytes)
    for model in models:
        assert model.languages > 1
        assert len(bytes.fromhex(model.sha256)) == 32
        address = urlsplit(model.address)
        assert (address.scheme, address.hostname) == ("https", "huggingface.co")
        assert "/main/" not in model.address
        assert model.address.endswith(f"/{model.file}")


def test_this_computer_has_memory() -> None:
    assert read_memory().main > GIGABYTE // 2
