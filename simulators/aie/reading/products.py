"""Multiplying intrinsics to instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.instructions import (
    Extract,
    Fold,
    Multiply,
    Selection,
)
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import INT, Result
from s2s.simulators.aie.selection import granularity
from s2s.simulators.aie.values import (
    Constant,
    Operand,
    Value,
    VectorType,
)

Node = Any
Arguments = Sequence[Any]


def multiply(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result | None:
    call = intrinsics.multiplication(name)
    if call is None:
        return None
    rest = list(arguments)
    accumulator = self.vector(rest.pop(0)) if call.adds and rest else None
    values = [self.rvalue(one) for one in rest]
    vectors = [v for v in values if isinstance(v.kind, VectorType)]
    form = call.form(vectors[0].kind, vectors[-1].kind) if 1 < len(vectors) < 4 else None  # type: ignore[arg-type]
    if form is None or not _may_fold(form, call) or len(vectors) > 2 + bool(call.folds):
        raise self.fail(node, f"'{name}' of these operands is not simulated")
    words = _words(form, call, len(vectors))
    if len(values) != len(words):
        wanted = len(words) + call.adds
        raise self.fail(node, f"'{name}' of these operands takes {wanted} arguments")
    if accumulator is not None and accumulator.type != form.accumulator:
        raise self.fail(node, f"'{name}' adds to a '{form.accumulator}', not '{accumulator.type}'")
    named = dict(zip(words, zip(rest, values, strict=True), strict=True))
    return _multiplied(self, node, name, call, form, accumulator, named)


def _may_fold(form: intrinsics.Multiplication, call: intrinsics.Call) -> bool:
    """Whether it is known how the pre-adder picks its elements, where there is one."""
    bits = form.shape.x_bits, form.shape.z_bits
    return not call.folds or bits[0] == 32 or (bits == (16, 16) and not call.has_middle)


def _words(form: intrinsics.Multiplication, call: intrinsics.Call, vectors: int) -> tuple[str, ...]:
    """The words of an argument list: the pre-adder's stand in front of Z."""
    if not call.folds:
        return form.words
    at = form.words.index("z")
    own = [*["y"] * (vectors == 3), "ys", *["yq"] * ("xq" in form.words), *["m"] * call.has_middle]
    return (*form.words[:at], *own, *form.words[at:])


def _multiplied(
    self: IntrinsicCalls,
    node: Node,
    name: str,
    call: intrinsics.Call,
    form: intrinsics.Multiplication,
    accumulator: Value | None,
    named: dict[str, tuple[Node, Result]],
) -> Result:
    x, z = (_register(self, named[word]) for word in ("x", "z"))
    z = _low_half(self, z, form, named)
    for word, register, widths in (("x", x, (512, 1024)), ("z", z, (256,))):
        assert isinstance(register.type, VectorType)
        if register.type.width not in widths:
            raise self.fail(
                named[word][0], f"'{name}' takes no '{register.type}' as {word.upper()}"
            )
    starts = [_start(self, named[word], form, word) for word in ("xs", "zs")]
    selections = [_selection(self, named, form, letter) for letter in "xz"]
    fold = _fold(self, named, call, form, x) if call.folds else None
    return self.made(
        form.accumulator,
        lambda value: Multiply(
            value, name, form.shape, accumulator, call.negated,
            x, starts[0], selections[0], z, starts[1], selections[1], fold,
        ),
    )  # fmt: skip


def _fold(
    self: IntrinsicCalls,
    named: dict[str, tuple[Node, Result]],
    call: intrinsics.Call,
    form: intrinsics.Multiplication,
    x: Value,
) -> Fold:
    """What the pre-adder adds; without a register of its own it is X again."""
    y = _register(self, named["y"]) if "y" in named else x
    if y.type != x.type:
        raise self.fail(named["y"][0], f"Y is a '{y.type}', X a '{x.type}'")
    middle = None
    if "m" in named:
        content = named["m"][1].content
        if not isinstance(content, Constant):
            raise self.not_constant(named["m"][0], "the middle tap has to be a constant")
        middle = content.value
    start = _start(self, named["ys"], form, "ys")
    return Fold(y, start, call.folds, middle, _square(self, named, "yq"))


def _low_half(
    self: IntrinsicCalls,
    z: Value,
    form: intrinsics.Multiplication,
    named: dict[str, tuple[Node, Result]],
) -> Value:
    """Z of 512 bits, of which only the low 256 are picked, as these 256."""
    kind = z.type
    if not isinstance(kind, VectorType) or kind.width != 512 or form.shape.columns != 1:
        return z
    start = named["zs"][1].content
    offsets = _selection(self, named, form, "z").offsets
    reach = max(offsets >> 4 * lane & 15 for lane in range(form.shape.lanes))
    if not isinstance(start, Constant) or not 0 <= start.value + reach < kind.lanes // 2:
        return z
    low = kind.of(kind.lanes // 2)
    found = self.made(low, lambda value: Extract(value, z, 0)).content
    assert isinstance(found, Value)
    return found


def _register(self: IntrinsicCalls, named: tuple[Node, Result]) -> Value:
    found = self.solid(*named)
    if not isinstance(found, Value):
        raise self.fail(named[0], "a vector is needed here")
    return found


def _start(
    self: IntrinsicCalls, named: tuple[Node, Result], form: intrinsics.Multiplication, word: str
) -> Operand:
    start = self.solid(*named)
    if isinstance(start, Constant):
        unit = granularity(form.shape, word != "zs")
        if start.value % unit:
            letter = word[0].upper()
            raise self.fail(
                named[0], f"a start of {start.value} in {letter}: no multiple of {unit}"
            )
    elif word == "zs":
        raise self.not_constant(named[0], "the start in Z has to be a constant")
    return start


def _selection(
    self: IntrinsicCalls,
    named: dict[str, tuple[Node, Result]],
    form: intrinsics.Multiplication,
    letter: str,
) -> Selection:
    def number(word: str) -> int:
        node, result = named.get(letter + word, (None, Result(INT, Constant(0))))
        if not isinstance(result.content, Constant):
            raise self.not_constant(node, "offsets, steps and squares have to be constants")
        return int(result.content.value)

    offsets = (number("o") & 0xFFFFFFFF) | (number("h") & 0xFFFFFFFF) << 32
    step, unit = number("t"), granularity(form.shape, letter == "x")
    if step % unit:
        raise self.fail(named[letter + "t"][0], f"a step of {step}: no multiple of {unit}")
    return Selection(offsets, step, _square(self, named, letter + "q"))


def _square(self: IntrinsicCalls, named: dict[str, tuple[Node, Result]], word: str) -> int | None:
    """What is picked of two words; None for elements that are as wide as these."""
    if word not in named:
        return None
    node, result = named[word]
    if not isinstance(result.content, Constant):
        raise self.not_constant(node, "offsets, steps and squares have to be constants")
    square = int(result.content.value)
    if any(square >> 4 * k & 15 > 3 for k in range(4)):
        raise self.fail(node, f"the square {square:#06x} has a digit above 3")
    return square
