"""``s2s verify``: each outcome has a program that leads to it, and no other one."""

from __future__ import annotations

import argparse
import json
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from s2s.cli import verify
from s2s.cli.verify import Verdict, judge
from s2s.cli.verify_runs import Plan
from s2s.driver.options import Options, Outcome
from s2s.source.diagnostics import Diagnostic, Severity, UserError

Transform = Callable[[str, Sequence[str], Options], Outcome]

QUICK = Plan(timeout=5.0, threads=(1, 2))


def program(body: str, head: str = "") -> str:
    return f"#include <stdio.h>\n{head}\nint main(int argc, char **argv)\n{{\n  {body}\n}}\n"


def replacing(old: str, new: str) -> Transform:
    def transform(path: str, flags: Sequence[str], options: Options) -> Outcome:
        data = Path(path).read_bytes()
        return Outcome(path, data, data.replace(old.encode(), new.encode()))

    return transform


def failing(error: Exception) -> Transform:
    def transform(path: str, flags: Sequence[str], options: Options) -> Outcome:
        raise error

    return transform


def crashing(path: str, flags: Sequence[str], options: Options) -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write ``a.c`` in a working directory of its own."""
    monkeypatch.chdir(tmp_path)

    def writer(text: str) -> str:
        (tmp_path / "a.c").write_text(text)
        return "a.c"

    return writer


Write = Callable[[str], str]


def judged(file: str, transform: Transform, plan: Plan = QUICK) -> Verdict:
    return judge([file], plan, transform)


def test_same(write: Write) -> None:
    file = write(program('puts("old"+0); return 3;'))
    assert judged(file, replacing('"+0', '"')) == Verdict(file, (1, 2), "same", changed=True)


def test_unchanged_is_the_same_without_a_run(write: Write) -> None:
    file = write(program("for (;;) ;"))
    found = judged(file, replacing("x", "x"))
    assert (found.outcome, found.changed) == ("same", False)
    assert str(found) == "a.c: same (unchanged)"


def test_different_output(write: Write) -> None:
    file = write(program('puts("a"); puts("b"); puts("c"); return 0;'))
    found = judged(file, replacing('"b"', '"x"'))
    assert (found.outcome, found.changed) == ("different", True)
    assert found.detail == "with 1 thread: line 2 of the output: 'b' became 'x'"


def test_output_that_ends_early(write: Write) -> None:
    file = write(program('printf("a\\nb"); return 0;'))
    found = judged(file, replacing("\\nb", ""))
    assert found.detail == "with 1 thread: line 2 of the output: 'b' became nothing"


@pytest.mark.parametrize(
    ("new", "detail"),
    [
        ("return 4;", "exit status 3 became exit status 4"),
        ("__builtin_trap();", "exit status 3 became signal"),
    ],
)
def test_different_exit_status(write: Write, new: str, detail: str) -> None:
    file = write(program("return 3;"))
    found = judged(file, replacing("return 3;", new))
    assert found.outcome == "different"
    assert f"with 1 thread: {detail}" in found.detail


def test_difference_with_one_of_the_numbers_of_threads(write: Write) -> None:
    head = "#include <stdlib.h>"
    body = 'int n = atoi(getenv("OMP_NUM_THREADS")); printf("%d", n > 2 ? 0 : 0); return 0;'
    file = write(program(body, head))
    transform = replacing("n > 2 ? 0", "n > 2 ? 1")
    assert judged(file, transform, Plan(threads=(1, 2))).outcome == "same"
    found = judged(file, transform, Plan(threads=(1, 3)))
    assert found.detail == "with 3 threads: line 1 of the output: '0' became '1'"


def test_openmp_is_on_by_default(write: Write) -> None:
    head = "#include <omp.h>"
    file = write(program('printf("%d", omp_get_max_threads()); return 0;', head))
    changed = replacing("omp_get_max_threads()", "2")
    assert judged(file, changed, Plan(threads=(2,))).outcome == "same"
    assert judged(file, changed, Plan(threads=(1,))).outcome == "different"


UNSTABLE = "#include <sys/time.h>\n#include <unistd.h>"


def test_an_original_that_differs_from_itself_is_unstable(write: Write) -> None:
    body = 'printf("%d", getpid()); return 0;'
    found = judged(write(program(body, UNSTABLE)), replacing("getpid()", "1"))
    assert found.outcome == "unstable"


def test_all_the_runs_asked_for_are_made(write: Write) -> None:
    """The transformed program goes wrong the third time that it is run."""
    body = 'puts("a"); return 0;'
    spoiled = 'FILE *f = fopen("log", "a+"); fputc(1, f); puts(ftell(f) > 2 ? "b" : "a"); return 0;'
    file = write(program(body))
    assert judged(file, replacing(body, spoiled), Plan(threads=(1,), runs=2)).outcome == "same"
    os.unlink("log")
    assert judged(file, replacing(body, spoiled), Plan(threads=(1,), runs=3)).outcome == "different"


def test_transformed_program_that_does_not_end(write: Write) -> None:
    file = write(program("return 0;"))
    found = judged(file, replacing("return 0;", "for (;;) ;"), Plan(timeout=0.3))
    assert found.outcome == "timeout"


def test_original_that_does_not_end_is_not_judged(write: Write) -> None:
    file = write(program("for (;;) ;"))
    found = judged(file, replacing("for (;;) ;", "return 0;"), Plan(timeout=0.3))
    assert (found.outcome, found.detail) == (
        "not-judged",
        "with 1 thread: the original does not end in time",
    )


def test_what_a_program_started_is_stopped_with_it(write: Write, tmp_path: Path) -> None:
    body = 'if (!fork()) { sleep(1); fopen("late", "w"); } for (;;) ;'
    file = write(program(body, "#include <unistd.h>"))
    judged(file, replacing("for (;;) ;", "return 0;"), Plan(timeout=0.2))
    import time

    time.sleep(1.2)
    assert not (tmp_path / "late").exists()


def test_transformed_text_that_does_not_compile(write: Write) -> None:
    found = judged(write(program("return 0;")), replacing("return 0;", "return nothing;"))
    assert found.outcome == "compile-error"
    assert found.detail.startswith("a.c:5:10: error: ")


@pytest.mark.parametrize(
    ("transform", "detail"),
    [
        (
            failing(UserError(Diagnostic(Severity.ERROR, "no way", "syntax"))),
            "a.c: no way",
        ),
        (failing(ValueError("oops")), "a.c: ValueError: oops"),
        (crashing, "the transformer crashed"),
    ],
)
def test_errors_of_the_tool(write: Write, transform: Transform, detail: str) -> None:
    found = judged(write(program("return 0;")), transform)
    assert (found.outcome, found.detail) == ("tool-error", detail)


def test_original_that_does_not_compile_is_not_judged(write: Write) -> None:
    found = judged(write(program("return nothing;")), failing(ValueError()))
    assert found.outcome == "not-judged"
    assert "the original does not compile: a.c:5:10: error" in found.detail


def test_original_that_does_not_link_is_not_judged(write: Write) -> None:
    file = write(program("return missing();", "int missing(void);"))
    found = judged(file, failing(ValueError()))
    assert found.outcome == "not-judged"
    assert "the original does not link" in found.detail
    assert "missing" in found.detail


def test_without_main_both_are_compiled(write: Write) -> None:
    file = write("int f(void) { return 1; }\n")
    found = judged(file, replacing("1", "2"))
    assert (found.outcome, found.changed) == ("not-judged", True)
    assert found.detail == "no main: compiled both, nothing to run"
    assert judged(file, replacing("1", "@")).outcome == "compile-error"


def test_files_given_together_are_one_program(write: Write, tmp_path: Path) -> None:
    file = write(program('printf("%d", f()); return 0;', "int f(void);"))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "near.h").write_text("#define ONE 1\n")
    (tmp_path / "sub" / "b.c").write_text('#include "near.h"\nint f(void) { return ONE; }\n')
    files = [file, "sub/b.c"]
    assert judge(files, QUICK, replacing("ONE;", "ONE + 0;")).outcome == "same"
    assert judge(files, QUICK, replacing("ONE;", "ONE + 1;")).outcome == "different"


def test_floating_point_is_not_contracted(write: Write) -> None:
    """With contraction the two forms of one expression differ where the machine has FMA."""
    body = 'volatile double x = 1.1; double a = x; printf("%a", a * a - 1.21); return 0;'
    file = write(program(body))
    split = replacing("a * a - 1.21", "({ volatile double p = a * a; p - 1.21; })")
    plan = Plan(flags=("-O2", "-march=native", "-ffp-contract=fast"), threads=(1,))
    assert judged(file, split, plan).outcome == "same"


def test_arguments_of_the_program(write: Write) -> None:
    file = write(program("return argc - 3 + 0;"))
    plan = Plan(arguments=("a", "b"), threads=(1,))
    assert judged(file, replacing("- 3 + 0", "* 0"), plan).outcome == "same"


def test_sanitizers(write: Write) -> None:
    body = "int a[4] = {0}; int i = argc + 2; return a[i + 0];"
    file = write(program(body))
    overflow = replacing("a[i + 0]", "(a[i + 2], 0)")
    assert judged(file, overflow).outcome == "same"
    plan = Plan(sanitize="address,undefined", threads=(1,))
    found = judged(file, overflow, plan)
    assert (found.outcome, "of sanitizers" in found.detail) == ("different", True)


def test_an_original_that_sanitizers_object_to_is_not_judged(write: Write) -> None:
    file = write(program("int a[4] = {0}; int i = argc + 4; return (a[i], 0 + 0);"))
    plan = Plan(sanitize="undefined", threads=(1,))
    assert judged(file, replacing("0 + 0", "0"), plan).outcome == "not-judged"


def test_threads_of_gcc_cannot_be_sanitized(write: Write) -> None:
    file = write(program("return 0;"))
    with pytest.raises(UserError, match="--cc clang"):
        verify.run([file], Plan(sanitize="thread"))


# The command.


def command(*words: str, cflags: Sequence[str] = ()) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    verify.add_arguments(parser)
    args = parser.parse_args(words)
    args.cflags = list(cflags)
    return args


def test_one_line_for_each_program_of_a_directory(
    write: Write, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write(program("return 0;"))
    (tmp_path / "b.c").write_text(program("return nothing;"))
    (tmp_path / "c.txt").write_text("")
    log = tmp_path / "log"
    transform = replacing("return 0;", "return 0 ;")
    assert verify.run(["."], QUICK, json_path=str(log), transform=transform) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "./a.c: same"
    assert lines[1].startswith("./b.c: not-judged (the original does not compile")
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert records[0] == {
        "file": "./a.c",
        "threads": [1, 2],
        "outcome": "same",
        "changed": True,
        "detail": "",
    }
    assert records[1]["outcome"] == "not-judged"


def test_exit_status(write: Write) -> None:
    file = write(program("return 0;"))
    assert verify.run([file], QUICK, transform=replacing("return 0;", "return 0 ;")) == 0
    assert verify.run([file], QUICK, transform=replacing("return 0;", "return 1;")) == 1


def test_flags_after_the_dashes_reach_the_compiler(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write("#ifndef N\n#error no N\n#endif\n" + program("return N - 5;"))
    args = command(file, "--threads", "1", "--args", "'a b' c", cflags=["-DN=5"])
    assert verify.main(args) == 0
    assert verify.main(command(file, "--threads", "1")) == 1
    assert "error: #error no N" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["missing.c"], ["empty"]])
def test_files_that_are_not_there(write: Write, tmp_path: Path, words: list[str]) -> None:
    write("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=words[0]):
        verify.main(command(*words))


def test_a_compiler_that_is_not_there(write: Write) -> None:
    file = write(program("return 0;"))
    with pytest.raises(UserError, match="no-such-gcc"):
        verify.main(command(file, "--cc", "no-such-gcc"))


@pytest.mark.parametrize("words", [["--threads", "0"], ["--threads", "1,x"], ["--runs", "0"]])
def test_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command("a.c", *words)
    assert ended.value.code == 2
