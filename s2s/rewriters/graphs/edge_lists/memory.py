"""The memory of a program at one of its points, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import count
from typing import Any

from s2s.frontends.c.syntax import CType
from s2s.rewriters.graphs.edge_lists.contents import Content, Guards, Unknown, Zeros
from s2s.rewriters.graphs.edge_lists.terms import (
    Anywhere,
    Array,
    Elem,
    Lin,
    Object,
    Pointer,
    Sym,
    Target,
    Value,
    number,
    of,
)
from s2s.source.records import dataclass

_serial = count(1)


def fresh() -> int:
    """A number that nothing else has."""
    return next(_serial)


@dataclass
class State:
    """Values of variables and members, contents and versions of arrays.

    What is in neither is what it was when its object came to be: ``epochs`` count how often that
    happened. A ``dead`` state is not reached; in one that is ``gone``, too, the loop that is
    looked at was left for good. ``escaped`` objects may be what unknown pointers lead to.
    """

    cells: dict[Array, Value] = field(default_factory=dict)
    contents: dict[Array, Content] = field(default_factory=dict)
    versions: dict[Array, Any] = field(default_factory=dict)
    epochs: dict[Object, Any] = field(default_factory=dict)
    escaped: set[Object] = field(default_factory=set)
    outside: dict[Array, Object] = field(default_factory=dict)
    guards: Guards = frozenset()
    dead: bool = False
    gone: bool = False

    def copy(self) -> State:
        return State(
            dict(self.cells), dict(self.contents), dict(self.versions), dict(self.epochs),
            self.escaped, self.outside, self.guards, self.dead, self.gone,
        )  # fmt: skip

    # -- values -----------------------------------------------------------------------------

    def value(self, place: Array, type_: CType) -> Value:
        """What a variable or a member holds."""
        known = self.cells.get(place)
        if known is None:
            known = self.cells[place] = self._initial(place, type_)
        return known

    def _initial(self, place: Array, type_: CType) -> Value:
        owner, path = place
        epoch = self.epochs.get(owner, 0)
        if type_.kind != "pointer":
            return of(Sym(("first", owner, path, epoch)))
        if not owner.outer or type_.element is None:
            return Anywhere()
        key = (owner, (*path, f"@{epoch}"))
        if key not in self.outside:
            kind = kind_of(type_.element)
            new = Object(
                f"{owner.name}->", outer=True, kind=kind, alone=type_.restrict and epoch == 0
            )
            self.outside[key] = new
        single = None if type_.element.kind == "record" else number(0)
        return Pointer(frozenset({Target(self.outside[key], (), single)}))

    def content(self, array: Array) -> Content:
        """What is known of an array's elements."""
        known = self.contents.get(array)
        owner, epoch = array[0], self.epochs.get(array[0])
        if known is not None or not isinstance(epoch, tuple) or epoch[0] != "zero":
            return known or Unknown()
        count = owner.size.divided(owner.stride) if owner.size is not None else None
        return Zeros(count) if count is not None else Unknown()

    def version(self, array: Array) -> Any:
        return self.versions.get(array, ("first", self.epochs.get(array[0], 0)))

    def element(self, array: Array, index: Lin) -> Lin:
        return of(Elem(array, self.version(array), index))

    def lacks(self, owner: Object) -> bool:
        """Whether an object has not come to be."""
        return owner not in self.epochs and not owner.outer and not owner.lasting

    # -- changes ----------------------------------------------------------------------------

    def set(self, place: Array, value: Value) -> None:
        self.cells[place] = value

    def fill(self, array: Array, content: Content) -> None:
        """An array has other contents from here on."""
        self.contents[array] = content
        self.versions[array] = fresh()

    def forget(self, owner: Object, why: tuple[Any, str] | None = None) -> None:
        """Everything in an object may have changed."""
        self.epochs[owner] = fresh()
        for known in (self.cells, self.versions):
            for key in [k for k in known if k[0] is owner]:
                del known[key]
        for key in [k for k in self.contents if k[0] is owner]:
            self.contents[key] = Unknown(why)

    def drop(self, owners: Iterable[Object]) -> None:
        """Variables of a call that has ended."""
        gone = set(owners)
        for known in (self.cells, self.versions, self.contents):
            for key in [k for k in known if k[0] in gone]:
                del known[key]
        for owner in gone & set(self.epochs):
            del self.epochs[owner]

    def forget_outside(self, why: tuple[Any, str] | None = None, kind: str = "") -> None:
        """What unknown pointers lead to may have changed; of one kind, if it is given."""
        for owner in self.objects():
            if owner not in self.escaped and not owner.outer:
                continue
            if may_share(kind, owner.kind):
                self.forget(owner, why)

    def objects(self) -> list[Object]:
        """All objects that something is known of."""
        places = [*self.cells, *self.contents, *self.versions]
        return list(dict.fromkeys([*(o for o, _ in places), *self.outside.values()]))

    def escape(self, value: Value) -> None:
        """A pointer goes where it is not followed."""
        waiting = list(value.targets) if isinstance(value, Pointer) else []
        while waiting:
            owner = waiting.pop().object
            if owner in self.escaped:
                continue
            self.escaped.add(owner)
            held = (v for (o, _), v in self.cells.items() if o is owner)
            waiting += [t for v in held if isinstance(v, Pointer) for t in v.targets]

    def take(self, other: State) -> None:
        """Become another state."""
        self.cells, self.contents = other.cells, other.contents
        self.versions, self.epochs = other.versions, other.epochs
        self.guards, self.dead = other.guards, other.dead

    def is_first(self, place: Array, value: Value) -> bool:
        """Whether a value is the one that a place had before anything changed it."""
        owner, path = place
        epoch = self.epochs.get(owner, 0)
        if isinstance(value, Pointer) and len(value.targets) == 1:
            (target,) = value.targets
            return self.outside.get((owner, (*path, f"@{epoch}"))) is target.object
        return value == of(Sym(("first", owner, path, epoch)))


def joined(states: Iterable[State], tag: int) -> State | None:
    """What holds in all of some states; None where there is none that is reached."""
    result: State | None = None
    for state in states:
        if state.dead:
            continue
        result = state.copy() if result is None else _join(result, state, tag)
    return result


def _join(one: State, other: State, tag: int) -> State:
    result = one.copy()
    result.guards = one.guards & other.guards
    for owner in {*one.epochs, *other.epochs}:
        if one.lacks(owner) or other.lacks(owner):
            result.epochs[owner] = one.epochs.get(owner, other.epochs.get(owner))
        elif one.epochs.get(owner, 0) != other.epochs.get(owner, 0):
            result.epochs[owner] = ("join", tag)
    for place in {*one.cells, *other.cells}:
        value = _joined_cell(one, other, place, tag)
        if value is not None:
            result.cells[place] = value
    for array in {*one.contents, *other.contents, *one.versions, *other.versions}:
        only = one if other.lacks(array[0]) else other if one.lacks(array[0]) else None
        if only is not None:
            result.versions[array] = only.version(array)
            result.contents[array] = only.content(array)
            continue
        same = one.version(array) == other.version(array)
        result.versions[array] = one.version(array) if same else ("join", tag)
        mine, its = one.content(array), other.content(array)
        why = next((c.why for c in (mine, its) if isinstance(c, Unknown) and c.why), None)
        result.contents[array] = mine if mine == its else Unknown(why)
    return result


def _joined_cell(one: State, other: State, place: Array, tag: int) -> Value | None:
    """What a place holds in one of two states; None for what it held at first."""
    mine, its = one.cells.get(place), other.cells.get(place)
    if mine is None or its is None:
        known, where = (mine, one) if its is None else (its, other)
        moved = one.epochs.get(place[0], 0) != other.epochs.get(place[0], 0)
        if known is not None and not moved and where.is_first(place, known):
            return known
        without = other if its is None else one
        epoch = without.epochs.get(place[0])
        unset = not moved and isinstance(epoch, tuple) and (
            epoch[0] == "new" or (epoch[0] == "zero" and isinstance(known, Pointer)))  # fmt: skip
        if without.lacks(place[0]) or unset:
            return known  # what was not set is not read
    return _either(mine, its, (tag, place), one)


def _either(one: Value | None, other: Value | None, key: Any, state: State) -> Value:
    """A value that is one of two; of one that is not known, anything."""
    if one is not None and one == other:
        return one
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        places: dict[Array, Lin | None] = {}
        for target in (*one.targets, *other.targets):
            known = places.get(target.array, target.index)
            somewhere = of(Sym(("somewhere", *key, target.array)))
            places[target.array] = known if known == target.index else somewhere
        return Pointer(frozenset(Target(o, p, i) for (o, p), i in places.items()))
    if isinstance(one, (Pointer, Anywhere)) or isinstance(other, (Pointer, Anywhere)):
        for value in (one, other):
            if value is not None:
                state.escape(value)
        return Anywhere()
    return of(Sym(("join", *key)))


def kind_of(type_: CType) -> str:
    """Values of different kinds are in different memory; empty for what may be in any."""
    if type_.kind not in ("int", "float", "pointer") or type_.character:
        return ""
    return f"{type_.kind}{type_.size}"


def may_share(one: str, other: str) -> bool:
    """Whether values of two kinds may be in the same memory."""
    return not one or not other or one == other


def plain_type(type_: CType | None) -> str:
    """A type's name without qualifiers."""
    words = type_.canonical.split() if type_ is not None else []
    return " ".join(w for w in words if w not in ("const", "restrict", "volatile"))
