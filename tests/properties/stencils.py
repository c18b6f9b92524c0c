"""Sweeps over arrays of two to four dimensions, and whole files that compare two versions of them.

A file has each function twice, as it was written and as it is transformed; its ``main`` runs both
on the same data and prints the functions and sizes for which they leave other bits.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

FORMS = ("doacross", "tasks", "wavefront", "auto")
_TYPES = ("double", "float", "int", "long")
_LETTERS = "ijkl"
# About as many instances as are executed as a whole, and more.
_SIZES = {2: ("7", "24", "110"), 3: ("6", "13", "30"), 4: ("6", "9", "13")}


@dataclass(frozen=True)
class Sweep:
    """A function that sweeps ``steps`` times over arrays."""

    name: str
    text: str
    steps: tuple[int, ...]
    sizes: tuple[int, ...]
    type: str
    arrays: int
    dimensions: int
    double: bool
    """Whether arrays have a leading dimension of two, for ping-pong."""


def draw(number: int, seed: str) -> Sweep:
    """The sweep of a seed."""
    return _Drawing(random.Random(f"{seed}:stencil:{number}"), number).sweep()


class _Drawing:
    """One sweep in the making."""

    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng = rng
        self.name = f"s{number}"
        self.dimensions = rng.choices((2, 3, 4), (5, 7, 2))[0]
        self.type = rng.choice(_TYPES)
        self.size = rng.choice(("n", "n", *_SIZES[self.dimensions]))
        # Rows often have a size of their own.
        self.row = rng.choice((self.size, "9", self.size))
        self.low = rng.choice((1, 1, 2))
        self.kind = rng.choice(("copy", "pingpong", "pointers", "both", "place", "three"))
        self.way = rng.choice(("each", "each", "region", "tasks"))
        if (self.kind, self.way) == ("pointers", "tasks"):
            self.way = "each"  # tasks would see the pointers of later steps
        self.reach = self._reach()

    def _reach(self) -> list[tuple[int, ...]]:
        """Distances of neighbours: symmetric, on one side, or further away."""
        rng, most = self.rng, self.low
        found = [tuple(0 for _ in range(self.dimensions))] if rng.random() < 0.4 else []
        symmetric = rng.random() < 0.6
        axes = [a for a in range(self.dimensions) if rng.random() < 0.8] or [0]
        for axis in axes:
            far = rng.choice((1, 1, most))
            for sign in (1, -1) if symmetric else (rng.choice((1, -1)),):
                found.append(tuple(sign * far if i == axis else 0 for i in range(self.dimensions)))
        if rng.random() < 0.2:
            found.append(tuple(rng.choice((-1, 0, 1)) for _ in range(self.dimensions)))
        return found[:6]

    # -- text -------------------------------------------------------------------------------

    def sweep(self) -> Sweep:
        body, arrays = self._body()
        sized = self.size == "n"
        if self.kind == "pointers":
            parameters = [f"{self.type} {self._pointer(a)}" for a in arrays]
        else:
            parameters = [f"{self.type} {self._array(a)}" for a in arrays]
        head = ", ".join(["int n", "int steps", *parameters])
        text = f"void {self.name}({head})\n{{\n{self._time(body)}}}\n"
        sizes = (self._small(), self._small() + 5) if sized else (int(self.size),)
        long = self.rng.random() < 0.25
        steps = (1, 2, 7, 19) if not long else (3, 37, 133)
        return Sweep(
            self.name, text, steps, sizes, self.type, len(arrays), self.dimensions,
            self.kind == "pingpong",
        )  # fmt: skip

    def _small(self) -> int:
        return self.rng.randint(5, {2: 21, 3: 13, 4: 9}[self.dimensions])

    def _extents(self) -> str:
        return f"[{self.size}]" * (self.dimensions - 2) + f"[{self.row}]"

    def _array(self, name: str) -> str:
        first = f"[{self.size}]" if self.kind == "pingpong" else ""
        return f"(*restrict {name}){first}{self._extents()}"

    def _pointer(self, name: str) -> str:
        return f"(*{name}){self._extents()}"

    def _time(self, body: str) -> str:
        loop = f"for (int t = 0; t < steps; t++) {{\n{body}}}\n"
        if self.way == "region":
            return f"#pragma omp parallel\n{loop}"
        if self.way == "tasks":
            return f"#pragma omp parallel\n#pragma omp single\n{loop}"
        return loop

    def _body(self) -> tuple[str, list[str]]:
        kinds = {
            "copy": (("v", "u", True), ("u", "v", False)),
            "both": (("v", "u", True), ("u", "v", True)),
            "three": (("v", "u", True), ("w", "v", True), ("u", "w", False)),
            "pointers": (("v", "u", True),),
        }
        if self.kind == "pingpong":
            return self._nest("a[(t + 1) % 2]", "a[t % 2]", near=True), ["a"]
        if self.kind == "place":
            return self._nest("u", "u", near=True), ["u"]
        sweeps = kinds[self.kind]
        text = "".join(self._nest(new, old, near=near) for new, old, near in sweeps)
        if self.kind == "pointers":
            swap = f"{self.type} {self._pointer('w')} = u; u = v; v = w;"
            text += f"#pragma omp single\n{{ {swap} }}\n" if self.way == "region" else swap + "\n"
        return text, sorted({name for new, old, _ in sweeps for name in (new, old)})

    def _nest(self, new: str, old: str, *, near: bool) -> str:
        """One pass over an array, and the directives of its outermost loop."""
        letters = _LETTERS[: self.dimensions]
        here = [tuple(0 for _ in letters)]
        reach = (self._in_place() if new == old else self.reach) if near else here
        loops = ""
        for place, letter in enumerate(letters):
            end = self.row if place == len(letters) - 1 else self.size
            if place:
                loops += "    " * place
            elif self.way != "tasks":
                loops += "#pragma omp " + ("for\n" if self.way == "region" else "parallel for\n")
            less = self.low + (self.rng.random() < 0.1)
            loops += f"for (int {letter} = {self.low}; {letter} < {end} - {less}; {letter}++)\n"
            if not place and self.way == "tasks":
                loops += self._depends(new, old, reach)
        value = self._value([f"{old}{self._at(distance)}" for distance in reach])
        return f"{loops}        {new}{self._at(here[0])} = {value};\n"

    def _in_place(self) -> list[tuple[int, ...]]:
        """Rows of the parallel loop depend on themselves only."""
        if self.way == "tasks":
            return self.reach
        return [(0, *distance[1:]) for distance in self.reach]

    def _depends(self, new: str, old: str, reach: Sequence[tuple[int, ...]]) -> str:
        rows = sorted({distance[0] for distance in reach})
        reads = ", ".join(f"{old}[i + {row}]" if row else f"{old}[i]" for row in rows)
        reads = reads.replace("+ -", "- ")
        if new == old:
            return f"#pragma omp task depend(in: {reads}) depend(inout: {new}[i])\n"
        return f"#pragma omp task depend(in: {reads}) depend(out: {new}[i])\n"

    def _at(self, distance: Sequence[int]) -> str:
        texts = []
        for letter, far in zip(_LETTERS, distance, strict=False):
            texts.append(f"[{letter}{f' + {far}' if far > 0 else f' - {-far}' if far else ''}]")
        return "".join(texts)

    def _value(self, reads: Sequence[str]) -> str:
        if self.type in ("int", "long"):
            terms = [f"{self.rng.randint(1, 3)} * {read}" for read in reads]
            return f"({' + '.join(terms)} + {self.rng.randint(0, 9)}) & 1023"
        suffix = "f" if self.type == "float" else ""
        share = f"{1 / (len(reads) + 1):.4f}{suffix}"
        return f"{share} * ({' + '.join(reads)}) + 0.125{suffix}"


# -- whole files ------------------------------------------------------------------------------

_HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
_TOOLS = """
static size_t all(int n, int d, int two) { size_t r = two ? 2 : 1; while (d--) r *= n; return r; }
#define FILL(T, p, count, seed) for (size_t k = 0; k < (count); k++) \\
    ((T *)(p))[k] = (T)((k * 37 + (seed) * 101 + k / 7) % 251) / (T)1
"""


def source(sweeps: Sequence[Sweep]) -> str:
    """The functions that are to be transformed."""
    return "\n".join(sweep.text for sweep in sweeps)


def comparison(sweeps: Sequence[Sweep], original: str, changed: str) -> str:
    """A program that prints where the ``changed`` functions leave other bits."""
    parts = [_HEAD, _TOOLS, original]
    for sweep in sweeps:
        changed = changed.replace(f"void {sweep.name}(", f"void new_{sweep.name}(")
    parts += [changed, "int main(void)\n{\n"]
    parts += [_runs(sweep) for sweep in sweeps]
    return "".join([*parts, "    return 0;\n}\n"])


def _runs(sweep: Sweep) -> str:
    lines = []
    for size, steps in product(sweep.sizes, sweep.steps):
        side = max(size, 9)
        lines.append(f"    {{ size_t c = all({side}, {sweep.dimensions}, {int(sweep.double)});")
        names = range(sweep.arrays)
        for i in names:
            lines.append(
                f"    {sweep.type} *p{i} = malloc(c * sizeof *p{i}), "
                f"*q{i} = malloc(c * sizeof *q{i});"
            )
            lines.append(f"    FILL({sweep.type}, p{i}, c, {i}); FILL({sweep.type}, q{i}, c, {i});")
        for name, letter in ((sweep.name, "p"), (f"new_{sweep.name}", "q")):
            given = ", ".join([str(size), str(steps), *(f"(void *){letter}{i}" for i in names)])
            lines.append(f"    {name}({given});")
        same = " || ".join(f"memcmp(p{i}, q{i}, c * sizeof *p{i})" for i in names)
        lines.append(f'    if ({same}) printf("{sweep.name} n={size} steps={steps}\\n");')
        lines += [f"    free(p{i}); free(q{i});" for i in names]
        lines.append("    }")
    return "\n".join(lines) + "\n"
