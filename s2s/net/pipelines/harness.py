"""A program around emitted C: it calls the function on what it reads, and writes what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.scop.expressions import BOOL, Type
from s2s.scop.nest import Argument

POISON = 0xCB
"""The byte that outputs are filled with beforehand; as a number of any type it stands out."""

_TEXT = """\
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int {function}({signature});

static void get(void *to, size_t size)
{{
    if (size != 0 && fread(to, 1, size, stdin) != size)
        exit(3);
}}

static void *room(uint64_t size, bool output)
{{
    unsigned char *made = malloc(size);
    if (made == NULL)
        exit(4);
    if (output)
        memset(made, {poison}, size);
    else
        get(made, size);
    return made;
}}

int main(void)
{{
    const struct rlimit limit = {{{seconds}, {seconds}}};
    uint64_t sizes[{count}];
    setrlimit(RLIMIT_CPU, &limit);
    while (fread(sizes, sizeof sizes, 1, stdin) == 1) {{
{read}
        const int32_t status = {function}({call});
        fwrite(&status, sizeof status, 1, stdout);
{write}
        fflush(stdout);
{free}
    }}
    return 0;
}}
"""


def program(function: str, arguments: Sequence[Argument], seconds: int) -> str:
    """The text of the program.

    It reads calls until there are no more: the sizes in bytes of all arrays as uint64, then all
    arguments but outputs in their order; and writes the status and the outputs of each.
    """
    names, read, write, free = [], [], [], []
    types = []
    count = 0
    for place, argument in enumerate(arguments):
        for component, type in enumerate(_components(argument)):
            name = f"a{place}_{component}"
            names.append(name)
            if argument.tensor is None:
                types.append(c_type(type))
                read += [f"{c_type(type)} {name};", f"get(&{name}, sizeof {name});"]
                continue
            types.append(f"{'' if argument.output else 'const '}{c_type(type)} *")
            output = "true" if argument.output else "false"
            read.append(f"{c_type(type)} *{name} = room(sizes[{count}], {output});")
            if argument.output:
                write.append(f"fwrite({name}, 1, sizes[{count}], stdout);")
            free.append(f"free({name});")
            count += 1
    return _TEXT.format(
        function=function,
        signature=", ".join(types) or "void",
        call=", ".join(names),
        poison=POISON,
        seconds=seconds,
        count=max(count, 1),
        read=_lines(read),
        write=_lines(write),
        free=_lines(free),
    )


def _components(argument: Argument) -> tuple[Type, ...]:
    return (argument.type,) if argument.tensor is None else argument.tensor.types


def c_type(type: Type) -> str:
    """The C type of an argument's elements."""
    if type == BOOL:
        return "bool"
    if type.is_float and type.bits == 16:
        return "uint16_t"
    if type.is_float:
        return "float" if type.bits == 32 else "double"
    return f"{type.code}{type.bits}_t"


def _lines(statements: Sequence[str]) -> str:
    return "\n".join(_indented(statements))


def _indented(statements: Sequence[str]) -> Iterator[str]:
    for statement in statements:
        yield f"        {statement}"
