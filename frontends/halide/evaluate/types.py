"""C++ types by their canonical spelling."""

from __future__ import annotations

import re
from functools import cache

from s2s.source.records import dataclass


@dataclass(frozen=True)
class CType:
    """``name`` without qualifiers, template arguments, extents of arrays (outermost first)."""

    name: str
    arguments: tuple[CType, ...] = ()
    extents: tuple[int, ...] = ()
    pointer: bool = False
    reference: bool = False
    const: bool = False

    @property
    def element(self) -> CType:
        """What an array holds."""
        return CType(self.name, self.arguments, self.extents[1:], self.pointer, False, self.const)

    @property
    def pointee(self) -> CType:
        return CType(self.name, self.arguments, self.extents, False, False, self.const)

    @property
    def value(self) -> CType:
        """Without the reference."""
        return CType(self.name, self.arguments, self.extents, self.pointer, False, False)

    @property
    def is_scalar(self) -> bool:
        return self.name in SCALARS and not self.pointer and not self.extents


# Integer types as (signed, bits); the floating ones have signed None.
SCALARS: dict[str, tuple[bool | None, int]] = {
    "bool": (False, 1),
    "char": (True, 8),
    "signed char": (True, 8),
    "unsigned char": (False, 8),
    "short": (True, 16),
    "unsigned short": (False, 16),
    "int": (True, 32),
    "unsigned int": (False, 32),
    "long": (True, 64),
    "unsigned long": (False, 64),
    "long long": (True, 64),
    "unsigned long long": (False, 64),
    "float": (None, 32),
    "double": (None, 64),
    "long double": (None, 64),
}


@cache
def ctype(spelling: str) -> CType:
    """The type that a canonical spelling names."""
    text = spelling.strip()
    extents = tuple(int(e or -1) for e in re.findall(r"\[(\d*)\]", _outside(text)))
    if extents:
        text = re.sub(r"(\s*\[\d*\])+$", "", text)
    reference = text.endswith("&")
    text = text.rstrip("& ")
    if text.endswith("(") or "(&)" in text or "(*)" in text:
        return CType("function" if "(*)(" in text else text, pointer="(*)" in text)
    pointer = text.endswith("*") or text.endswith("*const")
    text = re.sub(r"\*\s*(const)?$", "", text).strip()
    const = text.startswith("const ") or text.endswith(" const")
    text = re.sub(r"^(const |volatile |struct |class |enum )+", "", text)
    text = re.sub(r" const$", "", text)
    if "<" not in text or not text.endswith(">"):
        return CType(text, (), extents, pointer, reference, const)
    name, _, rest = text.partition("<")
    arguments = tuple(ctype(a) for a in split_arguments(rest[:-1]))
    return CType(name, arguments, extents, pointer, reference, const)


def _outside(text: str) -> str:
    """The text after the template arguments."""
    return text[text.rfind(">") + 1 :]


def split_arguments(text: str) -> list[str]:
    """Template arguments, separated at the commas outside of brackets."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "<([":
            depth += 1
        elif letter in ">)]":
            depth -= 1
        elif letter == "," and depth == 0:
            found.append(text[start:place].strip())
            start = place + 1
    last = text[start:].strip()
    return [*found, last] if last else found
