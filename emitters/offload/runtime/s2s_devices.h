/* Regions of a program on devices: what the host's program calls.
 *
 * Each device is a process of its own, started at its first region; arrays go through memory that
 * both share. A call returns 0 where the device has done the region, and leaves the outputs alone
 * where it has not: then the host's own text has to run.
 *
 * Environment: S2S_DEVICES, the folder of manifest.json (default: that of the program);
 * S2S_PYTHON, the interpreter with s2s; S2S_TIMEOUT, seconds that a region may take (default 600);
 * S2S_REPORT, a file that gets a line for each region as the program ends; S2S_COMPARE, not empty:
 * results are compared with those of the region's own C, which the host would run.
 */
#ifndef S2S_DEVICES_H
#define S2S_DEVICES_H

#include <stddef.h>

enum s2s_direction { S2S_IN = 1, S2S_OUT = 2, S2S_INOUT = 3, S2S_CONSTANT = 5 };

struct s2s_argument {
    const char *name;
    size_t bytes;
    enum s2s_direction direction;
};

/* A region of the program, and what became of its calls. A constant is sent with the first call. */
struct s2s_region {
    const char *name;
    const char *device;
    const struct s2s_argument *arguments;
    int count;
    int bound;
    int said;
    long calls;
    long on_host;
    double amount;
    double bytes;
    double seconds;
    double error;
    struct s2s_region *next;
    int known;
};

/* 0 where the device has done the region. Arrays that overlap are the host's, if one is written. */
int s2s_run_region(struct s2s_region *region, void *const *arrays);

#endif
