"""The functions whose bodies can take the place of a call, and why others cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.effects import UNMODELLED
from s2s.frontends.c.prepare.callee import Callee
from s2s.frontends.c.prepare.conditionals import always_defined
from s2s.frontends.c.prepare.elsewhere import different_macro, other_meaning
from s2s.frontends.c.rewritten import mark
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import directives, identifiers
from s2s.frontends.c.unit import Unit
from s2s.source.records import dataclass

# A call to one of these means something else in another function, or in a block of a loop.
_BOUND_TO_FRAME = frozenset(
    {"setjmp", "_setjmp", "__sigsetjmp", "longjmp", "siglongjmp", "alloca", "__builtin_alloca",
     "__builtin_return_address", "__builtin_frame_address", "__builtin_va_start", "vfork"}
)  # fmt: skip
_HARMLESS = re.compile(
    rb"__(?:attribute|attribute__)\s*\(\(\s*(?:__)?(?:always_inline|unused|pure|const|hot|nothrow|"
    rb"gnu_inline|nonnull|leaf)(?:__)?\s*(?:\([^()]*\)\s*)?\)\)"
)
_ATTRIBUTE = re.compile(rb"__attribute|\[\[|__declspec|\basm\b|__asm")
_NAME_OF_FUNCTION = frozenset({"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})
_CONDITIONAL = re.compile(r"(if|ifdef|ifndef|elif|else|endif)\b")
_KEPT_WORDS = (b"noinline", b"noclone", b"weak", b"noipa", b"naked", b"returns_twice")
_KEPT = rb"\b(?:__)?(?:" + b"|".join(_KEPT_WORDS) + rb")(?:__)?\b"


@dataclass
class Callees:
    """Finds and converts the definitions of called functions; each once."""

    unit: Unit
    _found: dict[Decl, Callee | None] = field(default_factory=dict)
    _reasons: dict[Decl, str] = field(default_factory=dict)
    _texts: dict[str, bytes] = field(default_factory=dict)

    def of(self, call: Node) -> Callee | None:
        """The function that a call surely runs, where its definition is visible."""
        decl = call.decl
        if decl is None or decl.kind != "FUNCTION_DECL" or decl.cursor is None:
            return None
        if decl not in self._found:
            self._found[decl] = self._find(decl)
        return self._found[decl]

    @property
    def by_name(self) -> dict[str, Callee]:
        """Those that were found so far."""
        return {decl.name: callee for decl, callee in self._found.items() if callee is not None}

    def _find(self, decl: Decl) -> Callee | None:
        if clang.is_instance(decl.cursor):
            return None
        cursor = decl.cursor.get_definition()
        if cursor is None:
            return self._elsewhere(decl)
        place = None if cursor is None else cursor.extent.start.file
        if place is None or self._is_system(cursor):
            return None
        in_main = place.name == self.unit.buffer.path
        data = self.unit.buffer.data if in_main else self._text(place.name)
        node = self.unit.convert(cursor)
        if not node.children or node.children[-1].kind != "COMPOUND_STMT":
            return None
        end = node.children[-1].span
        if data[end.start : end.start + 1] != b"{" or data[end.end - 1 : end.end] != b"}":
            return None  # a macro has written the function
        return Callee(node, data, self.unit, in_main, self.unit.skipped if in_main else ())

    def _elsewhere(self, decl: Decl) -> Callee | None:
        """The definition in another file that is part of the program."""
        program = self.unit.program
        found = None if program is None or decl.is_static else program.definition(decl.name)
        if found is None:
            return None
        unit, cursor = found
        node = unit.convert(cursor)
        if not node.children or node.children[-1].kind != "COMPOUND_STMT":
            return None
        return Callee(node, unit.buffer.data, unit, False, unit.skipped, cursor)

    def _is_system(self, cursor: Any) -> bool:
        return bool(cursor.location.is_in_system_header)

    def _text(self, path: str) -> bytes:
        if path not in self._texts:
            try:
                self._texts[path] = Path(path).read_bytes()
            except OSError:
                self._texts[path] = b""
        return self._texts[path]

    def reachable(self, node: Node) -> Iterator[Callee]:
        """The visible functions that a piece of code may call, directly or not; each once."""
        seen: set[Decl] = set()
        stack = [[n for n in node.walk() if n.kind == "CALL_EXPR"]]
        while stack:
            for call in stack.pop():
                if call.decl is None or call.decl in seen:
                    continue
                seen.add(call.decl)
                callee = self.of(call)
                if callee is not None:
                    yield callee
                    stack.append(callee.calls)

    def why_not(self, call: Node) -> str:
        """Why a call of a visible function stays a call; empty where it can be replaced."""
        callee = self.of(call)
        assert callee is not None and call.decl is not None
        if call.decl not in self._reasons:
            self._reasons[call.decl] = self._refusal(callee, call.decl)
        return self._reasons[call.decl]

    def _refusal(self, callee: Callee, decl: Decl) -> str:
        head = callee.data[callee.node.span.start : callee.body.span.start]
        if "..." in decl.type.spelling:
            return "it takes any number of arguments"
        if mark(callee.data, callee.body.span.start, callee.body.span.end) is not None:
            return "it was rewritten before"
        if _ATTRIBUTE.search(_HARMLESS.sub(b"", head)) or self._kept_apart(callee):
            return "it has an attribute"
        inside = self.reachable(callee.body)
        if any((c.name, c.node.span) == (callee.name, callee.node.span) for c in inside):
            return "it is recursive"
        return self._body_refusal(callee)

    def _kept_apart(self, callee: Callee) -> bool:
        """Whether another declaration of the function says ``noinline`` or the like."""
        name = re.escape(callee.name.encode())
        pattern = rb"%s[^;{}]*\b%s\s*\(|\b%s\s*\([^;{}]*\)[^;{}]*%s" % (_KEPT, name, name, _KEPT)
        heads = {h for data in (callee.data, self.unit.buffer.data) for h in _kept_heads(data)}
        return any(re.search(pattern, head) for head in heads)

    def _body_refusal(self, callee: Callee) -> str:
        returns = 0
        for node in callee.body.walk():
            if node.kind in UNMODELLED or node.kind in ("GOTO_STMT", "LABEL_STMT"):
                return f"it contains {node.kind.lower().replace('_', ' ')}"
            if node.kind == "CALL_EXPR" and node.name in _BOUND_TO_FRAME:
                return f"it calls '{node.name}'"
            if node.type.volatile:
                return "it accesses volatile memory"
            if node.kind == "DECL_STMT" and any(c.kind != "VAR_DECL" for c in node.children):
                return "it declares more than variables"
            if node.kind == "VAR_DECL" and node.decl is not None:
                if node.decl.is_static or node.decl.is_global or node.decl.thread_local:
                    return f"'{node.name}' is static, extern or of one thread"
                if node.decl.type.reference:
                    return f"'{node.name}' is a reference"
            returns += node.kind == "RETURN_STMT"
        return self._text_refusal(callee, returns)

    def _text_refusal(self, callee: Callee, returns: int) -> str:
        last = callee.body.children[-1] if callee.body.children else None
        if callee.choice is not None:
            returns = 0
        if returns > 1 or (returns == 1 and (last is None or last.kind != "RETURN_STMT")):
            return "it returns from more places than its end"
        first = b"" if last is None else callee.data[last.span.start : last.span.start + 6]
        if last is not None and last.kind == "RETURN_STMT" and first != b"return":
            return "a macro returns from it"
        if any(p.type.volatile or p.type.reference for p in callee.parameters):
            return "a parameter is a reference or volatile"
        for line in callee.lines:
            conditional = _CONDITIONAL.match(line.text)
            if not (conditional or line.text.startswith("pragma")):
                return "it contains preprocessor lines"
            if conditional and not callee.in_main and callee.foreign is None:
                return "it contains conditional compilation in a header"
        text = callee.data[callee.inside.start : callee.inside.end]
        words = identifiers(text)
        if words & _NAME_OF_FUNCTION or b"_Pragma" in text:
            return "it uses its own name"
        return ""

    def changed_macro(self, callee: Callee, start: int) -> str | None:
        """A macro that a body uses and that may mean something else at another place."""
        if callee.foreign is not None:
            return different_macro(self.unit, callee)
        first = min(start, callee.node.span.start) if callee.in_main else 0
        words = identifiers(callee.data[callee.inside.start : callee.inside.end])
        changed = {w for w in words for place in self._macros.get(w, ()) if place > first}
        return min(changed) if changed else None

    def other_meaning(self, callee: Callee) -> str:
        """Why names in the body of another file's function mean something else in this file."""
        return "" if callee.foreign is None else other_meaning(self.unit, callee)

    @cached_property
    def always_defined(self) -> frozenset[str]:
        return always_defined(self.unit)

    @cached_property
    def _macros(self) -> dict[str, list[int]]:
        """Where the file itself defines each macro, or takes its definition away."""
        found: dict[str, list[int]] = {}
        for line in directives(self.unit.buffer.data):
            if match := re.match(r"(?:define|undef)\s+(\w+)", line.text):
                found.setdefault(match.group(1), []).append(line.span.start)
        return found


@lru_cache(maxsize=32)
def _kept_heads(data: bytes) -> frozenset[bytes]:
    """What stands between semicolons and braces around words that keep functions as they are."""
    found: set[bytes] = set()
    for word in _KEPT_WORDS:
        at = data.find(word)
        while at >= 0:
            start = max(data.rfind(end, 0, at) for end in (b";", b"{", b"}")) + 1
            ends = (data.find(end, at) for end in (b";", b"{", b"}"))
            stop = min((end for end in ends if end >= 0), default=len(data))
            found.add(data[start:stop])
            at = data.find(word, stop)
    return frozenset(found)
