"""Settings that would be without effect: whoever gives one expects something, and is told.

A setting counts as given where its value is not the option's default. Raises UsageError, before any
file is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from s2s.cli.flags import Setting, flag_settings
from s2s.driver.offload.settings import OffloadOptions
from s2s.source.diagnostics import UsageError, UserError
from s2s.targets.registry import find
from s2s.targets.source_options import SourceOptions

_OF_PASSES = (
    Setting("--passes", None),
    Setting("--schedule", None),
    Setting("--save-schedule", None),
    Setting("--reassociate"),
    Setting("--parallel"),
    Setting("--spacelimit", 0),
    Setting("--force"),
    Setting("--no-happens-before", True, "happens_before"),
    Setting("--probe"),
    Setting("--budget", 0),
    Setting("--compiler", None),
)
_OF_THE_REST = (
    "--passes", "--parallel", "--reassociate", "--spacelimit", "--no-happens-before", "--budget"
)  # fmt: skip
"""What is about the part of a program that no device has."""
_TUNE_RUN = (Setting("--tune-build", ""), Setting("--tune-run", ""))
_TUNE_SIZE = Setting("--tune-size", {})


def find_given(settings: Iterable[Setting], args: argparse.Namespace) -> Iterator[str]:
    """The options among ``settings`` that the command line has."""
    return (setting.option for setting in settings if setting.is_given(args))


def refuse(options: Iterable[str], reason: str) -> None:
    """Raise UsageError about the first of some options."""
    for option in options:
        raise UsageError(f"'{option}' has no effect {reason}")


def check_transform(args: argparse.Namespace) -> None:
    """The settings of ``transform`` and ``explain`` against each other."""
    _check_target(args, getattr(args, "target", "cpu"))
    if getattr(args, "remarks", "text") != "text":
        given = find_given((Setting("--show", None), Setting("--verbose", False)), args)
        refuse(given, f"with '--remarks={args.remarks}'")
    _check_schedule(args)
    check_passes(args)
    check_tuning(args)
    check_offload(args)


def check_offload(args: argparse.Namespace) -> None:
    """What is said to devices without any, and to passes and targets beside them."""
    if not getattr(args, "offload_devices", ()):
        refuse(find_given(flag_settings(OffloadOptions, "offload"), args), "without '--offload'")
        return
    kept = set(_OF_THE_REST)
    if {"blas", "onednn"} & set(args.offload_devices):
        kept.add("--force")
    others = (*_OF_PASSES, Setting("--target", "cpu"), Setting("--tune"))
    wrong = [one for one in others if one.option not in kept]
    refuse(find_given(wrong, args), "with '--offload'")


def _check_schedule(args: argparse.Namespace) -> None:
    """What is said about orders beside a given one; both options are about one file."""
    if getattr(args, "schedule", None) is not None:
        others = [Setting("--passes", None), Setting("--tune")]
        refuse(find_given(others, args), "with '--schedule'")
    both = [Setting("--schedule", None), Setting("--save-schedule", None)]
    if len(getattr(args, "files", ())) > 1:
        refuse(find_given(both, args), "for several files: it is about one")


def _check_target(args: argparse.Namespace, name: str) -> None:
    target = find(name)
    if not target.has_passes:
        if args.passes is not None:
            raise UsageError(f"'--target {name}' has no passes to choose from")
        reason = f"with '--target {name}'"
        refuse(find_given(_OF_PASSES, args), reason)
        if not target.has_sizes:
            refuse(find_given(flag_settings(SourceOptions), args), reason)
        if not target.searches:
            refuse(find_given([Setting("--tune")], args), reason)
        refuse(find_given((_TUNE_SIZE, *_TUNE_RUN), args), reason)
    for other in args.targets.values():
        if other is not target:
            settings = flag_settings(other.options, other.name)
            refuse(find_given(settings, args), f"without '--target {other.name}'")


def check_passes(args: argparse.Namespace) -> None:
    """What is said to passes that are not chosen."""
    if not args.passes:
        return
    from s2s.driver import passes

    for spec in args.passes:
        try:
            passes.check(spec)
        except UserError as error:
            if error.diagnostics[0].id != "passes":  # a package is at fault
                raise
            raise UsageError(str(error)) from None
    if not args.spacelimit:
        return
    names = [passes.name_of(spec) for spec in args.passes]
    if not any(passes.bounds_storage(name) for name in names):
        raise UsageError(f"'--spacelimit' has no effect with '--passes {','.join(args.passes)}'")


def check_tuning(args: argparse.Namespace) -> None:
    """What is said about measuring, where nothing is measured or not in this way."""
    if not getattr(args, "tune", False):
        from s2s.tuning.settings import DEFAULT_BUDGET

        more = (Setting("--tune-budget", DEFAULT_BUDGET), Setting("--tune-cache", None))
        refuse(find_given((_TUNE_SIZE, *_TUNE_RUN, *more), args), "without '--tune'")
    elif not args.tune_run:
        refuse(find_given(_TUNE_RUN, args), "without '--tune-run'")
    else:
        refuse(find_given([_TUNE_SIZE], args), "with '--tune-run', which has the sizes of its own")


def check_file(args: argparse.Namespace, name: str, *, is_pipeline: bool) -> None:
    """What is for another kind of file than this one."""
    target = find(getattr(args, "target", "cpu"))
    if getattr(args, "offload_devices", ()) and not is_pipeline:
        return
    if not is_pipeline and not target.has_sizes:
        reason = f"for '{name}', which is not Halide-like C++"
        refuse(find_given(flag_settings(SourceOptions), args), reason)
        if target.has_passes:
            refuse(find_given(flag_settings(target.options, target.name), args), reason)
    elif is_pipeline and target.has_passes:
        reason = f"for '{name}', which is Halide-like C++"
        refuse(find_given((*_OF_PASSES, Setting("--tune")), args), reason)


def check_tune(args: argparse.Namespace) -> None:
    """The settings of ``tune``: with a kernel those of the search, else those of what it knows."""
    if args.file is not None:
        refuse(find_given([Setting("--clear")], args), "with a FILE")
        for group in args.groups:
            without = (group.title or "").split(", ")[0]
            check_groups(args, [group], args.target, f"without '--target {without}'")
        if args.target == "clockwork":
            refuse(find_given([Setting("--scheduler", "")], args), "with '--target clockwork'")
        if args.target == "spatial":
            refuse(find_given([Setting("--seconds", None)], args), "with '--target spatial'")
        return
    from s2s.cli.tune_kernels import search_defaults

    search = (Setting(option, default) for option, default in search_defaults().items())
    outcome = Setting("-o", None, "output")
    refuse(find_given((outcome, *flag_settings(SourceOptions), *search), args), "without a FILE")
    check_groups(args, args.groups, "", "without a FILE")
    refuse(["--"] if args.cflags else [], "without a FILE")


def check_groups(
    args: argparse.Namespace, groups: Iterable[argparse._ArgumentGroup], chosen: str, without: str
) -> None:
    """Options of groups that are for something else than ``chosen``, a word of their title."""
    for group in groups:
        if chosen not in (group.title or "").split(", "):
            actions = [action for action in group._group_actions if action.option_strings]
            wrong = [a for a in actions if getattr(args, a.dest) != a.default]
            refuse((action.option_strings[-1] for action in wrong), without)
