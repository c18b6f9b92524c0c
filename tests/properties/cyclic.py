"""Random innermost loops whose statements depend on each other in cycles, mostly.

Arrays are global; a loop is a function of its length and two scalars. All arithmetic stays small:
integers are masked, floating-point values are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

LENGTH = 400
_FLOATS, _DOUBLES, _INTEGERS = ("fa", "fb"), ("da", "db"), ("ia", "ib")
ARRAYS = {
    **dict.fromkeys(_FLOATS, "float"),
    **dict.fromkeys(_DOUBLES, "double"),
    **dict.fromkeys(_INTEGERS, "int"),
}
HEADER = "".join(f"{type_} {name}[{LENGTH}];\n" for name, type_ in ARRAYS.items())


@dataclass(frozen=True)
class CyclicLoop:
    """The text of a function and its name."""

    name: str
    text: str

    def renamed(self, name: str) -> str:
        return self.text.replace(f"{self.name}(", f"{name}(", 1)


def draw_loop(seed: str, name: str) -> CyclicLoop:
    """A loop with 2 to 8 statements."""
    return _Drawing(Random(seed)).loop(name)


class _Drawing:
    """One loop: few arrays, so that statements meet."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.type = random.choice(["float", "double", "int"])
        own = [n for n, t in ARRAYS.items() if t == self.type]
        self.arrays = random.sample([*own, random.choice(list(ARRAYS))], k=random.randint(1, 3))
        self.scale = random.choice([1, 1, 1, 1, 2])
        self.scalars = random.sample(["s", "t"], k=random.choice([0, 0, 1, 2]))

    def loop(self, name: str) -> CyclicLoop:
        header = self._header()
        count = self.random.choice([2, 2, 3, 3, 4, 5, 6, 8])
        body = "".join(f"        {self._statement()}\n" for _ in range(count))
        kept = " + ".join(self.scalars) if self.random.random() < 0.6 and self.scalars else "0"
        parameters = f"int n, {self.type} s, {self.type} t"
        text = (
            f"double {name}({parameters})\n{{\n    {header} {{\n{body}    }}\n"
            f"    return {kept};\n}}\n"
        )
        return CyclicLoop(name, text)

    def _header(self) -> str:
        step = self.random.choice([1, 1, 1, 1, 2, 3])
        if self.random.random() < 0.7:
            start = self.random.choice(["8", "9", "n / 2 + 8"] if step == 1 else ["8"])
            start = "8" if "/" in start else start
            increment = "i++" if step == 1 else f"i += {step}"
            test = {"8": "i < n + 8", "9": "2 * i - 1 < 2 * n + 15"}[start]
            return f"for (int i = {start}; {test if step != 3 else 'n + 9 > i + 1'}; {increment})"
        decrement = "i--" if step == 1 else f"i -= {step}"
        return f"for (int i = n + 8; {'i >= 8' if step != 2 else 'i - 7 > 0'}; {decrement})"

    def _statement(self) -> str:
        text = self._assignment()
        shape = self.random.random()
        if shape < 0.06:
            return f"if (i > {self.random.randint(8, 20)}) {text}"
        if shape < 0.12:
            return f"if ({self._value()} > {1 if self.type == 'int' else 0.5}) {text}"
        return text

    def _assignment(self) -> str:
        target = self._target()
        if self.random.random() < 0.15 and self._type(target) == self.type != "int":
            return f"{target} {self.random.choice(['+=', '-=', '*='])} {self._factor()};"
        return f"{target} = {self._expression()};"

    def _type(self, target: str) -> str:
        name = target.partition("[")[0]
        return ARRAYS.get(name, self.type)

    def _target(self) -> str:
        if self.scalars and self.random.random() < 0.35:
            return self.random.choice(self.scalars)
        return self._element()

    def _expression(self) -> str:
        terms = [self._value() for _ in range(self.random.choice([1, 2, 2, 3]))]
        if self.type == "int":
            return f"(int)({' + '.join(terms)} + {self.random.randint(0, 9)}) & 1023"
        sign = self.random.choice([" + ", " - "])
        return f"({sign.join(terms)}) * {self._factor()} + {self.random.randint(0, 4)}"

    def _factor(self) -> str:
        return self.random.choice(["0.5f", "0.25", "0.375f"])

    def _value(self) -> str:
        if self.scalars and self.random.random() < 0.3:
            return self.random.choice(self.scalars)
        return self._element()

    def _element(self) -> str:
        name = self.random.choice(self.arrays)
        coefficient = self.random.choice([1, 1, 1, 1, self.scale, 0, -1])
        offset = self.random.randint(-4, 4)
        if coefficient == 0:
            return f"{name}[{abs(offset)}]"
        if coefficient == -1:
            return f"{name}[{LENGTH - 20} - i{offset:+d}]"
        factor = "" if coefficient == 1 else f"{coefficient} * "
        return f"{name}[{factor}i{offset:+d}]" if offset else f"{name}[{factor}i]"
