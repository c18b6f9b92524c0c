/* What the first thread means by replicated memory is the copy where it has read last. */
#include <cilk/cilk.h>
#include <memoryweb/memoryweb.h>

struct queue { long size, *items; };
static replicated struct queue all;

static void push(struct queue *one, long value) { one->items[one->size++] = value; }

int main(void)
{
    long wrong = 0;
    mw_replicated_init((long *)&all.items, (long)mw_mallocrepl(4 * sizeof(long)));
    for (long i = 0; i < NODELETS(); i++) {
        struct queue *one = mw_get_nth(&all, i);
        push(one, 10 * i);
        push(one, 10 * i + 1);
        wrong += one->size != 2 || NODE_ID() != i;
    }
    for (long i = 0; i < NODELETS(); i++) {
        struct queue *one = mw_get_nth(&all, i);
        long *mine = one->items;
        wrong += mine[0] != 10 * i || mine[1] != 10 * i + 1;
    }
    return wrong;
}
