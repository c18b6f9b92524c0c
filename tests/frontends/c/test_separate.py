"""Statements of the source for themselves, with scalars as memory."""

from __future__ import annotations

import pytest

from s2s.frontends.c.regions import Attempt, candidates, functions
from s2s.scop.nodes import Scop
from s2s.source import apply_edits
from tests.lifting import parse_text

KERNEL = """
void kernel(int n, float *restrict a, float *restrict b, float last)
{
    float t;
    for (int i = 0; i < n; i++) {
        %s
    }
    %s
}
"""


def attempt_of(text: str) -> Attempt:
    unit = parse_text(text)
    (function,) = functions(unit, every=True)
    return next(candidates(function))


def separate(body: str, behind: str = "") -> Scop:
    return attempt_of(KERNEL % (body, behind)).scop(separate=True)


def touched(scop: Scop) -> list[str]:
    """The arrays that each statement reads and (with a bang) writes."""
    return [
        " ".join(a.array + "!" * a.write for a in statement.accesses)
        for statement in scop.statements
    ]


def test_statements_that_share_a_scalar_stay_apart() -> None:
    text = KERNEL % ("t = a[i] + 1; b[i] = t; t = b[i] * t; a[i] = t;", "")
    assert len(attempt_of(text).scop().statements) == 1
    scop = attempt_of(text).scop(separate=True)
    assert touched(scop) == ["a t!", "t b!", "b t t!", "t a!"]
    assert scop.arrays["t"].rank == 0
    assert not scop.preamble


def test_declarations_become_assignments() -> None:
    body = "const float s = a[i]; float u, v; u = s + s; v = u * last; b[i] = v;"
    text = KERNEL % (body, "")
    scop = attempt_of(text).scop(separate=True)
    assert touched(scop) == ["a s!", "s u!", "u v!", "v b!"]
    assert scop.preamble == ("float s;", "float u;", "float v;")
    edited = apply_edits(text.encode(), [e for s in scop.statements for e in s.edits]).decode()
    assert " s = a[i];" in edited.replace("{\n       ", "")
    assert "const" not in edited


def test_a_name_that_stands_for_two_variables_is_not_declared_in_front() -> None:
    scop = separate("b[i] = t; { float t = a[i]; a[i] = t * t; b[i] = t; }")
    assert not scop.preamble
    assert len(scop.statements) == 2


def test_an_array_of_the_body_holds_its_statements_together() -> None:
    scop = separate("float pair[2]; pair[0] = a[i]; pair[1] = b[i]; a[i] = pair[1]; b[i] = 0;")
    assert len(scop.statements) == 2


def test_scalars_that_are_read_again_are_not_dead() -> None:
    body = "b[i] = t; t = a[i];"
    assert separate(body).arrays["t"].dead
    assert not separate(body, "b[0] = t;").arrays["t"].dead
    assert separate(body, "t = 1; b[0] = t;").arrays["t"].dead
    assert not separate(body, "if (n > 5) t = 1; b[0] = t;").arrays["t"].dead


def test_the_next_run_of_the_region_may_read_a_scalar() -> None:
    around = """
    void kernel(int n, float *restrict a, float *restrict b)
    {
        float t = 0;
        for (int k = 0; k < 9 && a[k] > 0; k++) {
            %s
            for (int i = 0; i < n; i++) {
                b[i] = t;
                t = a[i];
            }
        }
    }
    """
    for reset, dead in (("t = 2;", True), ("", False)):
        unit = parse_text(around % reset)
        (function,) = functions(unit, every=True)
        (outer,) = candidates(function)
        (inner,) = candidates(function, outer.statements[0].children[-1])
        assert inner.scop(separate=True).arrays["t"].dead is dead


def test_memory_behind_a_pointer_that_is_not_used_again_is_not_dead() -> None:
    unit = parse_text("void f(int n, double *u) { for (int i = 0; i < n; i++) u[i] = 1 - u[i]; }")
    (function,) = functions(unit, every=True)
    (attempt,) = candidates(function)
    assert not attempt.scop(separate=True).arrays["u"].dead


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ("a[i] = b[i] + 1; b[i + 1] = a[i] * last;", True),
        ("a[i] += last; if (i > 3) b[i] = 0;", True),
        ("t = b[i]; a[i] = t * t;", False),
        ("float u = b[i]; a[i] = u * u;", False),
        ("#pragma omp atomic\n a[0] += b[i];", False),
    ],
)
def test_what_sets_no_variable_has_one_form(body: str, same: bool) -> None:
    attempt = attempt_of(KERNEL % (body, ""))
    apart = attempt.scop(separate=True)
    assert attempt.unmerged == same
    merged = attempt.again().scop()
    if same:
        assert spelled(merged) == spelled(apart)


def spelled(scop: Scop) -> list[str]:
    """All that is read of a region's statements, arrays and assumptions."""
    found = [f"{scop.context} {scop.assumptions} {scop.arrays} {scop.may_alias} {scop.preamble}"]
    for s in scop.statements:
        found.append(f"{s.name} {s.domain} {s.schedule} {s.locals} {s.span} {s.edits} {s.opaque}")
        found += [f"{a.relation} {a.write} {a.exact} {a.span} {a.places}" for a in s.accesses]
    return found
