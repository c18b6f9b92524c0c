"""A parsed file of C or C++: its functions, directives and positions; the files of its program."""

from __future__ import annotations

import ctypes
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from functools import cache, cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from clang import cindex

from s2s.frontends.c import clang
from s2s.frontends.c.bodies import Body, find_bodies
from s2s.frontends.c.converter import Converter
from s2s.frontends.c.headers import Headers
from s2s.frontends.c.macro_words import Macro, read_macros
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import DirectiveLine, defined_by, directives, identifiers
from s2s.frontends.c.vectorize import VectorizePragmas, read_pragmas
from s2s.frontends.openmp.directives import Directive, parse_directive
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.graph_pragmas import GraphPragmas
    from s2s.frontends.c.harmless import Harmless

_FUNCTIONS = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR"})
_HOLDERS = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "CLASS_DECL", "STRUCT_DECL"})
OWN_INCLUDES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")


@dataclass
class Unit:
    """A parsed translation unit; functions are converted when somebody asks for one."""

    buffer: SourceBuffer
    handle: Any
    converter: Converter
    is_cxx: bool
    flags: tuple[str, ...]
    system: tuple[str, ...]
    errors: tuple[Diagnostic, ...]
    program: LinkedFiles | None = None
    headers: Headers | None = None
    """Those that were not parsed with the file, having been before."""
    read_again: list[int] = field(default_factory=lambda: [0])
    """Bytes of texts with edits that were parsed, one number for the file and all of these."""
    _converted: dict[int, list[tuple[Any, Node]]] = field(default_factory=dict, repr=False)

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Bodies of functions that a parse of edited text can do without."""
        found = () if self.is_cxx else find_bodies(self.buffer.data, self.functions())
        return tuple(sorted(found, key=lambda body: body.span.start))

    @cached_property
    def names(self) -> dict[str, Any]:
        """A cursor for each function and variable that is declared at file level."""
        own = clang.named(self._own)
        return own if self.headers is None else {**self.headers.names, **own}

    @cached_property
    def declared(self) -> tuple[Any, ...]:
        """A cursor for each declaration at file level, those of headers among them."""
        return self._own if self.headers is None else (*self.headers.declared, *self._own)

    @cached_property
    def _own(self) -> tuple[Any, ...]:
        """The same without what precompiled headers declare."""
        return tuple(clang.children(self.handle.cursor))

    @cached_property
    def harmless(self) -> Harmless:
        """Which functions of the file and its own headers only compute a value."""
        from s2s.frontends.c.harmless import Harmless

        outside = [c for c in self.names.values() if clang.kind(c) == "VAR_DECL"]
        return Harmless(
            lambda: [self.convert(c) for c in (*self._of_headers(), *self.functions())],
            lambda: [self.convert(c) for c in outside],
        )

    @cached_property
    def included(self) -> frozenset[str]:
        """The files that this one includes, directly or not."""
        names = {item.include.name for item in self.handle.get_includes()}
        known = self.headers.included if self.headers is not None else ()
        return frozenset(map(real, names.union(known)))

    @cached_property
    def directive_lines(self) -> tuple[DirectiveLine, ...]:
        """Preprocessor lines of the main file that are not skipped by a conditional."""
        lines = tuple(directives(self.buffer.data))
        skipped = self.skipped if any(line.text.startswith("if") for line in lines) else ()
        skipped = tuple(sorted(skipped, key=lambda span: span.start))
        starts = [span.start for span in skipped]
        ends = [0, *accumulate((span.end for span in skipped), max)]  # one may hold others
        return tuple(
            line for line in lines
            if ends[bisect_right(starts, line.span.start)] <= line.span.start
        )  # fmt: skip

    @cached_property
    def pragmas(self) -> tuple[Directive, ...]:
        """The OpenMP directives of the main file, in order."""
        found = (parse_directive(line.text, line.span) for line in self.directive_lines)
        return tuple(directive for directive in found if directive is not None)

    @cached_property
    def vectorize(self) -> VectorizePragmas:
        """The file's pragmas about vectorization."""
        return read_pragmas(self.buffer, self.directive_lines)

    @cached_property
    def graphs(self) -> GraphPragmas:
        """The graphs that the file declares."""
        from s2s.frontends.c.graph_pragmas import read_graph_pragmas

        return read_graph_pragmas(self.buffer, self.directive_lines)

    @cached_property
    def pragma_words(self) -> frozenset[str]:
        """``_Pragma`` and the macros of this file and its own headers that expand to it."""
        words = {"_Pragma", "__pragma"}
        if not any(b"_Pragma" in text or b"__pragma" in text for text in self.own_texts):
            return frozenset(words)
        macros: dict[str, set[str]] = {}
        for line in self._own_lines:
            if match := re.match(r"define\s+(\w+)(.*)", line.text, re.DOTALL):
                macros.setdefault(match.group(1), set()).update(
                    identifiers(match.group(2).encode())
                )
        while found := {name for name, used in macros.items() if used & words} - words:
            words |= found
        return frozenset(words)

    @cached_property
    def macro_words(self) -> frozenset[str]:
        """Names of the file's macros, and the words in their text that are no parameters.

        Macros of its own headers and of the flags are among them.
        """
        found: set[str] = set()
        for text in self.macro_texts:
            match = re.match(r"(\w+)(?:\(([^()]*)\))?(.*)", text, re.DOTALL)
            if match:
                body = identifiers(match.group(3).encode())
                found |= {match.group(1)} | (body - set(re.findall(r"\w+", match.group(2) or "")))
        return frozenset(found)

    @cached_property
    def macros(self) -> dict[str, Macro]:
        """Macros of the file, its own headers and the flags."""
        return read_macros(self.macro_texts)

    @cached_property
    def names_with_loops(self) -> frozenset[str]:
        """Names of functions of the program whose text has counted loops, or calls such."""
        from s2s.frontends.c.definitions import find_names_with_loops

        return find_names_with_loops(self)

    @cached_property
    def functions_with_roots(self) -> dict[str, frozenset[str]]:
        """Which of the library's square roots functions of the file take, by their text."""
        from s2s.frontends.c.definitions import find_functions_with_roots

        return find_functions_with_roots(self)

    @cached_property
    def spells_arguments(self) -> bool:
        """Whether one of those macros makes text of an argument."""
        return any("#" in text for text in self.macro_texts)

    @cached_property
    def macro_texts(self) -> tuple[str, ...]:
        """Names and texts of the macros of the file, its own headers and the flags."""
        found = (re.match(r"define\s+(.*)", line.text, re.DOTALL) for line in self._own_lines)
        return (*(match.group(1) for match in found if match), *defined_by(self.flags))

    @cached_property
    def own_texts(self) -> tuple[bytes, ...]:
        """The file and what it includes from other than the system's folders."""
        return (self.buffer.data, *self._own_headers())

    @cached_property
    def _own_lines(self) -> tuple[DirectiveLine, ...]:
        """The preprocessor lines in ``own_texts``."""
        return tuple(line for data in self.own_texts for line in directives(data))

    def is_system(self, path: str) -> bool:
        """Whether a file is one of the system's or ours, not of the program."""
        return real(path).startswith(outside(self.system))

    def _own_headers(self) -> Iterator[bytes]:
        names = {item.include.name for item in self.handle.get_includes()}
        for name in names.union(self.headers.included if self.headers is not None else ()):
            if not self.is_system(name):
                with suppress(OSError), open(name, "rb") as stream:
                    yield stream.read()

    @cached_property
    def skipped(self) -> tuple[Span, ...]:
        lib = cindex.conf.lib
        lib.clang_getSkippedRanges.argtypes = [cindex.TranslationUnit, ctypes.c_void_p]
        lib.clang_getSkippedRanges.restype = ctypes.POINTER(_RangeList)
        lib.clang_getFile.restype = ctypes.c_void_p
        file = lib.clang_getFile(self.handle, self.buffer.path)
        ranges = lib.clang_getSkippedRanges(self.handle, ctypes.c_void_p(file))
        if not ranges:
            return ()
        listed = ranges.contents
        spans = tuple(Span(r.start.offset, r.end.offset) for r in listed.ranges[: listed.count])
        lib.clang_disposeSourceRangeList(ranges)
        return spans

    def functions(self) -> list[Any]:
        """Cursors of the function definitions of the main file (methods and templates too)."""
        return self._functions

    @cached_property
    def functions_by_name(self) -> dict[str, Any]:
        """The same, the last one of each name: clang takes its time to tell a name."""
        return {clang.spelling(c): c for c in self._functions}

    @cached_property
    def first_by_name(self) -> dict[str, Any]:
        """The same, the first one of each name."""
        return {clang.spelling(c): c for c in reversed(self._functions)}

    def function_around(self, span: Span) -> Any | None:
        """The cursor of the function definition whose text a span is in."""
        near = None if self.is_cxx else clang.outermost_at(self.handle, span.start)
        if near is not None and self._defines(near):
            start, end, in_macro = clang.extent(near)
            if not in_macro and start <= span.start and span.end <= end:
                return near
        index = bisect_right(self._starts, span.start) - 1
        if index < 0:
            return None
        _, end, cursor = self._extents[index]
        return cursor if span.end <= end else None

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self._extents]

    @cached_property
    def _extents(self) -> list[tuple[int, int, Any]]:
        """Where each function begins and ends, in order; the first of those that a macro makes."""
        found: dict[int, tuple[int, int, Any]] = {}
        for cursor in self.functions():
            start, end, _ = clang.extent(cursor)
            found.setdefault(start, (start, end, cursor))
        return sorted(found.values(), key=lambda item: item[:2])

    @cached_property
    def _functions(self) -> list[Any]:
        found: list[Any] = []
        self._collect(self._own, found)
        return found

    def _collect(self, cursors: Iterable[Any], found: list[Any]) -> None:
        """Headers declare much and define little, so the cheaper questions come first."""
        for cursor in cursors:
            kind = clang.kind(cursor)
            if self._defines(cursor):
                found.append(cursor)
            elif kind in _HOLDERS and self._is_own(cursor):
                self._collect(clang.children(cursor), found)

    def _of_headers(self) -> Iterator[Any]:
        """Cursors of the function definitions in the program's own headers."""
        for cursor in self.declared:
            if clang.kind(cursor) == "FUNCTION_DECL" and clang.is_definition(cursor):
                name = self.converter.file_name(clang.place(cursor)[0])
                if name and name != self.buffer.path and not self.is_system(name):
                    yield cursor

    def _defines(self, cursor: Any) -> bool:
        """Whether a cursor is a function's definition in the main file."""
        return (
            clang.kind(cursor) in _FUNCTIONS
            and clang.is_definition(cursor)
            and self._is_own(cursor)
        )

    def _is_own(self, cursor: Any) -> bool:
        """Whether a cursor is in the main file."""
        return self.converter.file_name(clang.place(cursor)[0]) == self.buffer.path

    def global_named(self, name: str) -> Decl | None:
        """The function or variable of this name at file level."""
        return self.converter.decl_of(self.names.get(name))

    def convert(self, cursor: Any) -> Node:
        """The syntax of a function's definition, converted once."""
        known = self._converted.setdefault(clang.hashed(cursor), [])
        for other, node in known:
            if clang.same(cursor, other):
                return node
        self.converter.thread_private = self._thread_private
        node = self.converter.convert(cursor)
        node.number()
        known.append((cursor, node))
        return node

    @cached_property
    def _thread_private(self) -> frozenset[str]:
        """Names that threadprivate directives list, here or in the file's own headers."""
        if not any(b"threadprivate" in text for text in self.own_texts):
            return frozenset()
        found = (parse_directive(line.text, line.span) for line in self._own_lines)
        return frozenset(
            name
            for directive in found
            if directive is not None and directive.name == "threadprivate"
            for name in directive.listed("")
        )


@dataclass
class OtherFile:
    """A file that is parsed when somebody asks for a function in it."""

    buffer: SourceBuffer
    flags: tuple[str, ...]
    parse: Callable[[SourceBuffer, tuple[str, ...]], Unit]

    @cached_property
    def unit(self) -> Unit | None:
        """The parsed file; None where it has errors, which are said when its turn comes."""
        unit = self.parse(self.buffer, self.flags)
        return None if unit.errors else unit

    def mentions(self, name: str) -> bool:
        return bool(re.search(rb"\b%s\s*\(" % re.escape(name.encode()), self.buffer.data))


@dataclass
class LinkedFiles:
    """The files that are linked with the one at hand."""

    others: Sequence[OtherFile]
    _found: dict[str, tuple[Unit, Any] | None] = field(default_factory=dict)

    def definition(self, name: str) -> tuple[Unit, Any] | None:
        """File and cursor of the only external definition of a function, if there is one."""
        if name not in self._found:
            found = [
                (file.unit, cursor)
                for file in self.others
                if file.mentions(name) and file.unit is not None
                for cursor in file.unit.functions()
                if cursor.spelling == name and cursor.storage_class.name != "STATIC"
            ]
            self._found[name] = found[0] if len(found) == 1 else None
        return self._found[name]


@cache
def real(path: str) -> str:
    """A path without links; headers stay where they are while they are read again and again."""
    return os.path.realpath(path)


@cache
def outside(system: tuple[str, ...]) -> tuple[str, ...]:
    """The folders of files that are the system's or ours."""
    places = (OWN_INCLUDES, *(d for d in system if d[:1] == "/"))
    return (*(real(d) + os.sep for d in places), "/usr/")


class _RangeList(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_uint),
        ("ranges", ctypes.POINTER(cindex.SourceRange)),
    )
