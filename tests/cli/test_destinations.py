"""``--diff``, ``--in-place`` and ``--jobs``."""

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[bytes]]

TEXT = """\
void {name}(int n, double *restrict c, const double *restrict x)
{{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[j * n + i] += x[j * n + i];
}}
"""
STAYS = "int zero(void) { return 0; }\n"


@pytest.fixture(autouse=True)
def files() -> None:
    Path("sub").mkdir()
    Path("one.c").write_text(TEXT.format(name="one"))
    Path("sub/two.c").write_text(TEXT.format(name="two").rstrip("\n"))
    Path("stays.c").write_text(STAYS)


def _printed(run: Run, name: str) -> bytes:
    found: bytes = run("transform", name).stdout
    return found


def test_git_applies_the_patch_of_several_files(run: Run) -> None:
    wanted = {name: _printed(run, name) for name in ("one.c", "sub/two.c", "stays.c")}
    done = run("transform", *wanted, "--diff", "-j", "2")
    assert done.returncode == 0 and done.stdout.startswith(b"--- a/one.c\n+++ b/one.c\n@@ ")
    assert b"stays.c" not in done.stdout
    Path("patch").write_bytes(done.stdout)
    subprocess.run(["git", "apply", "patch"], check=True)
    assert {name: Path(name).read_bytes() for name in wanted} == wanted
    assert wanted["stays.c"].decode() == STAYS


def test_in_place_writes_over_sources(run: Run) -> None:
    wanted = {name: _printed(run, name) for name in ("one.c", "sub/two.c")}
    os.chmod("one.c", 0o640)
    Path("link.c").symlink_to("one.c")
    os.utime("stays.c", ns=(1, 1))
    done = run("transform", "link.c", "sub/two.c", "stays.c", "--in-place")
    assert done.returncode == 0 and done.stdout == b""
    assert Path("link.c").is_symlink()
    assert {name: Path(name).read_bytes() for name in wanted} == wanted
    assert stat.S_IMODE(os.stat("one.c").st_mode) == 0o640
    assert os.stat("stays.c").st_mtime_ns == 1
    assert sorted(p.name for p in Path().iterdir()) == ["link.c", "one.c", "stays.c", "sub"]


def test_a_file_that_fails_does_not_keep_others_from_being_written(run: Run) -> None:
    Path("bad.c").write_text("int x = ;\n")
    done = run("transform", "bad.c", "one.c", "--in-place", "-j", "2")
    assert done.returncode == 1 and b"bad.c:1:9: error: " in done.stderr
    assert b"s2s:" in Path("one.c").read_bytes() and Path("bad.c").read_text() == "int x = ;\n"


def test_jobs_change_nothing_but_the_time(run: Run) -> None:
    names = ("one.c", "sub/two.c", "stays.c")
    found = []
    for jobs in ("1", "3"):
        Path(jobs).mkdir()
        done = run("transform", *names, "-o", f"{jobs}/", "--jobs", jobs)
        texts = [Path(jobs, os.path.basename(name)).read_bytes() for name in names]
        found.append((done.returncode, done.stderr, texts))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("one.c", "--in-place", "-o", "x.c"), "'--in-place' has no effect with '-o'"),
        (("one.c", "--in-place", "--diff"), "'--in-place' has no effect with '--diff'"),
        (("-", "--in-place"), "the standard input is no file"),
        (("one.c", "--diff", "--target", "aie"), "'--diff' has no effect with '--target aie'"),
        (("one.c", "sub/two.c"), "'--diff' or '--in-place'"),
    ],
)
def test_what_has_no_sense_is_a_usage_error(run: Run, words: tuple[str, ...], what: str) -> None:
    done = run("transform", *words)
    assert done.returncode == 2 and what in done.stderr.decode()
    assert Path("one.c").read_text() == TEXT.format(name="one")
