"""The options of ``s2s cc`` itself, from its command line and the environment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s.driver.child import Limit
from s2s.source.diagnostics import UsageError

if TYPE_CHECKING:
    import argparse

USAGE = "usage: s2s cc [--passes LIST] [--strict] [--remarks=KIND] [...] -- COMPILER ARGS"

_REMARKS = ("text", "json", "none")


@dataclass(frozen=True)
class Settings:
    """What the options say; ``time_limit`` is seconds of processor time for a file."""

    passes: tuple[str, ...] | None = None
    strict: bool = False
    reassociate: bool = False
    parallel: bool = False
    spacelimit: int = 0
    probe: bool = False
    remarks: str = "none"
    sarif: str | None = None
    require_change: bool = False
    time_limit: int = Limit.processor
    tuning: argparse.Namespace | None = None


def read_settings(own: Sequence[str]) -> Settings:
    """The settings of a command line; raises UsageError, SystemExit for what argparse refuses."""
    remarks = os.environ.get("S2S_REMARKS") or "none"
    if remarks not in _REMARKS:
        raise UsageError(f"S2S_REMARKS={remarks} is none of {', '.join(_REMARKS)}")
    if not own:
        return Settings(remarks=remarks)
    import argparse

    from s2s.cli.arguments import positive
    from s2s.tuning.settings import add_arguments

    parser = argparse.ArgumentParser(prog="s2s cc", usage=USAGE[7:], allow_abbrev=False)
    parser.add_argument("--passes", type=_passes)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--reassociate", action="store_true")
    parser.add_argument("--parallel", action="store_true")
    parser.add_argument("--spacelimit", type=positive, default=0)
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--remarks", choices=_REMARKS, default=remarks)
    parser.add_argument("--sarif", metavar="FILE")
    parser.add_argument("--require-change", action="store_true")
    parser.add_argument("--time-limit", type=positive, default=Limit.processor)
    add_arguments(parser)
    args = parser.parse_args(list(own))
    _check_settings(args)
    given = vars(args)
    tuning = argparse.Namespace(**{k: given.pop(k) for k in list(given) if k.startswith("tune")})
    return Settings(**given, tuning=tuning if tuning.tune else None)


def _check_settings(args: argparse.Namespace) -> None:
    from s2s.cli.ineffective import check_passes, check_tuning

    check_passes(args)
    check_tuning(args)


def _passes(text: str) -> tuple[str, ...]:
    import argparse

    from s2s.driver import passes
    from s2s.source.diagnostics import UserError

    specs = tuple(text.split(","))
    try:
        for spec in specs:
            passes.check(spec)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return specs
