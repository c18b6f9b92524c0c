"""Whole files through the product, as users run it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import Diagnostic, Location, Severity
from tests.properties.examples import EXAMPLES, SEED
from tests.properties.generate import draw_program
from tests.properties.harness import THREADS, build, run
from tests.properties.printer import HEADER, function_text, main_text
from tests.properties.program import Program
from tests.properties.sweeps import draw_sweep

_FILES = max(1, -(-EXAMPLES // 50))
_SWEEPS, _NESTS = 9, 6


def _programs(file: int) -> list[Program]:
    seeds = [(n, f"{SEED}:file:{file}:{n}") for n in range(_SWEEPS + _NESTS)]
    drawn = [draw_sweep(n, s) for n, s in seeds[:_SWEEPS]]
    return drawn + [draw_program(n, s) for n, s in seeds[_SWEEPS:]]


def _text(programs: list[Program]) -> str:
    functions = "\n".join(function_text(p) for p in programs)
    return f"{HEADER}\n{functions}\n{main_text(programs)}"


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Path:
    """A directory that outlives the run: what fails is there."""
    name = request.node.name.translate(str.maketrans("[]-", "___"))
    directory = Path(tempfile.gettempdir()) / "s2s-failures" / f"{SEED}-{name}"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@pytest.mark.parametrize("file", range(_FILES))
def test_transformed_files_print_the_same(
    file: int, place: Path, record_property: Callable[[str, object], None]
) -> None:
    text = _text(_programs(file))
    source = place / "original.c"
    source.write_text(text)
    options = Options(strict=True, force=file % 4 != 3, parallel=file % 2 == 1)
    outcome = transform_file(str(source), ["-fopenmp"], options)
    after = build(outcome.text.decode(), place / "transformed.c", "-O1")
    expected = run(build(text, source, "-O0"), 1)
    for threads in THREADS:
        assert run(after, threads) == expected, f"{place}, {threads} threads, S2S_SEED={SEED}"
    _check_diagnostics(outcome, text)
    record_property("s2s files", dict(_counts(outcome)))


def _counts(outcome: Outcome) -> Counter[str]:
    found = Counter({"files": 1, "files changed": int(outcome.changed)})
    for diagnostic in outcome.diagnostics:
        if diagnostic.severity is Severity.REMARK:
            found[f"regions rewritten by {diagnostic.id}"] += 1
        elif diagnostic.severity is Severity.MISSED:
            found[f"missed: {diagnostic.id}"] += 1
    return found


def _check_diagnostics(outcome: Outcome, text: str) -> None:
    """Something is said exactly where something is done, at places that exist."""
    remarks = [d for d in outcome.diagnostics if d.severity is Severity.REMARK]
    assert outcome.changed == bool(remarks)
    assert not [d for d in outcome.diagnostics if d.id == "internal"]
    lines = text.split("\n")
    for diagnostic in outcome.diagnostics:
        for said in (diagnostic, *diagnostic.notes):
            assert said.text
            _check_place(said, lines)


def _check_place(said: Diagnostic, lines: list[str]) -> None:
    place = said.location
    assert isinstance(place, Location), said
    assert 1 <= place.line <= place.end_line <= len(lines), said
    assert 1 <= place.column <= len(lines[place.line - 1]) + 1, said
    assert 1 <= place.end_column <= len(lines[place.end_line - 1]) + 1, said
    assert (place.line, place.column) < (place.end_line, place.end_column), said


@pytest.mark.parametrize("passes", [("popp",), ("permute",)])
def test_files_with_nothing_to_do_keep_their_bytes(passes: tuple[str, ...], tmp_path: Path) -> None:
    """Serial programs have nothing for popp; permute says where it finds something."""
    programs = [draw_program(n, f"{SEED}:same:{n}", parallel=0.0) for n in range(12)]
    text = _text(programs).replace("\n", "\r\n" if passes == ("popp",) else "\n")
    source = tmp_path / "same.c"
    source.write_bytes(text.encode())
    outcome = transform_file(str(source), ["-fopenmp"], Options(passes=passes, strict=True))
    remarks = [d for d in outcome.diagnostics if d.severity is Severity.REMARK]
    if passes != ("permute",):
        assert not remarks
    assert outcome.original == text.encode()
    assert (outcome.text == outcome.original) == (not remarks)
