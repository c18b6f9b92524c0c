"""Nests of regions: the instances of the source, in its order."""

from __future__ import annotations

from typing import Any

import pytest

from s2s.scop.expressions import Binary, Cast, Const, Expr, Load, Select, Unary, Variable
from s2s.scop.nest import Block, For, If, Node, Store
from s2s.scop.scan import NotScannable, scan
from tests.lifting import scop_of

Instances = list[tuple[str, tuple[int, ...]]]
_BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b, "mod": lambda a, b: a % b, "min": min, "max": max,
    "eq": lambda a, b: a == b, "le": lambda a, b: a <= b, "lt": lambda a, b: a < b,
    "ge": lambda a, b: a >= b, "gt": lambda a, b: a > b, "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
}  # fmt: skip


def value(expr: Expr, names: dict[str, int]) -> int:
    match expr:
        case Const(_, int(number)):
            return number
        case Variable(_, name):
            return names[name]
        case Cast(_, inner):
            return value(inner, names)
        case Unary(_, "not", inner):
            return int(not value(inner, names))
        case Select(_, condition, then, otherwise):
            return value(then if value(condition, names) else otherwise, names)
        case Binary(_, op, left, right):
            return int(_BINARY[op](value(left, names), value(right, names)))
        case Load():
            return 0
    raise AssertionError(expr)


def stores(node: Node, names: dict[str, int]) -> Instances:
    """The elements that a nest stores to, in order."""
    match node:
        case Block(children):
            return [one for child in children for one in stores(child, names)]
        case If(condition, then, otherwise):
            taken = then if value(condition, names) else otherwise
            return [] if taken is None else stores(taken, names)
        case For(name, minimum, extent, body=body):
            first, count = value(minimum, names), value(extent, names)
            runs = range(first, first + count)
            return [one for k in runs for one in stores(body, {**names, name: k})]
        case Store(tensor, subscripts):
            return [(tensor, tuple(value(s, names) for s in subscripts))]
    raise AssertionError(node)


# What ``expected`` gives the stores of.
PROGRAMS = [
    """for (int i = 0; i < n; i++) { a[i] = 1; for (int j = i; j < n; j++) b[j] = i; }""",
    """for (int i = n - 1; i >= 0; i--) { a[i] = i; if (i > 2) b[i] = 1; else b[0] = 2; }""",
    """for (int i = 1; i < n; i += 3) for (int j = 0; j <= i; j += 2) a[i + j] = 1;""",
    """for (int t = 0; t < n; t += 4) for (int i = t; i < t + 4; i++) if (i < n) a[i] = t;""",
    """a[0] = 1; for (int i = 0; i < n; i++) if (i % 2 == 0) a[i / 2] = 1; b[n] = 3;""",
]


def expected(number: int, n: int) -> Instances:
    done: Instances = []
    match number:
        case 0:
            for i in range(n):
                done += [("a", (i,)), *(("b", (j,)) for j in range(i, n))]
        case 1:
            for i in reversed(range(n)):
                done += [("a", (i,)), ("b", (i if i > 2 else 0,))]
        case 2:
            for i in range(1, n, 3):
                done += [("a", (i + j,)) for j in range(0, i + 1, 2)]
        case 3:
            for t in range(0, n, 4):
                done += [("a", (i,)) for i in range(t, t + 4) if i < n]
        case 4:
            done = [("a", (0,)), *(("a", (i // 2,)) for i in range(n) if i % 2 == 0), ("b", (n,))]
    return done


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_instances_and_their_order(number: int, n: int) -> None:
    once = f"for (int z = 0; z < 1; z++) {{ {PROGRAMS[number]} }}"
    scop = scop_of(f"void f(int n, int *a, int *b) {{ {once} }}")
    nest = scan(scop, "f", ())
    assert stores(nest.body, {"n": n}) == expected(number, n)


def test_names_of_the_source() -> None:
    text = "void f(int n, int *a) { for (int z = 0; z < 2; z++) { %s %s } }"
    loop = "for (int i = 0; i < n; i++) a[i] = z;"
    nest = scan(scop_of(text % (loop, loop)), "f", ())
    found = [(node.name, node.var) for node in _loops(nest.body)]
    assert found == [("z", "z"), ("i", "i"), ("i.2", "i")]


def test_names_that_are_taken() -> None:
    """A loop whose variable hides a parameter has another name than that."""
    inner = "for (int m = 0; m < 2; m++) a[i] = m;"
    text = f"void f(int n, int m, int *a) {{ for (int i = m; i < n; i++) {inner} }}"
    nest = scan(scop_of(text), "f", ())
    assert [(loop.name, loop.var) for loop in _loops(nest.body)] == [("i", "i"), ("m.2", "m")]
    twice = [("a", (3,)), ("a", (3,)), ("a", (4,)), ("a", (4,))]
    assert stores(nest.body, {"n": 5, "m": 3}) == twice


def _loops(node: Node) -> list[For]:
    match node:
        case Block(children):
            return [one for child in children for one in _loops(child)]
        case For():
            return [node, *_loops(node.body)]
    return []


def test_what_has_no_nest() -> None:
    text = "int g(int); void f(int n, int *a) { for (int i = 0; i < n; i++) a[i] = g(i); }"
    with pytest.raises(NotScannable, match="no typed expression"):
        scan(scop_of(text.replace("g(i)", "a[i] / n")), "f", ())
