"""Which elements and variables a statement of straight code reads and writes, in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.line_groups.kernels import Kernel
from s2s.rewriters.line_groups.reading import Run, is_place
from s2s.source.records import dataclass

_OUTERMOST = re.compile(r"[\w ]+\[(\d+)\](?:\[\d+\])*")


@dataclass(frozen=True)
class Touch:
    """A variable, element or block (with fewer subscripts than dimensions) that is used.

    ``always``: all of it is written, whatever was there before.
    """

    node: Node
    decl: Decl
    subscripts: tuple[Node, ...]
    reads: bool
    writes: bool
    always: bool
    lengths: tuple[int, ...]

    @property
    def block(self) -> tuple[int, ...]:
        """The lengths of the dimensions that have no subscript."""
        return self.lengths[len(self.subscripts) :]


def lengths_of(type_: CType) -> tuple[int, ...] | None:
    """The lengths of an array's dimensions, () for a number; None for other types.

    A parameter that is declared as an array, ``double a[5][5]``, has the lengths that it is
    declared with, though it is a pointer.
    """
    found: list[int] = []
    first = _OUTERMOST.fullmatch(type_.spelling) if type_.kind == "pointer" else None
    if first is not None and type_.element is not None:
        found.append(int(first.group(1)))
        type_ = type_.element
    while type_.kind == "array":
        if not type_.count or type_.element is None:
            return None
        found.append(type_.count)
        type_ = type_.element
    plain = type_.kind in ("int", "float") and not type_.volatile
    return tuple(found) if plain else None


def element_of(type_: CType) -> CType:
    """The type of an array's elements, of a parameter's that is declared as one too."""
    pointed = type_.kind == "pointer" and type_.element is not None
    return (type_.element if pointed and type_.element else type_).innermost()


def touches(run: Run, kernels: Callable[[Node], Kernel]) -> Iterator[list[Touch]]:
    """What each statement of a run touches. Raises NotLiftable."""
    for statement in run.statements:
        if statement.kind == "CALL_EXPR":
            yield list(_of_call(statement, kernels(statement)))
        else:
            yield list(_of_assignment(statement))


def _of_assignment(statement: Node) -> Iterator[Touch]:
    target, *values = statement.children
    for value in values:
        yield from _read(value)
    yield from _subscripts_of(target)
    yield _touch(target, reads=statement.op != "=", writes=True, always=True)


def _of_call(statement: Node, kernel: Kernel) -> Iterator[Touch]:
    for argument, parameter in zip(statement.children[1:], kernel.parameters, strict=True):
        yield from _subscripts_of(argument)
        touch = _touch(argument.bare, reads=True, writes=parameter in kernel.written, always=False)
        if touch.block != lengths_of(kernel.types[parameter]) or not touch.block:
            raise NotLiftable(argument.span, "an argument is no block of the parameter's size")
        if argument.type.innermost().spelling != element_of(kernel.types[parameter]).spelling:
            raise NotLiftable(argument.span, "an argument is no block of the parameter's type")
        yield touch


def _read(node: Node) -> Iterator[Touch]:
    if is_place(node):
        if node.decl is not None and node.decl.kind in ("FUNCTION_DECL", "ENUM_CONSTANT_DECL"):
            return
        yield from _subscripts_of(node)
        yield _touch(node, reads=True, writes=False, always=False)
        return
    for child in node.children:
        yield from _read(child)


def _subscripts_of(place: Node) -> Iterator[Touch]:
    """What the subscripts of a place read."""
    place = place.bare
    while place.kind == "ARRAY_SUBSCRIPT_EXPR":
        yield from _read(place.children[1])
        place = place.children[0].bare


def _touch(place: Node, *, reads: bool, writes: bool, always: bool) -> Touch:
    subscripts: list[Node] = []
    node = place
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        subscripts.insert(0, node.children[1])
        node = node.children[0].bare
    decl = node.decl
    if node.kind != "DECL_REF_EXPR" or decl is None or decl.kind not in ("VAR_DECL", "PARM_DECL"):
        raise NotLiftable(place.span, "what is used has no name")
    lengths = lengths_of(node.type)
    if lengths is None or len(subscripts) > len(lengths):
        raise NotLiftable(place.span, f"'{decl.name}' is no number and no array of them")
    return Touch(place, decl, tuple(subscripts), reads, writes, always, lengths)
