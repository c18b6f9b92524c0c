"""Functions around Emu's allocation: memory that grows, memory that is zero, copies."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Memory(Enum):
    """A group of functions of the emitted program."""

    LOCAL_RESIZED = "local"
    STRIPED_RESIZED = "striped"
    SPREAD = "spread"
    ZEROED_WORDS = "words"
    ZEROED_BLOCKS = "blocks"


def definitions(needed: Iterable[Memory]) -> str:
    wanted = set(needed)
    return "".join(_TEXTS[one] for one in Memory if one in wanted)


_TEXTS = {
    Memory.LOCAL_RESIZED: """
/* Memory beside something, which remembers its size in front of it. */
static void *s2s_local_realloc(void *old, long bytes, const void *beside)
{
    long *fresh = mw_localmalloc(bytes + 16, beside);
    long size = 0;
    if (old) {
        size = ((long *)old)[-2];
        memcpy(fresh + 2, old, size < bytes ? size : bytes);
        mw_localfree((long *)old - 2);
    }
    fresh[0] = bytes;
    return fresh + 2;
}

static void s2s_local_free(void *memory)
{
    if (memory)
        mw_localfree((long *)memory - 2);
}
""",
    Memory.STRIPED_RESIZED: """
/* Striped memory, which remembers its size in the row of words in front of it. */
static void *s2s_striped_realloc(void *old, long bytes)
{
    long *fresh = mw_malloc1dlong(NODELETS() + (bytes + 7) / 8);
    long size = 0;
    if (old) {
        size = ((long *)old)[-NODELETS()];
        memcpy(fresh + NODELETS(), old, size < bytes ? size : bytes);
        mw_free((long *)old - NODELETS());
    }
    fresh[0] = bytes;
    return fresh + NODELETS();
}

static void s2s_striped_free(void *memory)
{
    if (memory)
        mw_free((long *)memory - NODELETS());
}
""",
    Memory.SPREAD: """
/* What this nodelet's copy of replicated data holds, to all copies. */
static void s2s_spread(void *view, long bytes)
{
    for (long k = 0; k < NODELETS(); k++)
        memcpy(mw_get_nth(view, k), view, bytes);
}
""",
    Memory.ZEROED_WORDS: """
/* Striped memory, zero as static data is. */
static void *s2s_zeroed_words(long bytes)
{
    return memset(mw_malloc1dlong((bytes + 7) / 8), 0, bytes);
}
""",
    Memory.ZEROED_BLOCKS: """
/* Blocks on all nodelets, zero as static data is. */
static void *s2s_zeroed_blocks(long count, long bytes)
{
    void **blocks = mw_malloc2d(count, bytes);
    for (long i = 0; i < count; i++)
        memset(mw_arrayindex(blocks, i, count, bytes), 0, bytes);
    return blocks;
}
""",
}
