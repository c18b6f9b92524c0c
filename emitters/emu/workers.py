"""The functions that threads run, and the loops that spawn them.

One thread for each iteration, as programs for Emu are first written:

    for (long i = 0; i < n; i++)
        cilk_spawn s2s_f_1(vertices[i], &sum);
    cilk_sync;

Or a thread for each nodelet, started where its elements are, which spawns those of its iterations
there and adds what they found:

    for (long s2s_k = 0; s2s_k < NODELETS() && s2s_k < n; s2s_k++) {
        cilk_spawn_at(&vertices[s2s_k]) s2s_f_1_home(s2s_k, n, NODELETS(), vertices, &sum);
    }
    cilk_sync;
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from s2s.emitters.emu.atomics import Cell
from s2s.emitters.emu.reductions import Reduction, identity
from s2s.source.records import dataclass

_NAME = re.compile(r"[\w.]+(?:->[\w.]+)*")
Combine = Callable[[str, Cell, str, str], str]
_CONTEXTS = 64
_FINAL = "s2s_origin + (s2s_count - 1) * s2s_each"
_RANGE = ("long s2s_from", "long s2s_until", "long s2s_stride")


@dataclass(frozen=True)
class Passed:
    """A parameter, and what the spawner passes for it."""

    parameter: str
    argument: str
    name: str


@dataclass(frozen=True)
class Header:
    """``for (type variable = first; variable RELATION bound; variable +- step)`` as text.

    ``count`` is the number of iterations where the loop goes from 0 in steps of one, else ''.
    """

    type: str
    variable: str
    first: str
    relation: str
    bound: str
    step: str
    up: bool

    @property
    def is_simple(self) -> bool:
        from_zero = self.first == "0" and self.step == "1" and self.up
        return from_zero and self.relation in ("<", "!=") and bool(_NAME.fullmatch(self.bound))

    @property
    def signed_step(self) -> str:
        return self.step if self.up else f"-({self.step})"

    def count(self) -> str:
        """The number of iterations, from ``s2s_origin``, as an expression of type long."""
        low, high = (
            ("s2s_origin", f"(long)({self.bound})")
            if self.up
            else (f"(long)({self.bound})", "s2s_origin")
        )
        distance = f"{high} - {low}"
        if self.relation in ("<=", ">="):
            distance += " + 1"
        if self.step != "1":
            distance = f"({distance} + ({self.step}) - 1) / ({self.step})"
        return distance


@dataclass(frozen=True)
class Worker:
    """A parallel loop's body as a function; ``own`` are declarations at its start, ``last`` the
    variables that keep what the last iteration gives them.
    """

    name: str
    header: Header
    passed: Sequence[Passed]
    own: Sequence[str]
    reductions: Sequence[Reduction]
    body: str
    ends_early: bool
    combine: Combine
    last: Sequence[str] = ()

    def for_one(self, parameter: Passed | None) -> str:
        """The function of one iteration; ``parameter`` is what it gets of its iteration."""
        given = [parameter.parameter] if parameter else []
        return self._function(self.name, given, self._iteration(self.ends_early))

    def _iteration(self, is_apart: bool) -> str:
        """An iteration's statements; ``is_apart``: ``continue`` ends them and nothing else."""
        body = self.body
        if is_apart:
            body = f"    do {{\n{_indented(body)}    }} while (0);\n"
        if not self.last:
            return body
        kept = "".join(f"        *s2s_at_{name} = {name};\n" for name in self.last)
        braces = (" {", "    }\n") if len(self.last) > 1 else ("", "")
        return f"{body}    if ({self.header.variable} == s2s_final){braces[0]}\n{kept}{braces[1]}"

    def spawn_ones(self, parameter: Passed | None, indent: str, plain: bool) -> str:
        header = self.header
        step = f"{header.variable}{'++' if header.up else '--'}"
        if header.step != "1":
            step = f"{header.variable} {'+' if header.up else '-'}= {header.step}"
        given = [parameter.argument] if parameter else []
        lines = [
            *(self._steps() if self.last and not header.is_simple else []),
            f"for ({header.type} {header.variable} = {header.first};"
            f" {header.variable} {header.relation} {header.bound}; {step})",
            *_call(f"    cilk_spawn {self.name}(", [*given, *self._arguments()], indent),
        ]
        return self._around(lines, indent, plain, bool(self.last))

    def for_some(self) -> str:
        """The function of some iterations, and that of a nodelet, which spawns it."""
        header, extra = self.header, self._first()
        if header.is_simple:
            loop = (
                f"    for ({header.type} {header.variable} = s2s_from;"
                f" {header.variable} < s2s_until; {header.variable} += s2s_stride) {{\n"
            )
        else:
            loop = (
                "    for (long s2s_j = s2s_from; s2s_j < s2s_until; s2s_j += s2s_stride) {\n"
                f"        {header.type} {header.variable} = s2s_origin + s2s_j * s2s_each;\n"
            )
        text = self._iteration(self.ends_early and bool(self.last))
        body = f"{loop}{_indented(text)}    }}\n"
        first = [*_RANGE, *(p.parameter for p in extra)]
        return self._function(self.name, first, body) + self._home(extra)

    def spawn_homes(self, where: str, per_word: int, indent: str, plain: bool) -> str:
        """A thread for each nodelet; ``where`` names the home of iteration ``{}``.

        With several elements in a word, as many times more threads, so that each stays at home.
        """
        simple = self.header.is_simple
        count = self.header.bound if simple else "s2s_count"
        width = "NODELETS()" if per_word == 1 else f"{per_word} * NODELETS()"
        steps = [] if simple else self._steps()
        given = ["s2s_k", count, width, *(p.argument for p in self._first()), *self._arguments()]
        first = "s2s_k" if simple else "s2s_origin + s2s_k * s2s_each"
        spawn = f"cilk_spawn_at({where.format(first)})" if where else "cilk_spawn"
        lines = [
            *steps,
            f"for (long s2s_k = 0; s2s_k < {width} && s2s_k < {count}; s2s_k++) {{",
            *_call(f"    {spawn} {self.name}_home(", given, indent),
            "}",
        ]
        return self._around(lines, indent, plain, bool(steps))

    def _steps(self) -> list[str]:
        header = self.header
        return [
            f"const long s2s_origin = {header.first}, s2s_each = {header.signed_step};",
            f"const long s2s_count = {header.count()};",
        ]

    def _first(self) -> list[Passed]:
        if self.header.is_simple:
            return []
        return [Passed(f"long {name}", name, name) for name in ("s2s_origin", "s2s_each")]

    def _arguments(self) -> list[str]:
        passed = [*self._final(), *self.passed]
        return [*(p.argument for p in passed), *(r.argument() for r in self.reductions)]

    def _final(self) -> list[Passed]:
        """The last iteration's value of the variable, where somebody asks for it."""
        if not self.last:
            return []
        value = f"{self.header.bound} - 1" if self.header.is_simple else _FINAL
        return [Passed("long s2s_final", value, "s2s_final")]

    def _around(self, lines: list[str], indent: str, plain: bool, block: bool = False) -> str:
        """The spawner's text, with what comes before and after for reductions.

        It is one statement unless it is ``plain`` that it stands among others.
        """
        before = [t for r in self.reductions if (t := r.before())]
        after = [t for r in self.reductions if (t := r.after())]
        lines = [*before, *lines, "cilk_sync;", *after]
        if before or block or not plain:
            lines = ["{", *(f"    {line}" for line in lines), "}"]
        return f"\n{indent}".join(lines)

    def _function(self, name: str, first: Sequence[str], body: str) -> str:
        declared = [*first, *(p.parameter for p in (*self._final(), *self.passed))]
        declared += [r.declared for r in self.reductions]
        own = [f"    {text}\n" for text in self.own]
        own += [
            f"    {r.own.spelling} {r.name} = {identity(r.op, r.own)};\n" for r in self.reductions
        ]
        last = [
            f"    {self.combine(r.step, r.cell, r.pointer, r.own_value())};\n"
            for r in self.reductions
        ]
        return f"{_signature(name, declared)}\n{{\n{''.join(own)}{body}{''.join(last)}}}\n\n"

    def _home(self, extra: Sequence[Passed]) -> str:
        """The nodelet's thread: its frame holds what its children's results add up to."""
        passed = [*extra, *self._final(), *self.passed]
        declared = [*_RANGE, *(p.parameter for p in passed)]
        declared += [r.declared for r in self.reductions]
        partials = "".join(
            f"    {r.cell.spelling} {r.partial} = {identity(r.op, r.cell)};\n"
            for r in self.reductions
        )
        names = [p.name for p in passed] + [f"&{r.partial}" for r in self.reductions]
        last = "".join(
            f"    {self.combine(r.step, r.cell, r.pointer, r.partial)};\n" for r in self.reductions
        )
        given = ["s2s_k", "s2s_last < s2s_until ? s2s_last : s2s_until", "s2s_stride", *names]
        spawn = "\n".join(_call(f"        cilk_spawn {self.name}(", given, ""))
        return (
            f"{_signature(f'{self.name}_home', declared)}\n{{\n{partials}"
            "    const long s2s_mine = (s2s_until - s2s_from + s2s_stride - 1) / s2s_stride;\n"
            f"    const long s2s_piece = (s2s_mine + {_CONTEXTS - 1}) / {_CONTEXTS} * s2s_stride;\n"
            "    for (long s2s_k = s2s_from; s2s_k < s2s_until; s2s_k += s2s_piece) {\n"
            "        const long s2s_last = s2s_k + s2s_piece;\n"
            f"{spawn}\n    }}\n    cilk_sync;\n{last}}}\n\n"
        )


def _signature(name: str, parameters: Sequence[str]) -> str:
    return "\n".join(_list(f"static void {name}(", parameters or ["void"], ")", ""))


def _call(head: str, arguments: Sequence[str], indent: str) -> list[str]:
    return _list(head, arguments, ");", f"{indent}    ")


def _list(head: str, items: Sequence[str], last: str, indent: str) -> list[str]:
    """Lines after an indent, none longer than 100 characters where that can be."""
    lines = [""]
    for number, one in enumerate(items):
        text = one + ("," if number + 1 < len(items) else "")
        if len(indent) + len(head) + len(lines[-1]) + len(text) > 97 and lines[-1]:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + text
    blank = " " * len(head)
    return [
        (blank if n else head) + line + (last if n + 1 == len(lines) else "")
        for n, line in enumerate(lines)
    ]


def _indented(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(
        line if line.startswith("#") or not line.strip() else f"    {line}" for line in lines
    )
