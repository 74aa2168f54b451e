/*
 * gantry-hook: what an agent runs for each of its hooks. It sends one frame to the daemon, prints the answer and exits.
 * src/client/hook.ts does the same step for step; test/hook compares the two.
 *
 *   echo '{"hook_event_name":"Stop"}' | gantry-hook claude Stop
 *
 * Whatever goes wrong, the frame is spooled or its loss is reported, and the exit code is 0: a broken gantry must not break
 * an agent. All memory is static: untouched pages cost nothing, and no allocation can fail.
 */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#define fdatasync fsync
#define st_mtim st_mtimespec
#else
#include <sys/syscall.h>
#endif
#include "tables.gen.h" /* numbers and names shared with the TypeScript client */
#ifndef GANTRY_VERSION
#define GANTRY_VERSION "dev"
#endif

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Why there is no answer, and what a person can do about it. */
typedef struct { const char *what, *fix; } Failure;
#define SEE_DOCTOR "Find out why with: gantry doctor"
static const Failure AWAY = {"daemon not running", "Start it with: gantry up"};
static const Failure UNSAFE = {"the daemon's socket or its folder is not private to you", SEE_DOCTOR};
static const Failure LOST = {"its home folder does not exist", "Set GANTRY_HOME or --home to an absolute path"};
static const Failure TOO_LONG = {"the path of the daemon's socket is too long", "Set a shorter GANTRY_HOME"};
static const Failure BUSY = {"the daemon did not accept the connection", SEE_DOCTOR};
static const Failure LATE = {"the daemon did not answer in time", SEE_DOCTOR};
static const Failure HUNG_UP = {"the daemon hung up before its answer was complete", SEE_DOCTOR};
static const Failure GARBLED = {"the daemon's answer is invalid", SEE_DOCTOR};
static const Failure UNREAD = {"the answer cannot be written to stdout", "Try again"};
static const Failure PENDING = {0};

/* Why an event could not be stored: for a person, and briefly for the file of losses. */
typedef struct { const char *what, *fix, *brief; } Loss;
static const Loss NO_ROOM = {"the disk is full", "Free disk space", "disk full"};
static const Loss NO_PLACE = {"the spool cannot be written", SEE_DOCTOR, "no spool"};
static const Loss TOO_MANY = {"too many events wait already", "Start the daemon with: gantry up", "spool full"};
static const Loss NOWHERE = {"its home folder does not exist", "Set GANTRY_HOME or --home to an absolute path", ""};

typedef struct { const char *home, *agent, *event, *json, *keep; bool required, tmux_status, start; } Call;
typedef struct { char home[PATH_MAX], state[PATH_MAX], run[PATH_MAX]; } Places;
typedef struct { char id[27]; long long at; } Birth;
typedef struct { const char *bytes; size_t len; } Frame;
typedef struct { int exit; size_t out, err; const char *bytes; } Reply;

static char frame_room[HEADER_LIMIT_BYTES + PAYLOAD_LIMIT_BYTES];
static char reply_room[REPLY_LINE_LIMIT_BYTES + 2 * REPLY_PART_LIMIT_BYTES];

static Call read_arguments(int argc, char **argv);
static Birth birth(void);
static Frame read_frame(const Call *call, const Birth *born);
static bool find_places(Places *places, const char *home);
static const Failure *ask(const Places *places, const Call *call, Frame frame, Reply *reply);
static const Loss *spool(const Places *places, const char *id, Frame frame);
static void tell_loss(const Places *places, const Call *call, const char *id, const Loss *loss);
static void start_daemon(const Places *places);
static int block(const Failure *failure);
static void say_gone(const Call *call);
static bool write_all(int fd, const char *bytes, size_t len);
static const char *set(const char *name);
static int print_tmux_status(const char *home);
static int start_alone(const char *home);
static int keep_alone(const Call *call);

int main(int argc, char **argv)
{
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit must stop the spool, not the client */
    /* With stdio closed, the socket or a spool file could become fd 1 and receive our output. */
    int spare;
    while ((spare = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && spare <= STDERR_FILENO) continue;
    close(spare);

    Birth born = birth();
    Call call = read_arguments(argc, argv);
    if (call.tmux_status) return print_tmux_status(call.home);
    if (call.start) return start_alone(call.home);
    if (call.keep) return keep_alone(&call);
    if (!call.json && isatty(STDIN_FILENO)) {
        fputs("gantry-hook: the payload comes on stdin. Try: echo '{}' | gantry-hook claude Stop\n", stderr);
        return 0;
    }
    Frame frame = read_frame(&call, &born);
    /* For everything that gantry itself runs. After reading stdin: an agent must not write into a closed pipe. */
    if (set("GANTRY_OFF") && !call.required) return 0;

    static Places places;
    Reply reply = {0};
    bool placed = find_places(&places, call.home);
    const Failure *failure = placed ? ask(&places, &call, frame, &reply) : &LOST;
    if (!failure) {
        bool said = write_all(STDOUT_FILENO, reply.bytes, reply.out);
        write_all(STDERR_FILENO, reply.bytes + reply.out, reply.err);
        if (call.required && !said) return block(&UNREAD);
        return call.required && reply.exit ? 2 : reply.exit; /* a failed hook has decided nothing */
    }
    const Loss *loss = placed ? spool(&places, born.id, frame) : &NOWHERE;
    if (loss) tell_loss(&places, &call, born.id, loss);
    if (failure == &AWAY) {
        say_gone(&call);
        start_daemon(&places);
    }
    return call.required ? block(failure) : 0;
}

static int block(const Failure *failure)
{
    fprintf(stderr, "gantry: no decision (%s). This hook is required, so the action is blocked. %s\n",
            failure->what, failure->fix);
    return 2;
}

/* ---- the command line ---- */

static const char USAGE[] =
    "usage: gantry-hook [--home DIR] [--required] [--version] [--help] <agent> [event] [json]\n"
    "Passes one hook of a coding agent on to gantry. The payload comes on stdin, or as the last argument.\n"
    "example: echo '{\"hook_event_name\":\"Stop\"}' | gantry-hook claude Stop\n";

static _Noreturn void usage_error(const char *what, const char *value)
{
    fprintf(stderr, "gantry-hook: %s%s\n%s", what, value, USAGE);
    exit(1); /* never 2: it would block the agent */
}

#define LOWER_DIGITS "abcdefghijklmnopqrstuvwxyz0123456789"
#define CROCKFORD "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

static bool is_made_of(const char *name, const char *letters, size_t most)
{
    size_t len = strlen(name);
    return len >= 1 && len <= most && strspn(name, letters) == len;
}

static Call read_arguments(int argc, char **argv)
{
    Call call = {.home = getenv("GANTRY_HOME")};
    const char **positional[] = {&call.agent, &call.event, &call.json};
    size_t given = 0;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (arg[0] != '-') {
            if (given == COUNT(positional)) usage_error("too many arguments", "");
            *positional[given++] = arg;
        } else if (!strcmp(arg, "--home")) {
            if (++i == argc || !*argv[i]) usage_error("--home needs a folder", "");
            call.home = argv[i];
        } else if (!strcmp(arg, "--required")) {
            call.required = true;
        } else if (!strcmp(arg, "--tmux-status")) {
            call.tmux_status = true;
        } else if (!strcmp(arg, "--start")) {
            call.start = true;
        } else if (!strcmp(arg, "--keep")) {
            call.keep = ++i < argc && is_made_of(argv[i], CROCKFORD, 26) && strlen(argv[i]) == 26 ? argv[i] : NULL;
            if (!call.keep) usage_error("--keep needs an id", "");
        } else if (!strcmp(arg, "--version")) {
            exit(puts("gantry-hook " GANTRY_VERSION) < 0);
        } else if (!strcmp(arg, "--help")) {
            exit(fputs(USAGE, stdout) < 0);
        } else {
            usage_error("unknown option ", arg);
        }
    }
    if ((call.tmux_status || call.start) && given == 0) return call;
    if (call.tmux_status) usage_error("--tmux-status takes no arguments", "");
    if (call.start) usage_error("--start takes no arguments", "");
    if (!call.agent) usage_error("the agent is missing", "");
    /* Codex's notify appends its JSON to the configured command; no event starts with a brace. */
    if (call.event && call.event[0] == '{' && !call.json) call.json = call.event, call.event = NULL;
    if (!is_made_of(call.agent, LOWER_DIGITS "_-", 32)) usage_error("invalid agent name: ", call.agent);
    if (call.event && !is_made_of(call.event, LOWER_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.:-", 64))
        usage_error("invalid event name: ", call.event);
    return call;
}

/* ---- the frame: one JSON line, then the payload ---- */

static long long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* As src/events/ids.ts: the time in ms, the microsecond within it, then random bits. */
static Birth birth(void)
{
    static const char alphabet[] = CROCKFORD;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    Birth born = {.at = t.tv_sec * 1000LL + t.tv_nsec / 1000000};
    int sub = t.tv_nsec / 1000 % 1000;
    unsigned char chance[14] = {0};
    if (getentropy(chance, sizeof chance) < 0) {
        int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
        if (read(fd, chance, sizeof chance) < 0) memcpy(chance, &(pid_t){getpid()}, sizeof(pid_t));
        close(fd);
    }
    for (int i = 0; i < 10; i++) born.id[i] = alphabet[born.at >> (45 - 5 * i) & 31];
    born.id[10] = alphabet[sub >> 5];
    born.id[11] = alphabet[sub & 31];
    for (int i = 0; i < 14; i++) born.id[12 + i] = alphabet[chance[i] & 31];
    return born;
}

static bool decides(const Call *call)
{
    bool found = call->required;
    for (size_t i = 0; call->event && i < COUNT(DECIDERS); i++) found |= !strcmp(call->event, DECIDERS[i]);
    return found;
}

/*
 * Keeps what fits and drains the rest, so that the agent never writes into a closed pipe. A busy agent may need a while for
 * the first byte, and nobody could decide without it.
 */
static unsigned long long read_stdin(char *payload, int first_ms)
{
    static char scrap[64 * 1024];
    unsigned long long total = 0;
    long long left, end = now_ms() + STDIN_LIMIT_MS;
    while ((left = end - now_ms()) > 0) {
        struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
        int idle = total ? STDIN_IDLE_MS : first_ms;
        int ready = poll(&in, 1, left < idle ? (int)left : idle);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) break;
        size_t room = total < PAYLOAD_LIMIT_BYTES ? PAYLOAD_LIMIT_BYTES - total : 0;
        ssize_t n = read(STDIN_FILENO, room ? payload + total : scrap, room ? room : sizeof scrap);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) break;
        total += (size_t)n;
    }
    return total;
}

typedef struct { size_t len; char bytes[HEADER_LIMIT_BYTES]; } Text;

static void add(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->bytes + text->len, sizeof text->bytes - text->len, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < sizeof text->bytes - text->len) text->len += (size_t)n;
}

/* Length of the well-formed character at s, or minus the bytes that one U+FFFD replaces, as in TextDecoder. */
static int utf8(const unsigned char *s)
{
    int more = *s < 0x80 ? 0 : *s < 0xC2 ? -1 : *s < 0xE0 ? 1 : *s < 0xF0 ? 2 : *s < 0xF5 ? 3 : -1;
    unsigned char low = *s == 0xE0 ? 0xA0 : *s == 0xF0 ? 0x90 : 0x80;
    unsigned char high = *s == 0xED ? 0x9F : *s == 0xF4 ? 0x8F : 0xBF;
    if (more < 0) return -1;
    for (int i = 1; i <= more; i++, low = 0x80, high = 0xBF)
        if (s[i] < low || s[i] > high) return -i;
    return 1 + more;
}

/* Escapes like JSON.stringify, so that both clients send the same bytes. */
static void add_string(Text *text, const char *value)
{
    size_t used = 0;
    add(text, "\"");
    for (const unsigned char *s = (const unsigned char *)value; *s;) {
        static const char plain[] = "\"\\\b\f\n\r\t", escaped[] = "\"\\bfnrt";
        int n = utf8(s);
        const char *found = strchr(plain, *s);
        if ((used += n > 0 ? (size_t)n : 3) > VALUE_LIMIT_BYTES) break;
        if (n < 0) add(text, "\xEF\xBF\xBD");
        else if (found) add(text, "\\%c", escaped[found - plain]);
        else if (*s < 0x20) add(text, "\\u%04x", *s);
        else add(text, "%.*s", n, (const char *)s);
        s += abs(n);
    }
    add(text, "\"");
}

static void add_environment(Text *text)
{
    size_t start = text->len;
    for (size_t i = 0; i < COUNT(ENV_ALLOW_LIST); i++) {
        const char *value = getenv(ENV_ALLOW_LIST[i]);
        size_t before = text->len;
        if (!value) continue;
        add(text, "%s\"%s\":", before > start ? "," : "", ENV_ALLOW_LIST[i]);
        add_string(text, value);
        if (text->len - start > ENV_LIMIT_BYTES) text->len = before;
    }
}

static const char *set(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static Frame read_frame(const Call *call, const Birth *born)
{
    static Text head;
    char *payload = frame_room + HEADER_LIMIT_BYTES;
    int first_ms = decides(call) ? STDIN_LIMIT_MS : STDIN_IDLE_MS;
    unsigned long long total = call->json ? strlen(call->json) : read_stdin(payload, first_ms);
    size_t kept = total < PAYLOAD_LIMIT_BYTES ? total : PAYLOAD_LIMIT_BYTES;
    if (call->json) memcpy(payload, call->json, kept);

    add(&head, "{\"v\":%d,\"kind\":\"hook\",\"agent\":\"%s\"", WIRE_VERSION, call->agent);
    if (call->event) add(&head, ",\"event\":\"%s\"", call->event);
    add(&head, ",\"id\":\"%s\",\"at\":%lld,\"pid\":%d,\"ppid\":%d", born->id, born->at, getpid(), getppid());
    if (set("TMUX_PANE")) add(&head, ",\"pane\":"), add_string(&head, set("TMUX_PANE"));
    if (set("TMUX")) add(&head, ",\"tmux\":"), add_string(&head, set("TMUX"));
    add(&head, ",\"env\":{");
    add_environment(&head);
    add(&head, "},\"client\":\"%s\",\"hold\":true", GANTRY_VERSION);
    if (total > kept) add(&head, ",\"cut\":%llu", total);
    add(&head, ",\"len\":%zu}\n", kept);

    /* The header goes right before the payload: one buffer for socket and spool, and no copy of 8 MB. */
    char *start = payload - head.len;
    memcpy(start, head.bytes, head.len);
    return (Frame){start, head.len + kept};
}

/* ---- places, by the rules of src/core/files/paths.ts ---- */

/* Like path.resolve: from the working folder, with '.', '..' and '//' removed without looking at the disk. */
static bool resolve(char out[PATH_MAX], const char *base, const char *rest)
{
    char cwd[PATH_MAX] = "", path[3 * PATH_MAX], *next = path;
    if (base[0] != '/' && !getcwd(cwd, sizeof cwd)) return false;
    if ((size_t)snprintf(path, sizeof path, "%s/%s/%s", cwd, base, rest) >= sizeof path) return false;
    size_t len = 0;
    for (char *part; (part = strsep(&next, "/"));) {
        if (!*part || !strcmp(part, ".")) continue;
        if (!strcmp(part, "..")) {
            while (len && out[--len] != '/') continue;
        } else {
            len += (size_t)snprintf(out + len, PATH_MAX - len, "/%s", part);
            if (len >= PATH_MAX) return false;
        }
    }
    if (!len) out[len++] = '/';
    out[len] = 0;
    return true;
}

/* The XDG specification tells programs to ignore relative values. */
static const char *set_absolute(const char *name)
{
    const char *value = set(name);
    return value && value[0] == '/' ? value : NULL;
}

/* "xdg:DIR" means the XDG folders with DIR as XDG_STATE_HOME, whatever the environment says. Installs pin it. */
static bool find_places(Places *places, const char *home)
{
    const char *pinned = home && !strncmp(home, "xdg:", 4) ? home + 4 : NULL;
    if (pinned)
        return *pinned == '/' && resolve(places->state, pinned, "gantry") && resolve(places->run, places->state, "");
    if (home && *home)
        return resolve(places->home, home, "") && resolve(places->state, home, "state") &&
               resolve(places->run, home, "run");
    const char *state = set_absolute("XDG_STATE_HOME"), *runtime = set_absolute("XDG_RUNTIME_DIR");
    const char *user = set("HOME");
    if (!user) {
        struct passwd *me = getpwuid(getuid());
        user = me && me->pw_dir ? me->pw_dir : "/";
    }
    return resolve(places->state, state ? state : user, state ? "gantry" : ".local/state/gantry") &&
           resolve(places->run, runtime ? runtime : places->state, runtime ? "gantry" : "");
}

/* ---- the daemon ---- */

static bool is_ours(const char *path, struct stat *st)
{
    return stat(path, st) == 0 && st->st_uid == geteuid();
}

/* Nobody else can have created this socket, or can replace it. */
static bool is_ours_alone(const char *path, struct stat *st)
{
    struct stat above;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    return is_ours(path, st) && S_ISSOCK(st->st_mode) && is_ours(*folder ? folder : "/", &above) &&
           !(above.st_mode & (S_IWGRP | S_IWOTH));
}

static const Failure *find_socket(const Places *places, struct sockaddr_un *address, struct stat *st)
{
    const Failure *missing = &AWAY;
    /* The second is a link, for clients with another XDG_RUNTIME_DIR than the daemon's. */
    const char *folders[] = {places->run, places->state};
    for (size_t i = 0; i < COUNT(folders); i++) {
        char *path = address->sun_path, real[PATH_MAX];
        size_t room = sizeof address->sun_path;
        if ((size_t)snprintf(path, room, "%s/gantry.sock", folders[i]) >= room) {
            if (i == 0) missing = &TOO_LONG;
        } else if (realpath(path, real)) {
            return is_ours_alone(path, st) && is_ours_alone(real, st) ? NULL : &UNSAFE;
        } else if (errno != ENOENT && errno != ENOTDIR) {
            return &UNSAFE;
        }
    }
    return missing;
}

static const Failure *connect_to(const struct sockaddr_un *address, int fd, int patience)
{
    long long end = now_ms() + patience;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (connect(fd, (const struct sockaddr *)address, sizeof *address) < 0) {
        if (errno == ECONNREFUSED || errno == ENOENT) return &AWAY;
        if ((errno != EAGAIN && errno != EINTR) || now_ms() >= end) return &BUSY;
        poll(NULL, 0, CONNECT_RETRY_MS);
    }
    return NULL;
}

/* Digits only, then `end`; -1 for anything else. */
static long number(const char **at, char end, int digits, long most)
{
    long value = 0;
    const char *s = *at;
    for (; *s >= '0' && *s <= '9' && digits > 0; digits--) value = value * 10 + (*s++ - '0');
    if (s == *at || *s != end || value > most) return -1;
    *at = s + 1;
    return value;
}

/* Parses received bytes: NULL once the answer is complete, PENDING while it is not. */
static const Failure *take(size_t *got, long long *deadline, Reply *reply)
{
    while (!reply->bytes) {
        const char *at = reply_room;
        bool full = *got >= REPLY_LINE_LIMIT_BYTES;
        if (!memchr(at, '\n', full ? REPLY_LINE_LIMIT_BYTES : *got)) return full ? &GARBLED : &PENDING;
        if (!strncmp(at, "hold ", 5)) {
            at += 5;
            long ms = number(&at, '\n', 9, 999999999);
            if (ms < 0) return &GARBLED;
            *deadline = now_ms() + (ms < HOLD_LIMIT_MS ? ms : HOLD_LIMIT_MS);
            *got -= (size_t)(at - reply_room);
            memmove(reply_room, at, *got);
        } else {
            long code = number(&at, ' ', 3, 255);
            long out = code < 0 ? -1 : number(&at, ' ', 7, REPLY_PART_LIMIT_BYTES);
            long err = out < 0 ? -1 : number(&at, '\n', 7, REPLY_PART_LIMIT_BYTES);
            if (err < 0) return &GARBLED;
            *reply = (Reply){(int)code, (size_t)out, (size_t)err, at};
        }
    }
    return reply_room + *got >= reply->bytes + reply->out + reply->err ? NULL : &PENDING;
}

static const Failure *exchange(int fd, Frame frame, long long deadline, Reply *reply)
{
    size_t sent = 0, got = 0;
    for (long long left; (left = deadline - now_ms()) > 0;) {
        struct pollfd peer = {.fd = fd, .events = (short)(sent < frame.len ? POLLIN | POLLOUT : POLLIN)};
        if (poll(&peer, 1, (int)left) <= 0) continue;
        if (peer.revents & POLLOUT) {
            ssize_t n = write(fd, frame.bytes + sent, frame.len - sent);
            if (n > 0) sent += (size_t)n;
            else if (errno != EAGAIN && errno != EINTR) sent = frame.len; /* gone, but it may have answered */
        }
        if (peer.revents & ~POLLOUT) {
            ssize_t n = read(fd, reply_room + got, sizeof reply_room - got);
            if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (n <= 0) return &HUNG_UP;
            got += (size_t)n;
            const Failure *failure = take(&got, &deadline, reply);
            if (failure != &PENDING) return failure;
        }
    }
    return &LATE;
}

static long long age_ms(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec - then->tv_sec) * 1000LL + (now.tv_nsec - then->tv_nsec) / 1000000;
}

static void give_up_on(const char *socket, mode_t mode)
{
    utimensat(AT_FDCWD, socket, NULL, 0); /* first, so that nobody ever sees an old mark */
    chmod(socket, mode);
}

/*
 * A client that waited in vain marks the socket by its mode, and the daemon removes the mark when it continues. Until then
 * clients with the same or less patience do not wait. But once a minute one tries briefly, in case the mark is outdated.
 */
static const Failure *ask(const Places *places, const Call *call, Frame frame, Reply *reply)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat st;
    bool decider = decides(call), waits = true;
    int patience = decider ? DECIDER_DEADLINE_MS : OBSERVER_DEADLINE_MS;
    const Failure *failure = find_socket(places, &address, &st);
    if (failure) return failure;
    bool by_decider = (st.st_mode & 0777) == DECIDER_GAVE_UP_MODE;
    bool by_observer = (st.st_mode & 0777) == OBSERVER_GAVE_UP_MODE;
    mode_t mark = decider || by_decider ? DECIDER_GAVE_UP_MODE : OBSERVER_GAVE_UP_MODE;
    if (!call->required && (by_decider || (by_observer && !decider))) {
        long long age = age_ms(&st.st_mtim);
        waits = age < 0 || age >= LOOK_AGAIN_MS;
        patience = OBSERVER_DEADLINE_MS;
        if (waits) give_up_on(address.sun_path, mark); /* restarts the minute for all others */
    }
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return &BUSY;
    failure = connect_to(&address, fd, waits ? CONNECT_DEADLINE_MS : 0);
    if (!failure) failure = waits ? exchange(fd, frame, now_ms() + patience, reply) : &LATE;
    close(fd);
    if (waits && failure == &LATE) give_up_on(address.sun_path, mark);
    if (!failure && (by_decider || by_observer)) chmod(address.sun_path, SOCKET_MODE);
    return failure;
}

/* False if nobody reads. */
static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR) return false;
        else if (n > 0) bytes += n, len -= (size_t)n;
    }
    return true;
}

/* ---- without the daemon ---- */

static const Loss *find_room(int folder)
{
    struct stat st;
    struct statvfs disk;
    if (fstat(folder, &st) < 0 || st.st_uid != geteuid()) return &NO_PLACE;
    if (faccessat(folder, ".", W_OK, 0) < 0) return &NO_PLACE; /* a disk that is read-only may be full, too */
    if (fstatvfs(folder, &disk) < 0) return &NO_PLACE;
    if ((unsigned long long)disk.f_bavail * disk.f_frsize < SPOOL_FREE_BYTES) return &NO_ROOM;
    if (st.st_size <= SPOOL_FOLDER_BYTES) return NULL;
    /* ext4 never shrinks a folder, so a large one may be empty again: only then count its files. */
    DIR *list = fdopendir(dup(folder));
    int frames = 0;
    while (list && frames < SPOOL_FRAMES && readdir(list)) frames++;
    if (list) closedir(list);
    return list && frames < SPOOL_FRAMES ? NULL : &TOO_MANY;
}

/* Overwrites the file and truncates it to the frame's length. */
static bool write_file(int folder, const char *name, int flags, Frame frame)
{
    int fd = openat(folder, name, flags | O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    ssize_t n = 0;
    for (size_t done = 0; done < frame.len && (n >= 0 || errno == EINTR); done += n > 0 ? (size_t)n : 0)
        n = write(fd, frame.bytes + done, frame.len - done);
    bool kept = n >= 0 && ftruncate(fd, (off_t)frame.len) == 0 && fdatasync(fd) == 0;
    return close(fd) == 0 && kept;
}

static int open_folder(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid()) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static bool is_full(int error)
{
    return error == ENOSPC || error == EDQUOT;
}

/*
 * Uses preallocated files on a full disk: overwriting them needs no new space. Renaming one claims it. A long frame
 * consumes as many as it needs, so that the reserve plus the frames made from it never grow.
 */
static bool take_slot(int reserve, const char *draft, size_t len)
{
    size_t wanted = (len + RESERVE_SLOT_BYTES - 1) / RESERVE_SLOT_BYTES, got = 0;
    DIR *list = len <= RESERVE_FRAME_BYTES ? fdopendir(dup(reserve)) : NULL;
    for (struct dirent *entry; list && got < wanted && (entry = readdir(list));) {
        struct stat st;
        if (strncmp(entry->d_name, "slot-", 5)) continue;
        if (fstatat(reserve, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode)) continue; /* not a slot */
        int failed = got ? unlinkat(reserve, entry->d_name, 0) : renameat(reserve, entry->d_name, reserve, draft);
        if (!failed) got++;
        else if (is_full(errno)) unlinkat(reserve, entry->d_name, 0); /* frees space for the new name */
    }
    if (list) closedir(list);
    return got > 0;
}

static bool keep_in_reserve(const Places *places, int folder, const char *draft, const char *name, Frame frame)
{
    char path[PATH_MAX + sizeof "/reserve"];
    snprintf(path, sizeof path, "%s/reserve", places->state);
    int reserve = open_folder(path);
    if (reserve < 0) return false;
    bool kept = false, goes_on = true; /* tries another slot, unless the spool itself fails */
    for (int i = 0; i < RESERVE_TRIES && !kept && goes_on && take_slot(reserve, draft, frame.len); i++) {
        bool written = write_file(reserve, draft, 0, frame);
        kept = written && renameat(reserve, draft, folder, name) == 0;
        goes_on = !written || is_full(errno);
        if (kept) fsync(folder);
        else unlinkat(reserve, draft, 0); /* frees space for the next try */
    }
    close(reserve);
    return kept;
}

static const Loss *spool(const Places *places, const char *id, Frame frame)
{
    char path[PATH_MAX + sizeof "/spool"], draft[40], name[40];
    snprintf(path, sizeof path, "%s/spool", places->state);
    snprintf(draft, sizeof draft, ".tmp-%s", id);
    snprintf(name, sizeof name, "%s.frame", id);
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
    mkdir(path, 0700);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return errno == ENOSPC ? &NO_ROOM : &NO_PLACE;
    const Loss *loss = find_room(folder);
    if (!loss) {
        bool kept = write_file(folder, draft, O_CREAT | O_EXCL, frame) && renameat(folder, draft, folder, name) == 0;
        loss = kept ? NULL : is_full(errno) ? &NO_ROOM : &NO_PLACE;
        if (kept) fsync(folder);
        else unlinkat(folder, draft, 0);
    }
    if (loss == &NO_ROOM && keep_in_reserve(places, folder, draft, name, frame)) loss = NULL;
    close(folder);
    return loss;
}

/* The last of the reserve is for recording losses. */
static bool give_room(const char *path)
{
    int reserve = open_folder(path);
    DIR *list = reserve < 0 ? NULL : fdopendir(reserve);
    bool given = false;
    for (struct dirent *entry; list && !given && (entry = readdir(list));)
        given = !strncmp(entry->d_name, "note-", 5) && unlinkat(reserve, entry->d_name, 0) == 0;
    if (list) closedir(list);
    else if (reserve >= 0) close(reserve);
    return given;
}

/* Appends one record: concurrent clients need no lock for that, and the file's size is the count. */
static void note_loss(const Places *places, const Call *call, const char *id, const Loss *loss)
{
    char path[PATH_MAX + sizeof "/reserve"], record[LOSS_RECORD_BYTES + 1];
    struct stat st;
    int length = snprintf(record, sizeof record, "%s %-16.16s %-19.19s\n", id, call->agent, loss->brief);
    int state = open_folder(places->state);
    if (state < 0) return;
    int fd = openat(state, "lost", O_CREAT | O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    close(state);
    if (fd < 0) return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < LOSS_FILE_BYTES) {
        ssize_t n = write(fd, record, (size_t)length);
        snprintf(path, sizeof path, "%s/reserve", places->state);
        if (n < 0 && give_room(path)) n = write(fd, record, (size_t)length);
        if (n > 0) fdatasync(fd);
    }
    close(fd);
}

static void tell_loss(const Places *places, const Call *call, const char *id, const Loss *loss)
{
    if (loss != &NOWHERE) note_loss(places, call, id, loss);
    fprintf(stderr, "gantry: this event is lost (%s). The agent continues. %s\n", loss->what, loss->fix);
}

static bool find_beside_self(char out[PATH_MAX], const char *name)
{
    char self[PATH_MAX] = "";
#ifdef __APPLE__
    char given[PATH_MAX];
    uint32_t size = sizeof given;
    if (_NSGetExecutablePath(given, &size) != 0 || !realpath(given, self)) return false;
#else
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return false;
#endif
    char *slash = strrchr(self, '/');
    if (!slash) return false;
    *slash = 0;
    return snprintf(out, PATH_MAX, "%s/%s", self, name) < PATH_MAX && access(out, X_OK) == 0;
}

/* Only one of many concurrent hooks starts the daemon. The lock stays open until the start is under way. */
static int take_turn(const Places *places)
{
    char path[PATH_MAX + sizeof "/start.lock"];
    struct stat st;
    snprintf(path, sizeof path, "%s/start.lock", places->state);
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) return fd; /* just created, so it is ours; its age keeps others from starting a daemon */
    fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0) {
        long long age = age_ms(&st.st_mtim);
        /* A time in the future means that the clock was set back: waiting for it could take forever. */
        if ((age < 0 || age >= START_PAUSE_MS) && futimens(fd, NULL) == 0) return fd;
    }
    close(fd);
    return -1;
}

static void close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < (most > 0 && most < 65536 ? most : 65536); fd++) close(fd);
}

/* Set by "gantry down", until "gantry up". */
static bool is_kept_down(const Places *places)
{
    char path[PATH_MAX + sizeof "/down"];
    struct stat st;
    snprintf(path, sizeof path, "%s/down", places->state);
    return lstat(path, &st) == 0;
}

#include "daemon-env.h"

static void start_daemon(const Places *places)
{
    char program[PATH_MAX];
    if (set("GANTRY_NO_AUTOSTART") || is_kept_down(places)) return;
    if (!find_beside_self(program, "gantry")) return;
    int turn = take_turn(places);
    if (turn < 0) return;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0) _exit(0); /* init adopts the daemon, so nobody has to reap it */
        /* Gemini waits until every holder of its pipes is gone. */
        int null = open("/dev/null", O_RDWR);
        for (int fd = 0; fd <= STDERR_FILENO; fd++) dup2(null, fd);
        close_from(STDERR_FILENO + 1);
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        lift_limits();
        char *const argv[] = {program, "up", "--foreground", "--quiet", NULL};
        if (chdir("/") == 0) execve(program, argv, environment_for_daemon(places->home, places->state));
        _exit(127);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    close(turn);
}

/*
 * The launcher leaves a mark beside us if it finds no gantry to start. A person is told once, when a session starts: Claude Code,
 * Codex and Gemini CLI show this to the user, and their event has the same name.
 */
static void say_gone(const Call *call)
{
    static const char GONE[] =
        "{\"systemMessage\":\"The program of gantry is gone, but its hooks are still in your settings. They change nothing, and keep "
        "what they can for its return. If it moved, run: gantry install. If you removed it, run: npm install -g gantry && "
        "gantry uninstall --everything\"}\n";
    char mark[PATH_MAX], said[PATH_MAX + sizeof ".said"];
    if (!call->event || strcmp(call->event, "SessionStart") != 0 || !find_beside_self(mark, "gone")) return;
    snprintf(said, sizeof said, "%s.said", mark);
    if (rename(mark, said) == 0) write_all(STDOUT_FILENO, GONE, sizeof GONE - 1);
}

/* For a plugin that talks to the daemon directly and found none: does what any hook does then. */
static int start_alone(const char *home)
{
    static Places places;
    if (!set("GANTRY_OFF") && find_places(&places, home)) start_daemon(&places);
    return 0;
}

/* For a plugin that talks to the daemon directly and cannot keep a frame: it is complete on stdin. */
static int keep_alone(const Call *call)
{
    static Places places;
    unsigned long long len = read_stdin(frame_room, STDIN_IDLE_MS);
    Frame frame = {frame_room, (size_t)len};
    const Loss *loss = !find_places(&places, call->home) ? &NOWHERE
                       : len > PAYLOAD_LIMIT_BYTES       ? &NO_ROOM /* incomplete, and the reserve is small */
                                                         : spool(&places, call->keep, frame);
    if (loss) tell_loss(&places, call, call->keep, loss);
    return 0;
}

/* ---- the line for tmux, as src/tmux/display.ts writes it: the pid of the daemon, then the line ---- */

static bool print_kept_status(const Places *places)
{
    static char text[4096];
    char path[PATH_MAX + sizeof "/tmux-status"];
    struct stat st;
    snprintf(path, sizeof path, "%s/tmux-status", places->run);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    bool ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid();
    ssize_t len = ours ? read(fd, text, sizeof text - 1) : -1;
    close(fd);
    const char *line = text;
    long pid = len > 0 ? number(&line, '\n', 9, 999999999) : -1;
    if (pid <= 0 || kill((pid_t)pid, 0) < 0) return false; /* nobody updates it any more */
    write_all(STDOUT_FILENO, line, (size_t)(text + len - line));
    return true;
}

/* The first caller makes the daemon write the line; the other program handles that. */
static int print_tmux_status(const char *home)
{
    static Places places;
    char program[PATH_MAX];
    if (find_places(&places, home) && print_kept_status(&places)) return 0;
    if (!find_beside_self(program, "gantry")) return 1;
    if (*places.home) setenv("GANTRY_HOME", places.home, 1);
    execl(program, program, "tmux", "status", "--fresh", (char *)NULL);
    return 1;
}
