"""``NAME_compute.json``: the functions of kernels as modules of CoreIR.

A word is 16 bits, or more where its type has more: unsigned values are extended with zeros, signed
ones with their sign. A truth value is a bit. Each use of a constant is an instance of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from s2s.emitters.clockwork.compute import flat, place_in_table
from s2s.scop.compute_unit import ComputeUnit
from s2s.scop.expressions import (
    BOOL,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
    walk,
)
from s2s.scop.intrinsics import expand_intrinsic
from s2s.scop.nest import Tensor

Json = dict[str, object]

_COMPARED = {"eq": "eq", "ne": "neq", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
_WORDS = {"add": "add", "sub": "sub", "mul": "mul", "band": "and", "bor": "or", "bxor": "xor"}
_WIRES = ("likely", "likely_if_innermost", "strict_float")


def print_coreir(units: Sequence[ComputeUnit]) -> str:
    """The text of the file, a module after the other."""
    modules = {unit.name: _Module(unit).made() for unit in units}
    return json.dumps({"namespaces": {"global": {"modules": modules}}}, indent=1) + "\n"


class _Module:
    """The instances of one function, and how they are connected."""

    def __init__(self, unit: ComputeUnit) -> None:
        self._unit = unit
        self._instances: dict[str, Json] = {}
        self._connections: list[list[str]] = []
        self._tables = {table.name: table for table in unit.typed_tables}
        self._wires: dict[Expr, str] = {}
        self._ports = {
            word: f"self.in{k}_{operand.buffer}.{n}"
            for k, operand in enumerate(unit.operands)
            for n, word in enumerate(operand.words)
        }
        self._ports |= {name: f"self.{name.removeprefix('_')}" for name in unit.indices}

    def made(self) -> Json:
        """The module."""
        unit = self._unit
        ports: list[list[object]] = [[f"out_{unit.buffer}", _port(unit.type, "Bit")]]
        for k, operand in enumerate(unit.operands):
            words = ["Array", len(operand.words), _port(operand.type, "BitIn")]
            ports.append([f"in{k}_{operand.buffer}", words])
        ports += [[name.removeprefix("_"), ["Array", 16, "BitIn"]] for name in unit.indices]
        self._connect(self._wire(unit.typed), f"self.out_{unit.buffer}")
        found: Json = {"type": ["Record", ports]}
        if self._instances:
            found["instances"] = self._instances
        return {**found, "connections": self._connections}

    def _connect(self, source: str, target: str) -> None:
        self._connections.append([source, target])

    def _add(self, name: str, genref: str, genargs: Json, **modargs: object) -> str:
        unique = f"{name}_{len(self._instances)}"
        made: Json = {"genref": genref, "genargs": genargs}
        if not genargs:
            made = {"modref": genref}
        if modargs:
            made["modargs"] = modargs
        self._instances[unique] = made
        return unique

    def _operation(self, genref: str, width: int, *inputs: str) -> str:
        """An instance with inputs ``in0``, ``in1`` (``in`` if there is one only)."""
        bits: Json = {} if genref.startswith("corebit.") else {"width": ["Int", width]}
        name = self._add(genref.rpartition(".")[2], genref, bits)
        for k, source in enumerate(inputs):
            self._connect(source, f"{name}.in{k}" if len(inputs) > 1 else f"{name}.in")
        return f"{name}.out"

    def _mux(self, width: int, chosen: str, then: str, otherwise: str) -> str:
        bits: Json = {"width": ["Int", width]} if width > 1 else {}
        name = self._add("mux", "coreir.mux" if width > 1 else "corebit.mux", bits)
        for source, port in ((otherwise, "in0"), (then, "in1"), (chosen, "sel")):
            self._connect(source, f"{name}.{port}")
        return f"{name}.out"

    def _constant(self, value: int, width: int) -> str:
        if width == 1:
            return self._add("const", "corebit.const", {}, value=["Bool", bool(value)]) + ".out"
        word = value & ((1 << width) - 1)
        text = [["BitVector", width], f"{width}'h{word:0{width // 4}x}"]
        sign = "n" if value < 0 else "p"
        name = f"const_{sign}{abs(value)}_"
        return self._add(name, "coreir.const", {"width": ["Int", width]}, value=text) + ".out"

    def _wire(self, expr: Expr) -> str:
        """The port that has an expression's value."""
        for node in walk(expr):
            if not isinstance(node, Const) and node not in self._wires:
                self._wires[node] = self._made(node)
        return self._of(expr)

    def _of(self, expr: Expr) -> str:
        """The port of an expression that is made, or a new constant."""
        if isinstance(expr, Const):
            return self._constant(_pattern(expr), _width(expr.type))
        return self._wires[expr]

    def _made(self, expr: Expr) -> str:
        match expr:
            case Variable(_, name):
                return self._ports[name]
            case Load():
                return self._rom(self._tables[expr.tensor], expr)
            case Cast(type_, value):
                return self._cast(type_, value)
            case Unary(_, "not", value):
                return self._operation("corebit.not", 1, self._of(value))
            case Unary(type_, _, value):
                made = self._operation("coreir.not", _width(type_), self._of(value))
                return self._fitted(type_, made)
            case Select(type_, condition, then, otherwise):
                parts = [self._of(e) for e in (condition, then, otherwise)]
                return self._mux(_width(type_), *parts)
            case Binary():
                return self._binary(expr)
            case Call():
                return self._call(expr)
        raise TypeError(f"no module for {type(expr).__name__}")

    def _binary(self, expr: Binary) -> str:
        op, type_ = expr.op, expr.left.type
        if type_.is_float:
            return self._float(op, type_, expr.left, expr.right)
        if op in ("div", "mod"):
            return self._division(expr)
        if op in ("shl", "shr"):
            return self._shift(expr)
        left, right, width = self._of(expr.left), self._of(expr.right), _width(type_)
        if type_ == BOOL:
            return self._bits(op, left, right)
        sign = "s" if type_.code == "int" else "u"
        if op in ("min", "max"):
            return self._operation(f"commonlib.{sign}{op}", width, left, right)
        if op in _COMPARED:
            name = _COMPARED[op] if op in ("eq", "ne") else f"{sign}{op}"
            return self._operation(f"coreir.{name}", width, left, right)
        return self._fitted(type_, self._operation(f"coreir.{_WORDS[op]}", width, left, right))

    def _bits(self, op: str, left: str, right: str) -> str:
        if op in ("eq", "ne"):
            differ = self._operation("corebit.xor", 1, left, right)
            return differ if op == "ne" else self._operation("corebit.not", 1, differ)
        name = {"and": "and", "or": "or", "band": "and", "bor": "or", "bxor": "xor"}
        name |= {"mul": "and", "min": "and", "max": "or", "add": "xor", "sub": "xor"}
        if op in name:
            return self._operation(f"corebit.{name[op]}", 1, left, right)
        if op in ("gt", "ge"):
            left, right, op = right, left, {"gt": "lt", "ge": "le"}[op]
        no = self._operation("corebit.not", 1, left)
        return self._operation("corebit.and" if op == "lt" else "corebit.or", 1, no, right)

    def _division(self, expr: Binary) -> str:
        """Rounded down; by powers of two without a divider."""
        type_, width, by = expr.type, _width(expr.type), expr.right
        left = self._of(expr.left)
        signed = type_.code == "int"
        if isinstance(by, Const) and by.value > 0 and not int(by.value) & (int(by.value) - 1):
            value = int(by.value)
            if expr.op == "mod":
                mask = self._constant(value - 1, width)
                return self._operation("coreir.and", width, left, mask)
            distance = self._constant(value.bit_length() - 1, width)
            return self._operation(f"coreir.{'ashr' if signed else 'lshr'}", width, left, distance)
        found = self._quotient(width, left, by, signed)
        if expr.op == "mod":
            product = self._operation("coreir.mul", width, found, self._of(by))
            found = self._operation("coreir.sub", width, left, product)
        zero = self._operation("coreir.eq", width, self._of(by), self._constant(0, width))
        made = self._mux(width, zero, self._constant(0, width), found)
        return self._fitted(type_, made)

    def _quotient(self, width: int, left: str, by: Expr, signed: bool) -> str:
        """Signed: so that the remainder is never negative."""
        if not signed:
            return self._operation("coreir.udiv", width, left, self._of(by))
        found = self._operation("coreir.sdiv", width, left, self._of(by))
        product = self._operation("coreir.mul", width, found, self._of(by))
        rest = self._operation("coreir.sub", width, left, product)
        below = self._operation("coreir.slt", width, rest, self._constant(0, width))
        negative = self._operation("coreir.slt", width, self._of(by), self._constant(0, width))
        step = self._mux(width, negative, self._constant(-1, width), self._constant(1, width))
        less = self._operation("coreir.sub", width, found, step)
        return self._mux(width, below, less, found)

    def _shift(self, expr: Binary) -> str:
        """Negative distances shift the other way."""
        type_, width, by = expr.type, _width(expr.type), expr.right
        right = {"shl": "shl", "shr": "ashr" if type_.code == "int" else "lshr"}
        left = self._of(expr.left)
        if isinstance(by, Const):
            op = expr.op if by.value >= 0 else {"shl": "shr", "shr": "shl"}[expr.op]
            distance = self._constant(abs(int(by.value)), width)
            made = self._operation(f"coreir.{right[op]}", width, left, distance)
            return self._fitted(type_, made)
        distance = self._of(by)
        made = self._operation(f"coreir.{right[expr.op]}", width, left, distance)
        if by.type.code == "int":
            other = {"shl": "shr", "shr": "shl"}[expr.op]
            away = self._operation("coreir.neg", width, distance)
            back = self._operation(f"coreir.{right[other]}", width, left, away)
            below = self._operation("coreir.slt", width, distance, self._constant(0, width))
            made = self._mux(width, below, back, made)
        return self._fitted(type_, made)

    def _fitted(self, type_: Type, port: str) -> str:
        """A word in the range of a type that is narrower than it."""
        width = _width(type_)
        if type_ == BOOL or type_.bits >= width:
            return port
        if type_.code == "uint":
            mask = self._constant((1 << type_.bits) - 1, width)
            return self._operation("coreir.and", width, port, mask)
        spare = width - type_.bits
        up = self._operation("coreir.shl", width, port, self._constant(spare, width))
        return self._operation("coreir.ashr", width, up, self._constant(spare, width))

    def _cast(self, type_: Type, value: Expr) -> str:
        source, port = value.type, self._of(value)
        if source == type_:
            return port
        if source.is_float or type_.is_float:
            return self._float(f"{source}_to_{type_}", type_, value)
        width, before = _width(type_), _width(source)
        if type_ == BOOL:
            return self._operation("coreir.neq", before, port, self._constant(0, before))
        if source == BOOL:
            return self._mux(width, port, self._constant(1, width), self._constant(0, width))
        if width > before:
            name = "coreir.sext" if source.code == "int" else "coreir.zext"
            widths: Json = {"width_in": ["Int", before], "width_out": ["Int", width]}
            wide = self._add(name.rpartition(".")[2], name, widths)
            self._connect(port, f"{wide}.in")
            return f"{wide}.out"
        if width < before:
            bounds: Json = {"width": ["Int", before], "lo": ["Int", 0], "hi": ["Int", width]}
            cut = self._add("slice", "coreir.slice", bounds)
            self._connect(port, f"{cut}.in")
            port = f"{cut}.out"
        narrower = type_.bits < source.bits or type_.code != source.code
        return self._fitted(type_, port) if narrower else port

    def _call(self, call: Call) -> str:
        first = call.arguments[0]
        if call.name in _WIRES:
            return self._of(first)
        if call.name == "reinterpret" and _width(call.type) == _width(first.type):
            return self._fitted(call.type, self._of(first))
        if call.name == "absd" and first.type == Type("uint", 16):
            return self._operation("commonlib.absd", 16, *map(self._of, call.arguments))
        plain = expand_intrinsic(call)
        if plain is not None:
            return self._wire(plain)
        if call.type.is_float:
            return self._float(call.name, call.type, *call.arguments)
        ports = list(map(self._of, call.arguments))
        return self._operation(f"commonlib.{call.name}", _width(first.type), *ports)

    def _float(self, op: str, type_: Type, *operands: Expr) -> str:
        fraction = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}
        shown = type_ if type_.is_float else operands[0].type
        bits = fraction[str(shown)]
        sizes: Json = {
            "exp_bits": ["Int", shown.bits - 1 - bits],
            "frac_bits": ["Int", bits],
        }
        name = self._add(op, f"float.{op}", sizes)
        for k, operand in enumerate(operands):
            port = f"in{k}" if len(operands) > 1 else "in"
            self._connect(self._of(operand), f"{name}.{port}")
        return f"{name}.out"

    def _rom(self, table: Tensor, load: Load) -> str:
        """A read-only memory; its depth is a multiple of 4."""
        type_ = table.types[0]
        width = _width(type_)
        words = [_pattern(Const(type_, v)) & ((1 << width) - 1) for v in flat(table.data)]
        words += [0] * (-len(words) % 4)
        sizes: Json = {"width": ["Int", width], "depth": ["Int", len(words)]}
        name = self._add(f"rom_{table.name}", "memory.rom2", sizes, init=["Json", words])
        self._connect(self._wire(place_in_table(table, load.subscripts)), f"{name}.raddr")
        self._connect(self._constant(1, 1), f"{name}.ren")
        return f"{name}.rdata"


def _width(type_: Type) -> int:
    return 1 if type_ == BOOL else max(16, type_.bits)


def _port(type_: Type, direction: str) -> object:
    return direction if type_ == BOOL else ["Array", _width(type_), direction]


def _pattern(const: Const) -> int:
    """A literal's bits as a number."""
    import struct

    if not const.type.is_float:
        return int(const.value)
    if const.type.code == "bfloat":
        return int(struct.unpack("<I", struct.pack("<f", const.value))[0]) >> 16
    code, word = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}[const.type.bits]
    return int(struct.unpack(word, struct.pack(code, const.value))[0])
