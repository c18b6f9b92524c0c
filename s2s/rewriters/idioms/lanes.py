"""Reductions in lanes: as many accumulators as keep a processor busy.

::

    for (i = 0; i < n; i++)        for (l = 0; l < 64; l++) lane[l] = 0;
        s += a[i] * b[i];          for (; 64 more iterations; i += 64)
                              ->       for (l = 0; l < 64; l++) lane[l] += a[i + l] * b[i + l];
                                   s += sum of the lanes;
                                   for (; i < n; i++) s += a[i] * b[i];

gcc accumulates in one vector register, so each addition waits for the one before. Sums and products
are regrouped only where that is allowed. A maximum in the forms of ``reductions`` is exact in
any order but for the sign of a zero; where that is in question, the source's loop runs again.
"""

from __future__ import annotations

from s2s.frontends.c.facts import assigned_in, initializer
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import divides_integers, loads, unit_stride, variables
from s2s.rewriters.idioms.around import most_iterations
from s2s.rewriters.idioms.events import check_straight, is_prelude
from s2s.rewriters.idioms.loops import (
    CountedLoop,
    Unproved,
    Unsuitable,
    counted_loop,
    known_length,
    unlabelled,
)
from s2s.rewriters.idioms.reductions import Reduction, reduction
from s2s.rewriters.idioms.room import check_room
from s2s.rewriters.idioms.target import Target
from s2s.rewriters.idioms.writing import Writer
from s2s.scop.stack import on_stack
from s2s.source.records import dataclass

# Bytes of lanes of one reduction: eight vector registers of 32 bytes hide the latency of an
# addition. clang does not make vectors of 32 lanes of floats.
_LANE_BYTES = 256
# Iterations from which on lanes pay for setting them up and adding them: where the compiler would
# have made a vector loop with one accumulator, and where it would not have.
_LEAST_VECTOR = 1024
_LEAST_SCALAR = 256


@dataclass(frozen=True)
class Lanes:
    """A loop that does nothing but accumulate; ``least`` iterations make lanes worth it."""

    loop: CountedLoop
    reductions: tuple[Reduction, ...]
    count: int
    least: int
    zeros: bool
    """Whether the sign of a zero that is a maximum matters."""

    @property
    def reason(self) -> str:
        names = ", ".join(f"'{r.decl.name}'" for r in self.reductions)
        return f"{names} in {self.count} lanes"


def find_lanes(function: Function, node: Node, target: Target) -> Lanes:
    """Recognise a loop. Raises Unsuitable."""
    if not any(reduction(unlabelled(s)) for s in node.children[-1].statements):
        raise Unsuitable(node, "the loop accumulates nothing")
    if target.compiler == "clang" and target.fast:
        raise Unsuitable(node, "the compiler uses several accumulators by itself")
    loop = counted_loop(function, node)
    if any(i.step is None for i in loop.inductions):
        raise Unsuitable(node, "a variable advances by a step that is not constant")
    found = _reductions(function, loop, target)
    if target.fast and all(_is_plain_extremum(r) for r in found):
        raise Unsuitable(node, "the compiler's vector maximum waits for memory, not for itself")
    _check_values(loop, found)
    size = max(r.decl.type.size for r in found)
    least = _LEAST_VECTOR if target.fast else _LEAST_SCALAR
    length = known_length(loop)
    if length is None:
        length = most_iterations(function.node, node, loop)
    if length is not None and length < least:
        raise Unsuitable(node, "the loop is too short for lanes")
    check_room(node, [loop.body], {i.decl: i.step or 1 for i in loop.inductions}, least)
    zeros = not target.fast and any(r.signed and r.op in "<>" for r in found)
    return Lanes(loop, found, _LANE_BYTES // size, least, zeros)


def _is_plain_extremum(one: Reduction) -> bool:
    """Whether it is the maximum of elements: a cycle each, which one accumulator keeps up with."""
    return one.op in "<>" and all(
        n.kind not in ("CALL_EXPR", "CONDITIONAL_OPERATOR") and n.op in ("", "[]")
        for value in one.values
        for n in value.walk()
    )


def _reductions(function: Function, loop: CountedLoop, target: Target) -> tuple[Reduction, ...]:
    """The loop's reductions, where its body does nothing else."""
    found: list[Reduction] = []
    steps = {id(i.node) for i in loop.inductions}
    for statement in map(unlabelled, loop.body.statements):
        if statement.kind == "NULL_STMT" or id(statement) in steps or is_prelude(statement):
            continue
        one = reduction(statement)
        if one is None:
            raise Unsuitable(statement, "the loop does more than accumulate")
        check_straight(statement)
        _check_scalar(function, loop, one)
        if not one.exact and not target.reassociate:
            reason = "floating-point operations keep their order (--reassociate)"
            raise Unproved(statement, reason)
        if not one.exact and one.op in "<>" and not target.fast:
            raise Unproved(statement, "the result may depend on what is not a number")
        found.append(one)
    if not 1 <= len(found) <= 2:
        raise Unsuitable(loop.node, "too many reductions for lanes")
    return tuple(found)


def _check_scalar(function: Function, loop: CountedLoop, one: Reduction) -> None:
    decl = one.decl
    if decl.type.kind != "float" or decl.type.size not in (4, 8) or decl.type.volatile:
        raise Unsuitable(loop.node, f"'{decl.name}' is no floating-point variable")
    if not decl.is_local or decl.is_static or decl in function.facts.escaped or decl.thread_local:
        raise Unsuitable(loop.node, f"'{decl.name}' may be changed elsewhere")
    if assigned_in([loop.body])[decl] != 1:
        raise Unsuitable(loop.node, f"'{decl.name}' is assigned in several places")


def _check_values(loop: CountedLoop, found: tuple[Reduction, ...]) -> None:
    """What is accumulated depends on no accumulator and walks along memory."""
    scalars = {r.decl for r in found}
    values = [v for r in found for v in r.values]
    values += [
        value for s in loop.body.statements if is_prelude(s)
        for d in s.children if (value := initializer(d)) is not None
    ]  # fmt: skip
    steps = {i.decl: i.step or 0 for i in loop.inductions}
    for value in values:
        if variables(value) & scalars:
            raise Unsuitable(value, "the reductions depend on each other")
        if divides_integers(value):
            raise Unsuitable(value, "what is accumulated may divide by zero")
        for load in loads(value, set(steps)):
            if load is None or not unit_stride(load, steps):
                raise Unsuitable(value, "what is accumulated does not walk along memory")
    if variables(loop.bound_node) & scalars:
        raise Unsuitable(loop.node, "the loop's bound depends on an accumulator")


# -- the new text -------------------------------------------------------------------------------


def lanes_text(lanes: Lanes, writer: Writer) -> bytes:
    """The loop in lanes, and the source's loop for what remains."""
    loop, p, count = lanes.loop, writer.prefix, lanes.count
    inner = [unlabelled(s) for s in loop.body.statements]
    least = max(lanes.least, 2 * count)
    lines = [
        "{",
        f"/* s2s: {lanes.reason} */",
        writer.init(),
        f"if (({writer.condition()}) && {loop.more(least)}) {{",
        *_opened(lanes, writer),
        "do {",
        *writer.bases(inner),
        writer.lanes(count) + " {",
        *writer.shadows(inner),
        *(f"{_type(r)} {r.decl.name} = {p}{r.decl.name}_lane[{p}l];" for r in lanes.reductions),
        *(writer.text(s) for s in inner),
        *(f"{p}{r.decl.name}_lane[{p}l] = {r.decl.name};" for r in lanes.reductions),
        "}",
        loop.advance(count),
        f"}} while (({writer.condition()}) && {loop.more(count)});",
        *(line for r in lanes.reductions for line in _closed(r, lanes, writer)),
        *_again(lanes, writer),
        *writer.rest(),
        "} else {",
        *writer.rest(),
        "}",
        "}",
    ]
    return writer.assembled([line for line in lines if line])


def _type(one: Reduction) -> str:
    return one.decl.type.spelling


def _opened(lanes: Lanes, writer: Writer) -> list[str]:
    """Declarations of the lanes, and what they begin with."""
    p, lines = writer.prefix, []
    for one in lanes.reductions:
        name = f"{p}{one.decl.name}"
        begin = {"+": "0", "*": "1"}.get(one.op, one.decl.name)
        lines += [
            on_stack(f"{_type(one)} {name}_lane[{lanes.count}]"),
            f"{writer.lanes(lanes.count)} {name}_lane[{p}l] = {begin};",
        ]
        if lanes.zeros:
            lines.append(f"const {_type(one)} {name}_first = {one.decl.name};")
    if lanes.zeros:
        lines += [f"const {i.decl.type.spelling} {p}{i.decl.name}_first = {i.decl.name};"
                  for i in lanes.loop.inductions]  # fmt: skip
    return lines


def _closed(one: Reduction, lanes: Lanes, writer: Writer) -> list[str]:
    """The lanes reduced, first as vectors, then one by one."""
    p, name = writer.prefix, f"{writer.prefix}{one.decl.name}_lane"
    lines, width = [], lanes.count
    while width > 8:
        width //= 2
        lines.append(
            f"{writer.lanes(width)} {_step(one, f'{name}[{p}l]', f'{name}[{p}l + {width}]')}"
        )
    lines.append(f"{writer.lanes(width)} {_step(one, one.decl.name, f'{name}[{p}l]')}")
    return lines


def _step(one: Reduction, into: str, value: str) -> str:
    if one.op in "+*":
        return f"{into} {one.op}= {value};"
    return f"{into} = {value} {one.op} {into} ? {value} : {into};"


def _again(lanes: Lanes, writer: Writer) -> list[str]:
    """Back to the beginning where the result is a zero whose sign the order decides."""
    if not lanes.zeros:
        return []
    p = writer.prefix
    asks = " || ".join(
        f"({r.decl.name} == 0 && {p}{r.decl.name}_first != 0)" for r in lanes.reductions
        if r.op in "<>" and r.signed
    )  # fmt: skip
    names: list[Decl] = [r.decl for r in lanes.reductions] + [i.decl for i in lanes.loop.inductions]
    return [f"if ({asks}) {{", *(f"{d.name} = {p}{d.name}_first;" for d in names), "}"]
