"""The catalogs: complete, faithful to their sources, and in step with the code."""

import ast
import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import PySide6
import pytest

ROOT = Path(__file__).parents[2]
CATALOGS: dict[str, tuple[str, ...]] = {"tr": (), "en": ("-pluralonly",)}
both = pytest.mark.parametrize("language", CATALOGS)

_SLOT = re.compile(r"\{[^{}]*\}|%n|%\d")
_MNEMONIC = re.compile(r"&(?!&)")


def messages(catalog: Path) -> Iterator[tuple[str, ET.Element]]:
    for context in ET.parse(catalog).iter("context"):  # noqa: S314 (our own file)
        for message in context.iter("message"):
            yield context.findtext("name", ""), message


def committed(language: str) -> list[tuple[str, ET.Element]]:
    return list(messages(ROOT / "i18n" / f"bellek_{language}.ts"))


def forms(message: ET.Element) -> list[str]:
    translation = message.find("translation")
    assert translation is not None
    plural = [form.text or "" for form in translation.iter("numerusform")]
    return plural or [translation.text or ""]


def sources(catalog: list[tuple[str, ET.Element]]) -> set[tuple[str, str, str]]:
    return {
        (context, message.findtext("source", ""), message.findtext("comment", ""))
        for context, message in catalog
    }


@both
def test_nothing_is_unfinished_or_vanished(language: str) -> None:
    left = [
        (context, message.findtext("source"))
        for context, message in committed(language)
        if message.find("translation[@type]") is not None or not all(forms(message))
    ]
    assert left == []


@both
def test_every_form_has_the_slots_of_its_source(language: str) -> None:
    wrong = [
        (context, source, form)
        for context, message in committed(language)
        for source in [message.findtext("source", "")]
        for form in forms(message)
        if sorted(_SLOT.findall(form)) != sorted(_SLOT.findall(source))
    ]
    assert wrong == []


@both
def test_what_can_be_reached_by_alt_still_can(language: str) -> None:
    lost = [
        (context, source, form)
        for context, message in committed(language)
        for source in [message.findtext("source", "")]
        for form in forms(message)
        if len(_MNEMONIC.findall(form)) != len(_MNEMONIC.findall(source))
    ]
    assert lost == []


def test_english_has_two_plural_forms_and_turkish_one() -> None:
    counts = {
        language: {
            len(forms(message)) for _, message in committed(language) if message.get("numerus")
        }
        for language in CATALOGS
    }
    assert counts == {"tr": {1}, "en": {2}}


@both
def test_a_fresh_look_at_the_code_finds_the_same_words(language: str, tmp_path: Path) -> None:
    """Where this fails, run packaging/catalogs.sh and translate what it marks."""
    fresh = tmp_path / f"bellek_{language}.ts"
    code = sorted(str(path) for path in (ROOT / "desktop" / "ui").rglob("*.py"))
    lupdate = next(Path(PySide6.__file__).parent.glob("lupdate*"))
    languages = ["-source-language", "en", "-target-language", language]
    command = [str(lupdate), "-silent", *languages, *CATALOGS[language], *code, "-ts", str(fresh)]
    subprocess.run(command, check=True, timeout=60)  # noqa: S603 (Qt's own tool)
    assert sources(list(messages(fresh))) == sources(committed(language))


def test_every_text_of_the_code_is_in_the_catalog() -> None:
    """lupdate skips, in silence, what it cannot parse: a text in parentheses of its own, say."""
    known = {message.findtext("source", "") for _, message in committed("tr")}
    code = (ROOT / "desktop" / "ui").rglob("*.py")
    written = {text for path in code for text in _translated(ast.parse(path.read_text("utf-8")))}
    assert written - known == set()


def _translated(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = {"tr": 0, "translate": 1}.get(name)
        if place is not None and len(node.args) > place:
            text = node.args[place]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value
