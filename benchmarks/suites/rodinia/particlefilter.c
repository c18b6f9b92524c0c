/* Arguments: width, height and number of the frames, particles.
 *
 * The suite seeds its generators with the time of day and reads an array that it has not set;
 * here the seeds are fixed, and the linker hands us its calls of malloc (--wrap), which clears.
 */
#include "../bench.h"

void videoSequence(int *I, int IszX, int IszY, int Nfr, int *seed);
void particleFilter(int *I, int IszX, int IszY, int Nfr, int *seed, int Nparticles);

void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
    return calloc(1, size);
}

int main(int argc, char **argv)
{
    int width = bench_argument(argc, argv, 1);
    int height = bench_argument(argc, argv, 2);
    int frames = bench_argument(argc, argv, 3);
    int particles = bench_argument(argc, argv, 4);
    int *video = (int *)bench_alloc((size_t)width * (size_t)height * (size_t)frames, sizeof *video);
    int *seeds = (int *)bench_alloc((size_t)particles, sizeof *seeds);
    for (int i = 0; i < particles; i++)
        seeds[i] = (int)(bench_random(1, (uint64_t)i) * 1e9);
    videoSequence(video, width, height, frames, seeds);

    double start = bench_now();
    particleFilter(video, width, height, frames, seeds, particles);
    bench_time(bench_now() - start);
    bench_ints("seeds", seeds, (size_t)particles);
    return 0;
}
