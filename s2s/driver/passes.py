"""The passes in their order and by their names; each is a frozen dataclass of its options.

A pass is asked for as ``NAME`` or with options after colons: ``popp:sizes=32x16:chunk=8``. Numbers
of a tuple are joined by ``x``; an option without a value is switched on. Options are fields of the
pass with metadata: ``help`` is a sentence for the user, ``least`` the smallest number allowed (0),
``tune`` values that are worth measuring instead of the default. A field of type ``Literal`` allows
its values only.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Any, Literal, TypeGuard, get_args, get_origin, get_type_hints

from s2s.source.compiler import family
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.installed import PlugIn, find_installed, load_installed
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean
from s2s.transforms.scop_pass import Form, Look, Pass

# The passes that are asked where the user names none, in their order, and where each of them is:
# its module is imported when the pass is made.
DEFAULT = {
    "popp": "s2s.transforms.popp:Popp",
    "hoist": "s2s.transforms.hoist:Hoist",
    "unskew": "s2s.transforms.unskew:Unskew",
    "phases": "s2s.transforms.phases:Phases",
    "panels": "s2s.transforms.panels:Panels",
    "jam": "s2s.transforms.jam:Jam",
    "jam-rows": "s2s.transforms.jam_rows:JamRows",
    "permute": "s2s.transforms.permute:Permute",
    "interchange": "s2s.transforms.interchange:Interchange",
    "lanes": "s2s.transforms.lanes:Lanes",
    "tiles": "s2s.transforms.square_tiles:SquareTiles",
    "copies": "s2s.transforms.copies:Copies",
    "split": "s2s.transforms.split:Split",
    "chains": "s2s.transforms.chains:Chains",
    "members": "s2s.transforms.members:Members",
    "polysimd": "s2s.transforms.polysimd:Polysimd",
    "rotate": "s2s.transforms.rotate:Rotate",
    "simd": "s2s.transforms.simd:Simd",
    "pipeline": "s2s.transforms.pipeline:Pipeline",
    "doall": "s2s.transforms.doall:Doall",
    "line-lanes": "s2s.rewriters.line_lanes:LineLanes",
    "balance": "s2s.rewriters.balance:Balance",
    "interleave": "s2s.rewriters.interleave:Interleave",
    "collect-hits": "s2s.rewriters.collect_hits:CollectHits",
    "flat-rows": "s2s.rewriters.flat_rows:FlatRowLoops",
    "wrapped-ends": "s2s.rewriters.wrapped_ends:WrappedEndLoops",
    "narrow-walks": "s2s.rewriters.narrow_walks:NarrowWalks",
    "idioms": "s2s.rewriters.idioms.idioms:Idioms",
    "roots": "s2s.rewriters.roots:Roots",
    "forward": "s2s.transforms.forward:Forward",
}
_NEST = frozenset({Look.NEST})
_LOOPS = frozenset({Look.NEST, Look.INNERMOST})
# Which form each of these takes and what it looks for is known without loading it: in most files of
# a build there is nothing for them, or for two of them. Tests compare it with their members.
KNOWN: dict[str, tuple[Form, frozenset[Look]]] = {
    **dict.fromkeys(DEFAULT, (Form.REGION, _NEST)),
    "jam-rows": (Form.REGION, frozenset({Look.ROWS})),
    "members": (Form.REGION, frozenset({Look.MEMBERS})),
    "polysimd": (Form.SEPARATE, _LOOPS),
    "rotate": (Form.LOOPS, _LOOPS),
    "simd": (Form.LOOPS, frozenset({Look.PLACES})),
    "pipeline": (Form.REST, frozenset({Look.OUTER})),
    "doall": (Form.REST, frozenset({Look.LOOP, Look.OUTER})),
    "line-lanes": (Form.FUNCTION, _NEST),
    "balance": (Form.FUNCTION, _NEST),
    "interleave": (Form.FUNCTION, _NEST),
    "collect-hits": (Form.FUNCTION, _LOOPS),
    "flat-rows": (Form.FUNCTION, frozenset({Look.DIVISION})),
    "wrapped-ends": (Form.FUNCTION, frozenset({Look.REMAINDER})),
    "narrow-walks": (Form.FUNCTION, frozenset({Look.WALK})),
    "idioms": (Form.FUNCTION, _LOOPS),
    "roots": (Form.FUNCTION, frozenset({Look.ROOTS})),
    "forward": (Form.SEQUENCE, frozenset({Look.COPY})),
}
# What they look for where no parallel loops are added.
DEFAULT_LOOKS = frozenset().union(*(s for form, s in KNOWN.values() if form is not Form.REST))
# Where other passes of ours are, each in a file of its name.
FOLDERS = ("s2s.transforms", "s2s.rewriters")
# The entry points of installed packages that are passes, by the passes' names.
GROUP = "s2s.passes"


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
    spec: str, *, parallel: bool = False, force: bool = False, reassociate: bool = False,
    compiler: str = "gcc",
    interchanges: bool = False, spacelimit: int = 0, vector: int = 0, regroups: bool = False,
) -> Pass:  # fmt: skip
    """The pass that ``NAME[:OPTION[=VALUE]]...`` asks for.

    ``parallel``, ``force``, ``reassociate``, the family of ``compiler``, ``regroups`` (it may
    regroup sums itself, and has vectors of functions), ``interchanges`` (it reorders loops),
    ``spacelimit`` (in vectors, 0: no bound) and the bytes of a ``vector`` reach the passes that
    have such a field. Raises UserError that names the pass, the option and the type when there is
    no such thing.
    """
    name, given = _split(spec)
    cls: Any = find(name)
    known = {one.name for one in fields(cls)}
    common: dict[str, object] = {
        "parallel": parallel,
        "force": force,
        "reassociate": reassociate,
        "regroups": regroups,
        "compiler": family(compiler),
        "interchanges": interchanges,
    }
    if vector:
        common["vector"] = vector
    if spacelimit:
        common["spacelimit"] = spacelimit
    values = {key: value for key, value in common.items() if key in known}
    # To make types of the annotations takes longer than most files give a pass to do.
    options = {option.name: option for option in _options_of(cls)} if given else {}
    for option, text in given:
        if option not in options:
            hint = did_you_mean(option, options)
            raise _wrong(f"pass '{name}' has no option '{option}'{hint}")
        values[option] = _value(name, options[option], text)
    maker: Callable[..., Pass] = cls
    return maker(**values)


def check(spec: str) -> None:
    """Raise UserError unless ``make`` takes the text; no default pass is loaded for its name."""
    name, given = _split(spec)
    if given:
        make(spec)
    elif name not in DEFAULT:
        find(name)


@cache
def name_of(spec: str) -> str:
    """The pass's name in ``NAME[:OPTION[=VALUE]]...``."""
    return _split(spec)[0]


def find(name: str) -> type[Pass]:
    """The class of a pass: a default one, that of a file, or that of an installed package.

    Raises UserError where there is none.
    """
    if name in DEFAULT:
        module, _, attribute = DEFAULT[name].partition(":")
        found: type[Pass] = getattr(importlib.import_module(module), attribute)
        return found
    ours = _of_file(name)
    return _installed(name) if ours is None else ours


def names() -> tuple[str, ...]:
    """All passes: the default ones in their order, then others of ours and of packages."""
    ours = own_names()
    return (*ours, *find_installed(GROUP, ours))


@cache
def own_names() -> tuple[str, ...]:
    """The passes of s2s itself."""
    from pkgutil import iter_modules

    stems = {m.name for f in FOLDERS for m in iter_modules(_paths(f)) if not m.ispkg}
    files = {s.replace("_", "-") for s in stems} - set(DEFAULT)
    return (*DEFAULT, *sorted(name for name in files if _of_file(name)))


def looks_for(specs: Sequence[str], *forms: Form) -> frozenset[Look]:
    """What passes look for together, those of the given forms or all; nests always, for races."""
    if tuple(map(name_of, specs)) == tuple(DEFAULT):
        return DEFAULT_LOOKS
    found = [known_of(spec) for spec in specs]
    return _NEST.union(*(looks for form, looks in found if not forms or form in forms))


def known_of(spec: str) -> tuple[Form, frozenset[Look]]:
    """The form that a pass takes, and what it looks for; no default pass is loaded for that."""
    name = name_of(spec)
    if name in KNOWN:
        return KNOWN[name]
    found = find(name)
    return found.form, found.looks_for


def of_form(specs: Sequence[str], *forms: Form) -> tuple[str, ...]:
    """Those passes that take a program in one of these forms."""
    return tuple(spec for spec in specs if known_of(spec)[0] in forms)


def on_files(specs: Sequence[str]) -> tuple[str, ...]:
    """Those passes that take whole files; no default pass is loaded for the answer."""
    return of_form([spec for spec in specs if name_of(spec) not in DEFAULT], Form.FILE)


def on_functions(specs: Sequence[str]) -> tuple[str, ...]:
    """Those passes that edit the text of functions; those in ``transforms`` work on SCoPs."""
    scops = {name for name, place in DEFAULT.items() if place.startswith("s2s.transforms.")}
    return of_form([spec for spec in specs if name_of(spec) not in scops], Form.FUNCTION)


def bounds_storage(name: str) -> bool:
    """Whether a pass renames, and takes a bound on the storage for that."""
    return any(option.name == "spacelimit" for option in options(name))


def options(name: str) -> tuple[Option, ...]:
    """The options of a pass in the order of its fields. Raises UserError for an unknown name."""
    return _options_of(find(name))


def summary(name: str) -> str:
    """The first sentence of what a pass's module says about it."""
    return (
        (sys.modules[find(name).__module__].__doc__ or name).strip().partition("\n")[0].rstrip(".")
    )


def spell_value(value: Any) -> str:
    """The value of an option as it is written in a list of passes."""
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def kind(option: Option) -> str:
    """The allowed values of an option in words for the user."""
    hint = option.type
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(spell_value, get_args(hint)))
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


@cache
def _of_file(name: str) -> type[Pass] | None:
    """The pass in the file of its name, with underscores for dashes; None where there is none."""
    stem = name.replace("-", "_")
    for folder in FOLDERS:
        if stem.isidentifier() and importlib.util.find_spec(f"{folder}.{stem}") is not None:
            module = importlib.import_module(f"{folder}.{stem}")
            for found in vars(module).values():
                if _is_pass(found, name) and found.__module__ == module.__name__:
                    return found
    return None


@cache
def _installed(name: str) -> type[Pass]:
    """The pass that a package offers by this name. Raises UserError where none does."""
    installed = find_installed(GROUP, DEFAULT)
    if name not in installed:
        raise _wrong(f"no pass is named '{name}'{did_you_mean(name, names())}")
    return load_pass(installed[name])


def load_pass(installed: PlugIn) -> type[Pass]:
    """The pass of a package. Raises UserError where it is none."""
    found = load_installed(installed, type)
    if not issubclass(found, Pass):
        raise installed.broken(f"'{installed.entry.value}' is no such pass")
    return found


def _is_pass(found: object, name: str) -> TypeGuard[type[Pass]]:
    if not (isinstance(found, type) and issubclass(found, Pass)):
        return False
    return "name" in vars(found) and found.name == name


def _paths(package: str) -> Iterable[str]:
    return importlib.import_module(package).__path__


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
        return _one_of({spell_value(value): value for value in allowed}, text)
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


def _wrong(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "passes"))
