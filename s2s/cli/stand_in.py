"""A transformed text that stands in for its original on a compiler's command line.

It is written to a temporary directory under the original's own name, because compilers derive
from that the names of objects, dependency files, dumps and more. What else depends on where a file
lies is mended: quoted includes are looked for beside the original, ``__FILE__``, ``__BASE_FILE__``
and the debug information name it, and so do the dependency files.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING

from s2s.cli.lines import with_line_directives
from s2s.source.compiler import CommandLine, Input, response_file_text
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.options import Outcome


@dataclass(frozen=True)
class Staged:
    """A transformed text written where a compiler can read it in place of the original."""

    source: Input
    file: str
    flags: tuple[str, ...]
    searches_own_directory: bool = field(default=False, kw_only=True)


def stage(line: CommandLine, source: Input, outcome: Outcome, directory: str) -> Staged | None:
    """Write a transformed text into the new ``directory`` under its original's name.

    The flags that belong to it make ``__BASE_FILE__`` and the debug information name the
    original. None if the text cannot stand in for its original.
    """
    name = os.path.basename(source.path)
    text = with_line_directives(outcome.original, outcome.text, source.path)
    if text is None or _includes_itself(outcome.original, name) or _is_mapped(line, directory):
        return None
    os.mkdir(directory)
    file = os.path.join(directory, name)
    with open(file, "wb") as stream:
        stream.write(text)
    status = os.stat(source.path)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    prefix = source.path[: len(source.path) - len(name)]
    flags = _prefix_maps(line, directory + os.sep, prefix)
    searches = _searches_own_directory(outcome.original)
    if searches:
        flags = ("-iquote", prefix or ".", *flags)
        if not prefix and not _has_dotted_directories(line):
            flags += ("-fmacro-prefix-map=./=", "-fdebug-prefix-map=./=")
    return Staged(source, file, flags, searches_own_directory=searches)


def front_flags(staged: Sequence[Staged]) -> tuple[str, ...]:
    """The flags of all the staged texts of one command; they go before the user's."""
    return tuple(flag for one in staged for flag in one.flags)


def _prefix_maps(line: CommandLine, directory: str, prefix: str) -> tuple[str, ...]:
    """Map ``directory`` to what the user's own maps make of ``prefix``, of which the last wins."""
    flags = []
    for kind in ("macro", "debug"):
        target = prefix
        for option, old, new in _users_maps(line):
            if kind in option or "file" in option:
                target = new + prefix[len(old) :] if prefix.startswith(old) else target
        flags.append(f"-f{kind}-prefix-map={directory}={target}")
    return tuple(flags)


def _users_maps(line: CommandLine) -> Iterator[tuple[str, str, str]]:
    for word in line.words:
        match = re.fullmatch(r"-f(file|macro|debug)-prefix-map=([^=]*)=(.*)", word.name, re.DOTALL)
        if match:
            yield match[1], match[2], match[3]


def _is_mapped(line: CommandLine, directory: str) -> bool:
    """Whether a map of the user's covers our directory: compilers differ in which map they take."""
    return any(directory.startswith(old) for _, old, _ in _users_maps(line))


def _has_dotted_directories(line: CommandLine) -> bool:
    """Whether a search path of the user's begins with ``./``, a name that must stay."""
    return any((word.value or "").startswith("./") for word in line.words)


def _searches_own_directory(text: bytes) -> bool:
    """Whether a text may include files that are looked for beside it."""
    pattern = (
        rb"#[ \t]*(?:include|include_next|import|embed)\b(?![ \t]*<)|__has_|GCC[ \t]+dependency"
    )
    return re.search(pattern, text) is not None


def _includes_itself(text: bytes, name: str) -> bool:
    own = re.escape(name.encode("utf-8", "surrogateescape"))
    pattern = (
        rb"#[ \t]*(?:include|include_next|import)\b[^\n]*(?:__(?:BASE_)?FILE__|[\"</]%s[\">])" % own
    )
    return re.search(pattern, text) is not None


def finds_same_headers(
    directory: str, line: CommandLine, staged: list[Staged], flags: tuple[str, ...]
) -> bool:
    """Whether the same files are read as before: what one text needs is searched for all."""
    replaced = {one.source: one.file for one in staged}
    for source in line.inputs:
        if not source.language:
            continue
        file = replaced.get(source, source.path)
        before = _headers(directory, line, source, source.path, ())
        after = _headers(directory, line, source, file, flags)
        if before is None or after is None:
            return False
        if after != before and not _only_adds_includes(source, file, before, after):
            return False
    return True


def _only_adds_includes(source: Input, file: str, before: list[str], after: list[str]) -> bool:
    """Whether a text has more ``#include`` than its original, and nothing else was found anew."""
    counts = []
    for path in (source.path, file):
        with open(path, "rb") as stream:
            counts.append(stream.read().count(b"#include"))
    found = iter(after)
    return counts[0] < counts[1] and all(header in found for header in before)


def _headers(
    directory: str, line: CommandLine, source: Input, file: str, flags: tuple[str, ...]
) -> list[str] | None:
    """The files that a compiler reads for a source, in their order; None if it cannot."""
    listing = os.path.join(directory, "headers")
    command = [*line.compiler, *flags, *preprocessor_arguments(line), "-w", "-M"]
    command += ["-MT", "s2s", "-MF", listing, "-x", str(source.language), file]
    variables = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")
    environment = {k: v for k, v in os.environ.items() if k not in variables}
    silence = subprocess.DEVNULL
    if subprocess.call(command, stdin=silence, stdout=silence, stderr=silence, env=environment):
        return None
    with open(listing, encoding="utf-8", errors="surrogateescape") as stream:
        words = stream.read().replace("\\\n", " ").partition(":")[2].split()
    own = set(_make_quoted(file).split())
    return [word for word in words if word not in own]


def preprocessor_arguments(line: CommandLine) -> list[str]:
    """The arguments without inputs, outputs and dependency files."""
    arguments: list[str] = []
    for word in line.words:
        dropped = not word.name or word.name in ("-c", "-S", "-o", "-x", "-pipe")
        if dropped or word.name.startswith(("-M", "-Wp,-M", "-save-temps", "-dump", "-fdump-")):
            continue
        arguments += line.arguments[word.place : word.place + word.width]
    return arguments


def command(
    directory: str, line: CommandLine, staged: list[Staged], flags: tuple[str, ...]
) -> list[str]:
    """The user's command with the staged files in their originals' places.

    What came from a response file goes into one again: it may be too long for a command line.
    """
    arguments = list(line.arguments)
    for one in staged:
        arguments[one.source.place] = one.file
    if line.from_response_file:
        path = os.path.join(directory, "arguments")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(response_file_text(arguments))
        arguments = [f"@{path}"]
    return [*line.compiler, *flags, *arguments]


def mend_dependency_files(line: CommandLine, staged: list[Staged]) -> bool:
    """Write the originals' names into the dependency files; whether all was found as expected."""
    if not _writes_dependencies(line):
        return True
    mended = 0
    for path in _dependency_files(line):
        with suppress(OSError):
            with open(path, "rb") as stream:
                old = stream.read()
            new = old
            for one in staged:
                new = new.replace(_in_rule(one.file), _in_rule(one.source.path))
            if new != old:
                with open(path, "wb") as stream:
                    stream.write(new)
                mended += 1
    return mended > 0


def _writes_dependencies(line: CommandLine) -> bool:
    named = line.has("-MD", "-MMD", "--write-dependencies", "--write-user-dependencies")
    passed = any(word.name.startswith("-Wp,-M") for word in line.words)
    return named or passed or "DEPENDENCIES_OUTPUT" in os.environ


def _dependency_files(line: CommandLine) -> Iterator[str]:
    """Files that the compiler may have written dependencies to.

    Where the name is the compiler's choice, which is not the same in all releases, it is a file
    ``*.d`` beside the output; ours is known by the temporary name in it.
    """
    named = line.last("-MF")
    if named:
        yield named
    for word in line.words:
        if word.name.startswith(("-Wp,-MD,", "-Wp,-MMD,")):
            yield word.name.split(",")[2]
    if "DEPENDENCIES_OUTPUT" in os.environ:
        yield os.environ["DEPENDENCIES_OUTPUT"].split(" ")[0]
    if not named:
        for directory in {os.path.dirname(line.last("-o") or "") or ".", "."}:
            with suppress(OSError), os.scandir(directory) as entries:
                yield from (entry.path for entry in entries if entry.name.endswith(".d"))


def _in_rule(path: str) -> bytes:
    return os.fsencode(_make_quoted(path))


def _make_quoted(path: str) -> str:
    """A file's name as gcc writes it into a rule of make."""
    quoted = path.removeprefix("./") if path.startswith("./") else path
    for plain, special in (("$", "$$"), ("#", "\\#"), (" ", "\\ "), ("\t", "\\\t")):
        quoted = quoted.replace(plain, special)
    return quoted
