/*
 * A clock that tests can set: programs that load this see the time of day with so many milliseconds added as the file
 * says, from the moment it says so. Clocks that nobody can set are left alone.
 *
 *   LD_PRELOAD=clock.so CLOCK_FILE=/tmp/clock program      # the file holds one 64-bit number, in the machine's order
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *added_ms;

__attribute__((constructor)) static void open_file(void) {
    const char *path = getenv("CLOCK_FILE");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *at = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (at != MAP_FAILED) added_ms = at;
}

int clock_gettime(clockid_t id, struct timespec *out) {
    int failed = (int)syscall(SYS_clock_gettime, id, out);
    if (failed || !added_ms || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return failed;
    int64_t ns = out->tv_nsec + *added_ms % 1000 * 1000000;
    out->tv_sec += *added_ms / 1000;
    if (ns < 0) ns += 1000000000, out->tv_sec -= 1;
    if (ns >= 1000000000) ns -= 1000000000, out->tv_sec += 1;
    out->tv_nsec = ns;
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

/* The kernel compares a deadline with its own clock: one of a clock that was set back is always past, and waits would spin. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *deadline) {
    struct timespec until = *deadline;
    clockid_t id = until.tv_sec > 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC; /* seconds since 1970, or since the boot */
    if (id == CLOCK_REALTIME && added_ms) until.tv_sec -= *added_ms / 1000;
    return pthread_cond_clockwait(cond, mutex, id, &until);
}
