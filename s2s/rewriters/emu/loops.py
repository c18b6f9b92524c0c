"""Parallel loops of a program: their headers, their clauses, and what may not be in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.frontends.c.counted_loops import counted_loop, step_of
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import directives, places_of
from s2s.frontends.openmp.directives import Clause
from s2s.rewriters.emu.program import Program, governed
from s2s.rewriters.emu.teams import team_of
from s2s.source import Span
from s2s.source.records import dataclass

PARALLEL = frozenset(
    {"parallel for", "parallel for simd", "for", "for simd", "parallel loop", "loop"}
)
SHARED = frozenset({"for", "for simd", "loop"})
_DATA = frozenset(
    {"reduction", "private", "firstprivate", "lastprivate", "shared", "default", "collapse"}
)
_HINTS = frozenset({"schedule", "num_threads", "if", "nowait", "proc_bind", "order", "bind"})
_ALLOWED = _DATA | _HINTS | {"safelen", "simdlen"}


@dataclass(frozen=True, eq=False)
class ParallelLoop:
    """``for (variable = first; variable RELATION bound; variable += step)`` in parallel.

    ``start`` is the first byte of its pragma, or of the loop where it has none; ``step`` is the
    node of a step that is not 1, ``up`` its direction.
    """

    node: Node
    function: Node
    variable: Decl
    first: Node
    relation: str
    bound: Node
    step: Node | None
    up: bool
    start: int
    clauses: tuple[Clause, ...]

    @property
    def body(self) -> Node:
        return self.node.children[-1]

    @property
    def span(self) -> Span:
        return Span(self.start, self.node.span.end)

    @property
    def declares(self) -> bool:
        """Whether the loop declares its variable itself."""
        return self.node.children[0].kind == "DECL_STMT"

    def listed(self, *names: str) -> list[str]:
        return [n for c in self.clauses if c.name in names for n in c.names()]


def parallel_loops(program: Program) -> list[ParallelLoop]:
    """All parallel loops that lie in no other one. Raises Refused.

    Loops that a region's threads share are left out where they need the variables that each thread
    has for itself: a region runs with one thread, which then runs the loop.
    """
    found: list[ParallelLoop] = []
    loops = (shared for loop in _all(program) if (shared := _shared(program, loop)) is not None)
    for loop in sorted(loops, key=lambda loop: loop.start):
        if not any(loop.span in other.span for other in found):
            found.append(loop)
    return found


def _shared(program: Program, loop: ParallelLoop) -> ParallelLoop | None:
    """A loop as it is for one thread, None where it needs more than one."""
    directive = next((d for d in program.unit.pragmas if d.span.start == loop.start), None)
    if directive is None or directive.name not in SHARED:
        return loop
    listed = {
        loop.variable.name,
        *loop.listed("private", "firstprivate", "lastprivate", "reduction"),
    }
    added = team_of(program, loop.node, loop.function).shared(listed)
    return None if added is None else replace(loop, clauses=(*loop.clauses, *added))


def _all(program: Program) -> Iterator[ParallelLoop]:
    for directive in program.unit.pragmas:
        if directive.name in PARALLEL:
            node = governed(program, directive)
            if node is None or node.kind != "FOR_STMT":
                raise program.refused(directive.span, f"no loop behind 'omp {directive.name}'")
            for clause in directive.clauses:
                if clause.name not in _ALLOWED:
                    reason = f"the clause '{clause.name}' of a parallel loop"
                    raise program.refused(directive.span, reason)
            yield _loop(program, node, directive.span.start, directive.clauses)
    for function in program.functions.values():
        for node in function.walk():
            if node.kind == "FOR_STMT" and node.span.start in program.cilk_loops:
                yield _loop(program, node, node.span.start, ())


def _loop(program: Program, node: Node, start: int, clauses: tuple[Clause, ...]) -> ParallelLoop:
    def wrong(reason: str) -> Exception:
        return program.refused(node.span, f"this parallel loop: {reason}")

    if len(node.children) != 4:
        raise wrong("its header is not complete")
    try:
        counted = counted_loop(node)
    except NotAffine:
        raise wrong("its header does not set one integer") from None
    variable, bound = counted.variable, counted.bound
    if variable.type.kind != "int":
        raise wrong("its header does not set one integer")
    if bound is None:
        raise wrong(f"it does not compare '{variable.name}' with a bound")
    step = step_of(counted.increment, variable)
    if step is None or (bound.relation != "!=" and not bound.is_reached_by(step.sign, variable)):
        raise wrong(f"'{variable.name}' does not go to the bound by steps")
    by = None if step.constant == step.sign else step.amount
    if bound.relation == "!=" and by is not None:
        raise wrong("'!=' with steps other than one")
    function = next(f for f in program.functions.values() if node.span in f.span)
    loop = ParallelLoop(
        node, function, variable, counted.first, bound.relation, bound.limit, by, step.sign > 0,
        start, clauses,
    )  # fmt: skip
    _check(program, loop)
    return loop


def _check(program: Program, loop: ParallelLoop) -> None:
    """Neither return nor goto nor break may leave an iteration, and its variable stays."""
    for node in _own(loop.body):
        if node.kind == "BREAK_STMT":
            raise program.refused(node.span, "a break out of a parallel loop")
    for node in loop.body.walk():
        if node.kind in ("RETURN_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT"):
            raise program.refused(node.span, "a jump in a parallel loop")
        if node.kind in ("ASM_STMT", "GCC_ASM_STMT", "MS_ASM_STMT"):
            raise program.refused(node.span, "assembly")
    _check_names(program, loop)


def _check_names(program: Program, loop: ParallelLoop) -> None:
    """The name of the function that an iteration is in is not that of its thread's."""
    macros = "".join(line.text for line in directives(program.data))
    for name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"):
        places = places_of(program.data, name) if name.encode() in program.data else []
        within = [p for p in places if loop.span.start <= p < loop.span.end]
        if within or name in macros:
            place = within[0] if within else loop.span.start
            raise program.refused(Span(place, place + len(name)), f"'{name}' in a parallel loop")


def _own(body: Node) -> Iterator[Node]:
    """The statements of an iteration that are in no inner loop or switch."""
    yield body
    if not body.is_loop and body.kind != "SWITCH_STMT":
        for child in body.children:
            yield from _own(child)


def continues(loop: ParallelLoop) -> bool:
    """Whether an iteration may end early by ``continue``."""

    def below(node: Node) -> bool:
        if node.kind == "CONTINUE_STMT":
            return True
        return not node.is_loop and any(map(below, node.children))

    return below(loop.body)
