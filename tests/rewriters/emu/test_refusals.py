"""What cannot be emitted for Emu is refused where it stands."""

from pathlib import Path

import pytest

from s2s.source.diagnostics import UserError
from tests.rewriters.emu.emitted import text

LOOP = "#pragma omp parallel for\nfor (long i = 0; i < n; i++)"
REFUSED = [
    (f"{LOOP} {{ if (a[i]) return; }}", 4, "a jump in a parallel loop"),
    (f"{LOOP} {{ if (a[i]) break; }}", 4, "a break out of a parallel loop"),
    ("#pragma omp parallel for lastprivate(s)\nfor (long i = 0; i < n; i++) s = i;", 3,
     "the clause 'lastprivate'"),
    ("#pragma omp parallel for\nfor (long i = 1; i < n; i *= 2) a[i] = 0;", 4, "by steps"),
    ("#pragma omp parallel for\nwhile (n--) a[n] = 0;", 3, "no loop behind"),
    (f"{LOOP}\n#pragma omp atomic\nc[i] += 1;", 6, "an atomic update of 'char'"),
    (f"{LOOP}\n#pragma omp atomic\na[i] += 0.5;", 6, "an integer by another type"),
    (f"{LOOP}\n#pragma omp atomic\na[i] = 2 - a[i];", 6, "an atomic construct of this form"),
    (f"{LOOP} a[i] = omp_get_thread_num();", 4, "'omp_get_thread_num'"),
    (f"{LOOP} a[i] = __sync_lock_test_and_set(&c[i], 1);", 4, "'__sync_lock_test_and_set'"),
    ("#pragma omp task\na[0] = 1;", 3, "'omp task'"),
    ("#pragma omp parallel private(s)\n{ s = 1; a[s] = 2; }", 3, "of a region's own"),
    ("#pragma omp parallel for reduction(mine : s)\nfor (long i = 0; i < n; i++) s += i;", 3,
     "the reduction 'mine'"),
    (f"{LOOP} ADD(s)", 4, "a macro"),
    (f"long b[n][n];\n{LOOP} b[i][0] = 1;", 5, "rows of a length that varies"),
    ("long s2s_k = 1;", 3, "the name 's2s_k'"),
    ('_Pragma("omp parallel for") for (long i = 0; i < n; i++) a[i] = 0;', 3, "'_Pragma'"),
]  # fmt: skip
FIRST = "#define ADD(x) x = 1;\nlong f(long n, long *a, char *c, long s) {{\n{}\nreturn s; }}\n"


@pytest.mark.parametrize("body, line, reason", REFUSED)
def test_a_refusal_says_where_and_why(body: str, line: int, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"{FIRST.format(body)}int main(void) {{ return 0; }}\n")
    with pytest.raises(UserError) as caught:
        text(path)
    said = caught.value.diagnostics[0]
    assert reason in said.text
    assert said.location is not None
    assert (said.location.path, said.location.line) == (str(path), line)


def test_cxx_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "program.cc"
    path.write_text("int main() { return 0; }\n")
    with pytest.raises(UserError) as caught:
        text(path)
    assert "C++" in caught.value.diagnostics[0].text


def test_places_in_headers_are_those_of_the_header(tmp_path: Path) -> None:
    (tmp_path / "loop.h").write_text("\n#pragma omp task\n")
    path = tmp_path / "program.c"
    path.write_text('int main(void)\n{\n#include "loop.h"\n;\n}\n')
    with pytest.raises(UserError) as caught:
        text(path)
    said = caught.value.diagnostics[0]
    assert said.location is not None
    assert (said.location.path, said.location.line) == (str(tmp_path / "loop.h"), 2)
