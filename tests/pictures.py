"""Pictures made by hand, valid and hostile ones."""

import struct
import zlib
from random import Random

from PySide6.QtCore import QBuffer
from PySide6.QtGui import QColor, QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GIF = (
    b"GIF89a\x02\x00\x02\x00\x80\x00\x00\xff\x00\x00\x00\x00\xff"
    b"!\xf9\x04\x00\n\x00\x00\x00,\x00\x00\x00\x00\x02\x00\x02\x00\x00\x02\x02\x84Q\x00"
    b"!\xf9\x04\x00\n\x00\x00\x00,\x00\x00\x00\x00\x02\x00\x02\x00\x00\x02\x02\x8c\x53\x00;"
)
"""Two frames."""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("http://evil")</script></svg>'


def png(width: int = 3, height: int = 2, colour: bytes = b"\x20\x60\xa0") -> bytes:
    rows = (b"\0" + colour * width) * height
    return png_of(width, height, zlib.compress(rows))


SECRET = b"GPS 41.0082 28.9784"


def with_text(picture: bytes) -> bytes:
    """Return a PNG with text chunks that name a place, and data after its end."""
    said = _chunk(b"tEXt", b"Comment\0" + SECRET) + _chunk(b"eXIf", b"MM\0*" + SECRET)
    packed = _chunk(b"zTXt", b"Place\0\0" + zlib.compress(SECRET))
    return picture[:33] + said + packed + picture[33:] + SECRET


def jpeg(segment: bytes = b"", trailer: bytes = b"") -> bytes:
    """Return a JPEG of 40 by 30 pixels, with a segment after its beginning."""
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(QColor(200, 40, 40))
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG", 95)  # type: ignore[call-overload]
    data = bytes(buffer.data().data())
    return data[:2] + segment + data[2:] + trailer


def jpeg_segment(mark: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, mark, len(data) + 2) + data


def exif(orientation: int) -> bytes:
    """Return the segment with the orientation and place of a camera."""
    tags = struct.pack(">HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 0)
    return jpeg_segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08" + tags + SECRET)


def noise(width: int, height: int) -> bytes:
    """Return a PNG that cannot be made smaller without loss."""
    pixels = Random(1)  # noqa: S311 - no secret
    rows = b"".join(b"\0" + pixels.randbytes(width * 3) for _ in range(height))
    return png_of(width, height, zlib.compress(rows))


def png_that_claims(width: int, height: int) -> bytes:
    """A few bytes that claim to be a picture of this size."""
    return png_of(width, height, zlib.compress(b"\0" * 1000))


def png_of(width: int, height: int, data: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check


def size_of(data: bytes) -> tuple[int, int]:
    """Return width and height of a PNG."""
    assert data.startswith(SIGNATURE)
    width, height = struct.unpack(">II", data[16:24])
    return width, height
