"""The code of a shared project as a picture."""

from desktop.sessions.sharing.code_picture import code_picture, picture_lines
from desktop.sessions.sharing.membership import code_of, new_secret

_DARK = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


def test_a_code_fits_the_second_size_and_has_the_three_marks_and_the_margin_of_the_standard() -> (
    None
):
    picture = code_picture(code_of(new_secret()))
    size = len(picture)
    assert size == 25 + 2 * 4
    assert {len(row) for row in picture} == {size}
    assert not any(any(row) for row in (*picture[:4], *picture[-4:]))
    for top, left in ((4, 4), (4, size - 11), (size - 11, 4)):
        mark = ["".join(map(str, map(int, row[left : left + 7]))) for row in picture]
        assert mark[top : top + 7] == FINDER


def test_a_terminal_shows_two_rows_in_a_line_and_all_of_them() -> None:
    picture = code_picture(code_of(new_secret()))
    pairs = [[_DARK[each] for each in line] for line in picture_lines(picture)]
    rows = [[pair[half] for pair in line] for line in pairs for half in (0, 1)]
    assert rows[: len(picture)] == picture
