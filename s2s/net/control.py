"""The control flow of emitted code as a Python function that says which leaves run in which order.

Of a large region only a window is executed: boxes of statement instances. Ranges of a loop's
counter from which no leaf comes into the window are passed over: for them the loop's body is run
on intervals, which contain all values that a variable may have there (``s2s.net.reach``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType

from s2s.frontends.c.syntax import Node
from s2s.net import Mismatch
from s2s.net.arithmetic import FUNCTIONS, Arithmetic, NoValue, Variable
from s2s.net.leaves import Leaves
from s2s.net.reach import Reach
from s2s.net.shared import Shared, last_first
from s2s.source.records import dataclass

Instance = tuple[str, tuple[int, ...]]
Box = tuple[tuple[int, int] | None, ...]
"""From where to where each iterator is wanted; None for one that is not asked."""

_FEW = 3  # so many iterations are run without asking
_WHOLE = {"<=": 1, "<": 0, ">=": -1, ">": 0}


class TooLong(Exception):
    """A window needs more steps than it may have."""


@dataclass
class Steps:
    """Goes through the values of loop counters, at most so many."""

    left: int

    def whole(self, first: int, behind: int, step: int) -> range:
        """All values."""
        if not step:
            raise Mismatch("the emitted loops do not end")
        values = range(first, behind, step)
        self.left -= len(values) + 1
        if self.left < 0:
            raise TooLong
        return values

    def near(
        self, first: int, behind: int, step: int, reach: Callable[[int, int], bool]
    ) -> Iterator[int]:
        """The values for which a body reaches the window, and perhaps others."""
        if not step:
            raise Mismatch("the emitted loops do not end")
        pending = [range(first, behind, step)]
        while pending:
            values = pending.pop()
            self.left -= 1
            if self.left < 0:
                raise TooLong
            if len(values) <= _FEW:
                yield from values
            elif reach(min(values[0], values[-1]), max(values[0], values[-1])):
                half = len(values) // 2
                pending += [values[half:], values[:half]]


@dataclass
class Control:
    """Emitted code whose ``leaves`` are spans of source text.

    ``inputs`` are the names that have values, ``shared`` the loops that threads share, by offset.
    """

    block: Node
    text: Callable[[Node], str]
    leaves: Leaves
    inputs: tuple[str, ...]
    shared: Mapping[int, Shared] = field(default_factory=dict)
    visible: dict[str, frozenset[int]] = field(default_factory=dict)
    """Which of a statement's iterators have their values under their names at all its leaves."""

    def __post_init__(self) -> None:
        self._whole = self._compiled(windowed=False)

    @cached_property
    def _windowed(self) -> Callable[..., None]:
        return self._compiled(windowed=True)

    @cached_property
    def _last_first(self) -> Callable[..., None]:
        return self._compiled(windowed=False, shared=self.shared)

    def run(self, values: Mapping[str, int], most: int) -> list[Instance]:
        """All leaves in the order in which they run. Raises Mismatch or TooLong."""
        found: list[Instance] = []
        given = [values[name] for name in self.inputs]
        _follow(self._whole, Steps(most), found.append, {}, *given)
        return found

    def run_last_first(self, values: Mapping[str, int], most: int) -> list[Instance]:
        """All leaves in another order in which threads may run them. Raises as ``run`` does."""
        found: list[Instance] = []
        given = [values[name] for name in self.inputs]
        _follow(self._last_first, Steps(most), found.append, {}, *given)
        return found

    def run_window(
        self, values: Mapping[str, int], window: Mapping[str, Box], most: int, wanted: int
    ) -> list[Instance]:
        """The leaves of a window in the order in which they run. Raises TooLong.

        Where they are more than the ``wanted`` ones, those that have been found.
        """
        found: list[Instance] = []
        given = [values[name] for name in self.inputs]
        try:
            _follow(self._windowed, Steps(most), found.append, window, *given)
        except TooLong:
            if len(found) <= wanted:
                raise
        return found

    def _compiled(
        self, *, windowed: bool, shared: Mapping[int, Shared] = MappingProxyType({})
    ) -> Callable[..., None]:
        names = {name: f"p{i}" for i, name in enumerate(self.inputs)}
        writer = _Writer(self, Arithmetic(self.text, names, addresses=True), windowed, shared)
        writer.block([self.block], {}, 1)
        head = f"def run({', '.join(['steps', 'note', 'window', *names.values()])}):"
        space: dict[str, object] = {**FUNCTIONS, "last_first": last_first}
        try:
            exec("\n".join([head, *writer.lines, " return"]), space)
        except SyntaxError as problem:
            raise Mismatch(f"the emitted loops are not followed: {problem.msg}") from None
        run = space["run"]
        assert callable(run)
        return run


def _follow(code: Callable[..., None], *given: object) -> None:
    """Run emitted code; variables that it declares without a value are None until it sets them."""
    try:
        code(*given)
    except TypeError:
        raise Mismatch("the emitted loops use a variable before it has a value") from None


Names = dict[str, Variable | None]


@dataclass
class _Tiles:
    """The iterations of so many loops, whose leaves are noted under a Python name."""

    name: str
    loops: int
    counters: list[str] = field(default_factory=list)


@dataclass
class _Writer:
    """Writes Python for C statements; each declared variable has a name of its own."""

    control: Control
    arithmetic: Arithmetic
    windowed: bool
    shared: Mapping[int, Shared]
    lines: list[str] = field(default_factory=list)
    _count: Counter[str] = field(default_factory=Counter)
    _tiles: list[_Tiles] = field(default_factory=list)

    def block(self, nodes: list[Node], names: Names, depth: int) -> None:
        for node in nodes:
            leaf = self.control.leaves.at(node)
            self.statement(node, None if leaf is None else leaf[1], names, depth)

    def statement(self, node: Node, leaf: str | None, names: Names, depth: int) -> None:
        if leaf is not None:
            self._record(leaf, names, depth)
        elif node.kind == "COMPOUND_STMT":
            inner = dict(names)
            for part, of_it in self.control.leaves.parts(node):
                self.statement(part, of_it, inner, depth)
        elif node.kind == "FOR_STMT":
            self._for(node, dict(names), depth)
        elif node.kind == "IF_STMT":
            self._if(node, names, depth)
        elif node.kind == "DECL_STMT":
            for child in node.children:
                self._declare(child, names, depth)
        elif node.kind == "BINARY_OPERATOR" and node.op == "=":
            self._assign(node, names, depth)
        elif node.kind not in ("NULL_STMT", "CSTYLE_CAST_EXPR"):
            raise Mismatch(f"unexpected {node.kind.lower()} in emitted code")

    def line(self, depth: int, text: str) -> None:
        self.lines.append(" " * depth + text)

    def fresh(self, names: Names, name: str) -> str:
        self._count["variables"] += 1
        python = f"v{self._count['variables']}"
        names[name] = Variable(python, python)
        return python

    def value(self, node: Node, names: Names) -> str:
        try:
            return self.arithmetic.value(node, names)
        except NoValue as problem:
            raise Mismatch(str(problem)) from None

    def _record(self, name: str, names: Names, depth: int) -> None:
        name, lane, count = self.control.leaves.statement(name)
        spellings = self.control.leaves.iterators[name]
        values = [names.get(s) for s in spellings]
        seen = {i for i, v in enumerate(values) if v and spellings[i] not in spellings[i + 1 :]}
        visible = self.control.visible
        visible[name] = visible.get(name, frozenset(seen)) & seen
        texts = [v.low if v else "0" for v in values]
        if count > 1:
            self.line(depth, f"for lane in range({count}):")
            depth += 1
            texts[lane] += " + lane"
        if self.windowed:
            self.line(depth, f"w = window['{name}']")
            asked = [
                f"(w[{i}] is None or w[{i}][0] <= {texts[i]} <= w[{i}][1])" for i in sorted(seen)
            ]
            self.line(depth, f"if {' and '.join(asked) or 'True'}:")
            depth += 1
        self.line(depth, f"note(('{name}', ({''.join(t + ', ' for t in texts)})))")

    def _for(self, node: Node, names: Names, depth: int) -> None:
        init, condition, increment, body = node.children
        counter = _counter(init)
        names[counter] = None
        first = self.value(_initial(init), names)
        relation, end = self._end(condition, counter)
        behind = f"{self.value(end, names)} + {_WHOLE[relation]}"
        step = self._step(increment, counter, names)
        if (relation[0] == "<") != (not step.startswith("-")):
            raise Mismatch("an emitted loop counts away from its end")
        outside = dict(names)
        python = self.fresh(names, counter)
        if self.windowed:
            strict = replace(self.arithmetic, addresses=False)
            reach = Reach(self.control.leaves, strict, self._count)
            self.lines += [" " * depth + t for t in reach.function(counter, body, outside)]
            values = f"steps.near({first}, {behind}, {step}, reach)"
        else:
            values = f"steps.whole({first}, {behind}, {step})"
        shared = self.shared.get(node.span.start)
        if shared is not None:
            self._begin_tiles(shared, depth)
        self.line(depth, f"for {python} in {values}:")
        self.line(depth + 1, "pass")
        self._enter_loop(python, depth + 1)
        self.block([body], names, depth + 1)
        if shared is not None:
            self._end_tiles(shared, depth)

    def _begin_tiles(self, shared: Shared, depth: int) -> None:
        self._count["tiles"] += 1
        tiles = _Tiles(f"tiles{self._count['tiles']}", shared.loops)
        self._tiles.append(tiles)
        self.line(depth, f"{tiles.name}, {tiles.name}_note = {{}}, note")

    def _enter_loop(self, counter: str, depth: int) -> None:
        """In the innermost loop over tiles, leaves are noted for each tile."""
        tiles = self._tiles[-1] if self._tiles else None
        if tiles is None or len(tiles.counters) == tiles.loops:
            return
        tiles.counters.append(counter)
        if len(tiles.counters) == tiles.loops:
            key = "".join(f"{c}, " for c in tiles.counters)
            self.line(depth, f"note = {tiles.name}.setdefault(({key}), []).append")

    def _end_tiles(self, shared: Shared, depth: int) -> None:
        name = self._tiles.pop().name
        self.line(depth, f"note = {name}_note")
        self.line(depth, f"for tile in last_first({name}, {shared.sinks}):")
        self.line(depth + 1, f"for leaf in {name}[tile]: note(leaf)")

    def _end(self, condition: Node, counter: str) -> tuple[str, Node]:
        if condition.kind == "BINARY_OPERATOR" and condition.op in _WHOLE:
            left, right = condition.children[0].bare, condition.children[1]
            if left.kind == "DECL_REF_EXPR" and left.name == counter:
                return condition.op, right
        raise Mismatch(f"the condition '{self.control.text(condition)}' of an emitted loop")

    def _step(self, node: Node, counter: str, names: Names) -> str:
        if node.children[0].name != counter:
            raise Mismatch(f"an emitted loop does not step '{counter}'")
        sign = "-" if "-" in node.op else ""
        return sign + (
            "1" if node.kind == "UNARY_OPERATOR" else self.value(node.children[1], names)
        )

    def _if(self, node: Node, names: Names, depth: int) -> None:
        condition, *branches = node.children
        self.line(depth, f"if {self.value(condition, names)}:")
        for position, branch in enumerate(branches):
            if position:
                self.line(depth, "else:")
            self.line(depth + 1, "pass")
            self.block([branch], names, depth + 1)

    def _declare(self, node: Node, names: Names, depth: int) -> None:
        """A variable: one that is no integer known here has no value."""
        if node.kind != "VAR_DECL":
            return
        names[node.name] = None
        if not node.children and node.type.kind == "int":
            self.line(depth, f"{self.fresh(names, node.name)} = None")
        elif node.children and node.type.kind == "int":
            try:
                value = self.arithmetic.value(node.children[-1], names)
            except NoValue:
                return
            self.line(depth, f"{self.fresh(names, node.name)} = {value}")

    def _assign(self, node: Node, names: Names, depth: int) -> None:
        """A counter's or bound's new value; data that a local holds is none."""
        name = node.children[0].name
        target = names.get(name)
        if node.children[0].kind != "DECL_REF_EXPR" or target is None:
            return
        try:
            value = self.arithmetic.value(node.children[1], names)
        except NoValue:
            names[name] = None
            return
        self.line(depth, f"{target.low} = {value}")


def _counter(init: Node) -> str:
    """The variable that a loop's first part declares or sets."""
    if init.kind == "DECL_STMT" and len(init.children) == 1:
        return init.children[0].name
    if init.kind == "BINARY_OPERATOR" and init.op == "=":
        return init.children[0].name
    raise Mismatch("an emitted loop does not set its counter")


def _initial(init: Node) -> Node:
    return init.children[0].children[-1] if init.kind == "DECL_STMT" else init.children[1]
