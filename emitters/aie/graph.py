"""A graph in the vendor's C++: kernels with ports, their places, connections, a test bench.

``graph.h`` connects; ``kernels.h`` declares and ``kernels/*.cc`` define what the cores run: the
kernel as one core has it, and around it a function whose parameters are ports. ``aie.cpp`` reads
the run-time parameters from files and runs all steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from s2s.emitters.aie.kernel import emit, scalar_type
from s2s.scop.contraction import Access
from s2s.scop.core_array import CoreArray
from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import Kernel, PackedArray

INDENT = "    "
PORT_BITS = 64
MEGAHERTZ = 500


@dataclass(frozen=True)
class Role:
    """The kernel of the cores of a chain whose link is ``first`` to ``last``."""

    name: str
    kernel: Kernel
    first: int
    last: int
    receives: bool
    sends: bool


@dataclass(frozen=True)
class GraphText:
    """What a graph is printed from; ``places``: addresses of an array's copies, by role and name.

    ``constant``: arrays that stay for all steps.
    """

    array: CoreArray
    roles: Sequence[Role]
    constant: Sequence[str]
    places: dict[tuple[str, str], tuple[int, ...]]


def files(text: GraphText) -> dict[str, str]:
    """All files by name, the graph's first."""
    found = {"graph.h": _graph(text), "kernels.h": _declarations(text), "aie.cpp": _bench(text)}
    for role in text.roles:
        found[f"kernels/{role.name}.cc"] = _kernel(text, role)
    return found


def _element(type_: Type) -> str:
    return scalar_type(type_).removesuffix("_t")


def _inputs(text: GraphText, role: Role) -> list[PackedArray]:
    """Buffers, then arrays that stay."""
    every = [one for one in role.kernel.arrays if one.is_input and not one.is_output]
    return sorted(every, key=lambda one: one.name in text.constant)


def _signature(text: GraphText, role: Role) -> str:
    words = []
    for one in _inputs(text, role):
        if one.name in text.constant:
            words.append(f"const {_element(one.type)} (&{one.name})[{one.size}]")
        else:
            words.append(f"adf::input_buffer<{_element(one.type)}> &{one.name}")
    if role.receives:
        words.append("adf::input_cascade<acc48> *sums_in")
    if role.sends:
        words.append("adf::output_cascade<acc48> *sums_out")
    else:
        output = role.kernel.output
        words.append(f"adf::output_buffer<{_element(output.type)}> &{output.name}")
    return f"void {role.name}({', '.join(words)})"


def _kernel(text: GraphText, role: Role) -> str:
    inner = emit(role.kernel)
    head = f"void {role.kernel.name}("
    inner = inner.replace(f"\n{head}", f"\nstatic {head}", 1)
    words = [
        one.name if one.name in text.constant else f"{one.name}.data()"
        for one in role.kernel.arrays
    ]
    call = f"{role.kernel.name}({', '.join(words)});"
    return "\n".join(
        ["#include <adf.h>", inner, _signature(text, role), "{", f"{INDENT}{call}", "}", ""]
    )


def _declarations(text: GraphText) -> str:
    guard = f"{text.array.whole.name.upper()}_KERNELS_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "#include <adf.h>", ""]
    lines += [f"{_signature(text, role)};" for role in text.roles]
    return "\n".join([*lines, "", "#endif", ""])


# ---------------------------------------------------------------------------------- the graph


def _graph(text: GraphText) -> str:
    array, name = text.array, text.array.whole.name
    first = text.roles[0]
    guard = f"{name.upper()}_GRAPH_H"
    shares = ", ".join(
        f"{s.loop}: {s.cores} x {s.steps} tiles of {s.tile}" for s in array.shares if s.loop
    )
    lines = [f"/* {array.whole.macs} multiplications on {array.count} cores of {array.rows} rows"]
    lines += [f" * and {array.columns} columns, {array.steps} steps; {shares}. */"]
    lines += [f"#ifndef {guard}", f"#define {guard}", "#include <adf.h>", "#include <string>"]
    lines += ['#include "kernels.h"', "", f"class {name}_graph : public adf::graph {{", "public:"]
    lines += [f"{INDENT}adf::kernel core[{array.count}];"]
    image = array.whole.image
    lines.append(f"{INDENT}adf::input_plio {image.array.name}[{array.streams(image)}];")
    for one in _inputs(text, first):
        if one.name in text.constant:
            count = _constant_count(text, one)
            lines.append(f"{INDENT}adf::input_port {one.name}[{count}];")
    output = text.roles[-1].kernel.output.name
    lines.append(f"{INDENT}adf::output_plio {output}[{array.count // array.links}];")
    lines += ["", f"{INDENT}{name}_graph()", f"{INDENT}{{"]
    lines += [INDENT * 2 + line for line in _constructor(text)]
    lines += [f"{INDENT}}}", "};", "", "#endif", ""]
    return "\n".join(lines)


def _constant_count(text: GraphText, one: PackedArray) -> int:
    return text.array.streams(_access(text, one))


def _access(text: GraphText, one: PackedArray) -> Access:
    return next(a for a in text.array.whole.accesses if a.array.name == one.name)


def _stream(text: GraphText, one: PackedArray) -> str:
    """Which stream of an array the core ``n`` has."""
    array = text.array
    moving = array.moving(_access(text, one))
    found = ""
    for n in moving:
        share, stride = array.shares[n], array.core_stride(n)
        part = "n" if stride == 1 else f"n / {stride}"
        part = f"{part} % {share.cores}" if stride * share.cores < array.count else part
        found = f"({found}) * {share.cores} + {part}" if found else part
    return found or "0"


def _constructor(text: GraphText) -> Iterator[str]:
    array = text.array
    image = array.whole.image
    output = text.roles[-1].kernel.output
    yield from _ports(image.array.name, array.streams(image), "input")
    yield from _ports(output.name, array.count // array.links, "output")
    yield f"for (int n = 0; n < {array.count}; ++n) {{"
    yield f"{INDENT}const int row = n / {array.columns};"
    east = f"n % {array.columns}"
    yield f"{INDENT}const int column = row % 2 == 0 ? {east} : {array.columns - 1} - {east};"
    if array.links > 1:
        yield f"{INDENT}const int link = n % {array.links};"
    for number, role in enumerate(text.roles):
        if len(text.roles) == 1:
            yield from (INDENT + line for line in _core(text, role))
            continue
        test = f"link == {role.first}"
        if role.first != role.last:
            test = f"link < {role.last + 1}"
        if number == len(text.roles) - 1:
            yield f"{INDENT}}} else {{"
        else:
            yield f"{INDENT}{'} else ' if number else ''}if ({test}) {{"
        yield from (INDENT * 2 + line for line in _core(text, role))
    if len(text.roles) > 1:
        yield f"{INDENT}}}"
    yield f"{INDENT}adf::location<adf::kernel>(core[n]) = adf::tile(column, row);"
    yield f"{INDENT}adf::runtime<adf::ratio>(core[n]) = 0.9;"
    yield "}"


def _ports(name: str, count: int, side: str) -> Iterator[str]:
    word = f'"{name}_" + std::to_string(n)'
    yield f"for (int n = 0; n < {count}; ++n) {{"
    yield (
        f"{INDENT}{name}[n] = adf::{side}_plio::create({word}, adf::plio_{PORT_BITS}_bits,"
        f' "data/{name}_" + std::to_string(n) + ".txt", {MEGAHERTZ});'
    )
    yield "}"


def _core(text: GraphText, role: Role) -> Iterator[str]:
    """A core's kernel with its ports."""
    yield f"core[n] = adf::kernel::create({role.name});"
    yield f'adf::source(core[n]) = "kernels/{role.name}.cc";'
    number = 0
    for one in _inputs(text, role):
        port = f"core[n].in[{number}]"
        source = f"{one.name}[{_stream(text, one)}]"
        if one.name in text.constant:
            yield f"adf::connect<adf::parameter>({source}, adf::async({port}));"
            yield f"adf::single_buffer({port});"
        else:
            yield f"adf::connect<>({source}.out[0], {port});"
            yield f"adf::dimensions({port}) = {{{one.size}}};"
        yield from _location(text, role, one, port)
        number += 1
    if role.receives:
        yield f"adf::connect<adf::cascade>(core[n - 1].out[0], core[n].in[{number}]);"
    if not role.sends:
        output = role.kernel.output
        at = f"n / {text.array.links}" if text.array.links > 1 else "n"
        yield f"adf::connect<>(core[n].out[0], {output.name}[{at}].in[0]);"
        yield f"adf::dimensions(core[n].out[0]) = {{{output.size}}};"
        yield from _location(text, role, output, "core[n].out[0]")


def _location(text: GraphText, role: Role, one: PackedArray, port: str) -> Iterator[str]:
    places = text.places.get((role.name, one.name), ())
    words = [f"adf::address(column, row, {place:#x})" for place in places]
    if len(words) > 1:
        yield f"adf::location<adf::buffer>({port}) = {{{', '.join(words)}}};"
    elif words:
        yield f"adf::location<adf::buffer>({port}) = {words[0]};"


# ----------------------------------------------------------------------------- the test bench


def _bench(text: GraphText) -> str:
    name = text.array.whole.name
    lines = ['#include "graph.h"', "", "#include <fstream>", "#include <string>", ""]
    lines += [f"{name}_graph graph;", "", *_READ, "", "int main()", "{", f"{INDENT}graph.init();"]
    for one in _inputs(text, text.roles[0]):
        if one.name in text.constant:
            lines.append(f"{INDENT}for (int n = 0; n < {_constant_count(text, one)}; ++n) {{")
            lines.append(f"{INDENT * 2}static {_element(one.type)} {one.name}[{one.size}];")
            file = f'"data/{one.name}_" + std::to_string(n) + ".txt"'
            lines.append(f"{INDENT * 2}read_values({file}, {one.name}, {one.size});")
            lines.append(f"{INDENT * 2}graph.update(graph.{one.name}[n], {one.name}, {one.size});")
            lines.append(f"{INDENT}}}")
    lines += [f"{INDENT}graph.run({text.array.steps});", f"{INDENT}graph.end();"]
    return "\n".join([*lines, f"{INDENT}return 0;", "}", ""])


_READ = """\
template <class T> static void read_values(const std::string &path, T *to, int count)
{
    std::ifstream file(path);
    for (int n = 0, value; n < count && file >> value; ++n) to[n] = static_cast<T>(value);
}""".splitlines()
