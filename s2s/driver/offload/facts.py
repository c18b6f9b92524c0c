"""What a piece does with its arrays, exactly where that can be known: read, write, live-in."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import islpy as isl

from s2s.driver.offload.captures import NoPiece
from s2s.driver.offload.pieces import Piece
from s2s.driver.operations import read_nest
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.regions import candidates, functions_of
from s2s.frontends.c.typed import NotATensorNest
from s2s.frontends.c.typed.region import check_known, region_nest
from s2s.frontends.c.unit import Unit
from s2s.scop.budget import budget
from s2s.scop.lift_nest import lift_nest
from s2s.scop.nest import Nest
from s2s.scop.nodes import Scop
from s2s.scop.operation import Kind, Operation, Recognised
from s2s.source import SourceBuffer
from s2s.source.offload import Argument
from s2s.source.records import dataclass


@dataclass(frozen=True, eq=False)
class Touched:
    """Elements of an array: those that are ``read`` before they are written, and ``written``.

    Both are sets over subscripts, innermost first; ``exact`` where nothing else is touched, and
    all of that is.
    """

    read: isl.Set
    written: isl.Set
    exact: bool


@dataclass(frozen=True, eq=False)
class Facts:
    """A piece as a nest over tensors, its arguments, and what it touches by array.

    ``recognised``: its operators, where all of it is such.
    """

    piece: Piece
    nest: Nest
    arguments: tuple[Argument, ...]
    touched: dict[str, Touched]
    recognised: Recognised | None = None


def look_at(unit: Unit, pieces: Sequence[Piece]) -> list[Facts | NoPiece]:
    """The facts of pieces, or why there are none.

    All pieces become functions after the file's own text, which is parsed once.
    """
    text = unit.buffer.data.decode("utf-8", "surrogateescape") + "\n"
    names = [f"s2s_piece_{number}" for number in range(len(pieces))]
    for name, piece in zip(names, pieces, strict=True):
        text += join_text(unit, [piece], name)
    data = text.encode("utf-8", "surrogateescape")
    whole = parse_as_compiled(SourceBuffer(unit.buffer.path, data), unit.flags)
    if whole.errors:
        return [NoPiece(f"is no function of its own: {whole.errors[0].text}") for _ in pieces]
    cursors = whole.functions_by_name
    found: list[Facts | NoPiece] = []
    for name, piece in zip(names, pieces, strict=True):
        try:
            found.append(_facts(whole, cursors[name], name, piece))
        except NoPiece as why:
            found.append(why)
        except isl.Error as error:
            found.append(NoPiece(f"takes too long to look at: {error}"))
    return found


def join_text(
    unit: Unit,
    pieces: Sequence[Piece],
    name: str,
    inputs: Collection[str] = (),
    private: Collection[str] = (),
) -> str:
    """Pieces, one after the other, as one function.

    ``inputs`` are arrays that it does not write, ``private`` those that it keeps to itself.
    """
    captured = {c.name: c for piece in pieces for c in piece.captured}
    words = ", ".join(
        c.parameter(const=c.name in inputs) for c in captured.values() if c.name not in private
    )
    lines = [f"void {name}({words})", "{"]
    for one in captured.values():
        if one.name in private:
            lines.append(f"    {one.local()};")
    assumed = {name: one for piece in pieces for name, one in piece.assumed.items()}
    lines += [f"    const {one.type} {name} = {one};" for name, one in assumed.items()]
    lines += [f"    {line};" for line in dict.fromkeys(o for piece in pieces for o in piece.own)]
    lines += [indent(piece.text(unit), piece.column(unit), 4) for piece in pieces]
    return "\n".join([*lines, "}", ""])


def indent(text: str, column: int, to: int) -> str:
    """A statement's text that began in a column, moved to another one."""
    first, *rest = text.split("\n")
    shifted = []
    for line in rest:
        own = len(line) - len(line.lstrip())
        shifted.append(" " * max(0, own + to - column) + line.lstrip())
    return "\n".join([" " * to + first, *shifted])


def _facts(unit: Unit, cursor: object, name: str, piece: Piece) -> Facts:
    nest = _nest(unit, cursor, name, piece)
    with budget():
        scop = lift_nest(nest)
        touched = _with_scalars(_touched(scop), piece)
    arguments = []
    for captured in piece.captured:
        one = touched.get(captured.name)
        if one is None:
            continue
        extents = captured.extents
        if extents[0] == 0:
            extents = (_reach(one, captured.name), *extents[1:])
        way = direction(one, extents)
        if way == "in" and captured.is_constant:
            way = "constant"
        arguments.append(Argument(captured.name, captured.type, extents, way))
    missing = set(touched) - {a.name for a in arguments}
    missing = {n for n in missing if not scop.arrays[n].confined}
    if missing:
        raise NoPiece(f"touches '{min(missing)}', which is no array of the program's")
    if not any(a.is_written for a in arguments):
        raise NoPiece("writes no array")
    return Facts(piece, nest, tuple(arguments), touched, _recognised(unit, name))


def _nest(unit: Unit, cursor: object, name: str, piece: Piece) -> Nest:
    """The nest of a function in which all values are known. Raises NoPiece."""
    try:
        nest = region_nest(name, unit, {})
        check_known(nest, unit.convert(cursor))
    except NotATensorNest as error:
        raise NoPiece(_in_the_file(error.reason, piece), piece.node.span) from None
    return nest


def _in_the_file(reason: str, piece: Piece) -> str:
    """A reason with what the file calls the things that are called otherwise in a region."""
    for one in piece.captured:
        if one.is_scalar:
            reason = reason.replace(f"{one.alias}[0]", one.expression[1:])
        elif one.alias:
            reason = reason.replace(one.alias, one.expression)
    return reason


def _recognised(unit: Unit, name: str) -> Recognised | None:
    """The operators of a function, if its loops are nothing else."""
    function = next(functions_of(unit, [unit.functions_by_name[name]]), None)
    if function is None:
        return None
    nests = [read_nest(function, attempt) for attempt in candidates(function)]
    if any(nest.finals or nest.needs or nest.optional for nest in nests):
        return None  # right where the program asks for something first
    found = [nest.found for nest in nests]
    if not found or not all(isinstance(one, Recognised) for one in found):
        return None
    (first, *others) = found
    if others or not isinstance(first, Recognised):
        return None
    return None if any(map(_is_mixed, first.operations)) else first


def _is_mixed(operation: Operation) -> bool:
    """Whether a product is one of narrower integers, whose shifts the targets' reader knows."""
    types = {o.type for o in operation.operands}
    return operation.kind is Kind.MATMUL and len(types) > 1


def _touched(scop: Scop) -> dict[str, Touched]:
    """By array, with the flow inside of the piece taken out of what it reads."""
    space = isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0)
    reads, writes, sure = (isl.UnionMap.empty(space) for _ in range(3))
    order = isl.UnionMap.empty(space)
    inexact: set[str] = set()
    for statement in scop.statements:
        order = order.union(isl.UnionMap.from_map(statement.schedule))
        for access in statement.accesses:
            relation = access.elements.intersect_domain(statement.domain)
            one = isl.UnionMap.from_map(relation)
            if access.write:
                writes = writes.union(one)
                if access.exact and statement.exact:
                    sure = sure.union(one)
            else:
                reads = reads.union(one)
            if not (access.exact and statement.exact):
                inexact.add(access.array)
    flow = (
        isl.UnionAccessInfo.from_sink(reads)
        .set_must_source(sure)
        .set_schedule_map(order)
        .compute_flow()
    )
    before, after = flow.get_must_no_source().range(), writes.range()
    found = {}
    for name in scop.arrays:
        read, written = _of_array(before, name), _of_array(after, name)
        rank = scop.arrays[name].rank
        empty = isl.Set.empty(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, rank).set_tuple_name(
            isl.dim_type.set, name))  # fmt: skip
        if read is not None or written is not None:
            found[name] = Touched(
                empty if read is None else read,
                empty if written is None else written,
                name not in inexact,
            )
    return found


def _with_scalars(touched: dict[str, Touched], piece: Piece) -> dict[str, Touched]:
    """Scalars that are passed count as read: what a branch asks of them is no statement's access.

    Raises NoPiece for arrays that no statement seems to touch.
    """
    found = dict(touched)
    for one in piece.captured:
        if one.is_scalar:
            element = isl.Set(f"{{ {one.name}[i0] : i0 = 0 }}")
            known = found.get(one.name, Touched(element, element.subtract(element), True))
            found[one.name] = Touched(element, known.written, known.exact)
        elif one.name not in found:
            raise NoPiece(f"what it does with '{one.expression or one.name}' is not known")
    return found


def _of_array(elements: isl.UnionSet, name: str) -> isl.Set | None:
    found = None
    for place in range(elements.get_set_list().n_set()):
        one = elements.get_set_list().get_at(place)
        if one.get_tuple_name() == name:
            found = one if found is None else found.union(one)
    return found


def _reach(one: Touched, name: str) -> int:
    """How many elements there have to be in the outermost dimension of what a pointer leads to."""
    largest = 0
    for elements in (one.read, one.written):
        if not elements.is_empty():
            outermost = elements.dim(isl.dim_type.set) - 1
            last = elements.dim_max_val(outermost)
            if not last.is_int() or elements.dim_min_val(outermost).is_neg():
                raise NoPiece(f"the extent of '{name}' is not known")
            largest = max(largest, last.to_python() + 1)
    return largest


def direction(one: Touched, extents: Sequence[int]) -> str:
    """Whether an array, extents outermost first, goes to the device, comes back, or both."""
    if one.written.is_empty():
        return "in"
    box = isl.Set.universe(one.written.get_space())
    for place, extent in enumerate(reversed(extents)):
        low, high = (isl.Val.int_from_si(isl.DEFAULT_CONTEXT, v) for v in (0, extent - 1))
        box = box.lower_bound_val(isl.dim_type.set, place, low)
        box = box.upper_bound_val(isl.dim_type.set, place, high)
    if one.exact and one.read.is_empty() and box.is_subset(one.written):
        return "out"
    return "inout"


def join_touched(parts: Sequence[Touched]) -> Touched:
    """What pieces that run one after the other touch of an array."""
    first, *others = parts
    read, written, exact = first.read, first.written, first.exact
    sure = first.written if first.exact else first.written.subtract(first.written)
    for part in others:
        read = read.union(part.read.subtract(sure))
        written = written.union(part.written)
        sure = sure.union(part.written) if part.exact else sure
        exact = exact and part.exact
    return Touched(read, written, exact)
