"""Random stencils in C, and what they compute, by an interpreter of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

Arrays = dict[str, np.ndarray]

KINDS = {"unsigned char": 8, "unsigned short": 16, "short": -16, "unsigned": 32, "int": -32}


@dataclass(frozen=True)
class Stage:
    """``to[y][x] op= (sum of factor * source[sy*y + dy][sx*x + dx]) >> shift``, or a choice."""

    to: str
    taps: tuple[tuple[str, int, int, int], ...]
    """Source, factor, dy, dx."""
    step: tuple[int, int]
    shift: int
    adds: bool
    limit: int | None
    rows: int
    columns: int


@dataclass(frozen=True)
class Stencils:
    """Stages over arrays ``kinds``: of a, then of each stage's result."""

    kinds: tuple[str, ...]
    size: tuple[int, int]
    stages: tuple[Stage, ...]

    @staticmethod
    @st.composite
    def strategy(draw: st.DrawFn) -> Stencils:
        size = draw(st.integers(3, 7)), draw(st.integers(3, 9))
        count = draw(st.integers(1, 2))
        kinds = tuple(draw(st.sampled_from(sorted(KINDS))) for _ in range(count + 1))
        stages: list[Stage] = []
        sizes = {"a": size}
        for k in range(count):
            known = ["a", *(f"r{n}" for n in range(k))]
            step = draw(st.integers(1, 2)), draw(st.integers(1, 2))
            taps = []
            for _ in range(draw(st.integers(1, 4))):
                source = draw(st.sampled_from(known))
                place = draw(st.integers(0, 2)), draw(st.integers(0, 2))
                taps.append((source, draw(st.integers(-3, 9)), *place))
            rows, columns = (
                max(0, min((sizes[s][d] - 1 - place[d]) // step[d] + 1 for s, _, *place in taps))
                for d in (0, 1)
            )
            sizes[f"r{k}"] = rows + draw(st.integers(0, 1)), columns + draw(st.integers(0, 1))
            limit = draw(st.none() | st.integers(0, 200))
            stages.append(
                Stage(
                    f"r{k}",
                    tuple(taps),
                    step,
                    draw(st.integers(0, 3)),
                    draw(st.booleans()),
                    limit,
                    rows,
                    columns,
                )
            )
        found = Stencils(kinds, size, tuple(stages))
        if any(not stage.rows or not stage.columns for stage in stages):
            return draw(Stencils.strategy())
        return found

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        found = {"a": self.size}
        for stage in self.stages:
            found[stage.to] = stage.rows + 1, stage.columns + 1
        return found

    def text(self) -> str:
        arrays = [
            f"{kind} {name}[{rows}][{columns}]"
            for kind, (name, (rows, columns)) in zip(self.kinds, self.sizes.items(), strict=True)
        ]
        lines = [f"void stencils({', '.join(arrays)})", "{"]
        for k, stage in enumerate(self.stages):
            y, x = f"y{k}", f"x{k}"
            terms = " + ".join(
                f"{factor}u * {source}[{stage.step[0]} * {y} + {dy}][{stage.step[1]} * {x} + {dx}]"
                for source, factor, dy, dx in stage.taps
            )
            value = f"({terms}) >> {stage.shift}"
            to = f"{stage.to}[{y}][{x}]"
            sign = "+=" if stage.adds else "="
            store = f"{to} {sign} {value};"
            if stage.limit is not None:
                first = stage.taps[0]
                place = f"{first[0]}[{stage.step[0]} * {y}][{stage.step[1]} * {x}]"
                store = f"if ({place} > {stage.limit}) {store}"
            lines += [
                f"    for (int {y} = 0; {y} < {stage.rows}; {y}++)",
                f"        for (int {x} = 0; {x} < {stage.columns}; {x}++)",
                f"            {store}",
            ]
        return "\n".join([*lines, "}"]) + "\n"

    def arrays(self, seed: int) -> Arrays:
        random = np.random.default_rng(seed)
        found = {}
        for kind, (name, size) in zip(self.kinds, self.sizes.items(), strict=True):
            bits = abs(KINDS[kind])
            words = random.integers(0, 1 << bits, size, np.uint64).astype(f"u{bits // 8}")
            found[name] = words.view(f"{'i' if KINDS[kind] < 0 else 'u'}{bits // 8}")
        return found

    def executed(self, before: Arrays) -> Arrays:
        after = {name: values.copy() for name, values in before.items()}
        for stage in self.stages:
            to = after[stage.to]
            bits = to.dtype.itemsize * 8
            for y in range(stage.rows):
                for x in range(stage.columns):
                    at = stage.step[0] * y, stage.step[1] * x
                    if stage.limit is not None:
                        known = after[stage.taps[0][0]]
                        if int(known[at]) <= stage.limit:
                            continue
                    total = 0
                    for source, factor, dy, dx in stage.taps:
                        total += factor * int(after[source][at[0] + dy, at[1] + dx])
                    value = (total % (1 << 32)) >> stage.shift
                    value += int(to[y, x]) if stage.adds else 0
                    value %= 1 << bits
                    signed = to.dtype.kind == "i" and value >= 1 << bits - 1
                    to[y, x] = value - (1 << bits) if signed else value
        return after
