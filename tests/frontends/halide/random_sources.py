"""Random generators as C++ text, algorithm and schedule, that Halide and s2s both read.

Values stay where arithmetic is defined: sums of int32 are kept small, floats are clamped before
they become integers. Schedules are mostly legal: a Func is computed no further inside than what
uses it, factors divide nothing in particular, and the ways of handling a rest are all tried.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

TYPES = {
    "uint8_t": "UInt(8)",
    "uint16_t": "UInt(16)",
    "int16_t": "Int(16)",
    "int32_t": "Int(32)",
    "float": "Float(32)",
}
SMALL = ("uint8_t", "uint16_t", "int16_t")
MARGIN = 40
"""How far the input reaches beyond the output on every side."""


@dataclass
class Stage:
    """A Func of the program: its C++ name, element type, and what it reads."""

    name: str
    type: str
    reads: set[str] = field(default_factory=set)
    update: str = ""
    """The variables of its RDom, separated by spaces."""
    level: int = 0


@dataclass
class Source:
    """The text of one generator; ``extents`` of the output, ``type`` of the input."""

    name: str
    text: str
    input_type: str
    extents: tuple[int, int]


def draw(seed: int) -> Source:
    """The generator of a seed, named ``random_SEED``."""
    return _Drawing(seed).source()


class _Drawing:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.input_type = self.pick(["uint8_t", "uint16_t", "int16_t", "float"])
        self.stages: list[Stage] = []
        self.lines: list[str] = []
        self.schedule: list[str] = []
        self.members: list[str] = []
        self.reading: set[str] = set()

    def pick(self, choices: list[str] | tuple[str, ...]) -> str:
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def source(self) -> Source:
        self._input()
        for k in range(self.random.randrange(1, 5)):
            self._stage(f"f{k}")
        output_type = self.pick([*SMALL, "float"])
        self._output(output_type)
        self._schedule()
        extents = (self.random.randrange(1, 40), self.random.randrange(1, 24))
        return Source(f"random_{self.seed}", self._text(output_type), self.input_type, extents)

    # The algorithm

    def _input(self) -> None:
        self.stages.append(Stage("source", self.input_type))
        self.members.append('Func source{"source"};')
        if self.chance(0.3):
            kind = self.pick(["repeat_edge", "mirror_image", "mirror_interior", "repeat_image"])
            self.lines.append(f"source(x, y) = BoundaryConditions::{kind}(input)(x, y);")
        else:
            self.lines.append("source(x, y) = input(x, y);")

    def _stage(self, name: str) -> None:
        stage = Stage(name, self.pick(list(TYPES)))
        self.members.append(f'Func {name}{{"{name}"}};')
        self.reading = stage.reads
        kind = self.random.random()
        if kind < 0.25:
            self._reduction(stage)
        elif kind < 0.35:
            self._tap(stage)
        else:
            self.lines.append(f"{name}(x, y) = {self.expression(stage.type, 3)};")
        if self.chance(0.12):
            place = self.random.randrange(-3, 8)
            value = self.load(stage.type, "x + 1", f"{place}")
            self.lines.append(f"{name}(x, {place}) = {value};")
            stage.update = stage.update or " "
        self.stages.append(stage)

    def _reduction(self, stage: Stage) -> None:
        r = f"r_{stage.name}"
        columns, rows = self.random.randrange(1, 4), self.random.randrange(1, 4)
        low = self.random.randrange(-1, 1)
        self.members.append(f'RDom {r}{{{low}, {columns}, 0, {rows}, "{r}"}};')
        self.lines.append(f"{stage.name}(x, y) = {self.constant(stage.type)};")
        value = self.load(stage.type, f"x + {r}.x", f"y + {r}.y")
        if stage.type == "float":
            value = f"{value} * 0.25f"
        if self.chance(0.3):
            self.lines.append(f"{r}.where({r}.x + {r}.y < {self.random.randrange(1, 5)});")
        if self.chance(0.3) and stage.type != "float":
            op = self.pick(["min", "max"])
            self.lines.append(f"{stage.name}(x, y) = {op}({stage.name}(x, y), {value});")
        else:
            self.lines.append(f"{stage.name}(x, y) += {value};")
        stage.update = f"{r}.x {r}.y"

    def _tap(self, stage: Stage) -> None:
        r = f"t_{stage.name}"
        self.members.append(f'RDom {r}{{0, {self.random.randrange(1, 5)}, "{r}"}};')
        kind = self.pick(["sum", "maximum", "minimum"])
        value = self.load(stage.type, f"x + {r}", "y")
        self.lines.append(f'{stage.name}(x, y) = {kind}({value}, "{r}_{kind}");')

    def _output(self, type: str) -> None:
        last = Stage("output", type)
        self.reading = last.reads
        self.lines.append(f"output(x, y) = {self.expression(type, 3)};")
        self.stages.append(last)

    def constant(self, type: str) -> str:
        if type == "float":
            return f"Expr({self.pick(['0.5f', '-1.25f', '2.0f', '0.0f'])})"
        least = -9 if type.startswith("int") else 0
        return f"cast<{type}>({self.random.randrange(least, 10)})"

    def load(self, type: str, x: str, y: str) -> str:
        """A read of some earlier Func, as a value of the type."""
        stage = self.random.choice(self.stages)
        self.reading.add(stage.name)
        return self.converted(f"{stage.name}({x}, {y})", stage.type, type)

    def converted(self, text: str, source: str, target: str) -> str:
        if target == "int32_t":
            if source == "float":
                return f"cast<int32_t>(clamp({text}, -1000.0f, 1000.0f))"
            return f"(cast<int32_t>({text}) % 1024)"
        if source == target:
            return text
        if source == "float":
            low = "-32000.0f" if target.startswith("int") else "0.0f"
            high = "255.0f" if target == "uint8_t" else "32000.0f"
            return f"cast<{target}>(clamp({text}, {low}, {high}))"
        if target != "float" and self.chance(0.2):
            return f"saturating_cast<{target}>({text})"
        return f"cast<{target}>({text})"

    def place(self) -> tuple[str, str]:
        """Subscripts: near, at half the pace, or at twice."""
        dx, dy = self.random.randrange(-2, 3), self.random.randrange(-2, 3)
        kind = self.random.random()
        if kind < 0.06:
            return f"x / 2 + {dx}", f"y + {dy}"
        if kind < 0.1:
            return f"x + {dx}", f"2 * (y % 8) + {dy}"
        if kind < 0.13:
            return f"clamp(x + {dx}, 0, 9)", f"y + {dy}"
        return f"x + {dx}", f"y + {dy}"

    def expression(self, type: str, depth: int) -> str:
        if depth == 0 or self.chance(0.15):
            return self.constant(type) if self.chance(0.2) else self.load(type, *self.place())
        if self.chance(0.12):
            test = self.condition(depth - 1)
            arms = f"{self.expression(type, depth - 1)}, {self.expression(type, depth - 1)}"
            return f"select({test}, {arms})"
        if self.chance(0.15):
            other = self.pick([t for t in TYPES if t != type])
            return self.converted(self.expression(other, depth - 1), other, type)
        left, right = self.expression(type, depth - 1), self.expression(type, depth - 1)
        return self.operation(type, left, right)

    def operation(self, type: str, left: str, right: str) -> str:
        if self.chance(0.2):
            return f"{self.pick(['min', 'max'])}({left}, {right})"
        if type == "float":
            return self.float_operation(left, right)
        if self.chance(0.2):
            sign = self.pick(["/", "%"])
            return f"({left} {sign} cast<{type}>({self.random.choice([2, 3, 4, 7, 16])}))"
        if self.chance(0.15):
            name = self.pick(["absd", "halving_add", "rounding_halving_add", "saturating_add"])
            if name != "absd":
                return f"{name}({left}, {right})" if type != "int32_t" else f"({left} - {right})"
            return f"cast<{type}>(absd({left}, {right}))"
        if type == "int32_t":
            return f"(({left} {self.pick(['+', '-'])} {right}) % 4096)"
        if self.chance(0.1):
            return f"({left} >> cast<{type}>({self.random.randrange(0, 5)}))"
        if self.chance(0.1):
            return f"({left} {self.pick(['&', '|', '^'])} {right})"
        return f"({left} {self.pick(['+', '-', '*'])} {right})"

    def float_operation(self, left: str, right: str) -> str:
        if self.chance(0.1):
            return f"sqrt(abs({left}))"
        if self.chance(0.1):
            return f"exp(-abs({left}))"
        if self.chance(0.1):
            return f"floor({left})"
        if self.chance(0.1):
            return f"({left} / (abs({right}) + 1.0f))"
        return f"({left} {self.pick(['+', '-', '*'])} {right})"

    def condition(self, depth: int) -> str:
        if self.chance(0.3):
            return self.pick(["x % 2 == 0", "y % 3 == 1", "x + y < 12", "x > y"])
        type = self.pick(SMALL)
        sign = self.pick(["<", "<=", ">", "==", "!="])
        return f"{self.expression(type, depth)} {sign} {self.expression(type, depth)}"

    # The schedule

    def _schedule(self) -> None:
        loops = self._schedule_output()
        for stage in reversed(self.stages[:-1]):
            users = [s for s in self.stages if stage.name in s.reads]
            deepest = min((s.level for s in users), default=0)
            stage.level = deepest
            if users and self.chance(0.65):
                self._schedule_stage(stage, loops, deepest)

    def _schedule_output(self) -> list[str]:
        """Outputs: the loops' names, outermost first."""
        say = self.schedule.append
        tail = self.pick(["", "", "TailStrategy::GuardWithIf", "TailStrategy::ShiftInwards"])
        rest = f", {tail}" if tail else ""
        kind = self.random.random()
        factor, other = self.random.choice([2, 4, 5, 8]), self.random.choice([1, 2, 3, 4])
        if kind < 0.3:
            loops = ["y", "x"]
        elif kind < 0.6:
            say(f"output.split(y, yo, yi, {other}{rest});")
            loops = ["yo", "yi", "x"]
        elif kind < 0.9:
            say(f"output.tile(x, y, xo, yo, xi, yi, {factor}, {other}{rest});")
            loops = ["yo", "xo", "yi", "xi"]
        else:
            say("output.reorder(y, x);")
            loops = ["x", "y"]
        if self.chance(0.5):
            say(f"output.vectorize({loops[-1]}, {self.random.choice([2, 4, 8])}{rest});")
        elif self.chance(0.3):
            say(f"output.unroll({loops[-1]}, {self.random.choice([2, 3])});")
        if self.chance(0.4):
            say(f"output.parallel({loops[0]});")
        self.stages[-1].level = len(loops)
        return loops

    def _schedule_stage(self, stage: Stage, loops: list[str], deepest: int) -> None:
        say = self.schedule.append
        level = self.random.randrange(0, deepest + 1)
        stage.level = level
        if level == 0:
            say(f"{stage.name}.compute_root();")
        else:
            say(f"{stage.name}.compute_at(output, {loops[level - 1]});")
            if self.chance(0.4):
                outer = self.random.randrange(0, level + 1)
                where = "store_root()" if outer == 0 else f"store_at(output, {loops[outer - 1]})"
                say(f"{stage.name}.{where};")
        self._loops_of(stage.name, level)
        if stage.update.strip() and self.chance(0.6):
            self._update_of(stage)

    def _loops_of(self, name: str, level: int) -> None:
        say = self.schedule.append
        if self.chance(0.4):
            tail = self.pick(["", "", ", TailStrategy::RoundUp", ", TailStrategy::GuardWithIf"])
            say(f"{name}.vectorize(x, {self.random.choice([2, 4, 8])}{tail});")
        elif self.chance(0.3):
            say(f"{name}.unroll(x, {self.random.choice([2, 3])});")
        elif self.chance(0.2):
            say(f"{name}.reorder(y, x);")
        elif self.chance(0.2):
            say(f"{name}.split(y, y, yi, 2);")
        if level == 0 and self.chance(0.3):
            say(f"{name}.parallel(y);")
        if self.chance(0.1):
            say(f"{name}.reorder_storage(y, x);")

    def _update_of(self, stage: Stage) -> None:
        say = self.schedule.append
        rx, ry = stage.update.split()
        choice = self.random.random()
        if choice < 0.3:
            say(f"{stage.name}.update().unroll({rx});")
        elif choice < 0.5:
            say(f"{stage.name}.update().reorder(x, {rx}, {ry}, y);")
        elif choice < 0.8:
            say(f"{stage.name}.update().vectorize(x, {self.random.choice([2, 4])});")
        else:
            say(f"{stage.name}.update().unroll({rx}).unroll({ry});")

    # The text

    def _text(self, output_type: str) -> str:
        name = f"Random{self.seed}"
        body = "\n".join(f"        {line}" for line in self.lines)
        schedule = "\n".join(f"        {line}" for line in self.schedule)
        members = "\n".join(f"    {line}" for line in self.members)
        return f"""#include "Halide.h"

namespace {{

using namespace Halide;

class {name} : public Generator<{name}> {{
public:
    Input<Buffer<{self.input_type}, 2>> input{{"input"}};
    Output<Buffer<{output_type}, 2>> output{{"output"}};

    void generate() {{
{body}
    }}

    void schedule() {{
{schedule}
    }}

private:
    Var x{{"x"}}, y{{"y"}}, xo{{"xo"}}, yo{{"yo"}}, xi{{"xi"}}, yi{{"yi"}};
{members}
}};

}}  // namespace

HALIDE_REGISTER_GENERATOR({name}, random_{self.seed})
"""
