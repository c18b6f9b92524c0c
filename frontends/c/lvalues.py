"""Where an lvalue expression leads: a root variable, fields, and subscripts."""

from __future__ import annotations

from functools import cached_property

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.source.records import dataclass

_CASTS = frozenset(
    {"CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_CONST_CAST_EXPR"}
)


@dataclass(frozen=True)
class Step:
    """One subscript. ``size`` is the dimension's CType count where the type gives it.

    ``through_pointer`` subscripts follow a pointer to other memory; the rest stay in one object.
    ``index`` is None for ``*p`` and ``p->f``, which select element 0.
    """

    index: Node | None
    through_pointer: bool
    array_type: CType | None = None


@dataclass(frozen=True)
class Path:
    """An lvalue: ``root`` is None where the expression does not start at a variable.

    ``key`` spells the kinds of steps (``*`` for a followed pointer, ``.f`` for a field): two paths
    with the same root and key select elements of the same array by their subscripts. ``union``:
    fields share bytes, as those of a union do, and bit-fields, whose neighbours are stored too.
    """

    root: Decl | None
    key: str
    steps: tuple[Step, ...]
    type: CType
    node: Node
    union: bool = False

    @cached_property
    def pointer_depth(self) -> int:
        return sum(step.through_pointer for step in self.steps)


def resolve(node: Node) -> Path | None:
    """The path of an lvalue expression; None for an expression that is no lvalue.

    Kept by the node: a region is lifted in several forms, loop by loop.
    """
    if not node._resolved:
        node._path, node._resolved = _find(node), True
    path: Path | None = node._path
    return path


def _find(node: Node) -> Path | None:
    kind = node.kind
    if kind == "DECL_REF_EXPR":
        return _root(node)
    if kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        if base.type.kind == "int" and index.type.kind in ("pointer", "array"):
            base, index = index, base
        return _subscript(base, index, node)
    if kind == "UNARY_OPERATOR" and node.op == "*":
        return _dereference(node.children[0], node)
    if kind == "MEMBER_REF_EXPR":
        return _member(node)
    return None


def _root(node: Node) -> Path | None:
    if node.decl is None or node.decl.kind not in ("VAR_DECL", "PARM_DECL"):
        return None
    path = Path(node.decl, "", (), node.type, node, node.type.kind == "union")
    if node.decl.type.reference:
        return Path(node.decl, "*", (Step(None, True),), node.type, node)
    return path


def _unknown(node: Node) -> Path:
    return Path(None, "?", (), node.type, node)


def _subscript(base: Node, index: Node, node: Node) -> Path:
    inner = resolve(base)
    if inner is None or inner.root is None:
        return _unknown(node)
    pointer = base.type.kind != "array"
    step = Step(index, pointer, None if pointer else base.type)
    key = inner.key + ("*" if pointer else "")
    return Path(inner.root, key, (*inner.steps, step), node.type, node, inner.union)


def _dereference(operand: Node, node: Node) -> Path:
    if operand.kind == "BINARY_OPERATOR" and operand.op == "+":
        left, right = operand.children
        if left.type.kind == "int":
            left, right = right, left
        if left.type.kind in ("pointer", "array") and right.type.kind == "int":
            return _subscript(left, right, node)
    inner = resolve(operand)
    if inner is None or inner.root is None:
        return _unknown(node)
    pointer = operand.type.kind != "array"
    step = Step(None, pointer, None if pointer else operand.type)
    return Path(
        inner.root,
        inner.key + ("*" if pointer else ""),
        (*inner.steps, step),
        node.type,
        node,
        inner.union,
    )


def _member(node: Node) -> Path:
    if not node.children:
        return _unknown(node)
    base = node.children[0]
    inner = resolve(base)
    if inner is None or inner.root is None:
        return _unknown(node)
    steps, key = inner.steps, inner.key
    record = base.type
    if base.type.kind == "pointer":
        steps, key = (*steps, Step(None, True)), key + "*"
        record = base.type.element or base.type
    union = inner.union or record.kind == "union" or _is_bit_field(node)
    if inner.union:
        return Path(inner.root, inner.key, inner.steps, node.type, node, True)
    key = key if union else f"{key}.{node.name}"
    return Path(inner.root, key, steps, node.type, node, union)


def _is_bit_field(member: Node) -> bool:
    cursor = member.decl.cursor if member.decl is not None else None
    return cursor is not None and bool(cursor.is_bitfield())
