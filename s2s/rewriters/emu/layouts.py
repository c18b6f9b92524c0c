"""Where memory lies: striped, in blocks, beside what points to it, or where the thread is.

    a = malloc(n * sizeof(long))            a = mw_malloc1dlong(n)        read in parallel loops
    v = malloc(n * sizeof(struct x *)),     v = mw_malloc2d(n, sizeof(struct x))
    v[i] = malloc(sizeof(struct x))
    x->list = malloc(size)                  x->list = mw_localmalloc(size, x)

A choice never changes what a program computes: memory is memory. What is freed is freed as it was
allocated, by object (``Objects``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from enum import Enum

from s2s.emitters.emu.memory import Memory
from s2s.frontends.c.syntax import Node
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.objects import Objects, Site
from s2s.rewriters.emu.program import Program, root, written
from s2s.source.records import dataclass

_CONSTANT = ("INTEGER_LITERAL", "CXX_UNARY_EXPR", "BINARY_OPERATOR", "IMPLICIT_CAST")


class Layout(Enum):
    """How an object's memory is allocated."""

    HOST = "where the thread is"
    STRIPED = "striped"
    POINTERS = "pointers to blocks"
    BLOCK = "block"
    LOCAL = "beside its pointer"


@dataclass
class Layouts:
    """The layouts of a program's objects; ``write`` rewrites what allocates and frees."""

    program: Program
    objects: Objects
    loops: list[ParallelLoop]
    memory: set[Memory] = field(default_factory=set)
    of: dict[int, Layout] = field(default_factory=dict)
    _blocks: dict[int, tuple[Site, Site]] = field(default_factory=dict)
    _resized: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        shared = self._shared()
        for number in self.objects.sites:
            self._find_blocks(number)
        spread = self._spread_records()
        for number, sites in self.objects.sites.items():
            if any(site.call.name == "realloc" for site in sites):
                self._resized.add(number)
            if number not in self.of and number in shared and not self._is_scratch(sites):
                self.of[number] = Layout.STRIPED
        for number, sites in self.objects.sites.items():
            free = self.of.get(number, Layout.STRIPED) is Layout.STRIPED
            if free and all(self._hangs_off(site, number, spread) for site in sites):
                self.of[number] = Layout.LOCAL

    def layout(self, node: Node) -> Layout:
        """The layout of what an array or pointer expression points to."""
        target = self.objects.target(node)
        return self.of.get(target, Layout.HOST) if target is not None else Layout.HOST

    def write(self) -> None:
        for number, sites in self.objects.sites.items():
            for site in sites:
                self._allocate(number, site)
        for function in self.program.functions.values():
            for node in function.walk():
                if node.kind == "CALL_EXPR" and node.name == "free" and len(node.children) == 2:
                    self._free(node)

    def _shared(self) -> set[int]:
        """What parallel loops read or write through pointers."""
        tops = [loop.body for loop in self.loops]
        tops += [self.program.functions[d] for d in self.program.reached(list(tops))]
        found: set[int] = set()
        for node in (n for top in tops for n in top.walk()):
            is_access = node.kind == "ARRAY_SUBSCRIPT_EXPR" or (
                node.kind == "UNARY_OPERATOR" and node.op == "*"
            )
            if is_access or (node.kind == "MEMBER_REF_EXPR" and node.children):
                base = node.children[0].uncast
                if base.type.kind == "pointer":
                    target = self.objects.target(base)
                    if target is not None:
                        found.add(self.objects.find(target))
        return found

    def _is_scratch(self, sites: Iterable[Site]) -> bool:
        """Whether threads allocate it for themselves."""
        called = self.program.reached(loop.body for loop in self.loops)
        inside = {id(self.program.functions[decl]) for decl in called}
        return any(
            id(site.function) in inside
            or any(site.call.span in loop.node.span for loop in self.loops)
            for site in sites
        )

    def _find_blocks(self, number: int) -> None:
        """An array of pointers, each of which gets a block of one size in a loop."""
        rows = self.objects.sites[number]
        if len(rows) != 1 or rows[0].call.name not in ("malloc", "calloc"):
            return
        block = rows[0]
        place = block.destination
        if place is None or place.kind != "ARRAY_SUBSCRIPT_EXPR" or not _is_constant(block.call):
            return
        array, index = (c.uncast for c in place.children)
        above = self.objects.target(array)
        sites = self.objects.sites.get(self.objects.find(above), []) if above is not None else []
        if above is None or len(sites) != 1 or self.objects.find(above) == number:
            return
        if self._fills(sites[0], block, array, index) and self._count_of(sites[0], 8):
            self.of[self.objects.find(above)] = Layout.POINTERS
            self.of[number] = Layout.BLOCK
            self._blocks[self.objects.find(above)] = self._blocks[number] = (sites[0], block)

    def _fills(self, pointers: Site, block: Site, array: Node, index: Node) -> bool:
        """Whether each allocation of pointers is followed by one loop that allocates blocks."""
        if pointers.call.name != "malloc" or pointers.function is not block.function:
            return False
        loop = next((n for n in self.program.outward(block.call) if n.is_loop), None)
        if loop is None or loop.kind != "FOR_STMT" or len(loop.children) != 4:
            return False
        home = self.program.parents[id(loop)]
        if home not in self.program.outward(pointers.call):
            return False
        if any(n.is_loop for n in self._between(pointers.call, home)):
            return False
        step, variable = loop.children[2].uncast, index.decl
        moves = step.kind == "UNARY_OPERATOR" and step.op in ("post++", "++")
        if variable is None or not moves or step.children[0].uncast.decl is not variable:
            return False
        changes = [w for n in loop.children[3].walk() if (w := written(n)) is not None]
        names = {w.decl for w in changes if w.kind == "DECL_REF_EXPR"}
        texts = {self._words(w) for w in changes}
        return (
            variable not in names
            and self._words(array) not in texts
            and self._stores_to(pointers, array)
            and not any(n.is_loop for n in self._between(block.call, loop))
        )

    def _stores_to(self, site: Site, array: Node) -> bool:
        """Whether what a site allocates goes to the array that is filled."""
        target = site.destination
        if target is None:
            lists = [n for n in self.program.outward(site.call) if n.kind == "INIT_LIST_EXPR"]
            return bool(lists)
        if target.kind == "VAR_DECL":
            return target.decl is array.decl or target.type.kind == "record"
        return self._words(target) == self._words(array)

    def _between(self, node: Node, top: Node) -> list[Node]:
        found = []
        for above in self.program.outward(node):
            if above is top:
                break
            found.append(above)
        return found

    def _words(self, node: Node) -> str:
        return re.sub(r"\s+", "", self.program.flat.buffer.text(node.span))

    def _spread_records(self) -> set[str]:
        """Structures that lie on all nodelets: blocks, and structures in them."""
        found = {
            place.type.element.canonical
            for _, block in self._blocks.values()
            if (place := block.destination) is not None and place.type.element is not None
        }
        fields = self.program.unit.converter._decls.values()
        changed = True
        while changed:
            changed = False
            for decl in list(fields):
                if decl.kind != "FIELD_DECL" or decl.type.kind != "record":
                    continue
                record = decl.cursor.semantic_parent.type.get_canonical().spelling
                if record in found and decl.type.canonical not in found:
                    found.add(decl.type.canonical)
                    changed = True
        return found

    def _hangs_off(self, site: Site, number: int, spread: set[str]) -> bool:
        """Whether what gets the memory is itself on one of many nodelets."""
        place = site.destination
        if place is None:
            return False
        if place.kind == "MEMBER_REF_EXPR" and place.children:
            base = place.children[0].uncast
            record = base.type.element if base.type.kind == "pointer" else base.type
            return record is not None and record.canonical in spread
        if place.kind == "ARRAY_SUBSCRIPT_EXPR":
            above = self.objects.target(place.children[0])
            if above is None or self.objects.find(above) == number:
                return False
            return self.of.get(self.objects.find(above)) in (Layout.STRIPED, Layout.POINTERS)
        return False

    def _allocate(self, number: int, site: Site) -> None:
        layout = self.of.get(number, Layout.HOST)
        if layout is Layout.HOST:
            return
        call = site.call
        if call.in_macro:
            raise self.program.refused(call.span, "a macro that allocates memory of all nodelets")
        if layout is Layout.POINTERS:
            _, block = self._blocks[number]
            size = self._size_of(block)
            text = f"mw_malloc2d({self._count_of(site, 8)}, {size})"
        elif layout is Layout.BLOCK:
            text = self._block(site)
        elif layout is Layout.LOCAL:
            text = self._local(number, site)
        else:
            text = self._striped(number, site)
        self.program.rewriting.replace(call.span, text)

    def _block(self, site: Site) -> str:
        """A block is there with its array; its address is worked out, and nothing is read."""
        assert site.destination is not None
        array, index = (self.program.text(c.uncast) for c in site.destination.children)
        pointers, _ = self._blocks[self.objects.find(self._number(site))]
        count, size = self._count_of(pointers, 8), self._size_of(site)
        found = f"mw_arrayindex({array}, {index}, {count}, {size})"
        if not self._still(pointers):
            found = f"{array}[{index}]"
        if site.call.name == "malloc":
            return found
        return f"memset({found}, 0, {size})"

    def _still(self, pointers: Site) -> bool:
        """Whether the number of an array's elements can be named where its blocks are."""
        names = [n.decl for c in pointers.call.children[1:] for n in c.walk() if n.decl is not None]
        called = self.program.reached([pointers.function])
        for other in (n for d in called for n in self.program.functions[d].walk()):
            lvalue = written(other)
            if lvalue is not None and lvalue.decl in names:
                return False
        for node in pointers.function.walk():
            lvalue = written(node)
            later = node.span.start > pointers.call.span.start
            if later and lvalue is not None and lvalue.decl in names:
                return False
        return True

    def address(self, node: Node, function: Node) -> str:
        """The address of the block that ``array[index]`` points to, '' where it has to be read."""
        array, index = (child.uncast for child in node.children)
        number = self.objects.target(array)
        found = self._blocks.get(self.objects.find(number)) if number is not None else None
        if found is None or not self._is_the_array_of(found[0], array, function):
            return ""
        pointers, block = found
        inside = any(n.is_loop for n in self.program.outward(pointers.call))
        if inside or node.span.start < block.call.span.end or not self._still(pointers):
            return ""
        count = self._count_of(pointers, 8)
        array_text, index_text = self.program.text(array), self.program.text(index)
        return f"mw_arrayindex({array_text}, {index_text}, {count}, {self._size_of(block)})"

    def _is_the_array_of(self, site: Site, array: Node, function: Node) -> bool:
        """Whether a local array is the one that a site of its function has allocated."""
        top = root(array)
        if top is None or top.decl is None or top.decl.is_global or site.function is not function:
            return False
        target = site.destination
        if target is None:
            lists = (n for n in self.program.outward(site.call) if n.kind == "VAR_DECL")
            holder = next(lists, None)
            if holder is None or holder.decl is not top.decl:
                return False
        elif target.decl is not array.decl or self._words(target) not in (
            self._words(array),
            *((target.name,) if target.kind == "VAR_DECL" else ()),
        ):
            return False
        stores = [w for n in function.walk() if (w := written(n)) is not None and w is not target]
        return not any(
            (r := root(w)) is not None
            and r.decl is top.decl
            and w.type.kind in ("pointer", "record", "union")
            for w in stores
        )

    def _number(self, site: Site) -> int:
        return next(n for n, sites in self.objects.sites.items() if site in sites)

    def _local(self, number: int, site: Site) -> str:
        assert site.destination is not None
        beside = f"&{self.program.text(site.destination)}"
        size, zeroed = self._bytes(site.call)
        if number in self._resized:
            self.memory.add(Memory.LOCAL_RESIZED)
            old = self.program.text(site.call.children[1]) if site.call.name == "realloc" else "0"
            if not zeroed:
                return f"s2s_local_realloc({old}, {size}, {beside})"
            return f"memset(s2s_local_realloc(0, {size}, {beside}), 0, {size})"
        text = f"mw_localmalloc({size}, {beside})"
        return f"memset({text}, 0, {size})" if zeroed else text

    def _striped(self, number: int, site: Site) -> str:
        size, zeroed = self._bytes(site.call)
        if number in self._resized:
            self.memory.add(Memory.STRIPED_RESIZED)
            old = self.program.text(site.call.children[1]) if site.call.name == "realloc" else "0"
            text = f"s2s_striped_realloc({old}, {size})"
        else:
            count = self._count_of(site, 8) or f"({size} + 7) / 8"
            text = f"mw_malloc1dlong({count})"
            wanted = site.destination.type.spelling if site.destination is not None else "void *"
            if wanted != "long *":
                text = f"(void *){text}"
        return f"memset({text}, 0, {size})" if zeroed else text

    def _bytes(self, call: Node) -> tuple[str, bool]:
        """The text of a size, and whether the memory is to be zero."""
        given = call.children[1:]
        if call.name == "calloc":
            count, size = map(self.program.text, given)
            return f"({count}) * ({size})" if count != "1" else f"({size})", True
        text = self.program.text(given[-1])
        return text if re.fullmatch(r"\w+", text) else f"({text})", False

    def _count_of(self, site: Site, size: int) -> str:
        """The number of elements of ``size`` bytes that a site allocates, '' where it is hidden."""
        given = [c.uncast for c in site.call.children[1:]]
        if site.call.name == "calloc" and given[1].value == size:
            return self.program.text(given[0])
        if site.call.name == "malloc" and given[0].kind == "BINARY_OPERATOR":
            left, right = given[0].children
            if given[0].op == "*":
                for one, other in ((left, right), (right, left)):
                    if other.uncast.value == size and other.uncast.kind == "CXX_UNARY_EXPR":
                        return self.program.text(one)
        return ""

    def _size_of(self, block: Site) -> str:
        """The size of a block, without names that are known only where it was allocated."""
        sizes = [_value(c) for c in block.call.children[1:]]
        size = sizes[0] * (sizes[1] if len(sizes) > 1 else 1)
        assert block.destination is not None
        element = block.destination.type.element
        if element is not None and element.size == size and "(" not in element.spelling:
            return f"sizeof({element.spelling})"
        return str(size)

    def _free(self, node: Node) -> None:
        target = self.objects.target(node.children[1])
        if target is None:
            return
        number = self.objects.find(target)
        layout = self.of.get(number, Layout.HOST)
        if layout is Layout.HOST:
            return
        name = "mw_free"
        if layout is Layout.BLOCK:
            self.program.rewriting.replace(node.span, "(void)0 /* goes with its array */")
            return
        if layout is Layout.LOCAL:
            name = "s2s_local_free" if number in self._resized else "mw_localfree"
        elif number in self._resized:
            name = "s2s_striped_free"
        if node.children[0].in_macro or node.in_macro:
            raise self.program.refused(node.span, "a macro that frees memory of all nodelets")
        self.program.rewriting.replace(node.children[0].span, name)


def _is_constant(call: Node) -> bool:
    return all(_value(argument) > 0 for argument in call.children[1:])


def _value(node: Node) -> int:
    """The value of a size made of numbers and sizes of types, 0 for others."""
    node = node.uncast
    if node.kind in ("INTEGER_LITERAL", "CXX_UNARY_EXPR"):
        return node.value or 0
    if node.kind == "BINARY_OPERATOR" and node.op in ("*", "+"):
        left, right = map(_value, node.children)
        both = left * right if node.op == "*" else left + right
        return both if left and right else 0
    return 0
