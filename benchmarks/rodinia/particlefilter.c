/* Following a bright disk through a video with a particle filter.
 *
 * Eight parallel loops a frame, with messages and clocks between them. Particles draw random
 * numbers from generators of their own and look at pixels through a table of places; the search
 * among the cumulated weights takes longer the later a particle is in the sequence.
 *
 * The sums are reductions, so that their last bits depend on the number of threads; the positions
 * do not, unless two weights are as close as that.
 *
 * usage: particlefilter [PARTICLES [FRAMES [SIDE]]]
 */
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <sys/time.h>

#include "../harness.h"

#define PI 3.14159265358979323846
#define DARK 100
#define BRIGHT 228

enum { RADIUS = 5, DIAMETER = 2 * RADIUS - 1 };

long modulus = INT_MAX;
long factor = 1103515245;
int increment = 12345;

static long long microseconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec * 1000000LL + now.tv_usec;
}

static float seconds(long long from, long long to)
{
    return (float)(to - from) / (1000 * 1000);
}

double uniform(int *seed, int i)
{
    long drawn = factor * seed[i] + increment;
    seed[i] = drawn % modulus;
    return fabs(seed[i] / ((double)modulus));
}

/* By the method of Box and Muller. */
double normal(int *seed, int i)
{
    double u = uniform(seed, i);
    double v = uniform(seed, i);
    double turn = cos(2 * PI * v);
    double length = -2 * log(u);
    return sqrt(length) * turn;
}

double truncated(double value)
{
    int whole = (int)(value);
    return whole;
}

int position(double *cumulated, int count, double value)
{
    int found = -1, i;
    for (i = 0; i < count; i++) {
        if (cumulated[i] >= value) {
            found = i;
            break;
        }
    }
    if (found == -1) {
        return count - 1;
    }
    return found;
}

/* The places of a disk relative to its centre, two numbers each; *count becomes their number. */
static double *disk(int *count)
{
    double *places = zeroed(2 * DIAMETER * DIAMETER, sizeof *places);
    *count = 0;
    for (int i = 0; i < DIAMETER; i++) {
        for (int j = 0; j < DIAMETER; j++) {
            int over = i - RADIUS + 1, along = j - RADIUS + 1;
            if (over * over + along * along < RADIUS * RADIUS) {
                places[2 * *count] = along;
                places[2 * *count + 1] = over;
                ++*count;
            }
        }
    }
    return places;
}

/* x and y become where the particles are after the last frame; video is [side][side][frames]. */
void follow(int *video, int side, int frames, int *seed, int count, double *x, double *y)
{
    int largest = side * side * frames;
    int spots, i, j, k, s, over, along;
    double *spot = disk(&spots);
    double at_x = side / 2.0, at_y = side / 2.0;
    double *weight = zeroed(count, sizeof *weight);
    double *likelihood = zeroed(count, sizeof *likelihood);
    double *kept_x = zeroed(count, sizeof *kept_x);
    double *kept_y = zeroed(count, sizeof *kept_y);
    double *cumulated = zeroed(count, sizeof *cumulated);
    double *mark = zeroed(count, sizeof *mark);
    int *place = zeroed((size_t)spots * count, sizeof *place);

#pragma omp parallel for shared(weight, count) private(i)
    for (i = 0; i < count; i++) {
        weight[i] = 1 / ((double)(count));
    }
#pragma omp parallel for shared(x, y, at_x, at_y) private(i)
    for (i = 0; i < count; i++) {
        x[i] = at_x;
        y[i] = at_y;
    }

    for (k = 1; k < frames; k++) {
        long long begun = microseconds();
#pragma omp parallel for shared(x, y, count, seed) private(i)
        for (i = 0; i < count; i++) {
            x[i] += 1 + 5 * normal(seed, i);
            y[i] += -2 + 2 * normal(seed, i);
        }
        long long moved = microseconds();
        printf("phase: moved after %f s\n", seconds(begun, moved));
#pragma omp parallel for shared(likelihood, video, x, y, spot, place) private(i, s, over, along)
        for (i = 0; i < count; i++) {
            for (s = 0; s < spots; s++) {
                over = truncated(x[i]) + spot[s * 2 + 1];
                along = truncated(y[i]) + spot[s * 2];
                place[i * spots + s] = fabs((double)(over * side * frames + along * frames + k));
                if (place[i * spots + s] >= largest) {
                    place[i * spots + s] = 0;
                }
            }
            likelihood[i] = 0;
            for (s = 0; s < spots; s++) {
                likelihood[i] += (pow((video[place[i * spots + s]] - DARK), 2)
                                  - pow((video[place[i * spots + s]] - BRIGHT), 2))
                                 / 50.0;
            }
            likelihood[i] = likelihood[i] / ((double)spots);
        }
        long long looked = microseconds();
        printf("phase: looked after %f s\n", seconds(moved, looked));
#pragma omp parallel for shared(count, weight, likelihood) private(i)
        for (i = 0; i < count; i++) {
            weight[i] = weight[i] * exp(likelihood[i]);
        }
        long long weighed = microseconds();
        printf("phase: weighed after %f s\n", seconds(looked, weighed));
        double sum = 0;
#pragma omp parallel for private(i) reduction(+ : sum)
        for (i = 0; i < count; i++) {
            sum += weight[i];
        }
        long long added = microseconds();
        printf("phase: added after %f s\n", seconds(weighed, added));
#pragma omp parallel for shared(sum, weight) private(i)
        for (i = 0; i < count; i++) {
            weight[i] = weight[i] / sum;
        }
        long long scaled = microseconds();
        printf("phase: scaled after %f s\n", seconds(added, scaled));
        at_x = 0;
        at_y = 0;
#pragma omp parallel for private(i) reduction(+ : at_x, at_y)
        for (i = 0; i < count; i++) {
            at_x += x[i] * weight[i];
            at_y += y[i] * weight[i];
        }
        long long estimated = microseconds();
        printf("phase: estimated after %f s\n", seconds(scaled, estimated));
        printf("seen at %.4f %.4f\n", at_x, at_y);
        double way = sqrt(pow(at_x - side / 2.0, 2) + pow(at_y - side / 2.0, 2));
        printf("%.4f from the middle\n", way);

        cumulated[0] = weight[0];
        for (i = 1; i < count; i++) {
            cumulated[i] = weight[i] + cumulated[i - 1];
        }
        long long summed = microseconds();
        printf("phase: summed after %f s\n", seconds(estimated, summed));
        double first = (1 / ((double)(count))) * uniform(seed, 0);
#pragma omp parallel for shared(mark, first, count) private(i)
        for (i = 0; i < count; i++) {
            mark[i] = first + i / ((double)(count));
        }
        long long marked = microseconds();
        printf("phase: marked after %f s\n", seconds(summed, marked));
#pragma omp parallel for shared(cumulated, count, kept_x, kept_y, mark, x, y) private(i, j)
        for (j = 0; j < count; j++) {
            i = position(cumulated, count, mark[j]);
            if (i == -1) {
                i = count - 1;
            }
            kept_x[j] = x[i];
            kept_y[j] = y[i];
        }
        long long drawn = microseconds();
        printf("phase: drawn after %f s\n", seconds(marked, drawn));
        for (i = 0; i < count; i++) {
            x[i] = kept_x[i];
            y[i] = kept_y[i];
            weight[i] = 1 / ((double)(count));
        }
        printf("phase: reset after %f s\n", seconds(drawn, microseconds()));
    }
    free(spot);
    free(weight);
    free(likelihood);
    free(kept_x);
    free(kept_y);
    free(cumulated);
    free(mark);
    free(place);
}

/* A disk that moves by one and two pixels a frame, and noise. */
static void set_up(int *video, int side, int frames, int *seed)
{
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            for (int k = 0; k < frames; k++) {
                int over = i - (side / 2 + k), along = j - (side / 2 - 2 * k);
                int lit = over * over + along * along < RADIUS * RADIUS;
                video[(i * side + j) * frames + k] =
                    (lit ? BRIGHT : DARK) + (int)(5 * normal(seed, 0));
            }
        }
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10000;
    int frames = argc > 2 ? atoi(argv[2]) : 10;
    int side = argc > 3 ? atoi(argv[3]) : 128;
    if (count < 1 || count > 10000000 || frames < 1 || side < 8 || side > 1000
        || frames > 100000000 / (side * side)) {
        fprintf(stderr, "usage: %s [PARTICLES [FRAMES [SIDE]]]\n", argv[0]);
        return 2;
    }
    int *seed = zeroed(count, sizeof *seed);
    int *video = zeroed((size_t)side * side * frames, sizeof *video);
    double *x = zeroed(count, sizeof *x), *y = zeroed(count, sizeof *y);
    for (int i = 0; i < count; i++) {
        seed[i] = 4711 + 7 * i;
    }
    set_up(video, side, frames, seed);

    double start = omp_get_wtime();
    follow(video, side, frames, seed, count, x, y);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash_of(x, count * sizeof *x),
           hash_of(y, count * sizeof *y));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(seed);
    free(video);
    free(x);
    free(y);
    return 0;
}
