"""Members of records behind pointers that a compiler reads again after each store.

In ``img->px[y * img->stride + x] = v`` the store of a character may change ``img->stride`` to all
that C says (ISO C 6.5, paragraph 7), so no compiler moves that out of the loop or makes vectors.
A region reads such members as parameters or as bases of arrays, and its guard shows that nothing
in it writes them.
"""

from __future__ import annotations

import re

from s2s.scop.nodes import Scop

_MEMBER = re.compile(r"([A-Za-z_]\w*)->([A-Za-z_]\w*)")
_CHARACTER = 1


def read_again(scop: Scop) -> dict[str, dict[str, str]]:
    """For pointers to records the members that only the guard shows to keep their values.

    By member the C type of a number, empty for what a subscript is added to. Only of pointers of
    which stores of the region may change a member to a compiler.
    """
    found: dict[str, dict[str, str]] = {}
    for parameter in scop.parameters:
        match = _MEMBER.fullmatch(parameter.spelling)
        if match is not None:
            found.setdefault(match[1], {})[match[2]] = parameter.type.removeprefix("const ")
    for array in scop.arrays.values():
        place = array.base if array.member is None else array.member[0]
        match = _MEMBER.fullmatch(place or "")
        if match is not None:
            found.setdefault(match[1], {})[match[2]] = ""
    stores = [a for s in scop.statements for a in s.accesses if a.write]
    if any(scop.arrays[a.array].element_size == _CHARACTER for a in stores):
        return found
    # The type of a store may not be known, as that of what a subscript is added to is not noted:
    # elements that are reached through the record count then.
    types = {a.type for a in stores}
    return {name: members for name, members in found.items() if types & set(members.values())}


def local_name(prefix: str, name: str, member: str) -> str:
    """What a member is called where a local of new code holds it."""
    return f"{prefix}{name}_{member}"


def in_source_words(scop: Scop, text: str, prefix: str) -> str:
    """The text of a statement with members in the place of locals that hold them."""
    for name, members in read_again(scop).items():
        for member in members:
            local = re.escape(local_name(prefix, name, member))
            text = re.sub(rf"\b{local}\b", f"{name}->{member}", text)
    return text
