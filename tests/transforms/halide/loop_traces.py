"""The loops that a lowered program runs: name, first value and number of iterations, in order.

A loop whose variable is not used counts as one from 0, because Halide makes it one. What Halide
skips as the program runs, because a select does not use it (``f.used``), counts as run.

Ours come from a nest; Halide's from the text that it prints of its own lowered program. Loops of
one iteration or none are left out, because who sees that they are so drops them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from math import prod
from types import CodeType
from typing import Any, Self

import numpy as np

from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Load, Select, Unary, Variable
from s2s.scop.nest import (
    Allocate,
    Check,
    Define,
    For,
    If,
    Nest,
    Node,
    Store,
    children,
    expressions,
    walk,
)

Trace = list[tuple[str, int, int]]
Names = dict[str, int]

LONGEST = 400000


class TooLong(Exception):
    """More loops are run than can be compared."""


class Real(float):
    """A float32 in the bounds of loops: what is made from it is rounded, and ``//`` divides."""

    def __new__(cls, value: float) -> Self:
        return super().__new__(cls, float(np.float32(value)))

    def __add__(self, other: float) -> Real:
        return Real(float(self) + other)

    def __sub__(self, other: float) -> Real:
        return Real(float(self) - other)

    def __mul__(self, other: float) -> Real:
        return Real(float(self) * other)

    def __floordiv__(self, other: float) -> Real:
        return Real(float(self) / other)


def _select(condition: object, then: float, otherwise: float) -> float:
    return then if condition else otherwise


_KNOWN = {"min": min, "max": max, "select": _select, "int32": int, "float32": Real}

_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "mod": "%",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "and": "and",
    "or": "or",
}


def python(expr: Expr) -> str:
    """An expression of numbers as Python's text, over a mapping ``N`` of names."""
    match expr:
        case Const():
            return f"float32({expr.value})" if expr.type.is_float else str(expr.value)
        case Variable(name=name):
            return f"N[{name!r}]"
        case Binary(op="min" | "max"):
            return f"{expr.op}({python(expr.left)}, {python(expr.right)})"
        case Binary():
            return f"({python(expr.left)} {_OPERATORS[expr.op]} {python(expr.right)})"
        case Unary():
            return f"(not {python(expr.value)})"
        case Select():
            parts = (expr.then, expr.condition, expr.otherwise)
            return "({} if {} else {})".format(*(python(p) for p in parts))
        case Cast():
            return f"{'float32' if expr.type.is_float else 'int32'}({python(expr.value)})"
        case Call():
            return python(expr.arguments[0])
    raise NotImplementedError(type(expr).__name__)


def _code(text: str) -> CodeType:
    """The compiled expression; one that Python cannot read has no value."""
    try:
        return compile(text, "<bound>", "eval")
    except SyntaxError:
        return compile("int(None)", "<unreadable>", "eval")


class _Tracer:
    def __init__(self) -> None:
        self.trace: Trace = []
        self._compiled: dict[str, CodeType] = {}

    def value(self, text: str, names: Names) -> int:
        if text not in self._compiled:
            self._compiled[text] = _code(text)
        code = self._compiled[text]
        return int(eval(code, _KNOWN, {"N": names}))

    def loop(
        self, name: str, low: int, extent: int, names: Names, body: Callable[[], None] | None
    ) -> None:
        """One run of a loop; ``body`` is None where no loop is inside."""
        if extent > 1:
            self.trace.append((plain(name), low, extent))
            if len(self.trace) > LONGEST:
                raise TooLong
        if body is None:
            return
        saved = names.get(name)
        for i in some(low, extent):
            names[name] = i
            body()
        if saved is not None:
            names[name] = saved


def some(low: int, extent: int) -> Iterable[int]:
    """The iterations of a loop that are looked into: of a long one the ends and the middle."""
    if extent <= 9:
        return range(low, low + extent)
    last = low + extent - 1
    return (low, low + 1, low + 2, low + extent // 2, last - 1, last)


def plain(name: str) -> str:
    """A loop's name without what makes it unique."""
    name = re.sub(r"\.[vr]\d+(?=$|\.)", ".v", name)
    return re.sub(r"\$\d+|\.\$n|\.rebased|_\d+$", "", name)


def ours(nest: Nest, names: Names | None = None) -> Trace:
    """The loops of a nest."""
    tracer = _Tracer()
    text = cache(python)
    inside = _of_node(has_loops)
    left_out = _of_node(idle)
    used = _of_node(lambda node: isinstance(node, For) and node.name in variables(node.body))

    def value(expr: Expr, known: Names) -> int:
        return tracer.value(text(expr), known)

    def run(node: Node, known: Names) -> None:
        match node:
            case For() if not left_out(node):
                low, extent = value(node.minimum, known), value(node.extent, known)
                below = partial(run, node.body, known) if inside(node.body) else None
                tracer.loop(node.name, low if used(node) else 0, extent, known, below)
            case If():
                chosen = node.then if value(node.condition, known) else node.otherwise
                if chosen is not None:
                    run(chosen, known)
            case Define():
                run(node.body, {**known, node.name: value(node.value, known)})
            case Check():
                assert node.message
            case _ if not isinstance(node, For):
                if inside(node):
                    for child in children(node):
                        run(child, known)

    run(nest.body, dict(names or {}))
    return tracer.trace


def _of_node(question: Callable[[Node], bool]) -> Callable[[Node], bool]:
    """The question, asked once of each node of a nest that stays alive."""
    answers: dict[int, bool] = {}

    def answer(node: Node) -> bool:
        if id(node) not in answers:
            answers[id(node)] = question(node)
        return answers[id(node)]

    return answer


def variables(node: Node) -> frozenset[str]:
    """The names that occur in a node."""
    below = [variables(child) for child in children(node)]
    return frozenset().union(*below, *(e.variables for e in expressions(node)))


def memory(nest: Nest) -> dict[str, int]:
    """Elements of each allocation whose size is a number."""
    found: dict[str, int] = {}
    for node in walk(nest.body):
        if isinstance(node, Allocate):
            extents = [d.extent for d in node.tensor.dimensions]
            if all(isinstance(e, Const) for e in extents):
                sizes = [int(e.value) for e in extents if isinstance(e, Const)]
                found[plain(node.tensor.name)] = prod(sizes)
    return found


def their_memory(text: str) -> dict[str, int]:
    """The same of Halide's lowered program."""
    found: dict[str, int] = {}
    for name, sizes in re.findall(r"allocate ([\w$.]+)\[\w+((?: \* \d+)+)\]", text):
        found[plain(name)] = prod(int(size) for size in sizes.split(" * ")[1:])
    return found


def idle(node: Node) -> bool:
    """Whether a node only stores what is there already; Halide leaves it out."""
    stores = [n for n in walk(node) if isinstance(n, Store)]
    return all(
        isinstance(v, Load) and (v.tensor, v.subscripts) == (store.tensor, store.subscripts)
        for store in stores
        for v in store.values
    )


def has_loops(node: Node) -> bool:
    """Whether there is a loop anywhere in a node."""
    return isinstance(node, For) or any(has_loops(child) for child in children(node))


_STAGE = "Lowering after second simplification:"


def lowered_text(log: str) -> str:
    """Halide's program with all loops in it, from what it prints under HL_DEBUG_CODEGEN=2."""
    start = log.rindex(_STAGE) + len(_STAGE)
    end = re.compile(r"\n\n(?=\S)").search(log, start)
    return log[start : end.start()] if end else log[start:]


def theirs(text: str, names: Names | None = None) -> Trace:
    """The loops of Halide's lowered program, from its text."""
    tracer = _Tracer()
    lines = [line for line in text.splitlines() if line.strip()]
    _run(_around_loops(_parsed(iter(lines))), dict(names or {}), tracer)
    return tracer.trace


def _around_loops(statements: Parsed) -> Parsed:
    """The statements up to the last that has a loop in it."""
    kept = [(kind, texts, _around_loops(below)) for kind, texts, below in statements]
    while kept and not (kept[-1][0] == "for" or kept[-1][2]):
        del kept[-1]
    return kept


Parsed = list[tuple[str, tuple[str, ...], list[Any]]]


def _parsed(lines: Iterator[str]) -> Parsed:
    """Statements as (kind, texts, below); a block ends with its closing brace."""
    found: Parsed = []
    for raw in lines:
        line = raw.strip()
        if line == "}":
            return found
        if line.startswith("} else {"):
            found.append(("else", (), _parsed(lines)))
            return found
        if line.startswith("} else if "):
            condition = _python(line[len("} else if ") : -1])
            found.append(("else", (), [("if", (condition,), _parsed(lines))]))
            return found
        loop = re.match(r"(?:\w+ )?(?:for|parallel|unrolled|vectorized)[^(]*\((.*)\) \{$", line)
        if loop:
            name, low, extent = _arguments(loop.group(1))
            found.append(("for", (name, _python(low), _python(extent)), _parsed(lines)))
        elif "is_bounds_query" in line and line.endswith("{"):
            below = _parsed(lines)
            found += [("block", (), below)] if line.startswith("if (!") else []
        elif re.match(r"if \([\w.$]*\.used", line):
            found.append(("block", (), _parsed(lines)))
        elif line.startswith("if ") and line.endswith("{"):
            found.append(("if", (_python(line[3:-1]),), _parsed(lines)))
        elif line.endswith("{"):
            found.append(("block", (), _parsed(lines)))
        elif line.startswith("let "):
            name, _, value = line[4:].partition(" = ")
            found.append(("let", (name, value), []))
    return found


def _arguments(text: str) -> list[str]:
    parts, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [p.strip() for p in parts]


@cache
def _python(text: str) -> str:
    """An expression of Halide's as Python's text, over a mapping ``N`` of names."""
    if text.startswith("let "):
        name, _, rest = text[4:].partition(" = ")
        end = _outside(rest, " in ")
        value, body = _python(rest[:end]), _python(rest[end + 4 :].strip())
        return f"(lambda N: {body})({{**N, {name!r}: {value}}})"
    start = text.find("(let ")
    if start >= 0:
        end = start + 1 + _outside(text[start + 1 :], ")")
        inner = _python(text[start + 1 : end])
        return _python(f"{text[:start]}(0@{text[end:]}").replace("0@", inner)
    text = re.sub(r"\((?:u?int\d+|float\d+)\)", "", text)
    text = re.sub(r"\b(\d+\.\d+)f\b", r"float32(\1)", text)
    text = re.sub(r"\b(?:likely|likely_if_innermost)\b", "", text)
    text = re.sub(r"[A-Za-z_$][\w.$]*(?!\w*\()", _name, text)
    text = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    return re.sub(r"!(?!=)", " not ", text).strip()


def _outside(text: str, wanted: str) -> int:
    """Where something stands in a text outside of its parentheses."""
    depth = 0
    for place, char in enumerate(text):
        if depth == 0 and text.startswith(wanted, place):
            return place
        depth += (char == "(") - (char == ")")
    return len(text)


def _name(match: re.Match[str]) -> str:
    word = match.group(0)
    return word if word in ("min", "max", "select") else f"N[{word!r}]"


def _run(statements: Parsed, names: Names, tracer: _Tracer) -> None:
    names = dict(names)
    for kind, texts, below in statements:
        if kind == "let":
            try:
                names[texts[0]] = tracer.value(_python(texts[1]), names)
            except Exception:
                names.pop(texts[0], None)
        elif kind == "block":
            _run(below, names, tracer)
        elif kind == "if":
            if tracer.value(texts[0], names):
                _run([s for s in below if s[0] != "else"], names, tracer)
            else:
                for other in below:
                    if other[0] == "else":
                        _run(other[2], names, tracer)
        elif kind == "for":
            low, extent = tracer.value(texts[1], names), tracer.value(texts[2], names)
            inside = partial(_run, below, names, tracer) if below else None
            tracer.loop(texts[0], low, extent, names, inside)
