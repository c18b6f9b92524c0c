"""Unified buffers of an accelerator whose operations have their cycles.

How many words a buffer needs follows from when they are written and last read (section 4.2 of
Setter's dissertation): it is counted, word by word, over the whole run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule, Start
from s2s.scop.unified_buffers import Port, UnifiedBuffer
from s2s.transforms.clockwork.accesses import Access, memories

if TYPE_CHECKING:
    import islpy as isl
    import numpy as np
    from numpy.typing import NDArray

    from s2s.transforms.clockwork.accesses import Numbers

_FIRST = 8192
"""Elements that are looked at before all are: those that are written first."""
_ROWS = 512
"""Numbers of rows, about, that are tried as the size of a buffer."""


def unified_buffers(
    accelerator: Accelerator,
    schedule: CycleSchedule,
    turns: Mapping[str, int] | None = None,
) -> tuple[UnifiedBuffer, ...]:
    """All buffers and streams in the order of their first writing or reading.

    ``turns``: cycles that operations wait for a kernel that others use, pixel by pixel; what
    waits for a turn stands in the kernel's registers, and is no part of a capacity. Streams have
    capacity 0.
    """
    accesses = list_accesses(accelerator, schedule)
    outside = {*accelerator.inputs, *accelerator.outputs}
    found = []
    for name in dict.fromkeys(access.tensor for access in accesses):
        own = [access for access in accesses if access.tensor == name]
        waiting = [_ahead(access, turns or {}) for access in own]
        capacity = 0 if name in outside else living(waiting)
        found.append(UnifiedBuffer(name, tuple(_port(accelerator, a) for a in own), capacity))
    return tuple(found)


def _ahead(access: Access, turns: Mapping[str, int]) -> Access:
    """The access as it would be if the operation had not to wait for its turn."""
    turn = turns.get(access.operation.name, 0)
    start = replace(access.start, offset=access.start.offset - turn)
    return replace(access, start=start)


def list_accesses(accelerator: Accelerator, schedule: CycleSchedule) -> list[Access]:
    """Loads and stores of all operations; read-only memories are left out."""
    places = memories(accelerator)
    found = []
    for operation in accelerator.operations:
        start = schedule.starts[operation.name]
        loads = [k for k, load in enumerate(operation.loads) if load.tensor in places]
        for number in (*loads, -1):
            tensor = operation.store.tensor if number < 0 else operation.loads[number].tensor
            found.append(Access(operation, number, start, places[tensor]))
    return found


def living(accesses: list[Access]) -> int:
    """The most elements that are alive at a time: written, and read in a later cycle."""
    import numpy as np

    _, born, last = lifetimes(accesses)
    return _most(np.sort(born), np.sort(last))


def lifetimes(accesses: list[Access], *, every: bool = False) -> tuple[Numbers, Numbers, Numbers]:
    """Elements that are alive, the cycles of their first write and of their last read.

    With ``every`` all that are written, until after their last write if nothing loads them then.
    """
    import numpy as np

    touched = [(access.number < 0, access.touched()) for access in _shortened(accesses)]
    size = max((int(t.cells.max()) + 1 for _, t in touched if t.cells.size), default=0)
    born = np.full(size, np.iinfo(np.int64).max)
    last = np.full(size, -1, np.int64)
    for written, each in touched:
        change = np.minimum if written else np.maximum
        change.at(born if written else last, each.cells, each.cycles)
        if written and every:
            np.maximum.at(last, each.cells, each.cycles + 1)
    (alive,) = np.nonzero(last > born)
    return alive, born[alive], last[alive]


def fold(accesses: list[Access], step: int = 1, *, every: bool = False) -> int:
    """The least modulus under which no element takes the place of one that is alive.

    ``step``: words are numbered by so many elements each. ``every``: elements that nothing loads
    are written, too.
    """
    alive, born, last = lifetimes(accesses, every=every)
    alive //= step
    row: int = accesses[0].memory.sizes[-1] if accesses[0].memory.sizes else 1
    if not alive.size:
        return 1
    parts = alive - alive.min(), born - born.min(), last - born.min()
    return _least_modulus(row, int(alive.max()) + 1, *(part.tobytes() for part in parts))


@lru_cache(maxsize=16)
def _least_modulus(row: int, size: int, places: bytes, births: bytes, deaths: bytes) -> int:
    """The same; ``row`` is the length of a row. Lanes of a buffer are one question.

    Where the first element is does not matter, nor when it is written.
    """
    import numpy as np

    alive, born, last = (np.frombuffer(data, np.int64) for data in (places, births, deaths))
    least = max(1, _most(np.sort(born), np.sort(last)))
    # Whole rows, and of very many some.
    rows = row * max(1, (size - least) // (row * _ROWS))
    tried: set[int] = {*range(least, least + 32), *range(least + row - least % row, size, rows)}
    soon = np.argsort(born, kind="stable")[:_FIRST]
    few = alive[soon], born[soon], last[soon]
    for modulus in sorted(m for m in tried if m < size):
        if not _meet(modulus, *few) and not _meet(modulus, alive, born, last):
            return modulus
    return size


def _meet(modulus: int, alive: Numbers, born: Numbers, last: Numbers) -> bool:
    """Whether two elements that are alive at a time have one place under a modulus."""
    import numpy as np

    order = np.lexsort((born, alive % modulus))
    cells, begin, end = alive[order] % modulus, born[order], last[order]
    return bool(np.any((cells[1:] == cells[:-1]) & (begin[1:] < end[:-1])))


def _shortened(accesses: list[Access]) -> list[Access]:
    """As many iterations of the loops around a buffer as are under way at a time, and one more.

    Each of them has elements of its own, in the same cycles after its start. What is alive at a
    time belongs to iterations one after the other; how these follow each other is the same in
    shorter loops with the same pauses between their ends and the next iteration around them.
    Loops whose values subscripts have keep their length: which elements there are depends on it.
    """
    memory = accesses[0].memory
    depth = len(memory.outer)
    strides = {access.start.strides[:depth] for access in accesses}
    if len(strides) != 1:
        return accesses
    first = min(a.start.offset + a.delay for a in accesses)
    last = max(
        a.start.offset
        + a.delay
        + sum(
            s * (e - 1)
            for s, e in zip(a.start.strides[depth:], a.start.extents[depth:], strict=True)
        )
        for a in accesses
    )
    used = frozenset().union(*(s.variables for a in accesses for s in a.subscripts))
    kept: list[int] = []
    steps: list[int] = []
    before = after = 0
    for name, stride, extent in zip(
        *(reversed(x) for x in (memory.outer, *strides, memory.sizes[:depth])), strict=True
    ):
        count = extent
        if name not in used:
            count = min(extent, (last - first) // max(1, stride) + 2)
        steps.append(stride - before + after)
        kept.append(count)
        before += (extent - 1) * stride
        after += (count - 1) * steps[-1]
    return [_with_outer(access, tuple(kept[::-1]), tuple(steps[::-1])) for access in accesses]


def _with_outer(access: Access, extents: tuple[int, ...], strides: tuple[int, ...]) -> Access:
    depth = len(extents)
    start, sizes = access.start, access.memory.sizes
    start = replace(
        start,
        strides=(*strides, *start.strides[depth:]),
        extents=(*extents, *start.extents[depth:]),
    )
    memory = replace(access.memory, sizes=(*extents, *sizes[depth:]))
    return replace(access, start=start, memory=memory)


def _most(births: NDArray[np.int64], deaths: NDArray[np.int64]) -> int:
    """The most intervals (from a birth, before a death) that overlap; both sorted."""
    import numpy as np

    gone = np.searchsorted(deaths, births, side="right")
    return int((np.arange(1, births.size + 1) - gone).max(initial=0))


def _port(accelerator: Accelerator, access: Access) -> Port:
    statement = next(s for s in accelerator.scop.statements if s.name == access.operation.statement)
    store = access.number < 0
    read = None if store else access.operation.loads[access.number]
    relation = statement.write if store else statement.reads[_read(access.operation, read)]
    cycle = _cycle_map(statement.domain, access.operation, access.start, access.delay)
    return Port(
        access.operation.name,
        "in" if store else "out",
        access.number,
        statement.domain,
        _outermost_first(relation.elements),
        cycle,
    )


def _read(operation: Operation, load: object) -> int:
    return list(dict.fromkeys(operation.loads)).index(load)  # type: ignore[arg-type]


def _outermost_first(relation: isl.Map) -> isl.Map:
    """An access map whose elements have their subscripts in the order of Clockwork's files."""
    import islpy as isl

    out, name = isl.dim_type.out, relation.get_tuple_name(isl.dim_type.out)
    rank = relation.dim(out)
    subscripts = [f"a{k}" for k in range(rank)]
    turn = isl.Map(
        f"{{ {name}[{', '.join(subscripts)}] -> {name}[{', '.join(subscripts[::-1])}] }}"
    )
    return relation.apply_range(turn)


def _cycle_map(domain: isl.Set, operation: Operation, start: Start, delay: int) -> isl.Map:
    import islpy as isl

    names = [f"i{k}" for k in range(len(start.extents))]
    pairs = list(zip(names, start.strides, operation.minima, strict=True))
    terms = [str(start.offset + delay - sum(s * m for _, s, m in pairs))]
    terms += [f"{s} {n}" for n, s, _ in pairs]
    text = f"{{ {domain.get_tuple_name()}[{', '.join(names)}] -> [{' + '.join(terms)}] }}"
    return isl.Map(text).intersect_domain(domain)
