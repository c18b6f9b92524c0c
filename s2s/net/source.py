"""The source's own program, ready to be compiled and called with arrays.

A ``Caller`` is a file that defines ``void s2s_source(void **arrays)``: for C the user's file with a
call after it, for Halide-like C++ the C of the pipeline as it is defined, without its schedule.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.syntax import Decl, Node
    from s2s.frontends.c.unit import Unit
    from s2s.scop.nest import Nest

ENTRY = "s2s_source"


class NotCallable(Exception):
    """A program for which no call could be written, and why."""


@dataclass(frozen=True)
class Caller:
    """``text`` of a C or C++ file, the user's ``flags`` for it, ``arrays`` in the entry's order."""

    text: str
    is_cxx: bool
    flags: tuple[str, ...]
    arrays: tuple[str, ...]


@dataclass(frozen=True)
class OfFunction:
    """A C function with the numbers that its scalar parameters have."""

    unit: Unit
    name: str
    node: Node
    numbers: Mapping[str, int]

    def caller(self, arrays: Sequence[str]) -> Caller:
        """The user's file and a call. Raises NotCallable."""
        path = os.path.abspath(self.unit.buffer.path).replace("\\", "\\\\").replace('"', '\\"')
        head = ["#define main s2s_main_of_the_source", f'#include "{path}"', "#undef main"]
        head += ["#include <string.h>"]
        if self.unit.is_cxx:
            head += _ANY
        call = _Call(self, list(arrays))
        lines = [*head, *call.statics(), *call.entry()]
        missing = [name for name in arrays if name not in call.known]
        if missing:
            raise NotCallable(f"'{missing[0]}' is no parameter and no global array")
        flags = tuple(self.unit.flags)
        return Caller("\n".join(lines) + "\n", self.unit.is_cxx, flags, tuple(arrays))


@dataclass(frozen=True)
class OfNest:
    """The loop nest of a pipeline without its schedule; ``prepare`` makes it ready to print."""

    nest: Nest
    prepare: Callable[[Nest], Nest]

    def caller(self, arrays: Sequence[str]) -> Caller:
        """The nest as C, and a call. Raises NotCallable."""
        from s2s.emitters.c.nests import emit
        from s2s.scop.errors import Inexpressible

        try:
            text = emit(self.prepare(self.nest)).source
        except Inexpressible as error:
            raise NotCallable(str(error)) from None
        words = []
        for argument in self.nest.arguments:
            if argument.name not in arrays:
                raise NotCallable(f"the size of '{argument.name}' is not known")
            words.append(f"arrays[{list(arrays).index(argument.name)}]")
        text += f"void {ENTRY}(void **arrays)\n{{\n    {self.nest.name}({', '.join(words)});\n}}\n"
        return Caller(text, False, (), tuple(arrays))


# What any pointer or array parameter of C++ can be made from.
_ANY = (
    "struct s2s_any {",
    "    void *at;",
    "    template <class T> operator T *() const { return (T *)at; }",
    "};",
)


class _Call:
    """The arguments of one call, and what has to be done before and after it."""

    def __init__(self, function: OfFunction, arrays: list[str]) -> None:
        self._function = function
        self._arrays = arrays
        self._is_cxx = function.unit.is_cxx
        self.known: set[str] = set()
        self._before: list[str] = []
        self._after: list[str] = []
        self._statics: list[str] = []
        children = function.node.children
        self._parameters = [c.decl for c in children if c.kind == "PARM_DECL" and c.decl]
        self._words = [self._word(n, decl) for n, decl in enumerate(self._parameters)]
        self._globals()

    def statics(self) -> list[str]:
        """Memory of structures that the function gets."""
        return self._statics

    def entry(self) -> Iterator[str]:
        """The function that the host calls."""
        linkage = 'extern "C" ' if self._is_cxx else ""
        yield f"{linkage}void {ENTRY}(void **arrays)"
        yield "{"
        yield "    (void)arrays;"
        yield from (f"    {line}" for line in self._before)
        yield f"    {self._function.name}({', '.join(self._words)});"
        yield from (f"    {line}" for line in self._after)
        yield "}"

    def _word(self, number: int, decl: Decl) -> str:
        type_ = decl.type
        if decl.name in self._arrays and type_.kind in ("pointer", "array"):
            self.known.add(decl.name)
            return self._pointer(f"arrays[{self._arrays.index(decl.name)}]")
        pointed = type_.element if type_.kind == "pointer" else None
        if type_.kind == "record" or (pointed is not None and pointed.kind == "record"):
            return self._structure(number, decl)
        if type_.kind in ("int", "float"):
            return str(self._function.numbers.get(decl.name, 0))
        self._statics.append(f"static long s2s_unused{number}[4096];")
        return self._pointer(f"s2s_unused{number}")

    def _pointer(self, place: str) -> str:
        return f"s2s_any{{(void *){place}}}" if self._is_cxx else f"(void *){place}"

    def _structure(self, number: int, decl: Decl) -> str:
        """A structure with the members that the function uses."""
        is_pointer = decl.type.kind == "pointer"
        record = decl.type.element if is_pointer else decl.type
        assert record is not None
        place = f"s2s_structure{number}"
        spelling = re.sub(r"\b(?:const|volatile|restrict)\b", "", record.spelling).strip()
        self._statics.append(f"static {spelling} {place};")
        for path, field in self._fields(decl):
            self._fill(place, path, field)
        return f"&{place}" if is_pointer else place

    def _fields(self, decl: Decl) -> list[tuple[tuple[str, ...], Decl]]:
        """The members that the function uses, by the names that lead to them."""
        from s2s.frontends.c.members import member_path

        found: dict[tuple[str, ...], Decl] = {}
        for node in self._function.node.walk():
            if node.kind == "MEMBER_REF_EXPR" and node.decl is not None:
                path, base = member_path(node)
                if base is decl:
                    found.setdefault(tuple(path), node.decl)
        return list(found.items())

    def _fill(self, structure: str, path: tuple[str, ...], field: Decl) -> None:
        place, array = ".".join([structure, *path[1:]]), "_".join(path)
        if array in self._arrays:
            self._place(place, array, field)
        numbers = self._function.numbers
        for known in (".".join(path[k:]) for k in range(len(path))):
            if known in numbers and field.type.kind in ("int", "float"):
                self._before.append(f"{place} = {numbers[known]};")
                return

    def _globals(self) -> None:
        for node in self._function.node.walk():
            decl = node.decl
            if decl is None or not decl.is_global or decl.kind != "VAR_DECL":
                continue
            if decl.name in self._arrays and decl.name not in self.known:
                self._place(decl.name, decl.name, decl)

    def _place(self, place: str, name: str, decl: Decl) -> None:
        """Brings an array's elements to a member or a global, or its address."""
        self.known.add(name)
        at = f"arrays[{self._arrays.index(name)}]"
        if decl.type.kind == "pointer":
            self._before.append(f"{place} = {self._pointer(at)};")
        elif decl.type.kind == "array":
            self._before.append(f"memcpy((void *){place}, {at}, sizeof {place});")
            self._after.append(f"memcpy({at}, (void *){place}, sizeof {place});")
        else:
            raise NotCallable(f"'{name}' is neither an array nor a pointer")
