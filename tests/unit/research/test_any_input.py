"""Any text of a page, a document or a model is read, or refused with a reason."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.errors import AppError, DocumentDamagedError
from desktop.domain.web import WebError
from desktop.research.documents.blocks import Block, chunk_blocks
from desktop.research.documents.html import HtmlText, parse_html
from desktop.research.documents.text_files import decode_text, read_text
from desktop.research.security import find_suspicious_spans
from desktop.research.web.safe_urls import is_public, parse_address


def made_of(words: str, *others: str, most: int = 20) -> st.SearchStrategy[str]:
    pieces = [*words.split(), *others]
    return st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=5)), max_size=most).map(
        "".join
    )


CHARSETS = "utf-8 cp1254 utf-16 utf-7 idna punycode rot13 base64 undefined unicode_escape x-none"
HTML = made_of(
    "<p> </p> <div> </div> <h1> </h1> <table> <tr> <td> </td> <li> <ul> <script> </script> <nav> "
    "<title> </title> <main> </main> <!-- --> <![CDATA[ ]]> <br/> &amp; &#0; &#x110000; <pre> "
    "<svg> </svg> <template> kelime Şeker",
    most=40,
)
TEXT = made_of("Başlık ﬁ", "\n\n", "\f", "\r\n", "söz ", "> q\n", "| a |", "\u00ad\n")
ADDRESS = made_of(
    "http:// https:// // @ : / ? # [ ] % %2e 127.0.0.1 localhost 0x7f 0177.0.0.1 2130706433 ::1 "
    "::ffff:127.0.0.1 .. \\ ｅ ۱ 。 a.b 80 65536 é.com İ.com"
)
ORDERS = made_of(
    "ignore önceki talimatları unut %20 &#73; system: \u200b İ <passage> i.g.n.o.r.e.a.l.l.o.f "
    "aWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM=",
    " ",
    "-\n",
    "1. ",
)


@given(st.binary(max_size=200), st.sampled_from(["", *CHARSETS.split()]))
def test_bytes_are_read_as_text_or_are_damaged(data: bytes, declared: str) -> None:
    for whole, said in ((data, declared), (b"charset=" + declared.encode() + b" " + data, "")):
        try:
            decode_text(whole, said).encode()
        except DocumentDamagedError:
            assert b"\0" in whole


@given(HTML)
def test_any_page_is_read(text: str) -> None:
    list(chunk_blocks(HtmlText().read(parse_html(text)[1])))


@given(text=TEXT)
def test_no_letter_of_a_text_is_lost(text: str) -> None:
    file = BytesIO(text.encode("utf-8", "replace"))
    try:
        blocks = [part for part in read_text(file) if isinstance(part, Block)]
    except AppError:
        assert "\0" in text or not any(map(str.isalnum, text))
        return
    there = "".join(one.text for one in chunk_blocks(blocks))
    for word in ("Başlık", "söz", "q", "a"):
        assert there.count(word) >= text.count(word)


@given(ADDRESS, ADDRESS)
def test_an_address_has_one_spelling_or_is_refused(text: str, location: str) -> None:
    try:
        address = parse_address(text)
    except WebError:
        return
    assert str(address).isascii()
    assert parse_address(str(address)) == address
    try:
        parse_address(location, address)
    except WebError:
        return


@given(st.ip_addresses())
def test_no_private_address_is_taken_for_a_public_one(address: object) -> None:
    assert not is_public(str(address)) or getattr(address, "is_global", False)


@given(ORDERS)
def test_marks_are_in_the_text_and_none_overlap(text: str) -> None:
    last = 0
    for start, end in find_suspicious_spans(text):
        assert last <= start < end <= len(text)
        last = end
