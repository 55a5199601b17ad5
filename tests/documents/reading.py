"""Documents as their reader returns them, before they are cut into passages."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath

from desktop.research.documents.blocks import Block, Head, Tail
from desktop.research.documents.reader_worker import read_document


@dataclass
class Parts:
    head: Head
    blocks: list[Block]
    tail: Tail

    @property
    def texts(self) -> list[str]:
        return [block.text for block in self.blocks]


def read(name: str, data: bytes | str) -> Parts:
    bytes_ = data.encode() if isinstance(data, str) else data
    head, *others = read_document(PurePath(name), BytesIO(bytes_))
    assert isinstance(head, Head)
    tail = next((one for one in others if isinstance(one, Tail)), Tail())
    return Parts(head, [one for one in others if isinstance(one, Block)], tail)
