"""Where the process starts: ``s2s`` and ``python -m s2s``.

From the import of this module on, ^C ends the process quietly, also while the rest of s2s is
imported; so it imports only what any interpreter has in it (``signal`` would bring ``enum``).
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INTERRUPTED = 130
_INCOMPLETE: tuple[list[str], ...] = ([], ["--"], ["-h"], ["--help"])
_at_work = False


def _interrupt(number: int, frame: object) -> None:
    """End at once, unless something may have to be cleared away."""
    if _at_work:
        raise KeyboardInterrupt
    os._exit(_INTERRUPTED)


if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _interrupt)


def main() -> int:
    """Run the command line; the exit status."""
    global _at_work
    run = _load()
    try:
        try:
            _at_work = True
            return run()
        finally:
            _at_work = False
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # all is done


def _load() -> Callable[[], int]:
    """What runs the command line; for each file of a build no other commands are loaded."""
    if sys.argv[1:2] != ["cc"] or sys.argv[2:] in _INCOMPLETE:
        from s2s.cli.main import main

        return main
    from s2s.cli.remembered import become_if_nothing_to_do

    argv = sys.argv[3:] if sys.argv[2] == "--" else sys.argv[2:]
    place, told = become_if_nothing_to_do(argv, _ask)
    from s2s.cli import cc
    from s2s.cli.ending import end_well

    return lambda: end_well(lambda: cc.main(argv, place, told))


def _ask(argv: Sequence[str], place: str, late: Callable[[], None]) -> bytes | None:
    """What the server of the build says of a command that is not remembered."""
    from s2s.cli.ask_server import ask

    return ask(argv, place, late)
