"""``NAME_compute.h``: a C++ function for each kernel, a statement for each of its operations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.emitters.c.nests.expressions import Writer
from s2s.emitters.c.nests.helpers import helper_texts
from s2s.emitters.c.nests.kinds import c_type, literal
from s2s.scop.compute_unit import ComputeUnit
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Const,
    Expr,
    Load,
    Type,
    Variable,
    walk,
)
from s2s.scop.nest import Tensor


def print_compute(units: Sequence[ComputeUnit]) -> str:
    """The text of the file. Raises Inexpressible for a value that has no C."""
    helpers: set[str] = set()
    functions = [_function(unit, helpers) for unit in units]
    headers = ["cmath", "cstdint", "cstring"] if helpers else ["cstdint"]
    lines = ["#pragma once", "", *(f"#include <{name}>" for name in headers), ""]
    lines += ['#include "hw_classes.h"', '#include "clockwork_standard_compute_units.h"']
    return (
        "\n\n".join(["\n".join(lines), *map(str.strip, helper_texts(helpers)), *functions]) + "\n"
    )


def _function(unit: ComputeUnit, helpers: set[str]) -> str:
    arguments = [f"hw_uint<{o.type.bits * len(o.words)}>& {o.buffer}" for o in unit.operands]
    arguments += [f"const int {name}" for name in unit.indices]
    head = f"hw_uint<{unit.type.bits}> {unit.name}({', '.join(arguments)}) {{"
    return "\n".join([head, *(f"  {line}" for line in _body(unit, helpers)), "}"])


def _body(unit: ComputeUnit, helpers: set[str]) -> Iterator[str]:
    for operand in unit.operands:
        yield from _words(operand.buffer, operand.type, operand.words, helpers)
    for table in unit.tables:
        yield from _table(table)
    tables = {table.name: table for table in unit.tables}

    def element(load: Load) -> str:
        place = writer.text(place_in_table(tables[load.tensor], load.subscripts))
        return f"{load.tensor}[{place}]"

    writer = Writer(lambda name: name, element)
    value = unit.value
    if value.type.is_float:
        value = Call(Type("uint", value.type.bits), "reinterpret", (value,))
    number = 0
    for node in walk(value):
        if isinstance(node, Const | Variable) or node in writer.bound:
            continue
        number += 1
        yield f"const {c_type(node.type)} _{number} = {writer.text(node)};"
        writer.bound[node] = f"_{number}"
    helpers |= writer.helpers
    yield f"return {writer.text(value)};"


def _words(buffer: str, type_: Type, words: Sequence[str], helpers: set[str]) -> Iterator[str]:
    """Variables for the words of a buffer, the first load in the lowest bits."""
    bits = type_.bits
    for k, word in enumerate(words):
        low = f"{buffer}.extract<{bits * k}, {bits * k + bits - 1}>()"
        if type_.is_float:
            pattern = "u" + str(bits)
            name = f"s2s_bits_{pattern}_f{bits}"
            helpers.add(name)
            yield f"const {c_type(type_)} {word} = {name}((uint{bits}_t) {low});"
        elif type_ == BOOL:
            yield f"const bool {word} = (uint8_t) {low} != 0;"
        else:
            yield f"const {c_type(type_)} {word} = ({c_type(type_)}) {low};"


def _table(table: Tensor) -> Iterator[str]:
    """A read-only memory: an array, the first dimension innermost."""
    (type_,) = table.types
    values = [literal(Const(type_, value)) for value in flat(table.data)]
    yield f"const {c_type(type_)} {table.name}[{len(values)}] = {{"
    for k in range(0, len(values), 16):
        yield f"  {', '.join(values[k : k + 16])},"
    yield "};"


def flat(data: object) -> Iterator[int | float]:
    """The elements of a table in the order of its memory."""
    if isinstance(data, tuple | list):
        for item in data:
            yield from flat(item)
    elif isinstance(data, int | float):
        yield data


def place_in_table(table: Tensor, subscripts: Sequence[Expr]) -> Expr:
    """The place of an element in its table."""
    found: Expr = Const(INT32, 0)
    step = 1
    for subscript, dimension in zip(subscripts, table.dimensions, strict=True):
        if not isinstance(dimension.extent, Const):
            raise Inexpressible(f"the table {table.name} has no constant size")
        term = subscript
        if step > 1:
            term = Binary(INT32, "mul", subscript, Const(INT32, step))
        found = term if found == Const(INT32, 0) else Binary(INT32, "add", found, term)
        step *= int(dimension.extent.value)
    return found
