"""The host's part of a kernel, as a user would write it: the source's program, packing, spreading.

A C program around the emitted header. ``host pack`` runs the source on copies of the arrays
(``SET.ARRAY.in``) and leaves what it makes of the output (``SET.wanted``) and what each core's
kernel gets (``SET.CORE.ARRAY.packed``). ``host unpack`` takes each kernel's output
(``SET.CORE.result``) and leaves the program's output (``SET.found``) and which of its elements came
from these cores (``SET.mine``) and from any core (``SET.any``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from s2s.emitters.aie.elements import c_type, table
from s2s.net.aie.data import SETS, SLACK
from s2s.net.source import ENTRY
from s2s.scop.contraction import Access, Array
from s2s.scop.cores import Cores
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.source.records import dataclass

HEADER = "kernel.h"


@dataclass(frozen=True)
class Host:
    """``arrays``: the program's own, in the order of the source's entry; ``tried``: cores."""

    kernel: Kernel
    arrays: Sequence[Array]
    cores: Cores | None
    tried: Sequence[int]

    def text(self) -> str:
        """The C program."""
        return "\n".join([*_PRELUDE, *self._main(), ""])

    def _main(self) -> Iterator[str]:
        yield f"void {ENTRY}(void **arrays);"
        yield "int main(int count, char **words)"
        yield "{"
        yield f"    for (int set = 0; set < {SETS}; set++) {{"
        for number, array in enumerate(self.arrays):
            size = f"{_elements(array) + SLACK} * sizeof({c_type(array.type)})"
            yield f"        {c_type(array.type)} *a{number} = load(set, -1, {number}, {size});"
        yield "        if (count < 2 || words[1][0] == 'p') {"
        yield from (f"            {line}" for line in self._pack())
        yield "        } else {"
        yield from (f"            {line}" for line in self._unpack())
        yield "        }"
        yield "    }"
        yield "    return 0;"
        yield "}"

    # ---- before the kernel

    def _pack(self) -> Iterator[str]:
        copies = []
        for number, array in enumerate(self.arrays):
            size = f"{_elements(array) + SLACK} * sizeof *a{number}"
            copies.append(f"copied(a{number}, {size})")
        yield f"void *arrays[] = {{{', '.join(copies)}}};"
        yield f"{ENTRY}(arrays);"
        output = self._number(self.kernel.output.name)
        size = f"{_elements(self.arrays[output]) + SLACK} * sizeof *a{output}"
        yield f'save(set, -1, "wanted", arrays[{output}], {size});'
        if self.cores is not None:
            yield from self._scattered(self.cores)
        for core in self.tried:
            for place, packed in enumerate(self.kernel.arrays):
                yield from self._packed(core, place, packed)

    def _scattered(self, cores: Cores) -> Iterator[str]:
        name = cores.whole.name
        yield self._structures(name)
        inputs = {a.array.name: a for a in cores.whole.accesses if a is not cores.whole.output}
        output, initial = cores.whole.output.array.name, cores.whole.initial
        given = [n for n, access in inputs.items() if access.array.data is None and n != output]
        if isinstance(initial, Access) and initial.array.name == output:
            given.append(output)
        words = [f"a{self._number(n)}" for n in given]
        yield f"{name}_scatter({', '.join([*words, 'cores'])});"
        yield f"{name}_exchange(cores);"

    def _packed(self, core: int, place: int, array: PackedArray) -> Iterator[str]:
        """What one core's kernel gets for one of its arrays."""
        name, type_ = f"{self.kernel.name}_{array.name}", c_type(array.type)
        source = self._source(core, array)
        yield "{"
        yield f"    {type_} *packed = room({array.size + SLACK} * sizeof({type_}));"
        if array.is_natural:
            yield from table(array.source, "    ")
            count = min(array.size, prod(array.source.memory.extents))
            yield f"    memcpy(packed, {source}, {count} * sizeof *packed);"
        elif array.is_input:
            words = ["packed"] if array.source.data is not None else [source, "packed"]
            yield f"    pack_{name}({', '.join(words)});"
        yield f'    save(set, {core}, "{place}.packed", packed, {array.size} * sizeof *packed);'
        yield "}"

    # ---- after the kernel

    def _unpack(self) -> Iterator[str]:
        output = self.kernel.output
        number = self._number(output.name)
        array = self.arrays[number]
        count = _elements(array) + SLACK
        yield f"{c_type(array.type)} *mine = calloc({count}, sizeof *mine);"
        yield f"{c_type(array.type)} *any = calloc({count}, sizeof *any);"
        if self.cores is None:
            yield from self._unpacked(0, f"a{number}")
            yield f"memset(mine, 1, {count} * sizeof *mine);"
            yield f"memset(any, 1, {count} * sizeof *any);"
        else:
            name = self.cores.whole.name
            yield self._structures(name)
            yield f"memset(cores, 1, {name}_cores * sizeof *cores);"
            yield f"{name}_gather(any, cores);"
            yield f"memset(cores, 0, {name}_cores * sizeof *cores);"
            for core in self.tried:
                yield f"memset(&cores[{core}], 1, sizeof *cores);"
            yield f"{name}_gather(mine, cores);"
            for core in self.tried:
                yield from self._unpacked(core, f"cores[{core}].{output.name}")
            yield f"{name}_gather(a{number}, cores);"
        for what, place in (("found", f"a{number}"), ("mine", "mine"), ("any", "any")):
            yield f'save(set, -1, "{what}", {place}, {count} * sizeof *mine);'

    def _unpacked(self, core: int, place: str) -> Iterator[str]:
        """One core's output to where the program has it."""
        array = self.kernel.output
        name, type_ = f"{self.kernel.name}_{array.name}", c_type(array.type)
        yield "{"
        yield f"    {type_} *packed = load(set, {core}, -1, {array.size} * sizeof({type_}));"
        if array.is_natural:
            count = min(array.size, prod(array.source.memory.extents))
            yield f"    memcpy({place}, packed, {count} * sizeof *packed);"
        else:
            yield f"    unpack_{name}(packed, {place});"
        yield "}"

    # ---- places

    def _structures(self, name: str) -> str:
        return f"struct {name}_core *cores = room({name}_cores * sizeof *cores);"

    def _source(self, core: int, array: PackedArray) -> str:
        if self.cores is not None:
            return f"cores[{core}].{array.name}"
        return array.name if array.source.data is not None else f"a{self._number(array.name)}"

    def _number(self, name: str) -> int:
        return next(n for n, array in enumerate(self.arrays) if array.name == name)


def _elements(array: Array) -> int:
    return prod(array.memory.extents)


_PRELUDE = f"""\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "{HEADER}"

/* Memory that nobody has written. */
static void *room(size_t bytes)
{{
    void *found = malloc(bytes + 1);
    if (!found) exit(3);
    return memset(found, 0x5b, bytes);
}}

static void *copied(const void *from, size_t bytes)
{{
    return memcpy(room(bytes), from, bytes);
}}

static void *load(int set, int core, int array, size_t bytes)
{{
    char name[64];
    if (core < 0) snprintf(name, sizeof name, "%d.%d.in", set, array);
    else snprintf(name, sizeof name, "%d.%d.result", set, core);
    FILE *file = fopen(name, "rb");
    void *found = room(bytes);
    if (!file || fread(found, 1, bytes, file) != bytes) exit(4);
    fclose(file);
    return found;
}}

static void save(int set, int core, const char *what, const void *from, size_t bytes)
{{
    char name[64];
    if (core < 0) snprintf(name, sizeof name, "%d.%s", set, what);
    else snprintf(name, sizeof name, "%d.%d.%s", set, core, what);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(from, 1, bytes, file) != bytes || fclose(file)) exit(5);
}}
""".splitlines()
