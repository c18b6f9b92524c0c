"""Random schedules: rows with random coefficients, then random tiles and parallel marks.

``draw`` builds time vectors row by row. A *careful* draw keeps a row only when no dependence that
is still open goes backwards along it, so that most results are legal although they look like
nothing that a cost model would choose; a *careless* one takes what comes. Whether a schedule is
legal is for ``s2s.analyses.legality`` to say.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.recurrences import recurrences
from s2s.analyses.registers import held_elements
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role
from s2s.transforms.distribute import distribute
from s2s.transforms.errors import NotApplicable
from s2s.transforms.parallelize import doacross, doall, simd
from s2s.transforms.reschedule import append_order, reschedule
from s2s.transforms.team import team
from s2s.transforms.tile import tile
from s2s.transforms.unroll_and_jam import unroll_and_jam, vector_dimension

_ROW_TRIES = 14
_MARK_TRIES = 3


@dataclass(frozen=True)
class Drawn:
    """A SCoP with a random target schedule; ``kind`` says how it was drawn."""

    scop: Scop
    kind: str


def identity(scop: Scop) -> Scop:
    """The source's own order as a target schedule."""
    leading = {s.name: _rows(s, []) for s in scop.statements}
    return replace(scop, target=append_order(scop, leading, []), history=("the source's order",))


def draw(scop: Scop, kept: isl.UnionMap, rng: random.Random) -> Drawn:
    """A schedule that may or may not be legal. Raises NotApplicable."""
    kind = rng.choices(("careful", "careless", "isl", "jam"), (8, 1, 2, 4))[0]
    if kind == "jam":
        planned = _jammed(scop, kept, rng)
        return Drawn(replace(planned, history=("jam schedule",)), kind)
    if kind == "isl":
        # Whole deep nests keep isl's scheduler busy for minutes, whatever its budget is.
        rows = max(s.depth for s in scop.statements) > 2 or rng.random() < 0.5
        planned = reschedule(scop, kept, rows=rows)
        permutable = legality.permutable_band(planned, kept)
        assert planned.target is not None
        planned = replace(planned, target=replace(planned.target, permutable=permutable))
    else:
        planned = _random_rows(scop, kept, rng, careful=kind == "careful")
    planned = _tiled(planned, rng)
    planned = _marked(planned, kept, rng)
    planned = _carrying(planned, rng)
    if rng.random() < 0.7:
        planned = team(planned, kept)
    return Drawn(replace(planned, history=(f"{kind} schedule",)), kind)


# -- rows ---------------------------------------------------------------------------------------


def _random_rows(scop: Scop, kept: isl.UnionMap, rng: random.Random, *, careful: bool) -> Scop:
    count = rng.choice((1, 1, 2, 2, 3))
    texts: dict[str, list[str]] = {s.name: [] for s in scop.statements}
    open_: isl.UnionMap = kept
    permutable = 0
    for _ in range(count):
        row = _row(scop, open_, rng, careful=careful)
        if row is None:
            break
        for name, text in row.items():
            texts[name].append(text)
        if not careful or not _backwards(kept, _row_map(scop, row)):
            permutable += permutable == len(texts[scop.statements[0].name]) - 1
        open_ = _still_open(open_, _row_map(scop, row))
    length = len(texts[scop.statements[0].name])
    leading = {s.name: _rows(s, texts[s.name]) for s in scop.statements}
    dimensions = [Dimension(f"c{i}", Role.BAND) for i in range(length)]
    schedule = append_order(scop, leading, dimensions)
    return replace(scop, target=replace(schedule, permutable=permutable))


def _row(
    scop: Scop, open_: isl.UnionMap, rng: random.Random, *, careful: bool
) -> dict[str, str] | None:
    for _ in range(_ROW_TRIES):
        shared = rng.random() < 0.5
        shape = _coefficients(rng)
        row = {
            s.name: _entry(s, shape if shared else _coefficients(rng), rng)
            for s in scop.statements
        }  # fmt: skip
        if not careful or not _backwards(open_, _row_map(scop, row)):
            return row
    return None


def _coefficients(rng: random.Random) -> tuple[int, ...]:
    """Mostly one iterator, sometimes a skewed one, sometimes none (distribution)."""
    kind = rng.random()
    values = [0, 0, 0, 0]
    if kind < 0.12:
        return tuple(values)
    values[rng.randrange(3)] = rng.choice((1, 1, 1, 1, -1))
    if kind > 0.6:
        values[rng.randrange(3)] += rng.choice((1, 1, 2, -1))
    return tuple(values)


def _entry(statement: Statement, shape: tuple[int, ...], rng: random.Random) -> str:
    terms = [
        f"{c}*{v.name}" for c, v in zip(shape, statement.iterators, strict=False) if c
    ]  # fmt: skip
    return " + ".join([*terms, str(rng.choice((0, 0, 0, 1, 2, -1)))])


def _rows(statement: Statement, rows: list[str]) -> isl.Map:
    inputs = ", ".join(v.name for v in statement.iterators)
    domain = statement.domain
    count = domain.dim(isl.dim_type.param)
    names = ", ".join(str(domain.get_dim_name(isl.dim_type.param, i)) for i in range(count))
    text = f"[{names}] -> {{ {statement.name}[{inputs}] -> [{', '.join(rows)}] }}"
    return isl.Map(text).intersect_domain(domain)


def _row_map(scop: Scop, row: dict[str, str]) -> isl.UnionMap:
    result: isl.UnionMap | None = None
    for statement in scop.statements:
        item = isl.UnionMap.from_map(_rows(statement, [row[statement.name]]))
        result = item if result is None else result.union(item)
    assert result is not None
    return result


def _distances(relation: isl.UnionMap, row: isl.UnionMap) -> isl.Map | None:
    timed = relation.apply_domain(row).apply_range(row)
    return None if timed.is_empty() else isl.Map.from_union_map(timed)


def _backwards(relation: isl.UnionMap, row: isl.UnionMap) -> bool:
    timed = _distances(relation, row)
    if timed is None:
        return False
    return not timed.intersect(isl.Map.lex_gt(timed.get_space().domain())).is_empty()


def _still_open(relation: isl.UnionMap, row: isl.UnionMap) -> isl.UnionMap:
    """Dependences whose two ends get the same value."""
    return relation.intersect(row.apply_range(row.reverse())).coalesce()


# -- loops written out --------------------------------------------------------------------------

_JAM_TRIES = 6


def _jammed(scop: Scop, kept: isl.UnionMap, rng: random.Random) -> Scop:
    """Distribution, unroll-and-jam and elements in locals, mostly in a legal order."""
    deepest = max(s.depth for s in scop.statements)
    if deepest < 2:
        raise NotApplicable(scop.span, "no nest")
    deep = [s for s in scop.statements if s.depth == deepest]
    for attempt in range(_JAM_TRIES):
        orders = {s.name: _shuffled(s.depth, rng) for s in scop.statements}
        shared = rng.randint(0, min(deepest - 1, *(s.depth for s in scop.statements)))
        try:
            planned = distribute(scop, kept, orders, shared)
        except NotApplicable:
            continue
        if legality.check(planned, kept) is not None:
            continue  # nor is it legal when it is jammed
        places = rng.sample(range(deepest - 1), rng.randint(1, min(2, deepest - 1)))
        factors = {place + (place >= shared): rng.randint(2, 4) for place in places}
        names = frozenset(s.name for s in rng.sample(deep, rng.randint(1, len(deep))))
        planned = unroll_and_jam(
            planned, factors, names, part=shared, rest_first=rng.random() < 0.5
        )
        if attempt == _JAM_TRIES - 1 or legality.check(planned, kept) is None:
            return _holding(planned, [s for s in deep if s.name in names], orders)
    raise NotApplicable(scop.span, "no order of the parts")


def _holding(scop: Scop, jammed: list[Statement], orders: dict[str, tuple[int, ...]]) -> Scop:
    assert scop.target is not None
    vector = vector_dimension(scop.target)
    held = [h for s in jammed for h in held_elements(scop, s, vector, orders[s.name][-1])]
    return replace(scop, target=replace(scop.target, held=tuple(held)))


def _shuffled(count: int, rng: random.Random) -> tuple[int, ...]:
    order = list(range(count))
    if rng.random() < 0.6:
        rng.shuffle(order)
    return tuple(order)


# -- tiles and marks ----------------------------------------------------------------------------


def _tiled(scop: Scop, rng: random.Random) -> Scop:
    assert scop.target is not None
    most = min(scop.target.permutable, scop.target.count(Role.BAND), 3)
    if most == 0 or rng.random() < 0.4:
        return scop
    sizes = [rng.choice((1, 2, 3, 4, 5, 8)) for _ in range(rng.randint(1, most))]
    chunk = sizes[0] * rng.choice((2, 3)) if rng.random() < 0.25 else 0
    return tile(scop, sizes, chunk=chunk)


def _marked(scop: Scop, kept: isl.UnionMap, rng: random.Random) -> Scop:
    """Parallel marks; each is tried alone first, and a careless one is left in now and then."""
    for _ in range(rng.randint(0, _MARK_TRIES)):
        try:
            attempt = _mark(scop, rng)
        except NotApplicable:
            continue
        if rng.random() < 0.05 or legality.check(attempt, kept) is None:
            scop = attempt
    return scop


def _carrying(scop: Scop, rng: random.Random) -> Scop:
    """Elements in locals along some dimensions, whichever of these become innermost loops."""
    assert scop.target is not None
    dimensions = scop.target.dimensions
    loops = [i for i, d in enumerate(dimensions) if d.role is not Role.TILE]
    found = [r for i in rng.sample(loops, min(2, len(loops))) for r in recurrences(scop, i)]
    return replace(scop, target=replace(scop.target, rotated=tuple(found)))


def _mark(scop: Scop, rng: random.Random) -> Scop:
    assert scop.target is not None
    count, tiles = len(scop.target.dimensions), scop.target.count(Role.TILE)
    if any(d.parallelism is not Parallelism.NONE for d in scop.target.dimensions):
        raise NotApplicable(scop.span, "one parallel nest is enough")
    if tiles >= 1 and rng.random() < 0.5:
        first = rng.randrange(tiles)
        return doacross(scop, rng.randint(1, tiles - first), first=first)
    position = rng.randrange(count)
    locked = any(a.commutes for s in scop.statements for a in s.accesses)
    if position == count - 1 and not locked and rng.random() < 0.5:
        return simd(scop, position)
    if rng.random() < 0.3:
        return _some_doall(scop, position, rng)
    return doall(scop, position)


def _some_doall(scop: Scop, position: int, rng: random.Random) -> Scop:
    """A loop that is parallel for some statements only: others run between parallel loops."""
    assert scop.target is not None
    count = rng.randint(1, len(scop.statements))
    names = frozenset(s.name for s in rng.sample(scop.statements, count))
    dimension = scop.target.dimensions[position]
    marked = replace(dimension, parallelism=Parallelism.DOALL, statements=names)
    return replace(scop, target=scop.target.with_dimension(position, marked))
