"""A graph in the vendor's C++: kernels with ports, their places, connections, a test bench.

``graph.h`` connects; ``kernels.h`` declares and ``kernels/*.cc`` define what the cores run: the
kernel as one core has it, and around it a function whose parameters are ports. ``aie.cpp`` reads
the run-time parameters from files and runs all steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.emitters.aie.kept import KeptText
from s2s.emitters.aie.kernel import emit, scalar_type
from s2s.scop.contraction import Access
from s2s.scop.core_array import CoreArray
from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.source.records import dataclass

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

    ``constant``: arrays that stay for all steps. Of several layers, ``base`` is the number of this
    one's first core; ``feeds`` (number of elements, core of the layer before for core ``n``) is
    where the image comes from, ``kept`` what is kept of it; ``is_last``: the output leaves the
    array. ``steps`` are those of a run.
    """

    array: CoreArray
    roles: Sequence[Role]
    constant: Sequence[str]
    places: dict[tuple[str, str], tuple[int, ...]]
    steps: int
    base: int = 0
    feeds: tuple[int, str] | None = None
    kept: KeptText | None = None
    is_last: bool = True

    def core(self, back: int = 0) -> str:
        """The kernel number ``n`` of the layer, or one some cores before it."""
        first = self.base - back
        number = "n" if first == 0 else f"n - {-first}" if first < 0 else f"{first} + n"
        return f"core[{number}]"


def files(text: GraphText) -> dict[str, str]:
    """All files by name, the graph's first."""
    return chain_files(text.array.whole.name, [text])


def chain_files(name: str, layers: Sequence[GraphText]) -> dict[str, str]:
    """The files of layers one after the other."""
    found = {
        "graph.h": _graph(name, layers),
        "kernels.h": _declarations(name, layers),
        "aie.cpp": _bench(name, layers),
    }
    for text in layers:
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
            words.append(f"adf::input_buffer<{_element(one.type)}> &{_came(text, one)}")
    if role.receives:
        words.append("adf::input_cascade<acc48> *sums_in")
    if role.sends:
        words.append("adf::output_cascade<acc48> *sums_out")
    else:
        output = role.kernel.output
        words.append(f"adf::output_buffer<{_element(output.type)}> &{output.name}")
    return f"void {role.name}({', '.join(words)})"


def _came(text: GraphText, one: PackedArray) -> str:
    """The name of a buffer as it comes: not that of the rows that are kept of it."""
    kept = text.kept
    image = text.array.whole.image.array.name
    return kept.came if kept is not None and one.name == image else one.name


def _kernel(text: GraphText, role: Role) -> str:
    inner = emit(role.kernel)
    head = f"void {role.kernel.name}("
    inner = inner.replace(f"\n{head}", f"\nstatic {head}", 1)
    image, kept = text.array.whole.image.array.name, text.kept
    words, before = [], []
    for one in role.kernel.arrays:
        word = one.name if one.name in text.constant else f"{_came(text, one)}.data()"
        if kept is not None and one.name == image:
            before.append(f"{INDENT}{kept.take}({word});")
            word = kept.array
        words.append(word)
    call = f"{INDENT}{role.kernel.name}({', '.join(words)});"
    own = list(kept.declarations()) if kept is not None else []
    lines = ["#include <adf.h>", inner, *own, _signature(text, role), "{", *before, call, "}", ""]
    return "\n".join(lines)


def _declarations(name: str, layers: Sequence[GraphText]) -> str:
    guard = f"{name.upper()}_KERNELS_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "#include <adf.h>", ""]
    lines += [f"{_signature(text, role)};" for text in layers for role in text.roles]
    return "\n".join([*lines, "", "#endif", ""])


# ---------------------------------------------------------------------------------- the graph


def _graph(name: str, layers: Sequence[GraphText]) -> str:
    guard, array = f"{name.upper()}_GRAPH_H", layers[0].array
    count = sum(text.array.count for text in layers)
    macs = sum(text.array.whole.macs for text in layers)
    lines = [f"/* {macs} multiplications on {count} cores of {array.rows} rows"]
    shared = [_shares(text) for text in layers]
    lines += [f" * and {array.columns} columns, {layers[0].steps} steps; {shared[0]}"]
    lines[-1] += ". */" if len(layers) == 1 else ""
    lines += [f" * then {one}" for one in shared[1:]]
    lines += [" */"] if len(layers) > 1 else []
    lines += [f"#ifndef {guard}", f"#define {guard}", "#include <adf.h>", "#include <string>"]
    lines += ['#include "kernels.h"', "", f"class {name}_graph : public adf::graph {{", "public:"]
    lines += [f"{INDENT}adf::kernel core[{count}];"]
    for text in layers:
        lines += [f"{INDENT}{member}" for member in _members(text)]
    lines += ["", f"{INDENT}{name}_graph()", f"{INDENT}{{"]
    lines += [INDENT * 2 + line for text in layers for line in _constructor(text)]
    lines += [f"{INDENT}}}", "};", "", "#endif", ""]
    return "\n".join(lines)


def _shares(text: GraphText) -> str:
    shares = [s for s in text.array.shares if s.loop]
    return ", ".join(f"{s.loop}: {s.cores} x {s.steps} tiles of {s.tile}" for s in shares)


def _members(text: GraphText) -> Iterator[str]:
    array = text.array
    image = array.whole.image
    if text.feeds is None:
        yield f"adf::input_plio {image.array.name}[{array.streams(image)}];"
    for one in _inputs(text, text.roles[0]):
        if one.name in text.constant:
            yield f"adf::input_port {one.name}[{_constant_count(text, one)}];"
    if text.is_last:
        output = text.roles[-1].kernel.output.name
        yield f"adf::output_plio {output}[{array.count // array.links}];"


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
    if text.feeds is None:
        yield from _ports(image.array.name, array.streams(image), "input")
    if text.is_last:
        yield from _ports(output.name, array.count // array.links, "output")
    yield f"for (int n = 0; n < {array.count}; ++n) {{"
    whole = f"({text.base} + n)" if text.base else "n"
    yield f"{INDENT}const int row = {whole} / {array.columns};"
    east = f"{whole} % {array.columns}"
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
    yield f"{INDENT}adf::location<adf::kernel>({text.core()}) = adf::tile(column, row);"
    yield f"{INDENT}adf::runtime<adf::ratio>({text.core()}) = 0.9;"
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
    core = text.core()
    yield f"{core} = adf::kernel::create({role.name});"
    yield f'adf::source({core}) = "kernels/{role.name}.cc";'
    number = 0
    for one in _inputs(text, role):
        port = f"{core}.in[{number}]"
        if one.name in text.constant:
            source = f"{one.name}[{_stream(text, one)}]"
            yield f"adf::connect<adf::parameter>({source}, adf::async({port}));"
            yield f"adf::single_buffer({port});"
        elif text.feeds is not None:
            size, before = text.feeds
            yield f"adf::connect<>(core[{before}].out[0], {port});"
            yield f"adf::dimensions({port}) = {{{size}}};"
        else:
            yield f"adf::connect<>({one.name}[{_stream(text, one)}].out[0], {port});"
            yield f"adf::dimensions({port}) = {{{one.size}}};"
        yield from _location(text, role, one, port)
        number += 1
    if role.receives:
        yield f"adf::connect<adf::cascade>({text.core(1)}.out[0], {core}.in[{number}]);"
    if not role.sends:
        output = role.kernel.output
        at = f"n / {text.array.links}" if text.array.links > 1 else "n"
        if text.is_last:
            yield f"adf::connect<>({core}.out[0], {output.name}[{at}].in[0]);"
        yield f"adf::dimensions({core}.out[0]) = {{{output.size}}};"
        yield from _location(text, role, output, f"{core}.out[0]")


def _location(text: GraphText, role: Role, one: PackedArray, port: str) -> Iterator[str]:
    places = text.places.get((role.name, one.name), ())
    words = [f"adf::address(column, row, {place:#x})" for place in places]
    if len(words) > 1:
        yield f"adf::location<adf::buffer>({port}) = {{{', '.join(words)}}};"
    elif words:
        yield f"adf::location<adf::buffer>({port}) = {words[0]};"


# ----------------------------------------------------------------------------- the test bench


def _bench(name: str, layers: Sequence[GraphText]) -> str:
    lines = ['#include "graph.h"', "", "#include <fstream>", "#include <string>", ""]
    lines += [f"{name}_graph graph;", "", *_READ, "", "int main()", "{", f"{INDENT}graph.init();"]
    for text in layers:
        for one in _inputs(text, text.roles[0]):
            if one.name in text.constant:
                lines += [INDENT + line for line in _parameters(text, one)]
    lines += [f"{INDENT}graph.run({layers[0].steps});", f"{INDENT}graph.end();"]
    return "\n".join([*lines, f"{INDENT}return 0;", "}", ""])


def _parameters(text: GraphText, one: PackedArray) -> Iterator[str]:
    """Reads an array that stays for each core that has a part of it."""
    yield f"for (int n = 0; n < {_constant_count(text, one)}; ++n) {{"
    yield f"{INDENT}static {_element(one.type)} {one.name}[{one.size}];"
    file = f'"data/{one.name}_" + std::to_string(n) + ".txt"'
    yield f"{INDENT}read_values({file}, {one.name}, {one.size});"
    yield f"{INDENT}graph.update(graph.{one.name}[n], {one.name}, {one.size});"
    yield "}"


_READ = """\
template <class T> static void read_values(const std::string &path, T *to, int count)
{
    std::ifstream file(path);
    for (int n = 0, value; n < count && file >> value; ++n) to[n] = static_cast<T>(value);
}""".splitlines()
