"""Whether a variable's value can still be read after a region."""

from __future__ import annotations

from collections.abc import Sequence, Set

from s2s.frontends.c.syntax import Decl, Node


def dead_after(
    function: Node, region: Sequence[Node], decl: Decl, *, exposed: bool = False
) -> bool:
    """Whether every path from the end of ``region`` sets ``decl`` before it reads it.

    The region's own statements count as setting it: callers ask for variables that the region
    never reads before it has set them. With ``exposed`` it may do that, and running it again is
    one of the paths. False where this is not sure.
    """
    if not decl.is_local or decl.is_static:
        return False
    path = _path_to(function, region[0])
    if path is None:
        return False
    inside = set() if exposed else set(map(id, region))
    for parent, child in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
        verdict = _after_child(parent, child, inside, decl)
        if verdict is not None:
            return verdict
    return True


def _path_to(function: Node, target: Node) -> list[Node] | None:
    if function is target:
        return [function]
    for child in function.children:
        if child.span.start <= target.span.start and target.span.end <= child.span.end:
            found = _path_to(child, target)
            if found is not None:
                return [function, *found]
    return None


def _after_child(parent: Node, child: Node, region: set[int], decl: Decl) -> bool | None:
    """What happens to the variable between ``child`` and the end of ``parent``; None: nothing."""
    if parent.kind in ("COMPOUND_STMT", "CASE_STMT", "DEFAULT_STMT"):
        position = next(i for i, c in enumerate(parent.children) if c is child)
        following = [c for c in parent.children[position + 1 :] if id(c) not in region]
        return _first_use(following, region, decl)
    if parent.kind == "FOR_STMT" and len(parent.children) == 4:
        _, condition, increment, body = parent.children
        if child is body:
            return _loop_again([increment, condition], body, region, decl)
        return False if _mentions(parent, decl) else None
    if parent.is_loop:
        return _loop_again([c for c in parent.children if c is not child], child, region, decl)
    if parent.kind == "SWITCH_STMT" and _mentions(parent, decl):
        return False
    return None


def _loop_again(header: list[Node], body: Node, region: set[int], decl: Decl) -> bool | None:
    """The next iteration: the variable is read in the header or first used in the body."""
    if any(_mentions(part, decl) for part in header):
        return False
    statements = body.statements
    return False if _first_use(statements, region, decl) is False else None


def _first_use(statements: Sequence[Node], region: set[int], decl: Decl) -> bool | None:
    """True when the first use is a plain assignment, False when it may be a read, None: no use.

    A jump on the way there leads after the assignment, so that what follows has to be looked at.
    """
    set_ = True
    for statement in statements:
        if id(statement) in region:
            return set_ or None
        kinds = statement.kinds
        if "GOTO_STMT" in kinds or "INDIRECT_GOTO_STMT" in kinds:
            return False
        if _mentions(statement, decl):
            verdict = _use(statement, region, decl)
            if verdict is not None:
                return (set_ or None) if verdict else False
        set_ = set_ and not kinds & {"BREAK_STMT", "CONTINUE_STMT"}
    return None


def _use(statement: Node, region: set[int], decl: Decl) -> bool | None:
    """The same for one statement that mentions the variable."""
    inner = _parts(statement, decl)
    if inner is None:
        return _sets_first(statement, decl) or not _mentions(statement, decl, region)
    verdicts = [_first_use(part, region, decl) for part in inner]
    if False in verdicts:
        return False
    return True if statement.kind == "COMPOUND_STMT" and verdicts[0] else None


def _parts(statement: Node, decl: Decl) -> list[Sequence[Node]] | None:
    """The bodies of a statement that itself does not use the variable; they may not execute."""
    if statement.kind == "COMPOUND_STMT":
        return [statement.children]
    if statement.kind == "FOR_STMT" and len(statement.children) == 4:
        header, bodies = statement.children[:3], statement.children[3:]
    elif statement.kind == "IF_STMT":
        header, bodies = statement.children[:1], statement.children[1:]
    else:
        return None
    return None if any(_mentions(part, decl) for part in header) else [[b] for b in bodies]


def _sets_first(node: Node, decl: Decl) -> bool:
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        return _sets_first(node.children[0], decl)
    if node.kind == "BINARY_OPERATOR" and node.op == ",":
        return _sets_first(node.children[0], decl)
    if node.kind == "BINARY_OPERATOR" and node.op == "=":
        target, source = node.children
        return (
            target.kind == "DECL_REF_EXPR" and target.decl is decl and not _mentions(source, decl)
        )
    if node.kind == "DECL_STMT":
        return any(c.kind == "VAR_DECL" and c.decl is decl for c in node.children)
    return False


def _mentions(node: Node, decl: Decl, without: Set[int] = frozenset()) -> bool:
    """Whether a tree refers to a variable, not counting the subtrees of ``without``."""
    if id(node) in without or decl not in node.decls:
        return False
    if node.decl is decl or not without:
        return True
    return any(_mentions(child, decl, without) for child in node.children)
