"""Draw the icon at every size a system asks for: PNG, Windows' .ico, macOS's .icns.

Run after changing a drawing: `.venv/bin/python packaging/icons.py`. The pictures are committed,
so that packaging does not need Qt.
"""

import os
import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).parents[1] / "resources" / "icons"
PNG_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
SMALL = 24  # up to here the drawing with fewer lines
ICO_SIZES = (16, 24, 32, 48, 64, 256)
ICNS_TYPES = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512}


def draw(drawing: QSvgRenderer, size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    drawing.render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes for the format
    return bytes(content.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows Vista and later take PNG inside; a size of 256 is written as 0."""
    offset = 6 + 16 * len(pictures)
    header, body = struct.pack("<HHH", 0, 1, len(pictures)), b""
    for size, png in pictures.items():
        side = size % 256
        header += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), offset + len(body))
        body += png
    return header + body


def icns(pictures: dict[bytes, bytes]) -> bytes:
    body = b"".join(kind + struct.pack(">I", 8 + len(png)) + png for kind, png in pictures.items())
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication([])
    large = QSvgRenderer(str(ICONS / "bellek.svg"))
    small = QSvgRenderer(str(ICONS / "bellek-small.svg"))
    pngs = {size: draw(small if size <= SMALL else large, size) for size in PNG_SIZES}
    for size, png in pngs.items():
        (ICONS / f"bellek-{size}.png").write_bytes(png)
    (ICONS / "bellek.ico").write_bytes(ico({size: pngs[size] for size in ICO_SIZES}))
    (ICONS / "bellek.icns").write_bytes(icns({kind: pngs[s] for kind, s in ICNS_TYPES.items()}))
    app.quit()


if __name__ == "__main__":
    main()
