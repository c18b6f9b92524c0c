"""Strips in which nothing happens: which loops have them, and that results are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs import read_body
from tests.rewriters.idioms.differential import transformed

_PROGRAMS = Path(__file__).parent / "strips"

ARGMAX = Path(__file__).with_name("strips.c").read_text()
_LOOP = ARGMAX[ARGMAX.index("    for") : ARGMAX.index("    return")]


def _with(loop: str, *, before: str = "T best = u[0];\n    int place = 0;") -> str:
    return (
        f"static double f(int n)\n{{\n    {before}\n{loop}\n    return place + (double)best;\n}}\n"
    )


TAKEN = {
    "arg-max": ARGMAX,
    "arg-min": ARGMAX.replace(">", "<"),
    "last of equals": ARGMAX.replace(">", ">="),
    "swapped": ARGMAX.replace("u[i] > best", "best < u[i]"),
    "magnitude": ARGMAX.replace("u[i] > best", "fabs(u[i]) > best").replace(
        "= u[i]", "= fabs(u[i])"),
    "offset": ARGMAX.replace("i < n", "i < n - 2").replace("u[i]", "u[i + 2]"),
    "down": ARGMAX.replace("int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--"),
    "from one": ARGMAX.replace("int i = 0; i < n; i++", "long i = 1; n > i; i += 1"),
    "counter outside": ARGMAX.replace("    for (int i", "    int i;\n    for (i").replace(
        "return place", "return i + place"),
    "while": _with(read_body(_PROGRAMS / "while.c")),
    "pointer": _with("""
    const T *p = u;
    for (int i = 0; i < n; i++)
        if (p[i] > best) { best = p[i]; place = i; }"""),
    "local copy": _with(read_body(_PROGRAMS / "local_copy.c")),
    "goto": _with(read_body(_PROGRAMS / "goto.c")),
    "runtime step": _with(read_body(_PROGRAMS / "runtime_step.c")),
    "other work": _with(read_body(_PROGRAMS / "other_work.c")),
    "rows": _with(read_body(_PROGRAMS / "rows.c")),
    "minimum and maximum": _with(read_body(_PROGRAMS / "minimum_and_maximum.c")),
    "find": _with("for (int i = 0; i < n; i++) if (u[i] > 2) { place = i; break; }"),
    "find by goto": _with(read_body(_PROGRAMS / "find_by_goto.c")),
    "find by return": _with("for (int i = 0; i < n; i++) if (u[i] > 2) return i;"),
    "find two": _with(read_body(_PROGRAMS / "find_two.c")),
    "find with stores": _with(read_body(_PROGRAMS / "find_with_stores.c")),
    "find, counter outside": _with(
        "int i; for (i = 0; i < n; i++) if (u[i] > 2) break; place = i;"),
    "find backward": _with(
        "int i; for (i = n - 1; i > 0; i--) if (u[i - 1] > 2) break; place = i;"),
    "find integers": _with("int i; for (i = 0; i < n; i++) if (w[i] == 8) break; place = i;"),
    "two places": _with("""
    for (int i = 0; i < n; i++)
        if (u[i] > 2) { place = i; best = v[i]; }"""),
    "continue": _with(read_body(_PROGRAMS / "continue.c")),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_results_are_the_same(tmp_path: Path, kind: str, compiler: str) -> None:
    found = transformed(tmp_path, TAKEN, kind=kind, compiler=compiler)
    assert found.changed == set(TAKEN)
    assert {t[:9] for said in found.remarks.values() for t in said} == {"strips of"}
    assert found.different() == set()


LEFT = {
    "nothing rare": ("for (int i = 0; i < n; i++) if (u[i] > 2) v[i] = 1;", None),
    "counted": ("for (int i = 0; i < n; i++) if (u[i] > 2) place++;", None),
    "unknown size": (
        "T *p = u; for (int i = 0; i < n; i++) if (p[i] > 2) { place = i; break; }",
        "nothing is known of the size of 'p', and the source may end before it loads so much",
    ),
    "a call may end it": (
        "T *p = u; for (int i = 0; i < n; i++) if (p[i] > 2) exit(i);",
        "nothing is known of the size of 'p', and the source may end before it loads so much",
    ),
    "condition is changed": (
        "for (int i = 0; i < n; i++) { u[i] = 1; if (u[i] > best) { best = u[i]; place = i; } }",
        "the condition reads 'u', which the loop may change",
    ),
    "changed through a pointer": (
        "T *p = u + 1; for (int i = 0; i < n - 1; i++) {"
        " p[i] = 9; if (u[i] > best) { best = u[i]; place = i; } }",
        "the condition reads 'u', which the loop may change",
    ),
    "carried scalar": (
        "T s = 0; for (int i = 0; i < n; i++) {"
        " s = s + u[i]; if (s > best) { best = s; place = i; } }",
        "the condition reads 's', which the loop may change",
    ),
    "effects in the condition": (
        "for (int i = 0; i < n; i++) if (u[i] > 2 + place++) break;",
        "the condition has effects or calls a function",
    ),
    "stride": (
        "for (int i = 0; i < n / 2; i++) if (u[2 * i] > best) { best = u[2 * i]; place = i; }",
        "the condition does not load neighbouring elements",
    ),
    "gather": (
        "for (int i = 0; i < n; i++) if (u[w[i]] > best) { best = u[w[i]]; place = i; }",
        "the condition does not load neighbouring elements",
    ),
    "a guarded load": (
        "T *p = u; for (int i = 0; i < n; i++) if (v[i] > 2 || p[i] > 2) { place = i; best = 1; }",
        "a load that is not sure to happen may fault",
    ),
    "division": (
        "for (int i = 0; i < n; i++) if (w[i] / (n - 63) > 2) break;",
        "the condition may divide by zero",
    ),
    "pack": ("for (int i = 0; i < n; i++) if (u[i] > 2) v[place++] = u[i];", None),
    "an alternative": (
        "for (int i = 0; i < n; i++) { if (u[i] > 2) goto other; v[i] = 1; goto end;"
        " other: w[i] = 2; end:; }",
        None,
    ),
    "an inner loop": (
        "for (int i = 0; i < n; i++) { volatile int q = i; if (u[i] > 2) { place = q; break; } }",
        "what always runs in the loop is not straight code",
    ),
}


def test_what_is_left_alone(tmp_path: Path) -> None:
    found = transformed(tmp_path, {name: _with(loop) for name, (loop, _) in LEFT.items()})
    for name in found.changed:  # another transformation takes these
        assert found.remarks[name][0].endswith("go the same way are straight code")
    said = {name: found.remarks[name] for name in LEFT if name not in found.changed}
    reasons = {name: why for name, (_, why) in LEFT.items() if name in said}
    assert said == {name: [] if why is None else [why] for name, why in reasons.items()}
    assert found.changed == {"nothing rare", "pack", "an alternative"}


def test_a_first_operand_is_asked_alone_where_others_may_fault(tmp_path: Path) -> None:
    loop = (
        "T *p = u; for (int i = 0; i < n; i++)"
        " if (v[i] > best && p[i] > 0) { best = v[i]; place = i; }"
    )
    found = transformed(tmp_path, {"a": _with(loop)})
    assert "any |= ((v[i] > best) != 0)" in found.text("a")
    assert not found.different()


def test_loops_of_directives_stay(tmp_path: Path) -> None:
    pragmas = ("omp simd", "omp parallel for", "GCC ivdep", "GCC unroll 4")
    texts = {p: ARGMAX.replace("    for", f"#pragma {p}\n    for") for p in pragmas}
    assert not transformed(tmp_path, texts, "-fopenmp").changed


def test_ends_of_a_search_are_inside_of_the_array(tmp_path: Path) -> None:
    """Strips stop where the array does, whatever the bound; the address sanitizer looks on."""
    loops = {
        "forward": "int i; u[MOST - 1] = 77;"
        " for (i = 5; i < n + 2000000; i++) if (u[i - 5] == 77) break; place = i;",
        "backward": "int i; u[0] = 77; for (i = n ? n : 1; ; i--) { if (u[i - 1] == 77) break; }",
        "down": "int i; u[0] = 77;"
        " for (i = n ? n : 1; i > -9999; i--) { if (u[i - 1] == 77) break; } place = i;",
    }
    found = transformed(tmp_path, {name: _with(loop) for name, loop in loops.items()}, modes=2)
    assert found.changed == {"forward", "down"}
    assert not found.different("-fsanitize=address,undefined")
