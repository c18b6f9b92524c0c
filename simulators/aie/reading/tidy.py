"""Drops what nothing uses: instructions without effect, variables that no iteration reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.simulators.aie.instructions import Instruction, Store
from s2s.simulators.aie.program import Block, Branch, Item, Loop, items
from s2s.simulators.aie.values import Operand, Value


def drop_unused(body: Block, result: Operand | None, first: int = 0) -> tuple[Block, Block]:
    """Its ``first`` items and the rest without what reaches no store, condition or ``result``."""
    used = _used(body, result)
    return _kept(body[:first], used), _kept(body[first:], used)


def _used(body: Block, result: Operand | None) -> set[Value]:
    sources: dict[Value, tuple[Operand, ...]] = {}
    todo: list[Operand] = [] if result is None else [result]
    for item in items(body):
        if isinstance(item, Instruction):
            if item.result is not None:
                sources[item.result] = item.operands
            if isinstance(item, Store):
                todo += item.operands
            continue
        todo.append(item.condition)
        sources.update(_control(item))
    used: set[Value] = set()
    while todo:
        one = todo.pop()
        if isinstance(one, Value) and one not in used:
            used.add(one)
            todo += sources.get(one, ())
    return used


def _control(item: Loop | Branch) -> Iterator[tuple[Value, tuple[Operand, ...]]]:
    if isinstance(item, Branch):
        for merged in item.merged:
            yield merged.value, (merged.then, merged.otherwise)
        return
    for one in item.carried:
        yield one.inside, (one.initial, one.next)
        yield one.after, (one.inside,)


def _kept(block: Block, used: set[Value]) -> Block:
    return tuple(kept for item in block if (kept := _item(item, used)) is not None)


def _item(item: Item, used: set[Value]) -> Item | None:
    if isinstance(item, Instruction):
        return item if isinstance(item, Store) or item.result in used else None
    if isinstance(item, Branch):
        then, otherwise = _kept(item.then, used), _kept(item.otherwise, used)
        merged = tuple(one for one in item.merged if one.value in used)
        if not (then or otherwise or merged):
            return None
        return replace(item, then=then, otherwise=otherwise, merged=merged)
    carried = tuple(one for one in item.carried if one.inside in used)
    return replace(item, carried=carried, test=_kept(item.test, used), body=_kept(item.body, used))
