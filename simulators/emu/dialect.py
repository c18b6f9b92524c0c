"""Reading C for Emu: preprocessed with headers of our own, parsed by pycparser."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

INCLUDE = Path(__file__).parent / "include"

# Operations on memory; the runtime has each under this name with the prefix s2s_.
_OPERATIONS = ("ADD", "AND", "OR", "XOR", "MAX", "MIN")
_NAMES = """
ATOMIC_CAS ATOMIC_SWAP FENCE MIGRATE __cilk_hint NODE_ID NODELETS NUM_NODES THREAD_ID CLOCK
BYTES_PER_NODELET RESCHEDULE RESIZE PRIORITY POPCNT starttiming stoptiming
lu_profile_perfcntr emu_local_for_set_long emu_local_for_copy_long
mw_malloc1dlong mw_malloc2d mw_localmalloc mw_mallocrepl mw_free mw_localfree mw_arrayindex
mw_get_nth mw_get_localto mw_ptrtonodelet mw_replicated_init mw_replicated_init_multiple
mw_replicated_init_generic
malloc calloc realloc free memcpy memmove memset
emu_local_for emu_local_for_var emu_1d_array_apply emu_1d_array_apply_var emu_1d_array_set_long
emu_1d_array_reduce_sum emu_1d_array_reduce_sum_var
hooks_region_begin hooks_region_end hooks_set_active_region
hooks_set_attr_i64 hooks_set_attr_u64 hooks_set_attr_f64 hooks_set_attr_str
"""
INTRINSICS = frozenset(
    (
        *(f"ATOMIC_{op}{suffix}" for op in _OPERATIONS for suffix in ("", "S", "M", "MS")),
        *(f"REMOTE_{op}" for op in _OPERATIONS),
        *_NAMES.split(),
    )
)

_PREPROCESSOR_FLAGS = (
    "-E",
    "-nostdinc",
    f"-I{INCLUDE}",
    f"-idirafter{INCLUDE / 'emu_c_utils'}",
    "-D__attribute__(x)=",
    "-D__extension__=",
    "-D__restrict=restrict",
    "-D__restrict__=restrict",
    "-D__inline=inline",
    "-D__inline__=inline",
    "-D__volatile__=volatile",
    "-D__const=const",
    "-D__EMU__",
    "-D__le64__",
    "-w",
)


def parse(path: Path, compiler: str, flags: Sequence[str] = ()) -> Any:
    """The syntax tree (``pycparser.c_ast.FileAST``) of a file.

    Raises UserError with the preprocessor's or the parser's words.
    """
    text = preprocess(path, compiler, flags)
    from pycparser import c_parser

    try:
        from pycparser.c_parser import ParseError
    except ImportError:
        from pycparser.plyparser import ParseError
    try:
        return c_parser.CParser().parse(text, str(path))
    except ParseError as error:
        raise _refused(str(error), str(path)) from None


def preprocess(path: Path, compiler: str, flags: Sequence[str] = ()) -> str:
    """The text of a file with its headers in and its macros gone."""
    # gcc takes a name that it does not know for something to link.
    if str(path) != "-" and not path.exists():
        raise failure(f"{path}: No such file or directory", "s2s-emu-preprocessor")
    command = [compiler, *_PREPROCESSOR_FLAGS, *flags, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise failure(f"cannot run '{compiler}': {error.strerror}", "s2s-emu-compiler") from None
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr)
        raise failure(said.strip(), "s2s-emu-preprocessor")
    return done.stdout


def failure(text: str, id: str, coord: Any = None) -> UserError:
    """An error of the program's author, at a place of pycparser's if there is one."""
    location = None
    if coord is not None and coord.line:
        column = coord.column or 1
        location = Location(str(coord.file), coord.line, column, coord.line, column)
    return UserError(Diagnostic(Severity.ERROR, text, id, location))


def line_of(node: Any) -> str:
    """Tells the compiler of the written program which line of the source it is at."""
    coord = getattr(node, "coord", None)
    if coord is None or not coord.line:
        return ""
    name = str(coord.file).replace("\\", "\\\\").replace('"', '\\"')
    return f'\n# {coord.line} "{name}"\n'


def unsupported(what: str, node: Any) -> UserError:
    return failure(f"{what}: the simulator does not know this", "s2s-emu-unsupported", node.coord)


def _refused(text: str, path: str) -> UserError:
    match = re.match(r"(.*?):(\d+):(?:(\d+):)?\s*(.*)", text, re.DOTALL)
    if match is None:
        return failure(f"{path}: {text}", "s2s-emu-syntax")
    name, line, column, words = match.groups()
    place = Location(name, int(line), int(column or 1), int(line), int(column or 1))
    said = f"syntax error {words}" if words.startswith("before") else words
    return UserError(Diagnostic(Severity.ERROR, said, "s2s-emu-syntax", place))
