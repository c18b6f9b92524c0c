"""Types as CCE C declares them: numbers, and pointers into one of the memories."""

from __future__ import annotations

import re
from typing import Any

from pycparser import c_ast

from s2s.simulators.davinci.kernel import error_at
from s2s.simulators.davinci.kinds import SCALARS, SPACES, Pointer, Type, Word

WORD = Word()
_MADE_OF = re.compile(rf"({'|'.join(SPACES.values())})__(\w+)")


def type_of(path: str, node: Any) -> Type:
    """The type that a declaration in the file ``path`` says. Raises UserError for others."""
    if isinstance(node, c_ast.PtrDecl):
        inner = node.type
        if isinstance(inner, c_ast.TypeDecl) and isinstance(inner.type, c_ast.IdentifierType):
            match = _MADE_OF.fullmatch(" ".join(inner.type.names))
            if match and match[2].replace("_", " ") in SCALARS:
                return Pointer(match[1], SCALARS[match[2].replace("_", " ")])
            if match and match[2] in SCALARS:
                return Pointer(match[1], SCALARS[match[2]])
        raise error_at(path, node, "a pointer without '__gm__', '__ubuf__' or another memory")
    if isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType):
        name = " ".join(node.type.names)
        if name in SCALARS:
            return SCALARS[name]
        if name.removeprefix("pipe_t") == "" or name == "event_t":
            return WORD
        raise error_at(path, node, f"the type '{name}' is not known")
    raise error_at(path, node, "such a declaration is not understood")
