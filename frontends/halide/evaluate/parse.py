"""A C++ file through libclang with headers of our own: ``Halide.h`` and the standard library's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex

from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

INCLUDES = str(Path(__file__).parents[1] / "include")
_STANDARD = "/s2s/std"
"""A folder that exists only for libclang: every standard header leads to ``s2s_std.h``."""

_EXTRA = "/s2s-extra"
_TRACE = """\
#pragma once
#include "Halide.h"
namespace Halide { namespace Trace {
struct Point { int x = 0, y = 0; };
struct Label { std::string text; Point pos; int n = 0; };
struct FuncConfig {
    float zoom = 0; int load_cost = 0; int store_cost = 0; Point pos; std::vector<Point> strides;
    int color_dim = 0; float min = 0; float max = 0; std::vector<Label> labels;
    bool blank_on_end_realization = false; unsigned uninitialized_memory_color = 0;
    bool auto_label = true; std::string to_trace_tag() const { return ""; }
};
struct GlobalConfig { int timestep = 0; std::string to_trace_tag() const { return ""; } };
} }
"""
"""A header of Halide's tools, whose classes are evaluated as if they were the user's."""

_STANDARD_HEADERS = (
    *("algorithm", "any", "array", "atomic", "bitset", "cassert", "cctype", "cerrno", "cfloat"),
    *("chrono", "cinttypes", "climits", "cmath", "complex", "condition_variable", "csignal"),
    *("cstdarg", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "deque"),
    *("exception", "fstream", "functional", "future", "initializer_list", "iomanip", "ios"),
    *("iosfwd", "iostream", "istream", "iterator", "limits", "list", "locale", "map", "memory"),
    *("mutex", "new", "numeric", "optional", "ostream", "queue", "random", "ratio", "regex"),
    *("set", "sstream", "stack", "stdexcept", "streambuf", "string", "string_view"),
    *("system_error", "thread", "tuple", "type_traits", "typeindex", "typeinfo"),
    *("unordered_map", "unordered_set", "utility", "valarray", "variant", "vector"),
    *("assert.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdarg.h"),
    *("stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h"),
    *("unistd.h", "sys/time.h", "sys/types.h"),
)
_HALIDE_HEADERS = (
    *("HalideBuffer.h", "HalideRuntime.h", "halide_image_io.h", "halide_benchmark.h"),
    *("halide_image.h", "halide_image_info.h", "clock.h"),
)
_FLAGS = (
    *("-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++", "-fsized-deallocation"),
    *("-Wno-everything", "-fno-caret-diagnostics", "-ferror-limit=0", "-fno-spell-checking"),
    "-fno-access-control",
    *("-fbracket-depth=200", "-ftemplate-depth=200", "-fconstexpr-steps=100000"),
    *("-DHALIDE_WITH_EXCEPTIONS=0", "-D__s2s__=1"),
)


@cache
def _virtual_files() -> list[tuple[str, str]]:
    text = '#include "s2s_std.h"\n'
    files = [(f"{_STANDARD}/{name}", text) for name in _STANDARD_HEADERS]
    for name in _HALIDE_HEADERS:
        files += [(f"{_STANDARD}/{name}", '#include "Halide.h"\n')]
        files += [(f"{_STANDARD}/tools/{name}", '#include "Halide.h"\n')]
    return [*files, (f"{_EXTRA}/halide_trace_config.h", _TRACE)]


_KEEP = 0x4 | 0x100  # the preamble is compiled with the first parse


@cache
def _index() -> Any:
    return cindex.Index.create()


class Parser:
    """Parses texts under one name. The second text takes little time, because what it includes at
    its beginning is kept; the translation unit of the text before is gone then.
    """

    def __init__(self, flags: Sequence[str] = ()) -> None:
        self.arguments = [
            *(*_FLAGS, "-I", INCLUDES, "-isystem", _STANDARD, "-isystem", _EXTRA),
            *_chosen(flags),
        ]
        self.unit: Any = None

    def parse(self, buffer: SourceBuffer, *, again: bool = False) -> Any:
        """The translation unit of a Halide program; ``again``: more texts will follow.

        Raises UserError with what libclang says.
        """
        files = [*_virtual_files(), (buffer.path, buffer.data.decode("utf-8", "replace"))]
        try:
            if self.unit is None:
                options = _KEEP if again else 0
                index = _index()
                self.unit = index.parse(buffer.path, self.arguments, files, options)
            else:
                self.unit.reparse(files, _KEEP)
        except cindex.TranslationUnitLoadError:
            raise UserError(
                Diagnostic(Severity.ERROR, f"{buffer.path}: libclang cannot read it", "parse")
            ) from None
        unit = self.unit
        errors = [d for d in self.unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if any(d.severity == cindex.Diagnostic.Fatal for d in errors):
            self.unit = None  # libclang takes the next text for broken, too
        errors = [d for d in errors if not _harmless(d)]
        if errors:
            raise UserError(_said(errors[0], buffer))
        return unit


def _harmless(error: Any) -> bool:
    """What only says that our headers have no bodies."""
    return "is used but not defined in this translation unit" in error.spelling


def _said(error: Any, buffer: SourceBuffer) -> Diagnostic:
    """What libclang says, at a place in the user's files."""
    place = error.location
    path = place.file.name if place.file else buffer.path
    text = error.spelling
    if path.startswith((INCLUDES, _STANDARD)):
        text, path, place = f"{text} (in {Path(path).name})", buffer.path, None
    line, column = (place.line, place.column) if place is not None and place.line else (1, 1)
    return Diagnostic(
        Severity.ERROR, text, "halide", Location(path, line, column, line, column + 1)
    )


def _chosen(flags: Sequence[str]) -> list[str]:
    """The flags that say what the text is, without those for the system or the target."""
    chosen: list[str] = []
    words = iter(flags)
    for word in words:
        if word in ("-I", "-D", "-U", "-include", "-iquote"):
            chosen += [word, next(words, "")]
        elif word.startswith(("-I", "-D", "-U", "-iquote")):
            chosen.append(word)
    return chosen
