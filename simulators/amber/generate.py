"""The C++ of a program and its design: subscripts and values of operations, the program order, the
netlist's numbers. Lines of operations are those of the memory file to the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from s2s.simulators.amber.cycles import Affine, cycle_text
from s2s.simulators.amber.design_checks import iterations
from s2s.simulators.amber.netlist import Netlist
from s2s.simulators.amber.problems import problem
from s2s.source.clockwork.indices import Binary, Element, Index, Name, Number, linear
from s2s.source.clockwork.programs import Access, Loop, Operation, Program
from s2s.source.records import dataclass

LOADS = 1000
"""Loads of an operation, at most: the engine has that much place for them."""

ROWS = 64
"""Rows of coefficients of an operation, the same."""


def cpp_text(
    program: Program,
    compute: str,
    numbers: Sequence[int],
    placed: Mapping[str, Sequence[str]] | None = None,
    *,
    own: Netlist | None = None,
) -> str:
    """The whole file, with a design's ``numbers``. ``placed``: bodies of operations' functions as
    the design's tiles have them; ``own``: a netlist whose cycle, and the program order, have text
    of their own, which runs faster and takes longer to compile. Raises UserError for more loads
    than the engine has place for.
    """
    inputs, outputs = program.count(program.inputs), program.count(program.outputs)
    total = sum(box.size for box in program.boxes.values())
    functions: list[str] = []
    rows: list[str] = []
    table: list[int] = []
    forms: list[Affine | None] = []
    values: list[str] = []
    for k, (operation, loops) in enumerate(program.operations):
        affine = _affine(operation, loops, program)
        functions += _value(k, operation, loops, program)
        if affine is None:
            functions += _elements(k, operation, loops, program)
        body = (placed or {}).get(operation.name)
        if body is not None:
            functions += _placed(k, body, loops, program.width(operation.store.buffer))
        value = f"value_{k}" if body is None else f"placed_{k}"
        depth, groups, found = affine or (0, 0, [])
        where = f"AFFINE + {len(table)}, nullptr" if affine else f"nullptr, elements_{k}"
        rows.append(
            f"    {{{len(operation.loads)}, {depth}, {groups}, {where}, value_{k}, {value}}},\n"
        )
        table += found
        forms.append(affine)
        values.append(value)
    cycle = "const Cycle CYCLE = {nullptr, nullptr};\n"
    if own:
        cycle = cycle_text(own, forms, values)
    return (
        '#include "clockwork_standard_compute_units.h"\n'
        f'#include "{compute}"\n'
        f'#include "elements.h"\n#include "{"cycles" if own else "engine"}.h"\n\n'
        f"{''.join(functions)}"
        f"static const int AFFINE[] = {{\n{_wrapped([*table, 0])}}};\n\n"
        "namespace amber {\n"
        f"const Operation OPERATIONS[] = {{\n{''.join(rows)}}};\n"
        f"const long NETLIST[] = {{\n{_wrapped(numbers)}}};\n"
        f"const uint32_t INPUT_ELEMENTS = {inputs}, OUTPUT_FIRST = {inputs},"
        f" OUTPUT_ELEMENTS = {outputs}, ELEMENTS = {total};\n"
        f"{_order_text(program, forms if own else None)}"
        f"{cycle}"
        "}   // namespace amber\n"
    )


def _wrapped(numbers: Sequence[int]) -> str:
    rows = (numbers[k : k + 20] for k in range(0, len(numbers), 20))
    return "".join(f"    {', '.join(map(str, row))},\n" for row in rows)


def _affine(operation: Operation, loops: Sequence[Loop], program: Program) -> Affine | None:
    """Depth, rows and the numbers of ``Operation.affine``, see ``include/engine.h``; None where a
    subscript divides, depends on a condition or lies in a buffer.
    """
    if not all(access.is_plain for access in operation.accesses):
        return None
    rows: dict[tuple[int, ...], int] = {}
    bases: list[int] = []
    for access in operation.accesses:
        box = program.boxes[access.buffer]
        base, total = box.first, dict.fromkeys((loop.name for loop in loops), 0)
        for index, minimum, step in zip(access.subscripts, box.minima, box.steps, strict=True):
            form = linear(index)
            if form is None:
                return None
            base += (form.pop("", 0) - minimum) * step
            for name, factor in form.items():
                total[name] += factor * step
        base += sum(total[loop.name] * loop.minimum for loop in loops)
        row = tuple(total[loop.name] for loop in reversed(loops) if loop.extent > 1)
        bases += [base, rows.setdefault(row, len(rows))]
    if len(rows) > ROWS:
        return None
    return len(iterations(loops)), len(rows), [*(n for row in rows for n in row), *bases]


def _elements(
    place: int, operation: Operation, loops: Sequence[Loop], program: Program
) -> Iterator[str]:
    """``elements_K`` of an operation."""
    names = {loop.name: f"v{k}" for k, loop in enumerate(loops)}
    yield f"static void elements_{place}(const int *i, const uint32_t *w, uint32_t *e) {{\n"
    yield from _variables(loops)
    for k, access in enumerate(operation.accesses):
        where = Where(place, k, operation)
        yield f"    e[{k}] = {_number(access, names, program, where)};\n"
    yield "}\n"


def _value(
    place: int, operation: Operation, loops: Sequence[Loop], program: Program
) -> Iterator[str]:
    """``value_K`` of an operation."""
    if len(operation.loads) > LOADS:
        raise problem(
            f"{operation.name} has {len(operation.loads)} loads, more than {LOADS}",
            operation.at,
        )
    names = {loop.name: f"v{k}" for k, loop in enumerate(loops)}
    yield f"static uint32_t value_{place}(const int *i, const uint32_t *w) {{\n"
    if operation.indices:
        yield from _variables(loops)
    yield from _arguments(operation, program)
    arguments = [f"a{k}" for k in range(len(operation.buffers))]
    arguments += [names[v] for v in operation.indices]
    width = program.width(operation.store.buffer)
    value = f"{operation.function}({', '.join(arguments)})" if operation.function else "w[0]"
    yield (
        f"#line {operation.line} {_quoted(program.path)}\n"
        f"    return uint32_t(uint64_t(hw_uint<{width}>({value})));\n}}\n"
    )


def _placed(place: int, body: Sequence[str], loops: Sequence[Loop], width: int) -> Iterator[str]:
    """``placed_K`` of an operation."""
    names = {loop.name: f"v{k}" for k, loop in enumerate(loops)}
    yield f"static uint32_t placed_{place}(const int *i, const uint32_t *w) {{\n"
    yield from _variables(loops)
    for line in body:
        for name, variable in names.items():
            line = line.replace(f"{{{name}}}", variable)
        if width < 32:
            line = re.sub(r"^return (.*);$", rf"return \1 & {2**width - 1}u;", line)
        yield f"    {line}\n"
    yield "}\n"


def _variables(loops: Sequence[Loop]) -> Iterator[str]:
    """Variables of loops, by the iterations of those that have more than one."""
    left = len(iterations(loops))
    for k, loop in enumerate(loops):
        if loop.extent > 1:
            left -= 1
        value = f"{loop.minimum} + i[{left}]" if loop.extent > 1 else str(loop.minimum)
        yield f"    const int v{k} = {value};\n"


@dataclass(frozen=True)
class Where:
    """The number of an operation and of an access, for messages.

    With the ``operation`` itself there may be words ``w`` of its loads, one of which an address is.
    """

    number: int
    access: int
    operation: Operation | None = None

    def element(self, element: Element, number: str) -> str:
        """The value of an element in which a subscript lies, in C++."""
        stored = f"amber::stored({number}, {self.number}, {self.access})"
        place = None if self.operation is None else self.operation.place_of(element)
        return f"int({stored})" if place is None else f"int(w ? w[{place}] : {stored})"


def _number(access: Access, names: dict[str, str], program: Program, where: Where) -> str:
    """The number of an element, that of none where no piece of the access holds."""
    found = "amber::NONE"
    for piece in reversed(access.pieces):
        number = _place(access.buffer, piece.subscripts, names, program, where)
        if piece.condition is None:
            found = number
        else:
            found = f"({as_cpp(piece.condition, names, program, where)}) ? {number} : {found}"
    return found


def _place(
    buffer: str,
    subscripts: Sequence[Index],
    names: dict[str, str],
    program: Program,
    where: Where,
) -> str:
    """The number of an element; subscripts that lie in buffers may be outside."""
    box = program.boxes[buffer]
    texts = [as_cpp(index, names, program, where) for index in subscripts]
    if any("amber::stored" in text for text in texts):
        lists = (f"{{{', '.join(map(str, part))}}}" for part in (texts, box.minima, box.extents))
        return f"amber::number({box.first}, {', '.join(lists)})"
    parts = [str(box.first)]
    for text, minimum, step in zip(texts, box.minima, box.steps, strict=True):
        parts.append(f"({text} - {minimum}) * {step}".replace("- -", "+ "))
    return " + ".join(parts)


_SIGNS = {"and": "&&", "or": "||", "=": "=="}


def as_cpp(index: Index, names: dict[str, str], program: Program, where: Where) -> str:
    """A subscript or a condition in C++."""
    match index:
        case Number(value):
            return str(value)
        case Name(name):
            return names[name]
        case Element(buffer, subscripts):
            number = _place(buffer, subscripts, names, program, where)
            return where.element(index, number)
        case Binary(op, left, right):
            a, b = (as_cpp(part, names, program, where) for part in (left, right))
            if op == "/":
                return f"amber::quotient({a}, {b})"
            if op in ("min", "max"):
                return f"std::{op}<int>({a}, {b})"
            if op == "%":
                return f"int(amber::modulo({a}, {b}))"
            return f"({a} {_SIGNS.get(op, op)} {b})"


def _arguments(operation: Operation, program: Program) -> Iterator[str]:
    """A value for each distinct buffer, of all its loads in order, the first in the lowest bits."""
    buffers: dict[str, list[int]] = {}
    for k, access in enumerate(operation.loads):
        buffers.setdefault(access.buffer, []).append(k)
    for number, (buffer, places) in enumerate(buffers.items()):
        width = program.width(buffer)
        yield f"    hw_uint<{width * len(places)}> a{number};\n"
        for k, place in enumerate(places):
            yield f"    a{number}.set<{width * k}, {width}>(w[{place}]);\n"


def _order_text(program: Program, forms: Sequence[Affine | None] | None) -> str:
    """``amber::run_program``; operations whose ``forms`` are given are written out."""
    head = "    uint32_t *const M = memory.data();\n    uint8_t *const W = written.data();\n"
    order = _Order(program, forms, iter(range(len(program.operations))))
    body = "".join(order.nodes(program.body, ()))
    return f"void run_program() {{\n{head if forms else ''}{body}}}\n"


@dataclass(frozen=True)
class _Order:
    """Loops around steps; ``i`` counts iterations from 0."""

    program: Program
    forms: Sequence[Affine | None] | None
    numbers: Iterator[int]

    def nodes(self, body: Sequence[Loop | Operation], loops: tuple[Loop, ...]) -> Iterator[str]:
        pad = "    " * (len(loops) + 1)
        for node in body:
            if isinstance(node, Operation):
                number = next(self.numbers)
                names = {loop.name: f"(i{k} + {loop.minimum})" for k, loop in enumerate(loops)}
                where = (as_cpp(c, names, self.program, Where(number, 0)) for c in node.conditions)
                condition = " && ".join(where)
                yield pad + (f"if ({condition}) " if condition else "")
                yield self._operation(number, loops)
            else:
                i = f"i{len(loops)}"
                yield f"{pad}for (int {i} = 0; {i} < {node.extent}; ++{i}) {{\n"
                yield from self.nodes(node.body, (*loops, node))
                yield f"{pad}}}\n"

    def _operation(self, number: int, loops: tuple[Loop, ...]) -> str:
        indices = [f"i{k}" for k in reversed(range(len(loops))) if loops[k].extent > 1]
        index = f"const int i[] = {{{', '.join(indices) or '0'}}};"
        form = self.forms[number] if self.forms else None
        if form is None:
            return f"{{ {index} step({number}, i); }}\n"
        return f"{{ {index} {self._values(number, form, indices)} }}\n"

    def _values(self, number: int, form: Affine, indices: Sequence[str]) -> str:
        """An operation whose words all have values; one that has not is the engine's step."""
        depth, groups, flat = form
        sums = "".join(
            f"const uint32_t g{g} = {' + '.join(_products(flat[depth * g :], indices)) or '0'}; "
            for g in range(groups)
        )
        elements = flat[depth * groups :]
        places = [f"{base} + g{g}" for base, g in zip(elements[::2], elements[1::2], strict=True)]
        words = ", ".join(f"M[{place}]" for place in places[:-1])
        known = " & ".join(f"W[{place}]" for place in places[:-1])
        done = f"M[{places[-1]}] = value_{number}(i, w); W[{places[-1]}] = VALUE;"
        guard = f"if (({known}) != VALUE) step({number}, i); else " if known else ""
        return f"{sums}const uint32_t w[] = {{{words or '0'}}}; {guard}{{ {done} }}"


def _products(factors: Sequence[int], indices: Sequence[str]) -> Iterator[str]:
    pairs = zip(factors, indices, strict=False)
    return (f"uint32_t({factor}) * uint32_t({i})" for factor, i in pairs if factor)


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
