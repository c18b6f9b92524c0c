"""What other packages bring by entry points: read where a name is asked for that is none of ours.

To look at every installed package takes longer than s2s takes to start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, TypeVar

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

GROUPS = {
    "s2s.passes": "pass",
    "s2s.targets": "target",
    "s2s.machines": "machine",
    "s2s.suites": "suite",
    "s2s.devices": "device",
}
"""The groups of entry points, and what each of them brings in a word."""


@dataclass(frozen=True)
class PlugIn:
    """An entry point of a package: what it brings and which others have the same name."""

    entry: EntryPoint
    word: str
    others: tuple[EntryPoint, ...] = ()
    of_ours: bool = False
    """Whether s2s itself has one of this name, which stays."""

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def clash(self) -> str:
        """What there is to say of two of one name; empty where there is one."""
        froms = [distribution(entry) for entry in (self.entry, *self.others)]
        if self.of_ours:
            froms.insert(0, "s2s itself")
        if len(froms) < 2:
            return ""
        return f"{self.word} '{self.name}' is offered by {' and by '.join(froms)}"

    def load(self) -> object:
        """The object. Raises UserError for a clash, or where it cannot be loaded."""
        if self.clash:
            raise UserError(Diagnostic(Severity.ERROR, self.clash, self.word))
        try:
            return self.entry.load()
        except Exception as error:
            raise self.broken(f"{type(error).__name__}: {error}") from error

    def broken(self, why: str) -> UserError:
        """The error about something that cannot be loaded."""
        text = f"{self.word} '{self.name}' of {distribution(self.entry)} cannot be loaded: {why}"
        return UserError(Diagnostic(Severity.ERROR, text, self.word))


def distribution(entry: EntryPoint) -> str:
    """The package that an entry point is of, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "a package"


def plug_ins(group: str, ours: Collection[str] = ()) -> Iterator[PlugIn]:
    """All entry points of a group by name, those that clash with ``ours`` or another included."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    every = entry_points(group=group)
    for entry in sorted(every, key=lambda entry: (entry.name, distribution(entry))):
        known = found.setdefault(entry.name, [])
        # A package that is found twice on the path is one; its first place counts.
        if all(distribution(other) != distribution(entry) for other in known):
            known.append(entry)
    for name, (first, *others) in found.items():
        yield PlugIn(first, GROUPS[group], tuple(others), name in ours)


def find_installed(group: str, ours: Collection[str]) -> dict[str, PlugIn]:
    """What packages bring, by name; none of it takes the place of ours."""
    return {found.name: found for found in plug_ins(group, ours) if not found.of_ours}


def load_installed(found: PlugIn, kind: type[T]) -> T:
    """The object of an entry point, whose ``name`` is the entry's.

    Raises UserError where it cannot be loaded or is none of this kind, or two have its name.
    """
    loaded = found.load()
    if not isinstance(loaded, kind) or getattr(loaded, "name", "") != found.name:
        raise found.broken(f"'{found.entry.value}' is no such {found.word}")
    return loaded
