"""Random functions: sequences of nests over arrays that they share, some of them operators.

Elements are small whole numbers, so that sums in any order are exact and outputs are compared bit
for bit. After each statement they are made small again; runs in which one grew so large that sums
are rounded (in place products grow fast) say so instead of a result.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

MATRICES, VECTORS = ("A", "B", "C"), ("x", "y", "z")
_SCALARS = ("1", "2", "-1", "alpha", "beta")


class Writer:
    """Writes nests with the choices of a random generator."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.pick = random.choice

    def chance(self, of: float = 0.5) -> bool:
        return self._random.random() < of

    def distinct(self, names: tuple[str, ...]) -> list[str]:
        """Three names, mostly different ones."""
        if self.chance(0.8):
            return self._random.sample(names, 3)
        return [self.pick(names) for _ in range(3)]

    def at(self, name: str, row: str, column: str) -> str:
        """An element of a matrix, transposed or not."""
        if self.chance():
            row, column = column, row
        return f"{name}[{row} * ld + {column}]"

    def scalar(self) -> str:
        return self.pick(_SCALARS)

    def product(self) -> str:
        """A product of matrices, its loops in any order, its start apart or a factor or none."""
        out, a, b = self.distinct(MATRICES)
        target = self.at(out, "i", "j")
        term = f"{self.scalar()} * {self.at(a, 'i', 'k')} * {self.at(b, 'k', 'j')}"
        start = self.pick(("", f"{target} = 0;", f"{target} *= {self.scalar()};"))
        if self.chance():
            loops = self._random.sample(["i", "j", "k"], 3)
            heads = " ".join(f"for ({v} = 0; {v} < n; {v}++)" for v in loops)
            before = f"for (i = 0; i < n; i++) for (j = 0; j < n; j++) {start}" if start else ""
            return f"{before}\n    {heads} {target} += {term};"
        return (
            "for (i = 0; i < n; i++) for (j = 0; j < n; j++) {"
            f" double s = {self.scalar()}; for (k = 0; k < n; k++) s += {term}; {target} = s; }}"
        )

    def matrix_vector(self) -> str:
        out, by, other = self.distinct(VECTORS)
        term = f"{self.at(self.pick(MATRICES), 'i', 'j')} * {by}[j]"
        both = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)"
        if self.chance():
            return f"{both} {out}[i] += {self.scalar()} * {term};"
        return (
            f"for (i = 0; i < n; i++) {{ double s = 0; for (j = 0; j < n; j++) s += {term};"
            f" {out}[i] = {self.scalar()} * s + {self.scalar()} * {other}[i]; }}"
        )

    def outer(self) -> str:
        x, y, _ = self.distinct(VECTORS)
        target = self.at(self.pick(MATRICES), "i", "j")
        return (
            "for (i = 0; i < n; i++) for (j = 0; j < m; j++)"
            f" {target} += {self.scalar()} * {x}[i] * {y}[j];"
        )

    def triangle(self) -> str:
        out, a, b = self.distinct(MATRICES)
        b = a if self.chance() else b
        return (
            f"for (i = 0; i < n; i++) for (j = 0; {self.pick(('j <= i', 'j < i'))}; j++)"
            f" for (k = 0; k < {self.pick(('n', 'n', '1'))}; k++)"
            f" {out}[i * ld + j] += {a}[i * ld + k] * {b}[j * ld + k];"
        )

    def other(self) -> str:
        """What is no operator: recurrences, subscripts that are data, conditions on data."""
        x, y, _ = self.distinct(VECTORS)
        return self.pick(
            (
                f"for (i = 1; i < n; i++) {x}[i] += {x}[i - 1];",
                f"for (i = 0; i < n; i++) if ({x}[i] > {y}[i]) {x}[i] = {y}[i] + 1;",
                f"for (i = 0; i < n; i++) {x}[(i * 3 + 1) % n] += {y}[i];",
                f"for (i = 0; i < n; i++) for (j = 0; j < n; j++) {x}[i] = {y}[j] - {x}[i];",
                f"alpha = {x}[0] > 2 ? 1 : 2;",
            )
        )

    def walking(self) -> str:
        """A matrix by a vector with pointers or counters that walk, and what they hold then."""
        out, by, other = self.distinct(VECTORS)
        matrix = self.pick(MATRICES)
        start, end = self.pick(("0", "*w++ * -1.0", "alpha")), self.pick(("", "w += ld - n;"))
        value = self.pick(("s", "twice(s)", "l->apply(s)", "s + beta"))
        return self.pick(
            (
                f"{{ double *w = {matrix}, *o = {out}; for (i = 0; i < n; i++) {{"
                f" double s = {start};"
                f" for (j = 0; j < m; j++) s += *w++ * {by}[j]; *o++ = {value}; {end} }}"
                f" {other}[0] += (w - {matrix}) + 2 * (o - {out}); }}",
                f"{{ int c = 1; for (i = 0; i < n; i++) for (j = 0; j < n; j++)"
                f" {out}[i] += {matrix}[c++] * {by}[j]; {other}[1] += c; }}",
                f"for (i = 0; i < n; i++) {{ const double *w = {matrix} + i * ld;"
                f" double s = {start};"
                f" for (j = 0; j < m; j++) s += {by}[j] * *w++; {out}[i] = {value}; }}",
                f"{{ double *w = {matrix} + ld; for (j = 0; j < m; j++, w += 2)"
                f" for (i = 0; i < n; i++) {out}[i] -= {by}[j] * w[i];"
                f" {other}[0] += w - {matrix}; }}",
            )
        )  # fmt: skip

    def member(self) -> str:
        """The same by members of a structure, arrays, pointers and numbers."""
        out, by, _ = self.distinct(VECTORS)
        matrix = self.pick(MATRICES)
        given = f"l->w = {matrix}; l->in = {by}; l->n = n; l->ld = ld;"
        nest = self.pick(
            (
                "for (i = 0; i < l->n; i++) for (j = 0; j < l->n; j++)"
                " l->out[i] += l->w[i * l->ld + j] * l->in[j];",
                "for (i = 0; i < 5; i++) for (j = 0; j < l->n; j++)"
                f" {out}[j] += l->in[i] * l->grid[i][j];",
                "for (i = 0; i < n; i++) for (j = 0; j < n; j++) { double s = 0;"
                " for (k = 0; k < n; k++) s += l->w[i * ld + k] * l->grid[j][k];"
                f" {matrix}[j * ld + i] = s; }}",
                f"for (i = 0; i < 25; i++) ((double *)l->grid)[i] += alpha * {matrix}[i];",
                "for (i = 0; i < 9; i++) for (j = 0; j < n; j++)"
                f" {out}[j] += ((double *)l->grid)[i + j] * {by}[i % 4];",
            )
        )
        return f"{given} {nest} {out}[0] += l->out[1] + l->grid[1][2];"

    def by_macro(self) -> str:
        """Nests that macros make, one or two at once."""
        out, by, _ = self.distinct(VECTORS)
        first, second = self.pick(MATRICES), self.pick(MATRICES)
        return self.pick(
            (
                f"EACH(i) EACH(j) {out}[i] += {first}[i * ld + j] * {by}[j];",
                f"TIMES({first}, {by}, {out})",
                f"BOTH({first}, {second}, {by}, {out})",
                f"EACH(i) EACH(j) AND_COUNT({out}[j] += {first}[i * ld + j] * {by}[i]);",
            )
        )

    def optional(self) -> str:
        """A product beside a sum that goes where a pointer leads, if it leads anywhere."""
        out, by, _ = self.distinct(VECTORS)
        c, a, b = self.distinct(MATRICES)
        test = self.pick(("o", "o != 0", "0 != o"))
        more = self.pick((f"{a}[i * ld + j]", f"{self.scalar()} * {by}[j]"))
        return (
            f"{{ double *o = m > 3 ? {out} : 0; for (i = 0; i < n; i++) for (j = 0; j < n; j++) {{"
            f" if ({test}) {{ o[{self.pick(('i', 'j'))}] += {more}; }} for (k = 0; k < n; k++)"
            f" {c}[i * ld + k] += {self.at(a, 'i', 'j')} * {b}[j * ld + k]; }} }}"
        )

    def perhaps(self) -> str:
        """A product with what a parameter leads to, if it leads anywhere."""
        by = self.pick(VECTORS)
        c, a, b = self.distinct(MATRICES)
        value = self.pick(("o ? o[j] : 0", "o != 0 ? o[j] : alpha", "!o ? 2 : o[i]"))
        test, change = self.pick(("o", "o != 0")), self.pick(("+=", "-=", "="))
        first, last = self.pick(
            (
                (f"s = {value};", ""),
                (f"if ({test}) s {change} o[i];", ""),
                ("", f"if ({test}) s {change} o[j];"),
                ("", f"int there = n > 2 && i >= 1; s += there ? {by}[j] : 0;"),
            )
        )
        return (
            "for (i = 0; i < n; i++) for (j = 0; j < n; j++) {"
            f" double s = 1; {first} for (k = 0; k < m; k++)"
            f" s += {self.at(a, 'i', 'k')} * {self.at(b, 'k', 'j')}; {last} {c}[i * ld + j] = s; }}"
        )

    def helper(self) -> str:
        """Products by functions that are called for rows."""
        out, by, other = self.distinct(VECTORS)
        c, a, b = self.distinct(MATRICES)
        dot = self.pick(("dot", "walk"))
        return self.pick(
            (
                "for (i = 0; i < n; i++) for (j = 0; j < n; j++)"
                f" {self.at(c, 'i', 'j')} += {dot}(n, {a} + i * ld, &{b}[j * ld]);",
                f"for (i = 0; i < n; i++) {out}[i] = {dot}(m, {a} + i * ld, {by});",
                "for (i = 0; i < n; i++) for (k = 0; k < n; k++)"
                f" axpy(n, {self.at(a, 'i', 'k')}, &{b}[k * ld], {c} + i * ld);",
                f"for (i = 0; i < n; i++) axpy(n, {by}[i], {a} + i * ld, {out});",
                f"for (i = 0; i < n; i++) {{ axpy(n, {out}[0], {by}, {out});"
                f" {other}[i] += {dot}(n, {a} + i * ld, {by}); }}",
            )
        )

    def scaled(self) -> str:
        """Sums that are multiplied by something of their row or column."""
        out, by, other = self.distinct(VECTORS)
        c, a, b = self.distinct(MATRICES)
        factor = self.pick((f"{other}[i]", f"twice({other}[i])", f"(alpha + {by}[i])"))
        more = self.pick(("", f" + {other}[i]", f" - {by}[i]", f" + {out}[i]"))
        term = f"{self.at(a, 'i', 'j')} * {by}[j]"
        return self.pick(
            (
                f"for (i = 0; i < n; i++) {{ double s = {self.scalar()};"
                f" for (j = 0; j < m; j++) s += {term}; {out}[i] = {factor} * s{more}; }}",
                "for (i = 0; i < n; i++) for (j = 0; j < n; j++) { double s = 0;"
                f" for (k = 0; k < m; k++) s += {self.at(a, 'i', 'k')} * {self.at(b, 'k', 'j')};"
                f" {self.at(c, 'i', 'j')} = s * {by}[i] * {self.pick((other, by))}[j]; }}",
            )
        )

    def counting(self) -> str:
        """A matrix by a vector in loops by ``while``, after which counters may be used."""
        out, by, other = self.distinct(VECTORS)
        term = f"{self.at(self.pick(MATRICES), 'i', 'j')} * {by}[j]"
        after = self.pick(("", "", f"{other}[0] += i + 2 * j;"))
        return (
            f"i = 0; while (i < n) {{ j = 0; while (j < m) {{ {out}[i] += {term}; j++; }} i++; }}"
            f" {after}"
        )

    def nest(self) -> str:
        kinds = (self.product, self.product, self.matrix_vector, self.outer, self.triangle)
        idioms = (
            self.walking,
            self.walking,
            self.member,
            self.by_macro,
            self.helper,
            self.optional,
            self.perhaps,
            self.scaled,
            self.counting,
        )
        return self.pick((*kinds, *idioms, self.other))()

    def statement(self) -> str:
        """A nest, alone or in a branch, or two in a loop."""
        if self.chance(0.15):
            return f"if (m > 3) {{ {self.nest()} }} else {{ {self.nest()} }}"
        if self.chance(0.15):
            return f"for (t = 0; t < 2; t++) {{ {self.nest()}\n    {self.nest()} }}"
        return self.nest()

    def body(self) -> str:
        """The body of a function."""
        return "\n    ".join(f"{self.statement()}\n    settle();" for _ in range(self.pick((1, 2))))


_PROGRAM = Path(__file__).with_name("programs.c").read_text()


def program(bodies: list[str]) -> str:
    """A program that runs each function three times: arrays apart, overlapping, and the same."""
    names = [f"f{k}" for k in range(len(bodies))]
    functions = "\n".join(
        f"static void {name}(PARAMETERS) {{\n    int i, j, k, t;\n    {body}\n"
        "    (void)m, (void)alpha, (void)beta, (void)o, (void)l;\n}"
        for name, body in zip(names, bodies, strict=True)
    )
    return _PROGRAM.replace("FUNCTIONS", functions).replace("NAMES", ", ".join(names))
