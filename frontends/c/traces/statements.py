"""Functions of C as functions of Python that run on numbers and symbols.

A loop says which of its iterations runs, and may leave some out (``Watch``); what is assigned under
a comparison of data becomes a choice between the new value and the old one.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.c.traces.expressions import Expressions, Names
from s2s.frontends.c.traces.library import number_type
from s2s.frontends.c.traces.watch import FIRST
from s2s.scop.symbols import NotSymbolic


class Statements:
    """Prints the body of a function; all methods raise NotSymbolic."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.expressions = Expressions(names)
        self.lines: list[str] = []
        self._indent = 1

    def function(self, name: str, node: Node) -> list[str]:
        """The lines of a function's definition."""
        parameters = [c.decl for c in node.children if c.kind == "PARM_DECL" and c.decl]
        words = ", ".join(self.names.variable(decl) for decl in parameters)
        self.lines = [f"def {name}({words}):"]
        self._statement(node.children[-1])
        self._add("return None")
        return self.lines

    def _add(self, text: str) -> None:
        self.lines.append("    " * self._indent + text)

    def _inside(self, node: Node) -> None:
        self._indent += 1
        self._statement(node)
        self._add("pass")
        self._indent -= 1

    def _statement(self, node: Node) -> None:
        match node.kind:
            case "COMPOUND_STMT":
                for child in node.children:
                    self._statement(child)
            case "NULL_STMT":
                pass
            case "DECL_STMT":
                for child in node.children:
                    self._declare(child)
            case "FOR_STMT" | "WHILE_STMT" | "DO_STMT":
                self._loop(node)
            case "IF_STMT":
                self._branch(node)
            case "LABEL_STMT":
                self._statement(node.children[-1])
            case "BREAK_STMT":
                self._add("break")
            case "CONTINUE_STMT":
                self._add("continue")
            case "RETURN_STMT":
                value = self.expressions.value(node.children[0]) if node.children else "None"
                self._add(f"return {value}")
            case "CSTYLE_CAST_EXPR" if node.type.kind == "void":
                pass  # (void)x
            case _:
                self._add(f"run.at = {self.names.at(node)}")
                self._add(self.expressions.value(node))

    def _declare(self, node: Node) -> None:
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None:
            return
        name = self.names.variable(decl)
        first = node.children[-1] if node.children else None
        if decl.type.kind == "array":
            self._add(f"{name} = ({self.names.fresh(decl.name + '#')!r}, 0)")
            if first is not None and first.kind == "INIT_LIST_EXPR":
                self._fill(node, name, first)
            return
        if decl.is_static and not decl.type.const:
            raise NotSymbolic(f"'{decl.name}' keeps its value between calls", node.span)
        if decl.type.kind == "pointer" or number_type(decl.type) is not None:
            if first is None or first.kind.endswith("_REF"):
                self._add(f"{name} = None")
            else:
                self._add(f"run.at = {self.names.at(node)}")
                self._add(f"{name} = {self.expressions.value(first)}")
            return
        raise NotSymbolic(f"'{decl.name}' is no number, pointer or array", node.span)

    def _fill(self, node: Node, name: str, first: Node) -> None:
        """The values of an array's initialization, and zeros after them."""
        size = self.expressions.elements(node.type, node)
        if not size.replace(" * ", "").isdecimal():
            raise NotSymbolic("an array of unknown extents", node.span)
        number = self.names.fresh("i")
        self._add(f"for {number} in range({size}): store({name}, {number}, 0)")
        self._fill_part(name, first, 0)

    def _fill_part(self, name: str, node: Node, start: int) -> None:
        inner = node.type.element
        size = 1
        while inner is not None and inner.kind == "array":
            size, inner = size * (inner.count or 1), inner.element
        for place, child in enumerate(node.children):
            if child.kind == "INIT_LIST_EXPR":
                self._fill_part(name, child, start + place * size)
            else:
                self._add(f"store({name}, {start + place * size}, {self.expressions.value(child)})")

    # ---- loops

    def _loop(self, node: Node) -> None:
        start, test, step, body = self._parts(node)
        if start is not None:
            self._statement(start)
        name = self.names.fresh("loop")
        number, watch = f"n_{name}", f"w_{name}"
        changed = self._changed(node)
        condition = "True" if test is None else self.expressions.condition(test)
        words = "".join(f"{one}, " for one in changed)
        can_jump = ":=" not in condition and test is not None and node.kind != "DO_STMT"
        guess = f"lambda {', '.join(changed)}: {condition}" if can_jump else "None"
        self._add(f"{number} = -1")
        self._add(f"{watch} = run.enter({name!r}, {guess})")
        self._add("while True:")
        self._indent += 1
        self._add(f"{number} += 1")
        if step is not None:
            self._add(f"if {number}: {self.expressions.value(step)}")
        if node.kind == "DO_STMT":
            self._add(f"if {number} and not {condition}: break")
        elif test is not None:
            self._add(f"run.at = {self.names.at(test)}")
            self._add(f"if not {condition}: break")
        if can_jump and changed:
            self._add(f"if {watch} is not None:")
            self._add(f"    jump = {watch}.jump({number}, ({words}))")
            self._add("    if jump is not None:")
            self._add(f"        if {number} == {FIRST}: run.fill_ahead({watch})")
            self._add(f"        {number}, ({words}) = jump")
        self._add("run.left -= 1")
        self._add("if run.left < 0: run.stop()")
        self._add(f"active[{name!r}] = {number}")
        self._statement(body)
        self._indent -= 1
        self._add(f"run.leave({name!r}, {number}, {watch})")

    def _parts(self, node: Node) -> tuple[Node | None, Node | None, Node | None, Node]:
        """Start, test, step and body of a loop, as far as they are there."""
        *head, body = node.children
        if node.kind == "WHILE_STMT":
            return None, head[0], None, body
        if node.kind == "DO_STMT":
            return None, body, None, head[0]
        if len(head) == 3:
            return head[0], head[1], head[2], body
        found: list[Node | None] = [None, None, None]
        first, second = _semicolons(self.names.text(node.span), node.span.start)
        for part in head:
            place = part.span.start
            found[0 if place < first else 1 if place < second else 2] = part
        return found[0], found[1], found[2], body

    def _changed(self, node: Node) -> list[str]:
        """The variables from outside of a loop that it sets."""
        own = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
        start = node.children[0]
        if node.kind == "FOR_STMT" and start.kind == "DECL_STMT":
            own -= {n.decl for n in start.children}
        found: dict[str, None] = {}
        for below in node.walk():
            decl = _target(below)
            if decl is not None and decl not in own and not decl.is_global:
                found[self.names.variable(decl)] = None
        return list(found)

    # ---- branches

    def _branch(self, node: Node) -> None:
        test, *branches = node.children
        condition = self.expressions.condition(test)
        self._add(f"run.at = {self.names.at(node)}")
        choices = self._choices(branches)
        if choices is not None:
            name = self.names.fresh("t")
            self._add(f"{name} = {condition}")
            self._add(f"if {name}.__class__ is Test:")
            self._indent += 1
            for target, then, otherwise in choices:
                self._choose(name, target, then, otherwise)
            self._indent -= 1
            condition = f"elif {name}:"
        else:
            condition = f"if {condition}:"
        self._add(condition)
        self._inside(branches[0])
        if len(branches) > 1:
            self._add("else:")
            self._inside(branches[1])

    def _choices(self, branches: Sequence[Node]) -> list[tuple[Node, Node, Node | None]] | None:
        """The assignments of branches: target, value, and the value of the other branch."""
        sides = [_assignments(branch) for branch in branches]
        if any(side is None for side in sides):
            return None
        then = sides[0] or []
        if len(sides) == 1:
            return [(one.children[0], one.children[1], None) for one in then]
        otherwise = sides[1] or []
        if len(then) != len(otherwise):
            return None
        pairs = zip(then, otherwise, strict=True)
        return [(a.children[0], a.children[1], b.children[1]) for a, b in pairs]

    def _choose(self, test: str, target: Node, then: Node, otherwise: Node | None) -> None:
        """Set a target to one of two values, the second one its own where there is no other."""
        if target.kind == "DECL_REF_EXPR":
            old = self.expressions.value(target)
            set_to = "{}"
        else:
            base, index = self.expressions.place(target)
            pointer = self.names.fresh("p")
            self._add(f"{pointer} = move({base}, {index})")
            old, set_to = f"load({pointer}, 0)", f"store({pointer}, 0, {{}})"
        second = old if otherwise is None else self.expressions.value(otherwise)
        value = f"select({test}, {self.expressions.value(then)}, {second})"
        if target.kind == "DECL_REF_EXPR":
            self._add(self.expressions.assign(target, value))
        else:
            self._add(set_to.format(value))


def _semicolons(text: str, start: int) -> tuple[int, int]:
    """Where the two of a ``for`` loop's header are, in bytes of the file."""
    first = text.find(";")
    second = text.find(";", first + 1)
    return start + len(text[:first].encode()), start + len(text[:second].encode())


def _target(node: Node) -> Decl | None:
    """The variable that an expression sets."""
    sets = node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or node.op in ASSIGNMENTS
    sets |= node.kind == "UNARY_OPERATOR" and node.op in INCREMENTS
    target = node.children[0] if sets and node.children else None
    return target.decl if target is not None and target.kind == "DECL_REF_EXPR" else None


def _assignments(node: Node) -> list[Node] | None:
    """The statements of a branch where all are assignments."""
    nodes = [n for n in node.statements if n.kind != "NULL_STMT"]
    if all(n.kind == "BINARY_OPERATOR" and n.op == "=" for n in nodes):
        return nodes
    return None
