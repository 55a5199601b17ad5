"""Colours that can be read."""

from dataclasses import astuple

import pytest

from desktop.ui.theme.tokens import DARK, LIGHT, Tokens, in_high_contrast


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def grounds(tokens: Tokens) -> dict[str, str]:
    names = ("ground", "side", "raised", "user", "code", "accent_ground", "hover")
    return {name: getattr(tokens, name) for name in names}


both = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])


@both
def test_body_text_stands_out_seven_to_one_on_every_ground(tokens: Tokens) -> None:
    marked = {
        name: getattr(tokens, name) for name in ("highlight", "current_highlight", "selection")
    }
    too_weak = {
        name: round(contrast(tokens.text, ground), 2)
        for name, ground in (grounds(tokens) | marked).items()
        if contrast(tokens.text, ground) < 7
    }
    assert not too_weak


@both
def test_muted_text_and_links_stand_out_on_every_ground(tokens: Tokens) -> None:
    too_weak = {
        (colour, name)
        for name, ground in grounds(tokens).items()
        for colour in (tokens.muted, tokens.accent)
        if contrast(colour, ground) < 4.5
    }
    assert not too_weak


@both
def test_in_high_contrast_every_word_has_seven_to_one_and_every_edge_three(
    tokens: Tokens,
) -> None:
    strong = in_high_contrast(tokens)
    too_weak = {
        (name, round(contrast(colour, ground), 2))
        for name, ground in grounds(strong).items()
        for colour, least in ((strong.text, 7), (strong.muted, 7), (strong.line, 3))
        if contrast(colour, ground) < least
    }
    assert not too_weak
    assert contrast(strong.notice_text, strong.notice_ground) >= 7


@both
def test_words_on_coloured_grounds_can_be_read(tokens: Tokens) -> None:
    assert contrast(tokens.notice_text, tokens.notice_ground) >= 4.5
    assert contrast(tokens.notice_text, tokens.ground) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent_hover) >= 4.5


@both
def test_highlighted_code_can_be_read(tokens: Tokens) -> None:
    too_weak = [c for c in astuple(tokens.syntax) if contrast(c, tokens.code) < 4.5]
    assert not too_weak
