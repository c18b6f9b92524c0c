// s2s: --passes=idioms -- -O2
// run
// text x6: iterations in which nothing happens are passed over
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
    for (int k = 0; k < n; k++) { // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
        if ((b[at[q]].key[k]) <= wanted[q] && (b[at[q]].key[k + 1] > wanted[q])) {
            if (b[next[q]].child[k] < 4) next[q] = b[next[q]].child[k];
        }
    }
}
/* A hit may change which row the next iteration reads: 'next' may be 'at'. */
static void two_ends(const Block *b, long *at, long *next, const int *low, const int *high, int q, int n)
{
    for (int k = 0; k < n; k++) { // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
        if (low[q] >= b[at[q]].key[k] && low[q] < b[at[q]].key[k + 1]) next[q] = b[at[q]].child[k];
        if (b[at[q + 1]].key[k] <= high[q] && b[at[q + 1]].key[k + 1] > high[q])
            next[q + 1] = b[at[q + 1]].child[k];
    }
}
static void leaf(const Block *b, const long *at, const int *wanted, int q, int n)
{
    for (int k = n - 1; k >= 0; k--) // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
        if (b[at[q]].key[k] == wanted[q]) out[q] += b[at[q]].child[k] * k + 1;
}
/* One structure, and keys that are there many times. */
static int all_equal(const Block *b, int wanted, int n)
{
    int last = -1;
    for (int k = 0; k < n; k++) { // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
        if (wanted == b->key[k]) {
            last = k;
            out[3]++;
        }
    }
    return last;
}
/* What the loop always stores may be what the condition reads. */
static void stores(Block *b, const long *at, int *done, int wanted, int n)
{
    for (int k = 0; k < n; k++) { // missed: what the condition reads may be what the loop stores [idioms]
        done[k] = k;
        if (b[at[0]].key[k] == wanted) out[4] += k;
    }
}
static void own_store(const Block *b, int wanted, int n)
{
    static int done[KEYS];
    for (int k = 0; k < n; k++) { // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
        done[k] += k;
        if (blocks[2].key[k] == wanted) out[5] += done[k];
    }
}
/* A hit may move the row, of which nothing says how long it is. */
static void unknown_length(int *const *rows, long *at, long *next, int wanted, int n)
{
    for (int k = 0; k < n; k++)
        if (rows[at[0]][k] == wanted) next[0] = k % 2; // missed: nothing is known of the size of 'rows', and the source may end before it loads so much [idioms]
}
static void known_rows(const int *row, long *next, int wanted, int n)
{
    for (int k = 0; k < n; k++) // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
        if (row[k] == wanted) next[0] += k;
}
/* Equal to a constant is as often common. */
static int common(const int *flag, int n)
{
    for (int k = 0; k < n; k++)
        if (flag[k] == 0) out[6] += out[6] / 2 + k;
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
