/*
 * The environment of a daemon that a hook starts; src/client/kept-environment.ts does the same. A hook runs with whatever the
 * project put into its agent's environment: a library to load, a program to run, another configuration. The daemon answers
 * for every project, so none of that may reach it. It gets its owner's environment, which `gantry up` and `gantry install`
 * save in the state folder. Before the first such start it gets only these names and this PATH.
 */
static char *daemon_env[KEPT_ENV_VALUES + COUNT(DAEMON_ENV) + 5];
static size_t daemon_env_used;

/* The index of a variable, or the first free one. */
static size_t daemon_env_place(const char *name, size_t len)
{
    size_t i = 0;
    while (i < daemon_env_used && (strncmp(daemon_env[i], name, len) || daemon_env[i][len] != '=')) i++;
    return i;
}

static void set_for_daemon(char *assignment)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment) return;
    size_t i = daemon_env_place(assignment, (size_t)(equals - assignment));
    if (i + 1 >= COUNT(daemon_env)) return;
    daemon_env[i] = assignment;
    if (i == daemon_env_used) daemon_env_used++;
}

static bool is_named_in(const char *const *names, size_t count, const char *assignment)
{
    size_t len = strcspn(assignment, "=");
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == len && !strncmp(names[i], assignment, len)) return assignment[len] == '=';
    return false;
}

/* Also filters what is read back: being able to write the file must not be enough to load a library. */
static bool may_be_kept(const char *assignment)
{
    return is_named_in(DAEMON_ENV, COUNT(DAEMON_ENV), assignment) || is_named_in(KEPT_ENV, COUNT(KEPT_ENV), assignment);
}

/* One NAME=value per line, written by the owner of this folder and nobody else. */
static bool read_kept_environment(const char *state)
{
    static char text[KEPT_ENV_BYTES + 1];
    char path[PATH_MAX + sizeof "/environment"];
    struct stat st;
    snprintf(path, sizeof path, "%s/environment", state);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    bool ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022) &&
                st.st_size > 0 && st.st_size <= KEPT_ENV_BYTES;
    ssize_t len = ours ? read(fd, text, KEPT_ENV_BYTES) : -1;
    close(fd);
    if (len <= 0) return false;
    text[len] = 0;
    char *next = text;
    for (char *line; daemon_env_used < KEPT_ENV_VALUES && (line = strsep(&next, "\n"));)
        if (may_be_kept(line)) set_for_daemon(line);
    return true;
}

/* In the child, between fork and exec: an allocation that fails is skipped, and nothing is freed. */
static char *assignment(const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 2;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s=%s", name, value);
    return text ? text : (char *)"";
}

static char **environment_for_daemon(const char *home, const char *state)
{
    static char above[PATH_MAX];
    if (!read_kept_environment(state)) {
        set_for_daemon((char *)"PATH=" DAEMON_PATH);
        for (size_t i = 0; i < COUNT(DAEMON_ENV); i++)
            if (set(DAEMON_ENV[i])) set_for_daemon(assignment(DAEMON_ENV[i], set(DAEMON_ENV[i])));
    }
    /* The system removes the runtime folder at the user's last logout. */
    size_t i = daemon_env_place("XDG_RUNTIME_DIR", strlen("XDG_RUNTIME_DIR"));
    if (i < daemon_env_used && access(strchr(daemon_env[i], '=') + 1, F_OK) < 0)
        daemon_env[i] = daemon_env[--daemon_env_used];
    /* The daemon must start in the folder that this hook uses, even if the saved one has moved. */
    snprintf(above, sizeof above, "%.*s", (int)(strrchr(state, '/') - state), state);
    if (*home) set_for_daemon(assignment("GANTRY_HOME", home));
    else set_for_daemon(assignment("XDG_STATE_HOME", *above ? above : "/"));
    set_for_daemon((char *)"GANTRY_AUTOSTART=1");
    daemon_env[daemon_env_used] = NULL;
    return daemon_env;
}

/*
 * A hook may run with little CPU time, few open files, a file size limit and a low priority; src/core/processes/limits.ts
 * does the same. Not the stack: its limit moves the heap. Limits that only root may raise stay as they are.
 */
static void lift_limits(void)
{
    const int limits[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_AS};
    struct rlimit limit;
    for (size_t i = 0; i < COUNT(limits); i++) {
        if (getrlimit(limits[i], &limit) < 0) continue;
        limit.rlim_cur = limit.rlim_max;
        setrlimit(limits[i], &limit);
    }
    if (getpriority(PRIO_PROCESS, 0) > 0) setpriority(PRIO_PROCESS, 0, 0);
}
