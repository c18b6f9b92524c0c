"""R2: no dependences but those of reductions, so that loops may be reordered freely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl

from s2s.analyses.conformability.verdicts import Verdict
from s2s.scop.expressions import Binary, Cast, Expr, Load, walk
from s2s.scop.nodes import Access, Loop, Scop, Statement, Tree
from s2s.scop.trees import paths

_COMMUTE = {"add", "mul", "max", "min", "and", "or", "band", "bor", "bxor"}
_KINDS = {"flow": 0, "output": 1, "anti": 2}
_TEXTS = {"+", "-", "*", "&", "|", "^"}


def judge_dependences(scop: Scop) -> Verdict:
    """Whether all pairs of iterations that share memory are steps of one reduction."""
    reduced: list[str] = []
    for kind, first, second, array in sorted(_conflicts(scop), key=lambda one: _KINDS[one[0]]):
        where = second[1].span if second[1].span.end > second[1].span.start else second[0].span
        same = first[0] is second[0] and is_update(first[0], array)
        if same:
            reduced += [array] if array not in reduced else []
            continue
        said = f"{kind} dependence through '{array}' between iterations that is no reduction's"
        return Verdict("R2", False, said, where)
    at = scop.statements[0].span
    if not reduced:
        return Verdict("R2", True, "no dependences between iterations", at)
    names = ", ".join(f"'{name}'" for name in reduced)
    return Verdict("R2", True, f"only the dependences of the reduction into {names}", at)


def is_update(statement: Statement, array: str) -> bool:
    """Whether a statement combines an element of an array with a value that is free of the array.

    The operation is one whose order does not matter: of floats, up to rounding.
    """
    touched = [access for access in statement.accesses if access.array == array]
    writes = [access for access in touched if access.write]
    reads = [access for access in touched if not access.write]
    if len(writes) != 1 or not reads:
        return False
    if not all(read.relation.is_equal(writes[0].relation) for read in reads):
        return False
    store = statement.expression
    if store is None:
        known = statement.assignment
        return known is not None and known.operation in _TEXTS and _is_once(reads)
    value = store.values[0]
    return any(_combines(value, store.tensor, op) for op in _COMMUTE)


def _is_once(reads: Sequence[Access]) -> bool:
    """Whether an element is read in one place of the text, that of a compound assignment."""
    return len(reads) == 1 and not reads[0].also


def _combines(value: Expr, tensor: str, op: str) -> bool:
    """Whether a value is ``element op rest``, or ``(element op rest) op rest`` and so on."""
    if isinstance(value, Cast) and _keeps(value, op):
        return _combines(value.value, tensor, op)
    if isinstance(value, Load):
        return value.tensor == tensor
    if not isinstance(value, Binary):
        return False
    if value.op == "sub" and op == "add":
        return not _reads(value.right, tensor) and _combines(value.left, tensor, op)
    if value.op != op:
        return False
    left, right = _reads(value.left, tensor), _reads(value.right, tensor)
    if left and right:
        return False
    return _combines(value.left if left else value.right, tensor, op)


def _keeps(cast: Cast, op: str) -> bool:
    """Whether a conversion at each step leaves what the steps give in another order.

    Sums and products are the same up to multiples of what is cut off; extremes are not.
    """
    inner, outer = cast.value.type, cast.type
    if not (inner.is_integer and outer.is_integer):
        return False
    if op not in ("max", "min") or outer == inner:
        return True
    if outer.bits > inner.bits and (outer.code == inner.code or outer.code == "int"):
        return True
    value = cast.value  # an extreme of values that had the type before: nothing is cut off
    return isinstance(value, Binary) and all(
        isinstance(side, Cast) and side.value.type == outer for side in (value.left, value.right)
    )


def _reads(value: Expr, tensor: str) -> bool:
    return any(isinstance(node, Load) and node.tensor == tensor for node in walk(value))


def _conflicts(
    scop: Scop,
) -> Iterator[tuple[str, tuple[Statement, Access], tuple[Statement, Access], str]]:
    """Pairs of accesses that iterations in this order make to one element, one of them a write."""
    touching = [(s, access) for s in scop.statements for access in s.accesses]
    loops = {
        name: [node for node in above if isinstance(node, Loop)]
        for name, above in paths(scop.tree).items()
    }
    times = {s.name: s.schedule.intersect_domain(s.domain) for s in scop.statements}
    for left, a in touching:
        for right, b in touching:
            if a.array != b.array or not (a.write or b.write):
                continue
            pairs = a.relation.apply_range(b.relation.reverse())
            pairs = pairs.intersect(times[left.name].lex_lt_map(times[right.name]))
            pairs = pairs.subtract(_same_iteration(pairs, _shared(loops, left, right)))
            if not pairs.intersect_params(scop.context).is_empty():
                kind = "output" if a.write and b.write else "flow" if a.write else "anti"
                yield kind, (left, a), (right, b), a.array


def _shared(loops: Mapping[str, Sequence[Tree]], left: Statement, right: Statement) -> int:
    """How many loops are around both statements."""
    return sum(a is b for a, b in zip(loops[left.name], loops[right.name], strict=False))


def _same_iteration(pairs: isl.Map, depth: int) -> isl.Map:
    """Pairs in one iteration of the outermost loops."""
    same = isl.Map.universe(pairs.get_space())
    for k in range(depth):
        same = same.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
    return same
