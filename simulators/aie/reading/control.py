"""Branches and loops of the text, in single assignment form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.program import Branch, Carried, Loop, Merged
from s2s.simulators.aie.reading.builder import Held, Level
from s2s.simulators.aie.reading.jumps import (
    Hints,
    Notes,
    find_assigned,
    hints,
    kind_of,
    names,
    root,
    split_pragmas,
    statements,
)
from s2s.simulators.aie.reading.kinds import (
    ArrayOf,
    PointerTo,
    Registers,
    Result,
    Scope,
    Variable,
    value_type,
    variables_of,
)
from s2s.simulators.aie.reading.operands import NotConstant
from s2s.simulators.aie.reading.trips import trips
from s2s.simulators.aie.reading.variables import Variables, innermost
from s2s.simulators.aie.values import Constant, Operand, ScalarType

Node = Any
MOST_UNROLLED = 1024


class Control(Variables):
    """Lowers branches and loops; ``block`` and ``statement`` are filled in by a subclass."""

    def __init__(self, path: str, rounding: str = "rnd_floor", saturation: bool = False) -> None:
        super().__init__(path, rounding, saturation)
        self.functions: dict[str, Node] = {}
        self._pending: list[str] = []
        self._notes = Notes()

    def block(self, items: Sequence[Node]) -> None:
        """Statements one after the other, in a scope of their own."""
        raise NotImplementedError

    def statement(self, node: Node) -> None:
        """One statement."""
        raise NotImplementedError

    # ---- branches

    def _branch(self, node: Node, then: Sequence[Node], otherwise: Sequence[Node]) -> None:
        condition = self.operand(node.cond)
        if isinstance(condition, Constant):
            self.block(then if condition.value else otherwise)
            return
        before = dict(self.builder.held)
        sides = []
        for items in (then, otherwise):
            self.builder.held = dict(before)
            level = self._push()
            self.block(items)
            sides.append((level, self.builder.held))
            self._pop()
        self._joined(node, condition, before, sides)

    def either(self, node: Node, condition: Operand) -> Result:
        """``c ? a : b`` as a branch that leaves its value in a variable."""
        before = dict(self.builder.held)
        sides, values = [], []
        for side in (node.iftrue, node.iffalse):
            self.builder.held = dict(before)
            level = self._push()
            values.append(self.rvalue(side))
            sides.append((level, self.builder.held))
            self._pop()
        kind = values[0].kind
        if isinstance(kind, ScalarType):
            kind = self._common(node, kind, values[1].kind)
        elif isinstance(kind, ArrayOf):
            kind = PointerTo(kind.element)
        chosen = Variable("?:", kind)
        for (level, held), value in zip(sides, values, strict=True):
            self.builder.held = held
            self.builder.levels.append(level)
            self.store(node, chosen, value)
            self._pop()
        self._joined(node, condition, before, sides)
        return Result(kind, self.builder.read(chosen))

    def _joined(
        self,
        node: Node,
        condition: Operand,
        before: dict[Variable, Held],
        sides: list[tuple[Level, dict[Variable, Held]]],
    ) -> None:
        """After both sides of a branch: variables hold what the side that ran gave them."""
        self.builder.held = before
        merged = self._merge(before, sides)
        blocks = [tuple(level.items) for level, _ in sides]
        line = node.coord.line if node.coord else self.builder.line
        self._append(Branch(condition, blocks[0], blocks[1], merged, line))

    def _merge(
        self, before: dict[Variable, Held], sides: list[tuple[Level, dict[Variable, Held]]]
    ) -> tuple[Merged, ...]:
        merged = []
        known = [v for v in sides[0][1] if v in sides[1][1]]
        for variable in known:
            if sides[0][1][variable] == sides[1][1][variable]:
                self.builder.held[variable] = sides[0][1][variable]
                continue
            operands = []
            for level, held in sides:
                self.builder.levels.append(level)
                operands.append(self.builder.solid(held[variable], variable.name))
                self._pop()
            made = self.builder.value(value_type(variable.kind), variable.name)
            merged.append(Merged(made, operands[0], operands[1]))
            self.builder.write(variable, made)
        return tuple(merged)

    def _push(self, is_test: bool = False) -> Level:
        level = Level(is_test=is_test)
        self.builder.levels.append(level)
        return level

    def _pop(self) -> None:
        self.builder.levels.pop()

    def _append(self, item: Branch | Loop) -> None:
        self.builder.levels[-1].items.append(item)

    # ---- loops

    def _do_for(self, node: Node) -> None:
        outer, self.scope = self.scope, Scope(self.scope)
        try:
            pending, self._pending = self._pending, []
            if node.init is not None:
                self.statement(node.init)
            self._loop(node, node.cond, node.next, pending)
        finally:
            self.scope = outer

    def _do_while(self, node: Node) -> None:
        pending, self._pending = self._pending, []
        self._loop(node, node.cond, None, pending)

    def _do_dowhile(self, node: Node) -> None:
        pending, self._pending = self._pending, []
        self._loop(node, node.cond, None, pending)

    def _loop(self, node: Node, cond: Node, step: Node | None, pending: Sequence[str]) -> None:
        inner, body = split_pragmas(node.stmt)
        said = hints([*pending, *inner])
        if any(kind_of(one) == "Return" for one in self._notes.of(node)):
            raise self.fail(node, "a return out of a loop is not understood")
        at_bottom = kind_of(node) == "DoWhile"
        wanted = not at_bottom and (said.unroll or self._has_registers(node, step))
        if wanted and self._unrolled(node, cond, step, body):
            return
        saved, arrays, scope = self.builder.saved(), len(self.arrays), self.scope
        try:
            self._kept(node, cond, step, body, said)
        except NotConstant as problem:
            self.builder.restore(saved)
            self.scope = scope
            del self.arrays[arrays:]
            if at_bottom or not self._unrolled(node, cond, step, body):
                raise problem from None

    def _kept(self, node: Node, cond: Node, step: Node | None, body: Node, said: Hints) -> None:
        """A loop that stays one."""
        at_bottom = kind_of(node) == "DoWhile"
        variables = self._changing(node)
        initial = [self.builder.solid(self.builder.read(v), v.name) for v in variables]
        header = self._push(is_test=True)
        inside = [self.builder.value(value_type(v.kind), v.name) for v in variables]
        for variable, value in zip(variables, inside, strict=True):
            self.builder.write(variable, value)
        parts = self._parts(node, cond, step, body, variables, at_bottom)
        test, condition, items, following = parts
        self._pop()
        assert header.items == [] or not at_bottom
        carried = []
        for position, variable in enumerate(variables):
            after = self.builder.value(value_type(variable.kind), variable.name)
            self.builder.write(variable, after)
            one = Carried(inside[position], initial[position], following[position], after)
            carried.append(one)
        self._finish(node, tuple(carried), test, condition, items, at_bottom, said)
        if (
            cond is not None
            and not at_bottom
            and find_assigned(self._notes.of(cond), self.functions)
        ):
            self.rvalue(cond)

    def _parts(
        self,
        node: Node,
        cond: Node | None,
        step: Node | None,
        body: Node,
        variables: list[Variable],
        at_bottom: bool,
    ) -> Any:
        """Test, condition, body and what the variables hold at the end of an iteration."""
        header = self.builder.levels[-1]
        condition: Any = Constant(1)
        if cond is not None and not at_bottom:
            condition = self.operand(cond)
        inner = self._push()
        self.block(statements(body))
        if step is not None:
            self.rvalue(step)
        test = header
        if at_bottom:
            test = self._push()
            condition = self.operand(cond)
        following = [self.builder.solid(self.builder.read(v), v.name) for v in variables]
        if at_bottom:
            self._pop()
        self._pop()
        return tuple(test.items), condition, tuple(inner.items), following

    def _finish(
        self, node: Node, carried: Any, test: Any, condition: Any, items: Any, at_bottom: bool,
        said: Hints,
    ) -> None:  # fmt: skip
        self.builder.loops += 1
        line = node.coord.line if node.coord else 0
        count = trips(self.builder, carried, test, condition, at_bottom)
        self._append(
            Loop(
                self.builder.loops, carried, test, condition, items, at_bottom, count,
                said.pipelined, said.bounds, line,
            )
        )  # fmt: skip

    def _changing(self, node: Node) -> list[Variable]:
        """Variables from outside that a loop may assign to, each once."""
        found: dict[Variable, None] = {}
        for name in sorted(find_assigned(self._notes.of(node), self.functions)):
            binding = self.scope.find(name)
            found.update(dict.fromkeys(variables_of(binding)))
        return list(found)

    def _has_registers(self, node: Node, step: Node | None) -> bool:
        """Whether arrays of registers are indexed by what the loop steps."""
        stepped = find_assigned(self._notes.of(step), ())
        for one in self._notes.of(node):
            if kind_of(one) == "ArrayRef" and names(one.subscript) & stepped:
                binding = self.scope.find(root(one))
                content = binding.content if isinstance(binding, Result) else binding
                if isinstance(content, Registers) or self._declares_registers(node, root(one)):
                    return True
        return False

    def _declares_registers(self, node: Node, name: str) -> bool:
        noted = self._notes.of(node)
        found = [one for one in noted if kind_of(one) == "Decl" and one.name == name]
        kinds = [self.declarations.kind(one, self.scope) for one in found]
        arrays = [kind for kind in kinds if isinstance(kind, ArrayOf)]
        return any(not isinstance(innermost(kind), ScalarType) for kind in arrays)

    def _unrolled(self, node: Node, cond: Node, step: Node | None, body: Node) -> bool:
        """Lower every iteration by itself; False if the test is no constant at the start."""
        for count in range(MOST_UNROLLED):
            condition = self.operand(cond) if cond is not None else None
            if not isinstance(condition, Constant):
                if count == 0:
                    return False
                raise self.fail(node, "the number of iterations to unroll is not constant")
            if not condition.value:
                return True
            self.block(statements(body))
            if step is not None:
                self.rvalue(step)
        raise self.fail(node, f"more than {MOST_UNROLLED} iterations to unroll")
