"""What a parallel loop writes, so that one can tell what stays as it is while it runs."""

from __future__ import annotations

from functools import cached_property

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.emu.builtins import atomic_call
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.objects import ALLOCATORS, Objects
from s2s.rewriters.emu.program import Program, written
from s2s.source.records import dataclass

_WRITING = {"printf", "fprintf", "puts", "putchar", "putc", "fputs", "fputc", "fflush", "free"}
_COMPUTING = {"abs", "labs", "fabs", "fabsf", "sqrt", "sqrtf", "pow", "exp", "log", "fmin", "fmax"}
_HARMLESS = frozenset(_WRITING | _COMPUTING)
_MOVING = ("memcpy", "memmove", "qsort", "bsearch")
_ATOMIC = ("__sync_", "__atomic_", "atomic_")


@dataclass(eq=False)
class Region:
    """A parallel loop's body and the functions that it calls, run by many threads at a time."""

    program: Program
    objects: Objects
    loop: ParallelLoop

    @cached_property
    def _tops(self) -> list[Node]:
        called = self.program.reached([self.loop.body])
        return [self.loop.body, *(self.program.functions[d] for d in called)]

    @cached_property
    def is_known(self) -> bool:
        """Whether all that it writes is seen, and who points where."""
        calls = (n for top in self._tops for n in top.walk() if n.kind == "CALL_EXPR")
        return is_closed(self.program) and all(map(self._is_known_call, calls))

    def _is_known_call(self, call: Node) -> bool:
        name = call.name
        known = name in _HARMLESS or name in ALLOCATORS or name.startswith(_ATOMIC)
        return known or call.decl in self.program.functions

    @cached_property
    def _written(self) -> set[int]:
        places: set[int | None] = set()
        for node in (n for top in self._tops for n in top.walk()):
            lvalue = written(node)
            if atomic_call(self.program, node) is not None:
                pointers = (c for c in node.children if c.uncast.type.kind == "pointer")
                places |= {self.objects.target(c) for c in pointers}
            elif lvalue is not None and node.op != "&":
                places.add(self.objects.location(lvalue))
                if lvalue.type.kind in ("record", "union"):
                    places |= {self.objects.place_of(d) for d in self.objects.fields()}
        return {self.objects.find(p) for p in places if p is not None}

    def stays(self, node: Node, fixed: set[Decl]) -> bool:
        """Whether an expression is worth the same throughout the region.

        ``fixed`` are variables that do not change where it is asked for.
        """
        node = node.uncast
        if node.kind in ("INTEGER_LITERAL", "CHARACTER_LITERAL", "CXX_UNARY_EXPR"):
            return True
        if node.kind == "DECL_REF_EXPR":
            return node.decl in fixed or node.value is not None
        if node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
            place = self.objects.location(node)
            if place is None or node.type.volatile:
                return False
            is_array = node.type.kind in ("array", "record")
            if not is_array and self.objects.find(place) in self._written:
                return False
            return all(self.stays(child, fixed) for child in node.children)
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            return self._address_stays(node.children[0].uncast, fixed)
        if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*", "<", ">", "==", "!="):
            return all(self.stays(child, fixed) for child in node.children)
        return False

    def _address_stays(self, node: Node, fixed: set[Decl]) -> bool:
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            base = node.children[0].uncast
            if base.type.kind == "pointer":
                return self.stays(base, fixed)
            return self._address_stays(base, fixed)
        return False


def is_closed(program: Program) -> bool:
    """Whether the text shows all that pointers may point to.

    There is a ``main``, no number becomes a pointer, no union holds one, and no function from
    elsewhere writes pointers.
    """
    if not any(decl.name == "main" for decl in program.functions):
        return False
    for decl in program.functions:
        if decl.name != "main" and not decl.is_static and not _is_called(program, decl):
            return False
    return all(map(_is_plain, (n for f in program.functions.values() for n in f.walk())))


def _is_called(program: Program, decl: Decl) -> bool:
    functions = program.functions.values()
    return any(n.kind == "CALL_EXPR" and n.decl is decl for f in functions for n in f.walk())


def _is_plain(node: Node) -> bool:
    if node.kind == "CSTYLE_CAST_EXPR" and node.type.kind == "pointer" and node.children:
        given = node.children[-1].uncast
        return given.type.kind in ("pointer", "array", "other") or given.value == 0
    if node.type.kind == "union":
        return False
    return node.kind != "CALL_EXPR" or node.name not in _MOVING
