"""Regions with conditional compilation: every configuration of the output is right."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

INSIDE = "\n" + Path(__file__).with_name("conditionals_inside.c").read_text()

AROUND_A_PRAGMA = "\n" + Path(__file__).with_name("conditionals_around_a_pragma.c").read_text()

IN_A_CALLEE = "\n" + Path(__file__).with_name("conditionals_in_a_callee.c").read_text()


def _run(source: Path, flags: list[str]) -> str:
    program = source.with_suffix(".out")
    command = ["gcc", "-w", "-O0", "-fopenmp", *flags, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("parsed", [[], ["-DA=2"], ["-DB", "-DC"]])
@pytest.mark.parametrize("text", [INSIDE, AROUND_A_PRAGMA, IN_A_CALLEE])
def test_every_configuration_does_what_it_did(text: str, parsed: list[str], tmp_path: Path) -> None:
    source, changed = tmp_path / "program.c", tmp_path / "changed.c"
    source.write_text(text)
    outcome = transform_file(str(source), ("-fopenmp", *parsed), Options(force=True))
    changed.write_bytes(outcome.text)
    for flags in ([], ["-DA=2"], ["-DB"], ["-DC"], ["-DA=2", "-DB"]):
        assert _run(changed, flags) == _run(source, flags), (parsed, flags)


def test_the_new_code_is_for_one_configuration(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(AROUND_A_PRAGMA)
    outcome = transform_file(str(source), ("-fopenmp",), Options(force=True, strict=True))
    assert b"#if !defined(A) && !defined(B)\n" in outcome.text


def test_a_region_that_defines_a_macro_stays(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(INSIDE.replace("#if A > 1", "#define A 2\n#if A > 1"))
    outcome = transform_file(str(source), (), Options(force=True))
    assert not outcome.changed
    assert any("preprocessor definitions" in said.text for said in outcome.diagnostics)
