"""What the real Halide makes of programs, as text with all loops in it.

Run as a program, because Halide reads from the environment, once, whether to print its stages:
each argument is the name of a case of ``schedules`` or the seed of a random program. Prints JSON:
by argument the text of the lowered program, or null where Halide refuses.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.frontends.halide.twin import Twin, caught_stderr
from tests.transforms.halide.loop_traces import lowered_text
from tests.transforms.halide.random_programs import RandomProgram
from tests.transforms.halide.schedules import CASES, SIZE

SIZES = (13, 9, 3)
"""Extents of the outputs of random programs."""


def random_program(seed: int, real: Any = None) -> tuple[Twin, str, tuple[int, ...]] | None:
    """A random program with its output and size; None if a directive is refused."""
    made = RandomProgram(seed, real)
    output = made.build()
    if any(verdict is not None for verdict in made.schedule(8)):
        return None
    return made.twin, output, SIZES[: made.ranks[output]]


def program(key: str, real: Any = None) -> tuple[Twin, str, tuple[int, ...]] | None:
    """The program of an argument."""
    if key in CASES:
        twin = Twin(real)
        return twin, CASES[key](twin), SIZE
    return random_program(int(key), real)


def texts(keys: list[str]) -> dict[str, str | None]:
    """The lowered programs by key, from a process of its own."""
    command = [sys.executable, "-m", "tests.transforms.halide.lowered_by_halide", *keys]
    environment = {**os.environ, "HL_DEBUG_CODEGEN": "2"}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "texts.json"
        done = subprocess.run(
            [*command, str(place)], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        found: dict[str, str | None] = json.loads(place.read_text())
    return found


def _lowered(key: str, real: Any) -> str | None:
    made = program(key, real)
    if made is None:
        return None
    twin, output, size = made
    func = twin.funcs[output]
    for place, extent in enumerate(size):
        func.output_buffer().dim(place).set_bounds(0, extent)
    arguments = [twin.funcs["in"], *twin.params.values()]
    target = real.Target("host-no_asserts-no_bounds_query-no_runtime")
    with tempfile.TemporaryDirectory() as folder, caught_stderr() as read:
        try:
            func.compile_to_lowered_stmt(
                f"{folder}/out.stmt", arguments, real.StmtOutputFormat.Text, target
            )
        except Exception:
            return None
        return lowered_text(read()).replace(twin.tag, "")


def main() -> None:
    halide = importlib.import_module("halide")
    *keys, place = sys.argv[1:]
    Path(place).write_text(json.dumps({key: _lowered(key, halide) for key in keys}))


if __name__ == "__main__":
    main()
