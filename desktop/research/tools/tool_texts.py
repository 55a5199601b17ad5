"""What the user reads of a tool, by its name: of the program's own, and of one from elsewhere."""

from desktop.domain.outside_tools import BETWEEN
from desktop.settings.messages import Texts


def tool_label(name: str, texts: Texts) -> str:
    """Return a tool's name for the user; the name itself of one that no longer exists."""
    return _tool_text(name, f"{name}_label", texts)


def tool_purpose(name: str, texts: Texts) -> str:
    """Return what a tool does, for the user; of one from elsewhere, whose it is."""
    return _tool_text(name, name, texts)


def tool_did(name: str, texts: Texts) -> str:
    """Return what a tool did, for the user."""
    return _tool_text(name, f"{name}_did", texts)


def _tool_text(name: str, key: str, texts: Texts) -> str:
    server, between, tool = name.partition(BETWEEN)
    if between:
        kind = key.removeprefix(name)
        return texts.say(f"tools.outside{kind}", server=server, tool=tool)
    try:
        return texts.say(f"tools.{key}")
    except KeyError:
        return name
