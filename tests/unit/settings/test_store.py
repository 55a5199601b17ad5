"""The settings file: written values are read back, and an unreadable file is never overwritten."""

import errno
import os
import stat
import sys
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.endpoints import (
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
)
from desktop.domain.errors import FileUnreadableError, SettingsBrokenError, SettingsNotSavedError
from desktop.domain.facts import Retention
from desktop.settings.encryption import ProfileKey
from desktop.settings.keys import MODEL_NOT_CHOSEN
from desktop.settings.paths import KEY_FILES, Paths
from desktop.settings.settings import (
    DIGITS,
    Overflow,
    Settings,
    StandingInstruction,
    Theme,
    ToolSwitch,
    UiLanguage,
    WebSearch,
)
from desktop.settings.settings_schema import (
    LONGEST_VARIABLE,
    Table,
    migrated,
    settings_of,
    written_into,
)
from desktop.settings.store import SettingsStore
from tests.guards import LogWatch

OLLAMA = Endpoint(
    EndpointId("ollama"),
    "Ollama",
    EndpointKind.SERVER,
    base_url="http://localhost:11434",
    capabilities=Capabilities(tools=True),
    context_tokens=8192,
)
CLOUD = Endpoint(EndpointId("cloud"), "Anthropic", EndpointKind.ANTHROPIC)
FILE = Endpoint(EndpointId("file"), "Qwen", EndpointKind.GGUF, gguf_path="/modeller/q.gguf")
NAMED = '[[endpoints]]\nid="a"\nname="A"\n'
FULL = Settings(
    language=UiLanguage.TR,
    theme=Theme.DARK,
    zoom_percent=125,
    welcomed=True,
    endpoints=(OLLAMA, CLOUD, FILE),
    roles={ModelRole.ANSWERING: ModelChoice(OLLAMA.id, "qwen3:8b")},
    parameters={
        ModelRole.ANSWERING: RoleParameters(4_000, 0.3),
        ModelRole.DEEP: RoleParameters(temperature=0.0),
    },
    idle_minutes=5,
    overflow=Overflow.KEEP_LAST,
    overflow_share=0.5,
    detects_thanks=False,
    own_end_phrases=("eyvallah", "İYİ GECELER"),
    instructions=(
        StandingInstruction("Kaynak göster."),
        StandingInstruction("Şaka yap.", is_on=False),
    ),
    persona="butler",
    own_persona="Sen bir fenersin.",
    checks_answers=False,
    tools={"recall": ToolSwitch(asks_first=True), "memory_age": ToolSwitch(is_on=False)},
    shortcuts={"send": "Ctrl+Return", "stop": ""},
    uses_memory=False,
    uses_past_sessions=False,
    history_items=10,
    compact_after=80,
    is_lite=True,
    variables={"çalışma alanı": "endokrinoloji", "birimler": "mg/dl, °C"},
    retention=(Retention("sağlık*", 8_760), Retention("hava", 0)),
    uses_web=True,
    uses_endpoint_web=False,
    web_search=WebSearch.SEARXNG,
    searxng_address="http://localhost:8080",
    web_only=("example.org",),
    web_never=("ornek.com.tr", "localhost:3000"),
    web_at_home=("wiki.ev",),
    zotero_address="http://localhost:23120",
)


def at_noon() -> datetime:
    return datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "config", tmp_path / "data")


@pytest.fixture
def path(paths: Paths) -> Path:
    """The file of the settings that all profiles share."""
    return paths.settings_file


@pytest.fixture
def personal(paths: Paths) -> Path:
    return paths.profile().settings_file


@pytest.fixture
def store(paths: Paths) -> SettingsStore:
    return SettingsStore(paths, clock=at_noon)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_without_a_file_the_defaults_apply_and_none_is_written(
    store: SettingsStore, path: Path
) -> None:
    assert store.load() == Settings()
    assert not path.exists()


def to_four_places(least: float, most: float) -> st.SearchStrategy[float]:
    return st.floats(least, most).map(lambda number: round(number, DIGITS))


endpoints = st.lists(
    st.sampled_from([OLLAMA, CLOUD, FILE]), unique_by=lambda endpoint: endpoint.id
).map(tuple)
words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)
short_words = words.filter(lambda text: len(text) <= LONGEST_VARIABLE)
any_settings = st.builds(
    Settings,
    language=st.sampled_from(UiLanguage),
    zoom_percent=st.integers(50, 300),
    endpoints=endpoints,
    roles=st.dictionaries(
        st.sampled_from(ModelRole),
        st.builds(ModelChoice, st.just(CLOUD.id), words | st.just(MODEL_NOT_CHOSEN)),
    ),
    parameters=st.dictionaries(
        st.sampled_from(ModelRole),
        st.builds(RoleParameters, st.integers(500, 128_000), st.none() | to_four_places(0, 2)),
    ),
    overflow_share=to_four_places(0.1, 0.95),
    ignored_phrases=st.lists(words).map(tuple),
    shortcuts=st.dictionaries(words, words),
    compact_after=st.just(0) | st.integers(30, 80),
    variables=st.dictionaries(short_words, short_words, max_size=20),
    retention=st.lists(st.builds(Retention, words, st.integers(0, 100_000))).map(tuple),
)


@given(any_settings, any_settings)
def test_any_settings_written_over_any_others_are_read_back_whole(
    before: Settings, after: Settings
) -> None:
    assert settings_of(written_into(written_into({}, before), after)) == after


def test_fields_of_a_newer_program_are_kept(
    store: SettingsStore, path: Path, personal: Path
) -> None:
    store.save(FULL)
    for file in (path, personal):
        newer = file.read_text(encoding="utf-8").replace(
            "version = 1", 'version = 7\nmood = "calm"'
        )
        file.write_text(newer.replace('id = "ollama"', 'id = "ollama"\nproxy = "none"'), "utf-8")
    with personal.open("a", encoding="utf-8") as more:
        more.write('\n[roles.painting]\nendpoint_id = "ollama"\nmodel = "brush"\n')

    store.load()
    store.change(zoom_percent=150, endpoints=(CLOUD, OLLAMA))

    table, own = (tomllib.loads(file.read_text(encoding="utf-8")) for file in (path, personal))
    for one in (table, own):
        assert one["version"] == 7
        assert one["mood"] == "calm"
    assert own["roles"]["painting"]["model"] == "brush"
    assert [endpoint.get("proxy") for endpoint in own["endpoints"]] == [None, "none"]
    assert table["zoom_percent"] == 150


def test_a_renamed_setting_is_read_by_its_former_name_and_written_by_the_new() -> None:
    former = {"text_size": "zoom_percent", "mood": "theme"}
    table = migrated({"text_size": 150, "mood": "dark", "theme": "light"}, former=former)
    assert table == {"zoom_percent": 150, "theme": "light", "version": 1}


def test_two_windows_do_not_undo_each_others_changes(store: SettingsStore, paths: Paths) -> None:
    other = SettingsStore(paths)
    other.load()
    store.change(theme=Theme.DARK)
    assert other.change(zoom_percent=150).theme is Theme.DARK


def test_a_file_written_by_an_editor_or_a_person_is_read(store: SettingsStore, path: Path) -> None:
    server = 'id="a"\nname="A"\nkind="server"\nbase_url="http://localhost:1234/v1/"'
    write(path, f'\ufefftheme = "dark"\n[[endpoints]]\n{server}\n')
    assert store.load().theme is Theme.DARK
    assert store.load().endpoints[0].base_url == "http://localhost:1234"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[parameters.quick]\ntemperature = 3.5", "parameters.quick.temperature"),
        ('[parameters.deep]\ntemperature = "warm"', "parameters.deep.temperature"),
        ("[parameters.deep]\nmost_output_tokens = 12", "parameters.deep.most_output_tokens"),
        ('theme = "dark"\nzoom = = 2', "settings.toml:2"),
        ("[" * 5000, "settings.toml:1"),
        ("a = " + "[" * 5000, "settings.toml"),
        ('theme = "mor"', "theme"),
        ("theme = 3", "theme"),
        ("zoom_percent = 1000", "zoom_percent"),
        ("zoom_percent = true", "zoom_percent"),
        ("idle_minutes = 0", "idle_minutes"),
        ("overflow_share = nan", "overflow_share"),
        ('overflow_share = "çok"', "overflow_share"),
        ("welcomed = 1", "welcomed"),
        ("compact_after = 29", "compact_after"),
        ("compact_after = 81", "compact_after"),
        ("history_items = 3", "history_items"),
        ("[variables]\nalan = 3", "variables.alan"),
        ("[[retention]]\nhours = 3", "retention[0].pattern"),
        ('[[retention]]\npattern = "a*"\nhours = -1', "retention[0].hours"),
        (f'[variables]\nalan = "{"x" * 201}"', "variables.alan"),
        ('own_end_phrases = ["a", 2]', "own_end_phrases"),
        ('own_end_phrases = "a"', "own_end_phrases"),
        ("version = 0", "version"),
        ("roles = 1", "roles"),
        ('[roles.answering]\nmodel = "m"', "roles.answering.endpoint_id"),
        ("[shortcuts]\nsend = 1", "shortcuts.send"),
        ("endpoints = 1", "endpoints"),
        ("endpoints = [1]", "endpoints[0]"),
        (NAMED, "endpoints[0].kind"),
        (f'{NAMED}kind="radio"', "endpoints[0].kind"),
        (f'{NAMED}kind="server"', "endpoints[0].base_url"),
        (f'{NAMED}kind="gguf"', "endpoints[0].gguf_path"),
        (f'{NAMED}kind="server"\nbase_url="http://u:secret@h"', "endpoints[0].base_url"),
        (f'{NAMED}kind="anthropic"\n' * 2, "endpoints[1].id"),
    ],
)
def test_a_broken_file_is_set_aside_and_the_field_named(
    store: SettingsStore, path: Path, text: str, place: str
) -> None:
    write(path, text)
    with pytest.raises(SettingsBrokenError) as caught:
        store.load()
    kept = path.with_name("settings.toml.broken-20261121T120000Z")
    assert caught.value.values == {"kept": str(kept), "place": place}
    assert kept.read_text(encoding="utf-8") == text
    assert store.load() == Settings()


def test_a_second_broken_file_does_not_replace_the_first(store: SettingsStore, path: Path) -> None:
    path.parent.mkdir()
    for data in (b"= 1", b"\xff\xfe\x00"):
        path.write_bytes(data)
        with pytest.raises(SettingsBrokenError):
            store.load()
    assert sorted(file.read_bytes() for file in path.parent.iterdir()) == [b"= 1", b"\xff\xfe\x00"]


def test_a_file_that_breaks_while_in_use_is_set_aside_and_the_change_made(
    store: SettingsStore, paths: Paths, path: Path, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.settings.store", "settings_broken")
    store.save(FULL)
    write(path, "= hand edited")
    assert store.change(zoom_percent=150).theme is FULL.theme
    assert SettingsStore(paths).load().zoom_percent == 150
    assert path.with_name("settings.toml.broken-20261121T120000Z").exists()


def test_settings_that_could_not_be_read_back_are_not_written(
    store: SettingsStore, path: Path
) -> None:
    store.save(FULL)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="zoom_percent"):
        store.change(zoom_percent=7)
    with pytest.raises(TypeError):
        store.change(colour="mor")
    assert path.read_bytes() == before
    assert store.current == FULL


def test_a_full_disk_leaves_the_old_file_whole_and_the_change_in_force(
    store: SettingsStore, paths: Paths, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(FULL)

    def no_space(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(SettingsNotSavedError) as caught:
        store.change(zoom_percent=150)
    assert caught.value.values["path"] == str(path)
    assert store.current.zoom_percent == 150
    assert SettingsStore(paths).load() == FULL
    assert [file.name for file in path.parent.iterdir()] == ["settings.toml"]


def test_a_file_that_may_not_be_read_is_left_where_it_is(store: SettingsStore, path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(FileUnreadableError):
        store.load()
    assert path.is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes or links")
def test_a_linked_settings_file_stays_a_link_and_private(
    store: SettingsStore, path: Path, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles" / "bellek.toml"
    write(real, "zoom_percent = 110\n")
    path.parent.mkdir()
    path.symlink_to(real)
    store.load()
    store.change(theme=Theme.LIGHT)
    assert path.is_symlink()
    assert 'theme = "light"' in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_two_profiles_share_the_look_and_nothing_personal(paths: Paths) -> None:
    one, other = SettingsStore(paths), SettingsStore(paths, "iş")
    one.change(endpoints=(CLOUD,), instructions=(StandingInstruction("Kısa yaz."),), uses_web=True)
    other.change(endpoints=(OLLAMA,), instructions=(StandingInstruction("Uzun yaz."),))
    one.change(theme=Theme.DARK, variables={"alan": "tıp"})
    assert other.change(zoom_percent=150).theme is Theme.DARK

    first, second = SettingsStore(paths).load(), SettingsStore(paths, "iş").load()
    assert (first.endpoints, second.endpoints) == ((CLOUD,), (OLLAMA,))
    assert [one.instructions[0].text for one in (first, second)] == ["Kısa yaz.", "Uzun yaz."]
    assert (first.uses_web, second.uses_web) == (True, False)
    assert (first.variables, second.variables) == ({"alan": "tıp"}, {})
    assert (first.zoom_percent, second.theme) == (150, Theme.DARK)


def test_every_profile_takes_the_settings_that_all_shared_once(paths: Paths, path: Path) -> None:
    paths.profile("eski").folder.mkdir(parents=True)
    write(path, tomli_w.dumps(written_into({}, FULL)))
    assert SettingsStore(paths).load() == FULL
    assert SettingsStore(paths, "eski").load() == FULL
    assert "endpoints" not in tomllib.loads(path.read_text(encoding="utf-8"))

    fresh = SettingsStore(paths, "yeni").load()
    assert (fresh.theme, fresh.endpoints, fresh.persona) == (FULL.theme, (), Settings().persona)


def test_a_split_that_was_killed_continues_at_the_next_start(paths: Paths, path: Path) -> None:
    SettingsStore(paths).change(is_lite=True)
    write(path, tomli_w.dumps(written_into({}, FULL)))
    assert SettingsStore(paths).load().is_lite
    assert SettingsStore(paths).load().endpoints == ()
    assert "endpoints" not in tomllib.loads(path.read_text(encoding="utf-8"))


def test_a_broken_personal_file_leaves_the_shared_settings(
    store: SettingsStore, personal: Path
) -> None:
    store.save(FULL)
    write(personal, "idle_minutes = 0")
    with pytest.raises(SettingsBrokenError) as caught:
        store.load()
    assert Path(str(caught.value.values["kept"])).parent == personal.parent
    assert store.current.theme is FULL.theme
    assert store.current.endpoints == ()


def test_personal_settings_of_a_locked_profile_are_neither_read_nor_written(
    paths: Paths, personal: Path
) -> None:
    store = SettingsStore(paths)
    write(paths.settings_file, 'theme = "dark"')
    personal.parent.mkdir(parents=True)
    (personal.parent / KEY_FILES[0]).touch()
    key = ProfileKey(bytes(range(48)))
    store.unlock(key)
    store.save(FULL)
    assert b"Kaynak" not in personal.read_bytes()

    locked = SettingsStore(paths)
    assert locked.load().instructions == ()
    assert locked.change(zoom_percent=150).theme is FULL.theme
    with pytest.raises(SettingsNotSavedError):
        locked.change(uses_web=False, is_lite=True)
    assert locked.unlock(key) == replace(FULL, zoom_percent=150)


def test_old_layouts_are_migrated_step_by_step() -> None:
    def renamed(table: Table) -> Table:
        return {"b": table["a"]}

    def doubled(table: Table) -> Table:
        return {"c": [table["b"], table["b"]]}

    steps = (renamed, doubled)
    assert migrated({"a": 1}, steps) == {"version": 3, "c": [1, 1]}
    assert migrated({"version": 2, "b": 1}, steps) == {"version": 3, "c": [1, 1]}
    assert migrated({"version": 9, "a": 1}, steps) == {"version": 9, "a": 1}
