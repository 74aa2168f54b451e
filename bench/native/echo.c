/* The floor of the socket: takes hook frames, parses only `"len":`, answers "0 0 0" at once, stores nothing.
 * usage: echo <socket>   (prints "ready", runs until killed) */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ROOM (64 * 1024)
#define MAX_FD 4096

struct peer {
    size_t have;
    char bytes[ROOM];
};

static struct peer *peers[MAX_FD];

/* Bytes of the first complete frame; 0 if it is incomplete. */
static size_t whole(const struct peer *p) {
    const char *end = memchr(p->bytes, '\n', p->have);
    if (!end) return 0;
    const char *len = memmem(p->bytes, (size_t)(end - p->bytes), "\"len\":", 6);
    size_t need = (size_t)(end - p->bytes) + 1 + (len ? strtoul(len + 6, NULL, 10) : 0);
    return p->have >= need ? need : 0;
}

static void serve(int fd) {
    struct peer *p = peers[fd];
    ssize_t got = read(fd, p->bytes + p->have, ROOM - p->have);
    if (got <= 0) {
        close(fd);
        free(p);
        peers[fd] = NULL;
        return;
    }
    p->have += (size_t)got;
    for (size_t n; (n = whole(p)) > 0;) {
        if (write(fd, "0 0 0\n", 6) != 6) return;
        p->have -= n;
        memmove(p->bytes, p->bytes + n, p->have);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return 1;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", argv[1]);
    unlink(at.sun_path);
    umask(077);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), poll = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 512)) return 1;
    struct epoll_event ev = {.events = EPOLLIN, .data.fd = listener}, evs[128];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &ev);
    puts("ready");
    fflush(stdout);
    for (;;) {
        int n = epoll_wait(poll, evs, 128, -1);
        for (int i = 0; i < n; i++) {
            int fd = evs[i].data.fd;
            if (fd != listener) {
                serve(fd);
                continue;
            }
            fd = accept(listener, NULL, NULL);
            if (fd < 0 || fd >= MAX_FD) continue;
            peers[fd] = calloc(1, sizeof(struct peer));
            ev.events = EPOLLIN;
            ev.data.fd = fd;
            epoll_ctl(poll, EPOLL_CTL_ADD, fd, &ev);
        }
    }
}
