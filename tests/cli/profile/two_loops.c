#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static double a[400][400], b[400][400];

static void hot(int times)
{
    for (int t = 0; t < times; t++)
        for (int j = 0; j < 400; j++)
            for (int i = 0; i < 400; i++)
                a[i][j] = a[i][j] * 0.5 + b[i][j];
}

static void *in_a_thread(void *times)
{
    hot(*(int *)times);
    return NULL;
}

int main(int count, char **words)
{
    int times = atoi(words[1]);
    double sum = 0.0;
    pthread_t thread;
    pthread_create(&thread, NULL, in_a_thread, &times);
    pthread_join(thread, NULL);
    for (int i = 0; i < times * 5000; i++)
        sum += sqrt(sum + i);
    printf("%d %.0f\n", count, sum * 0.0 + a[1][1]);
    if (count > 2)
        abort();
    return 7;
}
