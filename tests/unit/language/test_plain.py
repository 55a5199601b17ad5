import pytest

from desktop.language.plain import plain_text


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("**kalın**, *eğik*, __kalın__, ~~silik~~", "kalın, eğik, kalın, silik"),
        ("snake_case_name ve 2 * 3 * 4", "snake_case_name ve 2 * 3 * 4"),
        ("`kod` ve [bağ](https://example.org/a_b)", "kod ve bağ"),
        ("![resim](a.png) altı", "resim altı"),
        ('Şeker yükselir [1: "sabah yükselir"]. Düşer [2].', "Şeker yükselir. Düşer."),
        ("# Başlık\n\n- bir\n- iki\n> üç", "Başlık bir iki üç"),
        ("önce\n```\nkod\n```\nsonra", "önce sonra"),
        ("a <b>c</b> 1 < 2", "a c 1 < 2"),
        ("", ""),
    ],
)
def test_a_text_is_read_without_its_markdown(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain
