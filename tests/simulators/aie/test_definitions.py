"""Files with more than a kernel: what the kernel does not reach is not looked at."""

from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.simulators.aie.definitions import definitions, only
from s2s.simulators.aie.reading.read import read
from s2s.source.diagnostics import UserError

_PROGRAMS = Path(__file__).parent / "definitions"

KERNEL = "void k(int16_t *a, int16_t *b) { *(v16int16 *)b = *(v16int16 *)a; }\n"
OTHERS = {
    "templates of the vendor's": "void o(aie::vector<int16, 16> *v) { aie::store_v(v, v[1]); }\n",
    "a variable of such a type": "static aie::vector<int16_t, 16> zeros = {0};\n",
    "what is no C": "template <class T> T twice(T x) { return [&](T y) { return x + y; }(x); }\n",
    "an initializer list": "struct S { int a; } s = {1};\nvoid o() { S t{s.a}; int x{1}; }\n",
    "a jump": "void o(int n) { again: if (n--) goto *&&again; }\n",
    "a test bench": "int main() { std::cout << \"}{\" << a<3>(1) << '{'; return 0; }\n",
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("first", [False, True])
def test_what_the_kernel_does_not_reach_is_not_looked_at(other: str, first: bool) -> None:
    text = OTHERS[other] + KERNEL if first else KERNEL + OTHERS[other]
    program = read(text, "k.cc", function="k")
    assert program.name == "k"
    assert program.line == 1 + first * OTHERS[other].count("\n")


def test_a_test_bench_is_left_out_without_being_asked() -> None:
    assert read(OTHERS["a test bench"] + KERNEL, "k.cc").name == "k"


def test_what_the_kernel_reaches_is_refused_at_its_line() -> None:
    helper = "\n\nstatic void o(int16_t *b) {\n  aie::store_v(b, 1);\n}\n"
    text = helper + "void k(int16_t *a, int16_t *b) { o(b); }\n"
    with pytest.raises(UserError) as refused:
        read(text, "k.cc", function="k")
    said = refused.value.diagnostics[0]
    assert said.location is not None and said.location.line == 4 and "aie::" in said.text


def test_helpers_macros_and_tables_stay() -> None:
    text = (_PROGRAMS / "helpers.c").read_text()
    program = read(text, "k.cc", function="k")
    assert [p.name for p in program.parameters] == ["a", "b"]


def test_items_of_a_text() -> None:
    text = (_PROGRAMS / "items.c").read_text()
    found = [(one.name, one.is_function) for one in definitions(text)]
    assert found[:4] == [("a", False), ("", False), ("load", True), ("late", False)]
    assert found[-1] == ("last", True)
    assert '# 7 "other.h"' in only(text, "last") and "load" not in only(text, "last")


def test_an_unknown_function_is_said() -> None:
    with pytest.raises(UserError, match="there is no function 'nothing'"):
        read(KERNEL, "k.cc", function="nothing")


@pytest.mark.parametrize("name", ["true auto", "std::chess_storage(x)", 'a"b\\c', "& restrict"])
@pytest.mark.parametrize("plain", [True, False])
def test_names_of_files_are_not_rewritten(
    name: str, plain: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "part.h").write_text("static int wrong(int x) { return y; }\n")
    include = "" if plain else '#include "part.h"\n'
    body = "unknown_thing(a)" if plain else "wrong(1)"
    file = folder / "k.cc"
    text = f"{include}void k(int *restrict a) {{ bool b = true; *a = {body}; }}\n"
    file.write_text(text)
    assert cli.main(["simulate", str(file), "--machine", "aie1", "--size", "8"]) == 1
    said = capsys.readouterr().err
    where = f"{file}:1:" if plain else f"{folder / 'part.h'}:1:"
    assert where in said, said
