"""Sweeps over planes: tiles whose loops are all skewed, in every form of waiting, bit for bit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_SIX = "u[i-1][j][k] + u[i+1][j][k] + u[i][j-1][k] + u[i][j+1][k] + u[i][j][k-1] + u[i][j][k+1]"
_LOOPS = """
        for (int i = 1; i < @N@ - 1; ++i)
            for (int j = 1; j < @N@ - 1; ++j)
                for (int k = 1; k < @K@ - 1; ++k)
                    """
_EACH = f"""
    for (int t = 0; t < steps; ++t) {{
#pragma omp parallel for
{_LOOPS}v[i][j][k] = 0.15f * ({_SIX});
#pragma omp parallel for
{_LOOPS}u[i][j][k] = @BACK@;
    }}
"""
_WITHIN = "\n#pragma omp parallel" + _EACH.replace("parallel for", "for")
_AGAIN = "0.125f * (v[i+1][j][k] + v[i-1][j][k] + v[i][j+1][k] + v[i][j-1][k])"
_CONSTANT = "void sweep(int steps, float (*u)[@N@][@K@], float (*v)[@N@][@K@])"
_SIZED = "void sweep(int n, int steps, float (*restrict u)[n][n], float (*restrict v)[n][n])"
_ROWS = "void sweep(int n, int steps, float (*restrict u)[@N@][@K@], float (*restrict v)[@N@][@K@])"
_MAIN = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    for (int steps = 1; steps <= @STEPS@; steps += 1 + steps * 2 / 3) {
        size_t count = @N@ * @N@ * @K@;
        float *u = malloc(count * sizeof *u), *v = malloc(count * sizeof *v);
        for (size_t k = 0; k < count; k++) u[k] = (k * 37 % 101) / 101.0f, v[k] = k % 7;
        sweep(@CALL@steps, (void *)u, (void *)v);
        unsigned long long h = 7;
        for (size_t k = 0; k < count; k++) {
            h = (h ^ ((unsigned *)u)[k]) * 1099511628211ull;
            h = (h ^ ((unsigned *)v)[k]) * 1099511628211ull;
        }
        printf("%d %llx\\n", steps, h);
        free(u);
        free(v);
    }
    return 0;
}
"""
_PROGRAMS = {
    "constant": (_CONSTANT, _EACH, 40, 40, "v[i][j][k]"),
    "constant, one region": (_CONSTANT, _WITHIN, 21, 19, "v[i][j][k]"),
    "large": (_CONSTANT, _EACH, 200, 3, "v[i][j][k]"),
    "parameters": (_SIZED, _WITHIN, "n", "n", "v[i][j][k]"),
    "rows of a size": (_ROWS, _EACH, 30, 20, _AGAIN),
}


def _text(name: str) -> str:
    head, loops, size, row, back = _PROGRAMS[name]
    text = f"{head}\n{{{loops}}}\n".replace("@BACK@", back)
    if head == _ROWS:
        text = text.replace(f"i < {'@N@'} - 1", "i < n - 1")
    text = text.replace("@N@", str(size)).replace("@K@", str(row))
    sizes = [str(s) if isinstance(s, int) else "22" for s in (size, row)]
    call = f"{sizes[0]}, " if "int n" in head else ""
    steps = "140" if size == 21 else "22"
    main = _MAIN.replace("@CALL@", call).replace("@STEPS@", steps)
    return text + main.replace("@N@", sizes[0]).replace("@K@", sizes[1])


def _printed(source: Path, threads: int) -> str:
    binary = source.with_suffix("")
    if not binary.exists():
        flags = ["-O1", "-fopenmp", "-ffp-contract=off", "-w"]
        subprocess.run(["gcc", *flags, str(source), "-o", str(binary)], check=True)
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run(
        [str(binary)], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


@pytest.mark.parametrize("name", _PROGRAMS)
def test_all_iterations_of_skewed_planes_run(tmp_path: Path, name: str) -> None:
    """The third loop over tiles begins and ends with the strip of time steps that it is in."""
    source, changed = tmp_path / "old.c", tmp_path / "new.c"
    source.write_text(_text(name))
    outcome = transform_file(
        str(source), ["-O2", "-fopenmp"], Options(strict=True, force=True, passes=("popp",))
    )
    assert "tiled 4x8x8 and pipelined 2 loops" in outcome.text.decode()
    changed.write_bytes(outcome.text)
    wanted = _printed(source, 2)
    for threads in (1, 2, 3):
        assert _printed(changed, threads) == wanted
