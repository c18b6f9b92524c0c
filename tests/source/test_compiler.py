"""Command lines taken apart, and what a parser is told of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from s2s.source import compiler_answers
from s2s.source.compiler import asks_for_openmp, command_line, hears_simd, response_file_text


def languages(command: str) -> dict[str, str | None]:
    return {i.path: i.language for i in command_line(command.split()).inputs}


def test_inputs_by_suffix_and_by_x() -> None:
    found = languages("gcc a.c b.cpp c.o -x c d.txt -x none e.txt -xc++ f.c -x assembler g.s")
    assert found == {
        "a.c": "c",
        "b.cpp": "c++",
        "c.o": None,
        "d.txt": "c",
        "e.txt": None,
        "f.c": "c++",
        "g.s": None,
    }


def test_values_of_options_are_not_inputs() -> None:
    assert languages("gcc -o x.c -I d.c -D e.c -include f.c -MF g.c -Xlinker h.c a.c") == {
        "a.c": "c"
    }


def test_to_the_compiler_of_cxx_all_is_cxx() -> None:
    line = command_line(["g++", "a.c"])
    assert line.flags_for(line.inputs[0]) == ("-x", "c++")


@pytest.mark.parametrize("command", ["gcc a.c -oout", "gcc -o out a.c", "gcc --output=out a.c"])
def test_output_however_it_is_written(command: str) -> None:
    assert command_line(command.split()).last("-o") == "out"


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gcc", True),
        ("/usr/bin/x86_64-linux-gnu-gcc-12", True),
        ("clang-18", True),
        ("mpicc", True),
        ("cc", True),
        ("c++", True),
        ("nvcc", False),
        ("ld", False),
        ("tcc", False),
        ("gfortran", False),
    ],
)
def test_which_compilers_are_known(name: str, known: bool) -> None:
    assert command_line([name, "-c", "a.c"]).is_known_compiler is known


def test_launchers_belong_to_the_compiler() -> None:
    line = command_line(["ccache", "gcc", "-c", "a.c"])
    assert line.compiler == ("ccache", "gcc")
    assert line.arguments == ("-c", "a.c")


def parser_flags(command: str) -> tuple[str, ...]:
    line = command_line(command.split())
    return line.flags_for(next(iter(line.inputs)))


def test_flags_for_a_parser() -> None:
    command = (
        "gcc -O3 -Iinc -I foo -D A=1 -UB -isystem s -iquote q -idirafter d -include cfg.h"
        " -std=gnu11 -fopenmp -ffast-math -fno-signed-zeros -ffp-contract=off -march=native -mavx2"
        " -Wp,-MD,x.d,-DQ -Xpreprocessor -DR -x c file"
    )
    assert " ".join(parser_flags(command)) == (
        "-O3 -Iinc -Ifoo -DA=1 -UB -isystem s -iquote q -idirafter d -include cfg.h"
        " -std=gnu11 -fopenmp -ffast-math -fno-signed-zeros -ffp-contract=off -march=native -mavx2"
        " -DQ -DR -x c"
    )


def test_flags_that_are_no_business_of_a_parser() -> None:
    command = (
        "gcc -c a.c -o a.o -Wall -Werror=shadow -g3 -pipe -MD -MF a.d -MT t -lm -L/lib -Wl,-rpath,x"
        " -fno-tree-vectorize -fipa-pta -fstack-protector -flto -save-temps -shared -static"
        " -mpreferred-stack-boundary=4 -fdiagnostics-color=always b.o"
    )
    assert parser_flags(command) == ()


def test_response_files_are_expanded_as_gcc_does(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.write_text("-DI\n")
    outer.write_text(f'-DA=\'x y\' -DB="q\\"q"\n-DC=a\\ b @{inner} a.c @missing')
    line = command_line(["gcc", f"@{outer}"])
    assert line.arguments == ("-DA=x y", '-DB=q"q', "-DC=a b", "-DI", "a.c", "@missing")
    assert line.from_response_file


def test_response_file_that_includes_itself_ends(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.write_text(f"-DA @{loop}")
    assert "-DA" in command_line(["gcc", f"@{loop}"]).arguments


def test_response_file_round_trip(tmp_path: Path) -> None:
    words = ("-DA=x y", '-DB="q"\'\\', "", "a\nb", "plain")
    path = tmp_path / "words"
    path.write_text(response_file_text(words))
    assert command_line(["gcc", f"@{path}"]).arguments == words


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The compilers that are asked anything, with an empty cache."""
    names: list[str] = []
    real = compiler_answers._ask

    def ask(name: str, question: tuple[str, ...]) -> list[str]:
        names.append(name)
        return real(name, question)

    monkeypatch.setattr(compiler_answers, "_ask", ask)
    monkeypatch.setattr(compiler_answers, "_answers", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return names


def test_builtin_headers_are_found(asked: list[str]) -> None:
    flags = compiler_answers.builtin_include_flags("gcc")
    assert any(os.path.isfile(os.path.join(flag, "stddef.h")) for flag in flags)
    assert any(os.path.isfile(os.path.join(flag, "stdio.h")) for flag in flags)


def test_answers_of_a_compiler_are_kept_on_disk(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiler_answers.builtin_include_flags("gcc")
    monkeypatch.setattr(compiler_answers, "_answers", {})
    assert compiler_answers.builtin_include_flags("gcc") == first
    assert asked.count("gcc") == 1


def test_a_changed_compiler_is_asked_again(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "gcc"
    for date in (1, 2):
        script.write_text('#!/bin/sh\nexec gcc "$@"\n')
        script.chmod(0o755)
        os.utime(script, (date, date))
        monkeypatch.setattr(compiler_answers, "_answers", {})
        compiler_answers.builtin_include_flags(str(script))
    assert asked.count(str(script)) == 2


@pytest.mark.parametrize("home", ["file", "torn"])
def test_a_bad_cache_does_no_harm(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str
) -> None:
    flags = compiler_answers.builtin_include_flags("gcc")
    if home == "file":
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    else:
        for kept in (tmp_path / "cache" / "s2s").iterdir():
            kept.write_text("#include <...> search starts here:\n /nowhere")
    monkeypatch.setattr(compiler_answers, "_answers", {})
    assert compiler_answers.builtin_include_flags("gcc") == flags


def test_a_compiler_that_is_not_there_has_no_headers(asked: list[str]) -> None:
    assert compiler_answers.builtin_include_flags("no-such-compiler") == ()


@pytest.mark.parametrize(
    ("flags", "threads", "simd"),
    [
        ("-O3", False, False),
        ("-fopenmp", True, True),
        ("-fopenmp=libomp", True, True),
        ("-fopenmp -fno-openmp", False, False),
        ("-fopenmp-simd", False, True),
        ("-fopenmp-simd -fno-openmp-simd", False, False),
    ],
)
def test_which_directives_count(flags: str, threads: bool, simd: bool) -> None:
    assert (asks_for_openmp(flags.split()), hears_simd(flags.split())) == (threads, simd)
