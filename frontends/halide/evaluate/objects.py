"""Objects of the user's classes, functions and lambdas; scopes of names."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate.containers import copy_value
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.values import Cell, Ref
from s2s.source.records import dataclass

DEFAULT = object()
"""Stands for an argument that a call leaves out."""


class Pack(Cell):
    """Marks the name of several parameters of a pack."""


class Scope:
    """Names of a block; ``outer`` is the block around it."""

    __slots__ = ("names", "outer")

    def __init__(self, outer: Scope | None = None) -> None:
        self.names: dict[Any, Ref] = {}
        self.outer = outer

    def find(self, name: Any) -> Ref | None:
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.outer
        return None

    def snapshot(self) -> Scope:
        """All names with copies of their values."""
        made = Scope()
        scope: Scope | None = self
        while scope is not None:
            for name, ref in scope.names.items():
                if name not in made.names:
                    made.names[name] = Cell(copy_value(ref.get()))
            scope = scope.outer
        return made


@dataclass
class Frame:
    """A call: its names, ``this``, and the value that it returns."""

    scope: Scope
    this: Instance | None = None
    result: Any = None


@dataclass
class Class:
    """A class of the user's: fields in the order of their initialization, bases first."""

    node: Node
    name: str
    bases: list[Class]
    fields: list[Node]
    methods: dict[str, list[Node]]
    statics: dict[str, Node]
    is_generator: bool = False

    def method(self, name: str, count: int) -> Node | None:
        """The method of that name and number of parameters, of this class before its bases'."""
        for node in self.methods.get(name, ()):
            if sum(c.kind == "PARM_DECL" for c in node.children) == count:
                return node
        for base in self.bases:
            found = base.method(name, count)
            if found is not None:
                return found
        return None

    @property
    def generates(self) -> bool:
        """Whether it is a generator."""
        return self.is_generator or any(b.generates for b in self.bases)


class Instance:
    """An object of a class of the user's; ``native`` stands for a base class of Halide's."""

    words = "an object of a class"

    def __init__(self, class_: Class, native: Any = None) -> None:
        self.class_, self.native = class_, native
        self.fields: dict[str, Ref] = {}

    def copied(self) -> Instance:
        made = Instance(self.class_, self.native)
        made.fields = {name: Cell(copy_value(ref.get())) for name, ref in self.fields.items()}
        return made


@dataclass
class Lambda:
    """A lambda with the names that it sees."""

    node: Node
    scope: Scope
    this: Instance | None
    words = "a lambda"


@dataclass
class Function:
    """A function as a value."""

    node: Node
    words = "a function"


@dataclass
class Bound:
    """A method of the library's or the user's on an object, about to be called."""

    target: Any
    name: str
    node: Node | None = None


class Finished(Exception):
    """The program asked for its pipeline to be compiled or run."""

    def __init__(self, outputs: list[Any], name: str) -> None:
        super().__init__(name)
        self.outputs, self.name = outputs, name


class Stopped(Exception):
    """The program ended itself (``exit``)."""
