"""What two devices changed, in words: kinds, fields and values of a conflict."""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Conflict

_NAMED = {"content", "topic"}  # Lists of the words and of what is searched
_SWITCHES = {"is_on", "is_paused", "is_local_only"}
_JSON = {"variables"}
_CSL = 0  # Its place in the row of a reference


def can_join(conflict: Conflict) -> bool:
    """Whether both values can be kept in the one field."""
    here, there = conflict.here, conflict.there
    if conflict.field in {"project", *_SWITCHES, *_JSON}:
        return False
    return (isinstance(here, str) and isinstance(there, str)) or (
        conflict.field == "tags" and isinstance(here, list) and isinstance(there, list)
    )


def kind_words(kind: str) -> str:
    translate = QCoreApplication.translate
    names = {
        "projects": translate("Conflicts", "Project"),
        "prompts": translate("Conflicts", "Prompt"),
        "sessions": translate("Conflicts", "Session"),
        "messages": translate("Conflicts", "Message"),
        "sources": translate("Conflicts", "Document"),
        "notes": translate("Conflicts", "Note"),
        "facts": translate("Conflicts", "Fact"),
        "preferences": translate("Conflicts", "Preference"),
        "diary": translate("Conflicts", "Diary"),
        "watches": translate("Conflicts", "Watch"),
    }
    return names.get(kind, kind)


def field_words(field: str) -> str:
    """Return the name of a field; empty for a deletion."""
    translate = QCoreApplication.translate
    names = {
        "": "",
        "name": translate("Conflicts", "name"),
        "title": translate("Conflicts", "title"),
        "summary": translate("Conflicts", "summary"),
        "project": translate("Conflicts", "project"),
        "tags": translate("Conflicts", "tags"),
        "author": translate("Conflicts", "author"),
        "published": translate("Conflicts", "year"),
        "reference": translate("Conflicts", "reference"),
        "instructions": translate("Conflicts", "instructions"),
        "variables": translate("Conflicts", "variables"),
        "is_local_only": translate("Conflicts", "on this computer only"),
        "text": translate("Conflicts", "text"),
        "words": translate("Conflicts", "text"),
        "content": translate("Conflicts", "text"),
        "value": translate("Conflicts", "value"),
        "topic": translate("Conflicts", "topic"),
        "importance": translate("Conflicts", "importance"),
        "is_on": translate("Conflicts", "in force"),
        "is_paused": translate("Conflicts", "paused"),
        "subject": translate("Conflicts", "subject"),
        "every": translate("Conflicts", "how often"),
        "rating": translate("Conflicts", "rating"),
    }
    return names.get(field, field)


def value_words(field: str, value: JsonValue, projects: Mapping[str, str]) -> str:
    """Return a value as the user knows it. `projects`: their names, by id."""
    translate = QCoreApplication.translate
    if field == "project":
        return projects.get(str(value or ""), "") or translate("Conflicts", "No project")
    if field in _SWITCHES:
        return translate("Conflicts", "Yes") if value else translate("Conflicts", "No")
    if value in (None, "", []):
        return translate("Conflicts", "(empty)")
    return _plain_words(field, value)


def _plain_words(field: str, value: JsonValue) -> str:
    match value:
        case str(text):
            return _lines(_parsed(text)) if field in _JSON else text
        case [str(words), *_] if field in _NAMED:
            return words
        case [[*row]] if field == "reference":
            return _lines(_parsed(str(row[_CSL])))
        case [[*row]]:
            return " · ".join(str(each) for each in row[:-1] if each)
        case [*several]:
            return ", ".join(map(str, several))
        case _:
            return str(value)


def _parsed(text: str) -> Any:  # Any: JSON of unknown shape
    try:
        return json.loads(text)
    except ValueError:
        return text


def _lines(value: Any) -> str:  # Any: the same
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_flat(each)}" for name, each in value.items())
    return str(value)


def _flat(value: Any) -> str:  # Any: the same
    if isinstance(value, dict):
        return " ".join(_flat(each) for each in value.values())
    if isinstance(value, list):
        return ", ".join(_flat(each) for each in value)
    return str(value)
