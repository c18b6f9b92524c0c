#include <stdio.h>
#include <stdlib.h>
struct node { long size, value, sum; struct node **next; long *keys; };
static long bound;
static struct node *other;
static long of(struct node *v) { return v->value; }
static void change(struct node *v) { v->next = other->next; }
static void sum(struct node **nodes, long n)
{
    long limit = n / 2, wanted = 3;
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        struct node *v = nodes[i];
        long mine = 0;
        LOOP
        v->sum = mine;
    }
}
int main(void)
{
    long n = 8;
    struct node **nodes = malloc(n * sizeof(struct node *));
    for (long i = 0; i < n; i++) {
        nodes[i] = malloc(sizeof(struct node));
        nodes[i]->size = i;
        nodes[i]->value = nodes[i]->sum = 1;
    }
    for (long i = 0; i < n; i++) {
        nodes[i]->next = malloc(i * sizeof(struct node *));
        nodes[i]->keys = malloc(i * sizeof(long));
        for (long k = 0; k < i; k++) {
            nodes[i]->next[k] = nodes[k];
            nodes[i]->keys[k] = k;
        }
    }
    other = nodes[0];
    bound = 5;
    sum(nodes, n);
    printf("%ld\n", nodes[n - 1]->sum);
    MORE
}
