"""Values as a program computes them: linear forms of what is not known, pointers, structs.

Equal terms are equal values: an element's term names the version of its array, and whatever cannot
be named is a ``Sym`` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import count
from typing import Any

from s2s.scop.linear import Linear
from s2s.source.records import dataclass

_numbers = count(1)


@dataclass(frozen=True)
class Sym:
    """A value that nothing is known of; ``key`` tells it from others."""

    key: Any


@dataclass(frozen=True)
class Counter:
    """The variable of the loop that is looked at; ``depth`` 1 is the inner one of two."""

    depth: int


@dataclass(frozen=True)
class Elem:
    """An element of an array as it was in a version."""

    array: Array
    version: Any
    index: Lin


@dataclass(frozen=True)
class Op:
    """An operation on values."""

    name: Any
    args: tuple[Any, ...]


Atom = Sym | Counter | Elem | Op


class Lin(Linear["Atom"]):
    """A constant and multiples of atoms."""


def number(value: int) -> Lin:
    return Lin({}, value)


def of(atom: Atom) -> Lin:
    """An atom as a form."""
    return Lin({atom: 1})


@dataclass(eq=False, repr=False)
class Object:
    """A variable or a piece of memory. ``size`` is in bytes.

    ``outer`` ones were there before the analysis: their pointers may be the same. ``kind`` is the
    type of their elements.
    """

    name: str
    size: Lin | None = None
    outer: bool = False
    alone: bool = False
    """Whether no other outer pointer leads here."""
    lasting: bool = False
    """Whether it is there before anything is known of it."""
    kind: str = ""
    stride: int = 0
    """What an element takes, 0 while nothing was accessed."""
    number: int = field(default_factory=lambda: next(_numbers))

    def __repr__(self) -> str:
        return f"{self.name}#{self.number}"


Array = tuple[Object, tuple[str, ...]]


@dataclass(frozen=True)
class Target:
    """A place: an object's member, or an element of an array. ``index`` None: no element."""

    object: Object
    path: tuple[str, ...] = ()
    index: Lin | None = None

    @property
    def array(self) -> Array:
        return (self.object, self.path)


@dataclass(frozen=True)
class Pointer:
    """A pointer to one of some places; to none, a null pointer."""

    targets: frozenset[Target] = frozenset()


@dataclass(frozen=True)
class Anywhere:
    """A pointer that nothing is known of."""


@dataclass(frozen=True)
class Record:
    """The members of a struct."""

    members: Mapping[tuple[str, ...], Any] = field(hash=False, default_factory=dict)


Value = Lin | Pointer | Anywhere | Record


def replaced(term: Lin, change: Callable[[Atom], Lin | None]) -> Lin:
    """A form with atoms replaced, in subscripts and operands as well."""
    found = ((atom, change(atom)) for atom in term.terms)
    return term.with_values({a: of(_inside(a, change)) if f is None else f for a, f in found})


def _inside(atom: Atom, change: Callable[[Atom], Lin | None]) -> Atom:
    if isinstance(atom, Elem):
        return Elem(atom.array, atom.version, replaced(atom.index, change))
    if isinstance(atom, Op):
        args = (replaced(a, change) if isinstance(a, Lin) else a for a in atom.args)
        return Op(atom.name, tuple(args))
    return atom


def atoms(term: Lin) -> Iterator[Atom]:
    """All atoms of a form, those of subscripts and operands as well."""
    for atom in term.terms:
        yield atom
        if isinstance(atom, Elem):
            yield from atoms(atom.index)
        elif isinstance(atom, Op):
            for argument in atom.args:
                if isinstance(argument, Lin):
                    yield from atoms(argument)
