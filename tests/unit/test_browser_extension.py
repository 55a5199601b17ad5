"""The browser's button is built for Chromium and for Firefox from one folder."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "packaging"))
from browser import BROWSERS, contents  # type: ignore[import-not-found]

_IN_BOTH = {"action", "alarms", "i18n", "permissions", "runtime", "scripting", "storage"}
"""What both browsers call `chrome.…` and answer with promises, of what the manifest asks for."""


def manifest(browser: str) -> dict[str, Any]:  # Any: JSON
    return dict(json.loads(contents(browser)["manifest.json"]))


def scripts(browser: str) -> dict[str, str]:
    files = contents(browser)
    return {name: files[name].decode() for name in files if name.endswith(".js")}


def test_firefox_gets_an_event_page_its_id_and_what_it_says_about_data() -> None:
    made = manifest("firefox")
    assert made["manifest_version"] == 3
    assert made["background"] == {"scripts": ["background.js"]}
    gecko = made["browser_specific_settings"]["gecko"]
    assert "@" in gecko["id"]
    # From 140 on Firefox itself asks for consent; what goes to another program counts as sent.
    assert float(gecko["strict_min_version"]) >= 140
    sent = gecko["data_collection_permissions"]
    assert sent == {"required": ["browsingActivity", "websiteContent"]}
    # Firefox would otherwise turn http://127.0.0.1 into https.
    assert "upgrade-insecure-requests" not in made["content_security_policy"]["extension_pages"]


def test_chromium_gets_a_service_worker_and_no_key_that_it_does_not_have() -> None:
    made = manifest("chromium")
    assert made["background"] == {"service_worker": "background.js"}
    assert "browser_specific_settings" not in made


@pytest.mark.parametrize("browser", BROWSERS)
def test_every_file_and_text_that_is_named_is_there(browser: str) -> None:
    files, made = contents(browser), manifest(browser)
    background = made["background"]
    named = [
        *made["icons"].values(),
        *made["action"]["default_icon"].values(),
        made["options_ui"]["page"],
        *background.get("scripts", []),
        *filter(None, [background.get("service_worker")]),
        *re.findall(r'(?:src|href)="([^"]+)"', files["pair.html"].decode()),
    ]
    assert set(named) <= set(files)
    written = "\n".join(
        [json.dumps(made), files["pair.html"].decode(), *scripts(browser).values()]
    )
    keys = set(re.findall(r"__MSG_(\w+)__|getMessage\(\"(\w+)\"|data-text=\"(\w+)\"", written))
    wanted = {key for group in keys for key in group if key}
    for language in ("en", "tr"):
        texts = json.loads(files[f"_locales/{language}/messages.json"])
        assert wanted <= set(texts)


@pytest.mark.parametrize("browser", BROWSERS)
def test_the_scripts_use_only_what_both_browsers_have(browser: str) -> None:
    for text in scripts(browser).values():
        assert set(re.findall(r"\bchrome\.(\w+)", text)) <= _IN_BOTH
        assert not re.search(r"\b(?:importScripts|clients|registration|window)\b", text)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("browser", BROWSERS)
def test_the_scripts_can_be_parsed(browser: str, tmp_path: Path) -> None:
    for name, text in scripts(browser).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        done = subprocess.run(["node", "--check", tmp_path / name], check=False)  # noqa: S603, S607 - ours
        assert done.returncode == 0
