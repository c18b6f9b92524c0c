/* Does what a file says, two letters at a time: an operation and an element of a striped array.
   Its calls and threads go on in the same file up to a '.'. With a second argument a thread of its
   own does it, otherwise the first one. */
#include <cilk/cilk.h>
#include <memoryweb/memoryweb.h>
#include <stdio.h>
#include <stdlib.h>

static void act(FILE *file, long *a, long **blocks)
{
    for (;;) {
        int operation = fgetc(file);
        if (operation == '.' || operation == EOF)
            return;
        int i = fgetc(file) - 'a';
        switch (operation) {
        case 'r':
            a[i];
            break;
        case 'b':
            blocks[i][0] += 1;
            break;
        case 'w':
            a[i] = 1;
            break;
        case '+':
            ATOMIC_ADDMS(&a[i], 1);
            break;
        case '@':
            REMOTE_ADD(&a[i], 1);
            break;
        case 'c':
            act(file, a, blocks);
            break;
        case 's':
            cilk_spawn act(file, a, blocks);
            break;
        case 'h':
            cilk_spawn_at(&a[i]) act(file, a, blocks);
            break;
        default:
            cilk_sync;
        }
    }
}

int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "r");
    long *a = mw_malloc1dlong(26), **blocks = mw_malloc2d(26, 8);
    if (argc > 2) {
        cilk_spawn act(file, a, blocks);
        argc = 0;
        cilk_sync;
    } else
        act(file, a, blocks);
    fclose(file);
    return 0;
}
