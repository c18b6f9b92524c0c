"""What an expression computes: whether it is free of effects, what it loads, and from where."""

from __future__ import annotations

from collections.abc import Iterator, Set

from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.syntax import INCREMENTS, Decl, Node
from s2s.source.records import dataclass

CASTS = frozenset({"IMPLICIT_CAST", "CSTYLE_CAST_EXPR"})
# Calls that compilers turn into an instruction that works on vectors, too.
INLINE = frozenset({"fabs", "fabsf", "__builtin_fabs", "__builtin_fabsf", "abs", "labs"})
_OPERANDS = frozenset(
    {"DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_UNARY_EXPR",
     "ARRAY_SUBSCRIPT_EXPR", "BINARY_OPERATOR", "UNARY_OPERATOR", "CONDITIONAL_OPERATOR",
     "CALL_EXPR", *CASTS}
)  # fmt: skip


@dataclass(frozen=True)
class Index:
    """A subscript ``coefficient * variable + constant``; without a variable it is invariant."""

    variable: Decl | None
    coefficient: int
    constant: int | None


@dataclass(frozen=True)
class ElementRead:
    """An element that an expression reads.

    ``sizes`` are the numbers of elements in each dimension, None behind a pointer. ``guarded``:
    the expression reads it in some cases only. ``deep``: memory says where it is.
    """

    node: Node
    root: Decl
    indices: tuple[Index, ...]
    sizes: tuple[int | None, ...]
    guarded: bool
    deep: bool = False

    @property
    def varies(self) -> bool:
        return any(i.variable is not None for i in self.indices)


def reads_only(node: Node) -> bool:
    """Whether an expression is as ``is_pure`` says, members of structures among its operands."""
    return all(
        is_plain(n)
        or (n.kind == "MEMBER_REF_EXPR" and not n.type.volatile
            and "_Atomic" not in n.type.canonical)
        for n in node.walk()
    )  # fmt: skip


def is_pure(node: Node, calls: Set[str] = INLINE) -> bool:
    """Whether evaluating an expression changes nothing and calls nothing but simple functions."""
    return all(is_plain(n, calls) for n in node.walk())


def is_plain(node: Node, calls: Set[str] = INLINE) -> bool:
    """Whether an operation, its operands apart, changes nothing and calls nothing."""
    if node.type.volatile or (node.decl is not None and node.decl.type.volatile):
        return False
    if node.kind not in _OPERANDS or "_Atomic" in node.type.canonical:
        return False
    if node.kind == "CALL_EXPR":
        return node.name in calls and node.decl is not None and node.decl.is_global
    if node.kind == "DECL_REF_EXPR":
        return node.decl is not None and not node.decl.thread_local
    if node.kind == "UNARY_OPERATOR":
        return node.op in ("+", "-", "!", "~")
    return not node.assigns


def divides_integers(node: Node) -> bool:
    """Whether evaluating an expression may trap."""
    return any(n.op in ("/", "%") and n.type.kind == "int" for n in node.walk())


def variables(node: Node) -> set[Decl]:
    """The variables that an expression names."""
    return {
        n.decl for n in node.walk()
        if n.kind == "DECL_REF_EXPR" and n.decl is not None
        and n.decl.kind in ("VAR_DECL", "PARM_DECL")
    }  # fmt: skip


def loads(node: Node, stepping: Set[Decl], guarded: bool = False) -> Iterator[ElementRead | None]:
    """The elements of arrays that an expression reads; None for one that is not understood.

    Subscripts are in terms of the ``stepping`` variables.
    """
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        yield _load(node, stepping, guarded)
        return
    conditional = node.kind == "CONDITIONAL_OPERATOR" or node.op in ("&&", "||")
    for position, child in enumerate(node.children):
        yield from loads(child, stepping, guarded or (conditional and position > 0))


def row_loads(
    node: Node, stepping: Set[Decl], guarded: bool = False
) -> Iterator[ElementRead | None]:
    """As ``loads``, of members too, and of what is found by elements that do not step."""
    if node.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"):
        path = resolve(node)
        yield None if path is None else _row_load(path, stepping, guarded)
        for step in () if path is None else path.steps:
            if step.index is not None:
                yield from row_loads(step.index, stepping, guarded)
        return
    conditional = node.kind == "CONDITIONAL_OPERATOR" or node.op in ("&&", "||")
    for position, child in enumerate(node.children):
        yield from row_loads(child, stepping, guarded or (conditional and position > 0))


def _row_load(path: Path, stepping: Set[Decl], guarded: bool) -> ElementRead | None:
    """What a path leads to, where only the last subscript steps."""
    if path.root is None or path.union:
        return None
    indices, deep = [], path.pointer_depth > 1
    for step in path.steps:
        index = Index(None, 0, 0) if step.index is None else index_of(step.index, stepping)
        if index is None and step.index is not None and not variables(step.index) & stepping:
            index, deep = Index(None, 0, None), True
        if index is None:
            return None
        indices.append(index)
    if path.node.kind == "MEMBER_REF_EXPR" and any(i.variable is not None for i in indices):
        return None
    sizes = tuple(None if s.array_type is None else s.array_type.count for s in path.steps)
    return ElementRead(path.node, path.root, tuple(indices), sizes, guarded, deep)


def _load(node: Node, stepping: Set[Decl], guarded: bool) -> ElementRead | None:
    path = resolve(node)
    if path is None or path.root is None or path.union or "." in path.key:
        return None
    indices, sizes = [], []
    for step in path.steps:
        index = None if step.index is None else index_of(step.index, stepping)
        if index is None:
            return None
        indices.append(index)
        sizes.append(None if step.array_type is None else step.array_type.count)
    return ElementRead(node, path.root, tuple(indices), tuple(sizes), guarded)


def index_of(node: Node, stepping: Set[Decl]) -> Index | None:
    """A subscript as a linear form of one stepping variable; None for anything else.

    A stepping variable that the subscript itself moves counts as what it was before.
    """
    if node.value is not None:
        return Index(None, 0, node.value)
    if node.kind in CASTS and node.children and node.type.kind == "int":
        return _widened(node, stepping)
    if node.kind == "DECL_REF_EXPR" and node.decl is not None:
        return Index(node.decl, 1, 0) if node.decl in stepping else Index(None, 0, None)
    if node.op in INCREMENTS and node.children[0].decl in stepping:
        return index_of(node.children[0], stepping)
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*"):
        left, right = (index_of(c, stepping) for c in node.children)
        return None if left is None or right is None else _combined(node.op, left, right)
    return None


def _widened(node: Node, stepping: Set[Decl]) -> Index | None:
    """A conversion that keeps the value: of a constant, or of a signed integer to a wider one."""
    inner = index_of(node.children[-1], stepping)
    source = node.children[-1].type
    if inner is None or inner.variable is None:
        return inner
    keeps = node.type.size > source.size or node.type.size == 8
    return inner if keeps and (source.signed or source.size == 8) else None


def _combined(op: str, left: Index, right: Index) -> Index | None:
    if op == "*":
        if left.variable is None and right.variable is None:
            known = left.constant is not None and right.constant is not None
            product = (left.constant or 0) * (right.constant or 0) if known else None
            return Index(None, 0, product)
        scaled, factor = (left, right) if left.variable is not None else (right, left)
        if factor.variable is not None or factor.constant is None:
            return None
        constant = None if scaled.constant is None else scaled.constant * factor.constant
        return Index(scaled.variable, scaled.coefficient * factor.constant, constant)
    if left.variable is not None and right.variable is not None:
        return None
    sign = -1 if op == "-" else 1
    known = left.constant is not None and right.constant is not None
    constant = (left.constant or 0) + sign * (right.constant or 0) if known else None
    if left.variable is not None:
        return Index(left.variable, left.coefficient, constant)
    return Index(right.variable, sign * right.coefficient, constant)


def unit_stride(load: ElementRead, steps: dict[Decl, int]) -> bool:
    """Whether consecutive iterations load neighbouring elements (or always the same one)."""
    if not load.indices:
        return True
    *outer, last = load.indices
    if any(i.variable is not None for i in outer):
        return False
    if last.variable is None:
        return True
    return last.coefficient * steps[last.variable] in (1, -1)


def same(left: Node, right: Node) -> bool:
    """Whether two expressions without effects are the same."""
    left, right = left.bare, right.bare
    if (left.kind, left.op, left.name, left.value, left.decl) != (
        right.kind, right.op, right.name, right.value, right.decl,
    ):  # fmt: skip
        return False
    if left.kind == "FLOATING_LITERAL" or len(left.children) != len(right.children):
        return False
    return all(same(a, b) for a, b in zip(left.children, right.children, strict=True))
