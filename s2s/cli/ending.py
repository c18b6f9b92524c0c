"""How a command ends: a line for whatever went wrong, and the exit status that says so."""

from __future__ import annotations

import gc
from collections.abc import Callable

from s2s.source.call_stack import with_room
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError

# Syntax trees and isl's objects are many, and hardly any of them are in cycles: a file of ordinary
# size, of some thousand lines, ends before anything is looked for.
COLLECT_AFTER = (2_000_000, 10, 20)


def end_well(run: Callable[[], int]) -> int:
    """The status of ``run``, whatever it raises said in a line."""
    gc.set_threshold(*COLLECT_AFTER)
    try:
        status = with_room(run)
        from s2s.source.output import flush_standard_output

        flush_standard_output()
        return status
    except Exception as error:
        return _say(error)
    except KeyboardInterrupt:
        from s2s.cli.reporting import Status

        return Status.INTERRUPTED


def _say(error: Exception) -> int:
    from s2s.cli.reporting import Reporter, Status, complain, internal_error

    if isinstance(error, UsageError) and error.at is not None:
        Reporter().say([Diagnostic(Severity.ERROR, str(error), "usage", error.at)])
        return Status.USAGE
    if isinstance(error, UsageError):
        complain(f"s2s: error: {error}\n")
        return Status.USAGE
    if isinstance(error, UserError):
        Reporter().say(error.diagnostics)
        return Status.USER_ERROR
    if isinstance(error, BrokenPipeError):
        from s2s.source.output import forget_standard_output

        forget_standard_output()
        return Status.BROKEN_PIPE
    complain(internal_error("s2s", error) + "\n")
    return Status.INTERNAL
