"""Operations on values and places, without the memory: sums, steps of pointers, sizes."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.facts import ALLOCATORS
from s2s.frontends.c.syntax import CType, Node
from s2s.rewriters.graphs.edge_lists.memory import fresh, plain_type
from s2s.rewriters.graphs.edge_lists.terms import Lin, Op, Pointer, Sym, Target, Value, number, of


def unknown() -> Lin:
    """A number that nothing is known of."""
    return of(Sym(fresh()))


def combine(op: str, values: Sequence[Lin], type_: CType) -> Lin:
    """An operation on numbers; sums and multiples are worked out."""
    wraps = type_.kind == "int" and not type_.signed and type_.size <= 4
    if type_.kind == "int" and len(values) == 2:
        left, right = values
        if op in ("+", "-") and not (wraps and None not in (left.atom, right.atom)):
            return left + right if op == "+" else left - right
        if op == "*" and (left.number is not None or right.number is not None):
            known, other = (left, right) if left.number is not None else (right, left)
            if not wraps or other.number is not None:
                return other.scaled(known.constant)
    if op == "-" and len(values) == 1 and type_.kind == "int" and not wraps:
        return values[0].scaled(-1)
    return of(Op((op, plain_type(type_)), tuple(values)))


def bytes_of(type_: CType) -> Lin | None:
    """The size of a type's values; None where it is not a constant."""
    if type_.kind == "array":
        inner = bytes_of(type_.element) if type_.element is not None else None
        known = inner is not None and type_.count is not None
        return inner.scaled(type_.count) if known and inner and type_.count is not None else None
    return number(type_.size) if type_.size else None


def zero_of(kind: str) -> Value | None:
    """The value of a member that an initial value leaves out."""
    if kind == "pointer":
        return Pointer()
    return number(0) if kind == "int" else unknown() if kind == "float" else None


def element_at(target: Target, index: Lin, type_: CType | None) -> Target:
    """An element of an array that is a variable or a member."""
    owner = target.object
    if target.index is not None:
        inner = "?" if index.number is None else f"[{index.number}]"
        return Target(owner, (*target.path, inner), target.index)
    if not target.path and type_ is not None:
        owner.stride = owner.stride or type_.size
    return Target(owner, target.path, index)


def moved_by(target: Target, by: Lin, type_: CType) -> Target:
    """The place so many elements of a type after another; a path with "?" is any in the object."""
    owner, stays = target.object, by == number(0)
    anywhere = Target(owner, (*target.path, "?"), unknown())
    if target.index is None or target.path:
        if stays:
            return target
        if target.index is None or owner.stride:
            return anywhere
        return Target(owner, target.path, target.index + by)
    whole = owner.size is not None and owner.size == number(type_.size)
    if target.index + by == number(0) and whole and type_.kind == "record":
        return Target(owner)
    owner.stride = owner.stride or type_.size
    return Target(owner, (), target.index + by) if owner.stride == type_.size else anywhere


def allocates(node: Node) -> bool:
    """Whether a call gives fresh memory."""
    return node.kind == "CALL_EXPR" and (node.name in ALLOCATORS or node.name == "realloc")
