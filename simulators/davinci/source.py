"""CCE C to a syntax tree.

The text is C with a few words that pycparser does not know: qualifiers of addresses, marks of
kernels, ``extern "C"``. A qualifier and the type after it become one name (``__ubuf__ half`` is
``ub__half``), the other words go; lines stay where they are.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence

from pycparser import c_ast, c_parser

from s2s.simulators.davinci.kinds import SCALARS, SPACES
from s2s.simulators.davinci.problems import line_of, problem
from s2s.source.records import dataclass

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*$", re.M)
_CONTINUED = re.compile(r"\\\n")
_TYPE = r"(?:(?:un)?signed\s+)?(?:long\s+long|\w+)"
_QUALIFIED = re.compile(
    rf"\b({'|'.join(SPACES)})\s+((?:(?:const|volatile)\s+)*)({_TYPE})(?=\s*[*)\w])"
)
_AFTER = re.compile(
    rf"\b((?:(?:const|volatile)\s+)*)({'|'.join(map(re.escape, SCALARS))})\s+({'|'.join(SPACES)})\b"
)
_DROPPED = re.compile(
    r'\bextern\s*"C"\s*(\{)?|\[\s*aicore\s*\]|\b__aicore__\b|\b__restrict(?:__)?\b|\binline\b'
    r"|\b__inline__\b|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\bstatic\b"
)
_KERNEL = re.compile(r"\b__global__\b(?:[^(;{}]*?)\b(\w+)\s*\(")
_CASTS = re.compile(r"\b(?:static|reinterpret|const)_cast\s*<([^<>;]*)>")
_MADE = re.compile(r"\b(half|float|u?int(?:8|16|32|64)_t)\s*\((?=\s*[-+\w.])")


@dataclass(frozen=True)
class Text:
    """A program: ``tree`` of the text, names of the kernels in it, in their order."""

    path: str
    tree: c_ast.FileAST
    kernels: tuple[str, ...]


def read(text: str, path: str, defines: Sequence[str] = ()) -> Text:
    """Parse a file. Raises UserError with the line of what cannot be read."""
    body = _preprocess(text, path, defines)
    kernels = tuple(_KERNEL.findall(body))
    if not kernels:
        raise problem("no kernel: no function is marked '__global__'", line_of(path, 1))
    body = _as_c(body.replace("__global__", ""))
    words = set(re.findall(r"\w+", body))
    known = [f"{space}__{name.replace(' ', '_')}" for space in SPACES.values() for name in SCALARS]
    known += [name for name in SCALARS if " " not in name and name not in _C_WORDS]
    known += ["event_t", "pipe_t"]
    types = "".join(f"typedef int {name};" for name in known if name in words)
    try:
        tree = c_parser.CParser().parse(f'# 1 "<types>"\n{types}\n{body}', path)
    except Exception as error:  # pycparser has errors of several types
        raise _refused(str(error), path) from None
    return Text(path, tree, kernels)


_C_WORDS = {
    "float", "double", "void", "_Bool", "char", "short", "int", "signed", "unsigned", "long",
}  # fmt: skip


def _refused(said: str, path: str) -> Exception:
    match = re.match(r"(.*?):(\d+)(?::\d+)?:\s*(.*)", said, re.S)
    if match is None:
        return problem(f"not read: {said}", line_of(path, 1))
    what = match[3].strip() or "syntax"
    return problem(f"not read as C here ({what})", line_of(match[1] or path, int(match[2])))


def _preprocess(text: str, path: str, defines: Sequence[str]) -> str:
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise problem("no C preprocessor: gcc, cc or clang has to be on the path")
    command = [compiler, "-E", "-x", "c", "-std=gnu11", "-nostdinc", "-w"]
    command += [f"-D{define}" for define in defines]
    whole = f'# 1 "{path}"\n' + _INCLUDE.sub("", text)
    done = subprocess.run([*command, "-"], input=whole, capture_output=True, text=True,
                          errors="surrogateescape", check=False)  # fmt: skip
    if done.returncode:
        said = done.stderr.strip()
        first = next((line for line in said.splitlines() if "error" in line), said)
        match = re.match(r"(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", first)
        place = line_of(match[1], int(match[2])) if match else line_of(path, 1)
        raise problem(match[3] if match else first, place)
    return done.stdout


def _as_c(text: str) -> str:
    text = _AFTER.sub(lambda m: f"{m[3]} {m[1]}{m[2]}", text)
    text = _QUALIFIED.sub(_join, text)
    text = _CASTS.sub(r"(\1)", text)
    opened = 0

    def drop(match: re.Match[str]) -> str:
        nonlocal opened
        opened += match[1] is not None
        return ""

    text = _DROPPED.sub(drop, text)
    for _ in range(opened):
        end = text.rfind("}")
        text = text[:end] + text[end + 1 :]
    text = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", text))
    text = re.sub(r"\bnullptr\b", "0", re.sub(r"\bconstexpr\b", "const", text))
    return _MADE.sub(r"(\1)(", text)


def _join(match: re.Match[str]) -> str:
    name = " ".join(match[3].split())
    return f"{match[2]}{SPACES[match[1]]}__{name.replace(' ', '_')}"
