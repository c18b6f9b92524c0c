"""Intrinsics of the text to instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.instructions import (
    Concatenate,
    Convert,
    Extract,
    Fill,
    Multiply,
    Rearrange,
    Selection,
    Update,
)
from s2s.simulators.aie.reading.expressions import Expressions
from s2s.simulators.aie.reading.kinds import INT, Kind, Number, Result, Void
from s2s.simulators.aie.reading.windows import access
from s2s.simulators.aie.selection import granularity
from s2s.simulators.aie.values import (
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
Handler = Callable[["Intrinsics", Any, str, Arguments], Result | None]


class Intrinsics(Expressions):
    """Lowers calls of intrinsics; the modes of rounding and saturating are followed."""

    def __init__(self, path: str, rounding: str = "rnd_floor", saturation: bool = False) -> None:
        super().__init__(path)
        self.rounding = rounding
        self.saturation = saturation
        for number, name in enumerate(intrinsics.ROUNDINGS):
            self.scope.names[name] = Number(Constant(number))

    def intrinsic(self, node: Node, name: str, arguments: Arguments) -> Result | None:
        """The result of an intrinsic; None if the name is not one."""
        for pattern, handler in _HANDLERS:
            if pattern.fullmatch(name):
                result = handler(self, node, name, arguments)
                if result is not None:
                    return result
        return None

    def made(self, kind: Type, make: Callable[[Value], Any]) -> Result:
        assert isinstance(kind, VectorType | AccumulatorType | ScalarType)
        return Result(kind, self.builder.emit(make(self.builder.value(kind))))


def _fill(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result | None:
    which, _, type_name = name.partition("_")
    kind = intrinsics.named_type(type_name)
    if not isinstance(kind, VectorType | AccumulatorType):
        return None
    self.count(node, name, arguments, 0)
    return self.made(kind, lambda value: Fill(value, defined=which == "null"))


def _part_width(name: str) -> int:
    return intrinsics.PARTS[name[-1]]


def _begun(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    """``xset_w(i, part)``: a register of which only one part is defined."""
    self.count(node, name, arguments, 2)
    part = self.vector(arguments[1])
    if not isinstance(part.type, VectorType) or part.type.width != _part_width(name):
        raise self.fail(node, f"'{name}' puts in {_part_width(name)} bits, not a '{part.type}'")
    kind = _resized(part.type, intrinsics.PARTS[name[0]])
    index = _index(self, arguments[0], kind, _part_width(name))
    nothing = self.made(kind, lambda value: Fill(value, defined=False)).content
    assert isinstance(nothing, Value)
    return self.made(kind, lambda value: Update(value, nothing, index, part))


def _half(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    """``upd_lo`` and its kin: halves of accumulators."""
    puts, index = name.startswith("upd"), int(name.endswith("hi"))
    self.count(node, name, arguments, 1 + puts)
    whole = self.vector(arguments[0])
    kind = whole.type
    if not isinstance(kind, AccumulatorType) or kind.width < 768:
        raise self.fail(node, f"a '{kind}' has no halves")
    half = AccumulatorType(kind.lanes // 2, kind.bits)
    if not puts:
        return self.made(half, lambda value: Extract(value, whole, index))
    part = self.vector(arguments[1])
    if part.type != half:
        raise self.fail(node, f"a half of a '{kind}' is a '{half}', not a '{part.type}'")
    return self.made(kind, lambda value: Update(value, whole, index, part))


def _update(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 3)
    vector, part = self.vector(arguments[0]), self.vector(arguments[2])
    index = _index(self, arguments[1], vector.type, _part_width(name))
    if not isinstance(part.type, VectorType) or part.type.width != _part_width(name):
        raise self.fail(node, f"'{name}' puts in {_part_width(name)} bits, not a '{part.type}'")
    if isinstance(vector.type, VectorType) and part.type.element != vector.type.element:
        raise self.fail(node, f"'{name}' of a '{vector.type}' with a '{part.type}'")
    return self.made(vector.type, lambda value: Update(value, vector, index, part))


def _index(self: Intrinsics, node: Node, kind: Type, width: int) -> int:
    """The number of a part. Raises UserError where it is no constant or there is no such part."""
    index = self.constant(node)
    if not isinstance(kind, VectorType):
        raise self.fail(node, f"'{kind}' has no parts that can be named")
    if not 0 <= index < kind.width // width:
        raise self.fail(node, f"a '{kind}' has no part {index} of {width} bits")
    return index


def _extract(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    vector = self.vector(arguments[0])
    index = _index(self, arguments[1], vector.type, _part_width(name))
    assert isinstance(vector.type, VectorType)
    kind = _resized(vector.type, _part_width(name))
    return self.made(kind, lambda value: Extract(value, vector, index))


def _resized(kind: VectorType, width: int) -> VectorType:
    return VectorType(width // kind.bits, kind.bits, kind.signed)


def _concatenate(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2, 4)
    parts = tuple(self.vector(one) for one in arguments)
    first = parts[0].type
    if not isinstance(first, VectorType | AccumulatorType) or any(p.type != first for p in parts):
        raise self.fail(node, "'concat' joins vectors of one type")
    if isinstance(first, AccumulatorType):
        if first.width * len(parts) > 768:
            raise self.fail(node, "'concat' to more than 768 bits: no accumulator is that wide")
        whole = AccumulatorType(first.lanes * len(parts), first.bits)
        return self.made(whole, lambda value: Concatenate(value, parts))
    width = first.width * len(parts)
    if width > intrinsics.VECTOR_WIDTHS[-1]:
        raise self.fail(node, f"'concat' to {width} bits: no register is that wide")
    return self.made(_resized(first, width), lambda value: Concatenate(value, parts))


def _multiply(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result | None:
    call = intrinsics.multiplication(name)
    if call is None:
        return None
    rest = list(arguments)
    accumulator = self.vector(rest.pop(0)) if call.adds and rest else None
    values = [self.rvalue(one) for one in rest]
    vectors = [v for v in values if isinstance(v.kind, VectorType)]
    form = call.form(vectors[0].kind, vectors[1].kind) if len(vectors) == 2 else None  # type: ignore[arg-type]
    if form is None:
        raise self.fail(node, f"'{name}' of these operands is not simulated")
    if len(values) != len(form.words):
        wanted = len(form.words) + call.adds
        raise self.fail(node, f"'{name}' of these operands takes {wanted} arguments")
    if accumulator is not None and accumulator.type != form.accumulator:
        raise self.fail(node, f"'{name}' adds to a '{form.accumulator}', not '{accumulator.type}'")
    named = dict(zip(form.words, zip(rest, values, strict=True), strict=True))
    return _multiplied(self, node, name, call, form, accumulator, named)


def _multiplied(
    self: Intrinsics,
    node: Node,
    name: str,
    call: intrinsics.Call,
    form: intrinsics.Multiplication,
    accumulator: Value | None,
    named: dict[str, tuple[Node, Result]],
) -> Result:
    x, z = (_register(self, named[word]) for word in ("x", "z"))
    for word, register, widths in (("x", x, (512, 1024)), ("z", z, (256,))):
        assert isinstance(register.type, VectorType)
        if register.type.width not in widths:
            raise self.fail(
                named[word][0], f"'{name}' takes no '{register.type}' as {word.upper()}"
            )
    starts = [_start(self, named[word], form, word) for word in ("xs", "zs")]
    selections = [_selection(self, named, form, letter) for letter in "xz"]
    return self.made(
        form.accumulator,
        lambda value: Multiply(
            value, name, form.shape, accumulator, call.negated,
            x, starts[0], selections[0], z, starts[1], selections[1],
        ),
    )  # fmt: skip


def _register(self: Intrinsics, named: tuple[Node, Result]) -> Value:
    found = self.solid(*named)
    if not isinstance(found, Value):
        raise self.fail(named[0], "a vector is needed here")
    return found


def _start(
    self: Intrinsics, named: tuple[Node, Result], form: intrinsics.Multiplication, word: str
) -> Operand:
    start = self.solid(*named)
    if isinstance(start, Constant):
        unit = granularity(form.shape, word == "xs")
        if start.value % unit:
            letter = word[0].upper()
            raise self.fail(
                named[0], f"a start of {start.value} in {letter}: no multiple of {unit}"
            )
    elif word == "zs":
        raise self.not_constant(named[0], "the start in Z has to be a constant")
    return start


def _selection(
    self: Intrinsics,
    named: dict[str, tuple[Node, Result]],
    form: intrinsics.Multiplication,
    letter: str,
) -> Selection:
    def number(word: str) -> int:
        node, result = named.get(letter + word, (None, Result(INT, Constant(0))))
        if not isinstance(result.content, Constant):
            raise self.not_constant(node, "offsets, steps and squares have to be constants")
        return result.content.value

    offsets = (number("o") & 0xFFFFFFFF) | (number("h") & 0xFFFFFFFF) << 32
    step, unit = number("t"), granularity(form.shape, letter == "x")
    if step % unit:
        raise self.fail(named[letter + "t"][0], f"a step of {step}: no multiple of {unit}")
    square = number("q") if letter + "q" in form.words else None
    if square is not None and any(square >> 4 * k & 15 > 3 for k in range(4)):
        raise self.fail(named[letter + "q"][0], f"the square {square:#06x} has a digit above 3")
    return Selection(offsets, step, square)


def _narrow(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    source = self.vector(arguments[0])
    kind = (
        intrinsics.narrowed(name, source.type) if isinstance(source.type, AccumulatorType) else None
    )
    if kind is None:
        raise self.fail(node, f"'{name}' of a '{source.type}' is not simulated")
    return _converted(self, arguments, name, source, kind)


def _widen(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    source = self.vector(arguments[0])
    kind = intrinsics.widened(name, source.type) if isinstance(source.type, VectorType) else None
    if kind is None:
        raise self.fail(node, f"'{name}' of a '{source.type}' is not simulated")
    return _converted(self, arguments, name, source, kind)


def _converted(
    self: Intrinsics, arguments: Arguments, name: str, source: Value, kind: Type
) -> Result:
    shift = self.operand(arguments[1])
    if isinstance(shift, Constant) and shift.value not in intrinsics.SHIFTS:
        raise self.fail(arguments[1], f"a shift of {shift.value} is not within -1 .. 62")
    modes = (self.rounding, self.saturation)
    return self.made(kind, lambda value: Convert(value, name, source, shift, *modes))


def _mode(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
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


def _element(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2 if name == "ext_elem" else 3)
    vector = self.vector(arguments[0])
    index = self.operand(arguments[1])
    if not isinstance(vector.type, VectorType):
        raise self.fail(node, f"'{name}' of a '{vector.type}'")
    if isinstance(index, Constant) and not 0 <= index.value < vector.type.lanes:
        raise self.fail(node, f"a '{vector.type}' has no lane {index.value}")
    if name == "ext_elem":
        kind: Type = vector.type.element
        return self.made(kind, lambda value: Rearrange(value, name, (vector, index)))
    element = self.rvalue(arguments[2])
    scalar = self.solid(arguments[2], self.converted(node, element, vector.type.element))
    return self.made(vector.type, lambda value: Rearrange(value, name, (vector, index, scalar)))


def _shift_in(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    vector, element = self.vector(arguments[0]), self.rvalue(arguments[1])
    if not isinstance(vector.type, VectorType):
        raise self.fail(node, f"'{name}' of a '{vector.type}'")
    scalar = self.solid(arguments[1], self.converted(node, element, vector.type.element))
    return self.made(vector.type, lambda value: Rearrange(value, name, (vector, scalar)))


_ADDED = {"add": "+", "sub": "-", "abs": "abs"}


def _narrow_lanes(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    """``add32``, ``sub32``, ``abs32`` and ``abs16``: whole registers of 512 bits."""
    operation = _ADDED[name[:3]]
    self.count(node, name, arguments, 1 if operation == "abs" else 2)
    vectors = tuple(self.vector(one) for one in arguments)
    kind = VectorType(int(name[3:]), 512 // int(name[3:]))
    if any(vector.type != kind for vector in vectors):
        raise self.fail(node, f"'{name}' takes vectors of type '{kind}'")
    return self.made(kind, lambda value: Rearrange(value, operation, vectors))


_IN_ORDER = Constant(0x76543210), Constant(0xFEDCBA98)


def _lanewise(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    """``add16(x, y)``, or with start and offsets behind each: 16 lanes of 32 bits.

    ``select16`` has the lanes that it takes from y in front of these.
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


def _scalar_function(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 1 if name == "abs" else 2)
    values = [self.rvalue(one) for one in arguments]
    kinds: list[Kind] = [value.kind for value in values]
    if not all(isinstance(kind, ScalarType) for kind in kinds):
        raise self.fail(node, f"'{name}' of vectors is not simulated")
    operands = [self.solid(a, v) for a, v in zip(arguments, values, strict=True)]
    return Result(INT, self.builder.scalar(name, INT, *operands))


def _nothing(self: Intrinsics, node: Node, name: str, arguments: Arguments) -> Result:
    return Result(Void())


_HANDLERS: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(pattern), handler)
    for pattern, handler in (
        (r"(?:undef|null)_v\w+", _fill),
        (r"wset_v|xset_[vw]|yset_[vwx]", _begun),
        (r"(?:upd|ext)_(?:lo|hi)", _half),
        (r"upd_[vwx]", _update),
        (r"ext_[vwx]", _extract),
        (r"concat", _concatenate),
        (r"l?(?:mul|negmul|mac|msc)\d+", _multiply),
        (r"srs|lsrs|bsrs|ubsrs", _narrow),
        (r"ups|lups", _widen),
        (r"set_rnd|set_sat|clr_sat", _mode),
        (r"(?:ext|upd)_elem", _element),
        (r"shft_elem", _shift_in),
        (r"(?:add|sub)32|abs(?:16|32)", _narrow_lanes),
        (r"(?:add|sub|gt|select|max|min)16", _lanewise),
        (r"min|max|abs", _scalar_function),
        (r"window_(?:acquire|release)|chess_separator\w*|chess_report", _nothing),
        (r"window_(?:read|write|incr|decr)\w*|(?:read|write)incr(?:_v\d+)?", access),
    )
)
