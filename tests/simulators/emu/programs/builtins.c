/* The compiler's atomic functions, on words and on parts of words. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#include <stdbool.h>
struct node { long value; struct node *next; };
int main(void)
{
    long n = 500;
    int *small = calloc(n, sizeof(int));
    bool *seen = calloc(n, sizeof(bool));
    unsigned char *bytes = calloc(n, 1);
    short *halves = calloc(n, 2);
    unsigned long *wide = calloc(n, sizeof(long));
    struct node *head = NULL, *nodes = calloc(n, sizeof(struct node));
    long count = 0, taken = 0, fresh = 0; int biggest = 0;
    unsigned ones = 0;
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        long k = i * 7 % 100;
        __sync_fetch_and_add(&small[k], 2);
        if (__sync_add_and_fetch(&small[100 + k], 1) == 1) __sync_fetch_and_add(&fresh, 1);
        if (!__atomic_test_and_set(&seen[k], __ATOMIC_SEQ_CST)) __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
        if (!__sync_lock_test_and_set(&bytes[k / 3], 1)) __atomic_add_fetch(&taken, 1, __ATOMIC_RELAXED);
        __sync_fetch_and_xor(&halves[k], (short)i);
        __atomic_fetch_or(&wide[k], 1ul << i % 60, __ATOMIC_RELAXED);
        int now = __atomic_load_n(&biggest, __ATOMIC_RELAXED);
        while (now < i && !__atomic_compare_exchange_n(&biggest, &now, i, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) ;
        nodes[i].value = i;
        struct node *old;
        do { old = head; nodes[i].next = old; } while (!__sync_bool_compare_and_swap(&head, old, &nodes[i]));
        if (__sync_bool_compare_and_swap(&wide[200 + k], 0, i + 1)) __atomic_sub_fetch(&ones, 3u, __ATOMIC_RELAXED);
        if (__sync_bool_compare_and_swap(&small[300 + k], small[300 + k] * 0, 5)) __sync_fetch_and_nand(&small[400 + k], 3);
    }
    long sum = 0, length = 0, w = 0;
    for (struct node *x = head; x; x = x->next) { length++; sum += x->value; }
    for (long i = 0; i < n; i++) { sum += i * small[i] + halves[i] + bytes[i] + seen[i]; w ^= wide[i] > 0 && i < 200 ? wide[i] : 0; }
    int old = __atomic_exchange_n(&biggest, -4, __ATOMIC_SEQ_CST);
    __sync_synchronize();
    __atomic_store_n(&taken, taken + 1, __ATOMIC_RELEASE);
    printf("%ld %ld %ld %ld %ld %lu %d %d %u\n", sum, length, count, taken, fresh, w, old, biggest, ones);
    return 0;
}
