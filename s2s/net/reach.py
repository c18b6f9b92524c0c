"""Whether the body of an emitted loop may reach a window, for a range of the loop's counter.

The body is run on intervals: each variable is known to lie between two values. What is not
understood may be anything, so that the answer is yes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from s2s.frontends.c.syntax import Node
from s2s.net.arithmetic import FAR, Arithmetic, NoValue, Ranges, Variable
from s2s.net.leaves import Leaves
from s2s.source.records import dataclass

Names = dict[str, Variable | None]
_CLAMPS = {"<": "max", ">": "min"}
_ANY = (str(-FAR), str(FAR))


@dataclass
class Reach:
    """Writes the function ``reach(a, b)``: whether a leaf of the window may run for a counter."""

    leaves: Leaves
    arithmetic: Arithmetic
    count: Counter[str]
    lines: list[str] = field(default_factory=list)
    _open: set[str] = field(default_factory=set)
    """Least values of variables that were declared without one."""

    def function(self, counter: str, body: Node, names: Mapping[str, Variable | None]) -> list[str]:
        """The lines of the function for a loop; variables around it have one value each."""
        inner = dict(names)
        inner[counter] = Variable("a", "b")
        self._statement(body, inner, 1)
        return ["def reach(a, b):", *self.lines, " return False"]

    def _statement(self, node: Node, names: Names, depth: int) -> None:
        leaf = self.leaves.at(node)
        if leaf is not None:
            self._leaf(leaf[1], names, depth)
        elif node.kind == "COMPOUND_STMT":
            inner = dict(names)
            for part, _ in self.leaves.parts(node):
                self._statement(part, inner, depth)
        elif node.kind == "FOR_STMT":
            self._for(node, dict(names), depth)
        elif node.kind == "IF_STMT":
            self._if(node, names, depth)
        elif node.kind == "DECL_STMT":
            for child in node.children:
                if child.kind == "VAR_DECL":
                    self._declare(child, names, depth)
        elif node.kind == "BINARY_OPERATOR" and node.op == "=":
            self._assign(node, names, depth)

    def _declare(self, node: Node, names: Names, depth: int) -> None:
        """A variable; without a value it lies between what it is set to from now on."""
        names[node.name] = None
        if node.type.kind != "int":
            return
        if node.children:
            self._set(node.name, node.children[-1], names, depth)
            return
        self.count["ranges"] += 1
        low, high = (f"{end}{self.count['ranges']}" for end in "lh")
        names[node.name] = Variable(low, high)
        self._open.add(low)
        self._line(depth, f"{low}, {high} = {', '.join(_ANY[::-1])}")

    def _line(self, depth: int, text: str) -> None:
        self.lines.append(" " * depth + text)

    def _range(self, node: Node, names: Names, depth: int) -> tuple[str, str]:
        ranges = Ranges(self.arithmetic, [], self.count["ranges"])
        ends = ranges.range(node, names)
        self.count["ranges"] = ranges.count
        self.lines += [" " * depth + line for line in ranges.lines]
        return ends

    def _set(self, name: str, value: Node, names: Names, depth: int) -> None:
        try:
            low, high = self._range(value, names, depth)
        except NoValue:
            return
        self.count["ranges"] += 1
        number = self.count["ranges"]
        names[name] = Variable(f"l{number}", f"h{number}")
        self._line(depth, f"l{number}, h{number} = {low}, {high}")

    def _leaf(self, name: str, names: Names, depth: int) -> None:
        name, lane, count = self.leaves.statement(name)
        self._line(depth, f"w = window['{name}']")
        asked = []
        spellings = self.leaves.iterators[name]
        for place, spelling in enumerate(spellings):
            variable = names.get(spelling)
            if variable is not None and spelling not in spellings[place + 1 :]:
                low, high = variable.low, variable.high
                if place == lane and count > 1:
                    high = f"({high}) + {count - 1}"
                meets = f"w[{place}][0] <= {high} and {low} <= w[{place}][1]"
                asked.append(f"(w[{place}] is None or {meets})")
        self._line(depth, f"if {' and '.join(asked) or 'True'}: return True")

    def _for(self, node: Node, names: Names, depth: int) -> None:
        init, condition, _, body = node.children
        self._forget_set(body, names, depth)
        name, first = init.children[0].name, init.children[-1]
        if init.kind == "DECL_STMT":
            first = init.children[0].children[-1]
        try:
            low, high = self._range(first, names, depth)
            names[name] = None
            el, eh = self._range(condition.children[1], names, depth)
        except NoValue:
            names[name] = None
            self._statement(body, names, depth)
            return
        self.count["ranges"] += 1
        number = self.count["ranges"]
        strict = " - 1" if condition.op == "<" else " + 1" if condition.op == ">" else ""
        up = condition.op[0] == "<"
        bounds = f"{low}, {eh}{strict}" if up else f"{el}{strict}, {high}"
        self._line(depth, f"l{number}, h{number} = {bounds}")
        names[name] = Variable(f"l{number}", f"h{number}")
        self._line(depth, f"if l{number} <= h{number}:")
        self._line(depth + 1, "pass")
        self._statement(body, names, depth + 1)

    def _forget_set(self, body: Node, names: Names, depth: int) -> None:
        """What a loop sets may be anything in it: another iteration has set it before."""
        for node in body.walk():
            if node.kind == "BINARY_OPERATOR" and node.op == "=":
                variable = names.get(node.children[0].name)
                if variable is not None and variable.low in self._open:
                    self._line(depth, f"{variable.low}, {variable.high} = {', '.join(_ANY)}")

    def _if(self, node: Node, names: Names, depth: int) -> None:
        if self._clamp(node, names, depth):
            return
        condition, *branches = node.children
        try:
            low, high = self._range(condition, names, depth)
        except NoValue:
            low, high = "False", "True"
        for taken, branch in zip((high, f"not {low}"), branches, strict=False):
            self._line(depth, f"if {taken}:")
            self._line(depth + 1, "pass")
            self._statement(branch, names, depth + 1)

    def _clamp(self, node: Node, names: Names, depth: int) -> bool:
        """``if (x < e) x = e;`` is a maximum."""
        condition, *branches = node.children
        (body,) = branches if len(branches) == 1 else (node,)
        if body.kind != "BINARY_OPERATOR" or body.op != "=":
            return False
        kind = _CLAMPS.get(condition.op)
        name = body.children[0].name
        compared, end = condition.children if kind else (node, node)
        text = self.arithmetic.text
        value = text(body.children[1]).split()  # lines are broken differently in the two
        same = kind and text(compared) == name and text(end).split() == value
        variable = names.get(name)
        if not same or variable is None:
            return False
        try:
            low, high = self._range(end, names, depth)
        except NoValue:
            return False
        self.count["ranges"] += 1
        new = Variable(f"l{self.count['ranges']}", f"h{self.count['ranges']}")
        ends = f"{kind}({variable.low}, {low}), {kind}({variable.high}, {high})"
        self._line(depth, f"{new.low}, {new.high} = {ends}")
        names[name] = new
        return True

    def _assign(self, node: Node, names: Names, depth: int) -> None:
        """Only maxima and minima are expected of code that keeps its variables, and cases."""
        target = node.children[0]
        variable = names.get(target.name) if target.kind == "DECL_REF_EXPR" else None
        if variable is None:
            return
        if variable.low not in self._open:
            self._line(depth, "return True")
            return
        try:
            low, high = self._range(node.children[1], names, depth)
        except NoValue:
            low, high = _ANY
        ends = f"min({variable.low}, {low}), max({variable.high}, {high})"
        self._line(depth, f"{variable.low}, {variable.high} = {ends}")
