#define _GNU_SOURCE
#include "s2s_devices.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DEVICES = 16, WORDS = 512 };

struct device {
    const char *name;
    pid_t process;
    int socket;
    int file;
    unsigned char *memory;
    size_t size;
    int gone;
};

static struct device devices[MOST_DEVICES];
static int device_count;
static struct s2s_region *regions;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *folder(void)
{
    static char found[4096];
    const char *given = getenv("S2S_DEVICES");
    if (given)
        return given;
    ssize_t length = readlink("/proc/self/exe", found, sizeof found - 1);
    while (length > 0 && found[length - 1] != '/')
        length--;
    if (length <= 0)
        return ".";
    found[length] = 0;
    return found;
}

static double timeout(void)
{
    const char *given = getenv("S2S_TIMEOUT");
    double seconds = given ? atof(given) : 0;
    return seconds > 0 ? seconds : 600;
}

/* Ends a process that we started. */
static void end(struct device *device)
{
    if (device->socket >= 0)
        close(device->socket);
    device->socket = -1;
    if (device->process > 0) {
        kill(device->process, SIGKILL);
        while (waitpid(device->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    device->process = 0;
    device->gone = 1;
}

/* A region's line, in which a tab ends each word, for the report. */
static void leave(void)
{
    for (int k = 0; k < device_count; k++)
        if (!devices[k].gone)
            end(&devices[k]);
    const char *name = getenv("S2S_REPORT");
    FILE *report = name ? fopen(name, "w") : NULL;
    if (!report)
        return;
    for (const struct s2s_region *r = regions; r; r = r->next)
        fprintf(report, "%s\t%s\t%ld\t%ld\t%.17g\t%.17g\t%.9f\t%.9g\n", r->name, r->device, r->calls,
                r->on_host, r->amount, r->bytes, r->seconds, r->error);
    fclose(report);
}

static int memory_file(void)
{
    char name[] = "/dev/shm/s2s-XXXXXX", other[] = "/tmp/s2s-XXXXXX";
    int file = mkstemp(name);
    if (file >= 0) {
        unlink(name);
        return file;
    }
    file = mkstemp(other);
    if (file >= 0)
        unlink(other);
    return file;
}

static void begin(struct device *device)
{
    int ends[2];
    device->socket = -1;
    device->gone = 1;
    device->file = memory_file();
    if (device->file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return;
    const char *given = getenv("S2S_PYTHON");
    const char *python = given ? given : "python3";
    const char *where = folder();
    char file[16];
    snprintf(file, sizeof file, "%d", device->file);
    device->process = fork();
    if (device->process == 0) {
        dup2(ends[1], 0);
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execlp(python, python, "-m", "s2s.simulators.devices.worker", where, device->name, file,
               (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    device->socket = ends[0];
    fcntl(device->socket, F_SETFD, FD_CLOEXEC);
    device->gone = device->process < 0;
}

static struct device *find(const char *name)
{
    for (int k = 0; k < device_count; k++)
        if (!strcmp(devices[k].name, name))
            return &devices[k];
    if (device_count == MOST_DEVICES)
        return NULL;
    struct device *device = &devices[device_count++];
    device->name = name;
    begin(device);
    return device;
}

static int enlarge(struct device *device, size_t size)
{
    if (size <= device->size)
        return 0;
    if (device->memory)
        munmap(device->memory, device->size);
    device->memory = NULL;
    device->size = 0;
    if (ftruncate(device->file, (off_t)size))
        return 1;
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, device->file, 0);
    if (found == MAP_FAILED)
        return 1;
    device->memory = found;
    device->size = size;
    return 0;
}

static int say(struct device *device, const char *words)
{
    size_t length = strlen(words);
    while (length) {
        ssize_t sent = send(device->socket, words, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return 1;
        words += sent;
        length -= (size_t)sent;
    }
    return 0;
}

/* One line of the device's; 0, or why there is none. */
static const char *hear(struct device *device, char *line)
{
    double until = now() + timeout();
    for (int length = 0; length < WORDS - 1;) {
        struct pollfd one = {device->socket, POLLIN, 0};
        double left = until - now();
        int ready = left > 0 ? poll(&one, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            return "takes too long";
        char c;
        if (ready < 0 || read(device->socket, &c, 1) != 1)
            return "is not there";
        if (c == '\n') {
            line[length] = 0;
            return NULL;
        }
        line[length++] = c;
    }
    return "says too much";
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Whether arrays of which one is written overlap. */
static int overlap(const struct s2s_region *region, void *const *arrays)
{
    for (int a = 0; a < region->count; a++)
        for (int b = 0; b < a; b++) {
            const struct s2s_argument *x = &region->arguments[a], *y = &region->arguments[b];
            const char *p = arrays[a], *q = arrays[b];
            if (((x->direction | y->direction) & S2S_OUT) && p < q + y->bytes && q < p + x->bytes)
                return 1;
        }
    return 0;
}

/* 0, or why the device has not done it. A device that is to be given up is gone afterwards. */
static const char *call(struct s2s_region *region, void *const *arrays, char *line)
{
    struct device *device = find(region->device);
    if (!device || device->gone)
        return "is not there";
    size_t size = 0;
    int first = !region->bound;
    for (int k = 0; k < region->count; k++)
        if (first || region->arguments[k].direction != S2S_CONSTANT)
            size += rounded(region->arguments[k].bytes);
    if (enlarge(device, size))
        return "gets no memory";
    size_t at = 0;
    double moved = 0;
    for (int k = 0; k < region->count; k++) {
        const struct s2s_argument *argument = &region->arguments[k];
        if (!first && argument->direction == S2S_CONSTANT)
            continue;
        if (argument->direction & S2S_IN) {
            memcpy(device->memory + at, arrays[k], argument->bytes);
            moved += (double)argument->bytes;
        }
        at += rounded(argument->bytes);
    }
    char words[WORDS];
    snprintf(words, sizeof words, "%s %s\n", first ? "bind" : "run", region->name);
    const char *why = say(device, words) ? "is not there" : hear(device, line);
    if (why) {
        end(device);
        return why;
    }
    double amount, error;
    if (sscanf(line, "ok %lf %lf", &amount, &error) != 2)
        return strncmp(line, "failed ", 7) ? line : line + 7;
    at = 0;
    for (int k = 0; k < region->count; k++) {
        const struct s2s_argument *argument = &region->arguments[k];
        if (!first && argument->direction == S2S_CONSTANT)
            continue;
        if (argument->direction & S2S_OUT) {
            memcpy(arrays[k], device->memory + at, argument->bytes);
            moved += (double)argument->bytes;
        }
        at += rounded(argument->bytes);
    }
    region->bound = 1;
    region->amount += amount;
    if (error > region->error)
        region->error = error;
    region->bytes += moved;
    return NULL;
}

static int run(struct s2s_region *region, void *const *arrays)
{
    if (!region->known) {
        if (!regions)
            atexit(leave);
        region->known = 1;
        region->next = regions;
        regions = region;
    }
    region->calls++;
    char line[WORDS];
    double start = now();
    const char *why =
        overlap(region, arrays) ? "has arrays that overlap" : call(region, arrays, line);
    region->seconds += now() - start;
    if (!why)
        return 0;
    region->on_host++;
    if (!region->said) {
        region->said = 1;
        fflush(stdout);
        fprintf(stderr, "s2s: %s on %s: %s; the host runs its own text\n", region->name,
                region->device, why);
    }
    return 1;
}

int s2s_run_region(struct s2s_region *region, void *const *arrays)
{
    pthread_mutex_lock(&one_at_a_time);
    int status = run(region, arrays);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}
