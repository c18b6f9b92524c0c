"""``NAME_memory.cpp``: loops around operations with the elements that they load and store.

Only the methods of Clockwork's ``prog.h`` that its users know are called (docs/clockwork.md); the
outermost dimension of a buffer comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.scop.accelerator import Accelerator, Operation, constant
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Load, Variable
from s2s.scop.nest import For, Node, Store, children

_SIGNS = {"add": "+", "sub": "-", "mul": "*"}


def print_memory(accelerator: Accelerator) -> str:
    """The text of the file. Raises Inexpressible for a subscript that the format lacks."""
    return "".join(f"{line}\n" for line in _Printer(accelerator).lines())


class _Printer:
    """Prints one program; a buffer's width is said at its first mention."""

    def __init__(self, accelerator: Accelerator) -> None:
        self._accelerator = accelerator
        self._operations = iter(accelerator.operations)
        self._widths: set[str] = set()

    def lines(self) -> Iterator[str]:
        name = self._accelerator.name
        yield from (f'#include "{header}.h"' for header in ("app", "ubuffer", "codegen", "prog"))
        yield ""
        yield f"prog {name}() {{"
        yield "  prog prg;"
        yield f'  prg.compute_unit_file = "{name}_compute.h";'
        yield f'  prg.name = "{name}";'
        for kind, streams in (
            ("input", self._accelerator.inputs),
            ("output", self._accelerator.outputs),
        ):
            for stream in streams:
                yield ""
                yield f"  // {self._shape(stream)}"
                yield f'  prg.add_{kind}("{stream}");'
                yield from self._width(stream, "  ")
        yield from self._node(self._accelerator.nest.body, "prg.", 0)
        yield ""
        yield "  return prg;"
        yield "}"

    def _shape(self, stream: str) -> str:
        tensor = self._accelerator.tensors[stream]
        extents = ", ".join(str(constant(d.extent)) for d in tensor.dimensions)
        return f"{stream}: {tensor.types[0]}, {extents or 1} elements, innermost dimension first"

    def _width(self, buffer: str, pad: str) -> Iterator[str]:
        if buffer not in self._widths:
            self._widths.add(buffer)
            bits = self._accelerator.tensors[buffer].types[0].bits
            yield f'{pad}prg.buffer_port_widths["{buffer}"] = {bits};'

    def _node(self, node: Node, owner: str, depth: int) -> Iterator[str]:
        pad = "  " * (depth + 1)
        if isinstance(node, For):
            low, extent = constant(node.minimum), constant(node.extent)
            if not depth:
                yield ""
            loop = f'auto {node.name} = {owner}add_loop("{node.name}", {low}, {low + extent});'
            yield f"{pad}{loop}"
            if node.name in self._accelerator.coarse:
                yield f"{pad}{node.name}->coarse_grain_loop_tag();"
            yield from self._node(node.body, f"{node.name}->", depth + 1)
        elif isinstance(node, Store):
            yield from self._operation(next(self._operations), owner, pad)
        else:
            for child in children(node):
                yield from self._node(child, owner, depth)

    def _operation(self, operation: Operation, owner: str, pad: str) -> Iterator[str]:
        name = operation.name.removeprefix("op_")
        yield ""
        yield f'{pad}auto {name} = {owner}add_op("{operation.name}");'
        yield f'{pad}{name}->add_function("{operation.function}");'
        tensors = self._accelerator.tensors
        for load in operation.loads:
            if load.tensor in tensors:
                yield from self._width(load.tensor, pad)
                yield f"{pad}{name}->{self._method('load', load)}({self._access(operation, load)});"
        for index in operation.indices:
            yield f'{pad}{name}->compute_unit_needs_index_variable("{index}");'
        latency = self._accelerator.latencies.get(operation.name, 0)
        if latency:
            yield f"{pad}{name}->add_latency({latency});"
        yield from self._width(operation.store.tensor, pad)
        store = operation.store
        yield f"{pad}{name}->{self._method('store', store)}({self._access(operation, store)});"

    def _method(self, verb: str, access: Load | Store) -> str:
        scattered = access.tensor in self._accelerator.scattered
        dynamic = scattered and any(s.reads for s in access.subscripts)
        return f"add_dynamic_{verb}" if dynamic else f"add_{verb}"

    def _access(self, operation: Operation, access: Load | Store) -> str:
        try:
            texts = [t for s in access.subscripts[::-1] for t in _texts(s)] or ["0"]
        except Inexpressible as error:
            verb = "loads" if isinstance(access, Load) else "stores"
            what = f"{operation.name} {verb} {access.tensor}({_shown(access.subscripts)})"
            raise Inexpressible(f"{what}: {error}") from None
        return ", ".join(f'"{text}"' for text in (access.tensor, *texts))


def _shown(subscripts: Sequence[Expr]) -> str:
    from s2s.scop.notation import written

    return ", ".join(map(written, subscripts))


def _texts(subscript: Expr) -> list[str]:
    """A subscript; of an element of a buffer the buffer's name and the element's subscripts."""
    match subscript:
        case Load(_, tensor, subscripts) | Cast(_, Load(_, tensor, subscripts)):
            return [tensor, *([subscript_text(s) for s in subscripts[::-1]] or ["0"])]
    return [subscript_text(subscript)]


def subscript_text(expr: Expr) -> str:
    """A subscript as the format has it. Raises Inexpressible for one that is not affine."""
    match expr:
        case Const(_, int() as value):
            return str(value) if value >= 0 else f"({value})"
        case Variable(_, name):
            return name
        case Cast(_, inner) | Call(_, "likely" | "likely_if_innermost", (inner,)):
            return subscript_text(inner)
        case Binary(_, "add", left, Const(_, int() as value)) if value < 0:
            return f"({subscript_text(left)} - {-value})"
        case Binary(_, "add" | "sub" as op, left, right):
            return f"({subscript_text(left)} {_SIGNS[op]} {subscript_text(right)})"
        case Binary(_, "mul", left, right) if isinstance(left, Const) or isinstance(right, Const):
            return f"({subscript_text(left)}*{subscript_text(right)})"
        case Binary(_, "div", left, Const(_, int() as value)) if value > 0:
            return f"floor(({subscript_text(left)}/{value}))"
        case Binary(_, "mod", left, Const(_, int() as value)) if value > 0:
            return f"({subscript_text(left)} % {value})"
        case Binary(_, "min" | "max" as op, left, right):
            return f"{op}({subscript_text(left)}, {subscript_text(right)})"
    if expr.reads:
        raise Inexpressible("where that is depends on data")
    text = "that is not affine; legal: sums of loops' variables times constants, and their"
    raise Inexpressible(f"{text} quotients and remainders by constants")
