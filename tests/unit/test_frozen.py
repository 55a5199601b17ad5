"""Frozen values behave as the standard library's, though their methods are made otherwise."""

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, field, fields, replace

import pytest

from desktop.domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    page: int
    name: str = "top"
    marks: Mapping[str, int] = field(default_factory=dict)
    data: bytes = field(default=b"", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class NearPlace(Place):
    is_near: bool = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Line:
    page: int
    name: str = "top"


def test_values_are_taken_in_order_by_name_and_by_default() -> None:
    first, second = Place(1), Place(name="end", page=2)
    assert (first.page, first.name, first.marks) == (1, "top", {})
    assert (second.page, second.name) == (2, "end")
    assert first.marks is not Place(1).marks


def test_a_missing_and_an_unknown_value_are_refused() -> None:
    for values in ({}, {"page": 1, "line": 2}):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            Line(**values)  # type: ignore[arg-type]


def test_values_are_equal_if_their_compared_fields_and_their_class_are() -> None:
    assert Place(1) == Place(1, data=b"other")
    assert Place(1) != Place(2)
    assert len({Line(1), Line(1), Line(2)}) == 2
    values: list[object] = [Place(1), NearPlace(1, is_near=True)]
    assert values[0] != values[1]


def test_neither_a_field_nor_anything_else_can_be_set_or_deleted() -> None:
    line = Line(1)
    for name in ("page", "line"):
        with pytest.raises(FrozenInstanceError):
            setattr(line, name, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(line, "page")
    assert not hasattr(line, "__dict__")


def test_a_value_is_shown_without_its_hidden_fields() -> None:
    assert repr(Place(1, data=b"secret")) == "Place(page=1, name='top', marks={})"


def test_a_derived_class_has_the_fields_of_both() -> None:
    place = NearPlace(1, "end", is_near=True)
    assert (place.page, place.name, place.is_near) == (1, "end", True)


def test_the_standard_library_reads_and_replaces_fields_and_patterns_take_them_apart() -> None:
    assert [one.name for one in fields(Line)] == ["page", "name"]
    match replace(Line(1), page=3):
        case Line(page, name):
            assert (page, name) == (3, "top")


def test_nothing_is_compiled_before_the_first_instance() -> None:
    @dataclass(frozen=True, slots=True)
    class Late:
        page: int

    before = vars(Late)["__init__"]
    assert Late(1) == Late(1)
    assert vars(Late)["__init__"] is not before


def test_a_class_that_is_not_frozen_is_refused() -> None:
    with pytest.raises(TypeError):
        dataclass(frozen=False, slots=True)
