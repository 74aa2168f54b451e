/* Times a command as an agent sees it: from the start of the process to its end, stdin from a file.
 * usage: spawn <rounds> <stdin-file> <command> [args…]   (prints one duration in microseconds a line) */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    for (int left = atoi(argv[1]); left > 0; left--) {
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, 0, argv[2], O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
        pid_t pid;
        int status;
        double start = now_us();
        if (posix_spawn(&pid, argv[3], &files, NULL, argv + 3, environ)) return 1;
        if (waitpid(pid, &status, 0) < 0) return 1;
        double took = now_us() - start;
        if (status != 0) return 2;
        printf("%.1f\n", took);
        posix_spawn_file_actions_destroy(&files);
    }
    return 0;
}
