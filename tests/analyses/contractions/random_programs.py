"""Random kernels: loops, loads and stores in one memory, sums and registers carried, branches."""

import random

MEMORY = 1024
LEFT = 192  # elements before and after what subscripts with positive strides reach
LOOPS = "ijk"


def kernel(name: str, seed: int) -> str:
    """``void name(int16_t *m, const int16_t *w)`` on MEMORY and 16 elements."""
    return _Writer(seed).function(name)


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def function(self, name: str) -> str:
        lines = [
            f"void {name}(int16_t *m, const int16_t *w) {{",
            "  v16int16 z = *(v16int16 *)w;",
            "  v32int16 x0 = *(v32int16 *)m, x1 = *(v32int16 *)(m + 32);",
            "  v16acc48 s0 = null_v16acc48(), s1 = ups(*(v16int16 *)(m + 16), 3);",
            "  int t = 5;",
            *self.statements((), 3),
            "  *(v16int16 *)m = srs(s0, 4);",
            "  *(v16int16 *)(m + 16) = srs(s1, 5);",
            "  *(v32int16 *)(m + 32) = x0;",
            "  *(v32int16 *)(m + 64) = x1;",
            "  m[96] = t;",
            "}",
        ]
        return "\n".join(lines)

    def statements(self, loops: tuple[str, ...], depth: int) -> list[str]:
        count = self.random.randint(1, 4)
        found = [line for _ in range(count) for line in self.statement(loops, depth)]
        return [("  " * (len(loops) > 0)) + line for line in found]

    def statement(self, loops: tuple[str, ...], depth: int) -> list[str]:
        kinds = [self.load, self.multiply, self.multiply, self.store, self.number]
        if depth and len(loops) < 3:
            kinds += [self.loop] * (6 if not loops else 2)
        if depth and loops:
            kinds.append(self.branch)
        return self.random.choice(kinds)(loops, depth)

    def loop(self, loops: tuple[str, ...], depth: int) -> list[str]:
        name = LOOPS[len(loops)]
        trips = self.random.choice([1, 2, 3, 4])
        head = f"  for (int {name} = 0; {name} < {trips}; {name}++) {{"
        inner = (*loops, name)
        own = self.registers(inner) if self.random.random() < 0.7 else []
        return [head, *own, *self.statements(inner, depth - 1), "  }"]

    def registers(self, loops: tuple[str, ...]) -> list[str]:
        """New ones in an iteration, so that iterations meet in memory alone."""
        first, second, third = (self.place(loops, 8) for _ in range(3))
        return [
            f"    v32int16 x0 = *(v32int16 *)(m + {first}), x1 = *(v32int16 *)(m + {second});",
            f"    v16acc48 s0 = null_v16acc48(), s1 = ups(*(v16int16 *)(m + {third}), 3);",
            f"    int t = 7 * {loops[-1]};",
        ]

    def branch(self, loops: tuple[str, ...], depth: int) -> list[str]:
        condition = f"({self.random.choice(loops)} + {self.random.randrange(3)}) & 1"
        lines = [f"  if ({condition}) {{", *self.statements(loops, 0)]
        if self.random.random() < 0.5:
            lines += ["  } else {", *self.statements(loops, 0)]
        return [*lines, "  }"]

    def load(self, loops: tuple[str, ...], depth: int) -> list[str]:
        x = self.random.choice(["x0", "x1"])
        part, place = self.random.randrange(2), self.place(loops, 8)
        return [f"  {x} = upd_w({x}, {part}, *(v16int16 *)(m + {place}));"]

    def multiply(self, loops: tuple[str, ...], depth: int) -> list[str]:
        s, x = self.random.choice(["s0", "s1"]), self.random.choice(["x0", "x1"])
        kind = self.random.choice(["mul", "mac", "mac", "msc", "negmul"])
        first = f"{s}, " if kind in ("mac", "msc") else ""
        start = 2 * self.random.randrange(16)
        begin = f"{start} + 2 * {self.random.choice(loops)}" if loops else str(start)
        begin = begin if self.random.random() < 0.3 else str(start)
        square = self.random.choice(["0x2110", "0x3221", "0x3210", "0x1100"])
        rest = f"z, {self.random.randrange(16)}, 0, 0, {self.random.randrange(4)}"
        return [f"  {s} = {kind}16({first}{x}, {begin}, 0x03020100, 0x07060504, {square}, {rest});"]

    def store(self, loops: tuple[str, ...], depth: int) -> list[str]:
        s, shift = self.random.choice(["s0", "s1"]), self.random.randrange(3, 16)
        return [f"  *(v16int16 *)(m + {self.place(loops, 8)}) = srs({s}, {shift});"]

    def number(self, loops: tuple[str, ...], depth: int) -> list[str]:
        place = self.place(loops, 1)
        return self.random.choice(
            [
                [f"  t = t * 3 + m[{place}];"],
                [f"  m[{place}] = t;"],
                [f"  m[{place}] = m[{self.place(loops, 1)}] - {self.random.randrange(9)};"],
            ]
        )

    def place(self, loops: tuple[str, ...], unit: int) -> str:
        terms = [str(LEFT + unit * self.random.randrange(8))]
        for name in loops:
            stride = unit * self.random.choice([0, 1, 2, 2, 4, 8, -1, -2])
            terms.append(f"{stride} * {name}")
        return " + ".join(terms)
