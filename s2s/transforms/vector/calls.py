"""A loop is split around calls of slow functions, so that its other statements become vectors.

::

    for j: { u = a * (r[i] - r[j]);          for strips of j: {
             v = exp(-u);                        double us[256], vs[256];
             f[i] += q[j] * v; }                 for j in strip: us[..] = a * (r[i] - r[j]);
                                       ->        for j in strip: vs[..] = exp(-us[..]);
                                                 t = f[i];
                                                 for j in strip: t += q[j] * vs[..];
                                                 f[i] = t; }

A call of ``exp`` may change all vector registers: around it every sum is stored and loaded, and
nothing becomes a vector. The scalars that lead from one loop to the next get an element for each
iteration of a strip (loop distribution with scalar expansion: Kennedy and McKinley, "Loop
distribution with arbitrary control flow", 1990; Allen and Kennedy, 1987); what all iterations
update is held in locals where only the guard knows that nothing else is there. Every call happens
as often as in the source, and those of one statement in the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.analyses import dependences as memory
from s2s.analyses.registers import accumulators
from s2s.analyses.renaming import Renaming
from s2s.analyses.same_values import Agreement
from s2s.analyses.value_flow import ValueFlow
from s2s.scop.nodes import Loop, Scop
from s2s.transforms.errors import NothingToGain
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.dead import drop_dead_writes
from s2s.transforms.vector.loops import Order
from s2s.transforms.vector.rename import rename
from s2s.transforms.vector.renamed import Renamed
from s2s.transforms.vector.renaming import STRIP, RenamingProof, is_able
from s2s.transforms.vector.storage import place

Part = tuple[str, ...]
"""Statements of one component of the dependence graph."""
# Iterations of the loop from which on several loops are faster.
_SHORTEST = 16


def propose(loop: VectorLoop) -> Iterator[Candidate]:
    """The loop in three parts or more, those with calls apart."""
    single = loop.single()
    scop = loop.scop
    if not any(s.calls for s in scop.statements):
        raise NothingToGain(scop.span, "nothing slow is called")
    if single.step != 1 or scop.order is not None or scop.guards or scop.carried:
        raise NothingToGain(scop.span, "statements have no order that could be changed")
    flow = loop.lean
    free = _free_scalars(flow, single)
    every = _renamed(flow, single, free)
    chosen = _crossing(every, free)
    renamed = _renamed(flow, single, chosen)
    order = Order(renamed.scop, memory.conservative(renamed.scop).all)
    loops = _loops(order)
    if len(loops) < 2:
        raise NothingToGain(scop.span, "all depends on what is called, and the other way round")
    placed = place(renamed, single, loops, STRIP)
    words = f"split into {len(loops)} loops around calls"
    planned = replace(_hold(placed, single), history=(words,))
    agreement = Agreement(loop.flow, ValueFlow(renamed.scop), renamed.provenance)
    yield Candidate(planned, proof=RenamingProof(agreement, 1), shortest=_SHORTEST)


def _free_scalars(flow: ValueFlow, loop: Loop) -> dict[Renaming, str]:
    """Scalars that each iteration sets before it reads them, by the statements that do so."""
    scop = flow.scop
    found: dict[Renaming, str] = {}
    kept = {
        a.array for s in scop.statements for a in s.accesses
        if not a.write and not scop.arrays[a.array].rank and not flow.sources(a).before.is_empty()
    }  # fmt: skip
    for statement in scop.statements:
        for index, access in enumerate(statement.accesses):
            if access.write and not scop.arrays[access.array].rank and access.array not in kept:
                renaming = Renaming("sink", statement.name, index)
                if is_able(scop, loop, renaming):
                    found[renaming] = access.array
    return found


def _renamed(flow: ValueFlow, loop: Loop, chosen: Collection[Renaming]) -> Renamed:
    """The loop with scalars renamed and without the copies to them that nothing needs."""
    renamed = rename(flow, loop, chosen)
    return replace(renamed, scop=drop_dead_writes(ValueFlow(renamed.scop)).scop)


def _crossing(renamed: Renamed, free: Mapping[Renaming, str]) -> list[Renaming]:
    """The renamings without which the loops would not be apart.

    A scalar that one loop sets and another one reads, or that several loops have for themselves.
    """
    scop = renamed.scop
    loops = _loops(Order(scop, memory.conservative(scop).all))
    where = {name: number for number, names in enumerate(loops) for name in names}
    users: dict[str, set[int]] = {}
    for statement in scop.statements:
        for use in renamed.uses[statement.name]:
            if use.temporary:
                scalar = free[renamed.temporaries[use.temporary].renaming]
                users.setdefault(scalar, set()).add(where[statement.name])
    return [r for r, scalar in free.items() if len(users.get(scalar, ())) > 1]


def _hold(scop: Scop, loop: Loop) -> Scop:
    """The loops with the elements in locals that every iteration of one of them updates."""
    if not scop.checked:
        return scop  # a compiler sees by itself that nothing else is there
    assert scop.target is not None
    held = accumulators(scop, loop.variable.spelling)
    return replace(scop, target=replace(scop.target, held=held))


def _loops(order: Order) -> list[list[str]]:
    """The statements by loops: what calls depend on, the calls, what depends on them, and so on.

    What no call depends on comes as late as it can, where its values are used. In a loop statements
    keep the source's order.
    """
    parts = order.parts
    of = {name: part for part in parts for name in part}
    after = {p: {of[t] for n in p for t in order.edges[n]} - {p} for p in parts}
    calls: set[Part] = {p for p in parts if len(p) == 1 and order.scop.statement(p[0]).calls}
    level = _earliest(parts, after, calls)
    last = max((number for p, number in level.items() if p not in calls), default=0)
    leads = set(calls)
    for part in reversed(parts):
        if part in calls or after[part] & leads:
            leads.add(part)
        else:
            level[part] = min((level[p] for p in after[part]), default=last)
    names = [s.name for s in order.scop.statements]
    numbers = sorted(set(level.values()))
    return [[n for n in names if level[of[n]] == number] for number in numbers]


def _earliest(
    parts: Sequence[Part], after: Mapping[Part, Collection[Part]], calls: Collection[Part]
) -> dict[Part, int]:
    """The first loop for each component: calls have odd numbers, all others even ones."""
    level = {p: int(p in calls) for p in parts}
    for part in parts:
        for other in after[part]:
            step = int((part in calls) != (other in calls))
            level[other] = max(level[other], level[part] + step)
    return level
