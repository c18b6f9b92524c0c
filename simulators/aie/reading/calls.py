"""Intrinsics of the text to instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.classes import CONSTRUCTED
from s2s.simulators.aie.floats import FUNCTIONS
from s2s.simulators.aie.instructions import (
    Convert,
    Rearrange,
    Selection,
)
from s2s.simulators.aie.reading import fixed_point, floats, shorts
from s2s.simulators.aie.reading.cascades import transfer
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import INT, Kind, Result, Void
from s2s.simulators.aie.reading.parts import (
    begun,
    concatenate,
    element,
    extract,
    fill,
    half,
    shift_in,
    update,
)
from s2s.simulators.aie.reading.products import multiply
from s2s.simulators.aie.reading.vector_api import product_of_lanes, vector_call
from s2s.simulators.aie.reading.windows import access, word
from s2s.simulators.aie.values import (
    DOUBLE,
    FLOAT,
    AccumulatorType,
    Constant,
    Operand,
    ScalarType,
    Type,
    Value,
    VectorType,
)

Node = Any


Arguments = Sequence[Any]


Handler = Callable[[IntrinsicCalls, Any, str, Arguments], Result | None]


class Intrinsics(IntrinsicCalls):
    """Lowers calls of intrinsics by the table below."""

    def intrinsic(self, node: Node, name: str, arguments: Arguments) -> Result | None:
        """The result of an intrinsic; None if the name is not one."""
        for pattern, handler in _HANDLERS:
            if pattern.fullmatch(name):
                result = handler(self, node, name, arguments)
                if result is not None:
                    return result
        return None


def _narrow(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    source = self.vector(arguments[0])
    kind = (
        intrinsics.narrowed(name, source.type) if isinstance(source.type, AccumulatorType) else None
    )
    if kind is None:
        raise self.fail(node, f"'{name}' of a '{source.type}' is not simulated")
    return _converted(self, arguments, name, source, kind)


def _widen(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    source = self.vector(arguments[0])
    kind = intrinsics.widened(name, source.type) if isinstance(source.type, VectorType) else None
    if kind is None:
        raise self.fail(node, f"'{name}' of a '{source.type}' is not simulated")
    return _converted(self, arguments, name, source, kind)


def _converted(
    self: IntrinsicCalls, arguments: Arguments, name: str, source: Value, kind: Type
) -> Result:
    shift = self.operand(arguments[1])
    if isinstance(shift, Constant) and shift.value not in intrinsics.SHIFTS:
        raise self.fail(arguments[1], f"a shift of {shift.value} is not within -1 .. 62")
    modes = (self.rounding, self.saturation)
    return self.made(kind, lambda value: Convert(value, name, source, shift, *modes))


def _mode(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    if len(self.builder.levels) > 1:
        raise self.fail(node, f"'{name}' inside a loop or a branch is not followed")
    if name == "set_rnd":
        self.count(node, name, arguments, 1)
        mode = self.constant(arguments[0])
        if not 0 <= mode < len(intrinsics.ROUNDINGS):
            raise self.fail(node, f"{mode} is no mode of rounding")
        self.rounding = intrinsics.ROUNDINGS[mode]
    else:
        self.count(node, name, arguments, 0)
        self.saturation = name == "set_sat"
    return Result(Void())


_ADDED = {"add": "+", "sub": "-", "abs": "abs"}


def _narrow_lanes(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``add32``, ``sub32``, ``abs32`` and ``abs16``: whole registers of 512 bits."""
    operation = _ADDED[name[:3]]
    self.count(node, name, arguments, 1 if operation == "abs" else 2)
    vectors = tuple(self.vector(one) for one in arguments)
    kind = VectorType(int(name[3:]), 512 // int(name[3:]))
    if any(vector.type != kind for vector in vectors):
        raise self.fail(node, f"'{name}' takes vectors of type '{kind}'")
    return self.made(kind, lambda value: Rearrange(value, operation, vectors))


_IN_ORDER = Constant(0x76543210), Constant(0xFEDCBA98)


def _lanewise(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``add16(x, y)``, or with start and offsets after each: 16 lanes of 32 bits.

    ``select16`` has the lanes that it takes from y before these.
    """
    selects = name == "select16"
    self.count(node, name, arguments, 2 + selects, 8 + selects)
    bits = [self.operand(arguments[0])] if selects else []
    arguments = arguments[selects:]
    half = len(arguments) // 2
    inputs: list[Operand] = []
    selections = []
    for first in (0, half):
        vector = self.vector(arguments[first])
        widths = (512, 1024) if first == 0 and half > 1 else (512,)
        kind = vector.type
        if not isinstance(kind, VectorType) or kind.bits != 32 or kind.width not in widths:
            raise self.fail(arguments[first], f"'{name}' takes no '{kind}' here")
        rest = [self.operand(one) for one in arguments[first + 1 : first + half]]
        start, low, high = rest or (Constant(0), *_IN_ORDER)
        if not isinstance(low, Constant) or not isinstance(high, Constant):
            raise self.fail(arguments[first], "offsets, steps and squares have to be constants")
        inputs += [vector, start]
        selections.append(Selection(low.value & 0xFFFFFFFF | (high.value & 0xFFFFFFFF) << 32))
    result = ScalarType(32, False) if name == "gt16" else VectorType(16, 32)
    operands = (*inputs, *bits)
    return self.made(result, lambda value: Rearrange(value, name, operands, tuple(selections)))


def _scalar_function(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 1 if "abs" in name else 2)
    values = [self.rvalue(one) for one in arguments]
    kinds: list[Kind] = [value.kind for value in values]
    if not all(isinstance(kind, ScalarType) for kind in kinds):
        raise self.fail(node, f"'{name}' of vectors is not simulated")
    floating = [kind for kind in kinds if isinstance(kind, ScalarType) and kind.is_float]
    kind = max(floating, key=lambda one: one.bits) if floating else INT
    if kind.is_float or name[0] == "f":
        kind = kind if kind.is_float else DOUBLE
        values = [self.converted(a, v, kind) for a, v in zip(arguments, values, strict=True)]
        name = name.removeprefix("f").removesuffix("f")
    operands = [self.solid(a, v) for a, v in zip(arguments, values, strict=True)]
    return Result(kind, self.builder.scalar(name, kind, *operands))


def _float_function(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``sqrt`` and its kin; of a float they are ``sqrtf``, as in C++."""
    self.count(node, name, arguments, 1)
    value = self.rvalue(arguments[0])
    is_float = isinstance(value.kind, ScalarType) and value.kind.is_float
    kind = value.kind if is_float else DOUBLE
    plain = name if name in FUNCTIONS else name[:-1]
    if name != plain or plain.startswith("inv"):
        kind = FLOAT
    assert isinstance(kind, ScalarType)
    operand = self.solid(node, self.converted(node, value, kind))
    return Result(kind, self.builder.scalar(plain, kind, operand))


def _constructed(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """The end of a kernel's constructor."""
    self.constructed = len(self.builder.levels[0].items)
    return Result(Void())


def _nothing(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    return Result(Void())


_HANDLERS: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(pattern), handler)
    for pattern, handler in (
        (r"(?:undef|null)_v\w+", fill),
        (r"wset_v|xset_[vw]|yset_[vwx]", begun),
        (r"(?:upd|ext)_(?:lo|hi)", half),
        (r"upd_[vwx]", update),
        (r"ext_[vwx]", extract),
        (r"concat", concatenate),
        (r"l?(?:mul|negmul|mac|msc)\d+(?:_(?:anti)?sym(?:_ct)?)?", multiply),
        (r"fp(?:neg_)?mul|fpmac|fpmsc", floats.multiply),
        (r"fp(?:add|sub|max|min|neg|abs|ge|lt|shuffle)", floats.lanewise),
        (r"fp(?:select|shuffle)16", floats.sixteen),
        (r"float2fix|fix2float", fixed_point.convert),
        (r"l?(?:mul|mac)", product_of_lanes),
        (r"srs|lsrs|bsrs|ubsrs", _narrow),
        (r"ups|lups", _widen),
        (r"set_rnd|set_sat|clr_sat", _mode),
        (CONSTRUCTED, _constructed),
        (r"(?:ext|upd)_elem", element),
        (r"shft_elem", shift_in),
        (r"(?:add|sub)32|abs(?:16|32)", _narrow_lanes),
        (r"(?:add|sub|gt|select|max|min)16", _lanewise),
        (r"(?:max|min|shuffle|select)32", shorts.lanewise),
        (r"unpack", shorts.unpack),
        (r"get_scd|put_mcd", transfer),
        (r"min|max|abs|fabsf?|fminf?|fmaxf?", _scalar_function),
        (rf"(?:{'|'.join(FUNCTIONS)})f?", _float_function),
        (
            r"(?:window_)?(?:acquire|release)|chess_separator\w*|chess_report|printf"
            r"|event[01]|assert",
            _nothing,
        ),
        (r"get[fcb]?_w?ss|put_w?ms|(?:read|write)incr_(?:of_)?[fcb]?_w?[sm]s", word),
        (r"__aie_\w+", vector_call),
        (r"window_(?:read|write|incr|decr)\w*|(?:read|write)incr(?:_v\d+)?", access),
    )
)
