"""A kernel file to a Program: the whole of the front half of the simulator.

The kernel is the function of the file that no other one calls (``main`` aside), or the one that is
named. How large the memory behind a pointer parameter is, the parameter says by itself
(``int16_t I[18][264]``), or a comment that writes its name with its extents (``I[18][264]``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from s2s.simulators.aie.classes import method_of
from s2s.simulators.aie.instructions import Load, Store
from s2s.simulators.aie.preprocess import error, missing_headers, preprocess
from s2s.simulators.aie.program import Array, Block, Direction, Parameter, Program, instructions
from s2s.simulators.aie.reading.cascades import ports
from s2s.simulators.aie.reading.jumps import CASCADES, kind_of, nodes
from s2s.simulators.aie.reading.kinds import (
    Address,
    ArrayOf,
    Kind,
    PointerTo,
    Scope,
    StructOf,
    Variable,
    Void,
    Window,
    bytes_of,
    is_restrict,
    scalar_of,
    value_type,
)
from s2s.simulators.aie.reading.leaving import rewritten
from s2s.simulators.aie.reading.not_c import described
from s2s.simulators.aie.reading.statements import Statements, parameters_of
from s2s.simulators.aie.reading.taken_apart import taken_apart
from s2s.simulators.aie.reading.tidy import drop_unused
from s2s.simulators.aie.reading.variables import ALIGNMENT, extents_of, innermost
from s2s.simulators.aie.reading.windows import by_name
from s2s.simulators.aie.values import PointerType, ScalarType
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass

Node = Any
_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_MEMORY = re.compile(r"\bmemory:((?:\s*[A-Za-z_]\w*\s+at\s+0x[0-9a-f]+,?)+)")
_PLACE = re.compile(r"(\w+)\s+at\s+(0x[0-9a-f]+)")
_EXTENTS = re.compile(
    r"(?<![=+<>-])(?<![=+<>-] )\b([A-Za-z_]\w*)((?:\s?\[\s*\d+\s*\])+)"
    r"(?!\s*[)]*(?:;|[-+*/]?=[^=]))"
)
"""A name with extents; an element in code that is commented out is none."""


@dataclass(frozen=True)
class Modes:
    """How ``srs`` rounds and saturates where the text sets no mode."""

    rounding: str = "rnd_floor"
    saturation: bool = False


_AS_IS = Modes()


def read(
    text: str,
    path: str = "<kernel>",
    *,
    function: str | None = None,
    defines: Sequence[str] = (),
    modes: Modes = _AS_IS,
) -> Program:
    """The program of a kernel file.

    Raises UserError, with the place, for what is no C, no known intrinsic or not understood.
    """
    try:
        return _read(text, path, function, defines, modes)
    except UserError as refused:
        raise _with_headers(refused, missing_headers(text, path)) from None


def _with_headers(refused: UserError, missing: Sequence[str]) -> UserError:
    """A name that is unknown may be one of a header that is not there."""
    first = refused.diagnostics[0]
    if not missing or not first.text.endswith(("is not declared", "no known intrinsic")):
        return refused
    names = " and ".join(f"'{name}'" for name in missing)
    are = "are" if len(missing) > 1 else "is"
    return UserError(replace(first, text=f"{first.text}; {names} {are} not beside the kernel"))


def _read(
    text: str, path: str, function: str | None, defines: Sequence[str], modes: Modes
) -> Program:
    reader = Statements(path, modes.rounding, modes.saturation)
    source = preprocess(text, path, defines, function)
    for item in _parsed(source, path, text).ext:
        if kind_of(item) == "FuncDef":
            rewritten(item, reader.fail)
            reader.functions[item.decl.name] = item
            reader.taken_apart.update(taken_apart(item))
        elif kind_of(item) == "Typedef":
            if not (item.coord and item.coord.file == "<types>"):
                reader._do_typedef(item)
        elif kind_of(item) != "Pragma":
            reader.statement(item)
    function = method_of(function)
    has_ports = any(name in source for name in CASCADES)
    chosen, said = _chosen(reader, function), (_described(text), _places(text))
    return _Kernel(reader, chosen, *said, has_ports).program()


def _parsed(source: str, path: str, text: str) -> Any:
    from pycparser import CParser
    from pycparser.c_parser import ParseError

    parser = CParser()
    try:
        return parser.parse(source, path)
    except ParseError as problem:
        match = re.match(r"(.*?):(\d+):(?:\d+:)? ?(.*)", str(problem), re.S)
        where, line = (match[1], int(match[2])) if match else (path, _reached(parser))
        said = match[3].strip() if match else str(problem).removeprefix(f"{path}: ")
        words, column = described(_line(where, line, path, text), said)
        raise error(words, where, line, column) from None


def _line(where: str, line: int, path: str, text: str) -> str:
    """A line of the kernel's file, or of a header beside it; nothing where it cannot be read."""
    if where != path:
        try:
            text = Path(where).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
    lines = text.splitlines()
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _reached(parser: Any) -> int:
    """The line that the parser has come to, for its messages that do not say it."""
    scanner = parser.clex
    return int(getattr(scanner, "_lineno", 0) or getattr(scanner, "lineno", 0) or 1)


def _chosen(reader: Statements, name: str | None) -> Node:
    """The kernel among the functions of the file. Raises UserError."""
    functions = reader.functions
    if name is not None:
        if name not in functions:
            raise error(f"there is no function '{name}'", reader.path, 1)
        return functions[name]
    if len(functions) == 1 and "main" not in functions:
        return next(iter(functions.values()))
    called = {
        node.name.name
        for function in functions.values()
        if function.decl.name != "main"
        for node in nodes(function.body)
        if kind_of(node) == "FuncCall" and kind_of(node.name) == "ID"
    }
    roots = [f for f in functions.values() if f.decl.name not in {*called, "main"}]
    if not roots:
        raise error("there is no kernel function", reader.path, 1)
    if len(roots) > 1:
        names = ", ".join(function.decl.name for function in roots)
        text = f"which function is the kernel? '--function' chooses one of {names}"
        raise error(text, reader.path, roots[1].coord.line)
    return roots[0]


def _described(text: str) -> dict[str, tuple[int, ...]]:
    """Extents that comments give to names; the first comment about a name counts."""
    found: dict[str, tuple[int, ...]] = {}
    for comment in _COMMENTS.findall(text):
        for name, extents in _EXTENTS.findall(comment):
            found.setdefault(name, tuple(int(n) for n in re.findall(r"\d+", extents)))
    return found


def _places(text: str) -> dict[str, int]:
    """The addresses that a comment gives to arrays: ``memory: I at 0x0, w at 0x4000``."""
    found = (match for comment in _COMMENTS.findall(text) for match in _MEMORY.findall(comment))
    return {name: int(place, 16) for one in found for name, place in _PLACE.findall(one)}


class _Kernel:
    """One function of the text as a program."""

    def __init__(
        self,
        reader: Statements,
        node: Node,
        described: dict[str, tuple[int, ...]],
        places: dict[str, int],
        has_ports: bool,
    ) -> None:
        self._reader = reader
        self._node = node
        self._described = described
        self._places = places
        self._has_ports = has_ports
        self._streams: dict[bool, list[str]] = {True: [], False: []}

    def program(self) -> Program:
        reader = self._reader
        functions = list(reader.functions.values()) if self._has_ports else []
        moved = ports(reader, functions, ALIGNMENT)
        reader.scope = Scope(reader.file_scope)
        parameters = tuple(self._parameter(one) for one in parameters_of(self._node))
        by_name(self._node, self._streams)
        result = reader.body(self._node)
        operand = None
        if not isinstance(result.kind, Void):
            operand = reader.solid(self._node, result)
        items, constructed = tuple(reader.builder.levels[0].items), reader.constructed
        made, body = drop_unused(items, operand, constructed)
        name, line = self._node.decl.name, self._node.coord.line
        own = tuple(
            replace(a, place=self._places.get(a.name)) if a.is_static else a for a in reader.arrays
        )
        program = Program(
            name, (*parameters, *moved), own, (*made, *body), operand, line, len(made)
        )  # fmt: skip
        return _with_directions(program)

    def _parameter(self, node: Node) -> Parameter | Array:
        reader = self._reader
        kind = reader.declarations.kind(node, reader.file_scope)
        if isinstance(kind, ArrayOf | PointerTo | Window):
            return self._array(node, kind)
        if not isinstance(kind, ScalarType):
            raise reader.fail(node, "a kernel's parameters are pointers and integers")
        value = reader.builder.value(kind, node.name)
        variable = Variable(node.name, kind)
        reader.builder.write(variable, value)
        reader.scope.names[node.name] = variable
        return Parameter(value, node.name)

    def _array(self, node: Node, kind: Kind) -> Array:
        reader = self._reader
        target = _target(kind)
        if isinstance(innermost(target), StructOf):
            raise reader.fail(node, f"'{node.name}' is a structure in the caller's memory")
        element = scalar_of(innermost(target))
        if isinstance(element, PointerType):
            raise reader.fail(node, "a pointer to pointers is not understood")
        base = reader.builder.value(value_type(kind), node.name)
        pointer = kind
        if isinstance(kind, ArrayOf):
            pointer = PointerTo(target, restrict="restrict" in (node.type.dim_quals or ()))
        variable = Variable(node.name, pointer)
        reader.builder.write(variable, Address(base))
        reader.scope.names[node.name] = variable
        extents = self._extents(node, kind, target)
        window = ""
        if isinstance(kind, Window) and kind.is_stream:
            self._streams[kind.is_input].append(node.name)
        if isinstance(kind, Window):
            what = "stream" if kind.is_stream else "window"
            window = f"{'input' if kind.is_input else 'output'}_{what}_{kind.element}"
        return Array(
            base, node.name, element, extents, True,
            alignment=ALIGNMENT, window=window, restrict=is_restrict(pointer),
            place=self._places.get(node.name),
        )  # fmt: skip

    def _extents(self, node: Node, kind: Kind, target: Kind) -> tuple[int, ...]:
        if isinstance(kind, ArrayOf) and kind.count and bytes_of(target):
            return extents_of(kind)
        said, inner = self._described.get(node.name, ()), extents_of(target)
        return said if said[len(said) - len(inner) :] == inner else ()


def _target(kind: Kind) -> Kind:
    if isinstance(kind, ArrayOf):
        return kind.element
    if isinstance(kind, PointerTo):
        return kind.target
    assert isinstance(kind, Window)
    return kind.element


def _with_directions(program: Program) -> Program:
    """Parameters and arrays with what the kernel does to them."""
    read, written = _touched(program, program.body, Load), _touched(program, program.body, Store)

    def directed(array: Array) -> Array:
        is_read, is_written = array.address in read, array.address in written
        way = Direction.IN if not is_written else Direction.BOTH if is_read else Direction.OUT
        return replace(array, direction=way)

    parameters = tuple(directed(p) if isinstance(p, Array) else p for p in program.parameters)
    arrays = tuple(directed(array) for array in program.arrays)
    return replace(program, parameters=parameters, arrays=arrays)


def _touched(program: Program, body: Block, kind: type[Load] | type[Store]) -> set[Any]:
    pointers = [item.pointer for item in instructions(body) if isinstance(item, kind)]
    return {array.address for pointer in pointers for array in program.addresses.bases(pointer)}
