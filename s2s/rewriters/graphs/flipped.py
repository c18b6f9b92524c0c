"""The text of a loop whose edges are flipped."""

from __future__ import annotations

from s2s.frontends.c.graph_loops import EdgeLoop, Of
from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.flip import Flip
from s2s.rewriters.graphs.layout import header, indented, opened
from s2s.rewriters.graphs.mirror import Mirror
from s2s.rewriters.graphs.same import Collected
from s2s.rewriters.graphs.updates import Condition, Update
from s2s.source.records import dataclass

_DROPPED = frozenset({"reduction", "default", "shared"})


@dataclass(frozen=True)
class Flipped:
    """The lines of a loop's new body and what they need before the edges.

    ``here`` conditions are asked once for a vertex, ``each`` ones for each edge.
    """

    flip: Flip
    mirror: Mirror
    prefix: str
    checks_first: bool = False
    """Whether a minimum is looked at before it is updated: saves atomics where loads are cheap."""

    @property
    def edges(self) -> EdgeLoop:
        assert self.flip.sweep.edges is not None
        return self.flip.sweep.edges

    def text(self, condition: str = "", first: str = "") -> str:
        """The loop, its directive in front.

        Vertices are skipped unless ``condition``; ``first`` is done for those that are not.
        """
        here, each = self.conditions()
        conditions = [c for c in (condition, *here) if c]
        body = self._edge_loop(each)
        lines = []
        if self.mirror.needs_here:
            lines.append(self.here())
        if first and not condition:
            lines.append(first)
        if conditions:
            inner = [first] if first and condition else []
            lines += [f"if {_all(conditions)} {{", *_in(inner), *_in(body), "}"]
        else:
            lines += body
        loops = [*self._ends(self.flip.update.first), lines, *self._ends(self.flip.update.last)]
        if len(loops) == 1:
            return self._over_all(lines)
        return "\n".join(["{", *(indented(self._over_all(each), 4) for each in loops), "}"])

    def _over_all(self, lines: list[str]) -> str:
        """A loop over the vertices."""
        loop = self.flip.loop
        head = [self._directive()] if loop.directive is not None else []
        return "\n".join([*head, opened(header(loop.function, loop)), *_in(lines), "}"])

    def _ends(self, value: Node | None) -> list[list[str]]:
        """What a loop before the edges, or behind them, sets each vertex's target to."""
        if value is None:
            return []
        own, update = self.mirror, self.flip.update
        same = Collected(own.loop, own.edges, own.graph, own.here, own.there)
        same.collector, same.target = update.collector, update.target
        line = f"{same.place(update.target)} = {same.value(value)};"
        return [[*([self.here()] if same.needs_here else []), line]]

    def here(self) -> str:
        """The declaration of the pointer to the own vertex."""
        table = self.mirror.pointer_here(self.flip.update.node)
        return f"{self._pointer_type()}const {self.mirror.here} = {table};"

    def _directive(self) -> str:
        """The directive without what the loop no longer has."""
        directive = self.flip.loop.directive
        assert directive is not None
        clauses = [
            f"{c.name}({c.argument})" if c.argument else c.name
            for c in directive.clauses if c.name not in _DROPPED
        ]  # fmt: skip
        return " ".join([f"#pragma omp {directive.name}", *clauses])

    def conditions(self) -> tuple[list[str], list[str]]:
        """What is asked once for a vertex, and what for each edge."""
        here: list[str] = []
        each: list[str] = []
        for condition in self.flip.sweep.conditions:
            sides = self.mirror.side(condition.node)
            (here if sides <= {Of.NEIGHBOUR, Of.SHARED} else each).append(self._asked(condition))
        return here, each

    def _asked(self, condition: Condition) -> str:
        text = self.mirror.value(condition.node)
        return f"(!({text}))" if condition.negated else f"({text})"

    def _edge_loop(self, each: list[str]) -> list[str]:
        name, type_ = self.edges.iterator.name, self.edges.iterator.type.spelling
        first, last = self.mirror.end(self.edges.first), self.mirror.end(self.edges.last)
        update = self._push() if not self.flip.pushes else self._pull()
        if each:
            update = [f"if {_all(each)} {{", *_in(update), "}"]
        if self.mirror.needs_there:
            there = self.mirror.neighbour_there(self.flip.update.node)
            update.insert(0, f"{self._pointer_type()}const {self.mirror.there} = {there};")
        head = f"for ({type_} {name} = {first}; {name} < {last}; {name}++) {{"
        return [head, *_in(update), "}"]

    def _pointer_type(self) -> str:
        table = self.mirror.table_type(self.flip.update.node)
        return table if table.endswith("*") else f"{table} "

    def _push(self) -> list[str]:
        """The update of the neighbour, atomic where iterations run at the same time."""
        update, target = self.flip.update, self.mirror.place(self.flip.update.target)
        parallel = self.flip.loop.is_parallel
        if update.op in ("min", "max"):
            return self._extremum(update, target, parallel=parallel)
        kind = "atomic write" if update.op == "=" else "atomic"
        pragma = [f"#pragma omp {kind}"] if parallel else []
        return [*pragma, _set(update, target, self.mirror)]

    def _extremum(self, update: Update, target: str, *, parallel: bool) -> list[str]:
        name, sign = f"{self.prefix}value", "<" if update.op == "min" else ">"
        kept = f"if ({name} {sign} {target}) {{ {target} = {name}; }}"
        lines = [f"const {_type(update)} {name} = {self.mirror.value(update.value)};"]
        if parallel and self.checks_first:
            old = f"{self.prefix}known"
            lines += [
                f"{_plain(update.target.type.canonical)} {old};", "#pragma omp atomic read",
                f"{old} = {target};", f"if ({name} {sign} {old}) {{",
                "#pragma omp atomic compare", f"    {kept}", "}",
            ]  # fmt: skip
            return lines
        return [*lines, *(["#pragma omp atomic compare"] if parallel else []), kept]

    def _pull(self) -> list[str]:
        """The update of the own vertex."""
        update, target = self.flip.update, self.mirror.place(self.flip.update.target)
        if update.op in ("min", "max"):
            return self._extremum(update, target, parallel=False)
        lines = [_set(update, target, self.mirror)]
        return [*lines, "break;"] if update.op == "=" else lines


def _set(update: Update, target: str, mirror: Mirror) -> str:
    if update.op in ("++", "--"):
        return f"{target}{update.op};"
    operator = "=" if update.op == "=" else f"{update.op}="
    return f"{target} {operator} {mirror.value(update.value)};"


def _all(conditions: list[str]) -> str:
    """Conditions, each in parentheses, as one."""
    return conditions[0] if len(conditions) == 1 else f"({' && '.join(conditions)})"


def _type(update: Update) -> str:
    return _plain(update.value.type.canonical)


def _plain(type_: str) -> str:
    return " ".join(w for w in type_.split() if w not in ("const", "volatile"))


def _in(lines: list[str]) -> list[str]:
    return [indented_line(line) for line in lines]


def indented_line(line: str) -> str:
    """A line one level further in; directives stay at the margin."""
    return line if line.startswith("#") or not line else indented(line, 4 + _margin(line))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
