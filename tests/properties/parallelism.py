"""OpenMP constructs put into serial programs, kept only where the oracle finds no race."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.properties.execute import execute, has_race
from tests.properties.program import (
    Affine,
    Assign,
    Depend,
    Loop,
    Node,
    Omp,
    Program,
    Ref,
    Unsuitable,
    children,
    map_nodes,
    references,
    walk,
)

_TRIES = 8
Attempt = Callable[[Program, random.Random], Program | None]


def is_race_free(program: Program) -> bool:
    """Whether the oracle finds no race for any of the program's sizes."""
    try:
        return not any(has_race(execute(program, run)) for run in program.runs)
    except Unsuitable:
        return False


def parallelize(program: Program, rng: random.Random) -> Program:
    """The program with pragmas that keep its serial elision, or as it was."""
    locked = _with_locks(program, rng) if rng.random() < 0.4 else program
    attempts: Sequence[Attempt] = (_parallel_for, _parallel_for, _region, _region, _tasks)
    done = 0
    for start in (locked, program):
        current = start
        for _ in range(_TRIES):
            candidate = rng.choice(attempts)(current, rng)
            if candidate is not None and is_race_free(candidate):
                current, done = candidate, done + 1
                if rng.random() < 0.6:
                    return current
        if done:
            return current
    return locked if rng.random() < 0.3 else program


def _outside(nodes: Sequence[Node]) -> list[Node]:
    """Nodes that no construct surrounds."""
    found: list[Node] = []
    for node in nodes:
        if not isinstance(node, Omp):
            found += [node, *_outside(children(node))]
    return found


def _loops(program: Program) -> list[Loop]:
    return [n for n in _outside(program.body) if isinstance(n, Loop)]


def privates(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Variables of the function that a construct's instances need for themselves."""
    found: list[str] = []
    for node in walk(tuple(nodes)):
        if isinstance(node, Loop) and not node.declared:
            found.append(node.var)
        elif isinstance(node, Assign) and node.target.name == "t":
            found.append("t")
    return tuple(dict.fromkeys(found))


def _change(program: Program, old: Node, *new: Node) -> Program:
    return replace(program, body=map_nodes(program.body, {id(old): new}))


# -- critical and atomic ------------------------------------------------------------------------


def _with_locks(program: Program, rng: random.Random) -> Program:
    """Some integer updates under ``atomic`` or ``critical``."""
    change: dict[int, tuple[Node, ...]] = {}
    for node in walk(program.body):
        if not isinstance(node, Assign) or node.real or node.declares or node.target.name == "t":
            continue
        if rng.random() < 0.5:
            change[id(node)] = (_locked(node, rng),)
    return replace(program, body=map_nodes(program.body, change))


def _locked(node: Assign, rng: random.Random) -> Omp:
    update = replace(node, op="+=") if rng.random() < 0.8 else node
    others = {ref.name for _, ref in update.operands}
    plain = update.op == "+=" and update.condition is None and update.target.name not in others
    if plain and rng.random() < 0.6:
        return Omp("atomic", (update,))
    return Omp("critical", (update,), name=rng.choice(("", "lock")))


# -- worksharing --------------------------------------------------------------------------------


def _parallel_for(program: Program, rng: random.Random) -> Program | None:
    loops = _loops(program)
    if not loops:
        return None
    loop = rng.choice(loops)
    return _change(program, loop, shared_loop("parallel for", loop, rng))


def shared_loop(kind: str, loop: Loop, rng: random.Random) -> Omp:
    collapse = 2 if _collapsible(loop) and rng.random() < 0.5 else 1
    inner: Sequence[Node] = loop.body
    if collapse == 2:
        inner = children(loop.body[0])
    return Omp(kind, (loop,), collapse, private=privates(inner))


def _collapsible(loop: Loop) -> bool:
    if len(loop.body) != 1 or not isinstance(loop.body[0], Loop):
        return False
    inner = loop.body[0]
    return not any(n == loop.var for b in (inner.lower, inner.upper) for n, _ in b.terms)


def _region(program: Program, rng: random.Random) -> Program | None:
    """``parallel`` around a whole nest or a loop's body, work shared inside."""
    loops = [n for n in _loops(program) if any(isinstance(c, Loop) for c in n.body)]
    whole = rng.random() < 0.4 and not any(isinstance(n, Omp) for n in walk(program.body))
    if not loops and not whole:
        return None
    if whole:
        return replace(program, body=(Omp("parallel", shared(program.body, rng)),))
    loop = rng.choice(loops)
    inner = replace(loop, body=shared(loop.body, rng))
    if any(isinstance(n, Omp) for n in walk(loop.body)):
        return None
    if rng.random() < 0.5:
        return _change(program, loop, replace(loop, body=(Omp("parallel", inner.body),)))
    private = () if loop.declared else (loop.var,)
    return _change(program, loop, Omp("parallel", (inner,), private=private))


def shared(nodes: Sequence[Node], rng: random.Random) -> tuple[Node, ...]:
    """The nodes of a parallel region's body, each executed once."""
    result: list[Node] = []
    for group in _together(nodes):
        nowait = rng.random() < 0.4
        private = privates(group)
        first = group[0]
        if isinstance(first, Loop) and rng.random() < 0.85:
            result.append(replace(shared_loop("for", first, rng), nowait=nowait))
        elif rng.random() < 0.25 and not private:
            result.append(Omp("master", group))
        else:
            result.append(Omp("single", group, nowait=nowait, private=private))
        if rng.random() < 0.3:
            result.append(Omp("barrier"))
    return tuple(result)


def _together(nodes: Sequence[Node]) -> list[tuple[Node, ...]]:
    """Nodes one by one, but a scalar's setting with its use."""
    groups: list[tuple[Node, ...]] = []
    open_ = False
    for node in nodes:
        if open_:
            groups[-1] = (*groups[-1], node)
        else:
            groups.append((node,))
        open_ = isinstance(node, Assign) and (bool(node.declares) or node.target.name == "t")
    return groups


# -- tasks --------------------------------------------------------------------------------------


def _tasks(program: Program, rng: random.Random) -> Program | None:
    """``parallel`` and ``single`` around a nest; bodies of some loops become tasks."""
    loops = [n for n in _loops(program) if not any(isinstance(c, Omp) for c in walk(n.body))]
    if not loops:
        return None
    outer = rng.choice(loops)
    inside = [n for n in walk((outer,)) if isinstance(n, Loop)]
    level = rng.choice(inside)
    waits = rng.random() < 0.5
    around = _around(outer, level)
    change: dict[int, tuple[Node, ...]] = {}
    if rng.random() < 0.5:
        bodies: list[tuple[Node, ...]] = [level.body]
    else:
        bodies = _together(level.body)
    tasks = tuple(task_of(program, body, around, rng) for body in bodies)
    new = replace(level, body=tasks)
    change[id(level)] = (new, Omp("taskwait")) if waits else (new,)
    (*spawning,) = map_nodes((outer,), change)
    body = tuple(spawning)
    kind = rng.choice(("single", "single", "master"))
    private = privates(body)
    if kind == "master" and private:
        kind = "single"
    return _change(program, outer, Omp("parallel", (Omp(kind, body, private=private),)))


def _around(outer: Loop, level: Loop) -> frozenset[str]:
    """Variables of the loops from ``outer`` down to ``level``."""
    if outer is level:
        return frozenset({outer.var})
    for child in children(outer):
        if any(n is level for n in walk((child,))):
            inner = _around(child, level) if isinstance(child, Loop) else frozenset()
            return inner | {outer.var}
    return frozenset()


def task_of(
    program: Program, body: tuple[Node, ...], around: frozenset[str], rng: random.Random
) -> Omp:
    depends: dict[tuple[str, tuple[Affine, ...]], Depend] = {}
    for node in walk(body):
        if isinstance(node, Assign):
            for ref in references(node):
                tag = _tag(program, ref, around)
                if tag is None or (ref is not node.target and rng.random() < 0.1):
                    continue
                kind = rng.choice(("out", "inout")) if ref is node.target else "in"
                key = (tag[0], tag[1])
                if key not in depends or depends[key].kind == "in":
                    depends[key] = Depend(kind, *tag)
    return Omp("task", body, private=privates(body), depends=tuple(depends.values()))


def _tag(
    program: Program, ref: Ref, around: frozenset[str]
) -> tuple[str, tuple[Affine, ...]] | None:
    """An element that stands for what a reference touches in the whole task."""
    array = program.array(ref.name)
    if array is None or array.form == "flat":
        return None
    known = around | {name for _, name in program.parameters}
    indices: list[Affine] = []
    for index in ref.indices:
        usable = not index.op and not index.table and {n for n, _ in index.base.terms} <= known
        indices.append(index.base if usable else Affine())
    return ref.name, tuple(indices)
