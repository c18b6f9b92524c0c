"""Programs in C as s2s emits them for Emu, compiled once for all tests."""

from functools import cache
from pathlib import Path
from subprocess import run
from tempfile import mkdtemp

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.simulators.emu.program import Program, build
from s2s.targets.emu.options import STEPS, EmuOptions
from tests.simulators.emu.running import machine

NONE: tuple[str, ...] = ()


@cache
def emitted(
    source: Path, flags: tuple[str, ...] = (), steps: tuple[str, ...] = STEPS, headers: str = "new"
) -> Program:
    folder = Path(mkdtemp())
    path = folder / source.name
    path.write_bytes(text(source, flags, steps, headers))
    return build(path, machine())


def text(
    source: Path, flags: tuple[str, ...] = (), steps: tuple[str, ...] = STEPS, headers: str = "new"
) -> bytes:
    options = Options(target="emu", of_target=EmuOptions(steps, headers))
    return transform_file(str(source), flags, options).text


@cache
def plain(source: Path, flags: tuple[str, ...] = ()) -> Path:
    path = Path(mkdtemp()) / "plain"
    run(["gcc", "-O1", "-fopenmp", "-w", *flags, source, "-o", path, "-lm"], check=True)
    return path
