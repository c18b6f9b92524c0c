"""What a piece of C touches: one ``Touch`` for each read or write of memory, with subscripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

from s2s.frontends.c.affine import Affine, Context, NotAffine
from s2s.frontends.c.effects import UNMODELLED, CallEffects, is_plain_construction, pointer_roots
from s2s.frontends.c.facts import initializer, size_expressions
from s2s.frontends.c.fixed_places import subscripted_member
from s2s.frontends.c.loop_range import loop_context, loop_header
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, CType, Decl, Node
from s2s.scop.nodes import LoopVariable
from s2s.scop.polynomial import Polynomial
from s2s.source import Span

WORLD = "?world"
OUTPUT = "?output"
SPELLINGS = {WORLD: "any memory", OUTPUT: "the program's output"}


@dataclass(frozen=True)
class Touch:
    """A read or write of ``key`` (root variable and path).

    ``subscripts`` are None one by one where not polynomial; ``subscripts is None`` means that the
    whole array may be touched. ``context`` gives the iterators that subscripts use.
    """

    root: Decl | None
    key: str
    subscripts: tuple[Polynomial | None, ...] | None
    pointers: tuple[bool, ...]
    sizes: tuple[str | None, ...]
    type: CType
    write: bool
    context: Context
    span: Span
    union: bool = False
    commutes: str | None = None
    via: Decl | None = None
    """The copy of the root pointer that the text names."""
    in_macro: bool = False
    """Whether the span is that of a macro around the expression."""
    member: Node | None = None
    """The member that all subscripts follow: ``p->a`` of ``p->a[i][j]``."""

    @property
    def is_scalar(self) -> bool:
        """Whether this is a scalar variable as a whole, no field of a record."""
        plain = not self.pointers and not self.key and self.subscripts == ()
        return plain and self.root is not None and self.root.type.scalar


class Escape(Exception):
    """Control leaves a piece of code, or it contains what no model covers."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


@dataclass
class Collector:
    """Collects touches of statements of one region.

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

    # -- statements -------------------------------------------------------------------------

    def statement(self, node: Node, context: Context) -> None:
        """Collect from a statement that is kept whole. Raises Escape when control leaves it."""
        kind = node.kind
        if kind in UNMODELLED or kind in ("GOTO_STMT", "LABEL_STMT", "RETURN_STMT"):
            raise Escape(node, _escape_reason(kind))
        if kind == "FOR_STMT":
            self._for(node, context)
        elif kind in ("WHILE_STMT", "DO_STMT", "SWITCH_STMT", "CXX_FOR_RANGE_STMT"):
            self._loop(node, context)
        elif kind == "IF_STMT":
            self._if(node, context)
        elif kind == "DECL_STMT":
            for child in node.children:
                self._declaration(child, context)
        elif kind in ("COMPOUND_STMT", "CASE_STMT", "DEFAULT_STMT"):
            for child in node.children:
                self.statement(child, context)
        elif kind in ("NULL_STMT", "BREAK_STMT", "CONTINUE_STMT"):
            return
        else:
            self.value(node, context)

    def _declaration(self, node: Node, context: Context) -> None:
        if node.kind not in ("VAR_DECL",):
            if node.kind in ("TYPEDEF_DECL", "STRUCT_DECL", "ENUM_DECL"):
                return
            raise Escape(node, "declaration is not of a variable")
        if node.decl is None or node.decl.is_static or node.decl.type.volatile:
            raise Escape(node, "static or volatile variable")
        for size in size_expressions(node):
            self.value(size, context)
        value = initializer(node)
        if value is None:
            return
        self.value(value, context)
        if node.decl.type.scalar:
            self._scalar_written(node.decl, context)
            self.touches.append(self._plain(node.decl, node, context, write=True))
            self._remember(node.decl, value, context)

    def _if(self, node: Node, context: Context) -> None:
        condition, *branches = node.children
        self.value(condition, context)
        formula = self.affine.formula(condition, context)
        if formula is not None:
            self.choose(node, formula, context)
        before = set(self.defined)
        after: list[set[Decl]] = []
        for position, branch in enumerate(branches):
            if formula is None:
                inner = context.maybe()
            else:
                inner = context.under(formula if position == 0 else f"not ({formula})")
            self.defined = set(before)
            self._forget_after(branch)
            self.statement(branch, inner)
            self._forget_after(branch)
            after.append(self.defined)
        self.defined = after[0] & after[1] if len(after) == 2 else before

    def _forget_after(self, node: Node) -> None:
        """Known values of scalars that a piece of code sets do not hold beyond it."""
        for decl in node.assigned:
            self.affine.values.pop(decl, None)

    def _for(self, node: Node, context: Context) -> None:
        self._forget_after(node)
        try:
            header = loop_header(node, self.affine, context)
            if (
                any(d is header.decl for d in context.decls)
                or header.decl in node.children[3].assigned
            ):
                raise NotAffine(node, "loop variable is set in the body")
            if leaves_loop(node.children[3]):
                raise NotAffine(node, "the loop is left early")
            inner = loop_context(header, self.affine, context, self.variable_for)[0]
            if leaves_early(node.children[3]):
                inner = inner.maybe()
        except NotAffine:
            self._loop(node, context)
            return
        for part in node.children[1:2]:
            self.value(part, replace(inner, certain=False))
        self._scalar_written(header.decl, context)
        self.touches.append(self._plain(header.decl, node, context, write=True))
        before = set(self.defined)
        self.statement(node.children[3], inner)
        self.defined = before
        self._forget_after(node)

    def _loop(self, node: Node, context: Context) -> None:
        """A loop or switch of unknown shape: everything inside may happen, any number of times."""
        self._forget_after(node)
        inner = context.maybe()
        before = set(self.defined)
        for position, child in enumerate(node.children):
            if node.kind == "FOR_STMT" and position == 0 and len(node.children) == 4:
                self.statement(child, context)
                before = set(self.defined)
            else:
                self.statement(child, inner)
        self.defined = before
        self._forget_after(node)

    # -- expressions ------------------------------------------------------------------------

    def value(self, node: Node, context: Context) -> None:
        """An expression evaluated for its value and effects."""
        kind = node.kind
        if kind in UNMODELLED:
            raise Escape(node, _escape_reason(kind))
        if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and node.op in ASSIGNMENTS:
            self._assignment(node, context)
        elif kind == "BINARY_OPERATOR" and node.op in ("&&", "||"):
            self.value(node.children[0], context)
            before = set(self.defined)
            self.value(node.children[1], context.maybe())
            self.defined = before
        elif kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3:
            self._conditional(node, context)
        elif kind == "UNARY_OPERATOR" and node.op in INCREMENTS:
            self.location(node.children[0], context, write=False)
            self.location(node.children[0], context, write=True)
            self._forget_after(node)
        elif kind == "UNARY_OPERATOR" and node.op == "&":
            self._address(node.children[0], context)
        elif kind == "CALL_EXPR":
            self._call(node, context)
        elif kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") or (
            kind == "UNARY_OPERATOR" and node.op == "*"
        ):
            self.location(node, context, write=False)
        elif kind == "StmtExpr":
            for child in node.children:
                self.statement(child, context)
        elif kind == "CXX_UNARY_EXPR":  # sizeof: its operand is not evaluated
            return
        else:
            for child in node.children:
                self.value(child, context)

    def _conditional(self, node: Node, context: Context) -> None:
        condition, *branches = node.children
        self.value(condition, context)
        formula = self.affine.formula(condition, context)
        if formula is not None:
            self.choose(node, formula, context)
        before = set(self.defined)
        for position, branch in enumerate(branches):
            self.defined = set(before)
            if formula is None:
                self.value(branch, context.maybe())
            else:
                self.value(branch, context.under(formula if position == 0 else f"not ({formula})"))
        self.defined = before

    def _assignment(self, node: Node, context: Context) -> None:
        target, source = node.children
        self.value(source, context)
        if node.op != "=":
            self.location(target, context, write=False)
        self.location(target, context, write=True)
        decl = target.decl if target.kind == "DECL_REF_EXPR" else None
        if decl is None:
            return
        self.affine.values.pop(decl, None)
        if node.op == "=":
            self._remember(decl, source, context)

    def _remember(self, decl: Decl, value: Node, context: Context) -> None:
        """Follow the value of a variable that is sure to have been set to it just now."""
        followed = decl.is_local and decl.type.kind == "int" and decl not in self.escaped
        if followed and context.certain and decl.type.size >= value.type.size:
            known = self.affine.polynomial(value, context)
            if known is not None:
                self.affine.values[decl] = known

    def _address(self, node: Node, context: Context) -> None:
        """``&lvalue``: subscripts are evaluated, the element itself is not touched."""
        path = resolve(node)
        if path is None:
            self.value(node, context)
            return
        for step in path.steps:
            if step.index is not None:
                self.value(step.index, context)
        if path.root is not None and path.pointer_depth:
            self.touches.append(self._plain(path.root, node, context, write=False))

    def location(self, node: Node, context: Context, *, write: bool) -> None:
        """A read or write of an lvalue, with the reads of pointers on the way to it."""
        path = resolve(node)
        if path is None:
            if write and node.kind in ("CONDITIONAL_OPERATOR", "CSTYLE_CAST_EXPR"):
                raise Escape(node, "assignment to what is not a plain lvalue")
            self.value_children(node, context)
            return
        if path.type.volatile or (path.root is not None and path.root.type.volatile):
            raise Escape(node, "volatile access")
        if path.root is not None and path.root.thread_local:
            raise Escape(node, "thread-local variable")
        if path.root is None:
            self.value_children(node, context)
            self._world_of(path, node, context, write=write)
            return
        for step in path.steps:
            if step.index is not None:
                self.value(step.index, context)
        self._pointers_on_the_way(path, context)
        self._path(path, node, context, write=write)

    def value_children(self, node: Node, context: Context) -> None:
        for child in node.children:
            self.value(child, context)

    def _pointers_on_the_way(self, path: Path, context: Context) -> None:
        """Loads of the pointers that a path follows: the root, and rows such as ``w[k]``."""
        inner: Path | None = path
        node: Node | None = path.node
        while inner is not None and inner.pointer_depth:
            node = _pointer_operand(node)
            inner = resolve(node) if node is not None else None
            if inner is None or inner.root is None or node is None:
                return
            if inner.type.kind == "pointer" and not (inner.root.type.reference and not inner.steps):
                self._path(inner, node, context, write=False)
                if not inner.pointer_depth:
                    return

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
        whole = path.union or node.type.kind in ("record", "union")
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
                values.append(self.affine.polynomial(step.index, context))
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

    # -- calls ------------------------------------------------------------------------------

    def _call(self, node: Node, context: Context) -> None:
        effects = self.calls.of(node)
        arguments = node.children[1:] if node.children else []
        if is_plain_construction(node):
            for child in node.children:
                self.value(child, context)
            return
        direct = node.decl is None or node.decl.kind == "FUNCTION_DECL"
        if effects.anything or not (direct or self.calls.is_known(node)):
            for child in node.children:
                if (
                    child.kind != "DECL_REF_EXPR"
                    or child.decl is None
                    or child.decl.kind != "FUNCTION_DECL"
                ):
                    self._argument(child, context)
            self.reasons.append((node, f"call to '{node.name}' may write any array"))
            self._world(node, context, write=True)
            self._output(node, context)
            return
        for argument in arguments:
            self._argument(argument, context)
        for touched, write in ((effects.reads, False), (effects.writes, True)):
            for position in sorted(touched):
                if position < len(arguments):
                    self._behind(arguments[position], context, write=write)
        for decls, write in ((effects.global_reads, False), (effects.global_writes, True)):
            for decl in decls:
                self._whole(decl, "", node, context, write=write)
        if effects.output:
            self._output(node, context)

    def _argument(self, node: Node, context: Context) -> None:
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            self._address(node.children[0], context)
        else:
            self.value(node, context)

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


def _pointer_operand(node: Node | None) -> Node | None:
    """The expression whose pointer value an lvalue follows next on the way to its root."""
    while node is not None:
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            base = node.children[0]
            if base.type.kind == "int":
                base = node.children[1]
            if base.type.kind == "pointer":
                return base
            node = base
        elif node.kind == "UNARY_OPERATOR" and node.op == "*":
            base = node.children[0]
            if base.kind == "BINARY_OPERATOR":
                base = next((c for c in base.children if c.type.kind in ("pointer", "array")), base)
            if base.type.kind == "pointer":
                return base
            node = base
        elif node.kind == "MEMBER_REF_EXPR" and node.children:
            base = node.children[0]
            if base.type.kind == "pointer":
                return base
            node = base
        else:
            return None
    return None


_LEAVING = frozenset({"RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT",
                      "BREAK_STMT", "CONTINUE_STMT"})  # fmt: skip


def leaves_loop(body: Node) -> bool:
    """Whether a loop body has a break (of this loop) or a return, goto or label."""
    if _LEAVING.isdisjoint(body.kinds):
        return False
    stack = [(body, True)]
    while stack:
        node, own = stack.pop()
        if node.kind in ("RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"):
            return True
        if node.kind == "BREAK_STMT" and own:
            return True
        inner = own and not node.is_loop and node.kind != "SWITCH_STMT"
        stack.extend((child, inner) for child in node.children)
    return False


def leaves_early(body: Node) -> bool:
    """Whether a loop body has a break or continue of this loop, a return, a goto or a label."""
    if _LEAVING.isdisjoint(body.kinds):
        return False
    stack = [(body, True, True)]
    while stack:
        node, breaks, continues = stack.pop()
        if node.kind in ("RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"):
            return True
        if node.kind == "BREAK_STMT" and breaks:
            return True
        if node.kind == "CONTINUE_STMT" and continues:
            return True
        loop = node.is_loop
        for child in node.children:
            stack.append(
                (child, breaks and not loop and node.kind != "SWITCH_STMT", continues and not loop)
            )
    return False


def _escape_reason(kind: str) -> str:
    return {
        "RETURN_STMT": "the region is left by return",
        "GOTO_STMT": "goto",
        "LABEL_STMT": "a label",
        "CXX_NEW_EXPR": "memory is allocated",
        "CXX_DELETE_EXPR": "memory is freed",
        "LAMBDA_EXPR": "a lambda",
    }.get(kind, f"{kind.lower().replace('_', ' ')} is not modelled")


def _unqualified(type_: CType) -> str:
    """The spelling of an array's type; where it is ``const``, not all nodes say so."""
    return re.sub(r"\bconst\s+", "", type_.spelling)
