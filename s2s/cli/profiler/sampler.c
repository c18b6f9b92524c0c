/* Where the threads of a program spend their processor time.

   Preloaded into a program, this writes two files for each process into the folder that
   S2S_PROFILE names: PID.maps, what is loaded where, and PID.samples, a count and then the places
   of the program at which a thread was when a millisecond of its own time had passed. The
   samples are mapped memory, so they outlive any end of the process. Timers are each thread's
   own, because a signal to the process would nearly always interrupt its first thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { MOST = 1 << 21, NANOSECONDS = 997000 };

struct samples {
    uint64_t count;
    uint64_t places[MOST];
};

struct task {
    void *(*run)(void *);
    void *argument;
};

static struct samples *samples;

static uint64_t place_of(const ucontext_t *context)
{
#if defined __x86_64__
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return context->uc_mcontext.pc;
#else
#error "the program counter of this machine is not known here"
#endif
}

static void sample(int number, siginfo_t *information, void *context)
{
    const int before = errno;
    const uint64_t index = __atomic_fetch_add(&samples->count, 1, __ATOMIC_RELAXED);
    (void)number;
    (void)information;
    if (index < MOST)
        samples->places[index] = place_of(context);
    errno = before;
}

/* Begin to sample the calling thread. */
static void begin(void)
{
    struct sigevent event;
    timer_t timer;
    const struct itimerspec every = {{0, NANOSECONDS}, {0, NANOSECONDS}};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
        timer_settime(timer, 0, &every, NULL);
}

static void copy_maps(const char *folder)
{
    char name[4096], text[65536];
    ssize_t length;
    int from, to;
    snprintf(name, sizeof name, "%s/%ld.maps", folder, (long)getpid());
    from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    while (from >= 0 && to >= 0 && (length = read(from, text, sizeof text)) > 0)
        if (write(to, text, (size_t)length) != length)
            break;
    close(from);
    close(to);
}

/* Sample a process: a new one, or the child of a fork. */
static void start(void)
{
    const char *folder = getenv("S2S_PROFILE");
    struct sigaction action;
    char name[4096];
    void *memory;
    int file;
    if (!folder)
        return;
    snprintf(name, sizeof name, "%s/%ld.samples", folder, (long)getpid());
    file = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *samples) != 0)
        return;
    memory = mmap(NULL, sizeof *samples, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return;
    samples = memory;
    copy_maps(folder);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = sample;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(SIGPROF, &action, NULL);
    begin();
}

__attribute__((constructor)) static void load(void)
{
    start();
    pthread_atfork(NULL, NULL, start);
}

static void *run(void *given)
{
    const struct task task = *(struct task *)given;
    free(given);
    begin();
    return task.run(task.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    struct task *task = samples ? malloc(sizeof *task) : NULL;
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    int status;
    memcpy(&create, &found, sizeof create);
    if (!task)
        return create(thread, attributes, function, argument);
    task->run = function;
    task->argument = argument;
    status = create(thread, attributes, run, task);
    if (status != 0)
        free(task);
    return status;
}
