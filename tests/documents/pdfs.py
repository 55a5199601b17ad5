"""PDFs made by hand: pages of text in Turkish and English, bookmarks, pictures, locks, damage."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

_LINE = 90
_LOCK = b" /ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (
    b"5a" * 32,
    b"a5" * 32,
)
# Letters that the usual encoding lacks, by the names that fonts have for them.
_NAMES = {
    "ğ": "gbreve", "Ğ": "Gbreve", "ş": "scedilla", "Ş": "Scedilla", "ı": "dotlessi",
    "İ": "Idotaccent", "ç": "ccedilla", "Ç": "Ccedilla", "ö": "odieresis", "Ö": "Odieresis",
    "ü": "udieresis", "Ü": "Udieresis", "’": "quoteright", "“": "quotedblleft",
    "”": "quotedblright", "–": "endash", "•": "bullet", "â": "acircumflex", "˘": "breve",
    "ˇ": "caron", "˙": "dotaccent", "˝": "hungarumlaut", "ﬁ": "fi", "ﬂ": "fl",
}  # fmt: skip
_ACCENTS = dict(
    zip("\u0308\u0306\u0327\u0301\u0300\u0307\u030c\u0303\u0302", "¨˘¸´`˙ˇ~^", strict=True)
)
_WIDTHS = dict.fromkeys("¨˘¸´`˙ˇ˝^", 333) | {"ı": 278, "I": 278, "~": 584}
_DRAWN_OVER = "\b"
_CODES = {letter: 128 + place for place, letter in enumerate(_NAMES)}


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page."""

    lines: Sequence[str] = ()
    has_picture: bool = False
    notes: Sequence[str] = ()
    """Annotations, as the entries of their dictionaries; those with a value are fields."""
    drawn: bytes = b""
    """Operators of the page in place of its lines."""
    entries: bytes = b""
    """More entries of the page, such as /Rotate 90."""


@dataclass(slots=True)
class Pdf:
    pages: Sequence[Page]
    title: str = ""
    bookmarks: Sequence[tuple[str, int]] = ()
    """Title and page, from 1."""
    is_locked: bool = False
    """Behind a password that nobody knows."""
    _objects: list[bytes] = field(default_factory=list)
    _fields: list[bytes] = field(default_factory=list)

    def written(self) -> bytes:
        catalog = self._add(b"")
        tree = self._add(b"")
        fonts = self._font()
        picture = self._stream(
            b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
            b"/BitsPerComponent 8",
            b"\x7f",
        )
        kids = [self._page(page, tree, fonts, picture) for page in self.pages]
        listed = b" ".join(b"%d 0 R" % kid for kid in kids)
        self._objects[tree - 1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), listed)
        outlines = self._outlines(kids)
        form = b" /AcroForm << /Fields [%s] >>" % b" ".join(self._fields) if self._fields else b""
        self._objects[catalog - 1] = b"<< /Type /Catalog /Pages %d 0 R%s%s >>" % (
            tree,
            outlines,
            form,
        )
        info = self._add(b"<< /Title %s >>" % _text_string(self.title))
        return self._file(catalog, info)

    def _page(self, page: Page, tree: int, fonts: int, picture: int) -> int:
        content = [page.drawn]
        if not page.drawn:
            content = [b"BT /F1 11 Tf 14 TL 60 780 Td", *map(_shown, page.lines), b"ET"]
        if page.has_picture:
            content.append(b"q 400 0 0 400 60 100 cm /Im1 Do Q")
        stream = self._stream(b"", b"\n".join(content))
        notes = [
            b"%d 0 R"
            % self._add(b"<< /Type /Annot /Rect [60 60 200 80] %s >>" % note.encode("latin-1"))
            for note in page.notes
        ]
        self._fields += [one for one, note in zip(notes, page.notes, strict=True) if "/FT" in note]
        return self._add(
            b"<< /Annots ["
            + b" ".join(notes)
            + b"] %s /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 %d 0 R >> /XObject << /Im1 %d 0 R >> >> >>"
            % (page.entries, tree, stream, fonts, picture)
        )

    def _font(self) -> int:
        names = " ".join(f"/{name}" for name in _NAMES.values()).encode()
        return self._add(
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding "
            b"/BaseEncoding /WinAnsiEncoding /Differences [128 %s] >> >>" % names
        )

    def _outlines(self, kids: Sequence[int]) -> bytes:
        if not self.bookmarks:
            return b""
        root = self._add(b"")
        first = len(self._objects) + 1
        last = first + len(self.bookmarks) - 1
        for place, (title, page) in enumerate(self.bookmarks):
            following = b"/Next %d 0 R" % (first + place + 1) if first + place < last else b""
            self._add(
                b"<< /Title %s /Parent %d 0 R /Dest [%d 0 R /Fit] %s >>"
                % (_text_string(title), root, kids[page - 1], following)
            )
        self._objects[root - 1] = b"<< /Type /Outlines /First %d 0 R /Last %d 0 R >>" % (
            first,
            last,
        )
        return b" /Outlines %d 0 R" % root

    def _stream(self, entries: bytes, data: bytes) -> int:
        packed = zlib.compress(data)
        return self._add(
            b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
            % (entries, len(packed), packed)
        )

    def _add(self, body: bytes) -> int:
        self._objects.append(body)
        return len(self._objects)

    def _file(self, catalog: int, info: int) -> bytes:
        locked = _LOCK if self.is_locked else b""
        objects = b"".join(
            b"%d 0 obj\n%s\nendobj\n" % numbered for numbered in enumerate(self._objects, start=1)
        )
        # Without a table of where they are, readers look for the objects themselves.
        trailer = b"/Root %d 0 R /Info %d 0 R%s" % (catalog, info, locked)
        return b"%%PDF-1.4\n%strailer << %s >>\n%%%%EOF" % (objects, trailer)


def pdf_of(*texts: str, **more: object) -> bytes:
    """A page for every text, broken into lines as a printer would."""
    return Pdf([Page(wrapped(text)) for text in texts], **more).written()  # type: ignore[arg-type]


def wrapped(text: str) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) >= _LINE:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]


def unfolding_pdf(megabytes: int) -> bytes:
    """A page whose text is a small stream, packed twice, that expands to this size."""
    once = zlib.compress(b"(a) Tj " * (megabytes << 17), 9)
    twice = zlib.compress(once, 9)
    whole = pdf_of("bomb")
    stream = b"/Filter [/FlateDecode /FlateDecode] /Length %d >>\nstream\n%s\nendstream" % (
        len(twice),
        twice,
    )
    # The last stream is the page's; the rest finds its place by itself.
    start = whole.rindex(b"/Filter /FlateDecode")
    end = whole.index(b"endstream", start) + len(b"endstream")
    return whole[:start] + stream + whole[end:]


def drawn_beside(text: str, *, after: bool = False) -> str:
    """Return a text whose accents are signs of their own, drawn over the letter as TeX does."""
    out = ""
    for letter in text:
        base, *marks = list(normalize("NFD", letter))
        accent = _ACCENTS[marks[0]] if marks else ""
        base = "ı" if accent and base == "i" else base
        pair = (base, accent) if after else (accent, base)
        out += _DRAWN_OVER.join(pair) if accent else letter
    return out


def _shown(line: str) -> bytes:
    """Return the operator that shows a line, in which one sign may be drawn over the last."""
    if _DRAWN_OVER not in line:
        return b"(%s) Tj T*" % encoded(line)
    pieces = [b""]
    letters = list(line)
    for place, letter in enumerate(letters):
        if letter == _DRAWN_OVER:
            first, second = (_WIDTHS.get(letters[place + side], 556) for side in (-1, 1))
            before, after = max(0, second - first) // 2, max(0, first - second) // 2
            shown = [encoded(letters[place + side]) for side in (-1, 1)]
            pieces.append(
                b"%d (%s) %d (%s) %d"
                % (-before, shown[0], (first + second) // 2, shown[1], -after)
            )
        elif _DRAWN_OVER not in letters[max(0, place - 1) : place + 2]:
            pieces.append(b"(%s)" % encoded(letter))
    return b"[%s] TJ T*" % b" ".join(pieces)


def encoded(text: str) -> bytes:
    """Return a text as a string of an operator, without its brackets."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return bytes(_CODES.get(letter) or ord(letter) for letter in escaped)


def _text_string(text: str) -> bytes:
    return b"<" + (b"\xfe\xff" + text.encode("utf-16-be")).hex().encode() + b">"
