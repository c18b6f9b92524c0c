#include <stdio.h>
#define KEYS 300
typedef struct {
    int parent, child[KEYS + 1], key[KEYS + 1];
    _Bool leaf;
} Block;
static Block blocks[4];
static int out[8], scratch[KEYS];
/* One step of a search in a tree: the key lies between two neighbours. */
static void step(const Block *b, const long *at, long *next, const int *wanted, int q, int n)
{
    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        int k = 0;
        if ((k < n) && (unsigned long)(n) - (unsigned long)k > 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (k < n) {
                const int s2s_end = (unsigned long)(n) - (unsigned long)k
                                    > (unsigned long)(s2s_run) ? (int)(k + s2s_run) : n;
                for (; k < s2s_end; k++)
                    {
        if ((b[at[q]].key[k]) <= wanted[q] && (b[at[q]].key[k + 1] > wanted[q])) {
            if (b[next[q]].child[k] < 4) next[q] = b[next[q]].child[k];
        }
    }
                while ((k < n) && (unsigned long)(n) - (unsigned long)k > 63 && (long)k <= 237
                       && (long)k <= 236) {
                    int s2s_any = 0;
                    const int s2s_k_at = k;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        s2s_any |= (((b[at[q]].key[k]) <= wanted[q]) != 0)
                                   & (((b[at[q]].key[k + 1] > wanted[q])) != 0);
                    }
                    if (s2s_any) break;
                    k += 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; k < n; k++)
                {
        if ((b[at[q]].key[k]) <= wanted[q] && (b[at[q]].key[k + 1] > wanted[q])) {
            if (b[next[q]].child[k] < 4) next[q] = b[next[q]].child[k];
        }
    }
        }
    }
}
/* A hit may change which row the next iteration reads: 'next' may be 'at'. */
static void two_ends(const Block *b, long *at, long *next, const int *low, const int *high, int q, int n)
{
    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        int k = 0;
        if ((k < n) && (unsigned long)(n) - (unsigned long)k > 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (k < n) {
                const int s2s_end = (unsigned long)(n) - (unsigned long)k
                                    > (unsigned long)(s2s_run) ? (int)(k + s2s_run) : n;
                for (; k < s2s_end; k++)
                    {
        if (low[q] >= b[at[q]].key[k] && low[q] < b[at[q]].key[k + 1]) next[q] = b[at[q]].child[k];
        if (b[at[q + 1]].key[k] <= high[q] && b[at[q + 1]].key[k + 1] > high[q])
            next[q + 1] = b[at[q + 1]].child[k];
    }
                while ((k < n) && (unsigned long)(n) - (unsigned long)k > 63 && (long)k <= 237
                       && (long)k <= 236) {
                    int s2s_any = 0;
                    const int s2s_k_at = k;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        s2s_any |= ((low[q] >= b[at[q]].key[k]) != 0)
                                   & ((low[q] < b[at[q]].key[k + 1]) != 0);
                    }
                    if (s2s_any) break;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        s2s_any |= ((b[at[q + 1]].key[k] <= high[q]) != 0)
                                   & ((b[at[q + 1]].key[k + 1] > high[q]) != 0);
                    }
                    if (s2s_any) break;
                    k += 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; k < n; k++)
                {
        if (low[q] >= b[at[q]].key[k] && low[q] < b[at[q]].key[k + 1]) next[q] = b[at[q]].child[k];
        if (b[at[q + 1]].key[k] <= high[q] && b[at[q + 1]].key[k + 1] > high[q])
            next[q + 1] = b[at[q + 1]].child[k];
    }
        }
    }
}
static void leaf(const Block *b, const long *at, const int *wanted, int q, int n)
{
    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        int k = n - 1;
        if ((k >= 0) && (unsigned long)k - (unsigned long)(0) >= 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (k >= 0) {
                const int s2s_end = (unsigned long)k - (unsigned long)(0)
                                    > (unsigned long)(s2s_run) ? (int)(k - s2s_run) : 0;
                for (; k >= s2s_end; k--)
                    if (b[at[q]].key[k] == wanted[q]) out[q] += b[at[q]].child[k] * k + 1;
                while ((k >= 0) && (unsigned long)k - (unsigned long)(0) >= 63 && (long)k <= 300) {
                    int s2s_any = 0;
                    const int s2s_k_at = k;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at - s2s_l;
                        s2s_any |= ((b[at[q]].key[k] == wanted[q]) != 0);
                    }
                    if (s2s_any) break;
                    k -= 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; k >= 0; k--)
                if (b[at[q]].key[k] == wanted[q]) out[q] += b[at[q]].child[k] * k + 1;
        }
    }
}
/* One structure, and keys that are there many times. */
static int all_equal(const Block *b, int wanted, int n)
{
    int last = -1;
    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        int k = 0;
        if ((k < n) && (unsigned long)(n) - (unsigned long)k > 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (k < n) {
                const int s2s_end = (unsigned long)(n) - (unsigned long)k
                                    > (unsigned long)(s2s_run) ? (int)(k + s2s_run) : n;
                for (; k < s2s_end; k++)
                    {
        if (wanted == b->key[k]) {
            last = k;
            out[3]++;
        }
    }
                while ((k < n) && (unsigned long)(n) - (unsigned long)k > 63) {
                    int s2s_any = 0;
                    const int s2s_k_at = k;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        s2s_any |= ((wanted == b->key[k]) != 0);
                    }
                    if (s2s_any) break;
                    k += 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; k < n; k++)
                {
        if (wanted == b->key[k]) {
            last = k;
            out[3]++;
        }
    }
        }
    }
    return last;
}
/* What the loop always stores may be what the condition reads. */
static void stores(Block *b, const long *at, int *done, int wanted, int n)
{
    for (int k = 0; k < n; k++) {
        done[k] = k;
        if (b[at[0]].key[k] == wanted) out[4] += k;
    }
}
static void own_store(const Block *b, int wanted, int n)
{
    static int done[KEYS];
    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        int k = 0;
        if ((k < n) && (unsigned long)(n) - (unsigned long)k > 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (k < n) {
                const int s2s_end = (unsigned long)(n) - (unsigned long)k
                                    > (unsigned long)(s2s_run) ? (int)(k + s2s_run) : n;
                for (; k < s2s_end; k++)
                    {
        done[k] += k;
        if (blocks[2].key[k] == wanted) out[5] += done[k];
    }
                while ((k < n) && (unsigned long)(n) - (unsigned long)k > 63) {
                    int s2s_any = 0;
                    const int s2s_k_at = k;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        s2s_any |= ((blocks[2].key[k] == wanted) != 0);
                    }
                    if (s2s_any) break;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        done[k] += k;
                    }
                    k += 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; k < n; k++)
                {
        done[k] += k;
        if (blocks[2].key[k] == wanted) out[5] += done[k];
    }
        }
    }
}
/* A hit may move the row, of which nothing says how long it is. */
static void unknown_length(int *const *rows, long *at, long *next, int wanted, int n)
{
    for (int k = 0; k < n; k++)
        if (rows[at[0]][k] == wanted) next[0] = k % 2;
}
static void known_rows(const int *row, long *next, int wanted, int n)
{
    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        int k = 0;
        if ((k < n) && (unsigned long)(n) - (unsigned long)k > 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (k < n) {
                const int s2s_end = (unsigned long)(n) - (unsigned long)k
                                    > (unsigned long)(s2s_run) ? (int)(k + s2s_run) : n;
                for (; k < s2s_end; k++)
                    if (row[k] == wanted) next[0] += k;
                while ((k < n) && (unsigned long)(n) - (unsigned long)k > 63) {
                    int s2s_any = 0;
                    const int s2s_k_at = k;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        int k = s2s_k_at + s2s_l;
                        s2s_any |= ((row[k] == wanted) != 0);
                    }
                    if (s2s_any) break;
                    k += 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; k < n; k++)
                if (row[k] == wanted) next[0] += k;
        }
    }
}
/* Equal to a constant is as often common. */
static int common(const int *flag, int n)
{
    {
        /* s2s: strips of 64 iterations that all go the same way are straight code */
        int k = 0;
        long s2s_run = (k < n) && (unsigned long)(n) - (unsigned long)k > 511 ? 0 : 512,
             s2s_wait = 512;
        while (k < n) {
            const int s2s_end = (unsigned long)(n) - (unsigned long)k > (unsigned long)(s2s_run)
                                ? (int)(k + s2s_run) : n;
            for (; k < s2s_end; k++)
                if (flag[k] == 0) out[6] += out[6] / 2 + k;
            while ((k < n) && (unsigned long)(n) - (unsigned long)k > 63
                   && ((const char *)(out + (6)) + sizeof(out[0])
                       <= (const char *)(flag + ((long)k))
                       || (const char *)(flag + ((long)k) + 63) + sizeof(flag[0])
                          <= (const char *)(out + (6)))) {
                const int s2s_k_at = k;
                int s2s_count = 0;
                for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                    int k = s2s_k_at + s2s_l;
                    s2s_count += ((flag[k] == 0) != 0);
                }
                if (s2s_count != 0) break;
                k += 64;
                if (s2s_wait > 512) s2s_wait /= 2;
            }
            s2s_run = s2s_wait;
            if (s2s_wait < 16384) s2s_wait *= 4;
        }
    }
    return out[6];
}
int main(void)
{
    int *rows[4] = {blocks[0].key, blocks[1].key, blocks[2].key, blocks[3].key};
    static const int sizes[] = {0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 200, 256, 257, KEYS};
    for (int b = 0; b < 4; b++)
        for (int k = 0; k <= KEYS; k++) {
            blocks[b].key[k] = b == 3 ? k / 40 * 40 : 2 * k + b;
            blocks[b].child[k] = (k * 7 + b) % 4;
        }
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int wanted = -1; wanted < 2 * KEYS + 3; wanted += (wanted + 6) % 5 + 1) {
            int low[2] = {wanted, 5}, high[2] = {wanted + 100, 7}, n = sizes[s];
            long at[3] = {wanted & 3, 1, 2}, next[3] = {0, 3, 1};
            step(blocks, at, next, low, 0, n);
            step(blocks, next, next, low, 1, n);
            two_ends(blocks, at, next, low, high, 0, n);
            two_ends(blocks, at, at, low, high, 1, n);
            two_ends(blocks, at, at, low, high, 0, n);
            leaf(blocks, at, low, 0, n);
            int last = all_equal(&blocks[3], wanted, n);
            stores(blocks, at, scratch, wanted, n);
            own_store(blocks, wanted, n);
            unknown_length(rows, next, at, wanted, n);
            known_rows(blocks[3].key, next, wanted, n);
            common(blocks[0].child, n);
            printf("%d %d %ld %ld %ld %ld %d %d %d %d %d\n", n, last, at[0], at[1], next[0], next[1], out[0],
                   out[3], out[4], out[5], out[6]);
        }
    return 0;
}
