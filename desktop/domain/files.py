"""Pictures and documents that go with a message."""

from dataclasses import dataclass
from pathlib import PurePath

THUMB = 96
"""Pixels of the longer side of a picture that is shown small."""


@dataclass(frozen=True, slots=True)
class MessageFile:
    """A picture or document that goes with a message; the profile has its bytes."""

    sha256: str
    name: str
    media_type: str
    size: int
    """In bytes."""

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")

    @property
    def stored_name(self) -> str:
        return self.sha256 + PurePath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture, scaled down, as rows of RGBA with eight bits each."""

    width: int
    height: int
    data: bytes
