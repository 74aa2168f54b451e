/* N subscribers to one stream, each on its own connection, that only read and count lines.
 * usage: readers <socket> <readers> <messages> <request-line>
 * Prints "ready" when all are connected, then how many messages each of them got. Stops by itself after 120 s. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_S 120

struct reader {
    int fd;
    long lines;
};

static char buffer[1 << 20];

int main(int argc, char **argv) {
    if (argc < 5) return 1;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", argv[1]);
    int readers = atoi(argv[2]), welcome = 0, complete = 0;
    long wanted = atol(argv[3]) + 1; /* the first line is the reply */
    struct reader *all = calloc((size_t)readers, sizeof *all);
    int poll_fd = epoll_create1(0);
    for (int i = 0; i < readers; i++) {
        all[i].fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(all[i].fd, (struct sockaddr *)&at, sizeof at)) return perror("connect"), 1;
        if (dprintf(all[i].fd, "%s\n", argv[4]) < 0) return perror("write"), 1;
        struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &all[i]};
        if (epoll_ctl(poll_fd, EPOLL_CTL_ADD, all[i].fd, &ev)) return perror("epoll"), 1;
    }
    time_t end = time(NULL) + LIMIT_S;
    struct epoll_event evs[256];
    while (complete < readers && time(NULL) < end) {
        int n = epoll_wait(poll_fd, evs, 256, 1000);
        for (int i = 0; i < n; i++) {
            struct reader *r = evs[i].data.ptr;
            ssize_t got = read(r->fd, buffer, sizeof buffer);
            if (got <= 0) return fputs("readers: the daemon hung up\n", stderr), 1;
            long before = r->lines;
            for (char *p = buffer; (p = memchr(p, '\n', (size_t)(buffer + got - p))); p++) r->lines++;
            if (before == 0 && r->lines > 0 && ++welcome == readers) puts("ready"), fflush(stdout);
            if (before < wanted && r->lines >= wanted) complete++;
        }
    }
    for (int i = 0; i < readers; i++) printf("%ld\n", all[i].lines - 1);
    return 0;
}
