"""What belongs to a program that calls libraries: runtime, Makefile, manifest."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import s2s.emitters.libraries as printers
from s2s.driver.libraries.shares import count_nodes
from s2s.scop.operation import Recognised
from s2s.source.offload import NAME, Manifest

if TYPE_CHECKING:
    from s2s.driver.libraries.judged import Judged
    from s2s.frontends.c.unit import Unit
    from s2s.source import SourceBuffer

_DETECTION = """\
hash := \\#
has = $(shell printf '%s\\n' '$(hash)include <$(1)>' 'int main(void) {{return 0;}}' >.s2s_has.c; \\
	$(CC) .s2s_has.c -o .s2s_has $(2) 2> /dev/null && echo yes; rm -f .s2s_has .s2s_has.c)
"""
_LIBRARIES = {
    "blas": ("cblas.h", "openblas", "libopenblas.so.0", "BLAS"),
    "onednn": ("dnnl.h", "dnnl", "libdnnl.so.2", "oneDNN"),
}
"""Header, name for the linker, what can be loaded as the program runs, name for people."""
_LINKING = """\
ifeq ($(call has,{header},-l{library}),yes)
LIBRARIES += -DS2S_WITH_{macro}
ifneq ($(filter /%,$(shell $(CC) -print-file-name={file})),)
LIBRARIES += -DS2S_{macro}_FILE='"{file}"'
LINKED += -ldl
else
LINKED += -l{library}
endif
else
$(info {word} is not there: its nests stay on the host)
endif
"""
_MAKEFILE = """\
# Builds the program with the libraries that are there; without them its own loops run.
CC ?= gcc
CXX ?= g++
CFLAGS ?= -O3
LDLIBS ?= -lm
own = {flags}
{detection}
{stem}: {name} s2s_libraries.o
	$({compiler}) $(own) $(CFLAGS) $(LDFLAGS) -I. -o $@ $< s2s_libraries.o $(LINKED) $(LDLIBS)

s2s_libraries.o: s2s_libraries.c s2s_libraries.h s2s_elements.h s2s_integers.h \
		s2s_loading.h
	$(CC) $(filter -m% -f%,$(own)) $(CFLAGS) $(LIBRARIES) -c -o $@ $<

clean:
	rm -f {stem} s2s_libraries.o
"""


def compiler_of(path: str, flags: Sequence[str]) -> str:
    """What compiles a file: ``gcc``, or ``g++`` for C++."""
    from s2s.frontends.c.parse import language_is_cxx

    return "g++" if language_is_cxx(path, flags) else "gcc"


def runtime_folder() -> Path:
    """Where the runtime is, in C, and what checks its results."""
    return Path(printers.__file__).parent / "runtime"


def runtime_files() -> tuple[tuple[str, bytes], ...]:
    """What calls the libraries."""
    names = ("libraries.h", "libraries.c", "elements.h", "integers.h", "loading.h")
    return tuple((f"s2s_{n}", (runtime_folder() / f"s2s_{n}").read_bytes()) for n in names)


def detection(judged: Sequence[Judged]) -> str:
    """What finds the libraries that are called."""
    calls = [s.call for j in judged if j.edit is not None for s in j.decision.steps]
    used = {call.library for call in calls if call is not None}
    parts = (
        _LINKING.format(header=header, library=library, file=file, macro=name.upper(), word=word)
        for name, (header, library, file, word) in _LIBRARIES.items()
        if name in used
    )
    return _DETECTION.format() + "".join(parts)


def with_libraries(makefile: bytes, judged: Sequence[Judged]) -> bytes:
    """The Makefile of a program on devices that calls libraries, too."""
    text = makefile.decode().replace(
        " -lm -lpthread", " s2s_libraries.c $(LIBRARIES) $(LINKED) -lm -lpthread"
    )
    return f"{detection(judged)}\n{text}".encode()


def program_files(
    buffer: SourceBuffer, unit: Unit, flags: Sequence[str], judged: Sequence[Judged]
) -> tuple[tuple[str, bytes], ...]:
    """The Makefile and the manifest."""
    name = os.path.basename(buffer.path)
    home = os.path.dirname(os.path.abspath(buffer.path))
    words = " ".join(map(shlex.quote, [*map(_absolute, flags), f"-I{home}"]))
    stem = os.path.splitext(name)[0]
    compiler = "CXX" if unit.is_cxx else "CC"
    text = _MAKEFILE.format(
        flags=words, stem=stem, name=name, detection=detection(judged), compiler=compiler
    )
    table = json.loads(Manifest(buffer.path, name, ()).write())
    table["nests"] = _nests(unit, judged)
    nodes = count_nodes(judged)
    table["nodes"] = {"libraries": nodes.taken, "all": nodes.all}
    manifest = json.dumps(table, indent=1) + "\n"
    return (("Makefile", text.encode()), (NAME, manifest.encode()))


def _absolute(flag: str) -> str:
    if flag.startswith("-I") and len(flag) > 2:
        return f"-I{os.path.abspath(flag[2:])}"
    return flag


def _nests(unit: Unit, judged: Sequence[Judged]) -> list[dict[str, object]]:
    """Each nest: its place, what it is, who got it."""
    nests: list[dict[str, object]] = []
    for one in judged:
        location = unit.buffer.location(one.nest.attempt.span)
        found = one.nest.found
        kinds = [op.kind.value for op in found.operations] if isinstance(found, Recognised) else []
        calls = [s.call.entry for s in one.decision.steps if s.call is not None]
        nests.append(
            {
                "function": one.nest.name,
                "line": location.line,
                "operations": kinds,
                "calls": calls if one.edit is not None else [],
                "host": one.decision.reason,
            }
        )
    return nests
