"""What ``s2s explain`` says of the cycles of a loop: section 4.5 of the PolySIMD chapter."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from s2s.analyses.cover import Cover, Row, cover
from s2s.analyses.dependence_graph import Dependence
from s2s.analyses.renaming import Renaming, strip_size
from s2s.driver.options import DEFAULTS, Options
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Attempt, Function
from s2s.frontends.c.vector_look import innermost_loops
from s2s.scop.budget import budget
from s2s.scop.nodes import Loop, walk
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass

_SHOWN = 40
"""Cycles and constraints that are printed; of more there is the number."""


def cycles_of(function: Function, options: Options = DEFAULTS) -> Iterator[str]:
    """The texts about the innermost loops of a function that are asked about."""
    for node in innermost_loops(function.node):
        attempt = function.attempt([node]).again(guarding=True)
        if not options.explains(function.unit.buffer, attempt.span):
            continue
        try:
            with budget():
                text = _cycles(attempt, options.spacelimit)
        except NotLiftable as problem:
            line, column = function.unit.buffer.line_column(problem.span.start)
            text = _not_understood(attempt, f"{problem.reason} ({line}:{column})")
        except isl.Error:
            text = _not_understood(attempt, "the polyhedral computation takes too long")
        yield text


def _cycles(attempt: Attempt, spacelimit: int) -> str:
    """The text about a loop; ``spacelimit`` is the bound where it has none of its own."""
    scop = attempt.scop(separate=True)
    loop = next((n for n in walk(scop.tree) if isinstance(n, Loop)), None)
    if loop is None:
        reasons = [reason for _, reason in attempt.notes] or ["it is kept whole"]
        return _not_understood(attempt, reasons[0])
    unit = attempt.function.unit
    own = unit.vectorize.spacelimit(scop.span)
    limit = spacelimit if own is None else own
    return Cycles(unit.buffer, attempt.function.node.name, cover(scop, loop), limit).text()


def _not_understood(attempt: Attempt, reason: str) -> str:
    buffer, name = attempt.function.unit.buffer, attempt.function.node.name
    return f"{heading(buffer, attempt.span, 'loop', name)}\n  not understood: {reason}\n"


def heading(buffer: SourceBuffer, span: Span, what: str, function: str) -> str:
    """The line that ``s2s.cli.explanation`` finds the loop's part by."""
    first, _ = buffer.line_column(span.start)
    last, _ = buffer.line_column(span.end)
    return f"{buffer.path}:{first}-{last}: {what} in function '{function}'"


@dataclass(frozen=True)
class Cycles:
    """The text about one loop; ``spacelimit`` is the bound on new storage, in vectors (0: none)."""

    buffer: SourceBuffer
    function: str
    found: Cover
    spacelimit: int = 0

    def text(self) -> str:
        graph = self.found.graph
        what = f"loop over '{graph.loop.variable.spelling}'"
        lines = [heading(self.buffer, graph.scop.span, what, self.function)]
        lines += self._statements()
        lines += self._dependences()
        lines += self._cycles()
        if self.found.rows:
            lines += [*self._table(), *self._program(), *self._solution()]
        return "\n".join(lines) + "\n"

    def _statements(self) -> Iterator[str]:
        yield "  statements:"
        for name in self.found.graph.statements:
            statement = self.found.graph.scop.statement(name)
            line, column = self.buffer.line_column(statement.span.start)
            text = " ".join(self.buffer.text(statement.span).split())
            yield f"    {name} at {line}:{column}: {text if len(text) <= 70 else text[:67] + '...'}"

    # -- dependences ------------------------------------------------------------------------

    def _dependences(self) -> Iterator[str]:
        found = self.found.graph.dependences
        yield "  dependences:" if found else "  dependences: none"
        for item in found:
            yield f"    {item.source} -> {item.target}: {self._dependence(item)}"
        arrays = self.found.graph.scop.arrays
        private = sorted(arrays[name].spelling for name in self.found.graph.private)
        if private:
            yield f"    private to an iteration: {', '.join(private)}"
        pairs = [p for p in self.found.graph.scop.may_alias if self._is_used(p)]
        if pairs:
            names = sorted(" and ".join(sorted(arrays[n].spelling for n in p)) for p in pairs)
            yield f"    taken for disjoint: {'; '.join(names)}"

    def _is_used(self, pair: frozenset[str]) -> bool:
        """Whether the loop writes one of two arrays."""
        scop = self.found.graph.scop
        accesses = [a for n in self.found.graph.statements for a in scop.statement(n).accesses]
        return any(a.write and a.array in pair for a in accesses)

    def _dependence(self, item: Dependence) -> str:
        parts = [item.kind.value, _distance(item)]
        if item.accesses is not None:
            ends = zip((item.source, item.target), item.accesses, strict=True)
            parts.append(" -> ".join(self._access(name, index) for name, index in ends))
        return ", ".join(parts)

    def _access(self, statement: str, index: int) -> str:
        access = self.found.graph.access(statement, index)
        text = " ".join(self.buffer.text(access.span).split())
        array = self.found.graph.scop.arrays[access.array]
        return array.spelling if not array.rank else text if len(text) <= 40 else text[:37] + "..."

    # -- cycles -----------------------------------------------------------------------------

    def _cycles(self) -> Iterator[str]:
        found = self.found
        if not found.components:
            yield "  elementary cycles: none; no renaming is needed"
        elif found.cycles:
            more = "" if found.complete else ", and more"
            yield f"  elementary cycles ({len(found.cycles)}{more}):"
        else:
            yield "  elementary cycles: none"
        for number, cycle in enumerate(found.cycles[:_SHOWN], 1):
            yield f"    c{number}: {' -> '.join((*cycle.statements, cycle.statements[0]))}"
        yield from _rest(found.cycles)
        for component in found.components:
            if component.obstacle is not None:
                names = ", ".join(component.statements)
                yield f"  left alone: {names}: {component.obstacle}"

    # -- renamings --------------------------------------------------------------------------

    def _table(self) -> Iterator[str]:
        """The bipartite graph, in the form of Table 4.2."""
        names = [f"{self._variable(r)} = {self._renaming(r)}" for r in self.found.useful]
        width = max(map(len, names))
        yield "  renamings, and the cycles that they break:"
        for name, renaming in zip(names, self.found.useful, strict=True):
            broken = ", ".join(f"c{n + 1}" for n in self.found.breaks(renaming)[:_SHOWN])
            yield f"    {name:<{width}}  {broken or 'only together with others'}"

    def _variable(self, renaming: Renaming) -> str:
        return f"t{self.found.useful.index(renaming) + 1}"

    def _renaming(self, renaming: Renaming) -> str:
        kind = "SoVR" if renaming.kind == "source" else "SiVR"
        return f"{kind}({renaming.statement}, {self._access(renaming.statement, renaming.access)})"

    def _program(self) -> Iterator[str]:
        terms: dict[int, list[str]] = {}
        for renaming in self.found.useful:
            weight = self.found.weights[renaming]
            terms.setdefault(weight, []).append(self._variable(renaming))
        objective = " + ".join(
            f"{weight} {names[0]}" if len(names) == 1 else f"{weight} ({' + '.join(names)})"
            for weight, names in sorted(terms.items())
        )
        yield "  integer program, all variables 0 or 1:"
        yield f"    minimize {objective}"
        for row in self.found.rows[:_SHOWN]:
            names = [self._variable(r) for r in self.found.useful if r in row.breakers]
            yield f"    {' + '.join(names)} >= 1  ({self._way(row)})"
        yield from _rest(self.found.rows)

    def _way(self, row: Row) -> str:
        """Which cycle a constraint is about, and which way round it where there are several."""
        name = f"c{row.cycle + 1}" if row.cycle >= 0 else "another cycle"
        same = [r for r in self.found.rows if r.cycle == row.cycle]
        if row.cycle >= 0 and len(same) == 1:
            return name
        steps = (f"{d.source} {d.kind.value}" for d in row.dependences)
        return f"{name}, {', '.join(steps)}"

    def _solution(self) -> Iterator[str]:
        chosen = self.found.chosen
        weight = sum(self.found.weights[r] for r in chosen)
        yield f"  solution, of weight {weight}: {', '.join(map(self._renaming, chosen))}"
        if self.spacelimit:
            size = strip_size(self.spacelimit, chosen)
            room = f"strips of {size} vectors" if size else "no room for these renamings"
            yield f"  space limit of {self.spacelimit} vectors: {room}"


def _distance(item: Dependence) -> str:
    if not item.carried:
        return "loop-independent"
    if item.distance is not None:
        return f"distance {item.distance}"
    if item.least is None:
        return f"direction {item.direction}"
    return f"distance {item.least} or more"


def _rest(items: tuple[object, ...]) -> Iterator[str]:
    if len(items) > _SHOWN:
        yield f"    ... and {len(items) - _SHOWN} more"
