"""OpenMP's library for Emu, where a region has one thread: the functions that a program calls."""

from __future__ import annotations

from collections.abc import Iterable

TEAM = frozenset({"omp_get_thread_num", "omp_get_num_threads", "omp_in_parallel"})
"""Functions whose values depend on which thread of a team calls them."""

_HEAD = {
    "time": """
/* OpenMP's clock: the cores' cycles, 150 million for each second on the Chick. */
#ifndef S2S_CLOCK_HZ
#define S2S_CLOCK_HZ 150e6
#endif
""",
    "threads": """
/* What a program asks for; 0: as many threads as there are contexts. */
static long s2s_most_threads;
""",
    "lock": """
/* OpenMP's locks: 1 while somebody has it; what was sent has arrived before it opens. */
typedef long omp_lock_t;
""",
}

_FUNCTIONS = {
    "omp_get_wtime": (
        "time",
        "static double omp_get_wtime(void) { return CLOCK() / S2S_CLOCK_HZ; }",
    ),
    "omp_get_wtick": ("time", "static double omp_get_wtick(void) { return 1 / S2S_CLOCK_HZ; }"),
    "omp_set_num_threads": (
        "threads",
        "static void omp_set_num_threads(int most) { s2s_most_threads = most; }",
    ),
    "omp_get_max_threads": (
        "threads",
        "static int omp_get_max_threads(void)\n{\n"
        "    return s2s_most_threads > 0 ? s2s_most_threads : 64 * NODELETS();\n}",
    ),
    "omp_get_num_procs": ("", "static int omp_get_num_procs(void) { return 64 * NODELETS(); }"),
    "omp_get_thread_num": ("", "static int omp_get_thread_num(void) { return 0; }"),
    "omp_get_num_threads": ("", "static int omp_get_num_threads(void) { return 1; }"),
    "omp_in_parallel": ("", "static int omp_in_parallel(void) { return 0; }"),
    "omp_set_dynamic": ("", "static void omp_set_dynamic(int on) {}"),
    "omp_set_nested": ("", "static void omp_set_nested(int on) {}"),
    "omp_set_max_active_levels": ("", "static void omp_set_max_active_levels(int most) {}"),
    "omp_init_lock": ("lock", "static void omp_init_lock(omp_lock_t *lock) { *lock = 0; }"),
    "omp_destroy_lock": ("lock", "static void omp_destroy_lock(omp_lock_t *lock) {}"),
    "omp_set_lock": (
        "lock",
        "static void omp_set_lock(omp_lock_t *lock)\n{\n"
        "    while (ATOMIC_CAS(lock, 1, 0))\n        RESCHEDULE();\n}",
    ),
    "omp_unset_lock": (
        "lock",
        "static void omp_unset_lock(omp_lock_t *lock)\n{\n    FENCE();\n    *lock = 0;\n}",
    ),
    "omp_test_lock": (
        "lock",
        "static int omp_test_lock(omp_lock_t *lock) { return !ATOMIC_CAS(lock, 1, 0); }",
    ),
}

KNOWN = frozenset(_FUNCTIONS)
"""The functions that there are."""


def definitions(names: Iterable[str], *, locks: bool = False) -> str:
    """The functions of these names; ``locks``: the type of locks is named, too."""
    chosen = [_FUNCTIONS[name] for name in sorted(set(names))]
    heads = sorted({head for head, _ in chosen if head} | ({"lock"} if locks else set()))
    return "".join(_HEAD[head] for head in heads) + "".join(f"{text}\n" for _, text in chosen)
