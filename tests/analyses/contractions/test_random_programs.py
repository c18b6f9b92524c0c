"""Random ways to write one convolution in C: all are one contraction."""

import random
from dataclasses import dataclass

import pytest

from tests.analyses.contractions import programs


@dataclass
class Writer:
    """Writes ``O[k][y][x] = sum of I[c][y * t + s * d][x * t + r * d] * W[k][c][s][r]``."""

    choose: random.Random

    def __post_init__(self) -> None:
        pick = self.choose.choice
        self.extents = {"k": pick([1, 3, 3]), "y": pick([1, 4, 4]), "x": pick([8, 20])}
        self.sums = {"c": pick([1, 2, 2]), "s": pick([1, 2, 3]), "r": pick([1, 3, 4])}
        self.stride, self.dilation, self.shift = pick([1, 2]), pick([1, 2]), pick([0, 7])
        rows = (self.extents["y"] - 1) * self.stride + (self.sums["s"] - 1) * self.dilation + 1
        reach = (self.extents["x"] - 1) * self.stride + (self.sums["r"] - 1) * self.dilation + 1
        self.image = (self.sums["c"], rows, -(-reach // 8) * 8)

    def plain(self) -> str:
        return self._function(self._nest(list(self.extents), list(self.sums), styled=False), False)

    def styled(self) -> str:
        outer, inner = list(self.extents), list(self.sums)
        self.choose.shuffle(outer)
        self.choose.shuffle(inner)
        # Flat subscripts show an array's rows only where something moves from row to row.
        many = all(n > 1 for n in (*self.extents.values(), *self.sums.values()))
        many = many and 1 in (self.stride, self.dilation)
        flat = many and self.choose.random() < 0.6
        if self.choose.random() < 0.5:
            return self._function(self._nest(outer, inner, styled=True, flat=flat), flat)
        return self._function(self._apart([*outer, *inner], outer, flat), flat)

    def _function(self, body: str, flat: bool) -> str:
        k, y, x = self.extents.values()
        c, s, r = self.sums.values()
        if flat:
            head = "const int16_t *I, const int16_t *W, int16_t *O"
        else:
            _, rows, width = self.image
            head = f"const int16_t I[{c}][{rows}][{width}], const int16_t W[{k}][{c}][{s}][{r}], "
            head += f"int16_t O[{k}][{y}][{x}]"
        return f"void f({head}) {{\n{body}\n}}\n"

    def _nest(self, outer: list[str], inner: list[str], *, styled: bool, flat: bool = False) -> str:
        type_ = self.choose.choice(["int", "long", "int64_t"]) if styled else "int64_t"
        name = self.choose.choice(["acc", "total"]) if styled else "acc"
        heads = [self._head(n, self.extents[n], styled) for n in outer]
        sums = [self._head(n, self.sums[n], styled) for n in inner]
        text = " ".join(heads) + f" {{ {type_} {name} = 0; {' '.join(sums)} "
        text += self._update(name, flat, styled) + f" {self._store(name, flat)} }}"
        return text

    def _apart(self, order: list[str], outer: list[str], flat: bool) -> str:
        """Sums in an array of their own, set and stored by other nests; any order of loops."""
        k, y, x = self.extents.values()
        self.choose.shuffle(order)
        around = " ".join(self._head(n, self.extents[n], True) for n in outer)
        every = {**self.extents, **self.sums}
        loops = " ".join(self._head(n, every[n], True) for n in order)
        cell = "sums[k][y][x]"
        return (
            f"int32_t sums[{k}][{y}][{x}];\n{around} {cell} = 0;\n"
            f"{loops} {self._update(cell, flat, True)}\n{around} {self._store(cell, flat)}"
        )

    def _head(self, name: str, extent: int, styled: bool) -> str:
        if not styled:
            return f"for (int {name} = 0; {name} < {extent}; {name}++)"
        type_ = self.choose.choice(["int", "long", "int16_t"])
        forms = [
            f"{type_} {name} = 0; {name} < {extent}; {name}++",
            f"{type_} {name} = 0; {name} <= {extent - 1}; ++{name}",
            f"{type_} {name} = {extent - 1}; {name} >= 0; {name}--",
            f"{type_} {name} = 0; {name} != {extent}; {name} += 1",
            f"unsigned {name} = 0; {extent} > {name}; {name} = {name} + 1",
        ]
        return f"for ({self.choose.choice(forms)})"

    def _update(self, to: str, flat: bool, styled: bool) -> str:
        rows, width = self.image[1:]
        row = f"y * {self.stride} + s * {self.dilation}"
        column = f"x * {self.stride} + {self.dilation} * r"
        _, s, r = self.sums.values()
        c = self.sums["c"]
        if flat:
            image = f"I[(c * {rows} + {row}) * {width} + {column}]"
            weight = f"W[((k * {c} + c) * {s} + s) * {r} + r]"
        else:
            image, weight = f"I[c][{row}][{column}]", "W[k][c][s][r]"
        if not styled:
            return f"{to} += {image} * {weight};"
        pair = [image, weight]
        self.choose.shuffle(pair)
        value = f"{self.choose.choice(['', '(int32_t)', '(long)'])}{pair[0]} * {pair[1]}"
        return self.choose.choice([f"{to} += {value};", f"{to} = {to} + {value};"])

    def _store(self, value: str, flat: bool) -> str:
        _, y, x = self.extents.values()
        place = f"O[(k * {y} + y) * {x} + x]" if flat else "O[k][y][x]"
        return f"{place} = {value} >> {self.shift};"


@pytest.mark.parametrize("seed", range(40))
def test_all_ways_to_write_a_layer_are_one_contraction(seed: int) -> None:
    writer = Writer(random.Random(seed))
    plain = str(programs.from_c(writer.plain())).rpartition("[")[0]
    text = writer.styled()
    assert str(programs.from_c(text)).rpartition("[")[0] == plain, text
