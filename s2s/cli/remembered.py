"""What ``s2s cc`` made of a command before: most files of a build are the same the next time.

The place of an entry is a hash of the command, of what else decides (directory, environment, this
package) and of its sources' contents; the entry lists every file that was read with a hash of its
contents. While all are the same, so is the result. As with ccache, a header that appears
earlier in the search path than the one that was read is not seen. ``S2S_CACHE=0`` switches it off.

This is the first thing that runs for each file of a build, so it imports next to nothing.
"""

from __future__ import annotations

import os
import sys
from _signal import SIG_DFL, SIGPIPE, SIGXFSZ  # type: ignore[import-not-found]
from _signal import signal as set_handler

from s2s.cli.config_files import NO_CONFIG, candidates
from s2s.cli.log_files import LOGGED, VARIABLE, write_again

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

NOTHING = b"nothing"
"""The result of a command whose sources stay as they are, without anything to say."""

_FORMAT = b"s2s cc 1\n"
_SOURCES = (".c", ".i", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".CPP")
_ENVIRONMENT = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "PATH",
    "S2S_REMARKS",
)  # fmt: skip
# Entries that are older than others go when there are more than these in one of 256 folders.
_MOST = 200


def split(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Our own options and the compiler's command; ``--`` is between them if there are any."""
    if argv and not argv[0].startswith("-"):
        return (), argv
    middle = argv.index("--") if "--" in argv else len(argv)
    return argv[:middle], argv[middle + 1 :]


def first_folder(command: Sequence[str]) -> str:
    """The folder of the first source of a command, from which files with options are looked for."""
    first = next((w for w in command if w.endswith(_SOURCES) and w[0] != "-"), "")
    return os.path.dirname(first) or "."


def is_disabled() -> bool:
    """Whether the user wants the compiler alone."""
    return os.environ.get("S2S_DISABLE", "0") not in ("", "0")


def is_for_debugging(argv: Sequence[str]) -> bool:
    """Whether a compiler is asked for code that is not fast, and s2s for nothing by name.

    Without optimisation new loops would be no faster, and lines are what a debugger shows.
    """
    compiler = os.path.basename(argv[0])
    known = compiler in ("gcc", "cc", "clang") or compiler.startswith(("gcc-", "clang-"))
    if not known or os.environ.get(VARIABLE) or os.environ.get("S2S_REMARKS"):
        return False
    levels = [word for word in argv if word.startswith("-O")]
    if any(word[0] == "@" for word in argv) or (levels and levels[-1] not in ("-O0", "-Og")):
        return False
    return not any(True for _ in candidates(first_folder(argv)))


def become(command: Sequence[str]) -> None:
    """Let the command take the place of this process; returns only if it cannot start.

    Python ignores two signals, and a program started by it must not inherit that. Raises OSError.
    """
    for number in (SIGPIPE, SIGXFSZ):
        set_handler(number, SIG_DFL)
    os.execvp(command[0], list(command))


def has_no_sources(argv: Sequence[str]) -> bool:
    """Whether nothing in a command can be a source, as where objects are linked."""
    if argv[0].startswith("-") or any(word.startswith(("@", "-x")) for word in argv):
        return False
    return not any(w.endswith(_SOURCES) for w in argv) and not any(True for _ in candidates("."))


def become_if_nothing_to_do(
    argv: Sequence[str], ask: Callable[[Sequence[str], str, Callable[[], None]], bytes | None]
) -> tuple[str, bytes | None]:
    """Run the compiler alone where that is known to be right, or those who are asked say so.

    They get the command, its place, and what to call when it takes them longer. Otherwise the place
    of what is remembered, and what they have said, if they have.
    """
    command = split(argv)[1]
    if not command:
        return "", None
    place, told, meanwhile = "", None, None
    if is_disabled() or has_no_sources(argv) or is_for_debugging(argv):
        result: bytes | None = NOTHING
    else:
        place = find_place(argv)
        result = recall(place) if place else None
        if result is None:
            from s2s.cli.meanwhile import Meanwhile

            meanwhile = Meanwhile(command)
            try:
                result = told = ask(argv, place, meanwhile.begin)
            except BaseException:
                meanwhile.stop()
                raise
    if result is not None and result.startswith(LOGGED):
        if told is None:
            write_again(result)
        result = NOTHING
    if meanwhile is not None and meanwhile.child:
        if result == NOTHING:
            meanwhile.take_place()
        meanwhile.stop()
    if result == NOTHING:
        try:
            become(command)
        except OSError:
            return place, told  # the long way says why
    return place, told


def find_place(argv: Sequence[str]) -> str:
    """Where the entry of a command is kept; empty where nothing is to be remembered."""
    own, command = split(argv)
    words = (*own, "--", *command)
    try:
        parts = [os.fsencode(word) for word in words]
        parts += [b"logs" if os.environ.get(VARIABLE) else b""]
        parts += [contents(word) for word in command if word.endswith(_SOURCES)]
        if NO_CONFIG not in own:
            for path, data in candidates(first_folder(command)):
                parts += [os.fsencode(os.path.basename(path)), data]
        given = [contents(word[1:]) for word in command if word.startswith("@")]
    except OSError:
        return ""
    if any(b"@" in text for text in given):  # files of words that may name others
        return ""
    return place_of("cc", [*parts, *given])


def place_of(kind: str, parts: Sequence[bytes]) -> str:
    """Where the entry of a kind is kept that ``parts`` decide, besides what decides all results.

    Empty where nothing is to be remembered.
    """
    from s2s.source.folders import cache_folder

    folder = cache_folder()
    if not folder or os.environ.get("S2S_CACHE", "1") == "0":
        return ""
    environment = [os.fsencode(os.environ.get(name, "")) for name in _ENVIRONMENT]
    try:
        every = [tool(), os.getcwdb(), *environment, *parts]
    except OSError:
        return ""
    key = hashed(b"\0".join(b"%d:%s" % (len(part), part) for part in every))
    return os.path.join(folder, kind, key[:2], key[2:])


def recall(place: str) -> bytes | None:
    """What is kept there, if no file that it depends on has changed."""
    try:
        with open(place, "rb") as stream:
            if stream.readline() != _FORMAT:
                return None
            count = int(stream.readline())
            for _ in range(count):
                known, path = stream.readline()[:-1].split(b" ", 1)
                if hashed(contents(path)).encode() != known:
                    return None
            size = int(stream.readline())
            result = stream.read()
            return result if len(result) == size else None
    except (OSError, ValueError):
        return None


def kept_files(place: str) -> list[bytes]:
    """The files on which what is kept there depends. Raises OSError."""
    with open(place, "rb") as stream:
        stream.readline()
        count = int(stream.readline())
        return [stream.readline()[:-1].split(b" ", 1)[1] for _ in range(count)]


def keep(place: str, read: Iterable[str], result: bytes, since: float) -> None:
    """Remember a result that depends on the files ``read``, none of them changed ``since`` then.

    Written beside and moved into place, so that other processes see all of it or nothing.
    """
    if not place:
        return
    lines = []
    temporary = f"{place}.{os.getpid()}"
    try:
        for path in sorted(set(read)):
            if os.stat(path).st_mtime >= since or "\n" in path:
                return
            lines.append(b"%s %s\n" % (hashed(contents(path)).encode(), os.fsencode(path)))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        _drop_old(os.path.dirname(place))
        with open(temporary, "xb") as stream:
            stream.write(b"%s%d\n%s%d\n" % (_FORMAT, len(lines), b"".join(lines), len(result)))
            stream.write(result)
        os.replace(temporary, place)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _drop_old(folder: str) -> None:
    """Drop the older half of a folder that is full. Raises OSError."""
    with os.scandir(folder) as entries:
        found = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
    for _, path in found[: len(found) // 2] if len(found) >= _MOST else ():
        os.unlink(path)


_known_tool: list[bytes] = []


def tool() -> bytes:
    """What tells this s2s from others, found out once."""
    if not _known_tool:
        _known_tool.append(_find_tool())
    return _known_tool[0]


def _find_tool() -> bytes:
    """What tells this s2s from others: the installer's record, in a checkout the files' times."""
    if os.path.isfile(record()):
        return contents(record())
    names = sorted(_files_below(os.path.realpath(os.path.dirname(os.path.dirname(record())))))
    return b"".join(names)


def record() -> str:
    """Where an installer keeps its record of this s2s, with the hashes of all its files."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    version = getattr(sys.modules["s2s"], "__version__", "")
    return os.path.join(os.path.dirname(package), f"s2s-{version}.dist-info", "RECORD")


def _files_below(folder: str) -> Iterable[bytes]:
    for entry in os.scandir(folder):
        if entry.is_dir():
            if entry.name[0] != "." and entry.name not in ("tests", "docs", "build"):
                yield from _files_below(entry.path)
        elif entry.name.endswith((".py", ".h")):
            yield b"%s %d\n" % (os.fsencode(entry.path), entry.stat().st_mtime_ns)


def contents(path: str | bytes) -> bytes:
    """A file's bytes. Raises OSError."""
    with open(path, "rb") as stream:
        return stream.read()


def hashed(data: bytes) -> str:
    try:
        from _blake2 import (
            blake2b,  # hashlib loads OpenSSL for others, which takes longer than this
        )
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=20).hexdigest()
