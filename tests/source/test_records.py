"""Dataclasses that are made late are what the ordinary ones are."""

import dataclasses
import pickle
import re
from dataclasses import field, fields, replace
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s.source.records import dataclass, make_all
from tests.house.rooms import modules

T = TypeVar("T")


@dataclass(frozen=True)
class Point(Generic[T]):
    """A place with a note that does not count."""

    x: T
    y: int = 2
    notes: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Deep(Point[int]):
    """A derived class, used before its base is."""

    z: int = 3


@dataclass
class Counter:
    """What changes; its objects have no hash."""

    count: int = 0
    step: int = field(default=1, repr=False)

    def __post_init__(self) -> None:
        self.count += self.step


@dataclass(eq=False)
class Named:
    """Compared by identity."""

    name: str


@dataclass(frozen=True)
class Wild:
    """Its own comparison, and the hash of its fields."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wild) and {self.name, other.name} & {"*"} != set()


@dataclass(frozen=True, order=True, slots=True)
class Ordered:
    """Made at once."""

    low: int
    high: int


def test_a_derived_class_has_the_fields_of_its_base() -> None:
    assert [f.name for f in fields(Deep)] == ["x", "y", "notes", "z"]
    assert repr(Deep(1)) == "Deep(x=1, y=2, notes=[], z=3)"
    assert replace(Deep(1), z=5) == Deep(1, 2, [], 5)


def test_objects_compare_by_their_fields_and_class() -> None:
    assert Deep(1, notes=["a"]) == Deep(1) != Deep(2)
    assert hash(Deep(1, notes=["a"])) == hash(Deep(1))
    assert Point(1) != Deep(1)
    assert len({Point(1), Point(1), Point("1")}) == 2
    assert Named("a") != Named("a")
    assert Wild("a") == Wild("*") and hash(Wild("a")) != hash(Wild("*"))


def test_frozen_objects_stay_and_others_have_no_hash() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter())
    assert repr(Counter(3)) == "Counter(count=4)"


def test_objects_that_were_read_are_as_good_as_those_made() -> None:
    # Unpickling calls no constructor: the first method called is another one.
    made = _fresh("from s2s.source.records import dataclass", "decorated")
    read = object.__new__(made)
    read.__dict__.update(a=1, b=2)
    other = object.__new__(made)
    other.__dict__.update(a=1, b=2)
    assert read == other and hash(read) == hash(other) and repr(read) == "Decorated(a=1, b=2)"
    assert pickle.loads(pickle.dumps(Deep(4))) == Deep(4)


def test_positions_of_patterns_are_those_of_the_fields() -> None:
    match Deep(4, 5):
        case Deep(x, y, _, z):
            assert (x, y, z) == (4, 5, 3)
        case _:
            pytest.fail("no match")


def test_classes_with_slots_or_order_are_made_at_once() -> None:
    assert Ordered(1, 2) < Ordered(1, 3)
    assert not hasattr(Ordered(1, 2), "__dict__")


def test_all_classes_are_made_before_a_process_is_copied() -> None:
    waiting = _fresh("from s2s.source.records import dataclass", "waiting")
    assert waiting.__init__.__qualname__.endswith("stand_in")
    make_all()
    assert waiting.__init__.__qualname__ == "Waiting.__init__"


def test_a_constructor_refuses_what_the_ordinary_one_refuses() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        Named(nam="a")  # type: ignore[call-arg]


def test_all_dataclasses_of_the_package_are_such_ones() -> None:
    ordinary = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    assert not [name for name, path in modules().items() if ordinary.search(path.read_text())]


def _fresh(imported: str, name: str) -> type[Any]:
    """A class that nobody has used yet."""
    scope: dict[str, Any] = {"__name__": __name__}
    text = (
        f'{imported}\n@dataclass(frozen=True)\nclass {name.title()}:\n  "x"\n  a: int\n  b: int\n'
    )
    exec(text, scope)
    made: type[Any] = scope[name.title()]
    return made


_USES = {
    "shown": repr,
    "hashed": hash,
    "equal": lambda o: o == type(o)(o.a, o.b),
    "unequal": lambda o: o != type(o)(o.b, 7),
    "fields": lambda o: [f.name for f in fields(o)],
    "same": lambda o: replace(o) == o,
    "dictionary": dataclasses.asdict,
    "known": dataclasses.is_dataclass,
    "positions": lambda o: type(o).__match_args__,
}


@given(
    values=st.tuples(st.integers(), st.integers()),
    uses=st.lists(st.sampled_from(sorted(_USES)), min_size=1),
)
def test_any_order_of_uses_gives_what_the_ordinary_class_gives(
    values: tuple[int, int], uses: list[str]
) -> None:
    late = _fresh("from s2s.source.records import dataclass", "kind")(*values)
    ordinary = _fresh("from dataclasses import dataclass", "kind")(*values)
    assert [_USES[use](late) for use in uses] == [_USES[use](ordinary) for use in uses]
