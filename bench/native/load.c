/* N clients at once, each a new connection per event as hook clients make them: connect, one frame, one reply, close.
 * usage: load <socket> <clients> <events> <payload-bytes> <sessions> [seed] [events-a-second] [frames] [again]
 * A file of frames, each preceded by its length in four bytes, replaces the generated frames.
 * With "again", a frame without a reply is sent again until it has one, as a spool is: its id makes it count once.
 * Prints "<seconds>" and then one latency in microseconds a line. Stops by itself after 120 s. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FRAME_ROOM (256 * 1024)
#define LIMIT_US 120e6
#define AGAIN_US 50e3 /* a daemon that was killed needs a moment */

struct client {
    int fd;
    double start;
    size_t got;
    char reply[64];
    /* With "again": the frame it has to deliver, and when it tries next; 0 while it waits for a reply. */
    char *sent;
    size_t size;
    double due;
};

static struct sockaddr_un at = {.sun_family = AF_UNIX};
static int poll_fd, sessions;
static long started, seed;
static size_t payload_bytes;
static char frame[FRAME_ROOM], payload[FRAME_ROOM];
static FILE *frames;
static int again;

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static size_t next_frame(void) {
    unsigned char size[4];
    if (fread(size, 1, 4, frames) != 4) return 0;
    size_t n = (size_t)size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
    return n <= sizeof frame && fread(frame, 1, n, frames) == n ? n : 0;
}

static size_t make_frame(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    /* Each session runs one tool after the other: a call starts, and ends in the session's next event. */
    long round = started / sessions;
    const char *type = round % 2 ? "PostToolUse" : "PreToolUse";
    int n = snprintf(payload, sizeof payload,
                     "{\"session_id\":\"session-%04ld\",\"transcript_path\":\"/home/dev/.claude/projects/p/s.jsonl\",\"cwd\":\"/home/dev/acme\","
                     "\"permission_mode\":\"default\",\"hook_event_name\":\"%s\",\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_%012ld\","
                     "\"tool_input\":{\"command\":\"",
                     started % sessions, type, round / 2 * sessions + started % sessions);
    while ((size_t)n + 3 < payload_bytes) payload[n] = "make test; git diff "[n % 20], n++;
    memcpy(payload + n, "\"}}", 3);
    n += 3;
    int h = snprintf(frame, sizeof frame,
                     "{\"v\":1,\"kind\":\"hook\",\"agent\":\"claude\",\"event\":\"%s\",\"id\":\"load-%08ld-%012ld\",\"at\":%lld,\"pid\":4242,\"ppid\":4241,"
                     "\"pane\":\"%%3\",\"tmux\":\"/tmp/tmux-1000/default,4100,0\",\"env\":{\"AI_AGENT\":\"claude-code_2-1-325_harness\",\"CLAUDE_PID\":\"4241\","
                     "\"CLAUDE_PROJECT_DIR\":\"/home/dev/acme\",\"PWD\":\"/home/dev/acme\"},\"client\":\"0.1.0\",\"hold\":true,\"len\":%d}\n",
                     type, seed, started, (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000, n);
    memcpy(frame + h, payload, (size_t)n);
    return (size_t)(h + n);
}

static int deliver(struct client *c, const char *bytes, size_t size) {
    c->start = now_us();
    c->got = 0;
    c->due = 0;
    c->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(c->fd, (struct sockaddr *)&at, sizeof at)) return -1;
    if (send(c->fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) return -1;
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = c};
    return epoll_ctl(poll_fd, EPOLL_CTL_ADD, c->fd, &ev);
}

static void fail(struct client *c) {
    close(c->fd);
    c->due = now_us() + AGAIN_US;
}

static int begin(struct client *c) {
    size_t size = frames ? next_frame() : make_frame();
    if (size == 0) return fputs("load: no whole frame\n", stderr), -1;
    started++;
    if (again) {
        if (!(c->sent = realloc(c->sent, size))) return perror("realloc"), -1;
        c->size = size;
        memcpy(c->sent, frame, size);
    }
    if (!deliver(c, frame, size)) return 0;
    if (!again) return perror("load: not delivered"), -1;
    fail(c);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 6) return 1;
    snprintf(at.sun_path, sizeof at.sun_path, "%s", argv[1]);
    int clients = atoi(argv[2]);
    long events = atol(argv[3]), done = 0;
    payload_bytes = (size_t)atol(argv[4]);
    sessions = atoi(argv[5]);
    seed = argc > 6 ? atol(argv[6]) : 0;
    double rate = argc > 7 ? atof(argv[7]) : 0; /* 0: as fast as they are answered */
    if (argc > 8 && !(frames = fopen(argv[8], "rb"))) return perror(argv[8]), 1;
    again = argc > 9 && !strcmp(argv[9], "again");
    double *latencies = calloc((size_t)events, sizeof *latencies);
    struct client *all = calloc((size_t)clients, sizeof *all);
    struct client **idle = calloc((size_t)clients, sizeof *idle);
    int waiting = 0;
    struct epoll_event evs[256];
    poll_fd = epoll_create1(0);
    double start = now_us();
    for (int i = 0; i < clients; i++) idle[waiting++] = &all[i];
    while (done < events) {
        while (waiting > 0 && started < events && (rate == 0 || (double)started < (now_us() - start) * rate / 1e6))
            if (begin(idle[--waiting])) return 1;
        for (int i = 0; again && i < clients; i++)
            if (all[i].due && all[i].due <= now_us() && deliver(&all[i], all[i].sent, all[i].size)) fail(&all[i]);
        int n = epoll_wait(poll_fd, evs, 256, rate == 0 ? 1000 : 1);
        if (now_us() - start > LIMIT_US) return fputs("load: over 120 s\n", stderr), 1;
        for (int i = 0; i < n; i++) {
            struct client *c = evs[i].data.ptr;
            ssize_t got = read(c->fd, c->reply + c->got, sizeof c->reply - c->got);
            if (got <= 0 && again) {
                fail(c);
                continue;
            }
            if (got <= 0) return fprintf(stderr, "load: no reply after %ld events: %s\n", done, got ? strerror(errno) : "closed"), 1;
            c->got += (size_t)got;
            char *end;
            while ((end = memchr(c->reply, '\n', c->got)) && *c->reply == 'h') { /* "hold": the reply comes later */
                c->got -= (size_t)(end + 1 - c->reply);
                memmove(c->reply, end + 1, c->got);
            }
            if (!end) continue;
            latencies[done++] = now_us() - c->start;
            close(c->fd);
            idle[waiting++] = c;
        }
    }
    printf("%.6f\n", (now_us() - start) / 1e6);
    for (long i = 0; i < events; i++) printf("%.1f\n", latencies[i]);
    return 0;
}
