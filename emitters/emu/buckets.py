"""What is put off into buckets, one for each nodelet, and the threads that work them off.

struct s2s_read_put_1 { long which; struct vertex *u; long target; };

static void s2s_read_put_1(struct s2s_read_put_1 *first, long count)     one nodelet's bucket
static void s2s_read_put_1_all(void **buckets, long *counts)             all buckets
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.source.records import dataclass

ROOM = 1024
"""Records of a bucket: emptying all costs a thread for each nodelet, a bucket some tens of KB."""


@dataclass(frozen=True)
class Field:
    """A member of a record: its declaration, its name, and what the program's thread puts there."""

    declaration: str
    name: str
    value: str


@dataclass(frozen=True)
class Put:
    """One kind of record. ``first`` are the declarations with which ``statement`` is run;
    ``home`` is the index of the vertex, which says in whose bucket it goes.
    """

    fields: tuple[Field, ...]
    first: tuple[str, ...]
    statement: str
    home: str


@dataclass(frozen=True)
class Bucketed:
    """The records of a loop: ``name`` is that of the structure and of the functions."""

    name: str
    puts: Sequence[Put]

    def functions(self) -> str:
        """The structure, and what empties buckets."""
        return f"{self._record()}\n{self._one()}\n{self._all()}\n"

    def _record(self) -> str:
        fields = {f.declaration: None for put in self.puts for f in put.fields}
        lines = [f"    {declaration};\n" for declaration in fields]
        if len(self.puts) > 1:
            lines.insert(0, "    long s2s_which;\n")
        return f"struct {self.name} {{\n{''.join(lines)}}};\n"

    def _one(self) -> str:
        return (
            f"static void {self.name}(struct {self.name} *s2s_next, long s2s_count)\n{{\n"
            f"    struct {self.name} *const s2s_last = s2s_next + s2s_count;\n"
            "    for (; s2s_next < s2s_last; s2s_next++) {\n"
            f"{''.join(self._cases())}    }}\n}}\n"
        )

    def _cases(self) -> Iterator[str]:
        for number, put in enumerate(self.puts):
            depth = 2
            if len(self.puts) > 1:
                word = "} else " if number else ""
                last = number + 1 == len(self.puts)
                asked = "{" if last else f"if (s2s_next->s2s_which == {number}) {{"
                yield f"        {word}{asked}\n"
                depth = 3
            for line in (*put.first, put.statement):
                yield f"{'    ' * depth}{line}\n"
        if len(self.puts) > 1:
            yield "        }\n"

    def _all(self) -> str:
        bucket = f"mw_arrayindex(s2s_buckets, s2s_k, NODELETS(), {self._bytes})"
        return (
            f"static void {self.name}_all(void **s2s_buckets, long *s2s_counts)\n{{\n"
            "    FENCE();\n"
            "    for (long s2s_k = 0; s2s_k < NODELETS(); s2s_k++) {\n"
            f"        struct {self.name} *const s2s_first =\n            {bucket};\n"
            "        const long s2s_count = s2s_counts[s2s_k];\n"
            "        s2s_counts[s2s_k] = 0;\n"
            "        if (s2s_count) {\n"
            f"            cilk_spawn_at(s2s_first) {self.name}(s2s_first, s2s_count);\n"
            "        }\n    }\n    cilk_sync;\n}\n"
        )

    @property
    def _bytes(self) -> str:
        return f"sizeof(struct {self.name}[{ROOM}])"

    def before(self, homes: Sequence[str], indent: str) -> str:
        """What stands before the loop."""
        lines = [
            f"long {self._base} = NODELETS();",
            f"void **const {self._buckets} =",
            f"    mw_malloc2d({self._base}, {self._bytes});",
            f"long *const {self._counts} =",
            f"    mw_localmalloc({self._base} * sizeof(long), &{self._base});",
            f"memset({self._counts}, 0, {self._base} * sizeof(long));",
            *(f"long {home} = 0;" for home in homes),
        ]
        return "".join(f"{line}\n{indent}" for line in lines)

    def after(self, indent: str) -> str:
        lines = [
            f"{self.name}_all({self._buckets}, {self._counts});",
            f"mw_localfree({self._counts});",
            f"mw_free({self._buckets});",
        ]
        return "".join(f"\n{indent}{line}" for line in lines)

    def record(self, number: int, indent: str) -> str:
        """What stands in place of a statement that is put off."""
        put = self.puts[number]
        at = f"mw_arrayindex({self._buckets}, s2s_at, NODELETS(), {self._bytes})"
        lines = [
            f"const long s2s_at = {_factor(put.home)} % NODELETS();",
            f"struct {self.name} *const s2s_next =",
            f"    (struct {self.name} *){at}",
            f"    + {self._counts}[s2s_at];",
        ]
        if len(self.puts) > 1:
            lines.append(f"s2s_next->s2s_which = {number};")
        lines += [f"s2s_next->{one.name} = {one.value};" for one in put.fields]
        lines += [
            f"if (++{self._counts}[s2s_at] == {ROOM})",
            f"    {self.name}_all({self._buckets}, {self._counts});",
        ]
        body = "".join(f"{indent}    {line}\n" for line in lines)
        return f"{{\n{body}{indent}}}"

    @property
    def _base(self) -> str:
        return self._numbered("nodelets")

    @property
    def _buckets(self) -> str:
        return self._numbered("buckets")

    @property
    def _counts(self) -> str:
        return self._numbered("counts")

    def _numbered(self, name: str) -> str:
        return f"s2s_{name}_{self.name.rsplit('_', 1)[1]}"


def _factor(text: str) -> str:
    return text if text.isidentifier() else f"({text})"
