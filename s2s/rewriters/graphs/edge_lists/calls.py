"""What calls do to the memory: functions of the file are gone through, those of libraries known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from s2s.frontends.c.facts import ALLOCATORS
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.graphs.edge_lists.contents import Content, Offsets, Unknown, Zeros, at_most
from s2s.rewriters.graphs.edge_lists.expressions import Expressions, Frame
from s2s.rewriters.graphs.edge_lists.memory import fresh, joined
from s2s.rewriters.graphs.edge_lists.operations import unknown
from s2s.rewriters.graphs.edge_lists.terms import (
    Anywhere,
    Lin,
    Object,
    Pointer,
    Record,
    Target,
    Value,
    number,
)

if TYPE_CHECKING:
    from s2s.frontends.c.unit import Unit

# Calls that are followed into each other.
_DEEPEST = 12
_ENDS = frozenset({"exit", "abort", "_exit", "_Exit", "__assert_fail", "quick_exit", "longjmp"})
_SCANS = frozenset({"scanf", "fscanf", "sscanf"})
_WHY = "may be written by a call"


class Calls(Expressions):
    """Evaluates calls. ``unit`` is the file; ``objects`` are those that calls have made."""

    unit: Unit
    made: dict[Any, Object]
    steps: int
    looped: bool

    def definition(self, node: Node) -> Node | None:
        """The function that a call reaches, where its body is at hand."""
        decl = node.decl
        if decl is None or decl.kind != "FUNCTION_DECL" or decl.cursor is None:
            return None
        cursor = decl.cursor.get_definition()
        if cursor is None:
            return None
        function = self.unit.convert(cursor)
        whole = function.children and function.children[-1].kind == "COMPOUND_STMT"
        return function if whole else None

    def call(self, node: Node) -> Value:
        values = [self.value(c) for c in node.children[1:]]
        function = self.definition(node)
        if function is not None:
            return self._entered(node, function, values)
        if not node.children or not is_library(node.decl):
            self._anything(node, values)
            return Anywhere() if node.type.kind == "pointer" else unknown()
        return self._library(node, values)

    # -- functions of the file --------------------------------------------------------------

    def _entered(self, node: Node, function: Node, values: Sequence[Value]) -> Value:
        inside = id(function) in self.frame.calls or len(self.frame.calls) > _DEEPEST
        parameters = [c for c in function.children if c.kind == "PARM_DECL"]
        if inside or len(parameters) != len(values):
            self.skip(function, "calls itself")
            self._anything(node, values)
            return Anywhere() if node.type.kind == "pointer" else unknown()
        outer = self.frame
        self.frame = Frame(function, calls=(*outer.calls, id(function)))
        for parameter, value in zip(parameters, values, strict=True):
            self.declare(parameter, value)
        returned = self.run(function)
        self.state.drop(self.frame.variables.values())
        self.frame = outer
        return self._result(returned, node.type)

    def run(self, function: Node) -> list[Value]:
        """The body of a function; the values that it may return."""
        self.body(function)
        frame = self.frame
        values = [value for state, value in frame.returns if not state.dead]
        falls = not self.state.dead
        found = joined([*(s for s, _ in frame.returns), self.state], fresh())
        if found is None:
            self.state.dead = True
        else:
            self.state = found
        return values if not falls or not values else [*values, unknown()]

    def body(self, function: Node) -> None:
        raise NotImplementedError

    def skip(self, node: Node, why: str) -> None:
        """Loops below a node are reached in a way that is not followed."""
        raise NotImplementedError

    def declare(self, node: Node, value: Value | None) -> None:
        """A variable comes to be."""
        assert node.decl is not None
        owner = self.variable(node.decl)
        for known in (self.state.contents, self.state.versions):
            for key in [k for k in known if k[0] is owner]:
                del known[key]
        for key in [k for k in self.state.cells if k[0] is owner]:
            del self.state.cells[key]
        self.state.epochs[owner] = ("new", fresh())
        if value is not None:
            self.assign([Target(owner)], value, node.type, node)

    def _result(self, values: Sequence[Value], type_: CType) -> Value:
        known = [v for v in values if v is not None]
        if known and all(v == known[0] for v in known) and not isinstance(known[0], Record):
            return known[0]
        if len(known) == 1:
            return known[0]
        if type_.kind == "record":
            for value in known:
                self._release(value)
            return Record({(): unknown()})
        return self._one_of(known, type_) if known else unknown()

    # -- functions of libraries -------------------------------------------------------------

    def _library(self, node: Node, values: Sequence[Value]) -> Value:
        name = node.name
        if name in _ENDS:
            self.state.dead = self.state.gone = True
            return unknown()
        if name in ALLOCATORS or name == "realloc":
            return self._fresh(node, values)
        if name in ("memset", "memcpy", "memmove") and len(values) == 3:
            self._moved(node, values)
            return values[0]
        for position, value in enumerate(values):
            argument = node.children[position + 1]
            if name == "free":
                self._clear(value, (node, "is freed"), ends=True)
                continue
            points = argument.type.kind == "pointer" or isinstance(value, (Pointer, Anywhere))
            if points and not self._keeps(node, position):
                self._written(node, argument, value, name in _SCANS)
        if any(c.decl is not None and c.decl.kind == "FUNCTION_DECL" for c in node.children[1:]):
            self._anything(node, values)  # a function that is called back
        return Anywhere() if node.type.kind == "pointer" else unknown()

    def _keeps(self, node: Node, position: int) -> bool:
        """Whether a library's function only reads what an argument points to."""
        decl = node.decl
        if decl is None or decl.cursor is None:
            return False
        kinds = [clang_argument.type for clang_argument in decl.cursor.get_arguments()]
        if position >= len(kinds):
            return node.name in ("printf", "fprintf", "sprintf", "snprintf")
        pointee = kinds[position].get_canonical().get_pointee()
        return bool(pointee.is_const_qualified())

    def _written(self, node: Node, argument: Node, value: Value, scans: bool) -> None:
        """An argument's memory is written; one number of it where a number is read."""
        if not isinstance(value, Pointer):
            self.state.forget_outside((node, _WHY))
            return
        element = argument.type.element
        one = len(value.targets) == 1 and element is not None and element.kind in ("int", "float")
        if scans and one and element is not None:
            self.assign(list(value.targets), unknown(), element, node)
            return
        self._clear(value, (node, _WHY))

    def _clear(self, value: Value, why: tuple[Any, str], *, ends: bool = False) -> None:
        if not isinstance(value, Pointer):
            self.state.forget_outside(why)
            return
        for target in value.targets:
            if (
                target.index is not None
                and not ends
                and self.stored(Target(target.object, target.path, unknown()), unknown(), why[0])
            ):
                continue
            self.state.forget(target.object, why)

    def _fresh(self, node: Node, values: Sequence[Value]) -> Value:
        """Memory that nobody else has; in a loop, that of former rounds is another object."""
        numbers = [v for v in values if isinstance(v, Lin)]
        size: Lin | None = numbers[-1] if numbers else None
        if node.name == "calloc" and len(numbers) == 2:
            known = next((v for v in numbers if v.number is not None), None)
            other = numbers[0] if known is numbers[1] else numbers[1]
            size = other.scaled(known.constant) if known is not None else None
        if node.name == "realloc" and values:
            self._clear(values[0], (node, "is moved"), ends=True)
        key = (id(node), self.frame.calls, fresh() if not self.looped else 0)
        if key in self.made:
            self._retire(self.made[key])
        made = self.made.setdefault(key, Object(node.name))
        made.size = size
        self.state.forget(made)
        self.state.epochs[made] = ("zero" if node.name == "calloc" else "new", fresh())
        return Pointer(frozenset({Target(made, (), number(0))}))

    def _retire(self, owner: Object) -> None:
        """Pointers to memory that a former round made are not followed."""
        for place, value in list(self.state.cells.items()):
            if isinstance(value, Pointer) and any(t.object is owner for t in value.targets):
                self.state.escape(value)
                self.state.cells[place] = Anywhere()

    def _moved(self, node: Node, values: Sequence[Value]) -> None:
        """``memset``, ``memcpy``, ``memmove``."""
        target = self._only(values[0])
        size = values[2]
        self._release_held(values[1])
        if target is None or target.path[-1:] == ("?",) or not isinstance(size, Lin):
            self._clear(values[0], (node, _WHY))
            return
        stride = target.object.stride or _pointed_size(node.children[1].type)
        target.object.stride = stride
        count = size.divided(stride) if stride else None
        content: Content = Unknown((node, "is copied in a way that is not understood"))
        if count is not None and target.index is not None:
            if node.name == "memset":
                if values[1] == number(0) and target.index == number(0):
                    content = Zeros(count)
            else:
                content = self._copied(target.index, self._only(values[1]), count, content)
        if target.index is None:
            self.state.forget(target.object, (node, _WHY))
        elif not self.stored(Target(target.object, target.path, unknown()), unknown(), node):
            if target.path == ():
                self.state.forget(target.object, (node, _WHY))
            self.state.fill(target.array, content)

    def _release_held(self, pointer: Value) -> None:
        """Pointers in memory that is copied are not followed."""
        owners = {t.object for t in pointer.targets} if isinstance(pointer, Pointer) else set()
        for (owner, _), value in list(self.state.cells.items()):
            if owner in owners:
                self.state.escape(value)

    def _copied(self, index: Lin, source: Target | None, count: Lin, otherwise: Content) -> Content:
        """What offsets are where they are copied to."""
        if source is None or source.index is None or "?" in source.path:
            return otherwise
        held = self.state.content(source.array)
        by = (index - source.index).number
        if not isinstance(held, Offsets) or by is None:
            return otherwise
        within = at_most(held.first, source.index) and at_most(source.index + count, held.last)
        return Offsets(held.keyed.moved(by), index, index + count) if within else otherwise

    def _only(self, value: Value) -> Target | None:
        if isinstance(value, Pointer) and len(value.targets) == 1:
            (target,) = value.targets
            return target
        return None

    def _anything(self, node: Node, values: Sequence[Value]) -> None:
        """A call that may do anything with what it gets and what others can reach."""
        for value in values:
            self._release(value)
        for owner in self.globals.values():
            self.state.escaped.add(owner)
            held = [v for (o, _), v in self.state.cells.items() if o is owner]
            for value in held:
                self.state.escape(value)
        self.state.forget_outside((node, _WHY))


def _pointed_size(type_: CType) -> int:
    return type_.element.size if type_.element is not None else 0


def is_library(decl: Decl | None) -> bool:
    """Whether a function is declared by the system, whose functions do not call the program's."""
    if decl is None or decl.kind != "FUNCTION_DECL" or decl.cursor is None or decl.in_file:
        return False
    file = decl.cursor.location.file
    return file is None or file.name.startswith(("/usr/", "/lib/")) or "/clang/" in file.name
