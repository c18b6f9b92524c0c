"""Random programs from a seed: affine loop nests in the shapes that people write.

Everything is drawn from one ``random.Random``; a program is redrawn until it has defined behaviour
for all of its sizes. Pragmas are put in afterwards (``parallelism.py``).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from math import prod

from tests.properties.execute import Execution, execute
from tests.properties.parallelism import parallelize
from tests.properties.program import (
    Affine,
    Array,
    Assign,
    Condition,
    If,
    Index,
    Loop,
    Node,
    Program,
    Ref,
    Unsuitable,
    map_nodes,
    walk,
)

_ITERATORS = ("i", "j", "k", "l")
_FEWEST_EVENTS = 6
_TRIES = 300


def draw_program(number: int, seed: str, *, parallel: float = 0.65) -> Program:
    """The program of a seed. The same seed gives the same program."""
    rng = random.Random(seed)
    for _ in range(_TRIES):
        try:
            program = Draw(rng, number, seed).program()
            if rng.random() < parallel:
                program = parallelize(program, rng)
            return program
        except Unsuitable:
            continue
    raise AssertionError(f"no suitable program for seed {seed}")


@dataclass
class Draw:
    rng: random.Random
    number: int
    seed: str
    arrays: list[Array] = field(default_factory=list)
    scalars: list[tuple[str, str, int]] = field(default_factory=list)
    statements: int = 0
    assigned: int = 0

    def program(self) -> Program:
        self.parameters = self._parameters()
        self._draw_arrays()
        self.scalars = [("int", "s", 3), ("long", "w", 5), ("int", "t", 0)]
        self.budget = self.rng.choice((1, 2, 2, 3, 3, 4, 5))
        body: list[Node] = []
        while self.statements < self.budget:
            body.append(self._loop((), self.rng.choice((1, 2, 2, 2, 3, 3, 4))))
        program = Program(
            self.number, self.seed, self.parameters, tuple(self.arrays), tuple(self.scalars),
            ("s", "w"), tuple(body), self._runs(),
        )  # fmt: skip
        return self.fitted(program)

    def _parameters(self) -> tuple[tuple[str, str], ...]:
        kinds = ("int", "int", "int", "long", "unsigned")
        return tuple((self.rng.choice(kinds), name) for name in ("n", "m"))

    def _runs(self) -> tuple[dict[str, int], ...]:
        draw = self.rng.randint
        runs = [
            {"n": draw(5, 9), "m": draw(4, 9)},
            {"n": draw(3, 12), "m": draw(3, 5)},
            {"n": draw(0, 3), "m": draw(0, 3)},
        ]
        return tuple(runs[: self.rng.choice((1, 2, 3))])

    def _draw_arrays(self) -> None:
        for letter in "abc"[: self.rng.choice((1, 2, 2, 3))]:
            element = self.rng.choice(("int", "int", "double", "double", "long"))
            rank = self.rng.choice((1, 1, 2, 2, 2, 3))
            form = self.rng.choice(("global", "global", "vla", "pointer", "flat", "flat"))
            name = f"k{self.number}_{letter}"
            restrict = form != "global" and self.rng.random() < 0.6
            self.arrays.append(Array(name, element, rank, form, restrict))

    # -- control ----------------------------------------------------------------------------

    def _loop(self, around: tuple[Loop, ...], depth: int) -> Loop:
        rng = self.rng
        var = _ITERATORS[len(around)]
        type_ = rng.choice(("int", "int", "int", "int", "long", "unsigned"))
        down = type_ != "unsigned" and rng.random() < 0.2
        upwards = ("plain", "plain", "plain", "closed", "swapped", "assigned")
        style = rng.choice(("plain", "plain", "strict") if down else upwards)
        loop = Loop(
            var, type_, rng.random() < 0.75, self._bound(around, True), self._bound(around, False),
            rng.choice((1, 1, 1, 1, 1, 2, 3)), down, style, (),
        )  # fmt: skip
        inside = (*around, loop)
        return replace(loop, body=self._body(inside, depth - 1))

    def _bound(self, around: tuple[Loop, ...], lower: bool) -> Affine:
        rng = self.rng
        outer = rng.choice(around).var if around and rng.random() < 0.3 else ""
        if lower:
            if outer:
                return Affine(((outer, 1),), rng.choice((0, 0, 1, -1)))
            return Affine((), rng.choice((0, 0, 0, 1, 1, 2)))
        size = rng.choice(("n", "n", "m", "m", ""))
        if outer and rng.random() < 0.5:
            return Affine(((outer, 1),), rng.choice((1, 2, 3)))
        if outer and size:
            return Affine(((size, 1), (outer, rng.choice((-1, -1, 1)))), rng.choice((0, 0, 1)))
        if not size:
            return Affine((), rng.choice((3, 5, 8)))
        return Affine(((size, 1),), rng.choice((0, 0, 0, -1, 1)))

    def _body(self, around: tuple[Loop, ...], depth: int) -> tuple[Node, ...]:
        rng = self.rng
        nodes: list[Node] = []
        count = rng.choice((1, 1, 1, 2, 2, 3))
        for position in range(count):
            left = self.budget - self.statements
            if depth > 0 and (position == count - 1 or rng.random() < 0.3):
                nodes.append(self._loop(around, depth))
            elif rng.random() < 0.15:
                nodes.append(self._if(around))
            elif rng.random() < 0.15:
                nodes += self._through_scalar(around)
            else:
                nodes.append(self._assign(around))
            if left <= 0:
                break
        return tuple(nodes)

    def _if(self, around: tuple[Loop, ...]) -> If:
        rng = self.rng
        count = rng.choice((1, 1, 2))
        conditions = tuple(self._condition(around) for _ in range(count))
        other: tuple[Node, ...] = (self._assign(around),) if rng.random() < 0.5 else ()
        return If(conditions, rng.choice(("&&", "||")), (self._assign(around),), other)

    def _condition(self, around: tuple[Loop, ...]) -> Condition:
        rng = self.rng
        left = Affine(((rng.choice(around).var, 1),))
        op = rng.choice(("<", "<=", ">", ">=", "==", "!="))
        right = rng.choice((self._bound(around, True), self._bound(around, False)))
        return Condition(left, op, right)

    # -- statements -------------------------------------------------------------------------

    def _assign(self, around: tuple[Loop, ...]) -> Assign:
        rng = self.rng
        self.statements += 1
        target = self._target(around)
        real = self._is_real(target)
        reads = rng.choice((1, 1, 2, 2, 3))
        kind = None if real else False
        operands = [(self.factor(), self._element(around, real=kind)) for _ in range(reads)]
        if rng.random() < 0.4 and target.indices:
            operands[0] = (self.factor(), self._neighbour(target))
        condition = None
        if rng.random() < 0.06:
            condition = self._element(around, real=real)
        op = rng.choice(("=", "=", "=", "=", "+=", "-="))
        return self.numbered(
            target, op, operands, around, real, helper=rng.random() < 0.1, condition=condition
        )

    def numbered(
        self, target: Ref, op: str, operands: list[tuple[int, Ref]], around: tuple[Loop, ...],
        real: bool, *, declares: str = "", helper: bool = False, condition: Ref | None = None,
    ) -> Assign:  # fmt: skip
        self.assigned += 1
        names = [loop.var for loop in around if self.rng.random() < 0.6]
        factors = (1, 2, 3, 5) if real else (1, 2, 7, -3)
        iterators = tuple((n, self.rng.choice(factors)) for n in names)
        return Assign(
            self.assigned, target, op, tuple(operands), iterators, self.rng.randint(0, 9), real,
            declares, helper and not real, condition,
        )  # fmt: skip

    def factor(self) -> int:
        return self.rng.choice((1, 2, 3, 5, -1, -2))

    def _through_scalar(self, around: tuple[Loop, ...]) -> list[Node]:
        """A scalar that is set and used at once: of the function, or declared in the body."""
        rng = self.rng
        self.statements += 1
        declared = rng.random() < 0.5
        name = f"x{self.assigned}" if declared else "t"
        operands = [(self.factor(), self._element(around, real=False))]
        first = self.numbered(Ref(name), "=", operands, around, False,
                               declares="int" if declared else "")  # fmt: skip
        target = self._target(around)
        real = self._is_real(target)
        second = self._element(around, real=None if real else False)
        operands = [(1, Ref(name)), (self.factor(), second)]
        return [first, self.numbered(target, "=", operands, around, real)]

    def _is_real(self, target: Ref) -> bool:
        array = next((a for a in self.arrays if a.name == target.name), None)
        return array is not None and array.element == "double"

    def _target(self, around: tuple[Loop, ...]) -> Ref:
        rng = self.rng
        if rng.random() < 0.08:
            return Ref(rng.choice(("s", "w")))
        array = rng.choice(self.arrays)
        return Ref(array.name, self._plain_subscripts(around, array.rank))

    def _plain_subscripts(self, around: tuple[Loop, ...], rank: int) -> tuple[Index, ...]:
        """Mostly the loop variables themselves, in some order: what parallel code looks like."""
        rng = self.rng
        names = [loop.var for loop in around]
        if rng.random() < 0.25:
            rng.shuffle(names)
        indices: list[Index] = []
        for place in range(rank):
            if place < len(names) and rng.random() < 0.85:
                indices.append(Index(Affine(((names[place], 1),), rng.choice((0, 0, 0, 1)))))
            else:
                indices.append(self._subscript(around))
        return tuple(indices)

    def _subscript(self, around: tuple[Loop, ...]) -> Index:
        rng = self.rng
        shape = rng.random()
        one = rng.choice(around).var
        if shape < 0.1:
            return Index(Affine((), rng.randint(0, 3)))
        if shape < 0.7:
            return Index(Affine(((one, 1),), rng.choice((-1, 0, 0, 1, 2))))
        if shape < 0.8:
            other = rng.choice((*[loop.var for loop in around], "n", "m"))
            terms = {one: 1}
            terms[other] = terms.get(other, 0) + rng.choice((1, 1, -1))
            return Index(Affine(tuple((n, c) for n, c in terms.items() if c), rng.choice((0, 1))))
        if shape < 0.88:
            return Index(Affine(((one, rng.choice((2, 3, -1))),), rng.choice((0, 1))))
        if shape < 0.96:
            return Index(Affine(((one, 1),)), rng.choice("/%"), rng.choice((2, 3)))
        return Index(Affine(((one, 1),)), table=True)

    def _element(self, around: tuple[Loop, ...], *, real: bool | None = None) -> Ref:
        rng = self.rng
        choices = [a for a in self.arrays if real is None or (a.element == "double") is real]
        if not choices or (rng.random() < 0.06 and real is not True):
            return Ref(rng.choice(("s", "w")))
        array = rng.choice(choices)
        if rng.random() < 0.5:
            return Ref(array.name, self._plain_subscripts(around, array.rank))
        return Ref(array.name, tuple(self._subscript(around) for _ in range(array.rank)))

    def _neighbour(self, target: Ref) -> Ref:
        """An element near the one that is written: a stencil or a recurrence."""
        shifts = (-1, -1, 0, 0, 1)
        return Ref(
            target.name,
            tuple(replace(i, base=i.base.plus(self.rng.choice(shifts))) for i in target.indices),
        )

    # -- sizes ------------------------------------------------------------------------------

    def fitted(self, program: Program) -> Program:
        """With arrays that hold what is touched, and without what nothing refers to."""
        return self._used_only(self._in_bounds(program))

    def _in_bounds(self, program: Program) -> Program:
        """Shift subscripts to begin at 0 and choose sizes that hold all of them."""
        used = _used(program)
        program = _shifted(program, used)
        executions = [execute(program, run) for run in program.runs]
        if sum(len(e.events) for e in executions) < _FEWEST_EVENTS:
            raise Unsuitable("hardly anything is executed")
        arrays = tuple(self._sized(a, program, executions) for a in program.arrays)
        names = {i for a in arrays for i in a.inner if i.startswith("ld")}
        runs = []
        for run, execution in zip(program.runs, executions, strict=True):
            extra = {name: _needed(name, arrays, execution) for name in sorted(names)}
            runs.append({**run, **extra})
        parameters = (*program.parameters, *((self._size_type(), n) for n in sorted(names)))
        program = replace(program, arrays=arrays, runs=tuple(runs), parameters=parameters)
        for run in runs:
            execute(program, run)
        return replace(program, arrays=tuple(_counted(a, program, executions) for a in arrays))

    def _size_type(self) -> str:
        return self.rng.choice(("int", "int", "long"))

    def _sized(self, array: Array, program: Program, executions: list[Execution]) -> Array:
        spans = [
            max(e.used.get((array.name, p), (0, 0))[1] + 1 for e in executions)
            for p in range(array.rank)
        ]
        pad = self.rng.choice((0, 0, 1))
        if array.form == "global":
            return replace(array, inner=tuple(str(s + pad) for s in spans))
        inner = []
        for place in range(1, array.rank):
            name = self.rng.choice(("n", "m", "number", "ld"))
            if name == "number":
                inner.append(str(spans[place] + pad))
            elif name == "ld":
                inner.append(f"ld{array.name[-1]}{place}")
            else:
                inner.append(self._around_parameter(array, place, name, program, executions))
        return replace(array, inner=tuple(inner))

    def _around_parameter(
        self, array: Array, place: int, name: str, program: Program, executions: list[Execution]
    ) -> str:
        """``n`` or ``n + c``, large enough for every run; flat arrays need the plain name."""
        runs = zip(program.runs, executions, strict=True)
        lacking = max(e.used.get((array.name, place), (0, 0))[1] + 1 - run[name] for run, e in runs)
        if min(run[name] for run in program.runs) + max(0, lacking) < 1:
            lacking = 1
        if lacking <= 0:
            return name
        if array.form == "flat":
            return f"ld{array.name[-1]}{place}"
        return f"{name} + {lacking}"

    def _used_only(self, program: Program) -> Program:
        """Without the variables and arrays that nothing refers to."""
        from tests.properties.program import references

        names = {r.name for n in walk(program.body) if isinstance(n, Assign) for r in references(n)}
        return replace(
            program,
            arrays=tuple(a for a in program.arrays if a.name in names),
            scalars=tuple(s for s in program.scalars if s[1] in names),
            results=tuple(r for r in program.results if r in names),
        )


def _used(program: Program) -> dict[tuple[str, int], tuple[int, int]]:
    used: dict[tuple[str, int], tuple[int, int]] = {}
    for run in program.runs:
        for key, (low, high) in execute(program, run).used.items():
            first, last = used.get(key, (low, high))
            used[key] = (min(first, low), max(last, high))
    return used


def _shifted(program: Program, used: dict[tuple[str, int], tuple[int, int]]) -> Program:
    def ref(old: Ref) -> Ref:
        indices = []
        for place, index in enumerate(old.indices):
            low = used.get((old.name, place), (0, 0))[0]
            if low >= 0:
                indices.append(index)
            elif index.op or index.table:
                raise Unsuitable("shift of a subscript that is not affine")
            else:
                indices.append(replace(index, base=index.base.plus(-low)))
        return Ref(old.name, tuple(indices))

    change: dict[int, tuple[Node, ...]] = {}
    for node in walk(program.body):
        if isinstance(node, Assign):
            condition = ref(node.condition) if node.condition is not None else None
            operands = tuple((c, ref(r)) for c, r in node.operands)
            new = replace(node, target=ref(node.target), operands=operands, condition=condition)
            change[id(node)] = (new,)
    return replace(program, body=map_nodes(program.body, change))


def _needed(name: str, arrays: tuple[Array, ...], execution: Execution) -> int:
    """A value for a leading dimension: just enough, or one more."""
    array = next(a for a in arrays if name in a.inner)
    place = array.inner.index(name) + 1
    return execution.used.get((array.name, place), (0, 0))[1] + 1 + len(execution.events) % 2


def _counted(array: Array, program: Program, executions: list[Execution]) -> Array:
    """With the number of elements that the harness has to provide."""
    if array.form == "global":
        return replace(array, count=prod(int(size) for size in array.inner))
    most = 1
    for run, execution in zip(program.runs, executions, strict=True):
        size = execution.used.get((array.name, 0), (0, 0))[1] + 1
        for text in array.inner:
            size *= _evaluate(text, run)
        most = max(most, size)
    return replace(array, count=most)


def _evaluate(text: str, run: dict[str, int]) -> int:
    name, _, constant = text.partition(" + ")
    return (int(name) if name.isdigit() else run[name]) + int(constant or 0)
