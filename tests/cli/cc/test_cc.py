"""``s2s cc`` against the compiler alone: what a build relies on is the same."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

_PROGRAMS = Path(__file__).parent / "sources"

if TYPE_CHECKING:
    from tests.cli.cc.conftest import Workplace

MAIN = (_PROGRAMS / "prints_its_lines.c").read_text()


Recorder = Callable[[int], str]

CHANGED, UNCHANGED = "2", "1"


def built_with(place: Workplace, program: str = "a.out") -> str:
    """Whether the transformed text or the original is in a program."""
    return place.run(f"./{program}").stdout.split()[0]


def fields_after_value(place: Workplace, program: str) -> str:
    return place.run(f"./{program}").stdout.partition(" ")[2]


def links_with_openmp(place: Workplace, compiler: str) -> bool:
    """Whether programs with OpenMP can be linked: the library is a package of its own."""
    place.write(empty_c="int main(void) { return 0; }\n")
    return place.run(compiler, "-fopenmp", "empty.c", "-o", "empty").returncode == 0


# The transformed text is what is compiled.


def test_the_transformed_text_is_compiled(place: Workplace, compiler: str) -> None:
    place.write(a_c=MAIN)
    done = place.cc(f"{compiler} a.c")
    assert (done.returncode, done.stdout) == (0, "")
    assert built_with(place) == CHANGED


def test_the_text_is_for_the_compiler_that_compiles_it(place: Workplace, compiler: str) -> None:
    place.write(a_c=MAIN)
    place.cc(f"{compiler} -c a.c", FAKE="compiler")
    assert (place.path / "compiler").read_text() == f"{compiler}\n"


@pytest.mark.parametrize("source", ["a.c", "./a.c", "sub/a.c", "sub/../sub/a.c", "{}/sub/a.c"])
def test_file_and_line_macros(place: Workplace, compiler: str, source: str) -> None:
    place.write(a_c=MAIN, sub__a_c=MAIN)
    path = source.format(place.path)
    place.run(*f"{compiler} -g -c {path} -o plain.o".split())
    place.run(*f"{compiler} plain.o -o plain".split())
    place.cc(f"{compiler} -g -c {path} -o ours.o")
    place.run(*f"{compiler} ours.o -o ours".split())
    assert built_with(place, "ours") == CHANGED
    assert fields_after_value(place, "ours") == fields_after_value(place, "plain")


def test_warnings_point_to_the_users_lines(place: Workplace, compiler: str) -> None:
    place.write(sub__a_c=MAIN)
    plain = place.run(*f"{compiler} -Wall sub/a.c".split())
    ours = place.cc(f"{compiler} -Wall sub/a.c")
    assert built_with(place) == CHANGED
    assert "sub/a.c:6:7: warning: unused variable" in plain.stderr
    assert ours.stderr == plain.stderr


@pytest.mark.parametrize("source", ["a.c", "sub/a.c"])
def test_debug_information_names_the_original(place: Workplace, compiler: str, source: str) -> None:
    place.write(a_c=MAIN, sub__a_c=MAIN)

    def names(program: str) -> list[str]:
        info = place.run("readelf", "--debug-dump=info", program).stdout
        return re.findall(r"DW_AT_(?:name|comp_dir) .*: (.*)", info)[:2]

    place.run(*f"{compiler} -g -c {source} -o plain.o".split())
    place.cc(f"{compiler} -g -c {source} -o ours.o")
    assert names("ours.o") == names("plain.o")
    assert source in names("ours.o")
    lines = place.run("readelf", "--debug-dump=decodedline", "ours.o").stdout
    assert re.search(r"^a\.c +8 ", lines, re.M)
    assert b"s2s-" not in (place.path / "ours.o").read_bytes()


def test_the_users_own_prefix_maps_hold(place: Workplace) -> None:
    place.write(sub__a_c=MAIN)
    source = place.path / "sub" / "a.c"
    place.cc(f"gcc -g -ffile-prefix-map={source.parent}=/src {source}")
    assert built_with(place) == CHANGED
    assert fields_after_value(place, "a.out") == "/src/a.c /src/a.c 7\n"
    assert str(source.parent).encode() not in (place.path / "a.out").read_bytes()


def test_a_prefix_map_that_covers_temporary_files_keeps_the_original(place: Workplace) -> None:
    place.write(a_c=MAIN)
    assert place.cc(f"gcc -ffile-prefix-map={place.path}=/src {place.path}/a.c").returncode == 0
    assert fields_after_value(place, "a.out") == "/src/a.c /src/a.c 7\n"


# Dependency files and other outputs.


@pytest.mark.parametrize(
    ("options", "dependencies"),
    [
        ("-c -MD {} -o out/o.o", "out/o.d"),
        ("-c -MMD -MP {} -o out/o.o", "out/o.d"),
        ("-c -MD {}", "a.d"),
        ("-c -MMD -MF deps {}", "deps"),
        ("-c -MD -MT some -MT target -MFdeps {}", "deps"),
        ("-c -Wp,-MMD,deps {} -o out/o.o", "deps"),
        ("-c -Wp,-MD,deps -Wp,-MT,t {}", "deps"),
    ],
)
@pytest.mark.parametrize("source", ["a.c", "{}/sub/a.c"])
def test_dependency_files(
    place: Workplace, compiler: str, options: str, dependencies: str, source: str
) -> None:
    main = '#include "near.h"\n' + MAIN
    place.write(a_c=main, near_h="", sub__a_c=main, sub__near_h="", out__keep_txt="")
    file = place.path / dependencies
    command = f"{compiler} {options.format(source.format(place.path))}"
    assert place.run(*command.split()).returncode == 0
    plain = file.read_text().replace("\\\n", " ").split()
    file.unlink()
    place.cc(command)
    assert place.run(compiler, "out/o.o" if "out" in options else "a.o").returncode == 0
    assert built_with(place) == CHANGED
    assert file.read_text().replace("\\\n", " ").split() == plain


def test_a_name_with_odd_characters_in_a_dependency_file(place: Workplace) -> None:
    (place.path / "o$d.c").write_text(MAIN)
    place.cc("gcc -MMD -MF deps o$d.c")
    assert built_with(place) == CHANGED
    assert "o$$d.c" in (place.path / "deps").read_text().split()


def test_default_names_of_objects(place: Workplace, compiler: str) -> None:
    place.write(sub__a_c=MAIN, b_c=MAIN.replace("main", "other"))
    place.cc(f"{compiler} -c sub/a.c b.c")
    place.run(compiler, "a.o", "b.o")
    assert built_with(place) == CHANGED


def test_assembly(place: Workplace, compiler: str) -> None:
    place.write(a_c=MAIN)
    place.cc(f"{compiler} -S a.c")
    place.run(compiler, "a.s")
    assert built_with(place) == CHANGED


def test_several_sources_and_objects_are_linked(place: Workplace, compiler: str) -> None:
    place.write(
        x__a_c='#include "only_x.h"\nint g(void);\n'
        + MAIN.replace("%d %s", "%d %d %s").replace("value,", "value, g(),"),
        x__only__x_h="",
        b_c=(_PROGRAMS / "calls_another.c").read_text(),
        c_c="int h(void) { return 10; }\n",
    )
    (place.path / "x" / "only").rename(place.path / "only")
    (place.path / "x" / "only_x.h").write_text("")
    place.run(compiler, "-c", "c.c")
    place.cc(f"{compiler} -Wall x/a.c c.o b.c -o prog -lm")
    assert place.run("./prog").stdout.split()[:2] == ["2", "12"]


def test_cxx_by_suffix_and_by_compiler(place: Workplace) -> None:
    place.write(a_cpp="#include <vector>\n" + MAIN, b_c="#include <vector>\n" + MAIN)
    for source in ("a.cpp", "b.c"):
        assert place.cc(f"g++ {source}").returncode == 0
        assert built_with(place) == CHANGED


def test_language_said_on_the_command_line(place: Workplace) -> None:
    place.write(a_txt=MAIN)
    assert place.cc("gcc -x c a.txt -x none").returncode == 0
    assert built_with(place) == CHANGED


# Headers.


def test_includes_beside_the_source_come_first(place: Workplace, compiler: str) -> None:
    header = 'static const char *where = "%s " __FILE__;\n'
    source = '#include "h.h"\n' + MAIN.replace('"%d %s', '"%d %s %s').replace(
        "value,", "value, where,"
    )
    place.write(
        sub__a_c=source, sub__h_h=header % "near", inc__h_h=header % "far", h_h=header % "cwd"
    )
    for name, option in (("plain", ""), ("ours", "-iquote inc -Iinc ")):
        place.write(**{f"{name}_txt": ""})
        command = f"{compiler} {option}sub/a.c -o {name}"
        (place.cc(command) if name == "ours" else place.run(*command.split()))
    assert built_with(place, "ours") == CHANGED
    assert "near sub/h.h" in fields_after_value(place, "ours")
    assert fields_after_value(place, "ours") == fields_after_value(place, "plain")


def test_name_of_a_header_in_the_working_directory(place: Workplace, compiler: str) -> None:
    place.write(
        h_h="static const char *where = __FILE__;\n",
        a_c='#include "h.h"\n' + MAIN.replace("value, __FILE__", "value, where"),
    )
    place.cc(f"{compiler} a.c")
    assert built_with(place) == CHANGED
    assert fields_after_value(place, "a.out").startswith("h.h a.c ")


def test_original_is_compiled_where_other_headers_would_be_found(
    place: Workplace, compiler: str
) -> None:
    """``inc/outer.h`` means ``cfg/which.h``, and never the one beside the source."""
    place.write(
        sub__a_c='#include "which.h"\n#include "outer.h"\n' + MAIN,
        sub__which_h="",
        inc__outer_h='#include "which.h"\n#ifndef RIGHT\n#error wrong header\n#endif\n',
        cfg__which_h="#define RIGHT\n",
    )
    done = place.cc(f"{compiler} -Iinc -Icfg sub/a.c")
    assert done.returncode == 0
    assert done.stderr == (
        "s2s cc: sub/a.c: the original text is compiled: "
        "the transformed text would include other headers\n"
    )
    assert built_with(place) == UNCHANGED


def test_include_next(place: Workplace, compiler: str) -> None:
    place.write(
        sub__a_c='#include "h.h"\n' + MAIN.replace("value,", "value * FACTOR,"),
        sub__h_h="#include_next <h.h>\n",
        inc__h_h="#define FACTOR 10\n",
    )
    assert place.cc(f"{compiler} -Iinc sub/a.c").returncode == 0
    assert built_with(place) == "20"


def test_a_source_that_includes_itself_stays(place: Workplace) -> None:
    place.write(a_c=f'#ifndef ONCE\n#define ONCE\n#include "a.c"\n#else\n{MAIN}\n#endif\n')
    assert place.cc("gcc a.c").returncode == 0
    assert built_with(place) == UNCHANGED


# Calls that are not for us.


def test_unchanged_sources_leave_the_command_as_it_is(place: Workplace, recorder: Recorder) -> None:
    place.write(a_c=MAIN, words_txt="-DA='x y'")
    command = f"{recorder(7)} -weird --unknown=1 @words.txt -O3 a.c -o out"
    assert place.cc(command, FAKE="nothing").returncode == 7
    assert (place.path / "called").read_text().splitlines() == command.split()[1:]


@pytest.mark.parametrize(
    "arguments",
    [
        "-E a.c",
        "-M a.c",
        "-MM -MF deps a.c",
        "-fsyntax-only a.c",
        "--coverage -c a.c",
        "-fprofile-generate -c a.c",
        "-c a.c -",
        "-x c-header a.c -o a.h.gch",
        "a.c -o a.gch",
        "-print-search-dirs",
        "-c missing.c",
        "-c a.s",
        "-x assembler a.c",
        "a.o -o prog",
        "@no-such-file",
        "-o",
    ],
)
def test_commands_that_stay_as_they_are(
    place: Workplace, recorder: Recorder, arguments: str
) -> None:
    place.write(a_c=MAIN, a_s="")
    command = f"{recorder(0)} {arguments}"
    place.cc(command, FAKE="flags")
    assert (place.path / "called").read_text().splitlines() == arguments.split()
    assert not (place.path / "flags").exists()


def test_switched_off(place: Workplace, recorder: Recorder) -> None:
    place.write(a_c=MAIN)
    place.cc(f"{recorder(0)} -c a.c", S2S_DISABLE="1")
    assert (place.path / "called").read_text() == "-c\na.c\n"


def test_standard_input_reaches_the_compiler(place: Workplace, compiler: str) -> None:
    assert place.cc(f"{compiler} -x c -", stdin=MAIN).returncode == 0
    assert built_with(place) == UNCHANGED


def test_flags_reach_the_transformation(place: Workplace) -> None:
    place.write(a_c=MAIN)
    place.cc("gcc -O0 -fopenmp -ffast-math -Iinc -DN=3 -Wall -c a.c -o a.o", FAKE="flags")
    flags = (place.path / "flags").read_text()
    assert flags == "-O0 -fopenmp -ffast-math -Iinc -DN=3\n"


def test_response_file(place: Workplace, compiler: str) -> None:
    place.write(a_c=MAIN, words_txt="-DQ='a b' a.c\n-o prog")
    assert place.cc(f"{compiler} @words.txt").returncode == 0
    assert built_with(place, "prog") == CHANGED


@pytest.mark.parametrize("own", ["", "#pragma omp simd\n", "-fopenmp", "-fno-openmp-simd"])
def test_new_simd_loops_are_heard_without_a_warning(
    place: Workplace, compiler: str, own: str
) -> None:
    flags = own if own.startswith("-") else ""
    if flags == "-fopenmp" and not links_with_openmp(place, compiler):
        pytest.skip(f"{compiler} has no OpenMP library here")
    loop = "" if flags else f"{own}for (int i = 0; i < 1; i++) ;\n"
    place.write(a_c=MAIN.replace("int unused;", loop))
    done = place.cc(f"{compiler} {flags} -Wall -Wno-misleading-indentation a.c", FAKE="simd")
    assert (done.returncode, built_with(place)) == (0, CHANGED)
    silent = own in ("", "-fopenmp")
    assert ("-Wunknown-pragmas" in done.stderr) is not silent or compiler != "gcc"


# Failures.


FAILURES = {
    "user": "not transformed: ",
    "internal": "internal error: ZeroDivisionError()",
    "abort": "the transformer did not end well",
    "broken": "the original text is compiled: the transformed text does not compile (",
    "region": "internal error: no reason; left as it was (and 1 more)",
}


@pytest.mark.parametrize(("fake", "why"), FAILURES.items())
def test_whatever_fails_the_original_is_compiled_with_a_word(
    place: Workplace, fake: str, why: str
) -> None:
    place.write(a_c=MAIN)
    done = place.cc("gcc -MMD a.c", FAKE=fake)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"s2s cc: a.c: {why}")
    assert done.stderr.count("\n") == 1
    assert built_with(place) == UNCHANGED
    assert place.left_behind() == []


def test_an_error_of_the_users_own_is_no_failure_of_the_transformed_text(place: Workplace) -> None:
    place.write(a_c=MAIN, b_c="int f(void) { return nothing; }\n")
    done = place.cc("gcc -c a.c b.c")
    assert done.returncode == 1
    assert "nothing" in done.stderr
    assert "s2s" not in done.stderr


def test_errors_of_the_user_are_the_compilers(place: Workplace, compiler: str) -> None:
    place.write(a_c=MAIN.replace("return 0;", "return nothing;"))
    plain = place.run(compiler, "-c", "a.c")
    ours = place.cc(f"{compiler} -c a.c")
    assert ours.stderr == plain.stderr != ""
    assert ours.returncode == plain.returncode == 1


def test_temporary_directory_that_cannot_be_made(place: Workplace) -> None:
    place.write(a_c=MAIN)
    (place.path / ".tmp").rmdir()
    (place.path / ".tmp").write_text("")
    wrapper = place.wrapper.split()
    environment = place.environment(TMP="/proc/none", TEMP="/proc/none")
    script = "import tempfile, sys, runpy; tempfile._candidate_tempdir_list = lambda: ['/proc'];"
    script += "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])"
    done = subprocess.run(
        [wrapper[0], "-c", script, wrapper[1], "gcc", "a.c"], cwd=place.path, env=environment
    )
    assert done.returncode == 0
    assert built_with(place) == UNCHANGED


def test_a_compiler_that_is_not_there(place: Workplace) -> None:
    place.write(a_c=MAIN)
    done = place.cc("no-such-gcc -c a.c")
    assert done.returncode == 127
    assert done.stderr == "s2s cc: no-such-gcc: No such file or directory\n"


def test_a_compiler_that_cannot_be_run(place: Workplace) -> None:
    place.write(gcc_txt="")
    assert place.cc("./gcc.txt -c a.c").returncode == 126


def test_a_compiler_that_is_killed(place: Workplace) -> None:
    place.write(a_c=MAIN, bin__gcc_sh="#!/bin/sh\nkill -SEGV $$\n")
    script = place.path / "bin" / "gcc"
    (place.path / "bin" / "gcc.sh").rename(script)
    script.chmod(0o755)
    assert place.cc(f"{script} -c a.c").returncode == -signal.SIGSEGV


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_compiler_and_leaves_nothing(
    place: Workplace, number: signal.Signals
) -> None:
    place.write(a_c=MAIN)
    script = place.path / "bin" / "gcc"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho $$ > started\nexec sleep 50\n")
    script.chmod(0o755)
    wrapper = [*place.wrapper.split(), str(script), "-c", "a.c"]
    # A job in the background of a script has SIGINT ignored, and so would its children.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        process = subprocess.Popen(wrapper, cwd=place.path, env=place.environment())
    finally:
        signal.signal(number, before)
    started = place.path / "started"
    for _ in range(500):
        if started.exists() and started.read_text():
            break
        time.sleep(0.02)
    assert place.left_behind() != []
    process.send_signal(number)
    assert process.wait(20) == -number
    assert place.left_behind() == []
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


def test_nothing_is_left_behind(place: Workplace) -> None:
    place.write(a_c=MAIN)
    place.cc("gcc a.c")
    assert built_with(place) == CHANGED
    assert place.left_behind() == []


# Our own options.


def test_no_command(place: Workplace) -> None:
    done = place.cc("", own=["--strict"])
    assert done.returncode == 2
    assert done.stderr.startswith("usage: s2s cc")


def test_unknown_option(place: Workplace) -> None:
    assert place.cc("gcc -c a.c", own=["--nonsense"]).returncode == 2


def test_remarks_on_demand(place: Workplace) -> None:
    place.write(a_c=MAIN)
    for done in (
        place.cc("gcc a.c", own=["--remarks=text"]),
        place.cc("gcc a.c", S2S_REMARKS="text"),
    ):
        assert done.stderr == "s2s: remark: rewritten [fake]\n"
    assert place.cc("gcc a.c").stderr == ""


def test_remarks_say_why_the_original_is_compiled(place: Workplace) -> None:
    place.write(a_c=MAIN)
    said = place.cc("gcc a.c", own=["--remarks=text"], FAKE="broken").stderr
    assert "s2s cc: a.c: the original text is compiled: " in said


def test_required_change(place: Workplace) -> None:
    place.write(a_c=MAIN)
    assert place.cc("gcc a.c", own=["--require-change"], FAKE="nothing").returncode == 3
    assert built_with(place) == UNCHANGED
    assert place.cc("gcc a.c", own=["--require-change"]).returncode == 0
    assert place.cc("gcc -c none.c", own=["--require-change"]).returncode == 1


@pytest.mark.parametrize(("fake", "status"), [("internal", 70), ("abort", 70), ("user", 0)])
def test_strict(place: Workplace, fake: str, status: int) -> None:
    place.write(a_c=MAIN)
    assert place.cc("gcc a.c", own=["--strict"], FAKE=fake).returncode == status


def test_sarif(place: Workplace) -> None:
    place.write(a_c=MAIN)
    place.cc("gcc a.c", own=["--sarif", "log.json"])
    assert '"ruleId": "fake"' in (place.path / "log.json").read_text()


def test_a_call_that_is_passed_on_imports_nothing_heavy(place: Workplace) -> None:
    script = (
        "import sys; from s2s.cli import cc;"
        "cc.run(['gcc', '-c', 'a.o'], execute=lambda command: 0);"
        "print(*{'clang', 'islpy', 'numpy', 's2s.driver.transform', 'argparse', 'subprocess',"
        " 'tempfile'}"
        " & set(sys.modules))"
    )
    done = place.run(sys.executable, "-c", script)
    assert (done.returncode, done.stdout.strip()) == (0, "")
