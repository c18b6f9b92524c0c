"""The range of a counted loop as a formula of its iterator."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.counted_loops import Bound, CountedLoop, counted_loop
from s2s.frontends.c.evaluated import Context, Requirement
from s2s.frontends.c.extremes import compared, is_choice
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.nodes import LoopVariable
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_SHORT = 40
# Bytes of the type in which C computes with narrower ones.
_INT = 4
_TRUTHS = frozenset({"_Bool", "bool"})


@dataclass(frozen=True)
class LoopHeader:
    """A loop that counts a local integer by a constant."""

    decl: Decl
    declared: bool
    first: Node
    start: Polynomial | None
    """The value of ``first``, None where it is none of a single polynomial."""
    step: int
    bounds: tuple[Bound, ...]


def loop_header(node: Node, affine: Affine, context: Context) -> LoopHeader:
    """Read a ``for`` statement's header. Raises NotAffine."""
    loop = counted_loop(node)
    decl, type_ = loop.variable, loop.variable.type
    plain = type_.kind == "int" and not type_.volatile and type_.canonical not in _TRUTHS
    if not plain or decl.is_global or decl.is_static:
        raise NotAffine(node.children[0], f"'{decl.name}' is not a local integer loop variable")
    narrow = type_.size < _INT
    first = loop.first.bare if narrow else loop.first
    start = affine.polynomial(first, context)
    step = loop.constant_step
    if step < 0 and not type_.signed:
        raise NotAffine(loop.increment, f"unsigned '{decl.name}' counts down")
    bounds = tuple(loop.bounds(step, rising=True))
    if narrow:
        _require_room(loop, start, step, bounds, affine, context)
    return LoopHeader(decl, loop.declared, first, start, step, bounds)


def _require_room(
    loop: CountedLoop, start: Polynomial | None, step: int, bounds: Sequence[Bound],
    affine: Affine, context: Context,
) -> None:  # fmt: skip
    """Require that a variable narrower than int holds its first value and the one it ends with.

    Steps are converted to its type, so a loop to a limit beyond that never ends. Raises NotAffine.
    """
    type_, name = loop.variable.type, loop.variable.name
    count = 1 << (8 * type_.size)
    least = -count // 2 if type_.signed else 0
    if start is None or not start.is_affine:
        raise NotAffine(loop.first, f"start of '{name}' is not affine")
    held = [(start, loop.first)]
    for bound in bounds:
        limit = affine.polynomial(bound.limit, context)
        if limit is None or not limit.is_affine or not bound.is_exact:
            raise NotAffine(bound.limit, f"bound of '{name}' is not affine")
        past = {"<": step - 1, "<=": step, ">": step + 1, ">=": step, "!=": 0}[bound.relation]
        held.append((limit + Polynomial.integer(past), bound.limit))
    for value, node in held:
        violation = f"{value.isl()} < {least} or {value.isl()} >= {least + count}"
        affine.requirements.append(Requirement(context, violation, node))


def loop_context(
    header: LoopHeader,
    affine: Affine,
    context: Context,
    variable_for: Callable[[Decl, bool], LoopVariable],
) -> tuple[Context, LoopVariable]:
    """The context inside a counted loop, with the loop's range as a formula. Raises NotAffine."""
    variable = variable_for(header.decl, header.declared)
    parts = [_from_first(header, variable.name, affine, context)]
    for position, bound in enumerate(header.bounds):
        bounded = _rising(bound.side, header, variable, affine, context)
        here = context.maybe() if position else context  # after &&
        parts.append(_up_to(header, bounded, bound, affine, here))
    inner = context.inside(variable, header.decl, " and ".join(parts))
    for bound in header.bounds:
        affine.polynomial(bound.side, inner)  # an unsigned comparison requires the iterator >= 0
    return inner, variable


def _rising(
    side: Node, header: LoopHeader, variable: LoopVariable, affine: Affine, context: Context
) -> str:
    """What a bound is compared with: the iterator, or ``2 * iterator + 1`` and the like."""
    side = side.uncast
    if side.kind == "DECL_REF_EXPR":
        return variable.name
    value = affine.polynomial(side, context.inside(variable, header.decl, "true"))
    if value is None or not value.is_affine:
        raise NotAffine(side, f"bound of '{header.decl.name}' is not affine")
    return value.isl()


def _from_first(header: LoopHeader, name: str, affine: Affine, context: Context) -> str:
    """That an iterator begins at its first value and moves by its step. Raises NotAffine."""
    text, op = None, ">=" if header.step > 0 else "<="
    single = abs(header.step) == 1 and all(b.relation != "!=" for b in header.bounds)
    if single and is_choice(header.first):  # one condition for each side, in place of pieces
        text = compared(name, op, header.first, affine, context)
    elif header.start is not None and header.start.is_affine:
        start = header.start.isl()
        text = f"{name} {op} {start}"
        if abs(header.step) != 1:
            text += f" and ({name} - {start}) mod {abs(header.step)} = 0"
    elif single:
        text = compared(name, op, header.first, affine, context)
    if text is None:
        raise NotAffine(header.first, f"start of '{header.decl.name}' is not affine")
    return text


def _up_to(header: LoopHeader, name: str, bound: Bound, affine: Affine, context: Context) -> str:
    """One bound of an iterator. Raises NotAffine."""
    text = None
    if bound.relation != "!=":
        text = compared(name, bound.relation, bound.limit, affine, context)
    else:
        limit, up = affine.polynomial(bound.limit, context), header.step > 0
        if limit is not None and limit.is_affine and header.start is not None:
            violation = f"{header.start.isl()} {'>' if up else '<'} {limit.isl()}"
            affine.requirements.append(Requirement(context, violation, bound.limit))
            text = f"{name} {'<' if up else '>'} {limit.isl()}"
    if text is None:
        raise NotAffine(
            bound.limit, f"bound of '{header.decl.name}' is not affine{_shown(bound.limit, affine)}"
        )
    return text


def _shown(node: Node, affine: Affine) -> str:
    """The text of an expression after a colon, if it is short."""
    text = " ".join(affine.text(node).split())
    return f": '{text}'" if 0 < len(text) <= _SHORT else ""
