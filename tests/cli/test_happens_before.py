"""``--no-happens-before``: what the explicit parallelism is worth."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

# Rows that come from memory may be the same memory; only the pragma says that they are not.
COLUMNS = Path(__file__).with_name("happens_before.c").read_text()
# The same without a pragma in it.
SERIAL = COLUMNS.replace("#pragma omp parallel for\n", "")
Run = Callable[..., CompletedProcess[bytes]]


def transformed(run: Run, text: str, *options: str) -> tuple[bytes, list[dict[str, str]]]:
    Path("program.c").write_text(text)
    done = run("transform", "program.c", "--remarks", "json", *options, "--", "-O2", "-fopenmp")
    assert done.returncode == 0
    said = json.loads(done.stderr)
    assert isinstance(said, list)
    return done.stdout, said


def test_the_pragma_is_used_unless_it_is_not_wanted(run: Run) -> None:
    text, said = transformed(run, COLUMNS)
    assert text != COLUMNS.encode()
    assert [(d["severity"], d["letters"]) for d in said] == [("remark", "P")]
    text, said = transformed(run, COLUMNS, "--no-happens-before")
    assert text == COLUMNS.encode()
    assert {d["severity"] for d in said} == {"missed"}
    assert not any("letters" in d for d in said)


def test_serial_programs_do_not_depend_on_it(run: Run) -> None:
    ordered, _ = transformed(run, SERIAL)
    assert transformed(run, SERIAL, "--no-happens-before")[0] == ordered
