"""Kernel text to what pycparser reads: C without directives, with the few C++ spellings rewritten.

Includes are resolved here: a file beside the kernel is taken in, a header of the system or of the
vendor is left out (the reader knows what they declare). Macros and conditions are the C
preprocessor's; ``__AIENGINE__`` is defined. Lines keep their file and number through line markers.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import islice

from s2s.simulators.aie import classes, refusals, templates, vector_api
from s2s.simulators.aie.definitions import definitions, drop_items, only
from s2s.simulators.aie.intrinsics import type_names
from s2s.simulators.aie.macros import NotPlain, expanded
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?:\"([^\"\n]*)\"|<[^>\n]*>)[^\n]*$", re.M)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.M)
OWN_HEADER = "aie_intrinsics.h"
# Strings, files' names among them, in which nothing is to be rewritten; but for 'extern "C"'.
_LITERAL = re.compile(r'"(?!C")(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'')
_HIDDEN = re.compile(r'"@(\d+)"')
_MARKER = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)[ \t]+"((?:[^"\\\n]|\\.)*)"')


def error(text: str, path: str, line: int, column: int = 1) -> UserError:
    """A user's error in a line."""
    place = Location(path, line, column, line, column)
    return UserError(Diagnostic(Severity.ERROR, text, "simulate", place))


def preprocess(
    text: str, path: str, defines: Sequence[str] = (), function: str | None = None
) -> str:
    """The C text that the parser gets; ``defines`` are macros as ``NAME`` or ``NAME=VALUE``.

    What ``function`` does not reach is left out; without it, ``main``. Raises UserError where
    there is no preprocessor, it finds an error, or the kernel needs templates of the vendor's.
    """
    literals: list[str] = []

    def hidden(match: re.Match[str]) -> str:
        literals.append(match[0])
        return f'"@{len(literals) - 1}"'

    body = f"# 1 {_quoted(path)}\n" + _without_directives(text, path, defines)
    whole = _LITERAL.sub(hidden, body)
    try:
        body = classes.evaluated(classes.instantiated(whole, function))
    except classes.NotInstantiated as problem:
        at = _place_of(whole, problem.place, path, literals)
        raise error(problem.text, *at) from None
    function = classes.method_of(function)
    body = _as_c(vector_api.lowered(body))
    body = only(body, function) if function is not None else _without_main(body)
    body = refusals.without_declarations(body)
    refused = refusals.find_refused(body)
    if refused is not None and refusals.is_of_classes(refused[1]):
        kernels = classes.kernels(whole)
        if len(kernels) == 1 and kernels[0].is_whole and function is None:
            return preprocess(text, path, defines, kernels[0].shown)
        if kernels:
            at = _place_of(whole, kernels[0].place, path, literals)
            raise error(classes.how_to_choose(kernels), *at)
    if refused is None and (found := re.search(r"\baie::[\w:]*[^;{}\n]*", body)) is not None:
        said = " ".join(_HIDDEN.sub(lambda match: literals[int(match[1])], found[0]).split())
        refused = found.start(), f"'{said}' is not simulated as it is written here"
    if refused is not None:
        place, said = refused
        raise error(said, *_place_of(body, place, path, literals))
    body = _HIDDEN.sub(lambda match: literals[int(match[1])], body)
    return _prologue(body) + body


def _quoted(path: str) -> str:
    """A file's name as a line marker has it."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquote_name(path: str) -> str:
    """The name of a file that a line marker has so."""
    return re.sub(r"\\(.)", r"\1", path)


def _without_main(text: str) -> str:
    """The text without a test bench, where there is a kernel beside it."""
    found = [one for one in definitions(text) if one.is_function]
    mains = [one for one in found if one.name == "main"]
    return drop_items(text, mains) if len(mains) < len(found) else text


def _place_of(body: str, place: int, path: str, literals: Sequence[str]) -> tuple[str, int, int]:
    """The file, line and column of a place of a text with line markers.

    Rewriting moves what stands in a line, so that its first word there is looked for in the file.
    """
    line = 0
    for text in body[:place].split("\n")[:-1]:
        hidden = _HIDDEN.sub(lambda match: literals[int(match[1])], text)
        marker = _MARKER.match(hidden)
        if marker is not None:
            line, path = int(marker[1]) - 1, unquote_name(marker[2])
        line += 1
    word = re.match(r"\w+|", body[place:])
    found = re.search(rf"\b{word[0]}\b", _line_in(path, line)) if word and word[0] else None
    return path, line, found.start() + 1 if found else 1


def _line_in(path: str, number: int) -> str:
    """A line of a file; nothing where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return next(islice(file, number - 1, None), "") if number > 0 else ""
    except OSError:
        return ""


def _without_directives(text: str, path: str, defines: Sequence[str]) -> str:
    if not any(_beside(match, path) for match in _INCLUDE.finditer(text)):
        try:
            return expanded(text, defines)
        except NotPlain:
            pass
    return _by_compiler(text, path, defines)


def _by_compiler(text: str, path: str, defines: Sequence[str]) -> str:
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise error("no C preprocessor: gcc, cc or clang has to be on the path", path, 1)
    command = [compiler, "-E", "-x", "c", "-std=gnu11", "-nostdinc", "-w", "-D__AIENGINE__=1"]
    command += [f"-D{define}" for define in defines]
    whole = f"# 1 {_quoted(path)}\n" + _with_includes(text, path, set())
    done = subprocess.run([*command, "-"], input=whole, capture_output=True, text=True,
                          errors="surrogateescape", check=False)  # fmt: skip
    if done.returncode:
        raise _said(done.stderr, path)
    return done.stdout


def _said(stderr: str, path: str) -> UserError:
    first = next((line for line in stderr.splitlines() if "error" in line), stderr.strip())
    match = re.match(r"(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", first)
    return error(match[3], match[1], int(match[2])) if match else error(first, path, 1)


def _with_includes(text: str, path: str, once: set[str]) -> str:
    """The text with the files that lie beside it in the place of its includes."""

    def included(match: re.Match[str]) -> str:
        name = _beside(match, path)
        if name is None:
            return ""
        real = os.path.realpath(name)
        if real in once:
            return ""
        if len(once) > 200:
            raise error("includes without end", path, text.count("\n", 0, match.start()) + 1)
        with open(name, encoding="utf-8", errors="replace") as file:
            inner = file.read()
        below = once | {real} if not _ONCE.search(inner) else once
        if _ONCE.search(inner):
            once.add(real)
        line = text.count("\n", 0, match.start()) + 1
        body = _with_includes(inner, name, below)
        return f"# 1 {_quoted(name)}\n{body}\n# {line} {_quoted(path)}"

    return _INCLUDE.sub(included, text)


def missing_headers(text: str, path: str) -> list[str]:
    """The files that a kernel includes by quoted names and that do not lie beside it."""
    found = _INCLUDE.finditer(text)
    return [m[1] for m in found if m[1] and m[1] != OWN_HEADER and _beside(m, path) is None]


def _beside(include: re.Match[str], path: str) -> str | None:
    """The file that an include names, if it lies beside the kernel and is not our own header."""
    name = include[1] and os.path.join(os.path.dirname(path), include[1])
    if not name or os.path.basename(name) == OWN_HEADER or not os.path.isfile(name):
        return None
    return name


def _prologue(body: str) -> str:
    """The types that the text may use."""
    words = set(re.findall(r"\w+", body))
    ends = {f"{way}_{what}" for way in ("input", "output") for what in ("window", "stream")}
    plain = not words.isdisjoint(ends)
    names = [n for n in type_names() if n in words or (plain and ("put_" in n))]
    lines = "".join(f"typedef int {name};\n" for name in dict.fromkeys([*names, "__s2s_auto"]))
    own = set(_STRUCTURE.findall(body)) - set(_ALIAS.findall(body))
    lines += "".join(f"typedef struct {name} {name};\n" for name in sorted(own))
    return f'# 1 "<types>"\n{lines}'


# What a text has to contain for a rewriting to have anything to do; what to replace; by what.
_WORDS = (
    ("__restrict", re.compile(r"\b__restrict(?:__)?\b"), "restrict"),
    ("constexpr", re.compile(r"\bconstexpr\b"), "const"),
    ("consteval", re.compile(r"\bconsteval\b"), ""),
    ("noexcept", re.compile(r"\bnoexcept\b"), ""),
    ("__extension__", re.compile(r"\b__extension__\b"), ""),
    ("alignas", re.compile(r"\balignas\s*\(\s*v\d+u?int\d+(?:_t)?\s*\)"), "_Alignas(32)"),
    ("alignas", re.compile(r"\balignas\b"), "_Alignas"),
    ("nullptr", re.compile(r"\bnullptr\b"), "0"),
    ("true", re.compile(r"\btrue\b"), "1"),
    ("false", re.compile(r"\bfalse\b"), "0"),
    ("auto", re.compile(r"\bauto\b"), "__s2s_auto"),
    ("_cast", re.compile(r"\b(?:static|reinterpret|const)_cast\s*<([^<>;]*)>"), r"(\1)"),
    (
        "put_",
        re.compile(r"\b(input|output)_(window|stream)\s*<\s*(\w+?)(?:_t)?\s*>"),
        r"\1_\2_\3",
    ),
    (
        "chess_",
        re.compile(r"\bchess_(?:storage|protect_access)\b(?:\s*\((?:[^()]|\([^()]*\))*\))?"),
        "",
    ),
    ("std::", re.compile(r"\bstd::(?=\w)"), ""),
    ("::", re.compile(r"(?<![\w>:])::(?=[a-z]\w*\s*\()"), ""),
    (
        "__attribute__",
        re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)"),
        "",
    ),
    ("using", re.compile(r"\busing\s+namespace\s+[\w:]+\s*;"), ""),
    ("using", re.compile(r"\busing\s+(\w+)\s*=\s*([\w ]+?)\s*;"), r"typedef \2 \1;"),
)
# Names of structures, and of types at the end of their definition.
_STRUCTURE = re.compile(r"\bstruct\s+(\w+)\s*\{")
_ALIAS = re.compile(r"\}\s*(\w+)\s*;")
_CHESS = re.compile(r"\b(chess_\w+)\s*(\((?:[^()]|\([^()]*\))*\))?")
# A parameter that is a reference: a type's name (no operand stands there), '&', a new name.
_REFERENCE = re.compile(
    r"([(,]\s*(?:const\s+)?(?:struct\s+)?\w+)\s*&\s*(?:restrict\s+)?(\w+)\s*(?=[,)])"
)
# A parameter that is a reference to an array is the array.
_ARRAY_REFERENCE = re.compile(r"\(\s*&\s*(?:restrict\s+)?(\w+)\s*\)(?=\s*\[)")
# What has braces that C has not, and what stands before them.
_LINKAGE = re.compile(r'\bextern\s*"C"\s*(\{)?|\b(?:inline\s+)?namespace(?:\s+[\w:]+)?\s*(\{)')


def _as_c(text: str) -> str:
    if "template" in text:
        text = templates.as_parameters(text)
    for mark, pattern, replacement in _WORDS:
        if mark in text:
            text = pattern.sub(replacement, text)
    if "chess_" in text:
        text = _CHESS.sub(_pragma, text)
    if "&" in text:
        known = set(type_names()) | {"int", "unsigned", "short", "long", "char"}
        known |= set(_STRUCTURE.findall(text)) | set(_ALIAS.findall(text))
        text = _REFERENCE.sub(lambda match: _reference(match, known), text)
        text = _ARRAY_REFERENCE.sub(r"\1", text)
    return _without_linkage(text) if "extern" in text or "namespace" in text else text


def _pragma(match: re.Match[str]) -> str:
    arguments = " ".join((match[2] or "").split())
    return f'_Pragma("{match[1]}{arguments}")'.replace("\n", " ")


def _reference(match: re.Match[str], types: set[str]) -> str:
    """A reference becomes a pointer that is marked ``_Atomic``, which no kernel has otherwise."""
    if match[1].split()[-1].lstrip("(,") not in types:
        return match[0]
    return f"{match[1]} * _Atomic {match[2]}"


def _without_linkage(text: str) -> str:
    """Without ``extern "C"`` and namespaces, braces and all."""
    while match := _LINKAGE.search(text):
        if match[1] or match[2]:
            end = _closing(text, match.end())
            text = text[: match.start()] + text[match.end() : end] + text[end + 1 :]
        else:
            text = text[: match.start()] + text[match.end() :]
    return text


def _closing(text: str, start: int) -> int:
    depth = 1
    for match in re.finditer(r"[{}]", text[start:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return start + match.start()
    return len(text)
