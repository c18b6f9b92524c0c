/* What the files of the machine, compiled as one, share beyond what programs see. */
#define _GNU_SOURCE
#ifndef S2S_EMU_MACHINE_H
#define S2S_EMU_MACHINE_H

#include "access.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define N S2S_N

static long thread, threads, depth; /* the running one, how many there were, its level */
static long traffic[N][N];
static long lifetimes, remote_spawns;

/* Cycles up to the last point where the first thread was alone, and what they were due to. */
static double elapsed, by_chain, by_nodelet, by_contexts;
static long measured_clock;

_Noreturn static void fail(const char *what);
static void measure(void);

#endif
