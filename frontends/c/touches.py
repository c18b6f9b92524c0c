"""What a piece of C touches: one ``Touch`` for each read or write of memory, with subscripts."""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.effects import UNMODELLED, is_plain_construction
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.facts import initializer, size_expressions
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.leaving import leaves_early, leaves_loop
from s2s.frontends.c.loop_range import loop_context, loop_header
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.memory_touches import MemoryTouches
from s2s.frontends.c.side_values import SideValues
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.c.touch import THREAD_LOCAL, Escape
from s2s.source.records import dataclass


@dataclass
class Collector(MemoryTouches):
    """Collects touches of statements of one region."""

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
        sides = SideValues(self.affine, node, context)
        for position, branch in enumerate(branches):
            if formula is None:
                inner = context.maybe()
            else:
                inner = context.under(formula if position == 0 else f"not ({formula})")
            self.defined = set(before)
            sides.begin()
            self.statement(branch, inner)
            sides.end()
            after.append(self.defined)
        self.defined = after[0] & after[1] if len(after) == 2 else before
        sides.join()

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
            self._forget_after(branch)
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
            raise Escape(node, THREAD_LOCAL)
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


def _escape_reason(kind: str) -> str:
    return {
        "RETURN_STMT": "the region is left by return",
        "GOTO_STMT": "goto",
        "LABEL_STMT": "a label",
        "CXX_NEW_EXPR": "memory is allocated",
        "CXX_DELETE_EXPR": "memory is freed",
        "LAMBDA_EXPR": "a lambda",
    }.get(kind, f"{kind.lower().replace('_', ' ')} is not modelled")
