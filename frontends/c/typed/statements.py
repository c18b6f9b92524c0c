"""Statements of C as nodes of a nest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from s2s.frontends.c.syntax import ASSIGNMENTS, Decl, Node
from s2s.frontends.c.typed.arithmetic import INT, binary, compare, type_of
from s2s.frontends.c.typed.choices import chosen
from s2s.frontends.c.typed.desugar import AT_LEAST_ONCE, COUNTS_DOWN
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.expressions import Expressions, about
from s2s.frontends.c.typed.inlining import RESULT, Inliner
from s2s.frontends.c.typed.loops import counted
from s2s.frontends.c.typed.memory import array_tensor, tensor
from s2s.frontends.c.typed.scope import Scope
from s2s.frontends.c.typed.walkers import is_walker
from s2s.scop import nest
from s2s.scop.build import both
from s2s.scop.expressions import Const, Expr, Load, Type, Variable, walk
from s2s.scop.literals import cast
from s2s.scop.nest import Tensor

_ORDER = {"<": "lt", "<=": "le"}


class Statements:
    """Builds the nest of a function's body; all methods raise NotATensorNest.

    ``changing`` are the names that are set after their declaration, ``written`` those of arrays
    that are stored to.
    """

    def __init__(self, scope: Scope, changing: set[Decl], written: set[Decl]) -> None:
        self.scope, self.changing, self.written = scope, changing, written
        self.expressions = Expressions(scope)
        self.calls = Inliner(self)
        self.expressions.inlined = self.calls.value

    def sequence(self, nodes: Sequence[Node]) -> nest.Node:
        """Statements one after the other; memory that they declare lives until the last."""
        done: list[nest.Node] = []
        for place, node in enumerate(nodes):
            if node.kind == "DECL_STMT":
                declared: list[Tensor] = []
                first = [n for child in node.children for n in self._declared(child, declared)]
                made, self.calls.made = self.calls.made, []
                if declared or made:
                    rest: nest.Node = nest.Block((*first, self.sequence(nodes[place + 1 :])))
                    for own in reversed(declared):
                        rest = nest.Allocate(own, rest)
                    self.calls.made = made
                    return nest.Block((*done, self.calls.around(rest)))
            elif node.kind == "RETURN_STMT" and place == len(nodes) - 1:
                self._check_returned(node)
            else:
                done.append(self.statement(node))
        return nest.Block(tuple(done))

    def _check_returned(self, node: Node) -> None:
        for child in node.children:
            if not isinstance(self.expressions.value(child), Const):
                raise NotATensorNest(node.span, "a value that is returned")

    def statement(self, node: Node) -> nest.Node:
        """One statement, after the calls whose results it uses."""
        outer, self.calls.made = self.calls.made, []
        found = self.calls.around(self._statement(node))
        self.calls.made = outer
        return found

    def _statement(self, node: Node) -> nest.Node:
        decl = is_walker(node, self.scope.walking)
        if decl is not None:
            self._walk(node, decl)
            return nest.Block(())
        match node.kind:
            case "COMPOUND_STMT":
                return self.sequence(node.children)
            case "NULL_STMT":
                return nest.Block(())
            case "FOR_STMT":
                return self._loop(node)
            case "IF_STMT":
                return self._branch(node)
            case "BINARY_OPERATOR" if node.op == "=":
                return self._store(node, self._assigned(node))
            case "BINARY_OPERATOR" if node.op == ",":
                return nest.Block(tuple(self.statement(child) for child in node.children))
            case "COMPOUND_ASSIGNMENT_OPERATOR" if node.op in ASSIGNMENTS:
                return self._compound(node)
            case "UNARY_OPERATOR" if node.op.removeprefix("post") in ("++", "--"):
                return self._increment(node)
            case "CALL_EXPR" if node.decl is not None:
                definition = self.scope.definition(node.decl)
                if definition is not None:
                    return self.calls.statement(node, definition)
            case "CSTYLE_CAST_EXPR" if node.type.kind == "void":
                return nest.Block(())  # (void)x
            case kind if kind == RESULT:
                return self.calls.end(node)
        raise NotATensorNest(node.span, about(node))

    def _walk(self, node: Node, decl: Decl) -> None:
        """A statement that only moves or sets a walking variable."""
        by = self.expressions.walk.step(node)
        if by is not None:
            self.expressions.walk.move(node, decl, by)
        else:
            self._set(decl, node.children[1])

    def _set(self, decl: Decl, value: Node) -> None:
        type_ = type_of(decl.type)
        if type_ is None:
            self.point(decl, value)
        else:
            self.scope.values[decl] = cast(type_, self.expressions.value(value))

    def _declared(self, node: Node, declared: list[Tensor]) -> list[nest.Node]:
        """The stores of an initialization; what becomes memory is added to ``declared``."""
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None:
            raise NotATensorNest(node.span, "a declaration of something else than a variable")
        numbers = self._constants(node, decl)
        if numbers is not None:
            memory = array_tensor(decl, node.span, self.expressions.value)
            name = self.scope.fresh(memory.name)
            table = nest.Tensor(name, memory.types, memory.dimensions, data=numbers)
            self.scope.memory[decl] = table
            self.scope.tables.append(table)
            return []
        if decl.is_static:
            raise NotATensorNest(node.span, f"'{decl.name}' keeps its value between calls")
        first = node.children[-1] if _is_initialized(node) else None
        if decl in self.scope.walking:
            if first is not None:
                self._set(decl, first)
            return []
        if decl.type.kind == "pointer":
            return self._pointer(node, decl, first)
        if decl.type.kind == "array":
            if first is not None and not _is_zero(first):
                raise NotATensorNest(node.span, "an array that is filled where it is declared")
            memory = array_tensor(decl, node.span, self.expressions.value)
        else:
            value = None if first is None else self._initial(node, decl, first)
            if value is not None and self._is_fixed(decl, value):
                self.scope.values[decl] = value
                return []
            memory = tensor(decl.name, self._type(node, decl), ())
        memory = nest.Tensor(self.scope.fresh(memory.name), memory.types, memory.dimensions)
        self.scope.memory[decl] = memory
        declared.append(memory)
        if first is not None and decl.type.kind == "array":
            return [self._zeros(memory, node)]
        if first is None:
            return []
        return [nest.Store(memory.name, (), (self._initial(node, decl, first),), at=node.span)]

    def _constants(self, node: Node, decl: Decl) -> tuple[int, ...] | None:
        """The elements of an array of numbers that nothing writes; None for others."""
        if decl.type.kind != "array" or decl in self.written or not _is_initialized(node):
            return None
        counts, type_ = [], decl.type
        while type_.kind == "array" and type_.element is not None:
            counts.append(type_.count)
            type_ = type_.element
        if None in counts or type_of(type_) is None:
            return None
        return self._filled(node.children[-1], [n or 0 for n in counts])

    def _filled(self, first: Node, counts: Sequence[int]) -> tuple[int, ...] | None:
        """The numbers of an initializer, the missing ones zero; None where one is no constant."""
        if not counts:
            value = None if first.kind == "INIT_LIST_EXPR" else self.expressions.value(first)
            is_number = isinstance(value, Const) and isinstance(value.value, int)
            return (int(value.value),) if is_number and isinstance(value, Const) else None
        if first.kind != "INIT_LIST_EXPR":
            return None
        found: list[int] = []
        nested = all(child.kind == "INIT_LIST_EXPR" for child in first.children)
        for child in first.children:
            values = self._filled(child, counts[1:] if nested else ())
            if values is None:
                return None
            found += values
        missing = prod(counts) - len(found)
        return None if missing < 0 else (*found, *(0,) * missing)

    def _zeros(self, memory: Tensor, node: Node) -> nest.Node:
        """Loops that set all elements of a local array to zero."""
        names = [self.scope.fresh(f"{memory.name}.d{k}") for k in range(len(memory.dimensions))]
        subscripts = tuple(Variable(INT, name) for name in names)
        zero = Const(memory.types[0], 0)
        found: nest.Node = nest.Store(memory.name, subscripts, (zero,), at=node.span)
        for name, dimension in zip(names, memory.dimensions, strict=True):
            found = nest.For(name, Const(INT, 0), dimension.extent, "serial", found, var=name)
        return found

    def _pointer(self, node: Node, decl: Decl, first: Node | None) -> list[nest.Node]:
        if first is None or decl in self.changing:
            raise NotATensorNest(node.span, f"'{decl.name}' is a pointer that moves")
        self.point(decl, first)
        return []

    def point(self, decl: Decl, value: Node) -> None:
        """Makes a pointer lead somewhere, to elements of its own type."""
        address = self.expressions.address(value)
        if decl.type.element is not None:
            address = self.expressions.pointer_to(decl.type.element, address, value)
        if address.is_element:
            self.scope.walked.add(address.tensor.name)
        self.scope.addresses[decl] = address

    def _initial(self, node: Node, decl: Decl, first: Node) -> Expr:
        return cast(self._type(node, decl), self.expressions.value(first))

    def _type(self, node: Node, decl: Decl) -> Type:
        found = type_of(decl.type)
        if found is None:
            raise NotATensorNest(node.span, f"'{decl.name}' is no number")
        return found

    def _is_fixed(self, decl: Decl, value: Expr) -> bool:
        """Whether a name may stand for its first value: nothing of it changes later."""
        memory = {t.name for d, t in self.scope.memory.items() if d in self.written}
        memory |= {t.name for (d, _), t in self.scope.members.items() if d in self.written}
        loads = {e.tensor for e in walk(value) if isinstance(e, Load)}
        return decl not in self.changing and not loads & memory

    def _loop(self, node: Node) -> nest.Node:
        found = counted(node, self.expressions.value, self.scope)
        decl, type_ = found.variable, type_of(found.variable.type)
        if type_ is None or not type_.is_integer:
            raise NotATensorNest(node.span, "a loop whose variable is no integer")
        if any(decl in _targets(n) for n in node.children[3].walk()):
            raise NotATensorNest(node.span, f"'{decl.name}' is set inside of its loop")
        if node.name == AT_LEAST_ONCE and not found.count:
            raise NotATensorNest(node.span, "a loop whose body runs before its test fails")
        first = found.first.value if isinstance(found.first, Const) else None
        ends: tuple[int, ...] = ()
        if first is not None:
            ends = (int(first), int(first) + found.step * found.count)
        if node.name == COUNTS_DOWN:
            ends = tuple(end + 1 if end < 0 else end for end in ends)
        if not all(type_.smallest <= v <= type_.largest for v in ends):
            raise NotATensorNest(node.span, f"'{decl.name}' leaves its type")
        name = self.scope.fresh(decl.name)
        plain = found.step == 1 and first is not None
        minimum = int(first or 0) if plain else 0
        value: Expr = Variable(INT, name)
        if not plain:
            value = binary("mul", value, Const(INT, found.step))
            value = binary("add", value, cast(INT, found.first))
        before = self.scope.values.get(decl)
        for other in _counted_inside(node.children[3]):
            self.scope.values.pop(other, None)
        values, addresses = dict(self.scope.values), dict(self.scope.addresses)
        self.scope.values[decl] = cast(type_, value)
        self.scope.ranges[name] = (minimum, minimum + max(found.count, 1) - 1)
        number = binary("sub", Variable(INT, name), Const(INT, minimum))
        steps = self.expressions.walk.enter(node.children[3], number)
        if found.ends is not None and steps:
            text = "a pointer moves in a loop whose bound is no number"
            raise NotATensorNest(node.span, text)
        body = self.statement(node.children[3])
        if found.ends is not None:
            first_value, op, end = found.ends
            here = binary("add", Variable(INT, name), Const(INT, 0))
            inside = compare("ge", here, first_value), compare(_ORDER[op], here, end)
            body = nest.If(both(*inside), body)
        self.expressions.walk.leave(values, addresses, steps, found.count)
        del self.scope.values[decl]
        if node.children[0].kind != "DECL_STMT" and found.ends is None:
            after = binary("mul", Const(INT, found.step), Const(INT, found.count))
            self.scope.values[decl] = cast(type_, binary("add", cast(INT, found.first), after))
        elif before is not None:
            self.scope.values[decl] = before
        low, count = Const(INT, minimum), Const(INT, found.count)
        return nest.For(name, low, count, "serial", body, var=decl.name)

    def _branch(self, node: Node) -> nest.Node:
        condition = self.expressions.condition(node.children[0])
        branches = node.children[1:]
        for below in node.walk():
            moved = is_walker(below, self.scope.walking)
            if moved is not None:
                raise NotATensorNest(below.span, f"'{moved.name}' moves in a branch")
        if isinstance(condition, Const):
            taken = branches[:1] if condition.value else branches[1:2]
            return self.statement(taken[0]) if taken else nest.Block(())
        if len(branches) == 1 and (changed := self._scalar_change(branches[0])) is not None:
            old, new = self.expressions.value(changed.children[0]), self._assigned(changed)
            return self._store(changed, chosen(condition, cast(old.type, new), old))
        then, *otherwise = (self.statement(branch) for branch in branches)
        return nest.If(condition, then, otherwise[0] if otherwise else None)

    def _scalar_change(self, node: Node) -> Node | None:
        """The assignment to a local scalar that a statement is; None for other statements."""
        while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            node = node.children[0]
        if node.kind != "BINARY_OPERATOR" or node.op != "=":
            return None
        memory = self.scope.memory.get(node.children[0].decl) if node.children[0].decl else None
        scalar = node.children[0].kind == "DECL_REF_EXPR" and memory is not None
        return node if scalar and memory is not None and not memory.dimensions else None

    def _assigned(self, node: Node) -> Expr:
        return self.expressions.value(node.children[1])

    def _store(self, node: Node, value: Expr) -> nest.Node:
        target = node.children[0]
        if target.kind == "DECL_REF_EXPR" and target.decl in self.scope.memory:
            memory = self.scope.memory[target.decl]
            if not memory.dimensions:
                value = cast(memory.types[0], value)
                return nest.Store(memory.name, (), (value,), at=node.span)
        where = self.expressions.place(target)
        value = cast(where.tensor.types[0], value)
        return nest.Store(where.tensor.name, where.subscripts, (value,), at=node.span)

    def _compound(self, node: Node) -> nest.Node:
        target, operand = node.children
        for below in target.walk():
            if is_walker(below, self.scope.walking) is not None:
                raise NotATensorNest(below.span, "a step in what is changed")
        old, by = self.expressions.value(target), self.expressions.value(operand)
        op = node.op.removesuffix("=")
        return self._store(node, self.expressions.combined(node, op, old, by))

    def _increment(self, node: Node) -> nest.Node:
        old = self.expressions.value(node.children[0])
        op = "+" if node.op.endswith("++") else "-"
        return self._store(node, self.expressions.combined(node, op, old, Const(INT, 1)))


def _counted_inside(body: Node) -> Iterator[Decl]:
    """Variables that loops in a body count with and that live outside of these."""
    for node in body.walk():
        if node.kind == "FOR_STMT" and len(node.children) == 4 and node.children[0].op == "=":
            decl = node.children[0].children[0].decl
            if decl is not None:
                yield decl


def _targets(node: Node) -> set[Decl | None]:
    """The variables that an assignment or increment sets, by name."""
    sets = node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or node.op in ASSIGNMENTS
    if sets or (node.kind == "UNARY_OPERATOR" and node.op.removeprefix("post") in ("++", "--")):
        return {node.children[0].decl}
    return set()


def _is_zero(first: Node) -> bool:
    """Whether an initializer gives zeros alone."""
    if first.kind == "INIT_LIST_EXPR":
        return all(_is_zero(child) for child in first.children)
    return first.value == 0


def _is_initialized(node: Node) -> bool:
    """Whether a declaration's last child is a value, and not the type or an extent of an array."""
    if not node.children or node.children[-1].kind.endswith("_REF"):
        return False
    if node.type.kind != "array":
        return True
    return node.children[-1].kind == "INIT_LIST_EXPR"
