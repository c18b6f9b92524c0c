"""Functions of C, run on symbols: what they leave in memory, however they are written.

Where a nest of loops cannot be read (pointers that go on from loop to loop, bounds that are set
again, jumps, structures), the function is run as it stands: its text becomes one of Python, of
which numbers are computed and data are symbols.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.traces.expressions import Names
from s2s.frontends.c.traces.library import innermost, number_type
from s2s.frontends.c.traces.run import ITERATIONS, LIBRARY, Run, TooLong
from s2s.frontends.c.traces.statements import Statements
from s2s.frontends.c.typed.definitions import Definitions
from s2s.frontends.c.typed.scope import set_again
from s2s.frontends.c.unit import Unit
from s2s.scop.symbols import NotSymbolic
from s2s.scop.trace import Trace

_DEPTHS = 8
"""How many loops around each other may leave iterations out."""
_LAST = 4
"""How many times as long the last run may be, in which all do."""


def trace_function(name: str, node: Node, numbers: Mapping[str, int], unit: Unit) -> Trace:
    """Run a function whose scalar parameters have the values ``numbers``. Raises NotSymbolic."""
    program = _Program(name, node, numbers, unit)
    for sampled in range(_DEPTHS):
        left = ITERATIONS * (_LAST if sampled == _DEPTHS - 1 else 1)
        run = Run(program.names.arrays, sampled, left=left)
        try:
            return program.trace(run)
        except TooLong:
            at = run.at
    span = program.names.spans[at] if at >= 0 else node.span
    raise NotSymbolic("too many iterations to look at", span)


class _Program:
    """The text of a function and of those that it calls."""

    def __init__(self, name: str, node: Node, numbers: Mapping[str, int], unit: Unit) -> None:
        self.name, self.node = name, node
        self._numbers = numbers
        self._definitions = Definitions(unit, as_written=True)
        self._functions: dict[int, list[str]] = {}
        self._numbered: dict[int, str] = {}
        self.names = Names(numbers, self._function, unit.buffer.text, missing=self._missing())
        try:
            lines = Statements(self.names).function("f_main", node)
        except NotSymbolic as error:
            raise NotSymbolic(error.reason, error.at or node.span) from None
        texts = [line for text in (*self._functions.values(), lines) for line in text]
        self._code = compile("\n".join(texts) + "\n", name, "exec")

    def _missing(self) -> frozenset[Decl]:
        """Parameters that are numbers without a value, which nothing sets either."""
        set_here = set_again(self.node)
        return frozenset(
            decl for decl in self._parameters()
            if number_type(decl.type) is not None
            and decl.name not in self._numbers and decl not in set_here
        )  # fmt: skip

    def _function(self, call: Node, decl: Decl) -> str | None:
        definition = self._definitions(decl)
        if definition is None:
            return None
        key = id(definition)
        if key not in self._functions:
            self._numbered[key] = f"f{len(self._numbered)}"
            self._functions[key] = []
            self._functions[key] = Statements(self.names).function(self._numbered[key], definition)
        return self._numbered[key]

    def trace(self, run: Run) -> Trace:
        """What a run leaves. Raises NotSymbolic, TooLong."""
        space = {
            **LIBRARY, **self.names.values, "run": run, "active": run.active, "load": run.load,
            "store": run.store, "fill": run.fill, "copy": run.copy, "unknown": self._unknown,
        }  # fmt: skip
        exec(self._code, space)
        arguments = [self._argument(d) for d in self._parameters()]
        try:
            space["f_main"](*arguments)
        except NotSymbolic as error:
            raise NotSymbolic(error.reason, error.at or self._at(run)) from None
        except (TypeError, RecursionError):
            raise NotSymbolic("what has no value here is used", self._at(run)) from None
        used = {a for a, _ in run.stored} | {a for product in run.origins for a, _ in product}
        used |= {array for array, _ in run.loaded}
        arrays = self.names.arrays
        types = {array: arrays[array] for array in sorted(arrays, key=self._order) if array in used}
        stored = {place: value for place, value in run.stored.items() if place[0] in types}
        return Trace(self.name, types, stored, run.origins, run.extents)

    def _at(self, run: Run) -> Any:
        return self.names.spans[run.at] if run.at >= 0 else self.node.span

    def _unknown(self, text: str, at: int) -> None:
        raise NotSymbolic(text, self.names.spans[at])

    def _parameters(self) -> list[Decl]:
        return [c.decl for c in self.node.children if c.kind == "PARM_DECL" and c.decl]

    def _argument(self, decl: Decl) -> Any:
        """The value of a parameter."""
        if decl.type.kind in ("pointer", "array"):
            if number_type(innermost(decl.type)) is None:
                return None  # a structure, or bytes of anything
            self.names.array(decl.name, decl.type, self.node.span)
            return decl.name, 0
        return self._numbers.get(decl.name)

    def _order(self, array: str) -> tuple[int, str]:
        """Arrays of parameters and their members in the order of parameters; others after them."""
        for place, decl in enumerate(self._parameters()):
            if array == decl.name or array.startswith(f"{decl.name}_"):
                return place, ""
        return len(self._parameters()), array
