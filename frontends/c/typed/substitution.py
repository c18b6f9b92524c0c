"""Induction variables and local pointers written out, so that subscripts are affine in the loops.

``for (i...) { for (k...) s += *p++ * w[k]; *out++ = s; }`` becomes
``for (i...) { for (k...) s += a[i * 8 + k] * w[k]; out0[i] = s; }``: a pointer that is set, or
moved by constants, stands for an array and a place in it (Allen and Kennedy, "Optimizing
Compilers for Modern Architectures", section 5.5). Only for reading: no text is made of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from s2s.frontends.c.counted_loops import CountedLoop, counted_loop
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import CASTS, INCREMENTS, CType, Decl, Node
from s2s.frontends.c.typed.addresses import Pointer, plain_name, roots_of, rows_of
from s2s.frontends.c.typed.desugar import AT_LEAST_ONCE
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.nodes import element, minus, number, plus, reference, times
from s2s.frontends.c.typed.walkers import Moves, Steps, is_walker
from s2s.source import Span

_READING = frozenset({"ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "MEMBER_REF_EXPR"})


class Substitution:
    """Rewrites a function's statements; all methods raise NotATensorNest.

    ``known`` are the variables that are written out, ``fixed`` what others are declared with that
    are not set again, ``changing`` those that are set after their declaration or count loops.
    """

    def __init__(
        self, known: set[Decl], fixed: Mapping[Decl, Node], changing: Collection[Decl],
        numbers: Mapping[str, int],
    ) -> None:  # fmt: skip
        self.known, self.fixed, self.changing, self.numbers = known, fixed, changing, numbers
        self.pointers: dict[Decl, Pointer] = {}
        self.values: dict[Decl, Node] = {}
        self.walked: set[Decl] = set()
        """Arrays to whose elements there are pointers."""
        self._moves = Moves(known, self.constant, self._count)
        self._around: list[Decl] = []

    def begin(self, decl: Decl, at: Span) -> None:
        """A parameter begins where the caller says."""
        if decl.type.kind == "pointer":
            self.pointers[decl] = Pointer(reference(decl, at))

    # ---- statements

    def sequence(self, nodes: Sequence[Node]) -> list[Node]:
        """Statements in a row, without those that only set what is written out."""
        return [made for node in nodes for made in self._statement(node)]

    def _statement(self, node: Node) -> list[Node]:
        decl = is_walker(node, self.known)
        if decl is not None:
            step = self._moves.step(node)
            if step is None:
                self._set(decl, node.children[1])
            else:
                self._move(node, decl, step)
            return []
        match node.kind:
            case "COMPOUND_STMT":
                return [node.with_children(self.sequence(node.children))]
            case "DECL_STMT":
                kept = [made for child in node.children for made in self._declared(child)]
                return [node.with_children(kept)] if kept else []
            case "FOR_STMT" if len(node.children) == 4:
                return [self._loop(node)]
            case "IF_STMT":
                self._moves.check_still(node)
                test, *branches = node.children
                return [node.with_children([self.value(test), *map(self._one, branches)])]
            case "BINARY_OPERATOR" if node.op == ",":
                return self.sequence(node.children)
            case "WHILE_STMT" | "DO_STMT" | "FOR_STMT":
                raise NotATensorNest(node.span, "a loop without a number of iterations")
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                if any(is_walker(below, self.known) for below in node.children[0].walk()):
                    raise NotATensorNest(node.children[0].span, "a step in what is changed")
        return [self.value(node)]

    def _one(self, node: Node) -> Node:
        """A statement in place of one."""
        made = self._statement(node)
        if len(made) == 1:
            return made[0]
        return Node("COMPOUND_STMT", node.span, node.type, made)

    def _declared(self, node: Node) -> list[Node]:
        if node.decl not in self.known or node.decl is None:
            return [node.with_children([self.value(child) for child in node.children])]
        self.pointers.pop(node.decl, None)
        self.values.pop(node.decl, None)
        values = [child for child in node.children if not child.kind.endswith("_REF")]
        if node.children and (values or node.children[-1].kind == "DECL_REF_EXPR"):
            self._set(node.decl, node.children[-1])
        return []

    def _loop(self, node: Node) -> Node:
        loop = _counted(node)
        if node.name == AT_LEAST_ONCE and not self._count(node):
            raise NotATensorNest(node.span, "a loop whose body runs before its test fails")
        steps = self._moves.of(loop.body)
        head = [self.value(part) for part in node.children[:3]]
        pointers, values = dict(self.pointers), dict(self.values)
        if any(steps.values()):
            self._count(node)
        self._enter(loop, steps)
        self._around.append(loop.variable)
        body = self._one(loop.body)
        self._around.pop()
        self.pointers, self.values = pointers, values
        for decl, step in steps.items():
            if step is None:
                self._forget(decl)
            elif step:
                self._shift(decl, number(step * self._count(node), node.span))
        return node.with_children([*head, body])

    def _enter(self, loop: CountedLoop, steps: Steps) -> None:
        """Makes each variable what it is in an iteration."""
        span = loop.first.span
        width = loop.constant_step
        here = reference(loop.variable, span)
        first = self.value(loop.first)
        done = minus(here, first) if width > 0 else minus(first, here)
        for decl, step in steps.items():
            if step is None:
                self._forget(decl)
            elif step % abs(width):
                text = f"'{decl.name}' moves in a loop that steps by {abs(width)}"
                raise NotATensorNest(loop.increment.span, text)
            elif step:
                self._shift(decl, times(done, step // abs(width)))

    def _count(self, node: Node) -> int:
        """The iterations of a loop."""
        loop = _counted(node)
        try:
            step, bound = loop.constant_step, loop.bound
        except NotAffine as error:
            raise NotATensorNest(error.node.span, "a loop whose step is no number") from None
        if bound is None:
            raise NotATensorNest(
                loop.condition.span, "a loop whose end is no bound of its variable"
            )
        first, last = self.constant(loop.first), self.constant(bound.limit)
        if first is None or last is None:
            text = "a pointer moves, or the body comes first, in a loop whose bound is no number"
            raise NotATensorNest(bound.limit.span, text)
        distance, width = (last - first) * (1 if step > 0 else -1), abs(step)
        if bound.relation == "!=":
            if distance < 0 or distance % width:
                raise NotATensorNest(node.span, "a loop that steps over its end")
            return distance // width
        if bound.relation[0] != ("<" if step > 0 else ">"):
            raise NotATensorNest(node.span, "a loop that runs away from its end")
        return max(0, -(-(distance + (len(bound.relation) == 2)) // width))

    def constant(self, node: Node) -> int | None:
        """The number that an expression is, fixed variables included."""
        return constant_value(self._with_fixed(node))

    def _with_fixed(self, node: Node) -> Node:
        if node.kind == "DECL_REF_EXPR" and node.decl in self.fixed and node.decl is not None:
            return self._with_fixed(self.fixed[node.decl])
        return node.with_children([self._with_fixed(child) for child in node.children])

    # ---- what variables are

    def _set(self, decl: Decl, value: Node) -> None:
        if decl.type.kind == "pointer":
            found = self._address(value)
            if decl.type.element is not None:
                found = self._converted(found, decl.type.element, value)
            self._check_lasting(value, found.base)
            if found.offset is not None:
                self._check_indices(value, found.offset)
            self._forget(decl)
            self.pointers[decl] = found
            if found.target is not None and found.target.kind != "array":
                self.walked |= roots_of(found.base)
        else:
            made = self.value(value)
            self._check_indices(value, made)
            self._forget(decl)
            self.values[decl] = made

    def _check_lasting(self, where: Node, value: Node) -> None:
        """Raises where a value may be another one when it is used."""
        root = value
        while root.kind == "ARRAY_SUBSCRIPT_EXPR":
            self._check_indices(where, root.children[1])
            root = root.children[0]
        if root.type.kind in ("pointer", "array") and root.kind == "DECL_REF_EXPR":
            if root.decl in self.changing and root.decl not in self.known:
                raise NotATensorNest(where.span, f"'{root.name}' is set while the function runs")
            return
        self._check_indices(where, root)

    def _check_indices(self, where: Node, value: Node) -> None:
        for below in value.walk():
            decl = below.decl if below.kind == "DECL_REF_EXPR" else None
            if decl is not None and decl in self.changing and decl not in self._around:
                raise NotATensorNest(where.span, f"what depends on '{decl.name}', which changes")
            if below.kind in _READING or (below.op == "*" and len(below.children) == 1):
                raise NotATensorNest(where.span, "a pointer or index that is read from memory")

    def _move(self, node: Node, decl: Decl, step: int) -> None:
        if decl not in self.pointers and decl not in self.values:
            raise NotATensorNest(node.span, f"'{decl.name}' moves, but from nowhere")
        self._shift(decl, number(step, node.span))

    def _shift(self, decl: Decl, by: Node | None) -> None:
        if decl in self.pointers:
            self.pointers[decl] = self.pointers[decl].moved(by)
        elif decl in self.values and (value := plus(self.values[decl], by)) is not None:
            self.values[decl] = value

    def _forget(self, decl: Decl) -> None:
        self.pointers.pop(decl, None)
        self.values.pop(decl, None)

    # ---- expressions

    def value(self, node: Node) -> Node:
        """An expression with what is written out."""
        decl = is_walker(node, self.known)
        if decl is not None and node.op in INCREMENTS:
            before = self._read(node, decl)
            self._move(node, decl, 1 if node.op.endswith("++") else -1)
            return before if node.op.startswith("post") else self._read(node, decl)
        if node.kind == "DECL_REF_EXPR" and node.decl in self.known and node.decl is not None:
            return self._read(node, node.decl)
        subscripted = node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2
        followed = node.kind == "UNARY_OPERATOR" and node.op == "*"
        summed = followed and node.children[0].kind == "BINARY_OPERATOR"
        if node.type.kind != "array" and (
            summed or ((subscripted or followed) and self._is_led(node))
        ):
            return self._lvalue(node).place()
        if node.kind == "CONDITIONAL_OPERATOR":
            self._moves.check_still(node)
        return node.with_children([self.value(child) for child in node.children])

    def _read(self, node: Node, decl: Decl) -> Node:
        if decl in self.values:
            return self.values[decl]
        if decl not in self.pointers:
            if decl.type.kind != "pointer":
                raise NotATensorNest(node.span, f"the value of '{decl.name}' is not known here")
            raise NotATensorNest(node.span, f"where '{decl.name}' points to is not known here")
        found = self.pointers[decl]
        if found.offset is None:
            return found.base
        parts = [found.base, found.offset]
        return Node("BINARY_OPERATOR", node.span, decl.type, parts, op="+")

    def _is_led(self, node: Node) -> bool:
        """Whether a place is reached through what is written out, or through a conversion."""
        while True:
            if node.kind in CASTS and node.type.kind == "pointer":
                return True
            if node.decl in self.known and node.decl is not None:
                return True
            sides = [c for c in node.children if c.type.kind in ("pointer", "array")]
            if node.kind == "UNARY_OPERATOR" and node.op == "&":
                sides = node.children
            if len(sides) != 1 or node.kind in ("CALL_EXPR", "MEMBER_REF_EXPR"):
                return False
            (node,) = sides

    def _lvalue(self, node: Node) -> Pointer:
        """The address of what stands there, an element or an array."""
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = node.children
            if base.type.kind == "int":
                base, index = index, base
            return self._address(base).moved(self.value(index))
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return self._address(node.children[0])
        raise NotATensorNest(node.span, "a construct that is no part of a loop nest over arrays")

    def _address(self, node: Node) -> Pointer:
        """The value of an expression that is a pointer, or an array that becomes one."""
        decl = is_walker(node, self.known)
        if decl is not None and node.op in INCREMENTS:
            self._read(node, decl)
            before = self.pointers[decl]
            self._move(node, decl, 1 if node.op.endswith("++") else -1)
            return before if node.op.startswith("post") else self.pointers[decl]
        if node.kind == "DECL_REF_EXPR":
            if node.decl in self.known and node.decl is not None:
                self._read(node, node.decl)
                return self.pointers[node.decl]
            return Pointer(node)
        if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"):
            left, right = node.children
            if left.type.kind == "int" and node.op == "+":
                left, right = right, left
            by = self.value(right)
            if node.op == "-":
                by = Node("UNARY_OPERATOR", by.span, by.type, [by], op="-")
            return self._address(left).moved(by)
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            return self._lvalue(node.children[0])
        if node.kind in CASTS and node.children:
            found, target = self._address(node.children[-1]), node.type.element
            return found if target is None else self._converted(found, target, node)
        if node.kind == "MEMBER_REF_EXPR":
            return Pointer(node)
        if node.type.kind != "array":
            raise NotATensorNest(node.span, "a pointer that is loaded from memory")
        return self._lvalue(node).first()

    def _converted(self, pointer: Pointer, target: CType, node: Node) -> Pointer:
        """An address as a pointer to elements, or to arrays of them."""
        own = pointer.target
        if target.kind == "void" or own is None:
            return pointer
        if plain_name(target.innermost()) != plain_name(own.innermost()):
            raise NotATensorNest(node.span, "a pointer becomes one to another type")
        rows = rows_of(target)
        if rows == rows_of(own):
            return pointer
        if None in rows or None in rows_of(own):
            raise NotATensorNest(node.span, "a pointer becomes one to arrays of unknown extents")
        base, offset = pointer.base, pointer.offset
        while base.type.element is not None and base.type.element.kind == "array":
            offset = times(offset, base.type.element.count or 0)
            base = element(base, None)
        self.walked |= roots_of(base)
        return Pointer(base, offset, target if rows else None)


def _counted(node: Node) -> CountedLoop:
    try:
        loop = counted_loop(node)
        loop.constant_step  # noqa: B018 - raises where there is none
    except NotAffine:
        text = "a loop that does not start with 'variable = value', or has another step"
        raise NotATensorNest(node.children[0].span, text) from None
    return loop
