"""Designs made by hand, written as the three files that a simulation reads."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WEIGHTS = (1, 2, 1, 2, 4, 2, 1, 2, 1)


def controller(
    extent: list[int], stride: list[int], start: int, address: list[int] | None = None, at: int = 0
) -> dict[str, Any]:
    """Innermost loop first, as in the file."""
    found: dict[str, Any] = {"extent": extent, "stride": stride, "start": start}
    return found if address is None else found | {"address_stride": address, "address_start": at}


def element(*dimensions: tuple[int, list[int]]) -> list[dict[str, Any]]:
    return [{"start": start, "stride": stride} for start, stride in dimensions]


@dataclass
class Files:
    """A design that grows."""

    name: str
    memory: list[str] = field(default_factory=list)
    compute: list[str] = field(default_factory=list)
    instances: dict[str, dict[str, Any]] = field(default_factory=dict)
    connections: list[list[str]] = field(default_factory=list)
    cycles: int | None = None

    def stream(self, direction: str, buffer: str, bits: int = 16) -> None:
        self.memory.append(f'  prg.add_{direction}("{buffer}");')
        self.memory.append(f'  prg.buffer_port_widths["{buffer}"] = {bits};')

    def buffer(self, name: str, bits: int = 16) -> None:
        self.memory.append(f'  prg.buffer_port_widths["{name}"] = {bits};')

    def loop(self, variable: str, parent: str, extent: int, minimum: int = 0) -> None:
        arrow = "prg." if parent == "prg" else f"{parent}->"
        self.memory.append(
            f'  auto {variable} = {arrow}add_loop("{variable}", {minimum}, {minimum + extent});'
        )

    def operation(
        self, name: str, parent: str, function: str, loads: list[list[str]], store: list[str],
        indices: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        def quoted(words: list[str]) -> str:
            return ", ".join(f'"{word}"' for word in words)

        self.memory.append(f'  auto {name} = {parent}->add_op("{name}");')
        self.memory.append(f'  {name}->add_function("{function}");')
        self.memory += [f"  {name}->add_load({quoted(load)});" for load in loads]
        self.memory += [f'  {name}->compute_unit_needs_index_variable("{v}");' for v in indices]
        self.memory.append(f"  {name}->add_store({quoted(store)});")

    def function(self, name: str, arguments: list[tuple[str, int]], body: str) -> None:
        """A function over buffers of words of 16 bits, which are ``b[k]`` in its body."""
        parameters = ", ".join(f"hw_uint<{16 * words}>& {buffer}" for buffer, words in arguments)
        for buffer, words in arguments:
            for k in range(words):
                bits = f"{buffer}.extract<{16 * k}, {16 * k + 15}>()"
                body = body.replace(f"{buffer}[{k}]", f"((uint16_t) {bits})")
        self.compute.append(f"hw_uint<16> {name}({parameters}) {{\n  {body}\n}}")

    def add(self, name: str, type: str, **fields: Any) -> None:
        self.instances[name] = {"type": type, **fields}

    def connect(self, source: str, target: str) -> None:
        self.connections.append([source, target])

    def text(self) -> str:
        return "\n".join(
            ['#include "prog.h"', f"prog {self.name}() {{", "  prog prg;",
             f'  prg.compute_unit_file = "{self.name}_compute.h";',
             f'  prg.name = "{self.name}";', *self.memory, "  return prg;", "}", ""]
        )  # fmt: skip

    def write(self, folder: Path) -> Path:
        design = {
            "format": 1, "name": self.name, "memory": f"{self.name}_memory.cpp",
            "compute": f"{self.name}_compute.h", "terms": [], "instances": self.instances,
            "connections": self.connections,
        }  # fmt: skip
        if self.cycles is not None:
            design["cycles"] = self.cycles
        (folder / f"{self.name}_memory.cpp").write_text(self.text())
        includes = '#pragma once\n#include "hw_classes.h"\n\n'
        (folder / f"{self.name}_compute.h").write_text(includes + "\n\n".join(self.compute) + "\n")
        path = folder / f"{self.name}_design.json"
        path.write_text(json.dumps(design))
        return path


def weighted(buffer: str) -> str:
    terms = " + ".join(f"{buffer}[{k}] * {weight}" for k, weight in enumerate(WEIGHTS))
    return f"return (uint16_t)(({terms}) >> 4);"


def row_delays(files: Files, name: str, source: str, row: int, rows: int, start: int, columns: int,
               mode: str = "register_file") -> list[str]:  # fmt: skip
    """A memory that gives its words again one row and two rows of ``row`` cycles later."""

    def one(at: int) -> dict[str, Any]:
        return controller([columns, rows], [1, row], at, [1, columns])

    files.add(name, "memory", buffer=name, mode=mode, capacity=2 * columns, modulo=2 * columns,
              **{"in": [one(start)], "out": [one(start + row), one(start + 2 * row)]})  # fmt: skip
    files.connect(source, f"{name}.in0")
    return [source, f"{name}.out0", f"{name}.out1"]


def blur(width: int, height: int, lanes: int = 1) -> Files:
    """3x3 blur, ``lanes`` outputs in a cycle; ``width`` is that of a row of the input."""
    files = Files("blur")
    row = width // lanes
    out = (width - 2) // lanes
    start = 2 * row + (lanes > 1 or 2)
    files.stream("input", "image")
    files.stream("output", "result")
    files.loop("y", "prg", height - 2)
    files.loop("x", "y", out)
    files.function("blurred", [("image", 9)], weighted("image"))
    taps = []
    for lane in range(lanes):
        files.add(f"in{lane}", "input", buffer="image",
                  controller=controller([row, height], [1, row], 0),
                  element=element((0, [0, 1]), (lane, [lanes, 0])))  # fmt: skip
        rows = row_delays(files, f"rows{lane}", f"in{lane}.out", row, height, 0, row)
        taps.append([[source] for source in reversed(rows)])
    for lane in range(lanes):
        x = f"({lanes}*x + {lane})"
        loads = [["image", f"(y + {dy})", f"({x} + {dx})"] for dy in range(3) for dx in range(3)]
        name = f"op{lane}"
        files.operation(name, "x", "blurred", loads, ["result", "y", x])
        fires = controller([out, height - 2], [1, row], start)
        files.add(f"k{lane}", "kernel", operation=name, function="blurred", controller=fires,
                  latency=0, pes=19)  # fmt: skip
        for k in range(9):
            dy, dx = divmod(k, 3)
            ahead, other = divmod(lane + dx, lanes)
            late = start - 2 * row - ahead
            tap = delayed(files, taps[other][dy], f"r{other}_{dy}", late)
            files.connect(tap, f"k{lane}.in{k}")
        files.add(f"out{lane}", "output", buffer="result", controller=fires,
                  element=element((0, [0, 1]), (lane, [lanes, 0])))  # fmt: skip
        files.connect(f"k{lane}.out", f"out{lane}.in")
    files.cycles = start + (height - 3) * row + out
    return files


def delayed(files: Files, chain: list[str], name: str, cycles: int) -> str:
    """The end of a chain of registers, made as long as it has to be."""
    while len(chain) <= cycles:
        register = f"{name}_{len(chain)}"
        files.add(register, "register", buffer="image")
        files.connect(chain[-1], f"{register}.in")
        chain.append(f"{register}.out")
    return chain[cycles]


def product(size: int, side: int) -> Files:
    """A product of square matrices by ``side`` x ``side`` multipliers with accumulators."""
    files = Files("product")
    blocks = size // side
    for name in "ab":
        files.stream("input", name)
    files.stream("output", "c")
    files.buffer("acc")
    files.loop("i", "prg", blocks)
    files.loop("j", "i", blocks)
    files.function("zero", [], "return 0;")
    files.function("mac", [("acc", 1), ("a", 1), ("b", 1)],
                   "return (uint16_t)(acc[0] + a[0] * b[0]);")  # fmt: skip
    files.function("copy", [("acc", 1)], "return acc[0];")
    outer = controller([blocks, blocks], [size, size * blocks], 0)
    inner = controller([size, blocks, blocks], [1, size, size * blocks], 0)
    rest = controller([size - 1, blocks, blocks], [1, size, size * blocks], 1)
    last = controller([blocks, blocks], [size, size * blocks], size)
    sides = range(side)
    for k in sides:
        files.add(f"a{k}", "input", buffer="a", controller=inner,
                  element=element((k, [0, 0, side]), (0, [1, 0, 0])))  # fmt: skip
        files.add(f"b{k}", "input", buffer="b", controller=inner,
                  element=element((0, [1, 0, 0]), (k, [0, side, 0])))  # fmt: skip
    places = {
        (p, q): ["acc", f"({side}*i + {p})", f"({side}*j + {q})"] for p in sides for q in sides
    }
    for (p, q), place in places.items():
        files.operation(f"z{p}_{q}", "j", "zero", [], place)
    files.loop("k", "j", size)
    for (p, q), place in places.items():
        loads = [place, ["a", f"({side}*i + {p})", "k"], ["b", "k", f"({side}*j + {q})"]]
        files.operation(f"m{p}_{q}", "k", "mac", loads, place)
    for (p, q), place in places.items():
        files.operation(f"c{p}_{q}", "j", "copy", [place], ["c", *place[1:]])
        at = f"{p}_{q}"
        files.add(f"kz{at}", "kernel", operation=f"z{at}", function="zero", controller=outer,
                  latency=0, pes=0)  # fmt: skip
        files.add(f"km{at}", "kernel", operation=f"m{at}", function="mac", controller=inner,
                  latency=1, pes=2)  # fmt: skip
        files.add(f"kc{at}", "kernel", operation=f"c{at}", function="copy", controller=last,
                  latency=0, pes=0)  # fmt: skip
        files.add(f"mux{at}", "mux", select=[outer, rest])
        files.add(f"out{at}", "output", buffer="c", controller=last,
                  element=element((p, [0, side]), (q, [side, 0])))  # fmt: skip
        for source, target in (
            (f"kz{at}.out", f"mux{at}.in0"), (f"km{at}.out", f"mux{at}.in1"),
            (f"mux{at}.out", f"km{at}.in0"), (f"a{p}.out", f"km{at}.in1"),
            (f"b{q}.out", f"km{at}.in2"), (f"km{at}.out", f"kc{at}.in0"),
            (f"kc{at}.out", f"out{at}.in"),
        ):  # fmt: skip
            files.connect(source, target)
    files.cycles = size * blocks * blocks + 1
    return files
