"""Touches of memory by their places: elements, scalars, whole arrays, any memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import field

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.effects import CallEffects, pointer_roots
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.facts import size_expressions
from s2s.frontends.c.fixed_places import subscripted_member
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.touch import OUTPUT, WORLD, Escape, Touch
from s2s.scop.nodes import LoopVariable
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass


@dataclass
class MemoryTouches:
    """What is collected of the statements of one region.

    ``exposed`` holds the scalars that the current leaf may read before it has set them, ``reasons``
    what made an access or a call conservative.
    """

    affine: Affine
    calls: CallEffects
    assigned: dict[Decl, int]
    variable_for: Callable[[Decl, bool], LoopVariable]
    settled: Callable[[Decl, int], bool]
    """Whether a variable keeps its value from a place in the text on."""
    escaped: Set[Decl]
    """Variables that calls and pointers may set: their values are not followed."""
    origin: Callable[[Decl], Decl]
    """The pointer that a pointer is a copy of."""
    choose: Callable[[Node, str, Context], None]
    """Told of each condition that is affine, with its formula."""
    touches: list[Touch] = field(default_factory=list)
    exposed: set[Decl] = field(default_factory=set)
    written: set[Decl] = field(default_factory=set)
    defined: set[Decl] = field(default_factory=set)
    reasons: list[tuple[Node, str]] = field(default_factory=list)
    indirect: list[tuple[Node, Decl, Node]] = field(default_factory=list)
    """References whose subscripts are not affine: the reference, its array, the subscript."""
    commutes: str | None = None
    reductions: frozenset[Decl] = frozenset()
    """Variables of reduction clauses around: their updates are not ordered."""

    def _path(self, path: Path, node: Node, context: Context, *, write: bool) -> None:
        root = path.root
        assert root is not None
        if any(known is root for known in context.decls) and not path.steps:
            if write:
                raise Escape(node, "loop variable is set in the body")
            return
        if not path.steps and not path.key and root.type.scalar:
            self._scalar(root, node, context, write=write)
            return
        if node.type.kind == "array" and not write:
            return  # decays to its address
        subscripts, sizes = self._subscripts(path, context)
        self.indirect += [
            (node, root, step.index) for step, value in zip(path.steps, subscripts, strict=True)
            if value is None and step.index is not None
        ]  # fmt: skip
        kind = node.type.kind
        whole = path.union or kind == "union" or (kind == "record" and not path.steps)
        chosen = self.affine.chosen
        if not whole:
            context = chosen.around([v for v in subscripts if v is not None], context)
            subscripts = tuple(None if v is None else chosen.shown(v) for v in subscripts)
        self.touches.append(
            Touch(
                self.origin(root), path.key, None if whole else subscripts,
                tuple(s.through_pointer for s in path.steps), sizes, node.type, write,
                context, node.span, path.union,
                "reduction" if root in self.reductions else self.commutes,
                root if self.origin(root) is not root else None, node.in_macro,
                subscripted_member(node),
            )
        )  # fmt: skip

    def _scalar(self, decl: Decl, node: Node, context: Context, *, write: bool) -> None:
        if write:
            self._scalar_written(decl, context)
        elif decl not in self.defined:
            self.exposed.add(decl)
        self.touches.append(self._plain(decl, node, context, write=write))

    def _scalar_written(self, decl: Decl, context: Context) -> None:
        self.written.add(decl)
        self.defined.add(decl)

    def _plain(self, decl: Decl, node: Node, context: Context, *, write: bool) -> Touch:
        commutes = "reduction" if decl in self.reductions else self.commutes
        return Touch(decl, "", (), (), (), decl.type, write, context, node.span,
                     commutes=commutes, in_macro=node.in_macro)  # fmt: skip

    def _subscripts(
        self, path: Path, context: Context
    ) -> tuple[tuple[Polynomial | None, ...], tuple[str | None, ...]]:
        values: list[Polynomial | None] = []
        sizes: list[str | None] = []
        variable_sizes = self._variable_sizes(path)
        for step in path.steps:
            if step.index is None:
                values.append(Polynomial.integer(0))
            else:
                values.append(self.affine.subscript(step.index, context))
            if step.through_pointer or step.array_type is None:
                sizes.append(None)
            elif step.array_type.count is not None:
                sizes.append(str(step.array_type.count))
            else:
                sizes.append(variable_sizes.get(_unqualified(step.array_type)))
        return tuple(values), tuple(sizes)

    def _variable_sizes(self, path: Path) -> dict[str, str]:
        """Sizes of the root's variable-length dimensions, by the spelling of the array type."""
        root = path.root
        if root is None or root.node is None or "." in path.key:
            return {}
        expressions = size_expressions(root.node)
        types = []
        current: CType | None = root.type
        while current is not None and current.kind in ("pointer", "array"):
            if current.kind == "array" and current.count is None:
                types.append(_unqualified(current))
            current = current.element
        sizes: dict[str, str] = {}
        for spelling, expression in zip(types, expressions, strict=False):
            if not self._keeps_value(expression, root.node.span.start):
                continue
            value = self.affine.polynomial(expression, Context())
            if value is not None and value.is_affine:
                sizes[spelling] = value.isl()
        return sizes

    def _keeps_value(self, size: Node, declared: int) -> bool:
        """Whether a size still is what it was when the array's type was declared."""
        if any(n.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") for n in size.walk()):
            return False
        return all(
            n.decl is not None and (n.value is not None or self.settled(n.decl, declared))
            for n in size.walk()
            if n.kind == "DECL_REF_EXPR"
        )

    # -- memory that is touched as a whole ----------------------------------------------------

    def _behind(self, node: Node, context: Context, *, write: bool) -> None:
        """The memory that a pointer argument leads to, all of it."""
        if node.type.kind not in ("pointer", "array"):
            return
        roots = pointer_roots(node)
        if roots is None or len(roots) != 1:
            if roots is None or roots:
                self._world(node, context, write=write)
            return
        (root,) = roots
        deep = node.type.element is not None and node.type.element.innermost().kind in (
            "pointer", "record", "union", "void", "other")  # fmt: skip
        if deep:
            self._world(node, context, write=write)
            return
        direct = (node.kind == "UNARY_OPERATOR" and node.op == "&") or root.type.kind == "array"
        path = resolve(node.children[0] if node.op == "&" and node.children else node)
        if path is not None and path.root is root and path.steps and not direct:
            key = path.key + ("*" if node.type.kind == "pointer" else "")
            self._whole(root, key, node, context, write=write, pointers=path.pointer_depth + 1)
        elif direct:
            key = path.key if path is not None else ""
            pointers = path.pointer_depth if path is not None else 0
            self._whole(root, key, node, context, write=write, pointers=pointers)
        else:
            self._whole(root, "*", node, context, write=write, pointers=1)

    def _whole(
        self, root: Decl, key: str, node: Node, context: Context, *, write: bool, pointers: int = 0
    ) -> None:
        root = self.origin(root) if key else root
        type_ = root.type
        if root.type.scalar and not key:
            if not write and root not in self.defined:
                self.exposed.add(root)
            self.touches.append(self._plain(root, node, context.maybe(), write=write))
            return
        element = node.type.element if node.type.element is not None else type_
        self.touches.append(
            Touch(root, key, None, (True,) * pointers, (), element.innermost(), write,
                  context.maybe(), node.span, commutes=self.commutes)
        )  # fmt: skip

    def _world(self, node: Node, context: Context, *, write: bool) -> None:
        for mode in {False, write}:
            self.touches.append(
                Touch(None, WORLD, None, (), (), node.type, mode, context.maybe(), node.span)
            )

    def _world_of(self, path: Path, node: Node, context: Context, *, write: bool) -> None:
        """An access through a pointer of unknown origin."""
        self.reasons.append((node, "access through a pointer of unknown origin"))
        self.touches.append(
            Touch(None, WORLD, None, (), (), path.type, write, context.maybe(), node.span)
        )

    def _output(self, node: Node, context: Context) -> None:
        self.touches.append(
            Touch(None, OUTPUT, None, (), (), node.type, True, context.maybe(), node.span)
        )


def _unqualified(type_: CType) -> str:
    """The spelling of an array's type; where it is ``const``, not all nodes say so."""
    return re.sub(r"\bconst\s+", "", type_.spelling)
