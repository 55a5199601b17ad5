"""`bellek watch`: added, listed with what hinders it, run, and removed for good."""

import pytest

from desktop.domain.diary import WatchUnknownError
from tests.commands import Done, bellek


def watch(*argv: str, lang: str = "en") -> Done:
    return bellek("watch", *argv, "--lang", lang)


def test_a_feed_is_added_listed_and_waits_while_the_web_is_off() -> None:
    added = watch("add", "--feed", "blog.example/feed", "--every", "week", "--json").json
    assert (added["kind"], added["subject"], added["every"]) == (
        "feed",
        "https://blog.example/feed",
        "week",
    )
    listed = watch("list").out
    assert f"{added['id']}  feed  every week  https://blog.example/feed" in listed
    assert "waits: " in listed
    assert [one["id"] for one in watch("list", "--json").lines] == [added["id"]]
    assert "No watch is due." in watch("run").err


def test_a_look_that_fails_says_why_and_ends_with_1() -> None:
    added = watch("add", "Ekmeğe ne kadar tuz konur?", "--json").json
    done = watch("run", str(added["id"]), lang="tr")
    assert (done.code, "izlemesine bakılamadı" in done.err) == (1, True)
    record = watch("run", str(added["id"]), "--json").json
    assert (record["error"]["key"], record["items"]) == ("web_off", [])


def test_a_watch_is_removed_for_good() -> None:
    added = watch("add", "Ada Lovelace", "--kind", "author", "--json").json
    assert watch("remove", str(added["id"]), "--json").json == {"id": added["id"], "deleted": True}
    assert "Nothing is watched." in watch("list").err
    assert (
        watch("remove", str(added["id"]), "--json").json["error"]["key"] == WatchUnknownError.key
    )


def test_a_watch_belongs_to_the_project_that_is_named() -> None:
    project = bellek("project", "create", "Tez", "--json").json
    added = watch("add", "Ekmek", "--kind", "literature", "--project", "Tez", "--json").json
    assert added["project"] == project["id"]
    assert "Ekmek  Tez\n" in watch("list").out
    again = watch("add", "ekmek", "--kind", "literature", "--project", "Tez", lang="tr")
    assert (again.code, "zaten izleniyor" in again.err) == (1, True)


@pytest.mark.parametrize(
    "argv",
    [
        ("add",),
        ("add", " "),
        ("add", "Soru", "--feed", "https://blog.example"),
        ("add", "--feed", "https://blog.example", "--kind", "author"),
        ("add", "--feed", "file:///etc/passwd"),
        ("run", "nowhere"),
    ],
)
def test_what_cannot_be_watched_is_refused(argv: tuple[str, ...]) -> None:
    done = watch(*argv)
    assert done.code in {1, 2}
    assert done.err.strip()
    assert "Traceback" not in done.err
