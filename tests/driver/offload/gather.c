#include <stdio.h>
#define V 48
#define E 192
static long rank[V], next[V];
static int target[E];
static unsigned short seen[V];

int main(void)
{
    long sum = 0, least = 3;
    for (int e = 0; e < E; e++) target[e] = e * 31 & 31;
    for (int v = 0; v < V; v++) rank[v] = (v * 17 & 31) - 7;
    for (int step = 0; step < 3; step++) {
        #pragma omp parallel for
        for (int v = 0; v < V; v++)
            for (int k = 0; k < E / V; k++)
                next[v] += rank[target[v * (E / V) + k]] * 2 - least;
        #pragma omp parallel for
        for (int v = 0; v < V; v++) {
            rank[v] = next[v] & 1023;
            seen[v] = (unsigned short)(seen[v] + (next[v] < 0));
        }
        least++;
    }
    for (int v = 0; v < V; v++) sum = sum * 7 + rank[v] + seen[v];
    printf("%ld\n", sum);
    return 0;
}
