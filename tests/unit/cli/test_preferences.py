"""`bellek memory preferences`: they are read, switched, reworded, forgotten and carried along."""

from pathlib import Path

import pytest

from tests.commands import Done, bellek
from tests.fakes import ScriptedServer
from tests.models import connect


@pytest.fixture(autouse=True)
def _wished(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        connect(tmp_path / "bellek", server, describes_with_model=False)
        bellek("ask", "Bundan sonra kısa yanıt ver.")


def preferences(*argv: str) -> Done:
    return bellek("memory", "preferences", *argv, "--json")


def test_a_preference_is_listed_with_its_message() -> None:
    one = preferences().json
    assert (one["kind"], one["value"], one["confidence"], one["is_in_effect"]) == (
        "detail",
        "short",
        0.9,
        True,
    )
    (said,) = one["evidence"]
    assert said["quote"] == "Bundan sonra kısa yanıt ver."
    shown = bellek("memory", "preferences", "list", "--lang", "tr").out
    assert "kullanılıyor  kısa yanıtlar" in shown
    assert said["session_id"] in shown


def test_it_is_switched_off_and_on_and_put_in_own_words() -> None:
    name = str(preferences().json["id"])
    assert preferences("off", name).json["is_in_effect"] is False
    assert preferences("on", name).json["is_in_effect"] is True
    assert preferences("edit", name, "En çok beş cümle").json["words"] == "En çok beş cümle"
    assert bellek("memory", "list", "--json").out == ""
    assert bellek("memory", "preferences", "edit", name).code == 2
    assert preferences("edit", name, "parolam: gizli123").code == 1


def test_a_forgotten_preference_is_not_learned_again() -> None:
    name = str(preferences().json["id"])
    assert preferences("forget", name).json == {"id": name, "forgotten": True}
    assert bellek("memory", "list", "--json").out == ""
    bellek("ask", "Fotosentez nedir?")
    assert preferences().out == ""
    assert preferences("off", name).code == 1


def test_an_export_moves_it_to_another_archive(tmp_path: Path) -> None:
    file = tmp_path / "bellek.jsonl"
    bellek("memory", "export", "--all", "-o", str(file))
    other = ("--data-dir", str(tmp_path / "öteki"))
    done = bellek("memory", "reload", str(file), "--json", *other)
    assert (done.json["preferences_added"], done.json["problems"]) == (1, [])
    assert bellek("memory", "preferences", "--json", *other).json["is_in_effect"] is True
    assert bellek("memory", "reload", str(file), "--json", *other).json["preferences_added"] == 0
