"""The passes by name; each is a frozen dataclass whose fields are its options.

A pass is asked for as ``NAME`` or with options behind colons: ``popp:sizes=32x16:chunk=8``. Numbers
of a tuple are joined by ``x``; an option without a value is switched on. Options are fields of the
pass with metadata: ``help`` is a sentence for the user, ``least`` the smallest number allowed (0),
``tune`` values that are worth measuring instead of the default. A field of type ``Literal`` allows
its values only.
"""

from __future__ import annotations

import importlib
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, get_origin, get_type_hints

from s2s.source.compiler import family
from s2s.source.diagnostics import Diagnostic, Severity, UserError

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.nodes import Scop
    from s2s.transforms.transformed import Transformed

# Where each pass is; its module is imported when the pass is made.
TABLE = {
    "popp": "s2s.transforms.popp:Popp",
    "unskew": "s2s.transforms.unskew:Unskew",
    "phases": "s2s.transforms.phases:Phases",
    "jam": "s2s.transforms.jam:Jam",
    "permute": "s2s.transforms.permute:Permute",
    "interchange": "s2s.transforms.interchange:Interchange",
    "tiles": "s2s.transforms.square_tiles:SquareTiles",
    "copies": "s2s.transforms.copies:Copies",
    "split": "s2s.transforms.split:Split",
    "chains": "s2s.transforms.chains:Chains",
    "polysimd": "s2s.transforms.polysimd:Polysimd",
    "rotate": "s2s.transforms.rotate:Rotate",
    "idioms": "s2s.rewriters.idioms.idioms:Idioms",
    "balance": "s2s.rewriters.balance:Balance",
    "forward": "s2s.transforms.forward:Forward",
    "graph": "s2s.rewriters.graphs.graph:Graph",
}
NAMES = tuple(TABLE)


class Pass(Protocol):
    """A pass: pure, from a SCoP and its dependences to a SCoP with a target schedule."""

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Raises NotApplicable with the place and the reason."""
        ...


@dataclass(frozen=True)
class Option:
    """An option field of a pass. ``type`` is its type hint, ``tune`` are values to measure.

    ``least`` is the smallest value of a number.
    """

    name: str
    type: Any
    default: Any
    help: str
    tune: tuple[Any, ...] = ()
    least: int = 0


def make(
    spec: str, *, parallel: bool = False, reassociate: bool = False, compiler: str = "gcc",
    interchanges: bool = False, spacelimit: int = 0,
) -> Pass:  # fmt: skip
    """The pass that ``NAME[:OPTION[=VALUE]]...`` asks for.

    ``parallel``, ``reassociate``, the family of ``compiler``, ``interchanges`` (it reorders loops)
    and ``spacelimit`` (in vectors, 0: no bound) reach the passes that have such a field. Raises
    UserError that names the pass, the option and the type when there is no such thing.
    """
    name, given = _split(spec)
    cls = _class(name)
    known = {option.name: option for option in _options_of(cls)}
    common: dict[str, object] = {
        "parallel": parallel,
        "reassociate": reassociate,
        "compiler": family(compiler),
        "interchanges": interchanges,
    }
    if spacelimit:
        common["spacelimit"] = spacelimit
    values = {key: value for key, value in common.items() if key in known}
    for option, text in given:
        if option not in known:
            there_are = ", ".join(known) or "none"
            raise _wrong(f"pass '{name}' has no option '{option}' (there are: {there_are})")
        values[option] = _value(name, known[option], text)
    made: Pass = cls(**values)
    return made


def check(spec: str) -> None:
    """Raise UserError unless ``make`` takes the text; no pass is loaded for a name alone."""
    name, given = _split(spec)
    if name not in NAMES:
        raise _unknown(name)
    if given:
        make(spec)


def name_of(spec: str) -> str:
    """The pass's name in ``NAME[:OPTION[=VALUE]]...``."""
    return _split(spec)[0]


def keeps_calls(name: str) -> bool:
    """Whether a pass moves the calls in tasks as they are, and has no use for callees' bodies."""
    return bool(getattr(_class(name), "keeps_calls", False))


def separates(name: str) -> bool:
    """Whether a pass wants every statement of the source for itself, and all scalars as memory."""
    return bool(getattr(_class(name), "separates", False))


def takes_single_loops(name: str) -> bool:
    """Whether a pass acts on innermost loops by themselves, in the form that nests have."""
    return bool(getattr(_class(name), "single_loops", False))


def takes_sequences(name: str) -> bool:
    """Whether a pass acts on several statements of a block, not on one loop or construct."""
    return bool(getattr(_class(name), "sequences", False))


def bounds_storage(name: str) -> bool:
    """Whether a pass renames, and takes a bound on the storage for that."""
    return any(option.name == "spacelimit" for option in options(name))


def options(name: str) -> tuple[Option, ...]:
    """The options of a pass in the order of its fields. Raises UserError for an unknown name."""
    return _options_of(_class(name))


def summary(name: str) -> str:
    """The first sentence of what a pass's module says about it."""
    module = importlib.import_module(TABLE[name].partition(":")[0])
    return (module.__doc__ or name).strip().partition("\n")[0].rstrip(".")


def spelled(value: Any) -> str:
    """The value of an option as it is written in a list of passes."""
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def kind(option: Option) -> str:
    """The allowed values of an option in words for the user."""
    hint = option.type
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(spelled, get_args(hint)))
    if get_origin(hint) is tuple:
        return f"{len(option.default)} positive numbers joined by 'x'"
    least = f" from {option.least} on" if option.least else ""
    names = {int: f"a whole number{least}", float: f"a number{least}", bool: "true or false"}
    return names.get(hint, "text")


def _split(spec: str) -> tuple[str, list[tuple[str, str | None]]]:
    name, *rest = spec.split(":")
    pairs = [part.partition("=") for part in rest]
    return name.strip(), [
        (key.strip().replace("-", "_"), value.strip() if equals else None)
        for key, equals, value in pairs
    ]


def _class(name: str) -> Any:
    if name not in TABLE:
        raise _unknown(name)
    module, _, attribute = TABLE[name].partition(":")
    return getattr(importlib.import_module(module), attribute)


@cache
def _options_of(cls: Any) -> tuple[Option, ...]:
    """A pass's fields; kept, since to make types of their annotations takes long."""
    hints = get_type_hints(cls)
    return tuple(_option(one, hints[one.name]) for one in fields(cls))


def _option(one: Field[Any], hint: Any) -> Option:
    default = one.default if one.default_factory is MISSING else one.default_factory()
    metadata = one.metadata
    tune, least = tuple(metadata.get("tune", ())), metadata.get("least", 0)
    return Option(one.name, hint, default, metadata.get("help", ""), tune, least)


def _value(name: str, option: Option, text: str | None) -> Any:
    """The value that a text stands for. Raises UserError."""
    if text is None:
        if option.type is bool:
            return True
        raise _wrong(f"option '{option.name}' of pass '{name}' needs a value: "
                     f"{kind(option)}")  # fmt: skip
    try:
        return _converted(option, text)
    except ValueError:
        raise _wrong(f"option '{option.name}' of pass '{name}' is {kind(option)}, "
                     f"not '{text}'") from None  # fmt: skip


def _converted(option: Option, text: str) -> Any:
    hint = option.type
    if get_origin(hint) is tuple:
        return _numbers(option, text)
    if get_origin(hint) is Literal or hint is bool:
        allowed = (True, False) if hint is bool else get_args(hint)
        return _one_of({spelled(value): value for value in allowed}, text)
    if hint is str:
        return text
    number = hint(text)
    if not option.least <= number < float("inf"):
        raise ValueError(text)
    return number


def _numbers(option: Option, text: str) -> tuple[int, ...]:
    """As many positive numbers as the default has: a pass counts on one for each of its loops."""
    numbers = tuple(int(part) for part in text.split("x"))
    if min(numbers) < 1 or len(numbers) != len(option.default):
        raise ValueError(text)
    return numbers


def _one_of(allowed: dict[str, Any], text: str) -> Any:
    if text not in allowed:
        raise ValueError(text)
    return allowed[text]


def _unknown(name: str) -> UserError:
    return _wrong(f"no pass is named '{name}' (there are: {', '.join(NAMES)})")


def _wrong(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "passes"))
