"""Where ``s2s cc`` writes what it made of a unit: a file for each in ``S2S_LOG_DIR``.

A build runs many commands at once, so each file appears under its name when it is complete, and
the name is made of the unit's own name, its directory and its command: no two units share one, and
a unit that is built again replaces its own.

Each file of a build asks this, so it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

VARIABLE = "S2S_LOG_DIR"
LOGGED = b"logs of what stays\n"
"""Before the logs of a command that is left to the compiler, with nothing else to say."""

_FRESH, _REMEMBERED = b'{"remembered": false', b'{"remembered": true'


def log_folder() -> str:
    """The folder for logs; empty where none are wanted."""
    return os.environ.get(VARIABLE, "")


def pack(logs: Sequence[tuple[str, bytes]]) -> bytes:
    """Logs, names and lines of JSON, as what is remembered of a command that is left alone."""
    return LOGGED + b"".join(b"%s\t%s\n" % (os.fsencode(name), text) for name, text in logs)


def write_again(packed: bytes) -> None:
    """Write the logs of a command that was remembered."""
    logs = []
    for line in packed[len(LOGGED) :].splitlines():
        name, text = line.split(b"\t", 1)
        logs.append((os.fsdecode(name), text.replace(_FRESH, _REMEMBERED, 1)))
    write_logs(logs)


def write_logs(logs: Sequence[tuple[str, bytes]]) -> None:
    """Write logs into the folder; one that cannot be written is said, and a build goes on."""
    folder = log_folder()
    for name, text in logs if folder else ():
        temporary = os.path.join(folder, f".{name}.{os.getpid()}")
        try:
            os.makedirs(folder, exist_ok=True)
            with open(temporary, "wb") as stream:
                stream.write(text + b"\n")
            os.replace(temporary, os.path.join(folder, name))
        except OSError as error:
            print(f"s2s cc: {VARIABLE}={folder}: {error.strerror}", file=sys.stderr, flush=True)
            return
