"""The functions of kernels as the tiles have them, in C++."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from s2s.simulators.amber.agreement import Agreement
from s2s.simulators.amber.configuration import Tile
from s2s.source.clockwork.programs import Operation
from s2s.source.records import dataclass

TYPES = {
    **{f"{code}{bits}": f"{code}{bits}_t" for code in ("int", "uint") for bits in (8, 16, 32, 64)},
    "bool": "bool", "float32": "float", "float64": "double",
}  # fmt: skip
"""C's types; other ones (16-bit floats) are not computed here."""

PLAIN = (
    *("add", "sub", "mul", "div", "mod", "min", "max", "eq", "ne", "lt", "le", "gt", "ge"),
    *("band", "bor", "bxor", "bnot", "shl", "shr", "mul_shr", "select"),
    *("sqrt", "floor", "ceil", "trunc"),
)
LOGIC = {"and": "logic_and", "or": "logic_or", "not": "logic_not"}
RESULT = ("abs", "absd")
"""Operations whose result has another type than their operands."""


class _Unknown(Exception):
    """An operation that is not computed here."""


@dataclass(frozen=True)
class Placed:
    """``texts``: for each operation that tiles compute the lines of its function's body.

    ``others`` are kernels with elements of which some are not computed here.
    """

    texts: Mapping[str, tuple[str, ...]]
    others: tuple[str, ...]


def placed_functions(agreement: Agreement, operations: Sequence[Operation]) -> Placed:
    """Bodies over ``w`` (words of loads) and ``VARIABLE`` in braces (values of loops)."""
    texts: dict[str, tuple[str, ...]] = {}
    others = []
    known = {operation.name: operation for operation in operations}
    for one in agreement.design.of_type("kernel"):
        if one.name not in agreement.tiles:
            continue
        try:
            for name, _ in one.uses:
                indices = [str(index) for index in one.fields.get("indices", ())]
                texts[name] = tuple(_body(agreement, one.name, known[name], indices))
        except _Unknown:
            others.append(one.name)
    return Placed(texts, tuple(others))


def _body(
    agreement: Agreement, instance: str, operation: Operation, indices: Sequence[str]
) -> Iterator[str]:
    """A constant for each element, those before it first."""
    names: dict[str, str] = {}
    for tile in _ordered(agreement, agreement.last(instance)):
        element = tile.element
        assert element is not None
        name = names[tile.part] = f"e{len(names)}"
        operands = [_operand(agreement, tile, each, names) for each in element["operands"]]
        if element["op"] == "counter":
            place = indices.index(element["index"]) if element["index"] in indices else -1
            if not 0 <= place < len(operation.indices):
                raise _Unknown
            operands = [f"{{{operation.indices[place]}}}"]
        if element["op"] == "table":
            yield _table(name, element)
        yield f"const {_type(element['type'])} {name} = {_value(name, element, operands)};"
    last = agreement.last(instance).element
    assert last is not None
    value, kind = _converted(names[agreement.last(instance).part], last["type"], last.get("as", ()))
    if kind in ("float32", "float64"):
        bits = kind.removeprefix("float")
        value = f"element::reinterpret<uint{bits}_t>({value})"
    yield f"return uint32_t({value});"


def _ordered(agreement: Agreement, top: Tile) -> list[Tile]:
    """An element and those that it needs, in the order in which they compute."""
    found: dict[str, Tile] = {}
    stack = [top]
    while stack:
        tile = stack[-1]
        before = [
            agreement.configuration.ways[tile.part, operand["port"]].tile
            for operand in (tile.element or {}).get("operands", ())
            if operand.get("port") and operand.get("load") is None
        ]
        missing = [each for each in before if each.part not in found]
        if len(stack) > len(agreement.configuration.tiles):
            raise agreement.wrong(f"elements of '{top.instance}' are in a circle")
        if missing:
            stack.append(missing[0])
        else:
            found[tile.part] = stack.pop()
    return list(found.values())


def _operand(
    agreement: Agreement, tile: Tile, operand: Mapping[str, Any], names: Mapping[str, str]
) -> str:
    kind = operand["type"]
    if not operand.get("port"):
        text = _literal(kind, operand["value"])
    elif operand.get("load") is not None:
        text = _word(kind, int(operand["load"]))
    else:
        text = names[agreement.configuration.ways[tile.part, operand["port"]].tile.part]
    return _converted(text, kind, operand.get("as", ()))[0]


def _word(kind: str, load: int) -> str:
    """A word of a stream as a value."""
    if kind == "bool":
        return f"(w[{load}] != 0)"
    if kind == "float32":
        return f"element::reinterpret<float>(w[{load}])"
    if not kind.startswith(("int", "uint")):
        raise _Unknown
    return f"{_type(kind)}(w[{load}])"


def _converted(text: str, kind: str, conversions: Sequence[str]) -> tuple[str, str]:
    """A value converted in turn, and its type."""
    bits = False
    for to in conversions:
        if to == "reinterpret":
            bits = True
            continue
        text = f"element::reinterpret<{_type(to)}>({text})" if bits else f"{_type(to)}({text})"
        bits, kind = False, to
    return text, kind


def _value(name: str, element: Mapping[str, Any], operands: Sequence[str]) -> str:
    op, kind = element["op"], _type(element["type"])
    if op in ("counter", "constant"):
        return f"{kind}({operands[0]})"
    if op == "table":
        return f"element::table({name}_table, {operands[0]})"
    if op in LOGIC:
        op = LOGIC[op]
    elif op in RESULT:
        op = f"{op}<{kind}>"
    elif op not in PLAIN:
        raise _Unknown
    return f"element::{op}({', '.join(operands)})"


def _table(name: str, element: Mapping[str, Any]) -> str:
    words = ", ".join(_literal(element["type"], word) for word in element["table"])
    return f"static const {_type(element['type'])} {name}_table[] = {{{words}}};"


def _type(kind: str) -> str:
    if kind not in TYPES:
        raise _Unknown
    return TYPES[kind]


def _literal(kind: str, value: float) -> str:
    if kind.startswith("float"):
        if not math.isfinite(value):
            raise _Unknown
        return f"{_type(kind)}({float(value).hex()})"
    if kind == "int64" and value == -(2**63):
        return "INT64_MIN"
    return f"{_type(kind)}({int(value)}{'u' if kind.startswith('u') else ''}LL)"
