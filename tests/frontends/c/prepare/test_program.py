"""Several files are one program: functions of one are summarized and inlined in another."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file

_PROGRAMS = Path(__file__).parent / "program"

CALLER = (_PROGRAMS / "caller.c").read_text()

CALLEE = Path(__file__).with_name("program_callee.c").read_text()

MAIN = (_PROGRAMS / "main.c").read_text()


def _transformed(folder: Path, before: str, factor: str, others: bool = True) -> Outcome:
    caller, callee = folder / "caller.c", folder / "callee.c"
    caller.write_text(CALLER)
    callee.write_text(CALLEE.replace("BEFORE", before).replace("FACTOR", factor))
    flags = ("-fopenmp",)
    other = ((str(callee), flags),) if others else ()
    return transform_file(str(caller), flags, Options(force=True, others=other, strict=True))


def _output(folder: Path, caller: bytes) -> str:
    (folder / "main.c").write_text(MAIN)
    (folder / "used.c").write_bytes(caller)
    names = [str(folder / name) for name in ("main.c", "used.c", "callee.c")]
    program = folder / "program"
    command = ["gcc", "-O1", "-w", "-fopenmp", "-ffp-contract=off", *names, "-o", str(program)]
    subprocess.run(command, check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def test_a_function_of_another_file_is_inlined(tmp_path: Path) -> None:
    outcome = _transformed(tmp_path, "", "0.25")
    assert outcome.changed
    assert _output(tmp_path, outcome.text) == _output(tmp_path, outcome.original)


def test_without_the_other_file_the_call_stays(tmp_path: Path) -> None:
    assert not _transformed(tmp_path, "", "0.25", others=False).changed


@pytest.mark.parametrize(
    ("before", "factor", "reason"),
    [
        ("#define FACTOR 0.25", "FACTOR", "the macro 'FACTOR'"),
        ("static double factor = 0.25;", "factor", "'factor' is not the same in this file"),
        ("double factor = 0.25;", "factor", "'factor' is not the same in this file"),
        (
            "struct f { double x; }; static const struct f f;",
            "(0.25 + sizeof(struct f))",
            "is not the same in this file",
        ),
        ("static double f(void) { return 0.25; }", "f()", "'f' is not the same in this file"),
    ],
)
def test_names_that_only_the_other_file_has(
    before: str, factor: str, reason: str, tmp_path: Path
) -> None:
    outcome = _transformed(tmp_path, before, factor)
    assert not outcome.changed
    assert any(reason in said.text for said in outcome.diagnostics)
