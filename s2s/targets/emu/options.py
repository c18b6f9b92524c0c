"""What the command line says about ``--target emu``."""

from __future__ import annotations

from dataclasses import field

from s2s.source.records import dataclass
from s2s.targets.flags import flag

STEPS = ("fuse", "flip", "changed", "arrays", "remote", "home", "batch", "registers", "buckets")


@dataclass(frozen=True)
class EmuOptions:
    """The transformations to try, and whether headers have their new or their old names.

    ``fuse`` merges loops over the same vertices, ``flip`` turns pulling along edges into pushing
    or the reverse, ``changed`` lets only vertices push that have changed, ``arrays`` puts static
    arrays on all nodelets, ``remote`` sends updates whose value nobody wants, ``home`` starts
    threads where their data is, ``batch`` visits several neighbours before the thread goes home,
    ``registers`` keeps what is read from files out of memory, ``buckets`` collects what a serial
    loop puts into vertices for the nodelets where they are.
    """

    steps: tuple[str, ...] = field(
        default=STEPS,
        metadata=flag(
            f"transformations to try, separated by commas, or 'none' (default: {','.join(STEPS)})",
            metavar="LIST",
            choices=STEPS,
        ),
    )
    headers: str = field(
        default="new",
        metadata=flag("names of headers (default: new)", choices=("new", "old")),
    )
