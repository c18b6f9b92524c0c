"""The options of ``s2s cc`` itself, from its command line and the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.cli.config_files import NO_CONFIG, candidates
from s2s.cli.log_files import VARIABLE, log_folder
from s2s.cli.remembered import first_folder
from s2s.driver.child import Limit
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import argparse

USAGE = "usage: s2s cc [--passes LIST] [--strict] [--remarks=KIND] [...] -- COMPILER ARGS"

LAUNCHER = "--launcher"
_REMARKS = ("text", "json", "none")
_EPILOG = """\
environment:
  S2S_LOG_DIR     an absolute path: a log of each unit goes there, which 's2s report' shows
  S2S_REMARKS     text, json or none: the default of --remarks
  S2S_DISABLE     1 leaves everything to the compiler
  S2S_CACHE       0 remembers nothing of commands
  S2S_SERVER      0 has no server find out about units: each command loads all by itself
  S2S_TRACEBACK   1 shows where a defect of s2s is
  XDG_CACHE_HOME  the folder that has s2s/ with what is remembered (default: ~/.cache)

exit status: the compiler's; 2 usage, 3 under --require-change, 70 under --strict.
Options may also come from s2s.toml or pyproject.toml above the source (table cc).
Where the new text cannot be used, the compiler gets the source, and a line says why."""


@dataclass(frozen=True)
class Settings:
    """What the options say; ``time_limit`` is seconds of processor time for a file."""

    passes: tuple[str, ...] | None = None
    strict: bool = False
    reassociate: bool = False
    parallel: bool = False
    spacelimit: int = 0
    probe: bool = False
    budget: int = 0
    remarks: str = "none"
    sarif: str | None = None
    require_change: bool = False
    time_limit: int = Limit.processor
    tuning: argparse.Namespace | None = None


def read_settings(own: Sequence[str], command: Sequence[str] = ()) -> Settings:
    """The settings of a command line, and of a file with options for the compiler's ``command``.

    Raises UsageError, SystemExit for what argparse refuses.
    """
    remarks = os.environ.get("S2S_REMARKS") or "none"
    if remarks not in _REMARKS:
        raise UsageError(f"S2S_REMARKS={remarks} is none of {', '.join(_REMARKS)}")
    folder = log_folder()
    if folder and not os.path.isabs(folder):
        raise UsageError(
            f"{VARIABLE}={folder} is no absolute path: commands of a build run in many directories"
        )
    folder = first_folder(command)
    has_file = NO_CONFIG not in own and any(candidates(folder))
    if not own and not has_file:
        return Settings(remarks=remarks)
    import argparse

    from s2s.cli.suggestions import Parser

    parser = Parser(prog="s2s cc", usage=USAGE[7:], allow_abbrev=False)
    add_arguments(parser)
    parser.add_argument(NO_CONFIG, action="store_true", help="take no options from a file")
    if os.environ.get("S2S_REMARKS"):  # before a file's, after the command line's
        own = [f"--remarks={remarks}", *own]
    args = parser.parse_args(_with_file(own, folder, parser) if has_file else list(own))
    if args.launcher:
        raise UsageError("--launcher FILE makes a program, and is given alone")
    del args.no_config, args.launcher
    args.remarks = args.remarks or remarks
    _check_settings(args)
    given = vars(args)
    tuning = argparse.Namespace(**{k: given.pop(k) for k in list(given) if k.startswith("tune")})
    return Settings(**given, tuning=tuning if tuning.tune else None)


def _with_file(own: Sequence[str], folder: str, parser: argparse.ArgumentParser) -> list[str]:
    """Our own options, with those of a file upwards from the folder. Raises UsageError."""
    from s2s.cli import config

    def others() -> Iterator[argparse.ArgumentParser]:
        from s2s.cli.main import all_parsers

        return all_parsers()

    found = config.read_config(["cc", *own], folder)
    return config.apply(found, ["cc", *own], parser, others)[1:]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``s2s cc``, and what its help says of variables."""
    from s2s.cli.arguments import positive
    from s2s.tuning import settings

    parser.epilog = _EPILOG
    parser.add_argument(
        "--passes", type=_passes, metavar="LIST", help="what to try ('s2s passes' lists them)"
    )
    parser.add_argument(
        "--strict", action="store_true", help="fail with 70 for a defect of s2s, which otherwise"
        " leaves a region, or the file, to the compiler as it was",
    )  # fmt: skip
    parser.add_argument(
        "--reassociate", action="store_true",
        help="floating-point operations may change their order (as with -ffast-math)",
    )  # fmt: skip
    parser.add_argument(
        "--parallel", action="store_true", help="serial loops may become parallel ones"
    )
    parser.add_argument(
        "--spacelimit", type=positive, default=0, metavar="N",
        help="bound on the storage that renaming adds to a loop, in vectors",
    )  # fmt: skip
    parser.add_argument(
        "--probe", action="store_true", help="say in remarks which loops the compiler vectorizes"
    )
    parser.add_argument(
        "--budget", type=positive, default=0, metavar="SECONDS",
        help="processor time for one file after which no other loop nest is looked at",
    )  # fmt: skip
    parser.add_argument(
        "--remarks", choices=_REMARKS,
        help="what is said on standard error of what was done (default: S2S_REMARKS, or none)",
    )  # fmt: skip
    parser.add_argument(
        "--sarif", metavar="FILE", help="merge what is said into a log that the build shares"
    )
    parser.add_argument(
        "--require-change", action="store_true", help="exit with 3 when nothing was transformed"
    )
    parser.add_argument(
        "--time-limit", type=positive, default=Limit.processor, metavar="SECONDS",
        help="processor time for one file (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        LAUNCHER, metavar="FILE",
        help="make FILE, a small program for CC='FILE gcc' that is faster than 's2s cc' where"
        " a command is known to stay as it is",
    )  # fmt: skip
    settings.add_arguments(parser)


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
