"""A program for Emu from a C program: the steps, and the text around what they change."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.emitters.emu.atomics import definitions as atomic_functions
from s2s.emitters.emu.library import definitions as library_functions
from s2s.emitters.emu.memory import definitions as memory_functions
from s2s.frontends.c.cilk import parallel_headers
from s2s.frontends.c.syntax import Node
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.emu.arrays import move_arrays
from s2s.rewriters.emu.atomics import Atomics
from s2s.rewriters.emu.batches import Batches
from s2s.rewriters.emu.bucket_writing import write_buckets
from s2s.rewriters.emu.buckets import Buckets
from s2s.rewriters.emu.hoisting import hoist_types
from s2s.rewriters.emu.layouts import Layouts
from s2s.rewriters.emu.loops import PARALLEL, SHARED, ParallelLoop, parallel_loops
from s2s.rewriters.emu.macros import with_macros_of
from s2s.rewriters.emu.objects import Objects
from s2s.rewriters.emu.program import Program, governed, parse_program, read
from s2s.rewriters.emu.replicated import replicate
from s2s.rewriters.emu.scanned import Scanned
from s2s.rewriters.emu.spawning import Spawning
from s2s.rewriters.emu.teams import library as find_library
from s2s.rewriters.emu.teams import own_variables
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass

_HEADERS = {
    "new": ("memoryweb/memoryweb.h", "cilk/cilk.h"),
    "old": ("memoryweb.h", "cilk.h"),
}
_DROPPED = PARALLEL | {
    *("parallel", "single", "master", "masked", "barrier", "flush"),
    *("sections", "section", "parallel sections", "parallel master", "parallel masked"),
}


@dataclass(frozen=True)
class Choices:
    """Which transformations take place: static arrays go to all nodelets (``arrays``), updates
    without a value are sent (``remote``), threads start where their data is (``home``), edge loops
    read ahead (``batch``), what is scanned goes to registers (``registers``). ``headers`` are the
    new or the old names.
    """

    arrays: bool = True
    remote: bool = True
    home: bool = True
    batch: bool = True
    registers: bool = True
    buckets: bool = True
    headers: str = "new"


@dataclass(frozen=True)
class Lowered:
    """The emitted text, and what there is to say."""

    text: bytes
    diagnostics: tuple[Diagnostic, ...]


def lower(
    buffer: SourceBuffer, flags: Sequence[str], system: Sequence[str], choices: Choices
) -> Lowered:
    """Emit a program for Emu. Raises UserError for what cannot be parsed or emitted."""
    program = read(buffer, flags, system)
    loops = parallel_loops(program)
    outside = hoist_types(program, loops, lambda loop: _front_of(program, loop.function))
    if outside is not None:
        return _lowered(parse_program(outside, flags, system), flags, choices)
    return _lowered(program, flags, choices)


def _lowered(program: Program, flags: Sequence[str], choices: Choices) -> Lowered:
    loops = parallel_loops(program)
    library = find_library(program, [loop.body for loop in loops])
    objects = Objects(program)
    layouts = Layouts(program, objects, loops)
    said = move_arrays(program, loops, layouts) if choices.arrays else []
    said += _serial_loops(program, loops)
    atomics = Atomics(program, choices.remote)
    spawning = Spawning(program, layouts, atomics, choices.home)
    if choices.registers:
        Scanned(program).run()
    buckets = Buckets(program, objects, layouts, loops)
    buildings = buckets.find() if choices.buckets else []
    plans = [spawning.plan(loop) for loop in loops]
    layouts.write()
    replicate(program, loops, layouts)
    atomics.run()
    batches = Batches(program, objects, layouts)
    if choices.batch:
        for loop in loops:
            batches.run(loop)
    functions: dict[int, str] = {}
    for plan in plans:
        start = _front_of(program, plan.loop.function)
        text = with_macros_of(program, start, plan.loop.span, spawning.write(plan))
        functions[start] = functions.get(start, "") + text
    if choices.buckets:
        buckets.work_out_addresses()
    for number, building in enumerate(buildings, 1):
        start, span = _front_of(program, building.function), building.loop.span
        said.append(program.remark(span, "what goes into vertices is put there by each nodelet"))
        text = with_macros_of(program, start, span, write_buckets(program, building, number))
        functions[start] = functions.get(start, "") + text
    for start, text in functions.items():
        program.rewriting.insert(start, text)
    _drop_pragmas(program, loops)
    _drop_headers(program)
    helpers = memory_functions(layouts.memory) + atomic_functions(atomics.helpers)
    helpers += library_functions(library.names, locks=library.locks)
    helpers += "".join(f"static long {name};\n" for name in sorted(atomics.locks))
    said += spawning.diagnostics
    for node in batches.done:
        said.append(program.remark(node.span, "several neighbours are visited on each trip"))
    first = _first_lines(choices.headers, flags, program)
    return Lowered(
        (first + helpers).encode("utf-8", "surrogateescape") + program.rewriting.done(), tuple(said)
    )


def _serial_loops(program: Program, loops: Sequence[ParallelLoop]) -> list[Diagnostic]:
    """What to say of loops that a region's threads share and its one thread runs."""
    shared = [d for d in program.unit.pragmas if d.name in SHARED]
    text = "runs with one thread: each of the region's threads has variables of its own in it"
    return [
        program.remark(d.span, text)
        for d in shared
        if not any(d.span in loop.span for loop in loops)
    ]


def _front_of(program: Program, function: Node) -> int:
    """Before a function and the comment right above it."""
    data, start = program.data, function.span.start
    start = data.rfind(b"\n", 0, start) + 1
    while True:
        above = data[:start].rstrip(b" \t")
        if above.endswith(b"*/\n"):
            start = data.rfind(b"\n", 0, data.rfind(b"/*", 0, len(above))) + 1
            return start
        line = data.rfind(b"\n", 0, len(above) - 1) + 1
        if not above[line:].lstrip().startswith(b"//"):
            return start
        start = line


def _drop_pragmas(program: Program, loops: Sequence[ParallelLoop]) -> None:
    """What is left of OpenMP runs with one thread, as it may."""
    for directive in program.unit.pragmas:
        if any(directive.span in loop.span for loop in loops) and directive.name in PARALLEL:
            continue
        if directive.name in ("atomic", "critical") or directive.name == "simd":
            continue
        if directive.name not in _DROPPED:
            raise program.refused(directive.span, f"'omp {directive.name}'")
        own = directive.listed("private", "firstprivate", "lastprivate")
        if own:
            _give_own(program, directive, own)
        program.rewriting.remove(_line(program, directive.span))


def _give_own(program: Program, directive: Directive, own: Sequence[str]) -> None:
    """Declare what a region's thread has for itself. Raises Refused."""
    node = governed(program, directive)
    if node is None or directive.listed("lastprivate") or node.kind != "COMPOUND_STMT":
        raise program.refused(directive.span, f"variables of a region's own: {own[0]}")
    first, last = own_variables(program, directive, node)
    program.rewriting.insert_first(node.span.start, first)
    program.rewriting.insert(node.span.end, last)


def _line(program: Program, span: Span) -> Span:
    start = program.data.rfind(b"\n", 0, span.start) + 1
    return Span(start, span.end + (program.data[span.end : span.end + 1] == b"\n"))


def _drop_headers(program: Program) -> None:
    for span in parallel_headers(program.data):
        program.rewriting.remove(_line(program, span))


def _first_lines(names: str, flags: Sequence[str], program: Program) -> str:
    """Emu's headers, and the macros of the command line, with which the text was read."""
    lines = [f"#include <{name}>" for name in _HEADERS[names]]
    for needed in ("string.h",):
        if f"<{needed}>".encode() not in program.data:
            lines.append(f"#include <{needed}>")
    for flag in flags:
        if flag.startswith("-D") and len(flag) > 2:
            name, _, value = flag[2:].partition("=")
            lines.append(f"#ifndef {name}\n#define {name} {value or 1}\n#endif")
    if names == "old":
        lines.append(
            "#ifndef cilk_spawn_at /* tool chains up to 18.x */\n"
            "#define cilk_spawn_at(where) cilk_spawn\n#endif"
        )
    return "\n".join(lines) + "\n"
