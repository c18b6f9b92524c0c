"""Guards that expect arrays not to overlap: what of them is likely, and where nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.rewriters.expect_apart import _expecting

_PROGRAM = Path(__file__).parent / "expect_apart" / "in_a_loop.c"
_SIZES = "n >= 16 && (m < 8 || n > m)"
_FIRST = "((const char *)(a + n) <= (const char *)b || (const char *)(b + n) <= (const char *)a)"
_OTHER = _FIRST.replace("(a + n)", "(c + n)").replace("b)", "c)")
_HEAD = "/* s2s: done */\n    const long t = 1;\n"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (_SIZES, _SIZES),
        (_FIRST, f"__builtin_expect(\n        {_FIRST}, 1)"),
        (f"{_SIZES} && {_FIRST}", None),
        (f"{_FIRST} && n > 2", f"{_FIRST} && n > 2"),
        (
            f"/* sizes (of 'a') */\n        n > 2\n        /* apart */\n        && {_FIRST}\n"
            f"        && {_OTHER}",
            f"/* sizes (of 'a') */\n        n > 2\n        /* apart */\n"
            f"        && __builtin_expect(\n           {_FIRST}\n        && {_OTHER}, 1)",
        ),
    ],
)
def test_what_is_likely(condition: str, expected: str | None) -> None:
    if expected is None:
        pad = " " * len(f"    if ({_SIZES} && ")
        expected = f"{_SIZES} && __builtin_expect(\n{pad}{_FIRST}, 1)"
    rest = f") {{ f(); }} else {{ if ({_FIRST}) g(); }}"
    text = f"{_HEAD}    if ({condition}{rest}"
    assert _expecting(text.encode()).decode() == f"{_HEAD}    if ({expected}{rest}"


def test_both_of_two_guards() -> None:
    one = f"{_HEAD}    if (n > 2 && {_FIRST}) f(); else "
    assert _expecting((one + one).encode()).count(b"__builtin_expect") == 2


@pytest.mark.parametrize(
    ("compiler", "head", "times"),
    [("gcc", "while (go())", 1), ("gcc", "", 0), ("clang", "while (go())", 0)],
)
def test_only_guards_in_loops(compiler: str, head: str, times: int, tmp_path: Path) -> None:
    path = tmp_path / "guarded.c"
    path.write_text(_PROGRAM.read_text().replace("while (go())", head))
    options = Options(("jam",), compiler=compiler, strict=True)
    text = transform_file(str(path), ["-O2"], options).text
    assert b"do not overlap" in text
    assert text.count(b"__builtin_expect") == times
