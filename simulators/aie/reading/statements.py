"""Statements of the text to blocks: declarations, branches, loops, inlined functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.program import (
    Array,
    Branch,
    Carried,
    Constant,
    Loop,
    Merged,
    PointerType,
    ScalarType,
)
from s2s.simulators.aie.reading.builder import Held, Level
from s2s.simulators.aie.reading.calls import Intrinsics
from s2s.simulators.aie.reading.declarations import is_const
from s2s.simulators.aie.reading.jumps import (
    Hints,
    Notes,
    assigned,
    hints,
    jumps,
    kind_of,
    names,
    root,
    split_pragmas,
    statements,
)
from s2s.simulators.aie.reading.kinds import (
    Address,
    Affine,
    ArrayOf,
    Kind,
    Number,
    Place,
    PointerTo,
    Registers,
    Result,
    Scope,
    Variable,
    Void,
    Window,
    bytes_of,
    scalar_of,
    value_type,
)
from s2s.simulators.aie.reading.trips import trips

Node = Any
MOST_UNROLLED = 1024
DEEPEST_CALL = 32
# The linker puts arrays where vector loads can reach them, whatever C says of their elements.
ALIGNMENT = 32


class Statements(Intrinsics):
    """Lowers statements; ``functions`` are those of the text, ``arrays`` what has memory."""

    def __init__(self, path: str, rounding: str = "rnd_floor", saturation: bool = False) -> None:
        super().__init__(path, rounding, saturation)
        self.file_scope = self.scope
        self.functions: dict[str, Node] = {}
        self.arrays: list[Array] = []
        self._results: list[Variable] = []
        self._pending: list[str] = []
        self._notes = Notes()

    # ---- lists of statements

    def block(self, items: Sequence[Node]) -> None:
        """Statements one after the other, in a scope of their own."""
        outer, self.scope = self.scope, Scope(self.scope)
        try:
            self._list(items)
        finally:
            self.scope = outer

    def _list(self, items: Sequence[Node]) -> None:
        for position, item in enumerate(items):
            if getattr(item, "coord", None):
                self.builder.line = item.coord.line
            name = kind_of(item)
            if name == "Pragma":
                self._pending += split_pragmas(item)[0]
                continue
            if name in ("Return", "Continue"):
                self._jump(item)
                return
            if name == "If" and jumps(item):
                self._leaving(item, items[position + 1 :])
                return
            self.statement(item)
            self._pending = []

    def _jump(self, node: Node) -> None:
        """A jump at the end of its list; what follows it there is never reached."""
        if kind_of(node) == "Return" and node.expr is not None:
            variable = self._results[-1]
            self.store(node, variable, self.rvalue(node.expr))

    def _leaving(self, node: Node, rest: Sequence[Node]) -> None:
        """``if (c) return; rest`` is ``if (!c) rest``: what follows goes to where it is reached."""
        branches = []
        for branch in (node.iftrue, node.iffalse):
            items = statements(branch)
            ends = bool(items) and kind_of(items[-1]) in ("Return", "Continue", "Break")
            branches.append(items if ends else [*items, *rest])
        self._branch(node, *branches)

    def statement(self, node: Node) -> None:
        method = getattr(self, f"_do_{kind_of(node).lower()}", None)
        if method is not None:
            method(node)
        elif kind_of(node) in ("Goto", "Label", "Switch", "Case", "Default", "Break"):
            raise self.fail(node, f"'{kind_of(node).lower()}' is not understood in a kernel")
        else:
            self.rvalue(node)

    def _do_compound(self, node: Node) -> None:
        if jumps(node):
            raise self.fail(node, "a jump out of a block is not understood")
        self.block(statements(node))

    def _do_emptystatement(self, node: Node) -> None:
        """Nothing."""

    def _do_if(self, node: Node) -> None:
        self._branch(node, statements(node.iftrue), statements(node.iffalse))

    # ---- declarations

    def _do_decllist(self, node: Node) -> None:
        for one in node.decls:
            self._do_decl(one)

    def _do_typedef(self, node: Node) -> None:
        kind = self.declarations.kind(node, self.scope)
        if kind is not None:
            self.scope.kinds[node.name] = kind

    def _do_decl(self, node: Node) -> None:
        if kind_of(node.type) == "FuncDecl":
            return
        if kind_of(node.type) == "Enum":
            self._enumerators(node.type)
            return
        if kind_of(getattr(node.type, "type", None)) == "Enum":
            self._enumerators(node.type.type)
        kind = self.declarations.kind(node, self.scope)
        if isinstance(kind, ArrayOf):
            self._declare_array(node, self._sized(node, kind))
            return
        value = None if node.init is None else self.rvalue(node.init)
        if kind is None and value is not None:
            kind = value.kind
        if kind is None:
            raise self.fail(node, "'auto' without a value")
        if isinstance(kind, ArrayOf):
            kind = PointerTo(kind.element)
        if value is not None and isinstance(value.content, Variable | Registers):
            self.scope.names[node.name] = Result(kind, value.content)
            return
        if self.scope is self.file_scope and not is_const(node):
            self._declare_global(node, kind, value)
            return
        variable = Variable(node.name, kind, is_const(node))
        if value is not None:
            self.store(node, variable, value)
        self.scope.names[node.name] = variable

    def _enumerators(self, node: Node) -> None:
        number = -1
        for one in node.values.enumerators if node.values else ():
            number = self.constant(one.value) if one.value is not None else number + 1
            self.scope.names[one.name] = Number(Constant(number))

    def _sized(self, node: Node, kind: ArrayOf) -> ArrayOf:
        if kind.count is not None:
            return kind
        if kind_of(node.init) != "InitList":
            raise self.fail(node, f"the extent of '{node.name}' is not known")
        return ArrayOf(kind.element, len(node.init.exprs))

    def _declare_global(self, node: Node, kind: Kind, value: Result | None) -> None:
        """A variable of the file lives in memory: an array of one element."""
        initial = value.content if value is not None else None
        numbers = (initial.value,) if isinstance(initial, Constant) else None
        address = self._memory(node, kind, (), numbers)
        self.scope.names[node.name] = Place(address, kind)

    def _declare_array(self, node: Node, kind: ArrayOf) -> None:
        element = innermost(kind)
        if self.scope is not self.file_scope and not isinstance(element, ScalarType):
            self._declare_registers(node, kind, element)
            return
        numbers = self._numbers(node, kind) if node.init is not None else None
        fixed = is_const(node) or "static" in node.storage or self.scope is self.file_scope
        initial = numbers if fixed else None
        if initial is None and "static" in node.storage and self.scope is not self.file_scope:
            initial = ()
        address = self._memory(node, kind, extents_of(kind), initial)
        self.scope.names[node.name] = Place(address, kind)
        if numbers is not None and not fixed:
            for index, number in enumerate(numbers):
                place = address.moved(Affine((), index * bytes_of(element)))
                self.store(node, Place(place, element), Result(element, Constant(number)))

    def _memory(
        self, node: Node, kind: Kind, extents: tuple[int, ...], initial: tuple[int, ...] | None
    ) -> Address:
        element = scalar_of(kind)
        if isinstance(element, PointerType):
            raise self.fail(node, "pointers in memory are not understood")
        base = self.builder.value(PointerType(element), node.name)
        alignment = max([ALIGNMENT, *(self.constant(a.alignment) for a in node.align or ())])
        name = self._unused(node.name)
        is_static = self.scope is self.file_scope
        extents = extents or (1,)
        self.arrays.append(
            Array(
                base, name, element, extents,
                alignment=alignment, initial=initial, is_static=is_static,
            )
        )  # fmt: skip
        return Address(base)

    def _unused(self, name: str) -> str:
        taken = {array.name for array in self.arrays}
        count, found = 1, name
        while found in taken:
            count += 1
            found = f"{name}.{count}"
        return found

    def _numbers(self, node: Node, kind: ArrayOf) -> tuple[int, ...]:
        """The elements of an initializer, missing ones zero. Raises UserError."""
        if kind_of(node.init) != "InitList":
            raise self.fail(node, "this initializer is not understood")
        return tuple(self._flat(node.init, kind))

    def _flat(self, node: Node, kind: Kind) -> list[int]:
        if not isinstance(kind, ArrayOf):
            inner = node.exprs[0] if kind_of(node) == "InitList" else node
            return [self.constant(inner)]
        total, found = bytes_of(kind) // bytes_of(innermost(kind)), []
        for one in node.exprs:
            if kind_of(one) == "NamedInitializer":
                raise self.fail(one, "this initializer is not understood")
            inner = kind.element if kind_of(one) == "InitList" else innermost(kind)
            found += self._flat(one, inner)
        return found + [0] * (total - len(found))

    def _declare_registers(self, node: Node, kind: ArrayOf, element: Kind) -> None:
        count = bytes_of(kind) // bytes_of(element)
        variables = tuple(Variable(f"{node.name}[{i}]", element) for i in range(count))
        for i, one in enumerate(node.init.exprs if node.init is not None else ()):
            self.store(one, variables[i], self.rvalue(one))
        self.scope.names[node.name] = Registers(kind, variables)

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
        if cond is not None and not at_bottom and assigned(self._notes.of(cond), self.functions):
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
        for name in sorted(assigned(self._notes.of(node), self.functions)):
            binding = self.scope.find(name)
            if isinstance(binding, Result):
                content = binding.content
                binding = content if isinstance(content, Variable | Registers) else None
            if isinstance(binding, Variable) and not isinstance(binding.kind, Void):
                found[binding] = None
            elif isinstance(binding, Registers):
                found.update(dict.fromkeys(binding.variables))
        return list(found)

    def _has_registers(self, node: Node, step: Node | None) -> bool:
        """Whether arrays of registers are indexed by what the loop steps."""
        stepped = assigned(self._notes.of(step), ())
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

    # ---- functions

    def call(self, node: Node, name: str, arguments: Sequence[Node]) -> Result:
        if name in self.functions:
            return self._inlined(node, self.functions[name], arguments)
        found = self.intrinsic(node, name, arguments)
        if found is None:
            raise self.fail(node, f"'{name}' is no function of this file and no known intrinsic")
        return found

    def _inlined(self, node: Node, function: Node, arguments: Sequence[Node]) -> Result:
        parameters = parameters_of(function)
        if len(self._results) >= DEEPEST_CALL:
            raise self.fail(node, f"'{function.decl.name}' calls itself")
        if len(parameters) != len(arguments):
            raise self.fail(node, f"'{function.decl.name}' takes {len(parameters)} arguments")
        inner = Scope(self.file_scope)
        for parameter, argument in zip(parameters, arguments, strict=True):
            inner.names[parameter.name] = self._bound(parameter, argument)
        outer, self.scope = self.scope, inner
        line = self.builder.line
        try:
            return self.body(function)
        finally:
            self.scope, self.builder.line = outer, line

    def _bound(self, parameter: Node, argument: Node) -> Any:
        kind = self.declarations.kind(parameter, self.file_scope)
        if isinstance(kind, PointerTo) and kind.is_reference:
            if kind.const:
                return self._copied(parameter, argument, kind.target)
            return self.target(argument)
        if isinstance(kind, Window):
            return self.target(argument)
        value = self.rvalue(argument)
        if isinstance(value.content, Variable | Registers):
            return value
        if isinstance(kind, ArrayOf):
            kind = PointerTo(kind.element)
        if kind is None:
            kind = value.kind
        return self._copied(parameter, argument, kind, value)

    def _copied(
        self, parameter: Node, argument: Node, kind: Kind, value: Result | None = None
    ) -> Variable:
        variable = Variable(parameter.name or "", kind)
        self.store(argument, variable, value or self.rvalue(argument))
        return variable

    def body(self, function: Node) -> Result:
        """A function's statements in the present scope, which has its parameters; its result."""
        kind = self.declarations.kind(function.decl.type.type, self.file_scope) or Void()
        result = Variable(f"{function.decl.name}()", kind)
        self._results.append(result)
        try:
            self.block(statements(function.body))
        finally:
            self._results.pop()
        if isinstance(kind, Void) or result not in self.builder.held:
            return Result(Void())
        return Result(kind, self.builder.read(result))


def parameters_of(function: Node) -> list[Node]:
    """Parameters of a function's definition; ``(void)`` has none."""
    arguments = function.decl.type.args
    found = list(arguments.params) if arguments is not None else []
    is_void = len(found) == 1 and getattr(found[0], "name", None) is None
    return [] if is_void else found


def innermost(kind: Kind) -> Kind:
    while isinstance(kind, ArrayOf):
        kind = kind.element
    return kind


def extents_of(kind: Kind) -> tuple[int, ...]:
    return (kind.count or 0, *extents_of(kind.element)) if isinstance(kind, ArrayOf) else ()
