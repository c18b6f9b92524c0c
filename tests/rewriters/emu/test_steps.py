"""When edge loops read ahead, threads start at home and variables are replicated, and when not."""

from pathlib import Path

import pytest

from tests.rewriters.emu.emitted import text
from tests.simulators.emu.running import CODES

PROGRAM = Path(__file__).with_name("steps.c").read_text()
AHEAD = [
    "for (long k = 0; k < v->size; k++) mine += v->next[k]->value;",
    "for (int k = 1; k < v->size; k++) mine += of(v->next[k]) * k;",
    "for (long k = 0; k < limit; k++) { struct node *u = v->next[k];"
    " if (v->keys[k] != wanted) mine += u->value; }",
    "for (long k = 0; k < v->size; k++) { if (v->next[k]->value == 2) continue; mine++; }",
]
NOT_AHEAD = [
    "for (long k = 0; k < v->size; k++) if (v->next[k]->value == 2) break;",  # may end early
    "for (long k = 0; k < v->size; k++) if (k != 3) mine += v->next[k]->value;",  # may not be read
    "for (long k = 0; k < v->size; k++) { mine += v->next[k]->value; change(v); }",  # is written
    "for (long k = 0; k < v->size; k++) { v->next[k]->value = 1; }",  # nothing is read there
    "for (long k = 0; k < v->size; k++) mine += v->next[k]->value + v->value;",  # and one at home
    "for (long k = 0; k < v->size; k++) { mine += v->next[k]->value; k += 2; }",
    "for (long k = 0; k < v->size; k++) { mine += v->next[k]->value; v = v->next[k]; }",
    "for (long k = 0; k < v->size; k++) { v->size -= v->next[k]->value; }",  # the bound changes
    "for (long k = 0; k < v->size; k += 2) mine += v->next[k]->value;",
    "for (unsigned long k = 0; k < v->size; k++) mine += v->next[k]->value;",
    "for (long k = 0; k < v->size; k++) mine += v->next[k]->value + getchar();",
]


def emitted(folder: Path, loop: str, more: str = "return 0;") -> str:
    path = folder / "program.c"
    path.write_text(PROGRAM.replace("LOOP", loop).replace("MORE", more))
    return text(path).decode()


@pytest.mark.parametrize("loop", AHEAD)
def test_neighbours_are_read_ahead(loop: str, tmp_path: Path) -> None:
    assert "s2s_end_1" in emitted(tmp_path, loop)


@pytest.mark.parametrize("loop", NOT_AHEAD)
def test_neighbours_are_not_read_ahead(loop: str, tmp_path: Path) -> None:
    assert "s2s_end_1" not in emitted(tmp_path, loop)


@pytest.mark.parametrize(
    "more",
    [
        "return *(long *)bound;",  # a number becomes a pointer
        "union { long *p; long n; } both; both.n = 0; return both.p != 0;",
        "qsort(nodes, n, sizeof *nodes, (void *)0); return 0;",
    ],
)
def test_nothing_is_read_ahead_where_pointers_may_come_from_anywhere(
    more: str, tmp_path: Path
) -> None:
    assert "s2s_end_1" not in emitted(tmp_path, AHEAD[0], more)


def test_rows_are_beside_their_vertices(tmp_path: Path) -> None:
    after = emitted(tmp_path, AHEAD[0])
    assert "mw_malloc2d(n, sizeof(struct node))" in after
    assert "mw_localmalloc((i * sizeof(long)), &nodes[i]->keys)" in after


def test_globals_that_functions_of_threads_read_are_replicated(tmp_path: Path) -> None:
    look = "static long look(struct node *v) { return v->value + bound; }\nstatic void sum"
    source = PROGRAM.replace("LOOP", "mine += look(v);").replace("MORE", "return 0;")
    path = tmp_path / "program.c"
    path.write_text(source.replace("static void sum", look, 1))
    after = text(path).decode()
    assert "static replicated long bound;" in after
    assert "s2s_spread(&bound, sizeof bound);" in after
    assert "static struct node *other;" in after and "s2s_spread(&other" not in after
    path.write_text(source.replace("static void sum", look.replace("bound", "bound++"), 1))
    assert "replicated" not in text(path).decode()


def test_scanned_variables() -> None:
    after = text(CODES / "bfs.c").decode()
    assert "source = s2s_in_source, target = s2s_in_target" in after
    before = text(CODES / "bfs.c", (), ("remote",)).decode()
    assert "s2s_in_" not in before


def test_results_of_scanning_calls_have_names_of_their_own(tmp_path: Path) -> None:
    source = PROGRAM.replace("LOOP", "mine += 1;").replace("MORE", "return 0;")
    reading = 'long a; int b; if (scanf("%ld", &a) != 1) return; if (scanf("%d", &b) != 1) return;'
    path = tmp_path / "program.c"
    path.write_text(source.replace("long limit =", f"{reading} long limit =", 1))
    after = text(path).decode()
    assert after.count("int s2s_got;") == 1 and after.count("int s2s_got_1;") == 1
