"""A C++ file through libclang with headers of our own: ``Halide.h`` and the standard library's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex

from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.kept import keep, kept_place

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


_ALWAYS = (*_FLAGS, "-I", INCLUDES, "-isystem", _STANDARD, "-isystem", _EXTRA)
_INCOMPLETE = cindex.TranslationUnit.PARSE_INCOMPLETE
_FOR_MANY = 0x10
"""The option for a unit that is saved for others (CXTranslationUnit_ForSerialization)."""


@cache
def _virtual_files() -> list[tuple[str, str]]:
    text = '#include "s2s_std.h"\n'
    files = [(f"{_STANDARD}/{name}", text) for name in _STANDARD_HEADERS]
    for name in _HALIDE_HEADERS:
        files += [(f"{_STANDARD}/{name}", '#include "Halide.h"\n')]
        files += [(f"{_STANDARD}/tools/{name}", '#include "Halide.h"\n')]
    return [*files, (f"{_EXTRA}/halide_trace_config.h", _TRACE)]


@cache
def _index() -> Any:
    return cindex.Index.create()


def parse(buffer: SourceBuffer, flags: Sequence[str] = ()) -> Any:
    """The translation unit of a Halide program. Raises UserError with what libclang says."""
    chosen = _chosen(flags)
    header = _precompiled() if _begins_with_halide(buffer, chosen) else None
    unit = _parsed(buffer, [*chosen, "-include-pch", header] if header else chosen)
    if header and any("PCH" in d.spelling or "AST file" in d.spelling for d in unit.diagnostics):
        unit = _parsed(buffer, chosen)
    for error in unit.diagnostics:
        if error.severity >= cindex.Diagnostic.Error and not _harmless(error):
            raise UserError(_said(error, buffer))
    return unit


def _parsed(buffer: SourceBuffer, arguments: Sequence[str]) -> Any:
    files = [*_virtual_files(), (buffer.path, buffer.data.decode("utf-8", "replace"))]
    try:
        return _index().parse(buffer.path, [*_ALWAYS, *arguments], files)
    except cindex.TranslationUnitLoadError:
        raise UserError(
            Diagnostic(Severity.ERROR, f"{buffer.path}: libclang cannot read it", "parse")
        ) from None


def _begins_with_halide(buffer: SourceBuffer, chosen: Sequence[str]) -> bool:
    """Whether our ``Halide.h`` is included, and no macro of the command line changes it."""
    return (
        re.search(rb'#\s*include\s*["<]Halide\.h[">]', buffer.data) is not None
        and all(word.startswith("-I") for word in chosen)
        and not Path(buffer.path).with_name("Halide.h").exists()
    )


@cache
def _precompiled() -> str | None:
    """``Halide.h`` as libclang has it in memory, kept in the user's cache.

    To read it takes five times as long as the rest of most programs.
    """
    headers = sorted(Path(INCLUDES).iterdir())
    stamps = [(str(h), h.stat().st_mtime_ns, h.stat().st_size) for h in headers]
    about = (cindex.conf.lib.clang_getClangVersion(), stamps, _ALWAYS, _virtual_files())
    place = kept_place("halide", "Halide.h", repr(about).encode(), ".pch")
    kept = keep(place, _precompile) if place else None
    return str(kept) if kept else None


def _precompile(to: Path) -> None:
    """Raises OSError where libclang cannot."""
    language = ("-x", "c++-header", *_ALWAYS[2:])
    unit = _index().parse(
        str(Path(INCLUDES, "Halide.h")), language, _virtual_files(), _INCOMPLETE | _FOR_MANY
    )
    try:
        unit.save(str(to))
    except cindex.TranslationUnitSaveError as error:
        raise OSError(str(error)) from None


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
