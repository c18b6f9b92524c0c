"""Runs a graph's constructor, and the ``main`` of its test bench.

What is understood of the vendor's library: kernels and their sources, tiles, ratios, buffers with
their dimensions and places, PLIOs, connections of all kinds, ``single_buffer``; of a test bench
``init``, ``read_values(file, array, count)``, ``update``, ``run``, ``wait`` and ``end``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from s2s.simulators.aie.graph.graph import Graph, Kernel, Link, Outside, Port
from s2s.simulators.aie.graph.syntax import Node, Unit
from s2s.simulators.aie.graph.tokens import refusal
from s2s.source.records import dataclass

_MOST_STEPS = 1 << 20
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "%": operator.mod,
    "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "&&": lambda a, b: bool(a) and bool(b), "||": lambda a, b: bool(a) or bool(b),
}  # fmt: skip
_BITS = {"plio_32_bits": 32, "plio_64_bits": 64, "plio_128_bits": 128}


@dataclass(frozen=True)
class _Ref:
    """Something with a name: a member of the graph, one element of it, a port, a function."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True)
class _Call:
    """A property that is assigned to: ``location<kernel>(core)``."""

    name: str
    arguments: tuple[Any, ...]


def build(unit: Unit, path: str) -> Graph:
    """The graph that the constructor makes. Raises UserError."""
    if unit.constructor is None:
        raise refusal("there is no class of a graph with a constructor", path, 1)
    builder = _Builder(unit, path)
    builder.graph.name = unit.name
    builder.run(unit.constructor)
    return builder.graph


def run_main(unit: Unit, graph: Graph, path: str) -> None:
    """What a test bench does to the graph: its parameters and iterations. Raises UserError."""
    if unit.main is None:
        raise refusal("there is no 'main' in the test bench", path, 1)
    builder = _Builder(unit, path)
    builder.graph = graph
    builder.run(unit.main)


class _Builder:
    def __init__(self, unit: Unit, path: str) -> None:
        self._unit = unit
        self._path = path
        self._names: dict[str, Any] = {}
        self._files: dict[str, str] = {}
        self._steps = 0
        self.graph = Graph()
        for name, (kind, _) in unit.members.items():
            if not _is_known(kind):
                raise refusal(f"members of type '{kind}' are not simulated ('{name}')", path, 1)

    def _fail(self, node: Node, text: str) -> Exception:
        return refusal(text, self._path, node.line)

    # ------------------------------------------------------------------------- statements

    def run(self, node: Node) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise self._fail(node, "the constructor does not end")
        match node.kind:
            case "block":
                for part in node.parts:
                    self.run(part)
            case "for":
                start, test, step, body = node.parts
                self.run(start)
                while self._value(test):
                    self.run(body)
                    self.run(step)
            case "if":
                if self._value(node.parts[0]):
                    self.run(node.parts[1])
                elif len(node.parts) > 2:
                    self.run(node.parts[2])
            case "declare":
                self._names[node.text] = self._value(node.parts[0])
            case "step":
                name = node.parts[0].text
                self._names[name] = self._names[name] + (1 if node.text == "++" else -1)
            case "assign":
                self._assign(node)
            case _:
                self._value(node)

    def _assign(self, node: Node) -> None:
        left, right = node.parts
        value = self._value(right)
        if left.kind == "name" and left.text in self._names:
            old = self._names[left.text]
            self._names[left.text] = {"=": value, "+=": old + value, "-=": old - value}[node.text]
            return
        target = self._value(left)
        if isinstance(target, _Call):
            self._property(node, target, value)
        elif isinstance(target, _Ref) and isinstance(value, Kernel | Outside):
            value.name, value.line = str(target), node.line
            if isinstance(value, Kernel):
                self.graph.kernels[value.name] = value
            else:
                self.graph.outside[value.name] = value
        else:
            raise self._fail(node, f"'{target}' is nothing to assign to")

    def _property(self, node: Node, call: _Call, value: Any) -> None:
        what = call.name
        if what == "source":
            self._kernel(node, call).source = str(value)
        elif what == "location<kernel>":
            if not (isinstance(value, tuple) and len(value) == 2):
                raise self._fail(node, "a kernel's location is a tile(column, row)")
            self._kernel(node, call).at = value
        elif what.startswith(("location<buffer>", "location<parameter>")):
            places = value if isinstance(value, list) else [value]
            self.graph.places[self._port(node, call.arguments[0])] = tuple(p[2] for p in places)
        elif what.startswith("dimensions"):
            count = 1
            for extent in value if isinstance(value, list) else [value]:
                count *= int(extent)
            self.graph.elements[self._port(node, call.arguments[0])] = count
        elif not what.startswith(("runtime", "location", "stack_size", "heap_size", "fifo_depth")):
            raise self._fail(node, f"'{what}' is not simulated")

    def _kernel(self, node: Node, call: _Call) -> Kernel:
        name = str(call.arguments[0])
        if name not in self.graph.kernels:
            raise self._fail(node, f"'{name}' is no kernel that was created")
        return self.graph.kernels[name]

    # ------------------------------------------------------------------------ expressions

    def _value(self, node: Node) -> Any:
        match node.kind:
            case "number":
                return float(node.text) if "." in node.text else int(node.text, 0)
            case "string":
                return node.text[1:-1]
            case "name":
                return self._names.get(node.text, _Ref((node.text,)))
            case "list":
                return [self._value(part) for part in node.parts]
            case "unary":
                value = self._value(node.parts[0])
                return -value if node.text == "-" else not value
            case "choose":
                return self._value(node.parts[1 if self._value(node.parts[0]) else 2])
            case "binary":
                return self._binary(node)
            case "index":
                of, at = self._value(node.parts[0]), self._value(node.parts[1])
                return _Ref((*of.path[:-1], f"{of.path[-1]}[{at}]"))
            case "member":
                return self._member(node)
            case "call":
                return self._call(node)
        raise self._fail(node, "this is not understood in a graph")

    def _binary(self, node: Node) -> Any:
        left, right = (self._value(part) for part in node.parts)
        if isinstance(left, _Ref) or isinstance(right, _Ref):
            unknown = left if isinstance(left, _Ref) else right
            raise self._fail(node, f"'{unknown}' has no value here")
        if node.text == "/":
            if right == 0:
                raise self._fail(node, "division by zero")
            return (
                left // right if isinstance(left, int) and isinstance(right, int) else left / right
            )
        return _OPERATORS[node.text](left, right)

    def _member(self, node: Node) -> Any:
        of = self._value(node.parts[0])
        if not isinstance(of, _Ref):
            raise self._fail(node, f"'{node.text}' of what has no members")
        if of.path[0] in self._unit.objects:
            return _Ref((*of.path[1:], node.text))
        return _Ref((*of.path, node.text))

    def _call(self, node: Node) -> Any:
        head, *rest = node.parts
        if head.kind == "member":
            return self._method(node, head, rest)
        name = head.text
        arguments = tuple(self._value(part) for part in rest)
        if name.startswith("connect"):
            return self._connect(node, name, arguments)
        match name:
            case "to_string" | "string":
                return str(arguments[0])
            case "kernel::create":
                return Kernel("", function=str(arguments[0]))
            case "input_plio::create" | "output_plio::create":
                return self._outside(node, name.startswith("input"), arguments)
            case "tile":
                return arguments
            case "address":
                return arguments
            case "async" | "sync":
                return arguments[0]
            case "single_buffer":
                self.graph.single.add(self._port(node, arguments[0]))
                return None
            case "read_values":
                self._files[str(arguments[1])] = str(arguments[0])
                return None
        if name.partition("<")[0] in _PROPERTIES:
            return _Call(name, arguments)
        raise self._fail(node, f"'{name}' is not simulated")

    def _method(self, node: Node, head: Node, rest: list[Node]) -> None:
        """A call of a test bench: ``graph.update(graph.w, values, count)``."""
        if head.text == "update":
            port, values = str(self._value(rest[0])), str(self._value(rest[1]))
            if values not in self._files:
                raise self._fail(node, f"'{values}' was not read from a file")
            self.graph.updates.append((port, self._files[values]))
        elif head.text == "run":
            self.graph.iterations = int(self._value(rest[0])) if rest else 1
        elif head.text not in ("init", "wait", "end"):
            raise self._fail(node, f"'{head.text}' of a graph is not simulated")

    def _outside(self, node: Node, is_input: bool, arguments: tuple[Any, ...]) -> Outside:
        words = list(arguments)
        if words and isinstance(words[0], str) and len(words) > 1 and isinstance(words[1], _Ref):
            words = words[1:]
        if not words or str(words[0]) not in _BITS:
            raise self._fail(node, "a PLIO has 32, 64 or 128 bits")
        rate = float(words[2]) if len(words) > 2 else 0.0
        return Outside("", is_input, str(words[1]), _BITS[str(words[0])], rate)

    def _connect(self, node: Node, name: str, arguments: tuple[Any, ...]) -> None:
        kind = name.removeprefix("connect").strip("<>")
        size = kind.partition("<")[2]
        kind = kind.partition("<")[0] or "stream"
        if kind not in ("stream", "window", "cascade", "parameter"):
            raise self._fail(node, f"connections of '{kind}' are not simulated")
        source, target = (self._port(node, one) for one in arguments[:2])
        if size:
            raise self._fail(node, "windows have their size by 'dimensions' here")
        kind = "stream" if kind == "window" else kind
        self.graph.links.append(Link(kind, source, target, node.line))

    def _port(self, node: Node, ref: Any) -> Port:
        path = ref.path if isinstance(ref, _Ref) else ()
        if len(path) == 1 and _is_parameter(self._unit.members.get(path[0].partition("[")[0])):
            return (path[0], "out", 0)
        if len(path) == 2 and path[1][:3] in ("in", "in[", "out"):
            side, _, number = path[1].rstrip("]").partition("[")
            known = path[0] in self.graph.kernels or path[0] in self.graph.outside
            if known:
                return (path[0], side, int(number or 0))
        raise self._fail(node, f"'{ref}' is no port of a kernel or of the array")


_PROPERTIES = {
    "source", "location", "runtime", "dimensions", "stack_size", "heap_size", "fifo_depth",
    "headers",
}  # fmt: skip


def _is_known(kind: str) -> bool:
    return kind in ("kernel", "input_plio", "output_plio", "input_port", "output_port") or (
        kind.endswith("port")
    )


def _is_parameter(member: tuple[str, Node | None] | None) -> bool:
    return member is not None and member[0].endswith("port")
