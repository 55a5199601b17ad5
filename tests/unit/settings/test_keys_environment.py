"""How the environment overrides the settings."""

from dataclasses import replace

import pytest

from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    clean_base_url,
)
from desktop.domain.errors import BaseUrlInvalidError
from desktop.settings.keys import (
    MODEL_NOT_CHOSEN,
    EnvironmentKeys,
    Kept,
    MemoryKeys,
    with_environment,
)
from desktop.settings.settings import Settings

CLOUD = Endpoint(EndpointId("cloud"), "Anthropic", EndpointKind.ANTHROPIC)
OLLAMA = Endpoint(
    EndpointId("ollama"), "Ollama", EndpointKind.SERVER, base_url="http://localhost:11434"
)
LOCAL = Settings(
    endpoints=(CLOUD, OLLAMA),
    roles={
        ModelRole.ANSWERING: ModelChoice(OLLAMA.id, "qwen3:8b"),
        ModelRole.QUICK: ModelChoice(CLOUD.id, "claude-haiku-5-5"),
    },
)
KEY = {"ANTHROPIC_API_KEY": "k-env"}


def answering(settings: Settings) -> tuple[Endpoint, str]:
    choice = settings.roles[ModelRole.ANSWERING]
    found = {endpoint.id: endpoint for endpoint in settings.endpoints}
    return found[choice.endpoint_id], choice.model


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": "", "BELLEK_MODEL": ""},
        {"PATH": "/bin"},
    ],
)
def test_an_empty_environment_variable_changes_nothing(environ: dict[str, str]) -> None:
    assert with_environment(LOCAL, environ) == LOCAL
    assert with_environment(Settings(), environ) == Settings()


def test_a_key_by_itself_connects_the_cloud_if_nothing_is_connected() -> None:
    endpoint, model = answering(with_environment(Settings(), KEY))
    assert endpoint.kind is EndpointKind.ANTHROPIC
    assert endpoint.base_url is None
    assert model == MODEL_NOT_CHOSEN


def test_a_key_alone_does_not_redirect_local_questions_to_the_cloud() -> None:
    assert with_environment(LOCAL, KEY) == LOCAL


@pytest.mark.parametrize(
    "settings", [replace(LOCAL, roles={}), replace(LOCAL, endpoints=(CLOUD,))]
)
def test_a_key_counts_for_the_cloud_endpoint_if_no_endpoint_is_chosen_or_it_is_gone(
    settings: Settings,
) -> None:
    assert answering(with_environment(settings, KEY))[0] == CLOUD


def test_an_address_takes_every_role_to_it() -> None:
    settings = with_environment(LOCAL, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9/v1/"})
    endpoint, model = answering(settings)
    assert endpoint.base_url == "http://127.0.0.1:9"
    assert endpoint.kind is EndpointKind.SERVER
    assert endpoint.name == "127.0.0.1:9"
    assert model == MODEL_NOT_CHOSEN
    assert set(settings.roles) == {ModelRole.ANSWERING}
    assert set(LOCAL.endpoints) < set(settings.endpoints)


def test_the_address_of_a_known_endpoint_keeps_its_model_and_what_is_known_of_it() -> None:
    assert answering(
        with_environment(LOCAL, {"ANTHROPIC_BASE_URL": "http://localhost:11434/"})
    ) == (OLLAMA, "qwen3:8b")


def test_the_clouds_own_address_is_the_cloud() -> None:
    settings = with_environment(Settings(), {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"})
    assert answering(settings)[0].kind is EndpointKind.ANTHROPIC


def test_a_model_replaces_the_answering_one_alone() -> None:
    settings = with_environment(LOCAL, {"BELLEK_MODEL": "gpt-oss:20b"})
    assert answering(settings) == (OLLAMA, "gpt-oss:20b")
    assert settings.roles[ModelRole.QUICK] == LOCAL.roles[ModelRole.QUICK]


@pytest.mark.parametrize("address", ["localhost:11434", "ftp://h", "http://", "http://h:99999"])
def test_an_invalid_address_is_an_error_and_does_not_fall_back_to_the_cloud(address: str) -> None:
    with pytest.raises(BaseUrlInvalidError) as caught:
        with_environment(Settings(), {"ANTHROPIC_BASE_URL": address, **KEY})
    assert caught.value.values == {"variable": "ANTHROPIC_BASE_URL"}


@pytest.mark.parametrize("secret", ["http://user:pw@h", "http://h/?key=1", "http://h/#key"])
def test_an_address_with_a_secret_in_it_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="more than an address"):
        clean_base_url(secret)


def test_an_address_keeps_its_path() -> None:
    assert clean_base_url(" https://gateway.example/anthropic/v1 ") == (
        "https://gateway.example/anthropic"
    )


@pytest.mark.parametrize(
    ("environ", "owner", "other"),
    [
        (KEY, CLOUD, OLLAMA),
        ({**KEY, "ANTHROPIC_BASE_URL": "http://localhost:11434"}, OLLAMA, CLOUD),
    ],
)
def test_the_environments_key_is_for_its_address_else_for_the_cloud(
    environ: dict[str, str], owner: Endpoint, other: Endpoint
) -> None:
    keys = EnvironmentKeys(MemoryKeys(), environ, lambda: LOCAL)
    assert (keys.get(owner.id), keys.get(other.id)) == ("k-env", None)


def test_a_kept_key_is_used_if_the_environment_has_none() -> None:
    keys = EnvironmentKeys(MemoryKeys(), {"ANTHROPIC_API_KEY": ""}, lambda: LOCAL)
    assert keys.put(CLOUD.id, "k-kept") is Kept.SESSION_ONLY
    assert keys.get(CLOUD.id) == "k-kept"
    keys.delete(CLOUD.id)
    assert keys.get(CLOUD.id) is None
    assert not keys.is_lasting
