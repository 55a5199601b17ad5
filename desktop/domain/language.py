"""The languages that Bellek speaks and reads."""

from enum import StrEnum


class Language(StrEnum):
    TR = "tr"
    EN = "en"
