"""The same kernel on the host: compiled by g++ with the header of this folder, run, and read back.

A cross-check of everything between the text and the values: the header is another reading of what
the intrinsics do, and g++ another reader of C.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.memory import data_type, decoded, memory_of
from s2s.simulators.aie.preprocess import error
from s2s.simulators.aie.program import CASCADE, Array, Program
from s2s.simulators.aie.reading.read import Modes
from s2s.simulators.aie.values import ScalarType, VectorType
from s2s.source.diagnostics import UserError

if TYPE_CHECKING:
    import numpy as np

    Data = np.ndarray[Any, Any]

INCLUDE = Path(__file__).parent / "include"
SECONDS = 60
ABSENT = "absent"
MOST_ABSENT = 32
_NAMESPACE = re.compile(r"\bnamespace\s+([\w:]+)\s*\{")
_MISSING = re.compile(r"error: ([\w./+-]+): No such file or directory")


def run_on_host(
    program: Program,
    path: str,
    inputs: Mapping[str, Any],
    *,
    defines: Sequence[str] = (),
    modes: Modes = Modes(),  # noqa: B008
) -> dict[str, Data]:
    """What the kernel of the file ``path`` leaves in its arrays, as ``execute`` gives it.

    Raises UserError where g++ is missing or refuses the text, or the program ends badly.
    """
    compiler = shutil.which("g++")
    if compiler is None:
        raise error("no g++ to check the kernel with", path, 1)
    with tempfile.TemporaryDirectory(prefix="s2s-aie-") as folder:
        sizes = {name: one.size for name, one in inputs.items() if hasattr(one, "size")}
        Path(folder, "main.cc").write_text(driver(program, os.path.abspath(path), modes, sizes))
        arrays = _exchanged(program)
        for number, array in enumerate(arrays):
            memory_of(array, inputs.get(array.name)).data.tofile(Path(folder, f"{number}.bin"))
        command = [compiler, "-std=c++17", "-O0", "-w", f"-I{INCLUDE}", "main.cc", "-o", "main"]
        command += [f"-D{define}" for define in defines]
        command += ["-idirafter", ABSENT]
        numbers = [str(inputs[p.name]) for p in program.parameters if not isinstance(p, Array)]
        _compile(command, folder, path)
        _run(["./main", *numbers], folder, path)
        return {
            array.name: _elements(array, Path(folder, f"{number}.bin"))
            for number, array in enumerate(arrays)
        }


def _compile(command: Sequence[str], folder: str, path: str) -> None:
    """Compile; headers that are not there, the vendor's, are empty. Raises UserError."""
    Path(folder, ABSENT).mkdir()
    for _ in range(MOST_ABSENT):
        try:
            _run(command, folder, path)
            return
        except UserError as problem:
            found = _MISSING.search(problem.diagnostics[0].text)
            name = Path(folder, ABSENT, found[1]) if found is not None else None
            if name is None or name.exists() or ".." in name.parts:
                raise
            name.parent.mkdir(parents=True, exist_ok=True)
            name.write_text("")
    _run(command, folder, path)


def _run(words: Sequence[str], folder: str, path: str) -> None:
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise error(f"on the host, it does not end within {SECONDS} seconds", path, 1) from None
    if done.returncode:
        said = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()
        first = next((line for line in said if "error:" in line), said[0])
        raise error(f"on the host: {first}", path, 1)


def _exchanged(program: Program) -> list[Array]:
    """The arrays whose contents go in and come out."""
    parameters = [one for one in program.parameters if isinstance(one, Array)]
    static = [array for array in program.arrays if array.is_static and array.initial is None]
    return [*parameters, *static]


def _elements(array: Array, path: Path) -> Data:
    import numpy as np

    assert isinstance(array.element, ScalarType | VectorType)
    values = decoded(np.fromfile(path, data_type(array.element)))
    return values.reshape(array.extents) if array.extents else values


def driver(
    program: Program,
    path: str,
    modes: Modes = Modes(),  # noqa: B008
    sizes: Mapping[str, int] | None = None,
) -> str:
    """A program that reads the arrays from files ``0.bin``, ... and writes them there again.

    Parameters that are numbers come from its command line. Windows whose elements ``sizes`` has, or
    the program, go around their ends.
    """
    arrays = _exchanged(program)
    lines = [
        '#include "aie_intrinsics.h"',
        "#define main main_of_the_kernel",
        f'#include "{path}"',
        "#undef main",
        *_namespaces(path),
        "#include <type_traits>",
        "struct Any {",
        "    void *at;",
        "    template <class T> operator T *() const { return (T *)at; }",
        "    template <class T, class = std::enable_if_t<std::is_array<T>::value>>",
        "    operator T &() const { return *(T *)at; }",
        "};",
        "template <class W> struct Handed {",
        "    W &it;",
        "    operator W &() const { return it; }",
        "    template <class V> operator V *() const { return &it; }",
        "};",
        "static void *whole(const char *name, void *to, long &size) {",
        '    std::FILE *file = std::fopen(name, "rb");',
        "    std::fseek(file, 0, SEEK_END);",
        "    size = std::ftell(file);",
        "    if (!to) to = std::aligned_alloc(64, (size + 127) / 64 * 64);",
        "    std::rewind(file);",
        "    if (std::fread(to, 1, size, file) != (std::size_t)size) std::exit(2);",
        "    std::fclose(file);",
        "    return to;",
        "}",
        "int main(int, char **arguments) {",
        "    (void)arguments;",
        f"    set_rnd({modes.rounding});",
        f"    {'set_sat' if modes.saturation else 'clr_sat'}();",
        f"    long sizes[{len(arrays) + 1}];",
        f"    void *arrays[{len(arrays) + 1}];",
    ]
    for number, array in enumerate(arrays):
        place = "0" if array.is_parameter else f"(void *)&{array.name}"
        lines.append(f'    arrays[{number}] = whole("{number}.bin", {place}, sizes[{number}]);')
    lines += [f"    {line}" for line in _call(program, arrays, sizes or {})]
    for number in range(len(arrays)):
        lines += [
            f'    std::FILE *file{number} = std::fopen("{number}.bin", "wb");',
            f"    std::fwrite(arrays[{number}], 1, sizes[{number}], file{number});",
            f"    std::fclose(file{number});",
        ]
    return "\n".join([*lines, "    return 0;", "}", ""])


def _namespaces(path: str) -> Iterator[str]:
    """Lines that bring the namespaces of a kernel's file into sight, as far as they are nested."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    for name in dict.fromkeys(_NAMESPACE.findall(text)):
        yield f"using namespace {name};"


def _buffer(window: str) -> str:
    """The type of a window, such that a kernel can take it as a buffer of the graph, too."""
    way, what, kind = window.split("_", 2)
    return f"adf::{way}_buffer<{kind}>" if what == "window" else window


def _call(program: Program, arrays: list[Array], sizes: Mapping[str, int]) -> list[str]:
    lines, words, count = [], [], 0
    for one in program.parameters:
        if not isinstance(one, Array):
            count += 1
            kind = one.value.type
            is_float = isinstance(kind, ScalarType) and kind.is_float
            words.append(f"std::ato{'f' if is_float else 'll'}(arguments[{count}])")
        elif one.window == CASCADE:
            lines.append(f"s2s_aie::{one.name} = (std::int64_t *)arrays[{arrays.index(one)}];")
        elif one.window:
            number = arrays.index(one)
            lines.append(f"{_buffer(one.window)} window{number};")
            lines.append(f"window{number}.ptr = Any{{arrays[{number}]}};")
            size = prod(one.extents) if one.extents else sizes.get(one.name, 0)
            if size and "_window_" in one.window:
                lines.append(f"window{number}.head = window{number}.ptr;")
                lines.append(f"window{number}.size = {size};")
            words.append(f"Handed<decltype(window{number})>{{window{number}}}")
        else:
            words.append(f"Any{{arrays[{arrays.index(one)}]}}")
    return [*lines, f"{program.name}({', '.join(words)});"]
