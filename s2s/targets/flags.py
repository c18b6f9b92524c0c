"""Fields of options that the command line makes flags from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def flag(
    help: str,
    *,
    name: str = "",
    metavar: str | None = None,
    choices: tuple[str, ...] = (),
    parse: Callable[[str], Any] | None = None,
    repeated: bool = False,
) -> dict[str, Any]:
    """The metadata of a field of options, from which the command line makes a flag.

    The default's type says what the flag takes: bool is a switch, str, int and float are values; a
    tuple of strings is a list separated by commas, or ``none``, of members of ``choices``.
    ``parse`` turns a text into the value and raises ValueError with what is wrong; where the flag
    is ``repeated`` it gives a tuple, and those of all times are joined. ``name`` is the flag's,
    such as ``--size``, if it is not to be made from the target's and the field's.
    """
    return {
        "help": help,
        "name": name,
        "metavar": metavar,
        "choices": choices,
        "parse": parse,
        "repeated": repeated,
    }
