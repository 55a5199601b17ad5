"""What a front end can reach from the services: nothing of the archive that can write."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType, MethodType

from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.services import Services
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from tests.studies import Study

ROOT = Path(__file__).parents[3]
_WRITES = {"writing", "_change"}
"""The methods by which a repository writes."""
Name = tuple[str, str]
"""A module, and the name of a class in it."""


@dataclass
class Module:
    """What the names of a module stand for, also those that only the type checker imports."""

    imported: dict[str, Name] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)


@cache
def module_named(name: str) -> Module:
    file = ROOT / (name.replace(".", "/") + ".py")
    module = Module()
    if not file.exists():
        return module
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("desktop."):
            for one in node.names:
                module.imported[one.asname or one.name] = node.module or "", one.name
    for node in tree.body:
        match node:
            case ast.ClassDef():
                module.classes[node.name] = node
            case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Subscript() | ast.BinOp()):
                module.aliases[alias] = node.value
            case _:
                pass
    return module


def named_in(hint: ast.AST | None, module: str) -> Iterator[Name]:
    """Yield the classes of the program that an annotation names."""
    known = module_named(module)
    for node in ast.walk(hint) if hint is not None else ():
        match node:
            case ast.Constant(value=str(text)) if text.isascii() and "\n" not in text:
                try:
                    yield from named_in(ast.parse(text, mode="eval").body, module)
                except SyntaxError:
                    continue
            case ast.Name(id=name) if name in known.classes:
                yield module, name
            case ast.Name(id=name) if name in known.imported:
                yield known.imported[name]
            case ast.Name(id=name) if name in known.aliases:
                yield from named_in(known.aliases[name], module)


def public_attributes(owner: Name) -> Iterator[tuple[str, Name]]:
    """Yield what an object of a class offers: its fields and the results of its methods."""
    module, name = owner
    definition = module_named(module).classes.get(name)
    for node in definition.body if definition else ():
        match node:
            case ast.AnnAssign(target=ast.Name(id=attribute), annotation=hint):
                yield from ((attribute, one) for one in named_in(hint, module))
            case ast.FunctionDef(name="__init__"):
                yield from assigned_in(node, module)
            case ast.FunctionDef(name=attribute, returns=hint):
                yield from ((attribute, one) for one in named_in(hint, module))
            case _:
                pass
    for base in definition.bases if definition else ():
        for one in named_in(base, module):
            yield from public_attributes(one)


def assigned_in(init: ast.FunctionDef, module: str) -> Iterator[tuple[str, Name]]:
    """Yield what `__init__` keeps: a parameter, or an object that it makes."""
    hints = {one.arg: one.annotation for one in (*init.args.args, *init.args.kwonlyargs)}
    for node in ast.walk(init):
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=attribute)], value=value):
                for part in value.values if isinstance(value, ast.BoolOp) else [value]:
                    kept = hints.get(part.id) if isinstance(part, ast.Name) else None
                    made = part.func if isinstance(part, ast.Call) else None
                    for hint in (kept, made):
                        yield from ((attribute, one) for one in named_in(hint, module))
            case _:
                pass


def can_write(owner: Name) -> bool:
    """Whether it is the database, holds one that is open, or writes into one."""
    module, name = owner
    definition = module_named(module).classes.get(name)
    if not module.startswith("desktop.storage") or definition is None:
        return False
    attributes = {node.attr for node in ast.walk(definition) if isinstance(node, ast.Attribute)}
    return name in {"Archive", "Database"} or bool(attributes & _WRITES)


def reachable_writers(start: Name) -> dict[str, str]:
    """Return the classes that can write, each with the way to it."""
    ways, seen, found = [(start, start[1])], {start}, dict[str, str]()
    while ways:
        owner, way = ways.pop()
        for attribute, one in public_attributes(owner):
            if attribute.startswith("_") or one in seen:
                continue
            seen.add(one)
            ways.append((one, f"{way}.{attribute}"))
            if can_write(one):
                found[one[1]] = f"{way}.{attribute}"
    return found


def test_no_repository_that_can_write_is_reachable_from_the_services() -> None:
    assert reachable_writers(("desktop.sessions.services", "Services")) == {}


def test_the_walk_finds_a_repository_that_is_offered() -> None:
    found = reachable_writers(("desktop.storage.archive", "Archive"))
    assert found["SessionStore"] == "Archive.sessions"


def writes(method: object) -> bool:
    """Whether a method writes, or calls one of its own object that does."""
    assert isinstance(method, MethodType)
    names = method.__func__.__code__.co_names
    own = [getattr(type(method.__self__), name, None) for name in names]
    called = {
        name for one in own if isinstance(one, FunctionType) for name in one.__code__.co_names
    }
    return bool(_WRITES & {*names, *called})


def test_the_reader_offers_only_methods_that_read(study: Study) -> None:
    reader = ArchiveReader(study.archive)
    offered = [getattr(reader, name) for name in vars(ArchiveReader) if not name.startswith("_")]
    assert all(isinstance(one, MethodType) for one in offered)
    assert [one.__qualname__ for one in offered if writes(one)] == []
    assert writes(study.archive.sessions.rename)


def parts() -> dict[str, cached_property[object]]:
    offered = {name: part for kind in Services.__mro__ for name, part in vars(kind).items()}
    return {name: part for name, part in offered.items() if isinstance(part, cached_property)}


def test_every_part_says_whether_it_may_wait() -> None:
    said = {name: inspect.getdoc(one.func) or "" for name, one in parts().items()}
    public = {name: words for name, words in said.items() if not name.startswith("_")}
    assert [name for name, words in public.items() if "wait" not in words] == []


def test_building_leaves_nothing_to_be_imported_later(study: Study) -> None:
    services = Services(study.archive, SettingsStore(Paths.under(study.folder)))
    services.build()
    # What only a profile on several devices needs is left out.
    assert parts().keys() - {"syncing"} <= vars(services).keys()
    assert "syncing" not in vars(services)
    services.close()
