"""The types of expressions and what is refused, against the real Halide."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from s2s.bench.pipelines.real import wheel
from s2s.frontends.halide.evaluate import evaluate
from s2s.source.diagnostics import UserError
from tests.frontends.halide.expressions_cases import VALUES, cases
from tests.frontends.halide.oracle import header_folder, needs_wheel
from tests.thorough import some

_NAMES = "".join(f"Expr {name} = {value};\n" for name, value in VALUES.items())
_HEAD = '#include "Halide.h"\nusing namespace Halide;\nusing namespace Halide::ConciseCasts;\n'
_PRINT = """
#include <iostream>
static void show(const char *text, Type type) { std::cout << text << "\\t" << type << "\\n"; }
static void refused(const char *text) { std::cout << text << "\\trefused\\n"; }
"""


def _theirs(folder: Path, expressions: list[str]) -> dict[str, str]:
    """What the real Halide says about each expression."""
    root = wheel()
    assert root is not None
    shows = "".join(
        f'try {{ Expr made = {e}; show("{e}", made.type()); }}\n'
        f'catch (const Error &) {{ refused("{e}"); }}\n'
        for e in expressions
    )
    body = f'Var x("x"), y("y"); RDom r(0, 4);\n{_NAMES}{shows}'
    source = folder / "types.cpp"
    source.write_text(f"{_HEAD}{_PRINT}int main() {{\n{body}return 0; }}\n")
    program = folder / "types"
    libraries = root / "lib64"
    command = ["g++", "-std=c++17", "-O0", "-w", f"-I{header_folder()}", str(source)]
    command += [f"-L{libraries}", "-lHalide", f"-Wl,-rpath,{libraries}", "-o", str(program)]
    subprocess.run(command, check=True, timeout=300)
    done = subprocess.run([program], check=True, timeout=60, capture_output=True, text=True)
    return dict(line.split("\t") for line in done.stdout.splitlines())


def _program(statements: str) -> str:
    head = f'{_HEAD}int main() {{\nVar x("x"), y("y"); RDom r(0, 4);\n{_NAMES}'
    return f"{head}{statements}Func end; end(x) = 0; end.realize({{4}}); }}\n"


def _types(path: Path, expressions: list[str]) -> list[str]:
    """Our types of expressions that the real Halide accepts."""
    defined = (f'Func("value_{i}")(x) = {e};\n' for i, e in enumerate(expressions))
    text = _program("".join(defined))
    made = evaluate(str(path), text.encode(), steps=10**7)
    return [str(made.funcs[f"value_{i}"].types[0]) for i in range(len(expressions))]


def _accepted(path: Path, expressions: list[str]) -> Iterator[str]:
    """Which of the expressions are not refused."""
    for expression in expressions:
        try:
            evaluate(str(path), _program(f"Expr v = {expression};\n").encode())
        except UserError:
            continue
        yield expression


def _is_type(text: str) -> bool:
    """Whether it is a type that exists: widening 64 bits gives the real Halide others."""
    return text != "refused" and int(re.sub(r"\D", "", text)) <= 64


_MIXED = re.compile(r"widening_mul\((f.*, [^f].*|[^f].*, f.*)\)")
"""Refused by us; the real Halide gives a type without sense."""


_TOO_WIDE = re.compile(r"mul_shift_right\(\w64_, .*|mul_shift_right\(.*, \w64_, 3\)")
"""The real Halide gives these a type and refuses them when it lowers them; we do at once."""


@needs_wheel
def test_types_of_expressions(tmp_path: Path) -> None:
    skipped = (_MIXED.fullmatch, _TOO_WIDE.fullmatch)
    expressions = some(e for e in cases() if not any(skip(e) for skip in skipped))
    theirs = _theirs(tmp_path, expressions)
    good = [e for e in expressions if _is_type(theirs[e])]
    path = tmp_path / "ours.cpp"
    path.write_text("")
    for expression, ours in zip(good, _types(path, good), strict=True):
        assert ours == re.sub("^uint1$", "bool", theirs[expression]), expression
    assert list(_accepted(path, [e for e in expressions if not _is_type(theirs[e])])) == []
