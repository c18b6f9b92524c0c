"""The net behind the door: what is wrong in the last text is caught before it leaves."""

import re
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from s2s.cli import main as cli
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.net import Mismatch
from s2s.net.emu import check
from s2s.rewriters.emu import lower as lowering
from s2s.source import SourceBuffer
from s2s.targets.emu.options import STEPS, EmuOptions
from tests.net.emu.random_functions import functions
from tests.simulators.emu.running import CODES, PROGRAMS

FLAGS = ("-fopenmp",)
MUTATIONS = {
    "a step": (r"(\w+) \+= s2s_stride\)", r"\1 += 2 * s2s_stride)"),
    "a bound": (r"s2s_k < s2s_until;", r"s2s_k < s2s_until - 1;"),
    "fewer nodelets": (r"s2s_k < NODELETS\(\) &&", r"s2s_k < NODELETS() - 1 &&"),
    "another stride": (r"(_home\(s2s_k, \w+), NODELETS\(\),", r"\1, NODELETS() + 1,"),
    "a sync of a nodelet's thread": (r"\n *cilk_sync;", r""),
    "the last sync": (r"(?s)(.*)\n *cilk_sync;", r"\1"),
    "the size of a piece": (r"s2s_k \+= s2s_piece", r"s2s_k += s2s_piece + 1"),
    "the number of threads": (r"\+ 63\) / 64", r") / 64"),
    "trips of read-ahead": (r"(s2s_k_\d) \+= 8", r"\1 += 9"),
    "the end of read-ahead": (r"k < s2s_end_(\d)", r"k < s2s_end_\1 - 1"),
    "another operation": (r"REMOTE_ADD\((s2s_all\w+, s2s_partial)", r"REMOTE_MAX(\1"),
    "an operand": (r"REMOTE_ADD\((s2s_all\w+), ", r"REMOTE_ADD(\1, 1 + "),
    "a statement": (r"\n *REMOTE_ADD\(s2s_all[^;]*;", r""),
    "an argument": (r"(_1_home\()s2s_k, (\w+)", r"\g<1>\2, \2"),
    "the nodelet of a copy": (r"mw_get_nth\(view, k\)", r"mw_get_nth(view, 1)"),
    "a record's value": (r"(s2s_next->target) = target", r"\1 = source"),
    "the last records": (r"\n *s2s_\w+_all\([^;]*;(\n *mw_localfree)", r"\1"),
    "a name": (r"s2s_until;", r"s2s_untill;"),
}
INPUTS = {
    "conductance": [m for m in MUTATIONS if "copy" not in m],
    "pagerank": ["a step", "fewer nodelets", "the last sync", "an argument"],
    "bfs": ["a step", "another stride", "the end of read-ahead"],
    "forms": ["another operation", "the nodelet of a copy", "a sync of a nodelet's thread"],
}


# Where to begin: a search's first loop only counts, to choose between two that do the same.
BEGIN = {
    ("bfs", "a step"): "static void s2s_search_4(",
    ("bfs", "another stride"): "cilk_spawn_at(&vertices[s2s_k]) s2s_search_4_home(",
}


def source(name: str) -> Path:
    return PROGRAMS / "forms.c" if name == "forms" else CODES / f"{name}.c"


@cache
def emitted(name: str) -> bytes:
    options = Options(target="emu", of_target=EmuOptions(STEPS, "new"))
    outcome = transform_file(str(source(name)), FLAGS, options)
    assert not [d for d in outcome.diagnostics if d.id == "emu-check"]
    return outcome.text


def checked(name: str, text: bytes, *, execute: bool = True) -> None:
    path = source(name)
    check(SourceBuffer(str(path), path.read_bytes()), FLAGS, text, execute=execute)


@pytest.mark.parametrize("name, what", [(n, m) for n, found in INPUTS.items() for m in found])
def test_a_wrong_step_is_caught(name: str, what: str) -> None:
    pattern, wrong = MUTATIONS[what]
    text = emitted(name).decode()
    first = text.index(BEGIN.get((name, what), ""))
    changed, number = re.subn(pattern, wrong, text[first:], count=1)
    assert number == 1
    with pytest.raises(Mismatch):
        checked(name, (text[:first] + changed).encode())


def test_without_executing_the_text_is_compiled() -> None:
    text = emitted("conductance")
    checked("conductance", text.replace(b"NODELETS()", b"2 + NODELETS()"), execute=False)
    with pytest.raises(Mismatch, match="does not compile"):
        checked("conductance", text.replace(b"cilk_sync;", b"cilk_sync"), execute=False)


FUNCTIONS = "\n" + Path(__file__).with_name("check_functions.c").read_text()
WRONG = {
    "axpy": ["a step", "a bound", "fewer nodelets", "the size of a piece", "the last sync"],
    "rows": ["another operation", "an operand", "a statement"],
    "sums": ["a step", "an argument", "a sync of a nodelet's thread"],
}


@pytest.mark.parametrize("name, what", [(n, m) for n, found in WRONG.items() for m in found])
def test_functions_without_a_program_are_called(name: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "functions.c"
    path.write_text(FUNCTIONS)
    buffer = SourceBuffer(str(path), FUNCTIONS.encode())
    text = functions_emitted()
    first = text.index(f"static void s2s_{name}_1")
    pattern, wrong = MUTATIONS[what]
    changed, number = re.subn(pattern, wrong, text[first:], count=1)
    assert number == 1
    with pytest.raises(Mismatch, match="emitted"):
        check(buffer, FLAGS, (text[:first] + changed).encode(), execute=True)


@cache
def functions_emitted() -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "functions.c"
        path.write_text(FUNCTIONS)
        outcome = transform_file(str(path), FLAGS, Options(target="emu"))
    assert not [d for d in outcome.diagnostics if d.id == "emu-check"]
    return outcome.text.decode()


@pytest.mark.parametrize("seed", range(12))
def test_random_functions_raise_no_false_alarm(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "functions.c"
    path.write_text(functions(Random(seed)))
    steps = STEPS if seed % 2 else ()
    options = Options(target="emu", of_target=EmuOptions(steps, "new"))
    outcome = transform_file(str(path), FLAGS, options)
    assert [d.text for d in outcome.diagnostics if d.id == "emu-check"] == []


@pytest.mark.parametrize("check", [True, False])
def test_promises_are_not_broken_by_what_is_made_up(check: bool, tmp_path: Path) -> None:
    path = tmp_path / "functions.c"
    graph = "#pragma s2s graph vertices(n) out(off, to) in(back, from)\n"
    loop = "cilk_for (long v = 0; v < n; v++)\nfor (long e = back[v]; e < back[v + 1]; e++)\n"
    given = "long n, const long *off, const long *to, const long *back, const long *from"
    path.write_text(f"#include <cilk/cilk.h>\n/* pulls */\nvoid f({given}, long *restrict a,"
                    f" long *restrict b) {{\n{graph}{loop}a[v] += b[from[e]]; }}\n")  # fmt: skip
    outcome = transform_file(str(path), FLAGS, Options(target="emu", check=check))
    said = [d.text for d in outcome.diagnostics if d.id == "emu-check"]
    assert "static void s2s_f_1_home(" in outcome.text.decode()
    assert len(said) == check and all("'#pragma s2s'" in text for text in said)


def test_what_cannot_be_called_is_said(tmp_path: Path) -> None:
    path = tmp_path / "functions.c"
    path.write_text("void f(long n, long *a, long (*g)(long)) {\n#pragma omp parallel for\n"
                    "for (long i = 0; i < n; i++) a[i] = g(i); }\n")  # fmt: skip
    outcome = transform_file(str(path), FLAGS, Options(target="emu"))
    (said,) = [d.text for d in outcome.diagnostics if d.id == "emu-check"]
    assert "1 parallel loop in 'f'" in said and "'g'" in said


LOOP = Path(__file__).with_name("check_loop.c").read_text()


def transformed(folder: Path, body: str, last: str = "") -> list[str]:
    path = folder / "program.c"
    path.write_text(LOOP.replace("BODY", body).replace("LAST", last))
    outcome = transform_file(str(path), FLAGS, Options(target="emu"))
    return [d.text for d in outcome.diagnostics if d.id == "emu-check"]


def test_what_depends_on_the_order_of_iterations_is_not_compared(tmp_path: Path) -> None:
    queue = "long mine;\n#pragma omp atomic capture\nmine = next++;\na[mine] = i;"
    (said,) = transformed(tmp_path, queue)
    assert "depends on the order of iterations" in said
    assert transformed(tmp_path, "a[i] = i * i;") == []


def test_programs_that_change_files_do_not_run(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine")
    (said,) = transformed(tmp_path, "a[i] = i;", f'remove("{kept}");')
    assert "the program calls 'remove'" in said and kept.exists()
    (said,) = transformed(tmp_path, "a[i] = i;", f'fclose(fopen("{kept}", "w"));')
    assert "the program calls 'fopen'" in said and kept.read_text() == "mine"


def test_a_failed_check_writes_nothing_and_ends_with_70(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "program.c", tmp_path / "out.c"
    path.write_text(LOOP.replace("BODY", "a[i] = i;").replace("LAST", ""))
    right = lowering.lower

    def wrong(*given: object) -> lowering.Lowered:
        done = right(*given)  # type: ignore[arg-type]
        text = done.text.replace(b"i += s2s_stride", b"i += 2 * s2s_stride")
        assert text != done.text
        return lowering.Lowered(text, done.diagnostics)

    monkeypatch.setattr(lowering, "lower", wrong)
    command = ["transform", str(path), "--target", "emu", "-o", str(out)]
    assert cli.main([*command, "--", "-fopenmp"]) == 70
    assert not out.exists() and "the emitted program prints" in capsys.readouterr().err
    assert cli.main([*command, "--no-check", "--", "-fopenmp"]) == 0
    assert out.exists()
