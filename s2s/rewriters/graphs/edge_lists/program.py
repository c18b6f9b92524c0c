"""A file gone through from all functions that others may call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from s2s.frontends.c import clang
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit
from s2s.rewriters.graphs.edge_lists.calls import is_library
from s2s.rewriters.graphs.edge_lists.expressions import Frame
from s2s.rewriters.graphs.edge_lists.machine import Machine
from s2s.rewriters.graphs.edge_lists.memory import State, fresh, kind_of
from s2s.rewriters.graphs.edge_lists.operations import unknown
from s2s.rewriters.graphs.edge_lists.terms import Object, Pointer, Target, Value, number
from s2s.source.records import dataclass

_TEAMS = re.compile(rb"#\s*pragma\s+omp\s+(?!parallel\s+for|for|atomic|simd|critical)")

_LISTS = frozenset({"INIT_LIST_EXPR", "STRING_LITERAL"})


@dataclass
class Program:
    """A file gone through from all of its functions that others may call."""

    unit: Unit

    @cached_property
    def obstacle(self) -> str:
        """Why a file cannot be gone through, empty where it can."""
        if "-fno-strict-aliasing" in self.unit.flags:
            return "memory of any type may be the same"
        if any(re.search(rb"\b_Pragma\b|\b(?:sig)?setjmp\b", t) for t in self.unit.own_texts):
            return "the program has jumps or pragmas that are not followed"
        if any(map(_TEAMS.search, self.unit.own_texts[1:])):
            return "a header starts threads"
        return ""

    @cached_property
    def machine(self) -> Machine:
        """The file gone through once. Raises TooLong."""
        whole = self._is_whole()
        machine = Machine(self.unit)
        for function in self._entries(whole):
            machine.frame = Frame(function)
            machine.state = State()
            machine.made.clear()
            machine.globals.clear()
            zero = whole and function.name == "main"
            for variable in self._variables():
                self._begin(machine, variable, zero=zero)
            for parameter in function.children:
                if parameter.kind == "PARM_DECL" and parameter.decl is not None:
                    self._argument(machine, parameter.decl)
            machine.run(function)
        return machine

    def _functions(self) -> list[Node]:
        return [self.unit.convert(c) for c in self.unit.functions()]

    def _is_whole(self) -> bool:
        """Whether nothing but the file's own functions calls its functions."""
        functions = self._functions()
        machine = Machine(self.unit)
        seen: set[int] = set()
        while functions:
            function = functions.pop()
            if id(function) in seen:
                continue
            seen.add(id(function))
            for node in function.walk():
                if node.kind != "CALL_EXPR":
                    continue
                inner = machine.definition(node)
                if inner is not None:
                    functions.append(inner)
                elif not is_library(node.decl):
                    return False
        return any(f.name == "main" for f in self._functions())

    def _entries(self, whole: bool) -> Iterator[Node]:
        """Functions that may be called from elsewhere, by their names or by pointers."""
        passed: set[str] = set()
        for function in self._functions():
            called = {id(n.children[0]) for n in function.walk()
                      if n.kind == "CALL_EXPR" and n.children}  # fmt: skip
            passed |= {n.name for n in function.walk()
                       if n.kind == "DECL_REF_EXPR" and id(n) not in called}  # fmt: skip
        for cursor in self.unit.functions():
            name = clang.spelling(cursor)
            static = cursor.storage_class.name == "STATIC"
            if name == "main" or name in passed or not (whole or static):
                yield self.unit.convert(cursor)

    def _variables(self) -> Iterator[Decl]:
        for cursor in self.unit.declared:
            if clang.kind(cursor) == "VAR_DECL":
                file, _ = clang.place(cursor)
                name = self.unit.converter.file_name(file)
                decl = self.unit.converter.decl_of(cursor)
                if decl is not None and not name.startswith("/usr/"):
                    decl.node = decl.node or self.unit.convert(cursor)
                    yield decl

    def _begin(self, machine: Machine, decl: Decl, *, zero: bool) -> None:
        """A global variable as the function finds it: zero where the program begins."""
        owner = machine.variable(decl)
        owner.lasting = True
        external = decl.cursor is not None and decl.cursor.storage_class.name == "EXTERN"
        first = initializer(decl.node) if decl.node is not None else None
        if first is not None and decl.type.kind == "array" and first.kind not in _LISTS:
            first = None  # a dimension
        if zero and not external and first is None:
            machine.state.epochs[owner] = ("zero", fresh())
            if decl.type.kind in ("int", "float", "pointer"):
                start: Value = Pointer() if decl.type.kind == "pointer" else number(0)
                machine.state.set((owner, ()), start)
            return
        if zero and not external and first is not None and decl.type.scalar:
            machine.state.set((owner, ()), machine.value(first))
            return
        owner.outer = not zero
        machine.state.epochs[owner] = fresh()

    def _argument(self, machine: Machine, decl: Decl) -> None:
        owner = machine.variable(decl)
        machine.state.epochs[owner] = fresh()
        if decl.type.kind == "pointer" and decl.type.element is not None:
            kind = kind_of(decl.type.element)
            lone = decl.type.restrict
            behind = Object(decl.name, None, outer=True, kind=kind, alone=lone)
            index = None if decl.type.element.kind == "record" else number(0)
            value: Value = Pointer(frozenset({Target(behind, (), index)}))
            machine.state.set((owner, ()), value)
        elif decl.type.kind == "record":
            owner.outer = True
        else:
            machine.state.set((owner, ()), unknown())
