"""Flags and barriers."""

from __future__ import annotations

import re
from collections.abc import Callable

from s2s.simulators.davinci.core.operands import takes
from s2s.simulators.davinci.core.state import Core, Stop
from s2s.simulators.davinci.kinds import PIPES, Type

Run = Callable[..., None]


def _pipe(core: Core, line: int, word: object, *, all_too: bool = False) -> str:
    name = str(word).removeprefix("PIPE_")
    if name not in PIPES and not (all_too and name == "ALL"):
        core.findings.say("flag", line, f"'{word}' is no pipe")
        raise Stop
    return name


def _flag(
    core: Core, line: int, source: object, target: object, event: object
) -> tuple[str, str, int]:
    first, second = _pipe(core, line, source), _pipe(core, line, target)
    if first == second:
        core.findings.say("flag", line, f"a flag from pipe {first} to itself")
        raise Stop
    match = re.fullmatch(r"(?:EVENT_ID)?(\d+)", str(event))
    number = int(match[1]) if match else -1
    if not 0 <= number < core.chip.size("events"):
        last = core.chip.size("events") - 1
        core.findings.say("event", line, f"'{event}': there are EVENT_ID0 to EVENT_ID{last}")
        raise Stop
    return first, second, number


def set_flag(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``set_flag(PIPE_a, PIPE_b, EVENT_IDn)``."""
    takes(name, types, 3)

    def run(line: int, source: object, target: object, event: object) -> None:
        key = _flag(core, line, source, target, event)
        before = core.clock.tokens.get(key)
        if before is not None:
            core.findings.say(
                "flag", line,
                f"EVENT_ID{key[2]} from {key[0]} to {key[1]} is set again; the flag of line "
                f"{before.line} was not waited for",
            )  # fmt: skip
        core.clock.set(*key, line)

    return run


def wait_flag(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``wait_flag(PIPE_a, PIPE_b, EVENT_IDn)``."""
    takes(name, types, 3)

    def run(line: int, source: object, target: object, event: object) -> None:
        key = _flag(core, line, source, target, event)
        if key not in core.clock.tokens:
            back = (key[1], key[0], key[2])
            hint = f" (one from {key[1]} to {key[0]} is)" if back in core.clock.tokens else ""
            core.findings.say(
                "deadlock", line,
                f"pipe {key[1]} waits for EVENT_ID{key[2]} from {key[0]}, "
                f"which nothing has set{hint}: it waits forever",
            )  # fmt: skip
            raise Stop
        core.clock.wait(*key)
        core.hazards.forget()

    return run


def barrier(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``pipe_barrier(PIPE_x)``."""
    takes(name, types, 1)

    def run(line: int, word: object) -> None:
        pipe = _pipe(core, line, word, all_too=True)
        core.clock.barrier(pipe)
        if pipe == "ALL":
            core.hazards.forget()

    return run
