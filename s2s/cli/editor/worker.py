"""The process that looks at files for the server, so that no key waits for it.

It keeps nothing: the server ends it and starts another whenever what it does is of no use any more.
"""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import replace
from typing import BinaryIO

from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, UsageError, UserError
from s2s.source.records import dataclass

HEADER = 8
"""Bytes of a message's length, before it."""


@dataclass(frozen=True)
class Task:
    """Look at the functions around some lines of a file's text; no lines: at all of it.

    ``explain`` is a line whose region is to be explained. After ``budget`` seconds of processor
    time no other region is looked at.
    """

    path: str
    data: bytes
    flags: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    explain: int | None = None
    passes: tuple[str, ...] | None = None
    compiler: str = "gcc"
    check: bool = True
    seconds: int = 60
    budget: float = 0


@dataclass(frozen=True)
class Answer:
    """``edits`` is None where the new text is no edit of the old one; ``text`` is there then.
    ``read``: the files that the result depends on; ``seconds``: the processor time that it took.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    edits: tuple[Edit, ...] | None = ()
    text: bytes | None = None
    explanation: str = ""
    read: tuple[str, ...] = ()
    seconds: float = 0


def look(task: Task) -> Answer:
    """What the driver finds; its errors are among what is said."""
    before = _processor_time()
    return replace(_look(task), seconds=_processor_time() - before)


def _processor_time() -> float:
    """Of this process and those that it waited for, in seconds."""
    return sum(os.times()[:4])


def _look(task: Task) -> Answer:
    from s2s.cli.inputs import open_text
    from s2s.driver import guarded
    from s2s.driver.child import OutOfTimeError
    from s2s.driver.options import Options
    from s2s.source.diagnostics import InternalError, Severity

    options = Options(
        compiler=task.compiler,
        check=task.check,
        only=task.lines,
        explain=task.explain is not None,
        line=task.explain,
        budget=task.budget,
    )
    if task.passes is not None:
        options = replace(options, passes=task.passes)
    try:
        with open_text(task.path, task.data, task.flags) as source:
            flags = (*source.extra_flags, *task.flags)
            outcome = guarded.transform_named(
                source.path, source.name, flags, options, task.seconds
            )
    except UserError as error:
        return Answer(error.diagnostics)
    except UsageError as error:
        return Answer((Diagnostic(Severity.ERROR, str(error), "usage"),))
    except OutOfTimeError as error:
        return Answer((Diagnostic(Severity.MISSED, str(error), "time"),))
    except InternalError as error:
        text = f"internal error: {error}"
        return Answer((Diagnostic(Severity.MISSED, text, "internal"),))
    return Answer(
        outcome.diagnostics,
        outcome.edits if outcome.changed else (),
        outcome.text if outcome.changed and outcome.edits is None else None,
        outcome.explanation,
        tuple(outcome.read or ()),
    )


def write_message(stream: BinaryIO, message: object) -> None:
    """A message of our own other end: its length, and what it is."""
    data = pickle.dumps(message)
    stream.write(len(data).to_bytes(HEADER, "big") + data)
    stream.flush()


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one task after the other until there are no more."""
    while len(head := requests.read(HEADER)) == HEADER:
        task = pickle.loads(requests.read(int.from_bytes(head, "big")))
        try:
            write_message(answers, look(task))
        except BrokenPipeError:
            return  # the server has gone


def main() -> None:
    """Serve standard input; what anything else prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _warm_up()
    _serve(sys.stdin.buffer, answers)


_SAMPLE = b"""\
void smooth(int n, int steps, double (*restrict a)[n], double (*restrict b)[n])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}
"""


def _warm_up() -> None:
    """Load what the driver needs, which is most of a second, before anybody waits for it."""
    from s2s.cli.inputs import open_text
    from s2s.driver.options import Options
    from s2s.driver.transform import transform_file

    with open_text("smooth.c", _SAMPLE, ()) as source:
        transform_file(source.path, (), Options())
