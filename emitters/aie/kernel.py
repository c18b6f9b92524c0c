"""A kernel as one plain function in the style that the vendor's compiler takes.

Intrinsics and their arguments: facts 1.1. The text compiles with g++ against
``simulators/aie/include/aie_intrinsics.h``, too, and computes the same there.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.emitters.aie import floats, limits, maxima, products
from s2s.emitters.aie.elements import c_type, literal
from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import (
    AddVector,
    ConstantVector,
    Datapath,
    Declare,
    Finish,
    Kernel,
    KernelLoop,
    KernelNest,
    LoadPart,
    Maximum,
    Multiply,
    Operation,
    PackedArray,
    Pointer,
    Put,
    Receive,
    Register,
    Selection,
    Send,
    Start,
    Widen,
)

INDENT = "    "
HEADER = "aie_intrinsics.h"


def emit(kernel: Kernel) -> str:
    """The text of a kernel: includes, a comment about its arrays, one function."""
    lines = [f'#include "{HEADER}"', "", *_comment(kernel)]
    ends = floats if kernel.datapath.is_float else limits
    if not kernel.datapath.is_float and not kernel.compares:
        lines.append(f"#define {_shift(kernel)} {kernel.shift}")
    lines += map(_constant, (*kernel.constants, *ends.constants(kernel)))
    lines.append("")
    lines.append(f"void {kernel.name}({', '.join(map(_parameter, kernel.arrays))})")
    lines.append("{")
    lines += [f"{INDENT}{call};" for call in _modes(kernel, True)]
    lines += [INDENT + line for line in ends.declare_numbers(kernel)]
    for nest in kernel.nests:
        lines += [INDENT + line for line in _Nest(kernel, nest).lines()]
    lines += [f"{INDENT}{call};" for call in _modes(kernel, False)]
    lines.append("}")
    return "\n".join(lines) + "\n"


def _shift(kernel: Kernel) -> str:
    return f"{kernel.name.upper()}_SHIFT"


def _constant(constant: ConstantVector) -> str:
    values = ", ".join([literal(constant.value)] * constant.lanes)
    name = f"{constant.name}[{constant.lanes}]"
    return f"alignas(32) static const {scalar_type(constant.type)} {name} = {{{values}}};"


def _modes(kernel: Kernel, is_start: bool) -> Iterator[str]:
    """Rounding and saturation of results, and back to what holds by default."""
    if kernel.rounds:
        yield f"set_rnd({'rnd_pos_inf' if is_start else 'rnd_floor'})"
    if kernel.saturates:
        yield "set_sat()" if is_start else "clr_sat()"


def _comment(kernel: Kernel) -> Iterator[str]:
    """Sizes in the form that the simulator reads, too; arrays are aligned as vectors are."""
    yield f"/* {kernel.macs} {'comparisons' if kernel.compares else 'multiplications'}"
    for array in kernel.arrays:
        way = ("inout" if array.is_input else "out") if array.is_output else "in"
        names = [f"d{k}" for k in range(len(array.source.extents))]
        layout = "" if array.is_natural else f" packed as {array.layout.describe(names)}"
        yield f" * s2s: {way} {scalar_type(array.type)} {array.name}[{array.size}]{layout}"
    places = [f"{a.name} at {a.place:#x}" for a in kernel.arrays if a.place is not None]
    if places:
        yield f" * memory: {', '.join(places)} (double banks of 8 KB)"
    for note in kernel.notes:
        yield f" * {note}"
    yield " */"


def _parameter(array: PackedArray) -> str:
    const = "" if array.is_output else "const "
    return f"{const}{scalar_type(array.type)} *restrict {array.name}"


def scalar_type(type_: Type) -> str:
    """The C type of elements."""
    return c_type(type_)


def _vector(type_: Type, lanes: int) -> str:
    if type_.is_float:
        return f"v{lanes}float"
    return f"v{lanes}{'u' if type_.code == 'uint' else ''}int{type_.bits}"


def accumulator_type(datapath: Datapath) -> str:
    """The C type of sums."""
    if datapath.is_float:
        return f"v{datapath.lanes}float"
    return f"v{datapath.lanes}acc{datapath.accumulator_bits}"


class _Nest:
    """Prints one loop nest."""

    def __init__(self, kernel: Kernel, nest: KernelNest) -> None:
        self.kernel = kernel
        self.nest = nest

    def lines(self) -> list[str]:
        found: list[str] = []
        self._around(0, len(self.nest.loops) - self.nest.inner, 0, found)
        return found

    def _around(self, level: int, outer: int, depth: int, to: list[str]) -> None:
        if level < outer:
            loop = self.nest.loops[level]
            to.append(f"{INDENT * depth}{_head(loop)} {{")
            self._around(level + 1, outer, depth + 1, to)
            to.append(f"{INDENT * depth}}}")
            return
        braces = depth == 0 and len(self.kernel.nests) > 1
        if braces:
            to.append("{")
            depth += 1
        self._define_pointers(self._late(), outer, depth, to)
        for op in self.nest.before:
            self._print(op, depth, to)
        self._inner(outer, depth, to)
        for op in self.nest.after:
            self._print(op, depth, to)
        if braces:
            to.append("}")

    def _inner(self, level: int, depth: int, to: list[str]) -> None:
        """The loops inside ``before`` and ``after``, and the body."""
        loops = self.nest.loops
        last = level >= len(loops) - 1
        if last:
            names = {pointer.name for pointer in self.nest.pointers}
            self._define_pointers(names - self._late(), level, depth, to)
            for op in self.nest.hoisted:
                self._print(op, depth, to)
        if level >= len(loops):
            self._body(None, depth, to)
            return
        trips = loops[level].trips
        pragma = f" chess_prepare_for_pipelining chess_loop_range({trips}, {trips})"
        to.append(f"{INDENT * depth}{_head(loops[level])}{pragma if last else ''} {{")
        if last:
            self._body(loops[level], depth + 1, to)
        else:
            self._inner(level + 1, depth + 1, to)
        to.append(f"{INDENT * depth}}}")

    def _body(self, loop: KernelLoop | None, depth: int, to: list[str]) -> None:
        for op in self.nest.body:
            self._print(op, depth, to)
        for pointer in self.nest.pointers:
            step = pointer.step(loop.name) if loop is not None else 0
            if step and pointer.name not in self._late():
                to.append(f"{INDENT * depth}{pointer.name} += {step};")

    def _late(self) -> set[str]:
        """Pointers of what stands around the innermost loops."""
        around = (*self.nest.before, *self.nest.after)
        return {op.pointer for op in around if isinstance(op, LoadPart | Finish)}

    def _define_pointers(self, names: set[str], level: int, depth: int, to: list[str]) -> None:
        for pointer in self.nest.pointers:
            if pointer.name not in names:
                continue
            array = self.kernel.array(pointer.array)
            const = "" if array.is_output else "const "
            value = " + ".join([pointer.array, *self._offsets(pointer, level)])
            type_ = f"{const}{scalar_type(array.type)} *restrict"
            to.append(f"{INDENT * depth}{type_} {pointer.name} = {value};")

    def _offsets(self, pointer: Pointer, level: int) -> Iterator[str]:
        if pointer.offset:
            yield str(pointer.offset)
        for loop in self.nest.loops[:level]:
            step = pointer.step(loop.name)
            if step:
                yield f"{step} * {loop.name}"

    def _print(self, op: Operation, depth: int, to: list[str]) -> None:
        to += [INDENT * depth + line for line in self._operation(op).splitlines()]

    def _operation(self, op: Operation) -> str:
        match op:
            case Declare(register):
                type_ = _vector(register.type, register.lanes)
                return f"{type_} {register.name} = undef_{type_}();"
            case LoadPart():
                return self._load(op)
            case Multiply():
                return self._multiply(op)
            case Start(name, None):
                type_ = accumulator_type(self.kernel.datapath)
                return f"{type_} {name} = null_{type_}();"
            case Start(name, register, shift):
                assert register is not None
                type_ = accumulator_type(self.kernel.datapath)
                return f"{type_} {name} = {_raised(register, self.kernel.datapath, shift)};"
            case AddVector(name, register):
                return f"{name} = fpadd({name}, {register.name});"
            case Finish():
                return self._finish(op)
            case Receive(name):
                return _received(name, self.kernel.datapath)
            case Send(name):
                return _sent(name, self.kernel.datapath)
            case Widen() | Maximum() | Put():
                return maxima.operation(self.kernel, op)

    def _load(self, op: LoadPart) -> str:
        count = min(256 // op.register.type.bits, op.register.lanes)
        place = f"{op.pointer} + {op.offset}" if op.offset else op.pointer
        type_ = _vector(op.register.type, count)
        value = f"*(const {type_} *)({place})"
        if op.register.lanes == count:
            return f"{type_} {op.register.name} = {value};"
        return f"{op.register.name} = upd_w({op.register.name}, {op.part}, {value});"

    def _multiply(self, op: Multiply) -> str:
        datapath = self.kernel.datapath
        letter = "l" if datapath.accumulator_bits == 80 else ""
        first, next_ = ("negmul", "msc") if self.kernel.negative else ("mul", "mac")
        name = f"{letter}{first if op.is_first else next_}{datapath.lanes}"
        if datapath.is_float:
            first, next_ = ("fpneg_mul", "fpmsc") if self.kernel.negative else ("fpmul", "fpmac")
            name = first if op.is_first else next_
        x = _operand(op.x, op.x_start, op.x_selection, datapath, is_x=True)
        z = _operand(op.z, op.z_start, op.z_selection, datapath, is_x=False)
        if op.is_first:
            type_ = accumulator_type(datapath)
            return f"{type_} {op.accumulator} = {name}({x}, {z});"
        return f"{op.accumulator} = {name}({op.accumulator}, {x}, {z});"

    def _finish(self, op: Finish) -> str:
        output = self.kernel.output
        if self.kernel.datapath.is_float:
            place = f"{op.pointer} + {op.offset}" if op.offset else op.pointer
            return f"*(v8float *)({place}) = {floats.finished(self.kernel, op.accumulator)};"
        lanes, shift = self.kernel.datapath.lanes, _shift(self.kernel)
        place = f"{op.pointer} + {op.offset}" if op.offset else op.pointer
        name = _narrowing(self.kernel.datapath, output.type)
        value = f"{name}({op.accumulator}, {shift})"
        if op.factor is not None:
            return self._finish_wide(op, place, *products.multiplied(self.kernel, op))
        if (self.kernel.least, self.kernel.most) != (None, None):
            wide = _narrowing(self.kernel.datapath, Type("int", 32))
            return self._finish_wide(op, place, "", f"{wide}({op.accumulator}, {shift})")
        if lanes * output.type.bits <= 256:
            return f"*({_vector(output.type, lanes)} *)({place}) = {value};"
        return _stored_in_halves(place, _vector(output.type, lanes // 2), lanes, value)

    def _finish_wide(self, op: Finish, place: str, before: str, sums: str) -> str:
        """The sum as 32-bit numbers, these limited, and then as elements."""
        datapath, type_ = self.kernel.datapath, self.kernel.output.type
        value = limits.limited(self.kernel, sums)
        if datapath.lanes == 8:
            value = value if value == sums else f"ext_w({value}, 0)"
            return f"{before}*(v8int32 *)({place}) = {value};"
        if type_.bits == 32:
            return before + _stored_in_halves(place, "v8int32", 16, value)
        halves = Register(f"{op.accumulator}_limited", Type("int", 32), 16)
        again = f"{_narrowing(datapath, type_)}({_raised(halves, datapath, 0)}, 0)"
        first = f"{before}v16int32 {halves.name} = {value};"
        return f"{first}\n*({_vector(type_, 16)} *)({place}) = {again};"


def _received(name: str, datapath: Datapath) -> str:
    """A transfer has 8 sums of 48 bits."""
    type_ = accumulator_type(datapath)
    if datapath.lanes == 8:
        return f"{type_} {name} = get_scd();"
    return (
        f"{type_} {name} = undef_{type_}();\n"
        f"{name} = upd_lo({name}, get_scd());\n{name} = upd_hi({name}, get_scd());"
    )


def _sent(name: str, datapath: Datapath) -> str:
    if datapath.lanes == 8:
        return f"put_mcd({name});"
    return f"put_mcd(ext_lo({name}));\nput_mcd(ext_hi({name}));"


def _stored_in_halves(place: str, half: str, lanes: int, value: str) -> str:
    first = f"*({half} *)({place}) = ext_w({value}, 0);"
    return f"{first}\n*({half} *)({place} + {lanes // 2}) = ext_w({value}, 1);"


def _raised(register: Register, datapath: Datapath, shift: int) -> str:
    """A vector as sums; of 512 bits by halves."""
    if datapath.is_float:
        return register.name
    if datapath.accumulator_bits == 80:
        return f"lups({register.name}, {shift})"
    if register.type.bits * register.lanes <= 256:
        return f"ups({register.name}, {shift})"
    low, high = (f"ups(ext_w({register.name}, {n}), {shift})" for n in (0, 1))
    return f"upd_hi(upd_lo(undef_{accumulator_type(datapath)}(), {low}), {high})"


def _narrowing(datapath: Datapath, type_: Type) -> str:
    """The intrinsic that shifts sums right into elements of a type."""
    if datapath.accumulator_bits == 80:
        return "srs"
    return {8: "ubsrs" if type_.code == "uint" else "bsrs", 16: "srs", 32: "lsrs"}[type_.bits]


def _head(loop: KernelLoop) -> str:
    return f"for (int {loop.name} = 0; {loop.name} < {loop.trips}; ++{loop.name})"


def _operand(
    register: Register, start: int, selection: Selection, datapath: Datapath, *, is_x: bool
) -> str:
    """Register, start, offsets, then step and square as far as the intrinsic has them."""
    squared = datapath.x_bits < 32 if is_x else datapath.z_bits < 16
    stepped = datapath.columns > 2 or (
        datapath.columns == 2 and (datapath.x_bits, is_x) != (16, True)
    )
    found = [register.name, str(start), f"0x{selection.offsets & 0xFFFFFFFF:08x}"]
    if datapath.x_bits == 16:
        found.append(f"0x{selection.offsets >> 32:08x}")
    if stepped:
        found.append(str(selection.step))
    if squared:
        found.append(f"0x{selection.square or 0:x}")
    return ", ".join(found)
