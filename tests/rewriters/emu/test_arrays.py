"""Static arrays on all nodelets: when, how they are declared then, and that values stay."""

from pathlib import Path
from subprocess import run

import pytest

from s2s.targets.emu.options import STEPS
from tests.rewriters.emu.emitted import emitted, plain, text

PROGRAM = "\n" + Path(__file__).with_name("arrays.c").read_text()


def test_values_stay(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    wanted = run([plain(source)], capture_output=True, text=True)
    found = emitted(source).run(timeout=60)
    assert (found.status, found.stdout) == (wanted.returncode, wanted.stdout)
    after = text(source).decode()
    for declared in (
        "static replicated double *a;\nstatic replicated double *b;\n"
        "static replicated double **rows;\nstatic double unused[4];",
        "\nreplicated struct cell **cells;",
        "\nreplicated long *shifted;\nlong total[2];",
        "static replicated int *flags;",
        "static double cube[N][3][2], *last;",
    ):
        assert declared in after
    assert "struct cell *c = cells[i];" in after and "(cells[i])->y = c->x;" in after
    assert "*cells[i] = next_to(*cells[i]);" in after
    assert "cilk_spawn_at(&cells[s2s_k])" in after or "cilk_spawn_at(&a[s2s_k])" in after


SMALL = Path(__file__).with_name("small_arrays.c").read_text()
BODY, DECLARED = "a[i] += i;", "static long a[64];"
STAYS = [
    ("", "static long a[64] = {1};", BODY, "", "more than its lengths"),
    ("", "static long a[64], n;", BODY, "", "its declaration has other variables"),
    ("typedef long many[64];", "static many a;", BODY, "", "hides its lengths"),
    ("", "static volatile long a[64];", BODY, "", "it is 'volatile'"),
    ("", DECLARED, BODY, "extern long a[64]; a[0] = 1;", "it is declared more than once"),
    ("", DECLARED, BODY, "static long *p = a; p[0] = 1;", "a static variable begins with"),
    ("", "static long a[64], b[64][2];", "b[i][0] += i;", "memset(&b[0][0], 0, 1024);", ""),
    ("", DECLARED, BODY, "memset(a, 0, sizeof a);", "its size is asked for"),
    ("", DECLARED, BODY, "long (*p)[64] = &a; (*p)[3] = 1;", "the address of the whole array"),
    ("long *p = a;", DECLARED, BODY, "", "named outside of functions"),
    ("#define AT(i) a[i]", DECLARED, "AT(i) += i;", "", "named outside of functions"),
    ("", DECLARED, "a[i] += a[(i + 1) % 64];", "", "elements of other iterations"),
    ("static long f(long i) { return a[i]; }", DECLARED, "a[i] += f(i);", "", "elements of other"),
    ("static long tab[8] = {1};", DECLARED, "a[i] += tab[i & 7];", "", "arrays that stay there"),
    ("static int b[64];", DECLARED, "a[i] += b[i];", "", "arrays that stay there"),
    ("struct s { long x, y; };", "static struct s a[64];", "a[i].x += i;", "(a + 1)->y = 2;", ""),
]  # fmt: skip


@pytest.mark.parametrize("more, declared, body, last, reason", STAYS)
def test_it_stays(
    more: str,
    declared: str,
    body: str,
    last: str,
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also says why."""
    from s2s.cli import main as cli

    source, target = tmp_path / "program.c", tmp_path / "emu.c"
    order = (
        (f"{more}\n{declared}", "") if more.startswith(("typedef", "struct")) else (declared, more)
    )
    text = (
        SMALL.replace("DECLARED", order[0])
        .replace("MORE", order[1])
        .replace("BODY", body)
        .replace("LAST", last)
    )
    source.write_text(text.replace("(int)a[3]", "0") if "struct s" in more else text)
    assert cli.main(["transform", str(source), "--target", "emu", "-o", str(target)]) == 0
    assert declared in target.read_text()
    said = " ".join(capsys.readouterr().err.split())
    assert "on the first nodelet" in said and reason in said


def test_arrays_in_frames_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from s2s.cli import main as cli

    source = tmp_path / "program.c"
    local = "int main(void)\n{\n    long b[64] = {0};"
    text = (
        SMALL.replace("DECLARED", DECLARED)
        .replace("MORE", "")
        .replace("BODY", "{ long c[2]; c[1] = b[i]; }")
        .replace("LAST", "")
    )
    source.write_text(text.replace("int main(void)\n{", local))
    assert cli.main(["transform", str(source), "--target", "emu"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "'b': in the frame of the function" in said and "'c'" not in said


def test_it_moves(tmp_path: Path) -> None:
    """The program of the near misses without them."""
    source = tmp_path / "program.c"
    source.write_text(
        SMALL.replace("DECLARED", DECLARED)
        .replace("MORE", "")
        .replace("BODY", BODY)
        .replace("LAST", "")
    )
    assert b"static replicated long *a;" in text(source)
    kept = tuple(step for step in STEPS if step != "arrays")
    assert DECLARED.encode() in text(source, (), kept)
