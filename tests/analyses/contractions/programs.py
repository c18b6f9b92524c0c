"""C programs as contractions, for the tests of this folder."""

from collections.abc import Mapping
from pathlib import Path

from s2s.analyses.contractions import extract
from s2s.frontends.c.parse import parse
from s2s.frontends.c.typed import functions_with_loops
from s2s.frontends.c.typed.region import check_known, region_nest
from s2s.frontends.c.unit import Unit
from s2s.frontends.halide.algorithm import drop_schedule
from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.contraction import Contraction
from s2s.scop.nest import Nest
from s2s.source import SourceBuffer
from s2s.source.compiler_answers import builtin_include_flags
from s2s.transforms.halide import lower
from tests.programs import read_programs

HEADER = "#include <stdint.h>\n"
HERE = Path(__file__).parent


def read(*folders: str) -> dict[str, str]:
    """The programs in folders: of a style, or refused for a reason."""
    return read_programs(*(HERE / folder for folder in folders))


def from_c(text: str, numbers: Mapping[str, int] | None = None, *, name: str = "f") -> Contraction:
    """The contraction of the only function with loops of a C file, or of ``name``."""
    buffer = SourceBuffer("conv.c", (HEADER + text).encode())
    unit = parse(buffer, (), builtin_include_flags("gcc", "c"), on_disk=False)
    assert unit.errors == ()
    found = dict(functions_with_loops(unit))
    name = name if name in found else next(iter(found))
    assert set(found) <= {name, "helper"}
    return extract(known_nest(name, unit, numbers or {}))


def nest(text: str) -> Nest:
    """The nest of the only function with loops of a C file."""
    buffer = SourceBuffer("conv.c", (HEADER + text).encode())
    unit = parse(buffer, (), builtin_include_flags("gcc", "c"), on_disk=False)
    assert unit.errors == ()
    name = next(n for n, _ in functions_with_loops(unit) if n != "helper")
    return known_nest(name, unit, {})


def known_nest(name: str, unit: Unit, numbers: Mapping[str, int]) -> Nest:
    """A function as a nest in which all values are known."""
    found = region_nest(name, unit, numbers)
    check_known(found, dict(functions_with_loops(unit))[name])
    return found


def from_halide(text: str, size: tuple[int, ...], **parameters: str) -> Contraction:
    """The contraction of a Halide-like C++ file's generator."""
    pipeline = evaluate("conv.cpp", text.encode(), (), parameters=parameters)
    return extract(lower(drop_schedule(pipeline), {pipeline.outputs[0]: size}))
