"""Members of records in locals of the new code: ``img->stride`` as ``s2s_img_stride``.

The guard has read a member of each such record and shown that nothing in the region changes those
that are read (``analyses/members.py``); a compiler does not see that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from s2s.analyses.members import local_name, read_again
from s2s.scop.nodes import Scop

# What may be another thing than a use of a member's value.
_UNCLEAR = re.compile(r"[\"'#]|\bsizeof\b|__typeof__|//|/\*")


def with_members_in_locals(
    scop: Scop, checked: str, body: Sequence[str], prefix: str
) -> tuple[list[str], list[str]]:
    """Declarations, and the lines of the new code with the locals in the place of members.

    ``checked`` is the guard. A pointer stays that is named for more than these members.
    """
    lines = [*body]
    declarations: list[str] = []
    for name, members in sorted(read_again(scop).items()):
        use = re.compile(rf"(?<![\w.>])((?:(?<!&)&(?!&)\s*)?)\b{name}\b(\s*->\s*(\w+)\b(?!\s*->))?")
        if not re.search(rf"(?<![\w.>]){name}->", checked) or not _are_values(lines, use, members):
            continue
        named = {m[3] for line in lines for m in use.finditer(line)}
        local = {member: local_name(prefix, name, member) for member in named}
        if any(re.search(rf"\b{new}\b", line) for line in lines for new in local.values()):
            continue
        lines = [_with_locals(line, use, local) for line in lines]
        for member in sorted(named):
            place = f"{name}->{member}"
            type_ = (
                f"const {members[member]}" if members[member] else f"__typeof__(&{place}[0]) const"
            )
            declarations.append(f"{type_} {local[member]} = {place};")
    return declarations, lines


def _with_locals(line: str, use: re.Pattern[str], local: Mapping[str, str]) -> str:
    return use.sub(lambda match: local[match[3]], line)


def _are_values(lines: Sequence[str], use: re.Pattern[str], members: Mapping[str, str]) -> bool:
    """Whether a pointer is named only for the values of members of which these are known."""
    found = [(line, m) for line in lines for m in use.finditer(line)]
    return bool(found) and all(
        m[3] in members and not m[1] and not _UNCLEAR.search(line) for line, m in found
    )
