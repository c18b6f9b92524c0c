"""Where the process starts: ``s2s`` and ``python -m s2s``.

From the import of this module on, ^C ends the process quietly, also while the rest of s2s is
imported; so it imports only what any interpreter has in it (``signal`` would bring ``enum``).
"""

import _signal  # type: ignore[import-not-found]
import os
import sys

_INTERRUPTED = 130
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
    if sys.argv[1:2] == ["cc"]:
        from s2s.cli.remembered import become_if_nothing_to_do

        become_if_nothing_to_do(sys.argv[2:])
    from s2s.cli.main import main as run

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
