"""What is a link, where it leads, and how other programs may render a text."""

import pytest

from desktop.language.links import (
    harmless_markdown,
    is_allowed,
    links_in,
    markdown_parser,
    names_another_place,
)


@pytest.mark.parametrize(
    ("written", "targets"),
    [
        ("[x](https:&#47;&#47;a.test/?d=1)", ["https://a.test/?d=1"]),
        ("[x](h&#116;tps:\\//a.test)", ["https://a.test"]),
        ("https&colon;//a.test/d.", ["https://a.test/d"]),
        ("![p](http://a.test/p.png) <b@a.test>", ["http://a.test/p.png", "mailto:b@a.test"]),
        ("[x]\n\n[x]: ht&#x74;p://a.test 'title'", ["http://a.test"]),
        ("`https://a.test` and [x](//a.test) and [x](/etc/passwd)", []),
    ],
)
def test_the_links_of_a_text_are_those_that_a_reader_could_open(
    written: str, targets: list[str]
) -> None:
    assert [one.target for one in links_in(written)] == targets


ALLOWED = ("http://a.test", "HTTPS://A.test/x", "mailto:a@b.test", "bellek://session/x")
REFUSED = (
    "//host/x", "smb://host/x", "file:///etc/passwd", "search-ms:query=x", "ms-word:ofe|u|x",
    "javascript:alert(1)", "data:text/html,x", "mailto:a@b.test?body=secret",
    "mailto:a@b.test?attach=/etc/passwd", "https:///x", "http://[::1", "report.exe", "ftp://a.test",
)  # fmt: skip


@pytest.mark.parametrize("target", [*ALLOWED, *REFUSED])
def test_only_the_web_mail_and_places_of_this_program_are_linked_to(target: str) -> None:
    assert is_allowed(target) is (target in ALLOWED)
    (block,) = (one for one in markdown_parser().parse(f"[x]({target})") if one.children)
    kinds = [one.type for one in block.children or ()]
    assert ("link_open" in kinds) is (target in ALLOWED)
    if target in REFUSED:
        assert f"[x]\\({target})" == harmless_markdown(f"[x]({target})")


@pytest.mark.parametrize(
    ("shown", "target", "misleads"),
    [
        ("good.org", "https://evil.test", True),
        ("see https://good.org/a", "https://evil.test/https://good.org/a", True),
        ("good\u200b.org", "https://evil.test", True),
        ("the page", "https://good.org@evil.test", True),
        ("10.0.0.1", "http://evil.test", True),
        ("g\u043e\u043ed.org", "https://good.org", True),
        ("www.good.org/a", "https://good.org/b", False),
        ("münchen.de", "https://xn--mnchen-3ya.de/", False),
        ("the page, version 3.14", "https://evil.test", False),
    ],
)
def test_a_text_that_names_another_host_than_the_target_misleads(
    shown: str, target: str, *, misleads: bool
) -> None:
    assert names_another_place(shown, target) is misleads


HARMLESS = [
    ("![a](http://x.test/p)", "!\\[a](http://x.test/p)"),
    ("\\\\![a](http://x.test/p)", "\\\\!\\[a](http://x.test/p)"),
    ("<img src=http://x.test>", "&lt;img src=http://x.test>"),
    ("\\` <img src=x> `", "\\` &lt;img src=x> `"),
    ("text\n<script", "text\n&lt;script"),
    ("[x]: smb://h/x\n\n[a][x]", "[x]\\: smb://h/x\n\n[a][x]"),
    ("[x](java&#115;cript:alert(1))", "[x]\\(java&#115;cript:alert(1))"),
    ("[Tea](bellek://session/a?message=3) · May", "[Tea] · May"),
    # A formula to some readers, a fence to others.
    ("$$\n```\n$$\n```\n<img>\n```", "$$\n```\n$$\n```\n&lt;img>\n```"),
    ("|a|b|\n|-|-|\n|\\` <img src=x>|`|", "|a|b|\n|-|-|\n|\\` &lt;img src=x>|`|"),
]
KEPT = [
    '[x](https://a.test/b "c") <https://a.test> 1<2 and one<br>two\n\na <b',
    "H<sub>2</sub>O <kbd>C</kbd>\n\n<details>\n<summary>a</summary>\n\n</details>",
    "`<img>` and ``![a](b) ` `` then\n\n- ```html\n  <img src=x>\n  ```",
    "[^1]: A note: with words\n\nlist[str]: x",
]


@pytest.mark.parametrize(("written", "harmless"), [*HARMLESS, *zip(KEPT, KEPT, strict=True)])
def test_markdown_for_other_programs_loads_and_runs_nothing(written: str, harmless: str) -> None:
    assert harmless_markdown(written) == harmless
    assert harmless_markdown(harmless) == harmless


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Su[^1] ve[^12].", "<p>Su¹ ve¹².</p>"),
        ("[^1]: Kaynak", "<p>¹ Kaynak</p>"),  # else a link's target, which nobody sees
        ("[^a]: https://a.test\n[^2]: **iki**\ndevamı", "<p>[a] https://a.test<br />\n² <strong>"),
        ("Su\n[^1]: not", "<p>Su<br />\n¹ not</p>"),
        ("[^1](https://a.test)", '<p><a href="https://a.test">^1</a></p>'),
        ("`[^1]` ve [^ 1]", "<p><code>[^1]</code> ve [^ 1]</p>"),
        ("    [^1]: kod", "<pre><code>[^1]: kod\n</code></pre>"),
        ("> [!NOTE]\n> Su [!X]", "<blockquote>\n<p>Note:\nSu [!X]</p>"),
        ("[x] iş değil", "<p>[x] iş değil</p>"),
    ],
)
def test_footnotes_are_raised_and_their_notes_stay_where_they_are(
    written: str, shown: str
) -> None:
    assert markdown_parser().render(written).startswith(shown)
