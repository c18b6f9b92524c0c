"""A nest as a C99 function with a plain signature, and the header that declares it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from s2s.emitters.c.line_breaks import break_code
from s2s.emitters.c.nests.body import INDENT, without_unused
from s2s.emitters.c.nests.helpers import helper_texts
from s2s.emitters.c.nests.kinds import c_type, literal
from s2s.emitters.c.nests.memory import Memory
from s2s.emitters.c.nests.names import Scope, identifier
from s2s.emitters.c.nests.statements import FIRST_CHECK, OUT_OF_MEMORY, Printer
from s2s.scop.expressions import Const, Expr, Type
from s2s.scop.nest import Argument, Nest, Tensor
from s2s.scop.storage import size, strides
from s2s.source.records import dataclass

_WIDTH = 100
"""Columns of a line."""


@dataclass(frozen=True)
class Emitted:
    """The text of the C file and of the header beside it; ``checks``: what the function refuses,
    from status 2 on.
    """

    name: str
    source: str
    header: str
    checks: tuple[str, ...] = ()


def emit(nest: Nest, header: str | None = None) -> Emitted:
    """The C of a nest that is ready to print (``s2s.transforms.nest.prepare``).

    ``header`` is the name by which the source includes its header, if any. Raises Inexpressible.
    """
    scope = Scope()
    function = scope.declare(f"function {nest.name}", nest.name, f"{nest.name}_pipeline")
    memories: dict[str, Memory] = {}
    parameters = list(_parameters(nest, scope, memories))
    tables = [_table(tensor, scope, memories) for tensor in nest.tables]
    printer = Printer(scope, memories)
    for name, memory in memories.items():
        memories[name] = printer.name_shape(memory)
    printer.name_invariants(nest.invariants)
    printer.print(nest.body)
    printer.lines = without_unused(printer.lines)
    printer.writer.bound = {}
    signature = f"int {function}({', '.join(parameters) or 'void'})"
    lines = ["#include <stdbool.h>", "#include <stdint.h>", "#include <stdlib.h>"]
    asked = list(_needs(nest, function, printer, scope))
    text = "\n".join([*helper_texts(printer.writer.helpers), "", *printer.lines, *asked])
    lines += [f"#include <{name}>" for name in _math_headers(text)]
    if header:
        lines += ["", f'#include "{header}"']
    lines += ["", *helper_texts(printer.writer.helpers), *tables]
    comment = _comment(nest, printer, scope)
    if not header:
        lines += comment
    lines += [signature, "{"]
    fails = any(line.lstrip().startswith("status = ") for line in printer.lines)
    lines += ["    int status = 0;", ""] if fails else []
    lines += [*printer.lines, f"    return {'status' if fails else '0'};", "}"]
    declared = re.sub(r"\brestrict ", "", signature)
    lines += ["", *asked] if asked else []
    extra = [line for line in asked[:-1] if line.startswith(("/*", " *", "void "))]
    header_text = _header(function, comment, declared, extra)
    return Emitted(function, _joined(lines), header_text, tuple(printer.checks))


def _joined(lines: Sequence[str]) -> str:
    """A text none of whose lines is longer than it has to be."""
    return "\n".join(break_code(lines, _WIDTH, INDENT)) + "\n"


def _math_headers(text: str) -> Iterator[str]:
    if _FROM_MATH & set(re.findall(r"\b[A-Za-z]\w*\b", text)):
        yield "math.h"
    if "memcpy(" in text:
        yield "string.h"


_FROM_MATH = frozenset(
    """
    NAN INFINITY isnan isinf isfinite sqrt sqrtf floor floorf ceil ceilf trunc truncf rint rintf
    fabs fabsf exp log pow sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f
    fma fmaf sinh sinhf cosh coshf tanh tanhf asinh asinhf acosh acoshf atanh atanhf
    """.split()  # noqa: SIM905
)


def _parameters(nest: Nest, scope: Scope, memories: dict[str, Memory]) -> Iterator[str]:
    for argument in nest.arguments:
        name = scope.declare(argument.name, argument.name)
        if argument.tensor is None:
            yield f"{c_type(argument.type)} {name}"
            continue
        types = argument.tensor.types
        names = (
            (name,)
            if len(types) == 1
            else tuple(
                scope.declare(f"{argument.name}.{k}", f"{name}_{k}") for k in range(len(types))
            )
        )
        memories[argument.tensor.name] = Memory(argument.tensor, names)
        const = "" if argument.output else "const "
        for type, each in zip(types, names, strict=True):
            yield f"{const}{c_type(type)} *restrict {each}"


def _table(tensor: Tensor, scope: Scope, memories: dict[str, Memory]) -> str:
    """A constant array of the program, in the order of its storage."""
    name = scope.declare(tensor.name, tensor.name)
    memories[tensor.name] = Memory(tensor, (name,))
    type = tensor.types[0]
    values = [literal(Const(type, v)) for v in _flat(tensor.data)]
    body = "\n".join(
        wrap(", ".join(values), _WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    )
    return f"static const {c_type(type)} {name}[{len(values)}] = {{\n{body}\n}};\n"


def _flat(data: object) -> Iterator[int | float]:
    if isinstance(data, tuple | list):
        for item in data:
            yield from _flat(item)
    elif isinstance(data, int | float):
        yield data


def _comment(nest: Nest, printer: Printer, scope: Scope) -> list[str]:
    """What the caller has to know: arrays with their sizes, and what the function returns."""
    lines = ["/*"]
    for argument in nest.arguments:
        lines += [f" * {line}" for line in _described(argument, printer, scope)]
    lines.append(" *")
    codes = [f"{OUT_OF_MEMORY} where memory is short"] if printer.allocates else []
    codes += [f"{FIRST_CHECK + k}: {text}" for k, text in enumerate(printer.checks)]
    lines.append(f" * Returns 0{''.join(f', {c}' for c in codes)}.")
    return [*lines, " */"]


def _described(argument: Argument, printer: Printer, scope: Scope) -> Iterator[str]:
    tensor = argument.tensor
    if tensor is None:
        yield f"{scope[argument.name]}: {argument.type}"
        return
    names = printer.memories[tensor.name].names

    def text(expr: Expr) -> str:
        return printer.writer.text(expr)

    role = "written" if argument.output else "read"
    spread = any(d.stride is not None for d in tensor.dimensions)
    count = "" if spread else f"{text(size(tensor))} "
    yield f"{', '.join(names)}: {role}, {count}elements of type {_types(tensor.types)}"
    for d, (dimension, stride) in enumerate(zip(tensor.dimensions, strides(tensor), strict=True)):
        yield (
            f"    dimension {d}: {text(dimension.extent)} from {text(dimension.minimum)}, "
            f"stride {text(stride)}"
        )


def _types(types: tuple[Type, ...]) -> str:
    return ", ".join(dict.fromkeys(map(c_type, types)))


def _needs(nest: Nest, function: str, printer: Printer, scope: Scope) -> Iterator[str]:
    """A function that says which region of each input is read."""
    if not nest.needs:
        return
    sides = [e for t in nest.needs for d in t.dimensions for e in (d.minimum, d.extent)]
    used: frozenset[str] = frozenset().union(*(e.variables for e in sides))
    given = [a for a in nest.arguments if a.tensor is None and a.name in used]
    parameters = [f"{c_type(a.type)} {scope[a.name]}" for a in given]
    body = []
    for tensor in nest.needs:
        rank = len(tensor.dimensions)
        names = [scope.declare(f"{tensor.name} needs {w}", f"{tensor.name}_{w}") for w in _SIDES]
        parameters += [f"int {name}[{max(rank, 1)}]" for name in names]
        for place, side in enumerate(tensor.dimensions):
            for name, value in zip(names, (side.minimum, side.extent), strict=True):
                body.append(f"    {name}[{place}] = {printer.writer.text(value)};")
    yield "/* What the call above needs of each input: first coordinates and extents. */"
    yield f"void {scope.declare('needs', f'{function}_needs')}({', '.join(parameters)})"
    yield "{"
    yield from body
    yield "}"


_SIDES = ("first", "count")


def _header(name: str, comment: list[str], declaration: str, extra: list[str]) -> str:
    guard = f"{identifier(name).upper()}_H"
    lines = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stdbool.h>",
        "#include <stdint.h>",
    ]
    lines += ["", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    lines += [*comment, f"{declaration};", ""]
    lines += [*extra[:-1], f"{extra[-1]};", ""] if extra else []
    lines += ["#ifdef __cplusplus", "}", "#endif", "", "#endif"]
    return "\n".join(lines) + "\n"
