"""Records: they behave like frozen dataclasses whose fields are given by keyword."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from exactmatch.records import Record


class Place(Record):
    """A record with every kind of field."""

    name: str
    size: int = 3
    parts: list[int] = field(default_factory=list)
    note: str = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("negative")


class Wider(Place):
    """A record with a field more."""

    width: int = 1


@dataclass(frozen=True, kw_only=True)
class Same:
    """The dataclass that `Place` stands for."""

    name: str
    size: int = 3
    parts: list[int] = field(default_factory=list)
    note: str = field(default="", repr=False, compare=False)


def test_a_record_has_the_fields_of_a_dataclass() -> None:
    named = [one.name for one in fields(Same)]
    assert [one.name for one in fields(Place)] == named
    assert [one.name for one in fields(Wider)] == [*named, "width"]
    one, other = Place(name="a"), Place(name="b")
    assert vars(one) == {"name": "a", "size": 3, "parts": [], "note": ""}
    assert one.parts is not other.parts


def test_a_record_is_shown_and_compared_like_a_dataclass() -> None:
    assert repr(Place(name="a", note="x")) == repr(Same(name="a")).replace("Same", "Place")
    assert Place(name="a") == Place(name="a", note="x")
    assert Place(name="a") != Place(name="a", size=4)
    assert Place(name="a") != Wider(name="a")
    assert Place(name="a") != Same(name="a")
    empty: Any = ()  # a list has no hash
    assert hash(Place(name="a", parts=empty)) == hash(Place(name="a", parts=empty, note="x"))


def test_a_copy_of_a_record_is_checked_again() -> None:
    assert replace(Wider(name="a", width=2), size=5) == Wider(name="a", size=5, width=2)
    assert pickle.loads(pickle.dumps(Wider(name="a", size=5))) == Wider(name="a", size=5)
    with pytest.raises(ValueError, match="negative"):
        replace(Place(name="a"), size=-1)


def test_a_record_cannot_be_changed() -> None:
    place = Place(name="a")
    with pytest.raises(FrozenInstanceError):
        place.size = 4  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del place.size
    assert place.size == 3


@pytest.mark.parametrize("given", [{}, {"size": 1}, {"name": "a", "colour": "red"}])
def test_a_record_takes_all_of_its_fields_and_no_others(given: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=r"Place misses or does not know (colour|name)"):
        Place(**given)  # type: ignore[arg-type]
