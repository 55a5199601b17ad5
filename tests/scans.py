"""Made scans: pages of text as pictures, with noise, blur and skew."""

from collections.abc import Iterable, Sequence
from ctypes import POINTER, c_float, c_uint8, cast, create_string_buffer
from dataclasses import dataclass
from io import BytesIO
from math import cos, radians, sin
from pathlib import Path
from typing import Any
from zlib import compress

import numpy as np
import pypdfium2
import ziafont
from pypdfium2 import raw

from tests.pictures import png_of

FONT = Path(ziafont.__file__).parent / "fonts" / "DejaVuSans.ttf"
LETTER_SIZE, LEADING = 11, 15
LEFT, TOP = 60, 780
"""Where the baseline of the first line begins, in points."""
_POINTS_AN_INCH = 72
_SIZE = (595, 842)


@dataclass(frozen=True, slots=True)
class Scanner:
    """How a page becomes a picture."""

    dpi: int = 200
    noise: float = 0  # The standard deviation of the grey of a pixel
    blur: int = 0  # How often neighbours are averaged
    skew: float = 0  # Degrees
    turns: int = 0  # Quarters of a turn, clockwise
    seed: int = 1

    def scanned(self, pages: Iterable[Sequence[str]]) -> bytes:
        """Return a PDF of pictures; each page is given by its lines."""
        document = pypdfium2.PdfDocument.new()
        random = np.random.default_rng(self.seed)
        for lines in pages:
            self._add(document, lines, random)
        file = BytesIO()
        document.save(file)
        return file.getvalue()

    def _add(self, document: Any, lines: Sequence[str], random: np.random.Generator) -> None:
        page = _written(lines, self.skew)
        picture = page.render(scale=self.dpi / _POINTS_AN_INCH, grayscale=True).to_numpy()
        grey = picture.reshape(picture.shape[:2]).astype(np.float64)
        for _ in range(self.blur):
            around = [np.roll(grey, shift, axis) for axis in (0, 1) for shift in (-1, 1)]
            grey = (2 * grey + np.sum(around, axis=0)) / 6
        grey = np.rot90(grey + random.normal(0, self.noise, grey.shape), -self.turns)
        bitmap = pypdfium2.PdfBitmap.new_native(grey.shape[1], grey.shape[0], raw.FPDFBitmap_Gray)
        bitmap.to_numpy()[...] = (
            grey.clip(0, 255).astype(np.uint8).reshape(bitmap.to_numpy().shape)
        )
        width, height = _SIZE if not self.turns % 2 else _SIZE[::-1]
        scan = document.new_page(width, height)
        image = pypdfium2.PdfImage.new(document)
        image.set_bitmap(bitmap)
        image.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
        scan.insert_obj(image)
        scan.gen_content()


def screenshot(*lines: str) -> bytes:
    """Return a PNG of these lines, as a picture of a window has them."""
    size = _written(lines, 0).render(scale=1.5, rev_byteorder=True).to_numpy()[..., :3]
    height, width, _ = size.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(size))
    return png_of(width, height, compress(rows))


def _written(lines: Sequence[str], skew: float) -> Any:
    """Return a page with these lines, turned around its upper left corner."""
    document = pypdfium2.PdfDocument.new()
    page = document.new_page(*_SIZE)
    data = FONT.read_bytes()
    codes = (c_uint8 * len(data)).from_buffer_copy(data)
    font = raw.FPDFText_LoadFont(document, codes, len(data), raw.FPDF_FONT_TRUETYPE, 1)
    along, down = cos(radians(skew)), sin(radians(skew))
    for number, line in enumerate(lines):
        written = raw.FPDFPageObj_CreateTextObj(document, font, c_float(LETTER_SIZE))
        letters = f"{line}\0".encode("utf-16-le")
        pointer = cast(create_string_buffer(letters), POINTER(raw.FPDF_WCHAR))
        raw.FPDFText_SetText(written, pointer)
        x, y = LEFT + number * LEADING * down, TOP - number * LEADING * along
        raw.FPDFPageObj_Transform(written, along, down, -down, along, x, y)
        raw.FPDFPage_InsertObject(page, written)
    page.gen_content()
    return page
