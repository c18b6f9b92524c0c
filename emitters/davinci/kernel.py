"""CCE C: a program as the text that AKG's compiler takes, and g++ with ``__CCE_KT_TEST__``."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.cce import (
    Argument,
    Buffer,
    Call,
    Loop,
    Note,
    Number,
    Operand,
    Place,
    Program,
    Statement,
)

_SPACES = {"ub": "__ubuf__", "l1": "__cbuf__"}
_HEAD = """\
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
"""


def print_program(program: Program) -> str:
    """The file's text; comments that begin with "davinci:" say how it is to be called."""
    return "\n".join([*_lines(program), ""])


def _lines(program: Program) -> Iterator[str]:
    yield f"// {program.name} for DaVinci: " + "; ".join(program.about)
    yield f"// davinci: blocks {program.blocks}"
    for argument in program.arguments:
        direction = "out" if argument.is_output else "in"
        yield f"// davinci: {direction} {argument.name} {' '.join(map(str, argument.extents))}"
    yield from _HEAD.splitlines()
    yield ""
    arguments = ", ".join(map(_argument, program.arguments))
    yield f'extern "C" __global__ __aicore__ void {program.name}({arguments}) {{'
    yield from (f"    {_buffer(buffer)}" for buffer in program.buffers)
    for statement in program.body:
        yield from _statement(statement, "    ")
    yield "}"


def _argument(argument: Argument) -> str:
    return f"__gm__ {argument.element} *__restrict__ {argument.name}"


def _buffer(buffer: Buffer) -> str:
    space = _SPACES[buffer.space]
    declared = (
        f"{space} {buffer.element} *{buffer.name} = ({space} {buffer.element} *)({buffer.address});"
    )
    return f"{declared}  // {buffer.size} bytes"


def _statement(statement: Statement, indent: str) -> Iterator[str]:
    match statement:
        case Note(text):
            yield f"{indent}// {text}"
        case Call(name, operands):
            yield f"{indent}{name}({', '.join(map(_operand, operands))});"
        case Loop(variable, extent, body, first, step, limit):
            start, end = print_number(first), print_number(first.shifted(extent))
            bound = f"{variable} < {end}" + (f" && {variable} < {limit}" if limit else "")
            move = f"{variable}++" if step == 1 else f"{variable} += {step}"
            yield f"{indent}for (int {variable} = {start}; {bound}; {move}) {{"
            for inner in body:
                yield from _statement(inner, indent + "    ")
            yield f"{indent}}}"


def _operand(operand: Operand) -> str:
    if isinstance(operand, str):
        return operand
    if isinstance(operand, Place):
        offset = print_number(operand.offset)
        return operand.array if offset == "0" else f"{operand.array} + {offset}"
    return print_number(operand)


def print_number(number: Number) -> str:
    """A sum of multiples of variables: ``2 * oy + ox + 3``."""
    parts = [
        name if times == 1 else f"{name} * {times}" for name, times in number.terms.items() if times
    ]
    if number.constant or not parts:
        parts.append(str(number.constant))
    return " + ".join(parts).replace("+ -", "- ")
