"""Random loops of a few statements, and what running them does.

A program is known by its statements alone; it becomes C text for the frontend, and instances with
the elements that they touch for a simulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

LENGTH = 64
FIRST, LAST = 8, 15

Element = tuple[str, int]
"""An array and a subscript; a scalar has 0."""


@dataclass(frozen=True)
class Reference:
    """``name[factor * i + offset]``, or a scalar."""

    name: str
    factor: int = 0
    offset: int = 0

    @property
    def is_scalar(self) -> bool:
        return self.name in "tuv"

    def text(self) -> str:
        return self.name if self.is_scalar else f"{self.name}[{self.factor} * i + {self.offset}]"

    def element(self, i: int) -> Element:
        return self.name, 0 if self.is_scalar else self.factor * i + self.offset


@dataclass(frozen=True)
class Assignment:
    """``target = sum of reads, each with its place as a factor, + constant``."""

    target: Reference
    reads: tuple[Reference, ...]
    constant: int

    def text(self) -> str:
        terms = [f"{n} * {r.text()}" for n, r in enumerate(self.reads, 2)]
        return f"{self.target.text()} = {' + '.join([*terms, str(self.constant)])};"

    def value(self, values: list[int]) -> int:
        return (sum(n * v for n, v in enumerate(values, 2)) + self.constant) % 1_000_003


@dataclass(frozen=True)
class Program:
    """A loop over i from FIRST to LAST; scalars in ``live`` are read after it."""

    statements: tuple[Assignment, ...]
    live: frozenset[str]

    def text(self) -> str:
        body = "\n        ".join(s.text() for s in self.statements)
        behind = "".join(f" + {name}" for name in sorted(self.live))
        return f"""
int a[{LENGTH}], b[{LENGTH}], c[{LENGTH}];
int kernel(void)
{{
    int t = 1, u = 2, v = 3;
    for (int i = {FIRST}; i <= {LAST}; i++) {{
        {body}
    }}
    return 0{behind};
}}
"""

    def instances(self) -> Iterator[tuple[int, int]]:
        """Iterations and numbers of statements, in the order in which they run."""
        for i in range(FIRST, LAST + 1):
            for number in range(len(self.statements)):
                yield i, number

    def result(self, memory: Mapping[Element, int]) -> dict[Element, int]:
        """What can be seen after the loop."""
        return {e: v for e, v in memory.items() if e[0] in "abc" or e[0] in self.live}


def initial() -> dict[Element, int]:
    memory = {(name, k): 7 * k + n for n, name in enumerate("abc", 1) for k in range(LENGTH)}
    return memory | {("t", 0): 1, ("u", 0): 2, ("v", 0): 3}


def run(program: Program) -> dict[Element, int]:
    """Memory after the loop."""
    memory = initial()
    for i, number in program.instances():
        statement = program.statements[number]
        values = [memory[r.element(i)] for r in statement.reads]
        memory[statement.target.element(i)] = statement.value(values)
    return memory


def random_program(seed: int) -> Program:
    """Two to six statements over three arrays and three scalars."""
    random = Random(seed)
    scalars = "tuv"[: random.choice((0, 1, 1, 2, 3))]

    def reference() -> Reference:
        if scalars and random.random() < 0.35:
            return Reference(random.choice(scalars))
        factor = random.choice((1, 1, 1, 1, 2, 0, -1))
        offset = {1: 0, 2: 0, 0: 20, -1: 30}[factor] + random.randint(-2, 3)
        return Reference(random.choice("abc"), factor, offset)

    def assignment() -> Assignment:
        reads = tuple(dict.fromkeys(reference() for _ in range(random.randint(1, 3))))
        return Assignment(reference(), reads, random.randint(1, 9))

    statements = tuple(assignment() for _ in range(random.randint(2, 6)))
    live = frozenset(s for s in scalars if random.random() < 0.3)
    return Program(statements, live)
