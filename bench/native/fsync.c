/* The floor of the disk: 4 KB written and fdatasync'ed, as one small commit must.
 * usage: fsync <file> <rounds>   (prints one duration in microseconds a line) */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    if (argc != 3) return 1;
    int fd = open(argv[1], O_CREAT | O_TRUNC | O_WRONLY, 0600), rounds = atoi(argv[2]);
    static char page[4096];
    for (int i = 0; i < rounds; i++) {
        double start = now_us();
        if (pwrite(fd, page, sizeof page, (off_t)(i % 1024) * 4096) != 4096 || fdatasync(fd)) return 1;
        printf("%.1f\n", now_us() - start);
    }
    return 0;
}
