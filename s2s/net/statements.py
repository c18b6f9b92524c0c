"""C statements as lines of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import INCREMENTS, Decl, Node
from s2s.frontends.openmp.directives import Directive
from s2s.net.errors import NotExecuted
from s2s.net.expressions import Expressions
from s2s.net.private import private_in
from s2s.net.shapes import Shape, scalars_of
from s2s.net.statement_parts import (
    assigns_inside,
    cases,
    for_parts,
    is_target,
    single,
)
from s2s.net.texts import Place, Term
from s2s.source.records import dataclass

_LEAVING = frozenset({"BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT"})


@dataclass
class _Loop:
    """A loop around a statement: the lines that ``continue`` needs before it."""

    step: Callable[[], list[str]]
    is_switch: bool = False


@dataclass
class Statements:
    """Writes statements. ``leave`` gives the line for a jump out of the text: its kind, a value.

    ``header`` are the spans of a ``for`` statement's three parts, told by its text.
    """

    expressions: Expressions
    text: Callable[[Node], str]
    leave: Callable[[str, str], str]
    directives: Callable[[int], Sequence[Directive]]
    result: Shape | None = None
    lines: list[str] = field(default_factory=list)
    _depth: int = 1
    _loops: list[_Loop] = field(default_factory=list)
    _labels: list[str] = field(default_factory=list)
    _count: int = 0

    def write(self, line: str) -> None:
        self.lines.append("    " * self._depth + line)

    def run(self, node: Node) -> None:
        """Write one statement; what cannot be executed becomes a line that says so when reached."""
        kept = len(self.lines), self._depth, len(self._loops), len(self._labels)
        try:
            directives = self.directives(node.span.start)
            if directives:
                self._with_own(node, directives)
            else:
                self._plain(node)
        except NotExecuted as problem:
            del self.lines[kept[0] :], self._loops[kept[2] :], self._labels[kept[3] :]
            self._depth = kept[1]
            self.write(f"_no({str(problem)!r})")

    def _plain(self, node: Node) -> None:
        method = getattr(self, "_" + node.kind.lower(), None)
        if method is not None:
            method(node)
        else:
            self._expression(node)

    def _with_own(self, node: Node, directives: Sequence[Directive]) -> None:
        """A statement with variables of its own."""
        kept: list[tuple[Place, str]] = []
        for decl, with_value in private_in(node, directives):
            place = self.expressions.place_of(decl)
            if not place.shape.is_scalar:
                self._own_array(place, with_value=with_value)
                continue
            kept.append((place, self._kept(_target(place))))
            if not with_value:
                self.write(f"{_target(place)} = None")
        self._plain(node)
        for place, name in kept:
            self.write(f"{_target(place)} = {name}")

    def _own_array(self, place: Place, *, with_value: bool) -> None:
        """An array's old contents are not kept: nothing but its own construct is to read it."""
        if with_value:
            raise NotExecuted("a firstprivate array")
        del place

    def body(self, node: Node | None) -> None:
        """The statement below a loop or branch."""
        self._depth += 1
        start = len(self.lines)
        if node is not None:
            self.run(node)
        if len(self.lines) == start:
            self.write("pass")
        self._depth -= 1

    # -- blocks ---------------------------------------------------------------------------------

    def _compound_stmt(self, node: Node) -> None:
        self.sequence(node.children)

    def sequence(self, children: Sequence[Node]) -> None:
        """Statements in a row; a jump to a label among them leaves the ones before it."""
        labels = [i for i, c in enumerate(children) if c.kind == "LABEL_STMT"]
        wanted = [i for i in labels if is_target(children[:i], children[i].name)]
        if not wanted:
            for child in children:
                self.run(child)
            return
        last = wanted[-1]
        name = children[last].name
        self.write("try:")
        self._labels.append(name)
        self._depth += 1
        start = len(self.lines)
        self.sequence(children[:last])
        if len(self.lines) == start:
            self.write("pass")
        self._depth -= 1
        self._labels.pop()
        self.write("except _Goto as _jump:")
        self.write(f"    if _jump.label != {name!r}: raise")
        self.sequence(children[last:])

    def _label_stmt(self, node: Node) -> None:
        for child in node.children:
            self.run(child)

    def _goto_stmt(self, node: Node) -> None:
        name = node.children[0].name if node.children else node.name
        if name in self._labels:
            self.write(f"raise _Goto({name!r})")
        else:
            self.write(self.leave(f"goto {name}", "None"))

    def _null_stmt(self, node: Node) -> None:
        del node

    # -- declarations ---------------------------------------------------------------------------

    def _decl_stmt(self, node: Node) -> None:
        for child in node.children:
            if child.kind == "VAR_DECL" and child.decl is not None:
                self.declare(child, child.decl)
            elif child.kind not in ("STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL",
                                    "FUNCTION_DECL", "STATIC_ASSERT"):  # fmt: skip
                raise NotExecuted(f"a {child.kind.lower()}")

    def declare(self, node: Node, decl: Decl) -> None:
        """A variable's declaration, with its initializer."""
        if decl.is_static or decl.is_global:
            return
        writer = self.expressions
        widths = []
        for length in writer.lengths(decl):
            widths.append(self._kept(length))
        shape = writer.program.shapes.of(decl.type, widths)
        if shape.kind == "array" and not shape.width.isdigit():
            shape = replace(shape, width=self._kept(shape.width))
        in_memory = decl in writer.in_memory or not (shape.is_scalar or shape.is_vector)
        self._count += 1
        place = Place(f"v_{decl.name}_{self._count}", shape, in_memory)
        first = initializer(node)
        # The initializer sees the new variable only by its address.
        if in_memory:
            self.write(f"{place.text} = {self.allocated(decl, shape)}")
            writer.variables[decl] = place
            if first is not None:
                self.initialize(place, first)
            return
        text = "None" if first is None else writer.converted(single(first), shape)
        writer.variables[decl] = place
        self.write(f"{place.text} = {text}")

    def allocated(self, decl: Decl, shape: Shape) -> str:
        """Text of the address of a new variable."""
        return f"M.allocate({shape.width})"

    def _kept(self, text: str) -> str:
        """A name for a value that is computed here."""
        if text.isdigit():
            return text
        self._count += 1
        self.write(f"d_{self._count} = {text}")
        return f"d_{self._count}"

    def initialize(self, place: Place, node: Node) -> None:
        """Write an initializer's stores."""
        writer, shape = self.expressions, place.shape
        if node.kind == "INIT_LIST_EXPR" and not shape.is_scalar:
            self._listed(place, node)
        elif shape.kind == "record":
            self.write(writer.moved(place.text, writer.value(node).text, shape))
        elif shape.is_scalar:
            self.store(place, writer.converted(single(node), shape))
        else:
            raise NotExecuted("an initializer")

    def _listed(self, place: Place, node: Node) -> None:
        shape = place.shape
        for offset, leaf in scalars_of(shape):
            zero = "0.0" if leaf.kind == "float" else "0"
            self.write(f"M[{place.text}+{offset}] = {zero}")
        if shape.kind != "array":
            if all(c.kind != "UNEXPOSED_EXPR" for c in node.children):
                self._members(place, node)
                return
            raise NotExecuted("an initializer")
        if not shape.size:
            raise NotExecuted("an initializer of unknown length")
        for index, child in enumerate(node.children):
            if child.kind == "UNEXPOSED_EXPR":
                raise NotExecuted("a designated initializer")
            inner = Place(f"({place.text}+{index * shape.target.size})", shape.target, True)
            self.initialize(inner, child)

    def _members(self, place: Place, node: Node) -> None:
        leaves = scalars_of(place.shape)
        if len(leaves) < len(node.children) or any(
            c.kind == "INIT_LIST_EXPR" for c in node.children
        ):
            raise NotExecuted("an initializer")
        for (offset, leaf), child in zip(leaves, node.children, strict=False):
            self.initialize(Place(f"({place.text}+{offset})", leaf, True), child)

    # -- expressions as statements --------------------------------------------------------------

    def _expression(self, node: Node) -> None:
        writer = self.expressions
        if node.kind == "BINARY_OPERATOR" and node.op == "=":
            self._assignment(node)
        elif node.kind == "COMPOUND_ASSIGNMENT_OPERATOR":
            self._update(node, lambda now: writer.combined(node, now))
        elif node.kind == "UNARY_OPERATOR" and node.op in INCREMENTS:
            self._count_one(node)
        elif node.kind == "BINARY_OPERATOR" and node.op == ",":
            for child in node.children:
                self._expression(child)
        else:
            self.write(writer.exact(node))

    def _assignment(self, node: Node) -> None:
        writer = self.expressions
        place = writer.place(node.children[0])
        if not place.shape.is_scalar and (place.in_memory or not place.shape.is_vector):
            self.write(writer.value(node).text)
            return
        text = writer.converted(node.children[1], place.shape)
        self.store(place, text)

    def store(self, place: Place, text: str) -> None:
        """Write a store, and that it was made."""
        if not place.in_memory:
            self.write(f"{place.text} = {text}")
            return
        if not place.text.isidentifier():
            self.write(f"_q = {place.text}; M[_q] = {text}; _w(_q)")
        else:
            self.write(f"M[{place.text}] = {text}; _w({place.text})")

    def _update(self, node: Node, combined: Callable[[Term], Term]) -> None:
        writer = self.expressions
        place = writer.place(node.children[0])
        if place.in_memory and not place.text.isidentifier():
            self.write(f"_p = {place.text}")
            place = Place("_p", place.shape, True)
            if assigns_inside(node):
                raise NotExecuted("a call in an update")
        term = combined(Term(_target(place), place.shape))
        self.store(place, writer.convert(term, place.shape))

    def _count_one(self, node: Node) -> None:
        writer = self.expressions
        place = writer.place(node.children[0])
        if place.in_memory:
            self.write(f"_p = {place.text}")
            place = Place("_p", place.shape, True)
        text = writer.counted(node, Term(_target(place), place.shape))
        if not place.in_memory and place.shape.kind == "int" and place.shape.signed:
            text = f"{place.text} {node.op[-1]} 1" if place.shape.size >= 4 else text
        self.store(place, text)

    # -- branches -------------------------------------------------------------------------------

    def _if_stmt(self, node: Node) -> None:
        branches = node.children[1:]
        if len(node.children) > 3:
            raise NotExecuted("an 'if' with a declaration")
        self.write(f"if {self.expressions.choice(node)}:")
        if node is self.expressions.guard:
            self.write("    _taken.append(1)")
        self.body(branches[0] if branches else None)
        if len(branches) > 1:
            self.write("else:")
            self.body(branches[1])

    def _switch_stmt(self, node: Node) -> None:
        subject, block = node.children
        name = self._kept(self.expressions.exact(subject))
        for number, (labels, statements) in enumerate(cases(block)):
            tests = [f"{name} == {value}" for value in labels if value is not None]
            test = "True" if None in labels else " or ".join(tests)
            self.write(f"{'el' if number else ''}if {test}:")
            self._loops.append(_Loop(list, is_switch=True))
            self._depth += 1
            start = len(self.lines)
            self.sequence(statements)
            if len(self.lines) == start:
                self.write("pass")
            self._depth -= 1
            self._loops.pop()

    # -- loops ----------------------------------------------------------------------------------

    def _for_stmt(self, node: Node) -> None:
        init, condition, step, body = for_parts(node, self.text(node))
        if init is not None:
            self.run(init)
        test = "True" if condition is None else self.expressions.condition(condition)
        lines = self._separately(step)
        self.write(f"while {test}:")
        self._iteration(body, lambda: lines)

    def _separately(self, node: Node | None) -> list[str]:
        """The lines of a statement, without their indentation."""
        if node is None:
            return []
        kept, depth = self.lines, self._depth
        self.lines, self._depth = [], 0
        self.run(node)
        found, self.lines, self._depth = self.lines, kept, depth
        return found

    def _iteration(self, body: Node, step: Callable[[], list[str]]) -> None:
        self._loops.append(_Loop(step))
        self._depth += 1
        self.write("_t()")
        self.run(body)
        for line in step():
            self.write(line)
        self._depth -= 1
        self._loops.pop()

    def _while_stmt(self, node: Node) -> None:
        condition, body = node.children
        self.write(f"while {self.expressions.condition(condition)}:")
        self._iteration(body, list)

    def _do_stmt(self, node: Node) -> None:
        body, condition = node.children
        test = self.expressions.condition(condition)
        self.write("while True:")
        self._iteration(body, lambda: [f"if not {test}: break"])

    def _break_stmt(self, node: Node) -> None:
        del node
        if not self._loops:
            self.write(self.leave("break", "None"))
        elif self._loops[-1].is_switch:
            raise NotExecuted("a 'break' inside a case")
        else:
            self.write("break")

    def _continue_stmt(self, node: Node) -> None:
        del node
        loop = next((x for x in reversed(self._loops) if not x.is_switch), None)
        if loop is None:
            self.write(self.leave("continue", "None"))
            return
        for line in loop.step():
            self.write(line)
        self.write("continue")

    def _return_stmt(self, node: Node) -> None:
        text = "None"
        if node.children:
            value = self.expressions.value(node.children[0])
            shape = self.result if self.result is not None else value.shape
            if not shape.is_scalar and shape.kind != "void":
                raise NotExecuted("a record as a result")
            text = self.expressions.convert(value, shape)
        self.write(self.leave("return", text))


def _target(place: Place) -> str:
    return f"M[{place.text}]" if place.in_memory else place.text
