/* The host's main: it runs the program and writes what was counted, as JSON. */
#include "machine.h"

#define REGIONS 256
struct totals {
    long migrations, remotes, threads;
    double cycles;
};
static struct region {
    char *name;
    struct totals sum;
} regions[REGIONS];
static int region_count, open_region = -1;
static struct totals at_opening;
static FILE *report;

static struct totals totals(void)
{
    struct totals sum = {.threads = threads, .cycles = elapsed + (s2s_clock - measured_clock)};
    for (int k = 0; k < N; k++) {
        sum.migrations += s2s_counters[k].outbound;
        sum.remotes += s2s_counters[k].remotes;
    }
    return sum;
}

double s2s_hooks_region_end(int site, ...)
{
    if (open_region < 0)
        return 0;
    if (depth == 0)
        measure();
    struct totals now = totals(), *sum = &regions[open_region].sum;
    double cycles = now.cycles - at_opening.cycles;
    sum->migrations += now.migrations - at_opening.migrations;
    sum->remotes += now.remotes - at_opening.remotes;
    sum->threads += now.threads - at_opening.threads;
    sum->cycles += cycles;
    open_region = -1;
    return cycles * 1000 / S2S_CLOCK_HZ;
}

void s2s_hooks_region_begin(int site, const char *name)
{
    s2s_hooks_region_end(site);
    name = s2s_view(name);
    int k = 0;
    while (k < region_count && strcmp(regions[k].name, name))
        k++;
    if (k == REGIONS)
        fail("too many named regions");
    if (k == region_count)
        regions[region_count++].name = strcpy(malloc(strlen(name) + 1), name);
    if (depth == 0)
        measure();
    open_region = k;
    at_opening = totals();
}

void s2s_starttiming(int site) { s2s_hooks_region_begin(site, "timed"); }
void s2s_stoptiming(int site) { s2s_hooks_region_end(site); }

/* Performance counters: 1 starts them, 2 stops them. */
void s2s_lu_profile_perfcntr(int site, int what, const char *name)
{
    if (what == 1)
        s2s_hooks_region_begin(site, "profiled");
    else if (what == 2)
        s2s_hooks_region_end(site);
}

void s2s_assertion_failed(const char *condition, const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    exit(134);
}

static void write_list(const char *name, const long *first, int count, int step)
{
    fprintf(report, "\"%s\": [", name);
    for (int i = 0; i < count; i++)
        fprintf(report, "%s%ld", i ? ", " : "", first[i * step]);
    fprintf(report, "],\n");
}

static void write_counters(void)
{
    struct s2s_counters *c = s2s_counters;
    int step = sizeof *c / sizeof(long);
    write_list("outbound", &c->outbound, N, step);
    write_list("created", &c->created, N, step);
    write_list("died", &c->died, N, step);
    write_list("loads", &c->loads, N, step);
    write_list("stores", &c->stores, N, step);
    write_list("atomics", &c->atomics, N, step);
    write_list("remotes", &c->remotes, N, step);
    write_list("work", &c->work, N, step);
    write_list("traffic", traffic[0], N * N, 1);
    write_list("sites", s2s_sites, s2s_site_count, 1);
    write_list("remote_sites", s2s_remote_sites, s2s_site_count, 1);
}

static void write_string(const char *text)
{
    fputc('"', report);
    for (; *text; text++)
        if ((unsigned char)*text < 32 || *text == '"' || *text == '\\')
            fprintf(report, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, report);
    fputc('"', report);
}

static void write_regions(void)
{
    fprintf(report, "\"regions\": [");
    for (int i = 0; i < region_count; i++) {
        struct totals *sum = &regions[i].sum;
        fprintf(report, "%s{\"name\": ", i ? ",\n" : "");
        write_string(regions[i].name);
        fprintf(report, ", \"migrations\": %ld, \"remotes\": %ld, \"threads\": %ld, "
                "\"cycles\": %.0f}", sum->migrations, sum->remotes, sum->threads, sum->cycles);
    }
    fprintf(report, "],\n");
}

static void write_report(void)
{
    s2s_hooks_region_end(0);
    s2s_counters[s2s_at].died++;
    measure();
    fprintf(report, "{");
    write_counters();
    write_regions();
    fprintf(report, "\"threads\": %ld, \"remote_spawns\": %ld,\n", threads + 1, remote_spawns);
    fprintf(report, "\"cycles\": %.0f, \"chain\": %.0f, \"nodelet\": %.0f, \"contexts\": %.0f}\n",
            elapsed, by_chain, by_nodelet, by_contexts);
    fclose(report);
}

/* Where somebody follows the run: how many accesses there were, to the start of a file, from time
   to time by a thread of the host, which costs the run nothing. */
static int followed = -1;

static void *tell(void *unused)
{
    for (long told = 0; told >= 0; usleep(100000)) {
        told = 0;
        for (int k = 0; k < N; k++)
            told += s2s_counters[k].loads + s2s_counters[k].stores + s2s_counters[k].atomics;
        if (pwrite(followed, &told, sizeof told, 0) != sizeof told)
            break;
    }
    return unused;
}

static void let_follow(void)
{
    const char *given = getenv("S2S_FOLLOWED");
    sigset_t all, before;
    pthread_t thread;
    if (!given)
        return;
    followed = atoi(given);
    unsetenv("S2S_FOLLOWED");
    sigfillset(&all); /* the program's signals are the program's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&thread, NULL, tell, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void s2s_set_up(void);
int s2s_main(int count, char **arguments);

/* The first argument is where the report goes; the second one is the program's name. */
int main(int count, char **arguments)
{
    if (count < 3 || !(report = fopen(arguments[1], "w")))
        fail("the report cannot be written");
    reserve_addresses();
    s2s_set_up();
    let_follow();
    atexit(write_report);
    return s2s_main(count - 2, arguments + 2);
}
