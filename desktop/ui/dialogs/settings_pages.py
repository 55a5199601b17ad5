"""The pages of the settings by name, for whoever leads to one of them."""

from enum import IntEnum


class SettingsPage(IntEnum):
    """The pages in their order; those after the shortcuts belong to one of them."""

    GENERAL = 0
    MODELS = 1
    SESSIONS = 2
    MEMORY = 3
    RESEARCH = 4
    TOOLS = 5
    PRIVACY = 6
    SHORTCUTS = 7
    ENDPOINT = 8
    PHRASES = 9
