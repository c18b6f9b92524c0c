"""What compilers of the gcc family say when they are asked: headers, macros, vectors, versions."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache

from s2s.source.folders import cache_folder

LIBCLANG_MAJOR = "18"


def parser_flags(
    flags: Sequence[str], compiler: str = "gcc", language: str = "c"
) -> tuple[str, ...]:
    """What libclang must know of ``compiler`` beside ``flags``: its headers and its machine."""
    return (*builtin_include_flags(compiler, language), *machine_flags(flags, compiler))


def builtin_include_flags(compiler: str = "gcc", language: str = "c") -> tuple[str, ...]:
    """Flags that give libclang the system headers with which ``compiler`` compiles.

    The libclang wheel has no headers of its own (stddef.h and the like). Those of clang fit it if
    they are of its release; they come in place of the compiler's own ones, which stay at the end
    of the search for what only they have. Otherwise the compiler's must do, though their vector
    intrinsics cannot be parsed. Empty when the compiler cannot be asked.
    """
    directories, own = _search_path(compiler, language)
    clang = _clang_headers()
    flags: list[str] = []
    for directory in directories:
        flags += ["-isystem", clang if clang and directory == own else directory]
    return (*flags, "-idirafter", own) if clang and own else tuple(flags)


_WORD_SIZE = re.compile("-m(?:16|32|64|x32)")
_ARM = re.compile(r"-m(?:cpu=(?!native)|fpu=|float-abi=|arch=armv).*")
_ARM_OF_32_BITS = re.compile(r"-m(?:fpu=|float-abi=|arch=armv[1-7]).*")


def machine_flags(flags: Sequence[str], compiler: str = "gcc") -> tuple[str, ...]:
    """What a parser must know of the machine that flags such as ``-march=native`` choose.

    The compiler's own macros tell, ``__AVX2__`` for one: a parser of another release knows other
    machines, and fewer. Flags that the compiler does not know go to the parser as they are, for
    the machine that they speak of.
    """
    chosen = tuple(f for f in flags if f.startswith("-m"))
    words = tuple(f for f in chosen if _WORD_SIZE.fullmatch(f))
    if chosen == words:
        return words
    native = any(f.endswith("=native") for f in chosen)
    macros = _macros(compiler, chosen, keep=not native)
    if not macros:
        return (*_target(flags), *(f for f in chosen if re.match("-m(?:arch|sse|avx|fma)", f)))
    plain = _macros(compiler, words, keep=True)
    lost = (f"-U{name}" for name in plain if name not in macros)
    new = (f"-D{n}={v}" for n, v in macros.items() if plain.get(n) != v and "(" not in n)
    return (*words, *lost, *new)


_VECTORS = (("__AVX512F__", 64), ("__AVX__", 32))


def vector_bytes(flags: Sequence[str], compiler: str = "gcc") -> int:
    """The bytes of the widest vectors of the machine that flags choose, 16 without any."""
    chosen = tuple(f for f in flags if f.startswith("-m"))
    native = any(f.endswith("=native") for f in chosen)
    macros = _macros(compiler, chosen, keep=not native) if chosen else {}
    return next((size for name, size in _VECTORS if name in macros), 16)


def _target(flags: Sequence[str]) -> tuple[str, ...]:
    """The processor of another kind for which flags can only be."""
    if any(f.startswith(("--target", "-target")) for f in flags):
        return ()
    if any(map(_ARM_OF_32_BITS.fullmatch, flags)):
        return ("--target=arm-linux-gnueabihf",)
    return ("--target=aarch64-linux-gnu",) if any(map(_ARM.fullmatch, flags)) else ()


def _macros(compiler: str, flags: tuple[str, ...], *, keep: bool) -> dict[str, str]:
    """The macros that a compiler defines by itself; for "native" they are of this very machine."""
    question = ("-dM", "-E", "-x", "c", os.devnull, *flags)
    lines = _cached(compiler, question) if keep else _asked_once(compiler, question)
    found = (line.split(" ", 2) for line in lines if line.startswith("#define "))
    return {name: "".join(value) for _, name, *value in found}


@cache
def _asked_once(compiler: str, question: tuple[str, ...]) -> list[str]:
    return _ask(compiler, question)


def version_of(compiler: Sequence[str]) -> str:
    """Where a compiler is and what it says of its version; empty when it cannot be asked."""
    from shutil import which

    name = compiler[-1] if compiler else ""
    path = os.path.realpath(which(name) or name)
    return "\n".join((path, *_cached(name, ("--version",))))


def _search_path(compiler: str, language: str) -> tuple[list[str], str]:
    """Where a compiler looks for ``<...>``, and which of these places came with itself."""
    lines = _cached(compiler, ("-E", "-v", "-x", language, os.devnull))
    directories = []
    if "#include <...> search starts here:" in lines:
        start = lines.index("#include <...> search starts here:") + 1
        for line in lines[start:]:
            if not line.startswith(" "):
                break
            directories.append(
                os.path.normpath(line.strip().removesuffix(" (framework directory)"))
            )
    own = next((d for d in directories if os.path.isfile(os.path.join(d, "stddef.h"))), "")
    return directories, own


def _clang_headers() -> str | None:
    """The builtin headers of the clang that belongs to our libclang, if they are installed."""
    from importlib.util import find_spec

    wheel = find_spec("clang_tidy")
    places = list(wheel.submodule_search_locations or ()) if wheel else []
    candidates = [
        os.path.join(place, "data/lib/clang", LIBCLANG_MAJOR, "include") for place in places
    ]
    for name in (f"clang-{LIBCLANG_MAJOR}", "clang"):
        resource = "".join(_cached(name, ("-print-resource-dir",))[:1])
        if os.path.basename(resource).split(".")[0] == LIBCLANG_MAJOR:
            candidates.append(os.path.join(resource, "include"))
    return next((d for d in candidates if os.path.isfile(os.path.join(d, "stddef.h"))), None)


_answers: dict[tuple[str, ...], list[str]] = {}


def _cached(compiler: str, question: tuple[str, ...]) -> list[str]:
    """The lines with which a compiler answers a question that does not change while it stays.

    Kept for this process, and on disk for the next ones under the compiler's path and date. A
    cache that cannot be read or written is no cache, and nothing worse.
    """
    key = (compiler, *question)
    if key not in _answers:
        path = _cache_path(compiler, question)
        kept = _read_answer(path) if path else None
        _answers[key] = _ask(compiler, question) if kept is None else kept
        if path and kept is None and _answers[key]:
            _write_answer(path, _answers[key])
    return _answers[key]


def _ask(compiler: str, question: tuple[str, ...]) -> list[str]:
    from shutil import which

    if which(compiler) is None:
        return []
    import subprocess

    variables = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "DEPENDENCIES_OUTPUT")
    environment = {k: v for k, v in os.environ.items() if k not in variables}
    try:
        done = subprocess.run(
            [compiler, *question],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment | {"LC_ALL": "C"},
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return (
        done.stdout.decode("utf-8", "surrogateescape").splitlines() if not done.returncode else []
    )


def _cache_path(compiler: str, question: tuple[str, ...]) -> str | None:
    from hashlib import sha256
    from shutil import which

    found = which(compiler)
    folder = cache_folder()
    if not found or not folder:
        return None
    try:
        resolved = os.path.realpath(found)
        status = os.stat(resolved)
    except OSError:
        return None
    key = "\0".join((found, resolved, str(status.st_mtime_ns), str(status.st_size), *question))
    return os.path.join(folder, sha256(key.encode("utf-8", "surrogateescape")).hexdigest())


def _read_answer(path: str) -> list[str] | None:
    """The kept lines; the last one is a mark without which the file is not whole."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            lines = stream.read().split("\n")
    except OSError:
        return None
    return lines[:-1] if lines[-1] == _END else None


_END = "end"


def _write_answer(path: str, lines: list[str]) -> None:
    """Written beside and moved into place, so that parallel calls see all of it or nothing."""
    from contextlib import suppress
    from tempfile import mkstemp

    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle, temporary = mkstemp(dir=os.path.dirname(path))
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as stream:
                stream.write("\n".join([*lines, _END]))
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
