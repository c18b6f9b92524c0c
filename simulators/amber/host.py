"""The program around a design: the host runs the array for each of its tiles.

``host.c`` is compiled and run twice. The first time its calls of the accelerator only say what the
array is given; the array runs these tiles; the second time the calls give what it gave.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.compile import work_folder
from s2s.simulators.amber.problems import problem
from s2s.source.reading import read_source
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    from s2s.simulators.amber.beside import Beside
    from s2s.simulators.amber.execute import Execution, Run
    from s2s.source.clockwork.programs import Program

    Values = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Array:
    """An argument of the host's function (a scalar has no extents) or a stream of the accelerator.

    ``extents`` outermost dimension first.
    """

    name: str
    type: str
    output: bool
    extents: tuple[int, ...] | None
    input: bool = False
    """Whether an output is read, too."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Elements as they lie in memory; those of bfloat16 are patterns of bits."""
        import numpy as np

        return np.dtype({"bool": "bool", "bfloat16": "uint16"}.get(self.type, self.type))

    @property
    def count(self) -> int:
        return prod(self.extents or ())


@dataclass(frozen=True)
class Host:
    """The program around a design: its C file, and how its functions are called."""

    path: str
    function: str
    accelerator: str
    arguments: tuple[Array, ...]
    streams: tuple[Array, ...]

    def named(self, output: bool) -> tuple[str, ...]:
        """Names of the arguments that are written, or of those that are read."""
        if output:
            return tuple(a.name for a in self.arguments if a.output)
        return tuple(a.name for a in self.arguments if a.input or not a.output)


def whole_program(design: str, args: argparse.Namespace, program: Program) -> Host | None:
    """The program of the host, if files are given and they are not those of single streams.

    Raises UserError where an argument's size is not known.
    """
    path = Path(design).with_name("host.json")
    if not path.is_file() or not (args.input or args.output):
        return None
    streams = {s for n in (*program.inputs, *program.outputs) for s in (n, _short(n))}
    host = read_host(path)
    own = {argument.name for argument in host.arguments}
    named = {word.partition("=")[0] for word in (*args.input, *args.output) if "=" in word}
    if named & (streams - own):
        return None
    return host


def _short(stream: str) -> str:
    return stream.removesuffix("_stencil")


def read_host(path: Path) -> Host:
    try:
        table = json.loads(read_source(str(path)))
        arguments, streams = (tuple(map(_array, table[key])) for key in ("arguments", "streams"))
        name = str(path.with_suffix(".c"))
        return Host(name, table["function"], table["accelerator"], arguments, streams)
    except (ValueError, KeyError, TypeError) as error:
        raise problem(f"{path}: does not describe a host's program: {error}") from None


def _array(row: Mapping[str, Any]) -> Array:
    extents = row.get("extents")
    if extents is not None and not all(isinstance(e, int) for e in extents):
        raise problem(f"the size of '{row['name']}' is not known: transform with --size")
    extents = None if extents is None else tuple(extents)
    return Array(row["name"], row["type"], row["output"], extents, bool(row.get("input")))


def run_tiles(
    host: Host, run: Run | Beside, args: argparse.Namespace, trace: int = 0
) -> Iterator[Execution]:
    """Each run of the array; in the end the outputs are written. Raises UserError."""
    from s2s.simulators.amber.data import check_output, named_files

    outputs = named_files(args.output, host.named(output=True), "output")
    for file in outputs.values():
        check_output(file)
    with work_folder() as folder:
        process = _Process(host, folder)
        process.give(named_files(args.input, host.named(output=False), "input"), args.seed)
        for number, tile in enumerate(process.tiles()):
            execution = run(
                stream_words(host, run.program, tile),
                check=not args.no_check,
                trace=0 if number else trace,
            )
            process.take(stream_elements(host, run.program, execution.words))
            yield execution
        process.finish()
        for argument, file in outputs.items():
            process.write(argument, file)


class _Process:
    """The host's program, and files for its arrays and streams."""

    def __init__(self, host: Host, folder: Path) -> None:
        self._host, self._folder = host, folder
        driver = folder / "driver.c"
        driver.write_text(_driver(host))
        if shutil.which("gcc") is None:
            raise problem("cannot run 'gcc': the host's program needs a C compiler")
        command = ["gcc", "-std=gnu11", "-O1", "-w", str(driver), "-lm", "-o", str(folder / "host")]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if done.returncode:
            first = next((s for s in done.stderr.splitlines() if "error" in s), done.stderr)
            raise problem(f"{host.path}: gcc refuses the host's program: {first}")
        self._taken: list[bytes] = []

    def give(self, files: Mapping[str, str], seed: int) -> None:
        """Write the arguments, made up where no file has them."""
        import numpy as np

        for argument in self._host.arguments:
            if argument.extents is None:
                values = _scalar(argument, files)
            elif argument.output and not argument.input:
                values = np.zeros(argument.extents, argument.dtype)
            elif argument.name in files:
                values = _of_file(argument, files[argument.name])
            else:
                values = _made_up(argument, seed)
            values.tofile(self._folder / f"{argument.name}.array")

    def tiles(self) -> Iterator[list[Values]]:
        """The elements of each tile's input streams."""
        import numpy as np

        self._call("record")
        data = (self._folder / "given").read_bytes()
        at = 0
        while at < len(data):
            at += 1
            tile = []
            for stream in self._host.streams:
                if not stream.output:
                    values = np.frombuffer(data, stream.dtype, stream.count, at)
                    tile.append(values.reshape(stream.extents or ()))
                    at += values.nbytes
            yield tile

    def take(self, elements: Sequence[Values]) -> None:
        """Keep the elements of a tile's output streams."""
        self._taken += [each.tobytes() for each in elements]

    def finish(self) -> None:
        """Run the program with what the array gave."""
        (self._folder / "taken").write_bytes(b"".join(self._taken))
        self._call("replay")

    def write(self, name: str, path: str) -> None:
        """Write an output to a user's file."""
        import numpy as np

        from s2s.simulators.amber.data import write

        argument = next(a for a in self._host.arguments if a.name == name)
        values = np.fromfile(self._folder / f"{name}.array", argument.dtype)
        write(path, values.reshape(argument.extents or ()))

    def _call(self, mode: str) -> None:
        done = subprocess.run([str(self._folder / "host"), mode], cwd=self._folder)
        if done.returncode:
            raise problem(f"{self._host.path}: the host's program ends with {done.returncode}")


def _driver(host: Host) -> str:
    """A C file that calls the host's function with arrays of files."""
    text = [f'#include "{Path(host.path).resolve()}"', "#include <stdio.h>", "#include <string.h>"]
    text += ["static FILE *s2s_given, *s2s_taken;", ""]
    # A byte for each call: an accelerator may take no streams.
    parameters, body = [], ["    if (s2s_given) fputc(0, s2s_given);"]
    for stream in host.streams:
        kind = c_type(stream)
        parameters.append(f"{'' if stream.output else 'const '}{kind} *{stream.name}")
        size = f"sizeof({kind}), {stream.count}"
        if stream.output:
            got = f"fread({stream.name}, {size}, s2s_taken) == {stream.count}"
            body.append(f"    if (!s2s_taken || !({got}))")
            body.append(f"        memset({stream.name}, 0, sizeof({kind}) * {stream.count});")
        else:
            body.append(f"    if (s2s_given) fwrite({stream.name}, {size}, s2s_given);")
    text += [f"void {host.accelerator}({', '.join(parameters)})", "{", *body, "}", ""]
    text += [_ARRAYS, "int main(int count, char **words)", "{"]
    text.append('    if (!strcmp(words[1], "record")) s2s_given = fopen("given", "wb");')
    text.append('    else s2s_taken = fopen("taken", "rb");')
    names = []
    for argument in host.arguments:
        kind = c_type(argument)
        got = f's2s_read("{argument.name}.array", sizeof({kind}) * {argument.count})'
        text.append(f"    {kind} *s2s_{argument.name} = {got};")
        scalar = "*" if argument.extents is None else ""
        names.append(f"{scalar}s2s_{argument.name}")
    text.append(f"    int s2s_status = {host.function}({', '.join(names)});")
    text += [
        f'    s2s_write("{a.name}.array", s2s_{a.name}, sizeof({c_type(a)}) * {a.count});'
        for a in host.arguments
        if a.output
    ]
    return "\n".join([*text, "    return s2s_status;", "}", ""])


_ARRAYS = """static void *s2s_read(const char *name, size_t size)
{
    void *array = malloc(size + 1);
    FILE *file = fopen(name, "rb");
    if (!array || !file || fread(array, 1, size, file) != size)
        exit(99);
    fclose(file);
    return array;
}

static void s2s_write(const char *name, const void *array, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(array, 1, size, file) != size || fclose(file))
        exit(99);
}
"""


def c_type(array: Array) -> str:
    kind = array.type
    if kind.startswith(("int", "uint")):
        return f"{kind}_t"
    return {"bool": "bool", "float32": "float", "float64": "double"}.get(kind, "uint16_t")


def _scalar(argument: Array, files: Mapping[str, str]) -> Values:
    import numpy as np

    if argument.name not in files:
        raise problem(f"say which value '{argument.name}' has: --input {argument.name}=NUMBER")
    try:
        return np.array([float(files[argument.name])]).astype(argument.dtype)
    except ValueError:
        raise problem(f"'{files[argument.name]}' is no value for '{argument.name}'") from None


def _of_file(argument: Array, path: str) -> Values:
    """The elements that a file has. Raises UserError where they do not fit the argument's bits."""
    from s2s.simulators.amber.data import fit, read

    kind = argument.dtype
    values = fit(read(path, floats=kind.kind == "f"), argument.extents or (), argument.name, path)
    if kind.kind in "ui":
        bits = 8 * kind.itemsize
        beyond = values[(values < -(2 ** (bits - 1))) | (values >= 2**bits)]
        if beyond.size:
            text = f"has {beyond[0]}, which '{argument.name}' of type {argument.type} cannot hold"
            raise problem(f"{path}: {text}")
    return values.astype(kind)


def _made_up(argument: Array, seed: int) -> Values:
    import numpy as np

    random = np.random.default_rng([seed, zlib.crc32(argument.name.encode())])
    shape = argument.extents or ()
    if argument.dtype.kind == "f":
        return random.random(shape).astype(argument.dtype)
    if argument.dtype.kind == "b":
        return random.integers(0, 2, shape).astype(argument.dtype)
    if argument.type == "bfloat16":
        return (random.random(shape, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    bits = min(8 * argument.dtype.itemsize, 16)
    return random.integers(0, 2**bits, shape).astype(argument.dtype)


def stream_words(host: Host, program: Program, tile: Sequence[Values]) -> Values:
    """The words of all input streams of a tile, as the machine takes them."""
    import numpy as np

    given = {
        s.name: v for s, v in zip((s for s in host.streams if not s.output), tile, strict=True)
    }
    parts: list[Values] = [np.zeros(0, np.uint32)]
    for name in program.inputs:
        if name in program.boxes:
            values = given[name]
            bits = np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")
            parts.append(bits[_slices(program, name)].astype(np.uint32).ravel())
    return np.concatenate(parts)


def stream_elements(host: Host, program: Program, words: Values) -> list[Values]:
    """The elements of the output streams of a tile, from the words that the machine gives."""
    import numpy as np

    first = program.count(program.inputs)
    found = []
    for stream in host.streams:
        if stream.output:
            box = program.boxes[stream.name]
            own = words[box.first - first : box.first - first + box.size].reshape(box.extents)
            whole = np.zeros(stream.extents or (1,), f"u{stream.dtype.itemsize}")
            whole[_slices(program, stream.name)] = own
            found.append(whole.view(stream.dtype))
    return found


def _slices(program: Program, name: str) -> tuple[slice, ...]:
    box = program.boxes[name]
    pairs = zip(box.minima, box.extents, strict=True)
    return tuple(slice(low, low + extent) for low, extent in pairs)
