"""Variables that carry a value from the iteration before: which loops, and what comes out."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.rewriters.idioms.differential import transformed


def _functions(loops: Mapping[str, str]) -> dict[str, str]:
    before = "T x = u[0], y = v[1], t = 2; int p = 1, q = 0;"
    behind = "return x * 3 + y * 5 + t * 7 + p * 11 + q;"
    return {
        name: f"static double f(int n)\n{{\n    {before}\n    {loop}\n    {behind}\n}}\n"
        for name, loop in loops.items()
    }


_FOR = "for (int i = 0; i < n; i++) "
CARRIED = {
    "element": _FOR + "{ u[i] = v[i] + x; x = v[i]; }",
    "two back": _FOR + "{ u[i] = v[i] + x * y; y = x; x = v[i]; }",
    "through another": _FOR + "{ t = v[i] * 2; u[i] = t - x; x = t; }",
    "through a local": _FOR + "{ const T z = v[i] + 1; u[i] = z - x; x = z; }",
    "set first": _FOR + "{ y = x; x = v[i]; u[i] = y + x; }",
    "subscript": _FOR + "{ u[i] = v[i] + v[p]; p = i; }",
    "subscripts": _FOR + "{ u[i] = v[p] + v[q]; q = p; p = i; }",
    "down": "for (int i = n - 1; i >= 0; i--) { u[i] = v[i] - x; x = v[i]; }",
    "ahead": "for (int i = 0; i < n - 1; i++) { u[i] = v[i + 1] - x; x = v[i + 1]; }",
    "steps": "for (int i = 0; i < n; i += 3) { u[i] = v[i] - x; x = v[i]; }",
    "outside": "int i; for (i = 0; i < n; ++i) { u[i] = v[i] - x; x = v[i]; } q += i;",
    "updates": _FOR + "{ u[i] += x; x = v[i] / 3; }",
    "rounded": _FOR + "{ const float z = v[i] * 0.1; u[i] = z - x; x = z; }",
    "pointers": "T *a = u; const T *b = v; " + _FOR + "{ a[i] = b[i] - x; x = b[i]; }",
    "overlapping": "T *a = u + 1, *b = u; for (int i = 0; i < n - 1; i++) "
    "{ a[i] = b[i] * 0.5f - x; x = b[i]; }",
    "guarded": _FOR + "{ if (x > 0) u[i] = v[i] - x; x = v[i]; }",
}


@pytest.mark.parametrize("kind", ["float", "double"])
def test_values_of_the_iteration_before(tmp_path: Path, kind: str) -> None:
    done = transformed(tmp_path, _functions(CARRIED), kind=kind, modes=4)
    said = {name: "computed again" in "".join(texts) for name, texts in done.remarks.items()}
    assert said == dict.fromkeys(CARRIED, True)
    assert not done.different()


LEFT = {
    "recurrence": _FOR + "{ u[i] = x; x = x * 0.5f + v[i]; }",
    "conditional": _FOR + "{ u[i] = x; if (v[i] > 0) x = v[i]; }",
    "overwritten": _FOR + "{ u[i] = u[i] + x; x = u[i]; }",
    "two assignments": _FOR + "{ u[i] = x; x = v[i]; u[i] += x; x = v[i] + 1; }",
    "carried by the array": "for (int i = 1; i < n; i++) { u[i] = u[i - 1] + x; x = v[i]; }",
    "address": "T *z = &x; " + _FOR + "{ u[i] = x + *z; x = v[i]; }",
    "call": _FOR + "{ u[i] = x; x = sinf(v[i]); }",
    "steers": "for (int i = 0; i < n && i < p + 40; i++) { u[i] = p; p = i; }",
    "nothing carried": _FOR + "{ x = v[i]; u[i] = x; }",
    "pointer": "const T *z = v; " + _FOR + "{ u[i] = z[0]; z = v + i; }",
    "sum": _FOR + "{ u[i] = x; x = v[i]; t += v[i]; }",
}


def test_what_is_left_alone(tmp_path: Path) -> None:
    done = transformed(tmp_path, _functions(LEFT))
    assert not [n for n, texts in done.remarks.items() if "computed again" in "".join(texts)]


def test_a_global_that_a_pointer_may_lead_to(tmp_path: Path) -> None:
    loops = {
        "pointer": "T *a = u; " + _FOR + "{ a[i] = v[i] + x; x = factor; }",
        "array": _FOR + "{ u[i] = v[i] + x; x = v[i] * factor; }",
    }
    functions = {n: f"T factor_{n} = 3;\n" + t.replace("factor", f"factor_{n}")
                 for n, t in _functions(loops).items()}  # fmt: skip
    done = transformed(tmp_path, functions, modes=2)
    assert done.changed == {"array"}
    assert not done.different()


def test_clang_makes_vectors_of_values_but_not_of_subscripts(tmp_path: Path) -> None:
    chosen = {name: CARRIED[name] for name in ("element", "subscript")}
    chosen["whole number"] = _FOR + "{ u[i] = v[i] + p; p = i; }"
    assert transformed(tmp_path, _functions(chosen), compiler="clang").changed == {"subscript"}


def _random_loop(draw: random.Random) -> str:
    """Statements that set scalars from elements, other scalars and the counter, in any order."""
    names = ["x", "y", "t"]
    draw.shuffle(names)
    lines = []
    for name in names[: draw.randint(1, 3)]:
        terms = [draw.choice([f"v[i + {draw.randint(0, 2)}]", "v[i]", "(T)i", "3",
                              *names]) for _ in range(draw.randint(1, 2))]  # fmt: skip
        lines.append(f"{name} = {draw.choice([' + ', ' * ', ' - ']).join(terms)};")
    used = draw.sample(["x", "y", "t", "v[i]", "v[p]"], draw.randint(1, 3))
    lines.append(f"u[i] = {' + '.join(used)};")
    if "v[p]" in used:
        lines.append(draw.choice(["p = i;", "p = i + 1;", "p = q; q = i;"]))
    draw.shuffle(lines)
    return "for (int i = 0; i < n - 2; i++) { " + " ".join(lines) + " }"


def test_random_loops(tmp_path: Path) -> None:
    draw = random.Random(20)
    loops = {f"loop {k}": _random_loop(draw) for k in range(100)}
    done = transformed(tmp_path, _functions(loops), modes=4)
    again = [n for n, texts in done.remarks.items() if "computed again" in "".join(texts)]
    assert len(again) >= 20
    assert not done.different("-fsanitize=undefined", "-fno-sanitize=float-cast-overflow")
