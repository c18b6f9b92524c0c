"""What was printed, run beside the source."""

from __future__ import annotations

import os
import subprocess
import tempfile
from itertools import product
from pathlib import Path

from s2s.net import Mismatch
from s2s.net.source import ENTRY, NotCallable
from s2s.scop.expressions import Const
from s2s.scop.nest import Tensor
from s2s.targets.forms import NestProgram
from s2s_toy.memory import Memory, c_type, run


def compare(program: NestProgram, text: str) -> str:
    """Run both on the same integers; why that is not possible, empty if it was.

    Raises Mismatch where an element of an array is not as the source leaves it.
    """
    try:
        memory = run(text, seed=1)
    except Exception as error:
        raise Mismatch(f"the Python fails: {type(error).__name__}: {error}") from error
    tensors = {a.name: a.tensor for a in program.nest.arguments if a.tensor is not None}
    try:
        places = {name: _places(tensors[name], found) for name, found in memory.items()}
        caller = program.source.caller(list(memory))
    except (NotCallable, _Unknown) as problem:
        return str(problem)
    initial = {
        name: [found.first.get(at, found.initial(at)) for at in places[name]]
        for name, found in memory.items()
    }
    with tempfile.TemporaryDirectory(prefix="s2s-toy-") as folder:
        compiler, ending = ("g++", "cc") if caller.is_cxx else ("gcc", "c")
        source, host = Path(folder, f"source.{ending}"), Path(folder, "host.c")
        source.write_text(caller.text)
        host.write_text(_host([(memory[name].type, values) for name, values in initial.items()]))
        built = os.path.join(folder, "host")
        one = [compiler, *caller.flags, "-w", "-fwrapv", "-c", str(source), "-o", f"{built}.o"]
        two = ["gcc", "-w", str(host), f"{built}.o", "-lm", "-lstdc++", "-o", built]
        for command in (one, two, [built]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            if done.returncode:
                return f"'{command[0]}' ends with {done.returncode}"
    wanted = iter(done.stdout.split())
    for name, found in memory.items():
        for at, before in zip(places[name], initial[name], strict=True):
            value, left = int(next(wanted)), found.get(at, before)
            if left != value:
                raise Mismatch(f"the Python leaves {left} in {name}{list(at)}, not {value}")
    return ""


class _Unknown(Exception):
    """Where an element lies is not known."""


def _places(tensor: Tensor, memory: Memory) -> list[tuple[int, ...]]:
    """The elements of an array as they lie in memory, with a row after the last that is used."""
    extents = [d.extent.value if isinstance(d.extent, Const) else None for d in tensor.dimensions]
    if extents and extents[-1] is None:
        extents[-1] = 2 + max((at[-1] for at in memory), default=0)
    if None in extents:
        raise _Unknown(f"the extents of '{tensor.name}' are not known")
    every = [at[::-1] for at in product(*(range(int(e or 0)) for e in reversed(extents)))]
    if not memory.keys() <= set(every):
        raise _Unknown(f"'{tensor.name}' is used outside of its extents")
    return every


def _host(arrays: list[tuple[str, list[int]]]) -> str:
    """A program that calls the source and prints all elements."""
    lines = ["#include <stdint.h>", "#include <stdio.h>", f"void {ENTRY}(void **);"]
    body = []
    for number, (type_, values) in enumerate(arrays):
        size, inside = len(values), ", ".join(map(str, values))
        lines.append(f"static {c_type(type_)} a{number}[{size}] = {{{inside}}};")
        body.append(f"for (int i = 0; i < {size}; i++)")
        body.append(f'printf("%lld\\n", (long long)a{number}[i]);')
    names = ", ".join(f"a{number}" for number in range(len(arrays)))
    lines += ["int main(void)", "{", f"void *every[] = {{{names}}};", f"{ENTRY}(every);"]
    return "\n".join([*lines, *body, "return 0;", "}", ""])
