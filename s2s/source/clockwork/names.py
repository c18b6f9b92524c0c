"""Whether the names of a program agree: buffers, loops, operations, numbers of subscripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from s2s.source.clockwork.indices import Element, Index, Name, names, range_of
from s2s.source.clockwork.problems import meant, note, problem
from s2s.source.clockwork.programs import Access, Loop, Operation, Piece, Program


def with_tables(program: Program) -> Program:
    """The program with dynamic subscripts that name a buffer as elements of it.

    The subscripts that follow are the element's: as many as others give that buffer.
    """
    plain = [
        access
        for operation, _ in program.operations
        for access in operation.accesses
        if not access.dynamic
    ]
    ranks = {access.buffer: len(access.subscripts) for access in plain}
    if len(plain) == sum(len(o.accesses) for o, _ in program.operations):
        return program

    def change(node: Loop | Operation) -> Loop | Operation:
        if isinstance(node, Loop):
            return replace(node, body=tuple(map(change, node.body)))
        loads = tuple(_with_tables(load, ranks) for load in node.loads)
        return replace(node, loads=loads, store=_with_tables(node.store, ranks))

    return replace(program, body=tuple(map(change, program.body)))


def _with_tables(access: Access, ranks: Mapping[str, int]) -> Access:
    if not access.dynamic:
        return access
    found: list[Index] = []
    rest = list(access.subscripts)
    while rest:
        index = rest.pop(0)
        if isinstance(index, Name) and index.name in ranks:
            count = ranks[index.name]
            index, rest = Element(index.name, tuple(rest[:count])), rest[count:]
        found.append(index)
    return replace(access, pieces=(Piece(None, tuple(found)),))


def check_names(program: Program) -> None:
    """Raise UserError for names that do not agree, at the line and with the operation at fault."""
    if not program.operations:
        raise problem(f"program '{program.name}' has no operations", program.at)
    _check_operations(program)
    _check_ranks(program)
    stored = {o.store.buffer: o for o, _ in program.operations}
    known = {*program.inputs, *stored}
    for operation, _ in program.operations:
        for access in operation.accesses:
            for buffer in [e.buffer for e in access.elements]:
                _check_buffer(operation, access, buffer, known)
        for load in operation.loads:
            _check_buffer(operation, load, load.buffer, known)
        if operation.store.buffer in program.inputs:
            text = f"{operation.name} stores to '{operation.store.buffer}', which is an input"
            raise problem(text, operation.store.at)
    for output in program.outputs:
        if output not in stored:
            text = f"output '{output}' is stored by no operation{meant(output, stored)}"
            raise problem(text, program.streams[output])
    for buffer, at in ((b, stored[b].store.at) for b in stored):
        _check_use(program, buffer, stored[buffer], at)


def _check_buffer(operation: Operation, access: Access, buffer: str, known: Iterable[str]) -> None:
    if buffer not in known:
        text = f"{operation.name} loads '{buffer}', which is no input and stored by no operation"
        raise problem(text + meant(buffer, known), access.at)


def _check_use(program: Program, buffer: str, operation: Operation, at: object) -> None:
    """A buffer that nobody loads may be a misspelt one, where another is like it."""
    used = {load.buffer for o, _ in program.operations for load in o.loads}
    used |= {e.buffer for o, _ in program.operations for a in o.accesses for e in a.elements}
    if buffer in used or buffer in program.outputs:
        return
    text = f"{operation.name} stores to '{buffer}', which is no output and loaded by no operation"
    raise problem(text + meant(buffer, {*used, *program.outputs}), operation.store.at)


def _check_operations(program: Program) -> None:
    seen: dict[str, Operation] = {}
    for operation, loops in program.operations:
        if operation.name in seen:
            where = note("the first one", seen[operation.name].at)
            raise problem(f"two operations are named '{operation.name}'", operation.at, where)
        seen[operation.name] = operation
        inside: set[str] = set()
        for loop in loops:
            if loop.name in inside:
                raise problem(f"loop '{loop.name}' is inside another of that name", loop.at)
            inside.add(loop.name)
        for name in operation.indices:
            if name not in inside:
                text = f"{operation.name} needs '{name}', which no loop around has"
                raise problem(text + meant(name, inside), operation.at)
        if not operation.function and len(operation.loads) != 1:
            text = f"{operation.name} has no function and {len(operation.loads)} loads"
            raise problem(f"{text}; without a function it would copy its only load", operation.at)
        _check_subscripts(operation, loops)


def _check_subscripts(operation: Operation, loops: tuple[Loop, ...]) -> None:
    """Every variable is a loop's, every subscript affine."""
    within = {loop.name: (loop.minimum, loop.minimum + loop.extent - 1) for loop in loops}
    for access in operation.accesses:
        parts: list[Index] = [i for piece in access.pieces for i in piece.subscripts]
        parts += [i for element in access.elements for i in element.subscripts]
        conditions = [p.condition for p in access.pieces if p.condition is not None]
        verb = "stores to" if access is operation.store else "loads"
        for index in (*parts, *conditions, *operation.conditions):
            for name in sorted(names(index) - set(within)):
                text = f"{operation.name} {verb} '{access.buffer}' at '{name}', which no loop"
                raise problem(f"{text} around has{meant(name, within)}", access.at)
        for index in parts:
            try:
                range_of(index, within)
            except ValueError as error:
                text = f"{operation.name} {verb} '{access.buffer}': {error}"
                raise problem(f"{text}; legal are sums of loops' variables times numbers, floor"
                              "(e/n) and e % n", access.at) from None  # fmt: skip


def _check_ranks(program: Program) -> None:
    """Every buffer has one number of subscripts, and all are within its bounds."""
    seen: dict[str, tuple[int, Operation, Access]] = {}
    for operation, loops in program.operations:
        within = {loop.name: (loop.minimum, loop.minimum + loop.extent - 1) for loop in loops}
        for access in operation.accesses:
            for piece in access.pieces:
                count = len(piece.subscripts)
                before = seen.setdefault(access.buffer, (count, operation, access))
                if before[0] != count:
                    text = f"{operation.name}: '{access.buffer}' has {count} subscripts here and"
                    where = note(f"by {before[1].name}", before[2].at)
                    raise problem(f"{text} {before[0]} elsewhere", access.at, where)
                _check_bounds(program, operation, access, piece, within)


def _check_bounds(
    program: Program,
    operation: Operation,
    access: Access,
    piece: Piece,
    within: Mapping[str, tuple[int, int]],
) -> None:
    bounds = program.bounds.get(access.buffer)
    if bounds is None:
        return
    if len(bounds) != len(piece.subscripts):
        text = f"{operation.name}: '{access.buffer}' has {len(piece.subscripts)} subscripts,"
        raise problem(f"{text} and bounds of {len(bounds)} dimensions", access.at)
    for size, index in zip(bounds, piece.subscripts, strict=True):
        found = range_of(index, within)
        if found is not None and piece.condition is None and not 0 <= found[0] <= found[1] < size:
            reach = found[0] if found[0] < 0 else found[1]
            verb = "stores to" if access is operation.store else "loads"
            text = f"{operation.name} {verb} '{access.buffer}' at {reach}, outside of its bounds"
            raise problem(f"{text} (0 to {size - 1})", access.at)
