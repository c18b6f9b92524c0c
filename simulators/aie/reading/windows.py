"""Windows and streams: pointers that move on with every access.

``window_readincr_v8(w)`` is a load through the pointer that ``w`` holds, which is then moved by 8
elements; ``window_incr(w, n)`` moves it alone. Behind a window's end it starts again (the vendor's
functions are ``cyclic_add``). Streams have ``readincr`` and ``writeincr``; what
arrives is what their array has, and nothing waits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from s2s.simulators.aie.reading.expressions import Expressions
from s2s.simulators.aie.reading.jumps import kind_of, nodes
from s2s.simulators.aie.reading.kinds import (
    INT,
    Address,
    Kind,
    Place,
    Result,
    Variable,
    Void,
    Window,
    bytes_of,
)
from s2s.simulators.aie.values import (
    CINT16,
    FLOAT,
    Affine,
    Constant,
    ScalarType,
    VectorType,
    size_of,
)

_READ = re.compile(r"(?:window_read(incr|decr)?|read(incr))(?:_v(\d+))?$")
_WRITE = re.compile(r"(?:window_write(incr)?|write(incr))(?:_v(\d+))?$")
_MOVE = re.compile(r"window_(incr|decr)(?:_v(\d+))?$")


WORD = re.compile(r"(get|put)([fcb]?)_(w?[sm]s)$")
_WORDS = {"": ScalarType(32), "f": FLOAT, "c": CINT16, "b": ScalarType(8)}


def by_name(function: Any, streams: Mapping[bool, Sequence[str]]) -> None:
    """Calls ``get_ss(0)``, ``put_wms(0, v)`` in a kernel as ``readincr__ss(a)``, by name.

    ``streams`` are those of the kernel in the order of its parameters, input streams under True.
    Where the number is an expression all of them are given after it: ``readincr_of__ss(n, a, b)``.
    """
    from pycparser import c_ast

    for node in nodes(function.body):
        name = (
            getattr(getattr(node, "name", None), "name", "") if kind_of(node) == "FuncCall" else ""
        )
        match = WORD.fullmatch(str(name))
        named = streams[name.startswith("get")] if match else ()
        if match is None or not node.args or not named:
            continue
        first, *rest = node.args.exprs
        number = str(getattr(first, "value", ""))
        found = [c_ast.ID(one, node.coord) for one in named]
        is_known = number.isdecimal()
        if is_known and int(number) >= len(named):
            continue
        way, of = "read" if match[1] == "get" else "write", "" if is_known else "of_"
        node.name.name = f"{way}incr_{of}{match[2]}_{match[3]}"
        node.args.exprs = [found[int(number)], *rest] if is_known else [first, *found, *rest]


def word(self: Expressions, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """32 or 128 bits of a stream."""
    is_input = name.startswith("read")
    if not name.startswith(("read", "write")):
        raise self.fail(node, f"the kernel has no such stream for '{name}'")
    if "_of_" in name:
        number, name = self.constant(arguments[0]), name.replace("of_", "")
        streams = arguments[1 : len(arguments) - (not is_input)]
        if not 0 <= number < len(streams):
            raise self.fail(node, f"the kernel has no stream {number} for '{name}'")
        arguments = [streams[number], *arguments[1 + len(streams) :]]
    self.count(node, name, arguments, 1 if is_input else 2)
    variable, _, address = _window(self, arguments[0])
    if is_input:
        element = _WORDS[name.split("_")[1]]
        whole = VectorType(128 // element.bits, element.bits, True, element.numbers)
        if element.bits == 8 and not name.endswith("wss"):
            raise self.fail(node, f"'{name}' of a byte")
        kind: Kind = whole if name.endswith("wss") else element
        result = self.loaded(Place(address, kind))
    else:
        value = self.rvalue(arguments[1])
        kind = value.kind
        if not isinstance(kind, VectorType | ScalarType) or bytes_of(kind) not in (4, 16):
            raise self.fail(node, f"'{name}' of a '{kind}'")
        self.store(node, Place(address, kind), value)
        result = Result(Void())
    _move(self, variable, address, bytes_of(kind))
    return result


def access(self: Expressions, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """The result of a window intrinsic. Raises UserError for one that is not understood."""
    if not arguments:
        raise self.fail(node, f"'{name}' needs a window or a stream")
    variable, window, address = _window(self, arguments[0])
    if window.is_stream == name.startswith("window_"):
        what = "a window" if window.is_stream else "a stream"
        raise self.fail(node, f"'{name}' needs {what}")
    if _READ.match(name) and len(arguments) == 2:
        return _read_to(self, node, name, arguments)
    if match := _READ.match(name):
        self.count(node, name, arguments, 1)
        kind = _kind(window, match[3])
        place = _around(window, address)
        if window.is_stream and not match[3]:
            place = replace(place, asked=True)
        result = self.loaded(Place(place, kind))
        way = -1 if match[1] == "decr" else 1
        _move(self, variable, address, way * bytes_of(kind) if match[1] or match[2] else 0)
        return result
    if match := _WRITE.match(name):
        self.count(node, name, arguments, 2)
        value = self.rvalue(arguments[1])
        kind = value.kind if isinstance(value.kind, VectorType) else window.element
        if match[3] and kind != _kind(window, match[3]):
            raise self.fail(node, f"'{name}' of a '{kind}'")
        self.store(node, Place(_around(window, address), kind), value)
        _move(self, variable, address, bytes_of(kind) if match[1] or match[2] else 0)
        return Result(Void())
    if match := _MOVE.match(name):
        self.count(node, name, arguments, 1, 2)
        count = self.operand(arguments[1]) if len(arguments) == 2 else Constant(1, INT)
        size = size_of(window.element) * int(match[2] or 1)
        form = self.builder.form(count).times(size if match[1] == "incr" else -size)
        self.builder.write(variable, address.moved(form))
        return Result(Void())
    raise self.fail(node, f"'{name}' is not simulated")


def _read_to(self: Expressions, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """``window_readincr(w, x)``: what the type of ``x`` says is read into it."""
    target = self.target(arguments[1])
    kind = target.kind
    lanes = f"_v{kind.lanes}" if isinstance(kind, VectorType) else ""
    self.store(node, target, access(self, node, name + lanes, arguments[:1]))
    return Result(Void())


def _window(self: Expressions, node: Any) -> tuple[Variable, Window, Address]:
    variable = self.target(node)
    if isinstance(variable, Variable) and isinstance(variable.kind, Window):
        held = self.builder.read(variable)
        if isinstance(held, Address):
            return variable, variable.kind, held
    raise self.fail(node, "this is no window or stream")


def _around(window: Window, address: Address) -> Address:
    """A window's place, which starts again behind the end; that of a stream as it is."""
    return address if window.is_stream else replace(address, around=True)


def _kind(window: Window, lanes: str | None) -> Kind:
    element = window.element
    if not lanes:
        return element
    return VectorType(int(lanes), element.bits, element.signed, element.numbers)


def _move(self: Expressions, variable: Variable, address: Address, size: int) -> None:
    if size:
        self.builder.write(variable, address.moved(Affine((), size)))
