"""Renaming of variables: which loops, and what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from tests.properties.bitwise import differences
from tests.properties.cyclic import HEADER, CyclicLoop

_UP = "for (int i = 8; i < n + 8; i++) "
_DOWN = "for (int i = n + 8; i >= 8; i--) "
LOOPS = {
    "source": _UP + "{ fa[i] = fb[i] * 2; fb[i] = fa[i] + fa[i + 1]; }",
    "double": _UP + "{ da[i] = db[i] * 2; db[i] = da[i] + da[i + 1]; }",
    "int": _UP + "{ ia[i] = (ib[i] * 2) & 511; ib[i] = ia[i] + ia[i + 1]; }",
    "mixed": _UP + "{ fa[i] = (float)(da[i] * 2); fb[i] = fa[i] + fa[i + 1]; }",
    "down": _DOWN + "{ fa[i] = fb[i] * 2; fb[i] = fa[i] + fa[i - 1]; }",
    "steps": "for (int i = 8; i < n + 8; i += 2) { fa[i] = fb[i] * 2; fb[i] = fa[i] + fa[i + 2]; }",
    "update": _UP + "{ fa[i] += fb[i]; fb[i] = fa[i] * fa[i + 1]; }",
    "scalar": "float x = 3; " + _UP + "{ fa[i] = fb[i] * x; x = fb[i] + fa[i + 3]; fb[i] = x; }",
    "twice": "float x; "
    + _UP
    + "{ x = fb[i] + fa[i]; fa[i] = fb[i - 1] + x; x = fa[i + 5] * 2; fb[i] = x; }",
    "far": _UP + "{ fa[i] = fb[i + 3] * 2; fb[i] = fa[i - 2] + fa[i + 4]; }",
    "unsigned": "for (unsigned i = 8; i < (unsigned)(n < 0 ? 0 : n) + 8; i++) "
    "{ fa[i] = fb[i] * 2; fb[i] = fa[i] + fa[i + 1]; }",
    "long": "for (long k = 8; k < n + 8L; ++k) { fa[k] = fb[k] * 2; fb[k] = fa[k] + fa[k + 1]; }",
    "pointers": "float *p = fa, *q = fb; " + _UP + "{ p[i] = q[i] * 2; q[i] = p[i] + p[i + 1]; }",
    "overlap": "float *p = fa, *q = fa + 2; "
    + _UP
    + "{ p[i] = q[i] * 2; q[i] = p[i] + p[i + 1]; }",
    "figure": _UP + "{ fa[i + 5] = fb[i - 3] + da[2 * i + 2]; da[2 * i] = fa[i - 1] + 1; "
    "fa[i] = fb[i + 5] - 1; fb[i] = da[2 * i - 4]; }",
    "outer": "for (int j = 0; j < 3; j++) "
    + _UP
    + "{ fa[i] = fb[i] * j; fb[i] = fa[i] + fa[i + 1]; }",
}
# Near misses: nothing that renaming could do, or no text that could be replaced.
STAYS = {
    "recurrence": _UP + "{ fa[i] = fa[i - 1] * 0.5f; fb[i] = fa[i]; }",
    "two recurrences": _UP + "{ fa[i] = fb[i - 1] * 0.5f; fb[i] = fa[i] + 1; }",
    "plain": _UP + "{ fa[i] = fb[i] * 2; da[i] = fa[i] + 1; }",
}


def _loop(name: str, text: str) -> CyclicLoop:
    function = f"double {name}(int n, float s, float t)\n{{\n    {text}\n    return 0;\n}}\n"
    return CyclicLoop(name, function)


def _transformed(loop: CyclicLoop, directory: Path, *flags: str, **options: object) -> Outcome:
    path = directory / f"{loop.name}.c"
    path.write_text(HEADER + loop.text)
    given = Options(passes=("polysimd:gain=0.01",), strict=True, force=True)
    return transform_file(str(path), flags, given)


def test_the_pass_leaves_the_same_bits(tmp_path: Path) -> None:
    made = {}
    for number, text in enumerate(LOOPS.values()):
        loop = _loop(f"loop{number}", text)
        done = _transformed(loop, tmp_path)
        made[loop] = [done.text.decode().removeprefix(HEADER)]
    assert not differences(made, tmp_path)


@pytest.mark.parametrize("name", [n for n in LOOPS if n not in ("unsigned", "overlap")])
def test_loops_are_rewritten(name: str, tmp_path: Path) -> None:
    done = _transformed(_loop("loop", LOOPS[name]), tmp_path)
    assert done.changed, [d.text for d in done.diagnostics]
    assert "renamed" in done.text.decode() or "reordered" in done.text.decode()


@pytest.mark.parametrize("name", STAYS)
def test_near_misses_stay(name: str, tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(HEADER + _loop("loop", STAYS[name]).text)
    assert not transform_file(str(path), (), Options(passes=("polysimd:paper",))).changed


def test_a_renamed_source_is_a_scalar_of_the_body(tmp_path: Path) -> None:
    text = _transformed(_loop("loop", LOOPS["source"]), tmp_path).text.decode()
    first, second = text.index("= fa[i + 1];"), text.index("fa[i] = fb[i] * 2;")
    assert first < second
    assert "float s2s_fa_S2_1;" in text or "float s2s_fa_S2_" in text
    assert "strip" not in text


def test_the_running_example_is_distributed_in_strips(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(HEADER + _loop("loop", LOOPS["figure"]).text)
    done = transform_file(str(path), (), Options(passes=("polysimd:paper:gain=0.1",), strict=True))
    assert "renamed 1 source and 1 sink" in done.text.decode()


def test_a_bound_on_storage_makes_strips_shorter(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(HEADER + _loop("loop", LOOPS["figure"]).text)
    spec = "polysimd:paper:gain=0.01:spacelimit=9"
    done = transform_file(str(path), (), Options(passes=(spec,), strict=True))
    assert "strips of 64" in done.text.decode() or "strips of 32" in done.text.decode()


def test_loops_over_strips_end_in_the_type_of_their_counter(tmp_path: Path) -> None:
    """With an end of type long clang makes no vectors of the second one."""
    path = tmp_path / "loop.c"
    path.write_text(HEADER + _loop("loop", _UP + "{ fa[i] = fb[i - 1]; fb[i] = fb[i + 1]; }").text)
    done = transform_file(str(path), (), Options(passes=("polysimd",), strict=True))
    text = done.text.decode()
    assert "2 loops in strips of 256" in text
    assert text.count("const int s2s_i_last = (int)s2s_i_end;") == 2
