"""The pages of the settings by name, for whoever leads to one of them."""

from enum import IntEnum


class SettingsPage(IntEnum):
    """The pages in their order; those after the fifth belong to one of them."""

    GENERAL = 0
    MODELS = 1
    SESSIONS = 2
    PRIVACY = 3
    SHORTCUTS = 4
    ENDPOINT = 5
    PHRASES = 6
