"""Switches that become selections among values: which ones, and that results are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewriters.idioms.differential import transformed


def _with(body: str, header: str = "int i = 0; i < n; i++") -> str:
    return f"static double f(int n)\n{{\n    for ({header}) {{\n{body}\n    }}\n    return n;\n}}\n"


_CASES = """
        switch (w[i]) {
        case 1: case 7: u[i] = v[i] * 2; break;
        case 2: u[i] -= v[i]; break;
        default: u[i] = 3; break;
        }"""
_GOTOS = """
        switch (w[i]) {
        case 1: goto one;
        case 2: goto two;
        case 3: goto three;
        }
    one:
        u[i] += v[i] * v[i];
        goto end;
    two:
        u[i] += v[i + 1];
        goto end;
    three:
        { u[i] = u[i] / v[i]; }
    end:
        ;"""
TAKEN = {
    "cases": _with(_CASES),
    "default in front": _with(_CASES.replace("case 1: case 7:", "default: case 7:").replace(
        "default: u[i] = 3;", "case 1: u[i] = 3;")),
    "fall through to the last": _with(_CASES.replace("= 3; break;", "= 3;")),
    "gotos": _with(_GOTOS, "int i = 0; i < n - 1; i++"),
    "down": _with(_CASES, "long i = n - 1; i >= 0; i--"),
    "other selector": _with(_CASES.replace("w[i]", "w[i] & 3")),
    "negative": _with(_CASES.replace("w[i]", "w[i] - 3").replace("case 2", "case -1")),
}  # fmt: skip
LEFT = {
    "not every case": _with(_CASES.replace("default: u[i] = 3; break;", "")),
    "two in a case": _with(_CASES.replace("-= v[i]; break;", "-= v[i];")),
    "other element": _with(_CASES.replace("u[i] = 3", "u[i + 1] = 3"), "int i = 0; i < n - 1; i++"),
    "carried": _with(_CASES.replace("-= v[i]", "-= u[i - 1]"), "int i = 1; i < n; i++"),
    "pointer": _with(_CASES.replace("-= v[i]", "-= p[i]")).replace("for (", "T *p = v; for (", 1),
    "integers overflow": _with(_CASES.replace("u[i]", "w[i]").replace("v[i]", "w[i]")),
    "division of integers": _with(_CASES.replace("-= v[i]", "-= n / w[i]")),
    "a call": _with(_CASES.replace("-= v[i]", "-= rand()")),
    "effects": _with(_CASES.replace("switch (w[i])", "switch (w[i]++)")),
    "gather": _with(_CASES.replace("-= v[i]", "-= v[w[i]]")),
    "more work": _with(_CASES + "\n        v[i] = 1;"),
}


@pytest.mark.parametrize(("kind", "compiler"), [("float", "gcc"), ("double", "clang")])
def test_results_are_the_same(tmp_path: Path, kind: str, compiler: str) -> None:
    found = transformed(tmp_path, TAKEN, kind=kind, compiler=compiler)
    assert found.changed == set(TAKEN), found.remarks
    assert all(said[0].startswith("a selection") for said in found.remarks.values())
    assert found.different() == set()


def test_what_is_left_alone(tmp_path: Path) -> None:
    found = transformed(tmp_path, LEFT)
    assert found.changed == set()
    assert found.remarks["not every case"] == ["not every case assigns the element"]
    assert found.remarks["carried"] == ["a value is computed from another one"]


def test_values_are_computed_inside_of_arrays_only(tmp_path: Path) -> None:
    """The case that loads after the end of an array never happens there."""
    body = _CASES.replace("-= v[i]", "-= v[i + 700]").replace("w[i]", "i < 2000 ? 2 : 1")
    found = transformed(tmp_path, {"late": _with(body)}, modes=2)
    assert found.changed == {"late"}
    assert not found.different("-fsanitize=address,undefined")
