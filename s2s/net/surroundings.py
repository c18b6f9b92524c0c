"""What is before changed statements: the values that their variables have there.

The statements in front are executed where that is cheap, so that what they make sure holds; loops
are passed by, and what they set is taken for unknown. An input with which the program does not get
to the changed statements is ``Unreached``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Any

from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.syntax import Decl, Node
from s2s.net.errors import Exited, NotExecuted, OutOfSteps, Undefined, Unreached
from s2s.net.execution import Compiler, Values, find_addressed
from s2s.net.expressions import Expressions
from s2s.net.memory import Cells
from s2s.net.shapes import Shape
from s2s.net.statement_parts import for_parts
from s2s.net.statements import Statements
from s2s.net.texts import Place
from s2s.net.where import Changed
from s2s.source.records import dataclass

_STEPS = 500


@dataclass
class Surroundings:
    """Gives the variables before changed statements their values."""

    compiler: Compiler
    changed: Changed
    variables: dict[str, Place] = field(default_factory=dict)
    _writer: _Front = field(init=False)
    _source: str = ""

    def __post_init__(self) -> None:
        expressions = Expressions(self.compiler.program, find_addressed([self.changed.function]))
        compiler = self.compiler
        self._writer = _Front(
            expressions, compiler.text, lambda *_: "_unreached()", compiler.directives
        )
        self._write()

    def _write(self) -> None:
        writer = self._writer
        for parameter in self.changed.function.children:
            if parameter.kind == "PARM_DECL" and parameter.decl is not None:
                writer.given(parameter.decl)
        path = [*self.changed.path, *self.changed.statements[:1]]
        for node, inner in pairwise(path):
            writer.towards(node, inner)
        self.variables = writer.visible
        names = ", ".join(f"{n!r}: {p.text}" for n, p in self.variables.items())
        writer.write(f"return {{{names}}}")
        self._source = "\n".join([*self.compiler._texts, "def _front():", *writer.lines, ""])
        self._code = compile(self._source, "<front>", "exec")

    def run(self, memory: Cells, given: Callable[[str, Shape, bool], Any]) -> Values:
        """The variables by name; ``given`` has values for those that nothing sets.

        It gets a variable's name, type, and whether what it leads to is its own alone.
        """
        ticks = iter(range(_STEPS))
        space = self.compiler.space(memory, [], ticks.__next__)
        space |= {"_given": given, "_unreached": _unreached, "_Skip": _SKIPPED,
                  "_place": memory.world.place,
                  "_shapes": self._writer.shapes}  # fmt: skip
        try:
            exec(self._code, space)
            values: Values = space["_front"]()
        except (StopIteration, TypeError, ZeroDivisionError, OverflowError) as problem:
            raise Unreached(str(problem)) from None
        except Exited:
            raise Unreached("the program ends before") from None
        for name, place in self.variables.items():
            if values[name] is None and not place.in_memory:
                values[name] = given(name, place.shape, True)
        return values


_SKIPPED = (NotExecuted, Undefined, OutOfSteps, StopIteration, TypeError, ZeroDivisionError)


def _unreached() -> None:
    raise Unreached("the changed statements are not reached")


class _Front(Statements):
    """Writes what stands in front."""

    def __init__(self, expressions: Expressions, text: Any, leave: Any, directives: Any) -> None:
        super().__init__(expressions, text, leave, directives)
        self.visible: dict[str, Place] = {}
        self.shapes: list[Shape] = []

    def given(self, decl: Decl) -> None:
        """A parameter."""
        widths = [self._kept(w) for w in self._safely(decl)]
        shape = self.expressions.program.shapes.of(decl.type, widths)
        if not shape.is_scalar:
            self._place(decl, shape)
            return
        self.shapes.append(shape)
        place = Place(f"p_{decl.name}", shape, decl in self.expressions.in_memory)
        which = f"{decl.name!r}, _shapes[{len(self.shapes) - 1}], {decl.type.restrict}"
        self.write(f"{place.text} = _given({which})")
        if place.in_memory:
            self.write(f"_p = {self.allocated(decl, shape)}; M[_p] = {place.text}; "
                       f"{place.text} = _p")  # fmt: skip
        self._see(decl, place)

    def _safely(self, decl: Decl) -> list[str]:
        try:
            return self.expressions.lengths(decl)
        except NotExecuted:
            return []

    def _place(self, decl: Decl, shape: Shape) -> None:
        place = Place(f"p_{decl.name}", shape, True)
        self.write(f"{place.text} = {self.allocated(decl, shape)}")
        self._see(decl, place)

    def _see(self, decl: Decl, place: Place) -> None:
        self.expressions.variables[decl] = place
        self.visible[decl.name] = place

    def allocated(self, decl: Decl, shape: Shape) -> str:
        self.shapes.append(shape)
        extent = shape.size or None
        return f"_place({'&' + decl.name!r}, _shapes[{len(self.shapes) - 1}], {extent})"

    def declare(self, node: Node, decl: Decl) -> None:
        if decl.is_static or decl.is_global:
            return
        before = len(self.lines)
        try:
            super().declare(node, decl)
        except NotExecuted:
            del self.lines[before:]  # its place was among them
            self._unknown(decl)
        self.visible[decl.name] = self.expressions.variables[decl]

    def _unknown(self, decl: Decl) -> None:
        shape = self.expressions.program.shapes.of(decl.type)
        if shape.is_scalar and decl not in self.expressions.in_memory:
            self._count += 1
            place = Place(f"v_{decl.name}_{self._count}", shape, False)
            self.write(f"{place.text} = None")
            self._see(decl, place)
        else:
            self._place(decl, shape)

    def _leave(self, child: Node, outside: dict[str, Place]) -> None:
        """Forget what is declared inside of a statement, which may not even have run."""
        for name in {n.name for n in child.walk() if n.kind == "VAR_DECL"}:
            if name in outside:
                self.visible[name] = outside[name]
            else:
                self.visible.pop(name, None)

    def towards(self, node: Node, inner: Node) -> None:
        """What runs between a node's beginning and one of the statements below."""
        if node.kind == "COMPOUND_STMT":
            for child in node.children:
                if child is inner or child.span.start >= inner.span.start:
                    break
                outside = dict(self.visible)
                self._in_front(child)
                if child.kind != "DECL_STMT":
                    self._leave(child, outside)
        elif node.kind == "FOR_STMT":
            init, condition, _, _ = for_parts(node, self.text(node))
            if init is not None:
                self._in_front(init)
            self._holds(condition)
        elif node.kind == "IF_STMT":
            self._holds(node.children[0], negated=len(node.children) > 2
                        and node.children[2] is inner)  # fmt: skip
        elif node.kind == "WHILE_STMT":
            self._holds(node.children[0])

    def _holds(self, condition: Node | None, *, negated: bool = False) -> None:
        if condition is None:
            return
        try:
            test = self.expressions.condition(condition)
        except NotExecuted:
            return
        self.write("try:")
        self.write(f"    if {'' if negated else 'not '}({test}): _unreached()")
        self._passed_over([condition])

    def _in_front(self, node: Node) -> None:
        if any(n.is_loop or n.kind in ("GOTO_STMT", "LABEL_STMT") for n in node.walk()):
            self._forget([node])
            return
        if node.kind == "DECL_STMT":
            self._declarations(node)
            return
        self.write("try:")
        self.body(node)
        self._passed_over([node])

    def _declarations(self, node: Node) -> None:
        for child in node.children:
            if child.kind != "VAR_DECL" or child.decl is None:
                continue
            name = child.decl
            self.write("try:")
            self._depth += 1
            self.declare(child, name)
            self.write("pass")
            self._depth -= 1
            self.write("except _Skip:")
            self.write("    pass")
            place = self.expressions.variables.get(name)
            if place is not None and not place.in_memory:
                self.write(f"    {place.text} = None")
            elif place is not None:
                self.write(f"    {place.text} = {self.allocated(name, place.shape)}")

    def _passed_over(self, nodes: Sequence[Node]) -> None:
        self.write("except _Skip:")
        self._depth += 1
        self.write("pass")
        self._forget(nodes)
        self._depth -= 1

    def _forget(self, nodes: Sequence[Node]) -> None:
        """What the statements set is not known."""
        for decl in assigned_in(nodes):
            place = self.expressions.variables.get(decl)
            if place is not None and not place.in_memory:
                self.write(f"{place.text} = None")
