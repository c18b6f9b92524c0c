"""``in`` and ``clone_in``: consumers load from the Func that stands before another."""

from __future__ import annotations

from s2s.scop.errors import Illegal
from s2s.scop.rewrite import redirect_loads
from s2s.transforms.halide.environment import Environment, calls_in_order


def wrap(funcs: Environment) -> None:
    """Redirect the loads of all consumers.

    Raises Illegal where a Func that was given a wrapper of its own does not call the Func behind.
    """
    redirections, everywhere = _redirections(funcs)
    for consumer, to in redirections.items():
        for definition in funcs[consumer].stages:
            redirect_loads(definition, to)
    for consumer, to in redirections.items():
        called = calls_in_order(funcs[consumer], funcs)
        for wrapped, wrapper in to.items():
            if wrapper not in everywhere and wrapper not in called:
                _refuse(funcs, consumer, wrapped, wrapper)


def _redirections(funcs: Environment) -> tuple[dict[str, dict[str, str]], set[str]]:
    """For each consumer what is loaded from instead; the wrappers that stand for all consumers."""
    found: dict[str, dict[str, str]] = {name: {} for name in funcs}
    everywhere: set[str] = set()
    for name, func in funcs.items():
        wrappers = func.schedule.wrappers
        for consumer, wrapper in sorted(wrappers.items()):
            if consumer:
                if consumer in funcs:
                    _enter(found[consumer], name, wrapper)
                continue
            everywhere.add(wrapper)
            excluded = {name, *wrappers, *wrappers.values()}
            for other in funcs.keys() - excluded:
                _enter(found[other], name, wrapper)
    return found, everywhere


def _enter(to: dict[str, str], wrapped: str, wrapper: str) -> None:
    """Add a redirection; a wrapper of a wrapper (``f.in(g).in(g)``) stands before both."""
    for earlier, target in to.items():
        if target == wrapped:
            to[earlier] = wrapper
            return
        if earlier == wrapper:
            del to[earlier]
            to[wrapped] = target
            return
    to[wrapped] = wrapper


def _refuse(funcs: Environment, consumer: str, wrapped: str, wrapper: str) -> None:
    called = ", ".join(sorted(calls_in_order(funcs[consumer], funcs))) or "nothing"
    raise Illegal(
        f"{wrapped}.in({consumer}): {consumer} does not call {wrapped}",
        funcs[wrapper].at,
        ((f"{consumer} calls {called}", None),),
    )
