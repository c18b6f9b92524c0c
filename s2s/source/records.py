"""Dataclasses whose methods are written when they are first called.

``dataclasses`` writes and compiles up to six methods for each class while its module is loaded:
a third of what ``s2s transform`` took for a file of ordinary size, most of it for classes of which
the file made no object, and for texts and comparisons that nobody asked for. Here a class gets
stand-ins. The first that is called has the ordinary ``dataclasses.dataclass`` make the class, and
one of ``__eq__``, ``__hash__`` and ``__repr__`` these three besides; from then on the class is what
it would have been. Stand-ins are seen only by who looks at a method of a class without calling
it, and by who asks the class itself for a default that is a ``field(...)``.
"""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False  # typing's own takes longer to load than a file that is known to a build
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass

__all__ = ["dataclass", "make_all"]

_POSTPONED = {"frozen", "eq", "repr", "kw_only"}
_FIELDS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
# Reentrant: to make a class asks its bases for their fields, which may have to be made first.
_making = RLock()
_waiting: list[_Late] = []


def make_all() -> None:
    """Make all classes that are not made yet, before a process is copied that may use them."""
    while _waiting:
        _waiting.pop().make()


class _Late:
    """A class that is not made yet: what stands in for what ``dataclasses`` writes."""

    def __init__(self, cls: type, options: dict[str, bool]) -> None:
        self.cls = cls
        self.options = options
        frozen, eq = options.get("frozen", False), options.get("eq", True)
        own = cls.__dict__
        self.to_make: list[str] = []
        self.to_compare: list[str] = []
        for name in _FIELDS:
            if name not in own:
                setattr(cls, name, _Asked(self, name))
                self.to_make.append(name)
        for name in ("__init__", "__setattr__", "__delattr__") if frozen else ("__init__",):
            if name not in own:
                setattr(cls, name, _stand_in(cls, name, self.make))
                self.to_make.append(name)
        # Python takes the hash of a class that says how its objects compare; it is no choice.
        hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
        if eq and not frozen and not hashed:
            cls.__hash__ = None  # type: ignore[assignment]
        for name, asked in (
            ("__hash__", eq and frozen and not hashed),
            ("__eq__", eq and "__eq__" not in own),
            ("__repr__", options.get("repr", True) and "__repr__" not in own),
        ):
            if asked:
                setattr(cls, name, _stand_in(cls, name, self.compare))
                self.to_compare.append(name)

    def make(self) -> None:
        """Make all of the class but what compares and shows objects, unless that has been done."""
        with _making:
            if not self.to_make:
                return
            for name in self.to_make:
                delattr(self.cls, name)
            self.to_make = []
            from dataclasses import dataclass

            without = self.options | {"eq": False, "repr": False}
            dataclass(**without)(self.cls)

    def compare(self) -> None:
        """Give the class what compares and shows objects: that of a class with its fields."""
        self.make()
        with _making:
            if not self.to_compare:
                return
            from dataclasses import field, fields, make_dataclass

            asked = [
                (f.name, object, field(compare=f.compare, hash=f.hash, repr=f.repr))
                for f in fields(self.cls)
            ]
            same = make_dataclass(
                self.cls.__name__, asked, init=False, frozen=self.options.get("frozen", False)
            )
            for name in self.to_compare:
                setattr(self.cls, name, same.__dict__[name])
            self.to_compare = []


class _Asked:
    """What ``dataclasses`` asks a class, or one derived from it, for."""

    def __init__(self, late: _Late, name: str) -> None:
        self.late = late
        self.name = name

    def __get__(self, instance: object, owner: type) -> object:
        self.late.make()
        return getattr(owner, self.name)


def _stand_in(cls: type, name: str, make: Callable[[], None]) -> Callable[..., object]:
    def stand_in(*args: object, **kwargs: object) -> object:
        make()
        written: object = getattr(cls, name)(*args, **kwargs)
        return written

    return stand_in


def _postpone(cls: type, options: dict[str, bool]) -> type:
    if not _POSTPONED.issuperset(options):
        from dataclasses import dataclass

        made: type = dataclass(**options)(cls)
        return made
    _waiting.append(_Late(cls, options))
    return cls


if not TYPE_CHECKING:

    def dataclass(cls=None, /, **options):
        """Decorate a class as ``dataclasses.dataclass`` does, and put off the work where it can.

        Classes with slots or an order are made at once: the first are other classes than those
        that are decorated, and there are few of the second.
        """
        return _postpone(cls, options) if cls is not None else lambda c: _postpone(c, options)
