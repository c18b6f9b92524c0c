"""Reductions in lanes: which loops, under which permissions, and what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewriters.idioms.differential import transformed


def _with(loop: str, begin: str = "u[0]") -> str:
    return f"static double f(int n)\n{{\n    T s = {begin};\n    {loop}\n    return s;\n}}\n"


_FOR = "for (int i = 0; i < n; i++) "
EXACT = {
    "maximum": _FOR + "if (u[i] > s) s = u[i];",
    "minimum": _FOR + "{ if (u[i] < s) { s = u[i]; } }",
    "swapped": _FOR + "if (s < u[i]) s = u[i];",
    "conditional": _FOR + "s = u[i] > s ? u[i] : s;",
    "magnitude": _FOR + "if (MAGNITUDE(u[i]) > s) s = MAGNITUDE(u[i]);",
    "macro": "\n#define LARGER(a, b) ((a) > (b) ? (a) : (b))\n" + _FOR + "s = LARGER(u[i], s);",
    "product": _FOR + "if (u[i] * v[i] > s) s = u[i] * v[i];",
    "down": "for (long i = n - 1; i >= 0; --i) if (u[i] > s) s = u[i];",
    "pointer": "const T *p = u; int i = 0; while (i < n) { if (p[i] > s) s = p[i]; i++; } s += i;",
    "local": _FOR + "{ const T x = u[i] - v[i]; if (x > s) s = x; }",
}


_BEGINS = ("u[0]", "-1", "-INFINITY", "(T)-0.0", "NAN")


def _all(loops: dict[str, str], begins: tuple[str, ...]) -> dict[str, str]:
    return {f"{n} from {b}": _with(loop, b) for n, loop in loops.items() for b in begins}


@pytest.mark.parametrize(("kind", "count"), [("float", 64), ("double", 32)])
def test_maxima_are_exact(tmp_path: Path, kind: str, count: int) -> None:
    magnitude = "fabsf" if kind == "float" else "fabs"
    loops = {n: loop.replace("MAGNITUDE", magnitude) for n, loop in EXACT.items()}
    found = transformed(tmp_path, _all(loops, _BEGINS), kind=kind)
    assert found.remarks == {name: [f"'s' in {count} lanes"] for name in found.names}
    assert found.different() == set()


REGROUPED = {
    "sum": _FOR + "s += u[i];",
    "difference": _FOR + "s -= u[i];",
    "dot product": _FOR + "s = s + u[i] * v[i];",
    "behind": _FOR + "s = u[i] + s;",
    "several": _FOR + "s = s + u[i] - v[i] + 1;",
    "conditional": _FOR + "if (u[i] > 0) s += u[i];",
    "product": _FOR + "s *= v[i];",
    "two": "T q = 1; " + _FOR + "{ s += u[i]; q -= v[i]; } s += q;",
    "ahead of the step": "for (int i = 0; i < n - 1; i += 1) s += u[i + 1];",
}


def test_sums_are_regrouped_with_permission_only(tmp_path: Path) -> None:
    texts = _all(REGROUPED, ("u[0]",))
    without = transformed(tmp_path, texts)
    reason = "floating-point operations keep their order (--reassociate)"
    assert not without.changed
    assert without.remarks == {name: [reason] for name in texts}
    assert transformed(tmp_path, texts, reassociate=True).changed == set(texts)


def test_regrouped_sums_are_the_same_where_sums_are_exact(tmp_path: Path) -> None:
    """Whole numbers of few bits: every order of the operations gives the same."""
    whole = "for (int k = 0; k < MOST; k++) { u[k] = (T)(int)u[k]; v[k] = (T)(int)v[k]; }\n    "
    loops = {name: whole + loop for name, loop in REGROUPED.items() if name != "product"}
    found = transformed(tmp_path, _all(loops, ("0",)), modes=1, reassociate=True)
    assert len(found.changed) == len(loops)
    assert found.different() == set()


LEFT = {
    "takes what is no number": _FOR + "s = s > u[i] ? s : u[i];",
    "last of equals": _FOR + "if (u[i] >= s) s = u[i];",
}


def test_forms_that_depend_on_the_order_need_permission(tmp_path: Path) -> None:
    texts = _all(LEFT, ("u[0]",))
    for reassociate in (False, True):
        said = transformed(tmp_path, texts, reassociate=reassociate).remarks
        assert not any("lanes" in text for texts in said.values() for text in texts)


def test_maxima_of_elements_are_the_compilers_where_order_is_free(tmp_path: Path) -> None:
    """A vector maximum takes a cycle, so that several accumulators wait for memory, too."""
    assert not transformed(tmp_path, _all(LEFT, ("u[0]",)), "-ffast-math").changed


_STAY = {
    "short": "for (int i = 0; i < 100; i++) s += u[i];",
    "the sum is used": _FOR + "{ s += u[i]; v[i] = s; }",
    "recurrence": _FOR + "s += u[i] * s;",
    "gather": _FOR + "s += u[w[i]];",
    "stride": "for (int i = 0; i < n / 2; i++) s += u[2 * i];",
    "integers": "int k = 0; for (int i = 0; i < n; i++) k += w[i]; s = k;",
    "address": "T *p = &s; " + _FOR + "s += u[i] + *p;",
    "coupled": "T q = 0; " + _FOR + "{ s += u[i]; q += s; } s = q;",
}


def test_what_is_left_alone(tmp_path: Path) -> None:
    assert not transformed(tmp_path, _all(_STAY, ("0",)), "-ffast-math").changed


def test_clang_uses_several_accumulators_by_itself(tmp_path: Path) -> None:
    texts = {"sum": _with(REGROUPED["sum"])}
    assert not transformed(tmp_path, texts, "-ffast-math", compiler="clang").changed
    assert transformed(tmp_path, texts, compiler="clang", reassociate=True).changed
