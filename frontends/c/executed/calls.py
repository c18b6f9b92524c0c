"""Calls: callees are written out; what may order threads unseen is distrusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from s2s.frontends.c.effects import known_effects
from s2s.frontends.c.executed.conditions import Conditions
from s2s.frontends.c.executed.memory import ALLOCATED
from s2s.frontends.c.executed.recorder import TooMuch
from s2s.frontends.c.executed.values import ZERO, Data, Pointer, Value
from s2s.frontends.c.facts import size_expressions
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.executions import Place, Role, Root
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_DEEPEST = 6
_ALLOCATIONS = frozenset({"malloc", "calloc", "aligned_alloc"})
_LOCKS = {"omp_set_lock": 1, "omp_set_nest_lock": 1, "omp_unset_lock": -1,
          "omp_unset_nest_lock": -1}  # fmt: skip
_PLAIN = frozenset(
    {"omp_get_num_procs", "omp_in_parallel", "omp_get_wtime", "omp_get_wtick", "omp_get_level",
     "omp_get_team_num", "omp_get_num_teams", "omp_init_lock", "omp_init_nest_lock",
     "omp_destroy_lock", "omp_destroy_nest_lock", "omp_is_initial_device", "rand", "srand", "time",
     "free", "fflush", "usleep", "sleep", "atoi", "atol", "atof", "omp_get_max_threads",
     "omp_set_dynamic", "omp_get_dynamic", "clock", "gettimeofday", "__assert_fail", "assert"}
)  # fmt: skip


@dataclass
class Calls(Conditions):
    """Knows functions by their bodies or names."""

    definition: Callable[[Node], Node | None] = lambda call: None
    looping: int = 0
    """How many loops of the current function are around."""
    alone: bool = False
    """Whether the program asks for teams of one thread."""
    _calling: list[Decl] = field(default_factory=list)
    _results: list[list[Value]] = field(default_factory=list)

    def statement(self, node: Node) -> None:
        raise NotImplementedError

    def call(self, node: Node) -> Value:
        arguments = node.children[1:]
        name = node.decl.name if node.decl is not None else ""
        if name in _LOCKS and len(arguments) == 1:
            return self._lock(arguments[0], _LOCKS[name])
        values = [self.evaluate(argument) for argument in arguments]
        body = self.definition(node)
        if body is not None and node.decl is not None:
            return self._write_out(node.decl, body, values)
        return self._by_name(name, node, values)

    def _by_name(self, name: str, node: Node, values: list[Value]) -> Value:
        if name == "omp_get_thread_num":
            return self._thread()
        if name == "omp_get_num_threads":
            return self._team_size()
        if name == "omp_set_num_threads":
            self.alone = bool(values) and values[0] == Polynomial.integer(1)
            return None
        if name in _ALLOCATIONS and node.type.kind == "pointer":
            owner = self.stack[-1] if self.stack else None
            return Pointer(Place(Root(node, ALLOCATED, owner), "", (ZERO,)))
        known = known_effects(name, len(values))
        if known is None and name not in _PLAIN:
            self._unknown()
            return None
        pure = known is not None and not known.writes and name not in _PLAIN
        plain = all(isinstance(v, Polynomial | Data) for v in values)
        return Data.LOADED if pure and plain else None

    def _unknown(self) -> None:
        """Anything may happen to what others can see."""
        self.distrust()
        if self.region is None:
            self.forget([d for d in self.known if d.is_global])

    def _thread(self) -> Value:
        team = self.team
        if team is None:
            return ZERO
        if team.role is Role.PARALLEL and not self._in_task():
            return Polynomial.name(team.symbols[0])
        return None

    def _in_task(self) -> bool:
        return any(s.role is Role.TASK for s in self.stack)

    def _team_size(self) -> Value:
        team = self.team
        if team is None:
            return Polynomial.integer(1)
        return self.threads.get(team.symbols[0]) if team.symbols else None

    def _lock(self, argument: Node, change: int) -> Value:
        value = self.evaluate(argument)
        if not isinstance(value, Pointer):
            self.distrust()
            return None
        place = value.place
        key: object = ("lock", "?") if "*" in place.path else ("lock", place.root, place.path)
        count = self.locks.get(key, 0) + change
        if count < 0:
            self.distrust()
        self.locks = {k: n for k, n in self.locks.items() if k != key}
        if count > 0:
            self.locks[key] = count
        return None

    # -- callees ----------------------------------------------------------------------------

    def _write_out(self, decl: Decl, function: Node, values: list[Value]) -> Value:
        """Read a callee's body as if it stood here."""
        if self.region is None:
            self._unknown()
            return None
        if len(self._calling) >= _DEEPEST:
            raise TooMuch
        if self._calling.count(decl) > 1:
            return None
        parameters = [c for c in function.children if c.kind == "PARM_DECL"]
        declared = [p.decl for p in parameters if p.decl is not None]
        self._calling.append(decl)
        self._results.append([])
        try:
            with self.owned([*declared, *_locals(function)]):
                for parameter, value in zip(declared, values, strict=False):
                    self.known[parameter] = value
                for parameter_node in parameters:
                    self.measure(parameter_node)
                before, looping = self.doubt, self.looping
                self.looping = 0
                self.statement(function.children[-1])
                self.doubt, self.looping = before, looping
            results = self._results[-1]
            return results[0] if len(results) == 1 else None
        finally:
            self._calling.pop()
            self._results.pop()

    def give(self, value: Value) -> None:
        """A function returns a value."""
        if self._results:
            self._results[-1].append(value)

    def measure(self, node: Node) -> None:
        """Note the sizes of a variable-length array, or of the rows of a parameter."""
        decl, sizes = node.decl, size_expressions(node)
        if decl is None or not sizes:
            return
        found = self._all_sizes(node, [self.evaluate(size) for size in sizes])
        self.dims.pop(decl, None)
        if found is not None:
            self.dims[decl] = found

    def _all_sizes(self, node: Node, values: list[Value]) -> tuple[Polynomial, ...] | None:
        """Sizes with numbers in between; of a pointer, those of what it leads to."""
        type_ = node.decl.type if node.decl is not None else node.type
        inner = type_.element if type_.kind == "pointer" else type_
        found: list[Polynomial] = []
        while inner is not None and inner.kind == "array":
            if inner.count is not None:
                found.append(Polynomial.integer(inner.count))
            else:
                found.append(ZERO)
            inner = inner.element
        unknown = [k for k, size in enumerate(found) if size == ZERO]
        for place, value in zip(reversed(unknown), reversed(values), strict=False):
            if not isinstance(value, Polynomial):
                return None
            found[place] = value
        return tuple(found) if ZERO not in found else None


def _locals(function: Node) -> list[Decl]:
    """The automatic variables that a function declares."""
    return [
        n.decl for n in function.children[-1].walk()
        if n.kind == "VAR_DECL" and n.decl is not None and not n.decl.is_static
        and not n.decl.is_global
    ]  # fmt: skip
