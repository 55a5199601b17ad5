"""Pictures are opened in a child process: whatever they are, the program continues."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.errors import (
    AppError,
    DocumentReaderError,
    PictureTooLargeError,
    PictureUnopenedError,
)
from desktop.domain.model import Picture
from desktop.research.documents.pictures import MOST_BYTES, PictureReader, is_bare, picture_type
from tests.pictures import (
    GIF,
    SECRET,
    SIGNATURE,
    SVG,
    exif,
    jpeg,
    jpeg_segment,
    noise,
    png,
    png_that_claims,
    size_of,
    with_text,
)

EDGE, MOST = 1568, 3_900_000


pytestmark = pytest.mark.usefixtures("usual_children")


@pytest.fixture(scope="module")
def reader() -> Iterator[PictureReader]:
    with PictureReader() as opened:
        yield opened


def test_a_picture_within_the_limits_stays_as_it_is_byte_for_byte(reader: PictureReader) -> None:
    picture = png(40, 30)
    assert reader.fitted(picture, EDGE, MOST) == Picture("image/png", picture, 40, 30)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(with_text(png(40, 30)), id="png"),
        pytest.param(with_text(png(3000, 1500)), id="png that is scaled"),
        pytest.param(jpeg(exif(1)), id="exif"),
        pytest.param(jpeg(jpeg_segment(0xFE, SECRET)), id="comment"),
        pytest.param(jpeg(jpeg_segment(0xED, b"Photoshop 3.0\0" + SECRET)), id="iptc"),
        pytest.param(jpeg(trailer=SECRET), id="behind the end"),
        pytest.param(jpeg(trailer=jpeg(exif(1))), id="a second picture behind the end"),
    ],
)
def test_the_place_of_a_picture_is_not_sent(reader: PictureReader, picture: bytes) -> None:
    sent = reader.fitted(picture, EDGE, MOST).data
    assert SECRET not in sent
    assert is_bare(sent, picture_type(sent[:12]) or "")
    assert b"Exif" not in sent


def test_a_bare_jpeg_stays_and_a_turned_one_is_sent_upright(reader: PictureReader) -> None:
    assert reader.fitted(jpeg(), EDGE, MOST) == Picture("image/jpeg", jpeg(), 40, 30)
    turned = reader.fitted(jpeg(exif(6)), EDGE, MOST)
    assert (turned.width, turned.height) == (30, 40)


def test_a_webp_without_exif_is_bare() -> None:
    def webp(*chunks: bytes) -> bytes:
        return b"RIFF\0\0\0\0WEBP" + b"".join(chunks)

    drawn = b"VP8 \x03\0\0\0abc\0"
    assert is_bare(webp(drawn), "image/webp")
    assert not is_bare(webp(drawn, b"EXIF\x02\0\0\0ab"), "image/webp")
    assert not is_bare(webp(drawn, b"more"), "image/webp")


def test_a_large_picture_is_scaled_to_the_longer_side(reader: PictureReader) -> None:
    sent = reader.fitted(png(3000, 1500), EDGE, MOST)
    assert (sent.media_type, size_of(sent.data)) == ("image/png", (1568, 784))
    assert (sent.width, sent.height) == (1568, 784)


def test_a_line_of_pixels_is_not_scaled_to_nothing(reader: PictureReader) -> None:
    assert size_of(reader.fitted(png(4000, 1), EDGE, MOST).data) == (1568, 1)


def test_a_picture_too_large_without_loss_becomes_a_jpeg(reader: PictureReader) -> None:
    sent = reader.fitted(noise(500, 400), EDGE, 300_000)
    assert sent.media_type == "image/jpeg"
    assert len(sent.data) <= 300_000


def test_only_the_first_frame_of_an_animation_is_sent(reader: PictureReader) -> None:
    sent = reader.fitted(GIF, EDGE, MOST)
    assert (sent.media_type, size_of(sent.data)) == ("image/png", (2, 2))


def test_a_shown_picture_is_pixels(reader: PictureReader) -> None:
    shown = reader.pixels(png(400, 200), 100)
    assert (shown.width, shown.height) == (100, 50)
    assert shown.data[:4] == b"\x20\x60\xa0\xff"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        pytest.param(SVG, PictureUnopenedError, id="a drawing with a script"),
        pytest.param(SIGNATURE + SVG, PictureUnopenedError, id="a drawing that says it is a PNG"),
        pytest.param(b"\xff\xd8\xff" + b"\0" * 99, PictureUnopenedError, id="a broken JPEG"),
        pytest.param(png(90, 90)[:60], PictureUnopenedError, id="half a PNG"),
        pytest.param(b"RIFF\0\0\0\0WEBPVP8 " + b"\xa5" * 99, PictureUnopenedError, id="no WebP"),
        pytest.param(png_that_claims(60_000, 60_000), PictureTooLargeError, id="a bomb of pixels"),
        pytest.param(png_that_claims(6_000, 6_000), PictureUnopenedError, id="a small bomb"),
        pytest.param(SIGNATURE + b"\0" * MOST_BYTES, PictureTooLargeError, id="too many bytes"),
        pytest.param(b"", PictureUnopenedError, id="nothing"),
    ],
)
def test_a_hostile_picture_is_refused_in_words_and_the_next_one_opens(
    reader: PictureReader, data: bytes, error: type[AppError]
) -> None:
    with pytest.raises(error):
        reader.fitted(data, EDGE, MOST)
    picture = png(40, 30)
    assert reader.fitted(picture, EDGE, MOST).data == picture


def test_a_missing_module_is_not_reported_as_a_bad_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('torn apart')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with PictureReader() as torn, pytest.raises(DocumentReaderError):
        torn.fitted(png(40, 30), EDGE, MOST)
