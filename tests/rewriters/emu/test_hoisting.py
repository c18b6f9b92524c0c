"""Types, macros and declarations of a function are known where its threads' functions stand."""

from pathlib import Path
from subprocess import run

import pytest

from s2s.source.diagnostics import UserError
from s2s.targets.emu.options import STEPS
from tests.programs import read_programs
from tests.rewriters.emu.emitted import NONE, emitted, plain, text

PROGRAMS = read_programs(Path(__file__).parent / "hoisting")
HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n"


@pytest.mark.parametrize("steps", [NONE, STEPS])
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_of_the_source(name: str, steps: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(HEADERS + PROGRAMS[name])
    wanted = run([plain(source)], capture_output=True, text=True).stdout
    assert wanted and emitted(source, (), steps).run(timeout=60).stdout == wanted


REFUSED = [
    ("typedef long row[n]; row *m = malloc(n * sizeof(row));", "m[i][0] = 0;", 4,
     "a type that depends on the variable 'n'"),
    ("long (*m)[n] = malloc(n * sizeof *m);", "m[i][0] = 0;", 5, "rows of a length that varies"),
    ("struct edge { long to; } *x = malloc(80);", "x[0].to = edge(i);", 4, "'edge'"),
    ("", "puts(__func__);", 5, "'__func__' in a parallel loop"),
]  # fmt: skip


@pytest.mark.parametrize("declared, body, line, reason", REFUSED)
def test_what_cannot_move_is_refused(
    declared: str, body: str, line: int, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    loop = f"#pragma omp parallel for\nfor (long i = 0; i < n; i++) {{ {body} }}"
    first = f"{HEADERS}long edge(long i);\nvoid f(long n) {{ {declared}\n"
    path.write_text(f"{first}{loop}\n}}\nint main(void) {{ f(3); return 0; }}\n")
    with pytest.raises(UserError, match=reason) as caught:
        text(path)
    location = caught.value.diagnostics[0].location
    assert location is not None and location.line >= line


def test_types_that_no_parallel_loop_needs_stay(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    own = "    struct own { long x; } mine = { 1 };\n    enum { K = 3 };\n"
    loop = "#pragma omp parallel for\n    for (long i = 0; i < n; i++) a[i] = i;\n"
    path.write_text(
        f"{HEADERS}long f(long n, long *a)\n{{\n{own}{loop}    return mine.x + K;\n}}\n"
    )
    assert own in text(path).decode()
