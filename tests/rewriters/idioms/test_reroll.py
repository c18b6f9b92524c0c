"""Loops whose body spells out several iterations: which become loops over single ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.rewriters.idioms.differential import transformed


def _functions(loops: Mapping[str, str]) -> dict[str, str]:
    return {
        name: f"static double f(int n)\n{{\n    T x = u[0], y = 2; int i = 0;\n    {loop}\n"
        "    return x * 3 + y * 5 + i;\n}\n"
        for name, loop in loops.items()
    }


REROLLED = {
    "products": "for (i = 0; i < n - 4; i += 3) { u[i] = u[i + 1] * u[i]; "
    "u[i + 1] = u[i + 2] * u[i + 1]; u[i + 2] = u[i + 3] * u[i + 2]; }",
    "down": "for (i = n - 1; i >= 3; i -= 2) { u[i] = u[i - 1] + v[i]; "
    "u[i - 1] = u[i - 2] + v[i - 1]; }",
    "at most": "for (i = 2; i <= n - 9; i += 2) { u[i] -= u[i + 1]; u[1 + i] -= u[i + 2]; }",
    "two statements": "for (long k = 0; k < n - 5; k += 2) { u[k] = u[k + 2] * 2; "
    "v[k] = v[k + 1]; u[k + 1] = u[k + 3] * 2; v[k + 1] = v[k + 2]; }",
}
SUMS = {
    "dot product": "for (i = 0; i < n - 3; i += 3) x = x + u[i] * v[i] + u[i + 1] * v[i + 1] "
    "+ u[i + 2] * v[i + 2];",
    "sum": "for (i = 0; i < n - 1; i += 2) x += u[i] + u[i + 1];",
}
LEFT = {
    "indirect": "for (i = 0; i < n - 4; i += 4) { u[i] += y * v[w[i]]; "
    "u[i + 1] += y * v[w[i + 1]]; u[i + 2] += y * v[w[i + 2]]; u[i + 3] += y * v[w[i + 3]]; }",
    "independent": "for (i = 0; i < n - 1; i += 2) { u[i] = v[i]; u[i + 1] = v[i + 1]; }",
    "other constant": "for (i = 0; i < n - 2; i += 2) { u[i] = u[i + 1] * 2; "
    "u[i + 1] = u[i + 2] * 3; }",
    "other float": "for (i = 0; i < n - 2; i += 2) { u[i] = u[i + 1] * 2.5f; "
    "u[i + 1] = u[i + 2] * 3.5f; }",
    "gap": "for (i = 0; i < n - 3; i += 3) { u[i] = u[i + 1] * 2; u[i + 1] = u[i + 2] * 2; }",
    "recurrence": "for (i = 1; i < n - 2; i += 2) { u[i] = u[i - 1] * v[i]; "
    "u[i + 1] = u[i] * v[i + 1]; }",
    "counter moves": "for (i = 0; i < n - 9; i += 2) { u[i] = u[i + 1]; u[i + 1] = u[i + 2]; "
    "i++; }",
    "bound moves": "for (i = 0; i < n - 9; i += 2) { n = n - 1; n = n - 1; }",
    "other array": "for (i = 0; i < n - 2; i += 2) { u[i] = u[i + 1]; v[i + 1] = v[i + 2]; }",
    "counter as a value": "for (i = 0; i < n - 2; i += 2) { u[i] = u[i + 1] + i; "
    "u[i + 1] = u[i + 2] + i; }",
}


def test_copies_become_iterations(tmp_path: Path) -> None:
    done = transformed(tmp_path, _functions(REROLLED), modes=4)
    said = {name: "over single ones" in "".join(texts) for name, texts in done.remarks.items()}
    assert said == dict.fromkeys(REROLLED, True)
    assert not done.different("-fsanitize=undefined")


def test_sums_with_permission(tmp_path: Path) -> None:
    functions = _functions(SUMS)
    assert not transformed(tmp_path, functions).changed
    done = transformed(tmp_path, functions, kind="double", modes=4, reassociate=True)
    assert done.changed == set(SUMS)
    # Terms one after the other, as the source adds them; the other sum is regrouped.
    assert done.different() <= {"sum"}


def test_what_is_left_alone(tmp_path: Path) -> None:
    done = transformed(tmp_path, _functions(LEFT))
    assert not [n for n, texts in done.remarks.items() if "single ones" in "".join(texts)]


def test_clang_makes_vectors_of_bodies_as_long_as_one(tmp_path: Path) -> None:
    bodies = {
        count: " ".join(f"u[i + {k}] = u[i + {k + 1}] * v[i + {k}];" for k in range(count))
        for count in (4, 5, 8)
    }
    chosen = {
        f"of {count}": f"for (i = 0; i < n - {count}; i += {count}) {{ {body} }}"
        for count, body in bodies.items()
    }
    for kind, left in (("float", "of 8"), ("double", "of 4")):
        done = transformed(tmp_path, _functions(chosen), kind=kind, compiler="clang")
        kept = set(chosen) - {left} - ({"of 8"} if kind == "double" else set())
        assert done.changed == kept
    assert transformed(tmp_path, _functions(chosen)).changed == set(chosen)
