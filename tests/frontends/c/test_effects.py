"""Facts about variables, liveness, and what calls may do."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.frontends.c.effects import CallEffects, Effects
from s2s.frontends.c.facts import Facts, gather
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.syntax import Decl, Node
from tests.lifting import parse_text, scop_of

_PROGRAMS = Path(__file__).parent / "effects"


def _function(text: str) -> Node:
    unit = parse_text(text)
    return unit.convert(unit.functions()[-1])


def _named(function: Node, name: str) -> Decl:
    return next(n.decl for n in function.walk() if n.decl is not None and n.decl.name == name)


def _facts(body: str) -> tuple[Facts, Node]:
    function = _function(
        "#include <stdlib.h>\nvoid take(int *); int *give(void); int *kept;\n"
        f"void f(int n, int *p) {{ {body} }}"
    )
    return gather(function), function


@pytest.mark.parametrize(
    ("body", "constant"),
    [
        ("int x = n; p[0] = x;", True),
        ("int x = n; x = 2; p[0] = x;", False),
        ("int x = n; x++; p[0] = x;", False),
        ("int x = n; take(&x); p[0] = x;", False),
        ("int x = n; int *q = &x; *q = 1;", False),
    ],
)
def test_constant_variables(body: str, constant: bool) -> None:
    facts, function = _facts(body)
    assert facts.is_constant(_named(function, "x")) is constant


@pytest.mark.parametrize(
    ("body", "owns"),
    [
        ("int *q = malloc(n); q[0] = 1; free(q);", True),
        ("int *q = (int *)calloc(n, 4); q[0] = 1;", True),
        ("int *q; q = malloc(n); q[0] = 1;", True),
        ("int *q = p; q[0] = 1;", False),
        ("int *q = give(); q[0] = 1;", False),
        ("int *q = malloc(n); kept = q; q[0] = 1;", False),
        ("int *q = malloc(n); take(q); q[0] = 1;", False),
        ("int *q = malloc(n); q = p; q[0] = 1;", False),
    ],
)
def test_allocations_that_nobody_else_knows(body: str, owns: bool) -> None:
    facts, function = _facts(body)
    assert facts.owns_allocation(_named(function, "q")) is owns


def _effects(callee: str, call: str = "g(p, n)") -> Effects:
    caller = f"void f(int n, int *p) {{ {call}; }}"
    unit = parse_text(f"#include <math.h>\nint glob;\nvoid h();\n{callee}\n{caller}")
    function = unit.convert(unit.functions()[-1])
    node = next(n for n in function.walk() if n.kind == "CALL_EXPR")
    return CallEffects(unit.convert, unit.pragmas).of(node)


def test_pure_functions_do_nothing() -> None:
    assert _effects("", "p[0] = sqrt(n)") == Effects()


def test_callees_are_looked_into() -> None:
    found = _effects("static void g(int *a, int n) { for (int i = 0; i < n; i++) a[i] = glob; }")
    assert found.writes == {0}
    assert {d.name for d in found.global_reads} == {"glob"}
    assert not found.anything


_GROWS = """#include <stdlib.h>
static int *g(int n) {{ int *q = malloc(n); if (!q) exit({status}); q[0] = 1; return q; }}"""


def test_fresh_memory_is_nobodys() -> None:
    assert _effects(_GROWS.format(status="1"), "g(n)") == Effects(output=True)


@pytest.mark.parametrize("status", ["0", "n", "glob = 1"])
def test_a_program_that_ends_well_shows_its_memory(status: str) -> None:
    assert _effects(_GROWS.format(status=status), "g(n)").anything


def test_callees_of_callees() -> None:
    found = _effects(
        "static int k(const int *a) { return a[0]; }\n"
        "static void g(int *a, int n) { glob = k(a) + n; }"
    )
    assert found.reads == {0}
    assert not found.writes
    assert {d.name for d in found.global_writes} == {"glob"}


@pytest.mark.parametrize(
    "callee",
    [
        "static void g(int *a, int n) { if (n) g(a, n - 1); a[n] = glob; }",
        "static void g(int *a, int n);\nstatic void k(int *b, int m) { b[m] = glob; g(b, m); }\n"
        "static void g(int *a, int n) { if (n) k(a, n - 1); }",
    ],
)
def test_recursion_ends_where_nothing_is_added(callee: str) -> None:
    found = _effects(callee)
    assert found.writes == {0}
    assert {d.name for d in found.global_reads} == {"glob"}
    assert not found.anything


@pytest.mark.parametrize(
    "callee",
    [
        "void g(int *a, int n);",
        "static void g(int *a, int n) {\n#pragma omp for\nfor (int i = 0; i < n; i++) a[i] = 0; }",
        'static void g(int *a, int n) { __asm__(""); }',
        "static void g(int *a, int n) { if (n) g(a, n - 1); h(); }",
        "static void g(int *a, int n) { volatile int x = n; }",
    ],
)
def test_anything_may_happen(callee: str) -> None:
    assert _effects(callee).anything


@pytest.mark.parametrize(
    ("after", "dead"),
    [
        ("", True),
        ("x = 1; p[0] = x;", True),
        ("p[0] = x;", False),
        ("if (n) p[0] = x;", False),
        ("if (n) x = 1; p[0] = x;", False),
        ("for (x = 0; x < n; x++) p[x] = 0;", True),
        ("{ x = 2; } p[0] = x;", True),
    ],
)
def test_values_that_nobody_reads(after: str, dead: bool) -> None:
    function = _function(
        "void f(int n, int *p) { int x; for (int i = 0; i < n; i++) { x = i; p[i] = x; }"
        f"{after} }}"
    )
    region = next(n for n in function.walk() if n.kind == "FOR_STMT")
    assert dead_after(function, [region], _named(function, "x")) is dead


def test_a_value_may_be_read_in_the_next_iteration_of_a_loop_around() -> None:
    text = (_PROGRAMS / "next_iteration.c").read_text()
    function = _function(text)
    inner = [n for n in function.walk() if n.kind == "FOR_STMT"][1]
    assert not dead_after(function, [inner], _named(function, "x"))


def test_private_scalars_order_nothing() -> None:
    """A scalar that each iteration sets first has no memory of its own in the SCoP."""
    loop = "for (int i = 0; i < n; i++) { x = a[i]; a[i] = x + 1; }"
    text = f"void f(int n, int *a) {{ int x; {loop} }}"
    scop = scop_of(text)
    assert "x" not in {access.array for s in scop.statements for access in s.accesses}
    kept = scop_of(text.replace("} }", "} a[0] = x; }"))
    assert "x" in {access.array for s in kept.statements for access in s.accesses}


def test_messages_on_standard_error_are_output_alone() -> None:
    text = (_PROGRAMS / "standard_error.c").read_text()
    unit = parse_text(text)
    function = unit.convert(unit.functions()[-1])
    (call,) = (n for n in function.walk() if n.kind == "CALL_EXPR")
    effects = CallEffects(unit.convert).of(call)
    assert effects.output and not effects.anything
