"""Ask the server of a build what becomes of a command; the first that finds none starts one.

Most of the time of a unit in which nothing is found goes into loading s2s and the parser. A server
has them loaded, and has a process of its own (a copy of itself) find out about each unit; what it
answers is what ``remembered`` would. It is asked through a socket in the user's cache folder, and
ends when nobody has asked for some seconds. Whatever is not as expected, the command finds out by
itself. ``S2S_SERVER=0`` switches it off.

The name of the socket is a hash of all that could make the server's answers differ from ours: this
package, the interpreter and what it was told, the system that it runs in.

Each file of a build that is not remembered asks, so this imports next to nothing.
"""

from __future__ import annotations

import marshal
import os
import sys

from s2s.cli.remembered import hashed, tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ACCEPTED, KNOWN, UNKNOWN = b"!", b"+", b"-"
FOLDER = "cc-server"
_LONGEST_WAIT = 10.0
"""Seconds in which a server has to take a command; on a loaded machine it may be loading."""

_SOON = 0.015
"""Seconds after which a compiler that waits costs more than one that may have to be ended."""

_TRIES = 20
_OWN_FILES = ("/dev/fd/", "/dev/std", "/proc/self/", "/proc/thread-self/")
"""Names by which each process has files of its own."""


def ask(argv: Sequence[str], place: str, late: Callable[[], None] = lambda: None) -> bytes | None:
    """What the server knows of a command that is remembered at ``place``; None if nothing.

    ``late`` is called where it does not answer soon.
    """
    if sys.platform != "linux" or os.environ.get("S2S_SERVER", "1") == "0":
        return None
    if os.environ.get("LD_PRELOAD") or any(w.startswith(_OWN_FILES) for w in argv):
        return None  # what is preloaded may be there to watch the build, or to change what it sees
    try:
        folder = _open_folder()
        try:
            return _ask(folder, _name(), argv, place, late)
        finally:
            os.close(folder)
    except (OSError, ValueError):
        return None


def path_in(folder: int, name: str) -> str:
    """A path of a file in an open folder, short enough for a socket."""
    return f"/proc/self/fd/{folder}/{name}"


def _open_folder() -> int:
    """The user's folder for sockets, in which nobody else may write. Raises OSError."""
    from s2s.source.folders import cache_folder

    cache = cache_folder()
    if not cache:
        raise OSError
    path = os.path.join(cache, FOLDER)
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        os.makedirs(path, 0o700, exist_ok=True)
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    status = os.fstat(folder)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        os.close(folder)
        raise OSError
    return folder


def _name() -> str:
    """The name of the socket of servers whose answers are ours. Raises OSError."""
    searched = search_path()
    parts: list[object] = [tool(), sys.executable, searched, sys.flags, sys.warnoptions]
    parts += [sorted(sys._xoptions.items()), os.uname().nodename, os.nice(0), os.getgroups()]
    parts += [(os.getuid(), os.geteuid(), os.getgid(), os.getegid())]
    parts += [os.readlink(f"/proc/self/ns/{kind}") for kind in ("mnt", "pid", "user")]
    mask = os.umask(0o077)  # of the files that are kept
    os.umask(mask)
    root = os.stat("/")
    parts += [root.st_dev, root.st_ino, mask]
    with open("/proc/self/cgroup", "rb") as stream:  # whose memory and time are limited together
        parts.append(stream.read())
    starts = ("PYTHON", "LD_", "LC_", "LANG", "HOME", "TMPDIR", "GLIBC", "MALLOC")
    parts += sorted(item for item in os.environ.items() if item[0].startswith(starts))
    for folder in searched:  # where packages with passes of their own come and go
        try:
            parts.append(os.stat(folder).st_mtime_ns)
        except OSError:
            parts.append(None)
    return hashed(repr(parts).encode("utf-8", "surrogateescape"))[:24]


def search_path() -> list[str]:
    """Where modules are looked for, whatever the directory of a command is."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    first = os.path.dirname(own) if sys.path[:1] == [os.getcwd()] else ""
    return sys.path[1:] if first and first != sys.path[0] else sys.path[:]


def _ask(
    folder: int, name: str, argv: Sequence[str], place: str, late: Callable[[], None]
) -> bytes | None:
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        if not _connect(connection, folder, name):
            return None
        connection.settimeout(_LONGEST_WAIT)
        environment = dict(os.environ)
        text = marshal.dumps((list(argv), os.getcwd(), environment, place))
        connection.sendall(b"%d\n%s" % (len(text), text))
        _wait_a_little(connection, late)
        connection.settimeout(_LONGEST_WAIT)
        if not _is_taken(connection, folder, name):
            return None
        _wait_a_little(connection, late)
        connection.settimeout(None)
        pieces = []
        while piece := connection.recv(1 << 20):
            pieces.append(piece)
    finally:
        connection.close()
    kind, _, rest = b"".join(pieces).partition(b"\n")
    size, _, told = rest.partition(b"\n")
    return told if kind == KNOWN and size == b"%d" % len(told) else None


def _wait_a_little(connection: object, late: Callable[[], None]) -> None:
    """Say so where there is nothing to read soon. Raises OSError."""
    import _socket

    connection.settimeout(_SOON)  # type: ignore[attr-defined]
    try:
        connection.recv(1, _socket.MSG_PEEK)  # type: ignore[attr-defined]
    except TimeoutError:
        late()


def _is_taken(connection: object, folder: int, name: str) -> bool:
    """Whether the server takes the command; the next are not to wait for one that hangs.

    Raises OSError.
    """
    try:
        return bool(connection.recv(1) == ACCEPTED)  # type: ignore[attr-defined]
    except TimeoutError:
        os.unlink(name, dir_fd=folder)
        return False


def _connect(connection: object, folder: int, name: str) -> bool:
    """Connect to the server, which is started where there is none. Raises OSError."""
    if _is_connected(connection, folder, name):
        return True
    if not _start(folder, name):
        return False
    for _ in range(_TRIES):
        if _is_connected(connection, folder, name):
            return True
        from time import sleep

        sleep(0.01)  # another command has begun to start it
    return False


def _is_connected(connection: object, folder: int, name: str) -> bool:
    try:
        connection.connect(path_in(folder, name))  # type: ignore[attr-defined]
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    return True


def _start(folder: int, name: str) -> bool:
    """Start a server, a grandchild that no process waits for; whether one can be asked soon."""
    reader, writer = os.pipe()
    middle = os.fork()
    if not middle:
        try:
            os.setsid()
            if not os.fork():
                os.close(reader)
                from s2s.cli.build_server import serve

                serve(folder, name, writer)
        finally:
            os._exit(0)
    os.close(writer)
    try:
        _wait_for(middle)
        return os.read(reader, 1) == ACCEPTED
    finally:
        os.close(reader)


def _wait_for(child: int) -> None:
    try:
        os.waitpid(child, 0)
    except ChildProcessError:  # who started us has the system wait for our children
        return
