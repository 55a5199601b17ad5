"""The pages of the settings by name, for whoever leads to one of them."""

from enum import IntEnum


class SettingsPage(IntEnum):
    """The pages in their order; those after the sixth belong to one of them."""

    GENERAL = 0
    MODELS = 1
    SESSIONS = 2
    MEMORY = 3
    PRIVACY = 4
    SHORTCUTS = 5
    ENDPOINT = 6
    PHRASES = 7
