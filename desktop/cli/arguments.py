"""The grammar of the command line: every command with its arguments.

Their words are in the texts, under `help`, `option` and `example`.
"""

from argparse import REMAINDER, SUPPRESS
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from desktop.domain.endpoints import ModelRole
from desktop.domain.facts import Term
from desktop.domain.routing import Tier
from desktop.domain.search import SearchMode
from desktop.sessions.importing.import_types import ImportFormat

AUTO = "auto"


Argument = tuple[Sequence[str], Mapping[str, Any]]  # Any: argparse's own keywords


def _arg(*names: str, **keywords: Any) -> Argument:  # Any: argparse's own
    """Return an argument; its help and a `metavar` in capitals are found in the texts."""
    return names, keywords


def _flag(name: str, **keywords: Any) -> Argument:  # Any: argparse's own
    return _arg(name, action="store_true", **keywords)


def _action(name: str, command: str) -> Argument:
    """Return an option that stands for another command, with an access of its own."""
    return _arg(name, action="store_const", dest="action", const=command)


def _values(choices: type[StrEnum]) -> list[str]:
    return [choice.value for choice in choices]


def _export_formats() -> list[str]:
    from desktop.sessions.exporting.formats import FORMATS  # noqa: PLC0415 - only `export` needs it

    return [form.name for form in FORMATS]


def _literature_services() -> list[str]:
    from desktop.domain.literature import ServiceName  # noqa: PLC0415 - only `literature` needs it

    return _values(ServiceName)


def _reference_formats() -> list[str]:
    from desktop.references.formats import FORMATS, LIST  # noqa: PLC0415 - only `references` needs it

    return [*(form.name for form in FORMATS), LIST]


_ID, _FILE = _arg("id", metavar="ID"), _arg("file", metavar="FILE")
_TEXT, _PATH = _arg("text", metavar="TEXT"), _arg("path", metavar="PATH")
_DAY = _arg("day", metavar="D")
_TOPIC, _LIMIT = _arg("--topic", metavar="T"), _arg("--limit", type=int, metavar="N")
_SINCE, _UNTIL = _arg("--since", metavar="D"), _arg("--until", metavar="D")
_NAME, _PROJECT = _arg("name", metavar="NAME"), _arg("--project", metavar="NAME")
_NOTE_FORMAT = _arg("--format", choices=["md", "pdf"], default="md")
_SOURCE = _arg("--source", metavar="ID")
_TOOL = _arg("tool", nargs="?", metavar="TOOL")
_DOI = _arg("doi", metavar="DOI")
_OUTPUT = _arg("-o", "--output", metavar="PATH")

EVERYWHERE = (
    _flag("--json", default=SUPPRESS),
    _arg("--data-dir", metavar="DIR", default=SUPPRESS),
    _arg("--profile", metavar="NAME", default=SUPPRESS),
    _arg("--lang", choices=["tr", "en"], default=SUPPRESS),
    _flag("--passphrase-stdin", default=SUPPRESS),
)
PROGRAM = (
    _flag("--version", default=SUPPRESS),
    _flag("--self-test", default=SUPPRESS, help=SUPPRESS),
    # When the system starts: the window is not shown.
    _flag("--in-tray", default=SUPPRESS, help=SUPPRESS),
    # It restarted to lock the profile: a key in the keyring must not open it.
    _flag("--keep-locked", default=SUPPRESS, help=SUPPRESS),
    # The window restarts with it, to check and repair the archive before it is opened.
    _flag("--repairing", default=SUPPRESS, help=SUPPRESS),
    # The window restarts with it, to restore a backup before any process has the archive open.
    _arg("--restoring", default=SUPPRESS, help=SUPPRESS),
)
GRAMMAR: Mapping[str, Sequence[Argument]] = {
    "chat": (_PROJECT,),
    "ask": (
        _TEXT,
        _PROJECT,
        _arg("--tier", choices=[AUTO, *_values(Tier)], default=AUTO),
        _arg("--session", metavar="ID|new|active"),
        _arg("--file", dest="files", metavar="PATH", action="append", default=[]),
    ),
    "quick": (),
    "open": (_arg("opened", nargs="*", metavar="FILE"),),
    "search": (
        _arg("text", nargs="?", metavar="TEXT"),
        _arg("--mode", choices=_values(SearchMode), default=AUTO),
        _arg("--kind", metavar="message,session,fact,source,diary,note,picture"),
        _SINCE,
        _UNTIL,
        _TOPIC,
        _LIMIT,
        _PROJECT,
        _flag("--batch"),
    ),
    "project list": (),
    "project create": (_NAME, _arg("--instructions", metavar="TEXT")),
    "project rename": (_NAME, _arg("new", metavar="NAME")),
    "project local": (_NAME, _arg("switch", choices=("on", "off"), metavar="on|off")),
    "project delete": (
        _NAME,
        _flag("--with-contents"),
        _flag("--take-back"),
        _flag("--force"),
    ),
    "project move": (_arg("ids", nargs="+", metavar="ID"), _arg("--to", metavar="NAME")),
    "project share": (
        _NAME,
        _arg("place", nargs="?", metavar="FOLDER|URL"),
        _arg("--as", dest="member_name", metavar="NAME"),
    ),
    "project join": (
        _arg("code", metavar="CODE"),
        _arg("place", metavar="FOLDER|URL"),
        _arg("--as", dest="member_name", metavar="NAME"),
    ),
    "project publish": (_arg("ids", nargs="+", metavar="ID"), _flag("--undo")),
    "project update": (_arg("name", nargs="?", metavar="NAME"),),
    "project members": (
        _NAME,
        _arg("step", nargs="?", choices=("remove", "leave"), metavar="remove|leave"),
        _arg("member", nargs="?", metavar="MEMBER"),
        _flag("--take-back"),
        _flag("--force"),
    ),
    "profile list": (),
    "profile create": (_NAME,),
    "profile rename": (_NAME, _arg("new", metavar="NAME")),
    "profile delete": (_NAME, _flag("--yes")),
    "profile passphrase": (
        _flag("--remove"),
        _flag("--recovery"),
        _flag("--keep-in-keyring"),
    ),
    "profile lock": (),
    "sessions list": (_flag("--archived"),),
    "sessions show": (_ID,),
    "sessions resume": (_ID,),
    "sessions delete": (_ID,),
    "sessions report": (_ID, _flag("--with-contents"), _OUTPUT),
    "sessions end": (_arg("id", nargs="?", metavar="ID"),),
    "sessions rename": (_ID, _arg("title", metavar="TITLE")),
    "memory list": (
        _arg("--term", choices=_values(Term)),
        _TOPIC,
        _arg("--search", metavar="TEXT"),
        _SINCE,
        _UNTIL,
        _LIMIT,
        _flag("--all"),
    ),
    "memory age": (
        _arg("--older-than-hours", type=int, default=48, metavar="N"),
        _arg("--max", type=int, default=100, metavar="N"),
    ),
    "memory add": (_TEXT, _TOPIC, _arg("--importance", type=int, default=9, metavar="1–10")),
    "memory forget": (_arg("ids", nargs="+", metavar="ID"),),
    "memory patterns": (),
    "memory contexts": (_arg("--session", metavar="ID"), _flag("--messages")),
    "memory export": (_flag("--all"), _OUTPUT),
    "memory preferences": (
        _arg("change", nargs="?", choices=["list", "on", "off", "forget", "edit"]),
        _arg("id", nargs="?", metavar="ID"),
        _arg("text", nargs="?", metavar="TEXT"),
    ),
    "memory reload": (_FILE,),
    "diary": (),
    "diary list": (_SINCE, _UNTIL),
    "diary show": (_DAY,),
    "diary write": (_arg("day", nargs="?", metavar="D"),),
    "diary done": (_arg("item", type=int, metavar="N"), _flag("--undo")),
    "diary edit": (_DAY, _TEXT),
    "diary export": (
        _SINCE,
        _UNTIL,
        _arg("--format", choices=["md", "json"], default="md"),
        _OUTPUT,
    ),
    "diary import": (_FILE,),
    "sync setup": (_arg("place", metavar="FOLDER|URL"), _arg("--name", metavar="NAME")),
    "sync now": (),
    "sync status": (),
    "sync check": (),
    "sync devices": (),
    "sync resolve": (
        _arg("number", nargs="?", type=int, metavar="N"),
        _arg("choice", nargs="?", choices=["here", "there", "both"]),
    ),
    "sync forget": (_arg("device", metavar="DEVICE"),),
    "sync leave": (_flag("--force"),),
    "watch add": (
        _arg("text", nargs="?", metavar="TEXT"),
        _arg("--feed", metavar="URL"),
        _arg("--kind", choices=["question", "literature", "author", "journal"]),
        _arg("--every", choices=["day", "week"], default="day"),
        _PROJECT,
    ),
    "watch list": (),
    "watch run": (_arg("id", nargs="?", metavar="ID"),),
    "watch remove": (_ID,),
    "folders add": (_PATH, _PROJECT, _flag("--takes-notes")),
    "folders list": (),
    "folders look": (_arg("id", nargs="?", metavar="ID"),),
    "folders remove": (_ID,),
    "folders write": (_ID, _arg("--session", metavar="ID"), _arg("--note", metavar="ID")),
    "library add": (
        _arg("paths", nargs="+", metavar="PATH"),
        _PROJECT,
        _flag("--copy"),
        _flag("--wait"),
    ),
    "library list": (),
    "library mark": (_ID, _arg("--quote", required=True, metavar="TEXT")),
    "library ocr": (_arg("ids", nargs="*", metavar="ID"),),
    "library open": (_ID,),
    "library show": (_ID,),
    "library edit": (
        _ID,
        _arg("fields", nargs="*", metavar="FIELD"),
        _flag("--read"),
        _flag("--unread"),
    ),
    "library remove": (_ID,),
    "notes list": (_SOURCE, _PROJECT),
    "notes add": (
        _arg("--source", metavar="ID", required=True),
        _arg("--quote", metavar="TEXT", required=True),
        _arg("--text", metavar="TEXT"),
        _arg("--page", type=int, metavar="N"),
    ),
    "notes edit": (_ID, _TEXT),
    "notes remove": (_ID,),
    "notes export": (_SOURCE, _PROJECT, _NOTE_FORMAT, _OUTPUT),
    "references export": (
        _arg("ids", nargs="*", metavar="ID"),
        _arg("--session", metavar="ID"),
        _PROJECT,
        _arg("--format", choices=_reference_formats, default="bibtex"),
        _arg("--style", metavar="STYLE"),
        _OUTPUT,
    ),
    "references import": (_arg("files", nargs="+", metavar="FILE"), _PROJECT),
    "references duplicates": (_flag("--merge"),),
    "literature search": (
        _TEXT,
        _arg(
            "--service",
            choices=_literature_services,
            action="append",
            default=[],
        ),
        _arg("--author", metavar="NAME"),
        _arg("--since", type=int, metavar="YEAR"),
        _arg("--until", type=int, metavar="YEAR"),
        _arg("--venue", metavar="NAME"),
        _arg("--language", metavar="tr"),
        _flag("--open"),
        _PROJECT,
        _arg("--limit", type=int, default=20, metavar="N"),
    ),
    "literature get": (_DOI, _PROJECT),
    "literature add": (_DOI, _PROJECT),
    "literature complete": (_arg("ids", nargs="+", metavar="ID"),),
    "literature check": (),
    "literature cited-by": (_DOI, _LIMIT, _PROJECT),
    "literature references": (_DOI, _LIMIT, _PROJECT),
    "literature services": (),
    "literature key": (
        _arg("service", choices=("openalex", "semantic_scholar")),
        _flag("--key-stdin"),
        _flag("--remove"),
    ),
    "claims check": (_ID,),
    "zotero status": (),
    "zotero import": (_arg("--collection", metavar="NAME"), _PROJECT, _flag("--copy")),
    "zotero refresh": (_flag("--remove-gone"), _flag("--keep-gone")),
    "zotero send": (_arg("ids", nargs="+", metavar="ID"),),
    "mcp": (_PROJECT, _flag("--more")),
    "tools list": (),
    "tools add": (
        _NAME,
        _arg("--url", metavar="URL"),
        _arg("--variable", dest="variables", metavar="name=value", action="append", default=[]),
        _arg("--secret", dest="secrets", metavar="NAME", action="append", default=[]),
        _flag("--yes"),
        _arg("--run", dest="program", nargs=REMAINDER, metavar="COMMAND"),
    ),
    "tools look": (_NAME, _flag("--yes")),
    "tools allow": (_NAME, _TOOL),
    "tools ask": (_NAME, _TOOL),
    "tools off": (_NAME, _TOOL),
    "tools remove": (_NAME,),
    "tools calls": (),
    "import": (
        _arg("files", nargs="*", metavar="FILE"),
        _arg("--memories", choices=["list", "accept", "decline"], default=None),
        _arg("--format", choices=[AUTO, *_values(ImportFormat)], default=AUTO),
        _flag("--wait"),
    ),
    "export": (
        _arg("ids", nargs="*", metavar="ID"),
        _arg("--format", choices=_export_formats, default="jsonl"),
        _arg("--citations", choices=["notes", "pandoc"], default="notes"),
        _OUTPUT,
    ),
    "examples add": (),
    "models list": (),
    "models add": (
        _arg("kind", metavar="KIND"),
        _arg("address", nargs="?", metavar="ADDRESS"),
        _arg("--name", metavar="NAME"),
        _arg("--model", metavar="MODEL"),
        _flag("--key-stdin"),
    ),
    "models use": (
        _ID,
        _arg("model", nargs="?", metavar="MODEL"),
        _arg("--role", choices=_values(ModelRole), default=ModelRole.ANSWERING.value),
    ),
    "models test": (_ID, _arg("--model", metavar="MODEL")),
    "models remove": (_ID,),
    "models fit": (),
    "models download": (_ID, _flag("--ollama")),
    "config list": (),
    "config get": (_arg("key", metavar="KEY"),),
    "config set": (_arg("key", metavar="KEY"), _arg("value", metavar="VALUE")),
    "completion": (_arg("shell", choices=("bash", "zsh", "fish"), metavar="SHELL"),),
    "boundaries": (_FILE, _arg("--grain", choices=("topic", "session"), default="topic")),
    "intents": (_FILE,),
    "backup": (_PATH,),
    "restore": (_PATH, _flag("--preview")),
    "housekeeping": (
        _action("--dry-run", "plan"),
        _flag("--yes"),
        _flag("--wait"),
        _action("--free-space", "free_space"),
        _OUTPUT,
    ),
    "doctor": (_action("--repair", "repair"), _action("--damage", "damage")),
    "stats": (_SINCE, _action("--background", "background")),
    "suspicious": (_FILE,),
    "bench": (
        _arg("names", nargs="*", metavar="NAME"),
        _arg("--runs", type=int, default=5, metavar="N"),
        _flag("--encrypted"),
        _flag("--synced"),
        _flag("--small", help=SUPPRESS),
    ),
}
FOR_DEVELOPERS = ("bench", "boundaries", "intents", "suspicious")
