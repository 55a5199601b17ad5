"""The pages of the settings by name, for whoever leads to one of them."""

from enum import IntEnum


class SettingsPage(IntEnum):
    """The pages in their order; those after the shortcuts belong to one of them."""

    GENERAL = 0
    MODELS = 1
    SESSIONS = 2
    MEMORY = 3
    INSTRUCTIONS = 4
    RESEARCH = 5
    TOOLS = 6
    PRIVACY = 7
    SHORTCUTS = 8
    ENDPOINT = 9
    PHRASES = 10
