"""Where the process starts: ``s2s`` and ``python -m s2s``.

From the import of this module on, ^C ends the process quietly, also while the rest of s2s is
imported; so it imports next to nothing itself.
"""

import os
import signal

_INTERRUPTED = 130
_at_work = False


def _interrupt(number: int, frame: object) -> None:
    """End at once, unless something may have to be cleared away."""
    if _at_work:
        raise KeyboardInterrupt
    os._exit(_INTERRUPTED)


if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _interrupt)


def main() -> int:
    """Run the command line; the exit status."""
    global _at_work
    from s2s.cli import main as run

    try:
        try:
            _at_work = True
            return run()
        finally:
            _at_work = False
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done
