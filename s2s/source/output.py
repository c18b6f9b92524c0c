"""Writing results: the whole of them or nothing.

A build that is interrupted, a full disk or a defect of s2s must not leave half a source file, and
``-o`` may name the input itself. The bytes therefore go to a temporary name in the directory of
the result, which takes the result's name when they are complete.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Iterator

from s2s.source.diagnostics import Diagnostic, Severity, UserError


def output_error(path: str, reason: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, f"{path}: {reason}", "output"))


def check_writable(path: str) -> None:
    """Raise UserError when ``path`` cannot become a file, before time is spent on its content."""
    status = _status(path)
    if status and stat.S_ISDIR(status.st_mode):
        raise output_error(path, f"is a directory; '{path.rstrip('/')}/' writes into it")
    if status and not os.access(path, os.W_OK):
        raise output_error(path, os.strerror(errno.EACCES))
    if not _is_stream(path, status):
        check_directory(_directory_of(os.path.realpath(path)), path)


def check_directory(directory: str, path: str) -> None:
    """Raise UserError, as one about ``path``, when no file can be made in ``directory``."""
    status = _status(directory)
    if status is None:
        raise output_error(path, "the directory does not exist")
    if not stat.S_ISDIR(status.st_mode):
        raise output_error(path, os.strerror(errno.ENOTDIR))
    if not os.access(directory, os.W_OK | os.X_OK):
        raise output_error(path, "the directory is not writable")


def make_directory(directory: str) -> None:
    """Make a directory in one that there is, if it is not there; raises UserError."""
    if _status(directory) is None:
        parent = os.path.dirname(directory.rstrip("/")) or "."
        check_directory(parent, directory)
        try:
            os.mkdir(directory)
        except OSError as error:
            raise output_error(directory, error.strerror or "cannot be made") from error
    check_directory(directory, directory)


def write_file(path: str, data: bytes) -> None:
    """Make ``data`` the content of ``path``, at once; raises UserError when that fails.

    An existing file keeps its mode and a symbolic link its target's place. A device, a pipe and
    an open file by its number (``/dev/stdout``) are written to, never replaced.
    """
    try:
        status = _status(path)
        if _is_stream(path, status):
            with open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
                stream.write(data)
        else:
            _replace(os.path.realpath(path), data, status)
    except OSError as error:
        raise output_error(path, error.strerror or str(error)) from error


def write_standard_output(data: bytes) -> None:
    """Write ``data`` and wait until it is out; a reader that has gone is a BrokenPipeError."""
    if sys.stdout is None:
        raise output_error("standard output", "closed")
    flush_standard_output()
    if isinstance(sys.stdout, io.StringIO):
        sys.stdout.write(data.decode(errors="surrogateescape"))
        return
    with _standard_output():
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def flush_standard_output() -> None:
    """Wait until all that was printed is out; raises as ``write_standard_output`` does."""
    if sys.stdout is not None:
        with _standard_output():
            sys.stdout.flush()


@contextlib.contextmanager
def _standard_output() -> Iterator[None]:
    """What fails to be written here, on a full disk, is the user's error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_standard_output()
        raise output_error("standard output", error.strerror or str(error)) from error


def forget_standard_output() -> None:
    """Keep the interpreter from trying, at its end, to write once more what nobody takes."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_stream(path: str, status: os.stat_result | None) -> bool:
    if status and not stat.S_ISREG(status.st_mode):
        return True
    return os.path.abspath(path).startswith(("/dev/std", "/dev/fd/", "/proc/"))


def _replace(target: str, data: bytes, status: os.stat_result | None) -> None:
    temporary = os.path.join(_directory_of(target), f".s2s-{os.urandom(8).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
        if status:
            os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise output_error(path, error.strerror or str(error)) from error


def _directory_of(path: str) -> str:
    return os.path.dirname(path) or "."
