"""Executing a statement of a parsed C file with given variables and memory.

``compiled(unit, function, statements, ...)`` makes a ``Compiled`` of statements of one function;
``Compiled.run(memory, values, steps)`` executes it and gives an ``Ended``: how it was left, the
value returned, and the local variables from around it that it may have changed. What was written is
in the memory. Variables from outside are given by name; those that are arrays, records or have
their address taken are given by their addresses. Calls of functions of the same file are executed,
and those of <math.h>, ``malloc``, ``memset`` and a few more; output is noted. What has no meaning
here raises ``NotExecuted`` when it is reached, a division by zero and the like ``Undefined``, more
than ``steps`` iterations ``OutOfSteps``. OpenMP's directives are ignored: the program is executed
as its serial elision, where ``omp_get_max_threads()`` is ``threads``.

The statements become the text of a Python function, once for all inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import repeat
from operator import length_hint
from types import CodeType
from typing import Any

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import next_token
from s2s.frontends.c.unit import Unit
from s2s.frontends.openmp.constructs import Attached
from s2s.frontends.openmp.directives import Directive
from s2s.net.errors import Exited, NotExecuted, OutOfSteps, Undefined
from s2s.net.expressions import Expressions
from s2s.net.library import RUNTIME
from s2s.net.memory import Cells
from s2s.net.program import Program
from s2s.net.shapes import Shape, Shapes
from s2s.net.statements import Statements
from s2s.net.texts import Place, text_of_literal
from s2s.source.records import dataclass

Values = dict[str, Any]


class _Goto(Exception):
    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


@dataclass
class Ended:
    """How statements ended: ``how`` is "" at their end, else the jump that left them."""

    how: str
    value: Any
    values: Values
    said: list[tuple[Any, ...]] = field(default_factory=list)
    steps: int = 0


@dataclass
class Compiled:
    """Statements that can be run.

    ``free`` are local variables from around them, by name; those ``changed`` come back.
    """

    code: CodeType
    compiler: Compiler
    free: dict[str, tuple[Decl, Place]]
    changed: tuple[str, ...]

    def run(self, memory: Cells, values: Values, steps: int) -> Ended:
        """Execute with the given variables; raises NotExecuted, Undefined or OutOfSteps."""
        said: list[tuple[Any, ...]] = []
        ticks = iter(range(steps))
        space = self.compiler.space(memory, said, ticks.__next__)
        given = {place.text: values[name] for name, (_, place) in self.free.items()}
        try:
            exec(self.code, space)
            how, value, after = space["_region"](**given)
        except StopIteration:
            raise OutOfSteps from None
        except Exited:
            return Ended("exit", None, {}, said)
        except (TypeError, ZeroDivisionError, OverflowError, RecursionError) as problem:
            raise Undefined(f"{type(problem).__name__}: {problem}") from None
        used = steps - length_hint(ticks)
        return Ended(how, value, dict(zip(self.changed, after, strict=True)), said, used)


def _constants(node: Node, shape: Shape, offset: int) -> Iterator[tuple[int, Any]]:
    """The scalars of a constant initializer by their offsets; NotExecuted for others."""
    if node.kind == "INIT_LIST_EXPR" and shape.kind == "array" and shape.target.size:
        for index, child in enumerate(node.children):
            yield from _constants(child, shape.target, offset + index * shape.target.size)
        return
    sign = 1
    while node.kind == "IMPLICIT_CAST" or (node.kind == "UNARY_OPERATOR" and node.op == "-"):
        sign = -sign if node.op == "-" else sign
        node = node.children[-1]
    number = node.value if node.value is not None else node.real
    if number is None or not shape.is_scalar:
        raise NotExecuted("an initializer")
    yield offset, sign * (float(number) if shape.kind == "float" else int(number))


def _noted(said: list[tuple[Any, ...]]) -> Callable[..., int]:
    def say(*call: Any) -> int:
        said.append(call)
        return 0

    return say


def _clear(memory: Cells, target: int, value: Any, size: int, width: int) -> int:
    places = range(target, target + size, width)
    memory.store(places, repeat(value, len(places)))
    return target


def _lanes(memory: Cells, start: int, size: int, width: int) -> tuple[Any, ...]:
    return tuple([memory[address] for address in range(start, start + size, width)])


def _set_lanes(
    memory: Cells, start: int, size: int, width: int, values: Sequence[Any],
    note: Callable[[int], None],
) -> None:  # fmt: skip
    for address, value in zip(range(start, start + size, width), values, strict=True):
        memory[address] = value
        note(address)


def _copy(memory: Cells, target: int, source: int, size: int, width: int) -> int:
    values = memory.load(range(source, source + size, width))
    memory.store(range(target, target + size, width), values)
    return target


def _literal(memory: Cells, spelling: str) -> int:
    text = text_of_literal(spelling)
    address = memory.allocate(len(text))
    for number, character in enumerate(text):
        memory[address + number] = character
    return address


def find_addressed(nodes: Sequence[Node]) -> frozenset[Decl]:
    """Variables whose address is taken."""
    found: set[Decl] = set()
    for root in nodes:
        for node in root.walk():
            if node.kind == "UNARY_OPERATOR" and node.op == "&":
                inner = node.children[0]
                if inner.kind == "DECL_REF_EXPR" and inner.decl is not None:
                    found.add(inner.decl)
    return frozenset(found)


@dataclass
class Compiler:
    """Makes Python of one file's functions; ``strict`` ends at subscripts outside of their rows."""

    unit: Unit
    threads: int = 1
    strict: bool = False
    gains: int = 0
    """A number of elements from which on new code gains, taken for a small one; 0 for none."""
    program: Program = field(init=False)
    directives: Callable[[int], Sequence[Directive]] = field(init=False)
    taken: list[int] = field(default_factory=list)
    """As many elements as often the new code was chosen by its guard."""
    _functions: dict[Decl, tuple[str, list[Shape], Shape]] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _initial: dict[str, dict[int, Any] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shapes = Shapes(self.unit.converter)
        data = self.unit.buffer.data
        attached = Attached(self.unit.pragmas, lambda offset: next_token(data, offset))
        self.directives = attached.before
        self.program = Program(shapes, self._define, threads=self.threads, strict=self.strict)
        self.program.gains = self.gains

    def space(self, memory: Cells, said: list[tuple[Any, ...]], tick: Any) -> dict[str, Any]:
        """The names that the texts use, for one execution."""
        space = dict(RUNTIME)
        space |= self.program.library
        space |= {"M": memory, "_w": memory.written.add, "_t": tick, "_taken": self.taken,
                  "_Goto": _Goto, "_clear": _clear, "_copy": _copy,
                  "_lanes": _lanes, "_set_lanes": _set_lanes,
                  "_scalars": self.program.tables, "_say": _noted(said)}  # fmt: skip
        for key, (name, shape) in self.program.places.items():
            space[name] = memory.world.place(key, shape, shape.size or None)
            self._initialized(memory, key, space[name], shape)
        for spelling, name in self.program.literals.items():
            space[name] = _literal(memory, spelling)
        return space

    def _initialized(self, memory: Cells, key: str, address: int, shape: Shape) -> None:
        """Give an object of the file the values that its initializer lists."""
        segment = memory.world.segment(address)
        if segment is None or segment.initial is not None:
            return
        if key not in self._initial:
            self._initial[key] = self._listed(key, shape)
        segment.initial = self._initial[key]

    def _listed(self, key: str, shape: Shape) -> dict[int, Any] | None:
        """The values of an object of the file by their offsets, None for other objects."""
        cursor = self.unit.names.get(key)
        if cursor is None:
            return None
        if cursor.storage_class.name == "STATIC" or cursor.type.is_const_qualified():
            first = initializer(self.unit.convert(cursor))
            with suppress(NotExecuted):
                return dict(_constants(first, shape, 0)) if first is not None else {}
        return {}

    def text(self, node: Node) -> str:
        return self.unit.buffer.data[node.span.start : node.span.end].decode("latin-1")

    def compiled(self, statements: Sequence[Node], function: Node, guard: Node | None) -> Compiled:
        """The statements, which stand in a row in ``function``."""
        expressions = Expressions(
            self.program, find_addressed([function]), lifted=True, guard=guard
        )
        result = _result(self, function)
        writer = Statements(expressions, self.text, _leaving, self.directives, result)
        writer.sequence(statements)
        names = {place.text: name for name, (_, place) in expressions.free.items()}
        assigned = _assigned(writer.lines, names)
        changed = [names[text] for text in assigned]
        after = "".join(f"{text}, " for text in assigned)
        lines = [line.replace("_AFTER_", f"({after})") for line in writer.lines]
        head = f"def _region({', '.join(names)}):"
        text = "\n".join([*self._texts, head, *lines, f"    return '', None, ({after})", ""])
        code = _code(text, function.name)
        return Compiled(code, self, dict(expressions.free), tuple(changed))

    def _define(self, call: Node) -> tuple[str, list[Shape], Shape]:
        """The Python function of one that is called."""
        decl = call.decl
        if decl is None:
            raise NotExecuted("a call through a pointer")
        if decl not in self._functions:
            node = self._definition(decl)
            parameters = [c for c in node.children if c.kind == "PARM_DECL" and c.decl is not None]
            shapes = [self.program.shapes.of(p.decl.type) for p in parameters if p.decl]
            result = self.program.shapes.of(call.type)
            name = f"f_{len(self._functions)}_{decl.name}"
            self._functions[decl] = name, shapes, result
            self._texts.append(self._function(node, parameters, name, result))
        return self._functions[decl]

    def _definition(self, decl: Decl) -> Node:
        for cursor in self.unit.functions():
            if cursor.spelling == decl.name:
                node = self.unit.convert(cursor)
                if node.children and node.children[-1].kind == "COMPOUND_STMT":
                    return node
        raise NotExecuted(f"a call of '{decl.name}'")

    def _function(self, node: Node, parameters: list[Node], name: str, result: Shape) -> str:
        expressions = Expressions(self.program, find_addressed([node]))
        writer = Statements(expressions, self.text, _returning, self.directives,
                            result if result.kind != "void" else None)  # fmt: skip
        writer.write("_t()")
        for number, parameter in enumerate(parameters):
            if parameter.decl is not None:
                self._parameter(writer, parameter, parameter.decl, f"a_{number}")
        writer.run(node.children[-1])
        head = f"def {name}({', '.join(f'a_{n}' for n in range(len(parameters)))}):"
        return "\n".join([head, *writer.lines, "    return None"])

    def _parameter(self, writer: Statements, node: Node, decl: Decl, given: str) -> None:
        expressions = writer.expressions
        widths = [writer._kept(w) for w in expressions.lengths(decl)]
        shape = self.program.shapes.of(decl.type, widths)
        in_memory = decl in expressions.in_memory
        if not shape.is_scalar:
            raise NotExecuted("a record as an argument")
        expressions.variables[decl] = Place(given, shape, in_memory)
        if in_memory:
            writer.write(f"_p = M.allocate({shape.width}); M[_p] = {given}; {given} = _p")


def _leaving(how: str, value: str) -> str:
    """A jump out of the statements, with the variables that they changed."""
    return f"return {how!r}, {value}, _AFTER_"


def _returning(how: str, value: str) -> str:
    return f"return {value}" if how == "return" else f"_no({how!r})"


def _result(compiler: Compiler, function: Node) -> Shape | None:
    """The type that a function returns, None for none."""
    cursor = compiler.unit.first_by_name.get(function.name)
    if cursor is None:
        return None
    type_ = compiler.unit.converter._type(cursor.result_type)
    shape = compiler.program.shapes.of(type_)
    return shape if shape.kind != "void" else None


def _assigned(lines: Sequence[str], names: dict[str, str]) -> list[str]:
    """Those of the names that some line gives a value."""
    found = []
    for name in names:
        plain, inside = f"{name} = ", f"({name} := "
        if any(line.lstrip().startswith(plain) or inside in line for line in lines):
            found.append(name)
    return found


def _code(text: str, name: str) -> CodeType:
    """Python's own parser has a limit on what is nested, and sums of very many terms are beyond."""
    try:
        return compile(text, f"<{name}>", "exec")
    except (RecursionError, MemoryError) as problem:
        raise NotExecuted("too many terms in an expression") from problem
    except SyntaxError as problem:
        if "too many nested" not in str(problem):
            raise
        raise NotExecuted("too many terms in an expression") from problem
