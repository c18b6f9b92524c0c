"""Strips that all go the same way: which loops, what they become, and that results are the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.rewriters.idioms.differential import transformed

_PROGRAMS = Path(__file__).parent / "uniform"


def _with(body: str, header: str = "int i = 0; i < n; i++", before: str = "", p: str = "") -> str:
    return (
        f"{p}static double f(int n)\n{{\n    int j = 0; {before}\n    for ({header}) {{\n{body}\n"
        "    }\n    return j;\n}\n"
    )


_GOTOS = """
        if (v[i] < 0) goto left@;
        u[i] = v[i] * 2 + u[i];
        goto end@;
    left@:
        u[i] = u[i] - v[i];
        v[i] = u[i] * 3;
    end@: ;"""
_RARE = """
        if (v[i] >= 0) goto end@;
        if (u[i] >= 0) goto next@;
        v[i] += 2;
    next@:
        u[i + 1] = v[i] * 3;
    end@: ;"""
_POINTERS = (
    "static int g@(T *p, const T *q, int n)\n{\n    int j = 0;\n    for (int i = 0; i < n; i++)"
)
TAKEN = {
    "no braces": (_PROGRAMS / "no_braces.c").read_text(),
    "nor around the loop": (_PROGRAMS / "around_the_loop.c").read_text(),
    "pack": _with("if (v[i] > 0) { u[j] = v[i]; j++; }"),
    "pack in one": _with("if (v[i] > 0) u[j++] = v[i];"),
    "pack both": _with("u[j++] = v[i]; if (v[i] <= 0) u[j++] = v[i] * 2;",
                       "int i = 0; i < n / 2; i++"),
    "pack downwards": _with("if (v[i] > 0) u[--j] = v[i];", "long i = n - 1; i >= 0; i--",
                            "j = MOST;"),
    "unpack": _with("if (v[i] > 0) { v[i] = u[j]; ++j; }"),
    "steps": _with("if (v[i] < 1 && v[i] > -1) { u[j] = i; j += 1; }", "int i = 1; i < n; i += 1"),
    "gotos": _with(_GOTOS.replace("@", "1")),
    "gotos down": _with(_GOTOS.replace("@", "2"), "int i = n - 1; i >= 0; i -= 1"),
    "mostly nothing": _with(_RARE.replace("@", "3"), "int i = 0; i < n - 1; i++"),
    "several stores": _with("if (v[i] > 0) { u[i] += v[i]; w[i] = 1; } else w[i] = 2;"),
    "continue": _with("if (v[i] > 1) continue; T t = v[i] * 2; u[i] = t; "
                      "if (w[i] > 9) continue; w[i] = (int)i;"),
    "below each other": _with("if (v[i] > 0) { if (v[i] > 1) u[i] = 1; else w[i] = 1; } "
                              "else if (v[i] < -1) { w[i] = 2; u[i] = 3; }"),
    "one ahead": _with("if (v[i + 1] > 0) v[i] = 1; else u[i] = 2;", "int i = 0; i < n - 1; i++"),
    "pointers": _with("break;", before="j = g1(u, v, n) + g1(u, u + 3, n - n / 50) + "
                      "g1(u + 40, u, n / 2);",
                      p=_POINTERS.replace("@", "1") + " if (q[i] > 0) p[j++] = q[i];"
                      "\n    return j;\n}\n"),
    "pointers, one element": _with("break;", before="j = g2(u, v, n) + g2(u, u + 7, n / 2) + "
                                   "g2(u + 9, u, n / 3);",
                                   p=_POINTERS.replace("@", "2") + " { if (q[i] < 1) p[i] += 1;"
                                   " else p[i + 1] = 3; }\n    return j;\n}\n"),
}  # fmt: skip
LEFT = {
    "sees its stores": _with("if (v[i] > 0) v[i + 1] = -v[i]; else u[i] = 2;"),
    "in front": _with("v[i] = u[i] + 1; if (v[i] > 0) { u[i] = 2; w[i] = 2; }"),
    "sees any": _with("if (u[j] > 0) { u[i] = 1; j++; }"),
    "any store": _with("if (v[i] > 0) v[w[i]] = 1; else v[i] = 2;"),
    "sum": _with("if (v[i] > 0) j += w[i]; else u[i] = 3;"),
    "selection": _with("if (v[i] > 0) u[i] = 1; else u[i] = 2;"),
    "call": _with("if (rand() > v[i]) u[i] = 1; else w[i] = 2;"),
    "division": _with("if (1 / w[i] > 0) u[i] = 1; else w[i] = 2;"),
    "bound": _with("if (v[i] > 3) { u[i] = 1; n--; } else w[i] = 1;"),
    "stride": _with("if (v[2 * i] > 0) u[i] = 1; else w[i] = 1;", "int i = 0; i < n / 2; i++"),
    "short": _with("if (v[i] > 0) u[i] = 1; else w[i] = 1;", "int i = 0; i < 200; i++"),
    "hidden": _with("if (v[i] > 0) { int i = 3; u[i] = 1; } else w[i] = 1;"),
    "backwards": _with("again: if (v[i] > 3) { v[i] = 1; goto again; } else w[i] = 1;"),
    "recurrence": _with("if (w[i] > 3) u[i] = u[i - 1]; else u[i] = u[i - 1] + 1;",
                        "int i = 1; i < n; i++"),
    "memory bound": _with("if (v[i] > 0) { w[5] = i; u[i] = 0; }", "int i = 0; i < w[5]; i++"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "compiler"), [("float", "gcc"), ("double", "clang"), ("short", "gcc")]
)
def test_results_are_the_same(tmp_path: Path, kind: str, compiler: str) -> None:
    found = transformed(tmp_path, TAKEN, kind=kind, compiler=compiler)
    assert found.changed == set(TAKEN), found.remarks
    assert all("go the same way" in said[0] for said in found.remarks.values())
    assert found.different() == set()


def test_what_is_left_alone(tmp_path: Path) -> None:
    found = transformed(tmp_path, LEFT, compiler="clang")
    assert found.changed == set()
    assert found.remarks["memory bound"] == ["the loop's bound is in memory"]


def test_nothing_else_is_touched(tmp_path: Path) -> None:
    """Neither outside of arrays, nor what the source leaves as it is."""
    taken = {name: text for name, text in TAKEN.items() if name in ("pack", "unpack", "gotos")}
    found = transformed(tmp_path, taken, modes=8)
    assert found.changed == set(taken)
    assert not found.different("-fsanitize=address,undefined")


def test_straight_strips_make_vectors(tmp_path: Path) -> None:
    found = transformed(tmp_path, {"pack": TAKEN["pack"]})
    assert "if (s2s_count == 64) {" in found.text("pack")
    assert "for (int s2s_l = 0; s2s_l < 64; s2s_l++) {" in found.text("pack")


def test_masks_of_the_processor_are_enough(tmp_path: Path) -> None:
    """Conditional stores alone have masks there; packed elements have not."""
    copy = _with("if (v[i] > 0) u[i] = v[i];")
    found = transformed(tmp_path, {"copy": copy, "pack": TAKEN["pack"]})
    assert "__AVX512VL__" in found.text("copy")
    assert "__AVX512VL__" not in found.text("pack")


def test_clang_makes_vectors_of_strips_before_it_writes_them_out(tmp_path: Path) -> None:
    """Where it has to compare addresses for that; scalar code took 2.5 times the source's time."""
    body = "if (q[i] > 0) p[i] = p[i] / q[i];"
    loops = {
        "pointers": _with("break;", before="g(u, v, n);", p="static void g(T *p, const T *q, int n)"
                          f" {{ for (int i = 0; i < n; i++) {body} }}\n"),
        "arrays": _with(body.replace("q", "v").replace("p[", "u[")),
    }  # fmt: skip
    written = {
        (name, compiler): "unroll(disable)" in found.text(name)
        for compiler in ("clang", "gcc")
        for found in [transformed(tmp_path, loops, "-ffast-math", compiler=compiler)]
        for name in found.changed
    }
    assert written == {
        ("pointers", "clang"): True, ("arrays", "clang"): False,
        ("pointers", "gcc"): False, ("arrays", "gcc"): False,
    }  # fmt: skip


def test_mixed_data_run_the_loop_as_it_was(tmp_path: Path) -> None:
    """From its beginning, which the compiler knows, unless that has effects; labels stay unique."""
    body = "if (v[i] > 0) { u[i] = v[i]; w[i] = 2; }"
    loops = {
        "declared": _with(body),
        "assigned": _with(body, "i = j; i < n; i++", before="int i;"),
        "two": _with(body, "int i = 0, k = n; i < n; i++, k--"),
        "labels": _with(_GOTOS.replace("@", "4")),
        "effects": _with(body, "i = j++; i < n; i++", before="int i;"),
        "itself": _with(body, "i = i + 1; i < n; i++", before="int i = 2;"),
        "memory": _with(body, "i = w[0] & 1; i < n; i++", before="int i;"),
    }
    flags = ("-ffast-math",)
    found = transformed(tmp_path, loops, *flags)
    assert found.changed == set(loops), found.remarks
    anew = {name for name in loops if "s2s_started = 1;" in found.text(name)}
    assert anew == {"declared", "assigned", "two", "labels"}
    assert "goto left4_s2s_rest;" in found.text("labels")
    assert found.different() == set()


# -- random bodies ------------------------------------------------------------------------------


def _condition(draw: random.Random) -> str:
    left = draw.choice(["v[i]", "u[i]", "v[i] + u[i]", "v[i + 1]", "u[i] - 1", "w[i]", "u[i + 2]"])
    return f"{left} {draw.choice(['<', '<=', '>', '>=', '==', '!='])} {draw.randint(-2, 3)}"


def _statement(draw: random.Random) -> str:
    value = draw.choice(["v[i] + 1", "u[i] * 2", "v[i + 1]", "3", "v[i] * u[i]"])
    return draw.choice(
        [
            f"u[i] = {value};",
            f"v[i] += {value};",
            f"w[i] = {draw.randint(0, 7)};",
            f"x[j++] = {value};",
            f"j++; x[j] = {value};",
            f"u[i + {draw.randint(1, 2)}] = {value};",
            f"v[i] = x[j]; j += {draw.randint(1, 2)};",
        ]
    )


def _body(draw: random.Random, depth: int = 0) -> str:
    parts = []
    for _ in range(draw.randint(1, 3)):
        if depth < 2 and draw.random() < 0.6:
            kind = draw.random()
            inner, other = _body(draw, depth + 1), _body(draw, depth + 1)
            if kind < 0.4:
                parts.append(f"if ({_condition(draw)}) {{ {inner} }}")
            elif kind < 0.8:
                parts.append(f"if ({_condition(draw)}) {{ {inner} }} else {{ {other} }}")
            else:
                parts.append(f"if ({_condition(draw)}) continue;")
        else:
            parts.append(_statement(draw))
    return " ".join(parts)


def _functions(seed: int, count: int) -> dict[str, str]:
    draw = random.Random(seed)
    header = (
        "int i = 0; i < n - 3; i++",
        "int i = n - 4; i >= 0; i--",
        "long i = 1; i < n - 4; ++i",
    )
    return {
        f"loop {number}": "static double f(int n)\n{\n    static T x[30 * MOST]; int j = 0;\n"
        f"    for ({draw.choice(header)}) {{ {_body(draw)} }}\n"
        "    double s = 0; for (int i = 0; i < n; i++) s = s * 0.5 + x[i];\n"
        "    memset(x, 0, sizeof x);\n    return s == s ? s + j : j;\n}\n"
        for number in range(count)
    }


@pytest.mark.parametrize(("kind", "compiler", "seed"), [("float", "gcc", 1), ("int", "clang", 2)])
def test_random_bodies(tmp_path: Path, kind: str, compiler: str, seed: int) -> None:
    functions = _functions(seed, 40)
    done = transformed(tmp_path, functions, kind=kind, compiler=compiler, modes=10)
    assert len(done.changed) >= 10
    assert not done.different("-fwrapv")


def test_values_among_more_than_two_for_clang(tmp_path: Path) -> None:
    """gcc selects among any number of values where it need not mind floating-point exceptions."""
    ways = _with("if (v[i] > 1) u[i] += v[i]; else if (v[i] < 0) u[i] += 2; else u[i] += w[i];")
    found = transformed(tmp_path, {"ways": ways}, compiler="clang")
    assert found.changed == {"ways"}
    assert not found.different()
    assert not transformed(tmp_path, {"ways": ways}, "-ffast-math").changed
