"""Compilers of the gcc family: what a command line of theirs means, and what a parser takes of it.

A command line is only ever looked at here; whoever runs it runs the words that the user wrote.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cache, cached_property
from typing import Literal, NamedTuple

from s2s.source.records import dataclass


def names(text: str) -> tuple[str, ...]:
    """Option names written in one string."""
    return tuple(text.split())


_LANGUAGES = {".c": "c"} | dict.fromkeys(
    (".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"), "c++"
)
_LAUNCHERS = frozenset({"ccache", "sccache", "distcc", "icecc"})
_COMPILER = re.compile(
    r"(?:.*[-_])?(?:gcc|g\+\+|cc|c\+\+|c89|c99|clang|clang\+\+|icx|icpx|(?:mpi|h5p?)(?:cc|cxx|c\+\+))"
    r"(?:-[\d.]+)?"
)
_TAKES_NEXT_WORD = frozenset(
    names(
        "-o -x -I -D -U -L -l -A -T -u -z -e -G -include -imacros -isystem -iquote -idirafter"
        " -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib -iframework -MF -MT -MQ -MJ"
        " -Xassembler -Xlinker -Xpreprocessor -Xclang -Xanalyzer -mllvm -arch -target -aux-info"
        " -dumpbase -dumpbase-ext -dumpdir --param -wrapper -specs --sysroot -include-pch"
        " -ivfsoverlay -working-directory -framework -cxx-isystem -gcc-toolchain --output"
    )
)
_TAKES_REST_OF_WORD = names(
    "-idirafter -isysroot -isystem -iquote -include -imacros -MF -MT -MQ -I -D -U -o -x"
)
_SPELLED_OUT = {
    "--compile": "-c",
    "--assemble": "-S",
    "--preprocess": "-E",
    "--dependencies": "-M",
    "--user-dependencies": "-MM",
    "--output": "-o",
}
_FOR_PARSER_WITH_VALUE = frozenset(
    names(
        "-I -D -U -A -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix"
        " -iwithprefixbefore -isysroot --sysroot -cxx-isystem -target"
    )
)
_FOR_PARSER = (
    r"-(?:std=.*|ansi|O.*|pthread|trigraphs|undef|nostdinc(?:\+\+)?|-?target=.*|-sysroot=.*"
    r"|f(?:no-)?(?:openmp|openmp-simd|fast-math|associative-math|reciprocal-math|finite-math-only"
    r"|unsafe-math-optimizations|signed-zeros|trapping-math|math-errno|rounding-math|wrapv|trapv"
    r"|strict-overflow|strict-aliasing|signed-char|unsigned-char|signed-bitfields"
    r"|unsigned-bitfields|short-enums|short-wchar|gnu89-inline|ms-extensions|common|builtin"
    r"|builtin-\w+|exceptions|rtti|blocks|permissive|dollars-in-identifiers|pic|PIC|pie|PIE"
    r"|char8_t|asm|lax-vector-conversions|single-precision-constant)"
    r"|f(?:openmp-version|fp-contract|excess-precision|openmp)=.*"
    r"|ffreestanding|fhosted"
    r"|m(?:arch|cpu|fpu|float-abi)=.*|m(?:16|32|64|x32)"
    r"|m(?:no-)?(?:mmx|s?sse|avx|fma|bmi|f16c|popcnt|lzcnt|aes|sha|pclmul|adx|rdrnd|movbe|sve|amx)"
    r"[\w.]*)"
)


_DIRECTIVE = re.compile(rb"#\s*pragma\s+omp\b|_Pragma\s*\(\s*\"\s*omp\b")
_OPENMP = re.compile(r"-(?:f(?:no-)?|q)?openmp(?!-)")
# Whose vectorizer a compiler has.
Family = Literal["gcc", "clang"]
_LLVM = re.compile(r"clang|icp?x")


class Word(NamedTuple):
    """An option with its value, or an input (``name`` is empty), and its place in the line."""

    place: int
    name: str
    value: str | None
    width: int


@dataclass(frozen=True)
class Input:
    """A file named on a command line; ``language`` is None unless it is C or C++ to compile."""

    place: int
    path: str
    language: str | None


@dataclass(frozen=True)
class CommandLine:
    """A compiler call: the compiler with its launchers, and its arguments.

    Response files (``@file``) stand expanded among the arguments, so places are
    indices into ``arguments``, not into what the user wrote.
    """

    compiler: tuple[str, ...]
    arguments: tuple[str, ...]
    from_response_file: bool = field(default=False, kw_only=True)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(_words(self.arguments))

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        return tuple(self._inputs())

    def _inputs(self) -> Iterator[Input]:
        forced: str | None = None
        for word in self.words:
            if word.name == "-x":
                forced = None if word.value == "none" else word.value
            elif not word.name and word.value is not None:
                language = forced or self._language(word.value)
                yield Input(word.place, word.value, language if language in ("c", "c++") else None)

    def _language(self, path: str) -> str | None:
        """The language that a file's name says; to ``g++`` all C is C++."""
        language = _LANGUAGES.get(os.path.splitext(path)[1])
        return "c++" if language and "++" in os.path.basename(self.compiler[-1]) else language

    def flags_for(self, source: Input) -> tuple[str, ...]:
        """What a parser of one of the sources must know.

        Macros, search paths, the language and its dialect, the target, and how floating point is
        to be treated; not warnings, outputs, inputs and the linker's business, nor optimizations
        that a parser of another maker would reject.
        """
        flags = tuple(_flags_for_parser(word for word in self.words if word.name != "-x"))
        said = _LANGUAGES.get(os.path.splitext(source.path)[1]) == source.language
        return flags if said or not source.language else (*flags, "-x", source.language)

    @property
    def is_known_compiler(self) -> bool:
        """Whether the compiler's name says that it takes the options of gcc."""
        return bool(self.compiler) and is_compiler(self.compiler[-1])

    def has(self, *names: str) -> bool:
        return any(word.name in names for word in self.words)

    def last(self, name: str) -> str | None:
        """The value of an option; the last one counts, as for the compiler."""
        values = [word.value for word in self.words if word.name == name]
        return values[-1] if values else None


def is_compiler(name: str) -> bool:
    """Whether a command's name says that it takes the options of gcc."""
    return _COMPILER.fullmatch(os.path.basename(name)) is not None


def has_directives(text: bytes) -> bool:
    """Whether a text has directives of OpenMP."""
    return _DIRECTIVE.search(text) is not None


def asks_for_openmp(flags: Iterable[str]) -> bool:
    """Whether directives of OpenMP count by a compiler's flags, those of threads too."""
    said = [f for f in flags if _OPENMP.match(f)]
    return bool(said) and not said[-1].startswith("-fno-")


def hears_simd(flags: Iterable[str]) -> bool:
    """Whether a compiler's flags let at least ``omp simd`` count."""
    flags = tuple(flags)
    said = [f for f in flags if f in ("-fopenmp-simd", "-fno-openmp-simd")]
    return asks_for_openmp(flags) or said[-1:] == ["-fopenmp-simd"]


def family(compiler: str) -> Family:
    """The family of a compiler by its name, or by the file after it (``cc``)."""
    return _family(compiler, os.environ.get("PATH"))


@cache
def _family(compiler: str, path: str | None) -> Family:
    """Kept for a search path, since each pass that is made asks."""
    from shutil import which

    names = (compiler, os.path.realpath(which(compiler, path=path) or compiler))
    return "clang" if any(_LLVM.search(os.path.basename(name)) for name in names) else "gcc"


def command_line(command: Sequence[str]) -> CommandLine:
    """Take ``gcc -c x.c`` (or ``ccache gcc -c x.c``) apart."""
    first = 0
    while first < len(command) - 1 and os.path.basename(command[first]) in _LAUNCHERS:
        first += 1
    compiler, written = tuple(command[: first + 1]), tuple(command[first + 1 :])
    arguments = tuple(_expanded(written))
    return CommandLine(compiler, arguments, from_response_file=arguments != written)


def _flags_for_parser(words: Iterable[Word]) -> Iterator[str]:
    language: str | None = None
    for word in words:
        if word.name == "-x":
            language = word.value
        elif word.name in _FOR_PARSER_WITH_VALUE and word.value is not None:
            yield from (word.name, word.value) if len(word.name) > 2 else (word.name + word.value,)
        elif word.name == "-Xpreprocessor" and word.value:
            yield from (flag for flag in [word.value] if _is_definition(flag))
        elif word.name.startswith("-Wp,"):
            yield from (flag for flag in word.name.split(",")[1:] if _is_definition(flag))
        elif re.fullmatch(_FOR_PARSER, word.name):
            yield word.name
    if language in ("c", "c++"):
        yield from ("-x", language)


def _is_definition(flag: str) -> bool:
    return re.fullmatch("-[DU].+", flag, re.DOTALL) is not None


def _words(arguments: Sequence[str]) -> Iterator[Word]:
    index = 0
    while index < len(arguments):
        word = _word(arguments, index)
        yield word
        index += word.width


def _word(arguments: Sequence[str], index: int) -> Word:
    text = arguments[index]
    if not text.startswith("-") or text == "-":
        return Word(index, "", text, 1)
    if text in _TAKES_NEXT_WORD:
        value = arguments[index + 1] if index + 1 < len(arguments) else None
        return Word(index, _SPELLED_OUT.get(text, text), value, 2)
    for option in _TAKES_REST_OF_WORD:
        if text.startswith(option):
            return Word(index, option, text[len(option) :], 1)
    if text.startswith("--output="):
        return Word(index, "-o", text.partition("=")[2], 1)
    return Word(index, _SPELLED_OUT.get(text, text), None, 1)


def _expanded(arguments: Sequence[str], depth: int = 0) -> Iterator[str]:
    """Response files replaced by their words, as gcc does; one that cannot be read stays."""
    for argument in arguments:
        words = _response_words(argument[1:]) if argument[:1] == "@" and depth < 32 else None
        if words is None:
            yield argument
        else:
            yield from _expanded(words, depth + 1)


def _response_words(path: str) -> list[str] | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            text = stream.read()
    except (OSError, ValueError):
        return None
    return [_unquoted(match.group()) for match in _RESPONSE_WORD.finditer(text)]


_RESPONSE_WORD = re.compile(
    r"""(?:\\.|'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|[^\s\\'"])+""", re.DOTALL
)
_RESPONSE_PIECE = re.compile(
    r"""\\(?P<escaped>.)|'(?P<single>(?:\\.|[^'\\])*)'?|"(?P<double>(?:\\.|[^"\\])*)"?""", re.DOTALL
)


def _unquoted(word: str) -> str:
    """A backslash quotes the next character everywhere, in single quotes too."""

    def plain(match: re.Match[str]) -> str:
        inner = match["single"] if match["double"] is None else match["double"]
        return match["escaped"] or re.sub(r"\\(.)", r"\1", inner or "", flags=re.DOTALL)

    return _RESPONSE_PIECE.sub(plain, word)


def response_file_text(arguments: Sequence[str]) -> str:
    """Arguments as the text of a response file."""
    quoted = (re.sub(r"""([\\'"\s])""", r"\\\1", word) or '""' for word in arguments)
    return "".join(f"{word}\n" for word in quoted)
