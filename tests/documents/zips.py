"""Word documents and EPUBs, made as zip files."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

_DIGITS = "0123456789"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
# Word in Turkish calls the style of its headings "Balk1".
_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{style}"><w:name w:val="{name}"/></w:style>'
    for style, name in (("Balk1", "heading 1"), ("Balk2", "Heading 2"), ("KonuBal", "Title"))
)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def astray(data: bytes) -> bytes:
    """The same, but its directory claims that its files begin before the archive."""
    at = data.rindex(b"PK\x05\x06") + 16
    said = int.from_bytes(data[at : at + 4], "little") + 4096
    return data[:at] + said.to_bytes(4, "little") + data[at + 4 :]


def paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    # Word divides a text into runs at any place.
    half = len(text) // 2
    runs = "".join(
        f'<w:r><w:t xml:space="preserve">{escape(part)}</w:t></w:r>'
        for part in (text[:half], text[half:])
    )
    return f"<w:p>{styled}{runs}</w:p>"


def table(*rows: Sequence[str]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx(body: str, *, title: str = "", **more: str | bytes) -> bytes:
    """`more`: other parts of "word/", by their names."""
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {_W}>{_STYLES}</w:styles>",
        "docProps/core.xml": (
            '<c:coreProperties xmlns:c="c" xmlns:dc="d">'
            f"<dc:title>{escape(title)}</dc:title></c:coreProperties>"
        ),
    }
    return zipped(files | {f"word/{name}.xml": part for name, part in more.items()})


def linked(body: str, main: str = "word/document.xml", **parts: tuple[str, str | bytes]) -> bytes:
    """A Word document whose parts are named by relationships; `parts`: id, target and content."""
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = f'<Types><Override PartName="/{main}" ContentType="{kind}"/></Types>'
    folder, name = main.split("/")
    links = "".join(
        f'<Relationship Id="{part}" Type="http://x/{part.rstrip(_DIGITS)}" Target="{target}"/>'
        for part, (target, _) in parts.items()
    )
    body = f'<w:document {_W} xmlns:r="r"><w:body>{body}</w:body></w:document>'
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": types,
        "_rels/.rels": (
            '<Relationships><Relationship Id="r1" Type="http://x/officeDocument" '
            f'Target="{main}"/></Relationships>'
        ),
        main: body,
        f"{folder}/_rels/{name}.rels": f"<Relationships>{links}</Relationships>",
    }
    inside = {f"{folder}/{target}": data for target, data in parts.values() if data}
    return zipped(files | inside)


def notes(*said: str) -> str:
    inside = "".join(f"<w:footnote>{paragraph(one)}</w:footnote>" for one in said)
    return f"<w:footnotes {_W}>{inside}</w:footnotes>"


def epub(
    title: str,
    chapters: Sequence[str],
    *,
    locked: Sequence[str] = (),
    items: Sequence[tuple[str, str]] = (),
    more: Mapping[str, str] = {},
    spine: bool = True,
) -> bytes:
    """`chapters`: the body of each; `locked`: encrypted files; `more`: other files.

    `items`: paths and media types, instead of one for each chapter.
    """
    names = [f"text/bölüm {number}.xhtml" for number in range(1, len(chapters) + 1)]
    items = items or [(name.replace(" ", "%20"), "application/xhtml+xml") for name in names]
    listed = "".join(
        f'<item id="c{place}" href="{path}" media-type="{kind}"/>'
        for place, (path, kind) in enumerate(items)
    )
    order = "".join(f'<itemref idref="c{place}"/>' for place in range(len(items)) if spine)
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": (
            '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/>'
            "</rootfiles></container>"
        ),
        "OEBPS/content.opf": (
            '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            f"<dc:title>{escape(title)}</dc:title></metadata><manifest>{listed}</manifest>"
            f"<spine>{order}</spine></package>"
        ),
    }
    if locked:
        inside = "".join(f'<CipherReference URI="{name}"/>' for name in locked)
        files["META-INF/encryption.xml"] = f"<encryption>{inside}</encryption>"
    for name, chapter in zip(names, chapters, strict=True):
        files[f"OEBPS/{name}"] = (
            '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>'
            f"<html><head><title>x</title></head><body>{chapter}</body></html>"
        )
    return zipped(files | dict(more))
