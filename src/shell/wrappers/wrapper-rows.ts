/** Plain wrappers, one row each, by the name of the program, or its name and subcommand: `uv run`. */

/** A program that starts the command in its words. */
export interface Wrapper {
  /** Options with a value. */
  readonly values?: string
  /** Operands before the command: the host of ssh, the duration of timeout. */
  readonly skip?: number
  /** With one of these options, joined to its value by `=`, nothing is skipped. */
  readonly skipsNoneWith?: string
  /** The command is one text for a shell, not words. */
  readonly isText?: boolean
  /** One word with blanks is a text for a shell. */
  readonly isTextIfOne?: boolean
  /** An option whose value is a text for a shell. */
  readonly textOption?: string
  /** An option whose value is the program that gets the words. */
  readonly programOption?: string
  readonly cwdOption?: string
  /** The command stands behind one of these words: all that follows, or one text. */
  readonly behind?: string
  /** Options with two values. */
  readonly pairs?: string
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean
  readonly isRemote?: boolean
  /** With one of these options it starts nothing: `command -v`. */
  readonly unless?: string
  /** What it starts changes the shell: `command cd x`. */
  readonly isSameShell?: boolean
  /** The command is a package, with its version or without: `npm@10`, `twine==5.0`. */
  readonly isPackage?: boolean
  /** With one of these options, or always, it starts a shell that reads standard input. */
  readonly startsShell?: string | true
}

const CONTAINER =
  'a add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cidfile c cpu-shares cpus cpuset-cpus detach-keys ' +
  'device dns domainname e entrypoint env env-file expose gpus group-add health-cmd h hostname ip ipc label l link log-driver ' +
  'log-opt mac-address m memory memory-swap mount name net network network-alias oom-score-adj pid platform p publish pull ' +
  'restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit u user userns uts v volume ' +
  'volumes-from volume-driver w workdir index'
const PARALLEL_SSH: Wrapper = {
  values: 'h hosts H host l user p par o outdir e errdir t timeout O options x extra-args X extra-arg',
  isText: true,
  isRemote: true,
}
const PACKAGE = 'p package c call w workspace from with python'

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values:
      'u user g group h host p prompt C close-from r role t type T command-timeout U other-user D chdir R chroot',
    cwdOption: 'D chdir',
    assigns: true,
    unless: 'l list v validate k K V version e edit',
    startsShell: 's shell i login',
  },
  doas: { values: 'u C a' },
  pkexec: { values: 'user' },
  timeout: { values: 's signal k kill-after', skip: 1 },
  nice: { values: 'n adjustment' },
  ionice: { values: 'c class n classdata p pid P pgid u uid' },
  chrt: { values: 'T P D sched-runtime sched-period sched-deadline', skip: 1, skipsNoneWith: 'priority' },
  taskset: { skip: 1, skipsNoneWith: 'cpu-list mask' },
  nohup: {},
  setsid: {},
  time: { values: 'f format o output' },
  stdbuf: { values: 'i input o output e error' },
  unbuffer: {},
  command: { unless: 'v V', isSameShell: true },
  builtin: { isSameShell: true },
  exec: { values: 'a' },
  chroot: { values: 'userspec groups', skip: 1, isRemote: true },
  unshare: { values: 'setuid setgid root wd S G R w propagation map-user map-group' },
  nsenter: { values: 't target S setuid G setgid', isRemote: true },
  setpriv: {
    values:
      'reuid regid groups ambient-caps inh-caps bounding-set securebits pdeathsig selinux-label apparmor-profile',
  },
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  sg: { values: 'c', textOption: 'c', skip: 1 },
  gosu: { skip: 1 },
  'su-exec': { skip: 1 },
  setuidgid: { skip: 1 },
  's6-setuidgid': { skip: 1 },
  chpst: { values: 'u U b e n l L m d o p f c t P' },
  softlimit: { values: 'm d s l a o p f c r t' },
  tini: { values: 'p e' },
  'dumb-init': { values: 'r rewrite' },
  daemonize: { values: 'c e o p l u E' },
  faketime: { skip: 1 },
  proot: { values: 'r rootfs b bind q qemu w pwd cwd k v R S' },
  bwrap: {
    values:
      'uid gid hostname chdir setenv unsetenv proc dev tmpfs mqueue dir seccomp file args userns cap-add cap-drop',
    pairs: 'bind ro-bind dev-bind bind-try ro-bind-try dev-bind-try symlink bind-data ro-bind-data setenv',
  },
  proxychains: { values: 'f' },
  proxychains4: { values: 'f' },
  torsocks: { values: 'u user p pass a address P port' },
  torify: {},
  tsocks: {},
  eatmydata: {},
  rlwrap: { values: 'f H s c C D' },
  ccache: {},
  sccache: {},
  distcc: {},
  chronic: {},
  ifne: {},
  catchsegv: {},
  prlimit: { values: 'p pid' },
  numactl: { values: 'N cpunodebind m membind i interleave C physcpubind p preferred' },
  choom: { values: 'n adjust p pid' },
  cgexec: { values: 'g' },
  sshpass: { values: 'p f d P' },
  wsl: { values: 'd distribution u user cd', startsShell: true },
  'wsl.exe': { values: 'd distribution u user cd', startsShell: true },
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, isText: true },
  dotenv: { values: 'e p c o v' },
  dotenvx: { values: 'f env-file e env', skip: 1 },
  shx: {},
  watchexec: { values: 'w watch e exts i ignore f filter d debounce s signal shell' },
  hyperfine: { values: 'w warmup r runs m M p prepare c cleanup S shell n command-name', isText: true },
  'perf stat': { values: 'e event r repeat o output p pid' },
  'perf record': { values: 'e event o output p pid F freq c' },
  'perf trace': { values: 'e event o output p pid' },
  'ip netns exec': { skip: 1 },
  'rr record': {},
  'podman unshare': {},
  'buildah unshare': { values: 'm mount' },
  'systemd-nspawn': { values: 'D directory i image u user M machine bind bind-ro E setenv', isRemote: true },
  ts: { values: 'S t c p o i s r w k u U D W L N O a' },
  tsp: { values: 'S t c p o i s r w k u U D W L N O a' },
  nq: {},
  lockf: { values: 't', skip: 1 },
  withlock: { skip: 1 },
  envdir: { skip: 1 },
  pkgx: { isPackage: true },
  run0: { values: 'u user g group D chdir unit property description slice nice setenv machine background' },
  newgrp: { skip: 99, startsShell: true },
  fakeroot: { values: 'l lib faked s i' },
  firejail: {},
  busybox: {},
  toybox: {},
  strace: { values: 'o output e trace p attach s string-limit S u user E env a P b I O X' },
  ltrace: { values: 'o e p s u n a' },
  gdb: { values: 'ex eval-command iex x command p pid c core s e' },
  valgrind: {},
  'systemd-run': {
    values: 'u unit p property M machine H host E setenv uid gid slice description working-directory',
  },
  'systemd-inhibit': { values: 'what who why mode' },
  'dbus-run-session': {},
  'xvfb-run': { values: 'n server-num s server-args e error-file f auth-file' },
  watch: { values: 'n interval', isText: true },
  caffeinate: { values: 't w' },
  arch: {},
  rtk: {},
  script: {
    values: 'c command E echo I log-in O log-out B log-io T log-timing o',
    textOption: 'c command',
    skip: 99,
  },
  flock: { values: 'c command w wait timeout E conflict-exit-code', textOption: 'c command', skip: 1 },
  su: { values: 'c command s shell g group G w', textOption: 'c command', skip: 99, startsShell: true },
  runuser: { values: 'c command u user s shell g group G', textOption: 'c command' },
  'nix-shell': { values: 'run command p packages I A', textOption: 'run command', skip: 99 },
  'ssh-agent': { values: 'a t E P O', unless: 'k', isTextIfOne: true },
  'gpg-agent': { values: 'homedir options log-file pinentry-program default-cache-ttl max-cache-ttl' },
  logsave: { skip: 1 },
  pdsh: { values: 'w x l f t u R g S', isText: true, isRemote: true },
  clush: { values: 'w x g X l user t u f o O R S m', isText: true, isRemote: true },
  pssh: PARALLEL_SSH,
  'parallel-ssh': PARALLEL_SSH,
  mosh: { values: 'client server predict p port ssh family bind-server', skip: 1, isRemote: true },
  et: { values: 'c command p port u user jumphost jport', textOption: 'c command', skip: 99, isRemote: true },
  fab: { behind: '--', isRemote: true },
  'adb shell': { values: 'e', isText: true, isRemote: true },
  'crictl exec': { values: 'timeout', skip: 1, isRemote: true },
  just: { behind: '--command -c' },
  'nix run': { behind: '-- -c --command' },
  'nix develop': { behind: '-c --command' },
  xterm: { behind: '-e' },
  npx: { isPackage: true, values: PACKAGE, textOption: 'c call' },
  bunx: { isPackage: true, values: PACKAGE },
  pnpx: { isPackage: true, values: PACKAGE },
  uvx: { isPackage: true, values: PACKAGE },
  pipx: { isPackage: true, values: 'spec python pip-args', skip: 1 },
  'npm exec': { isPackage: true, values: PACKAGE, textOption: 'c call' },
  'npm x': { isPackage: true, values: PACKAGE, textOption: 'c call' },
  'pnpm exec': { isTextIfOne: true },
  'pnpm dlx': { isPackage: true, values: PACKAGE },
  'yarn exec': { isTextIfOne: true },
  'yarn dlx': { isPackage: true, values: PACKAGE },
  'bun x': { isPackage: true },
  'uv run': { values: 'with python p extra group env-file with-requirements directory project' },
  'uv tool run': { isPackage: true, values: PACKAGE },
  'poetry run': {},
  'pipenv run': {},
  'hatch run': {},
  'rye run': {},
  'conda run': { values: 'n name p prefix cwd' },
  'bundle exec': {},
  'mise exec': { behind: '-- -c --command' },
  'mise x': { behind: '-- -c --command' },
  'asdf exec': {},
  'pyenv exec': {},
  'rbenv exec': {},
  'nvm exec': { skip: 1 },
  'nvm run': { skip: 1 },
  'fnm exec': { values: 'using' },
  'volta run': { values: 'node npm yarn pnpm' },
  'pixi run': { values: 'e environment manifest-path' },
  'pdm run': { values: 'p project' },
  'lerna exec': { values: 'scope concurrency ignore' },
  'nx exec': {},
  'guix shell': { behind: '--' },
  'nix shell': { behind: '-c --command' },
  'devbox run': { values: 'c config e env' },
  'aws-vault exec': { values: 'd duration', skip: 1 },
  'chamber exec': { skip: 1 },
  'flatpak run': { values: 'command branch arch', programOption: 'command', skip: 1, isRemote: true },
  'flatpak-spawn': { values: 'directory env unset-env app-path usr-path' },
  'host-spawn': { values: 'cwd env' },
  'snap run': { values: 'c command', textOption: 'c', skip: 99 },
  'distrobox enter': { behind: '-- -e', isRemote: true },
  'toolbox run': { values: 'c container d distro r release', isRemote: true },
  'machinectl shell': { skip: 1, isRemote: true },
  'gnome-terminal': { behind: '-- -e -x --command' },
  konsole: { behind: '-e' },
  alacritty: { behind: '-e --command' },
  kitty: { values: 'd directory T title' },
  foot: { values: 'D working-directory T title' },
  'direnv exec': { skip: 1 },
  'dotenv run': {},
  'op run': { values: 'env-file account' },
  'doppler run': { values: 'p project c config t token' },
  'docker exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker run': { values: CONTAINER, skip: 1, isRemote: true },
  'docker container exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker container run': { values: CONTAINER, skip: 1, isRemote: true },
  'docker compose exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker compose run': { values: CONTAINER, skip: 1, isRemote: true },
  'docker-compose exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker-compose run': { values: CONTAINER, skip: 1, isRemote: true },
  'podman exec': { values: CONTAINER, skip: 1, isRemote: true },
  'podman run': { values: CONTAINER, skip: 1, isRemote: true },
  'nerdctl exec': { values: CONTAINER, skip: 1, isRemote: true },
  'nerdctl run': { values: CONTAINER, skip: 1, isRemote: true },
  'lxc exec': { skip: 1, isRemote: true },
  'incus exec': { skip: 1, isRemote: true },
  'multipass exec': { skip: 1, isRemote: true },
  'limactl shell': { skip: 1, isRemote: true },
  'podman container exec': { values: CONTAINER, skip: 1, isRemote: true },
  'podman compose exec': { values: CONTAINER, skip: 1, isRemote: true },
  'podman-compose exec': { values: CONTAINER, skip: 1, isRemote: true },
  'nomad alloc exec': { values: 'task t job', skip: 1, isRemote: true },
  'apptainer exec': { values: 'B bind', skip: 1, isRemote: true },
  'singularity exec': { values: 'B bind', skip: 1, isRemote: true },
  'gcloud compute ssh': { values: 'command zone project', textOption: 'command', skip: 99, isRemote: true },
  'vagrant ssh': { values: 'c command', textOption: 'c command', skip: 99, isRemote: true },
  'heroku run': { values: 'a app', isTextIfOne: true, isRemote: true },
  'flyctl ssh console': { values: 'C command a app', textOption: 'C command', skip: 99, isRemote: true },
  'railway run': {},
  'fly ssh console': { values: 'C command a app', textOption: 'C command', skip: 99, isRemote: true },
}

/** Wrappers with many names: the loader of programs, and programs that run those of other machines. */
export const NAMED_WRAPPERS: readonly { readonly name: RegExp; readonly wrapper: Wrapper }[] = [
  {
    name: /^ld(?:-linux|-musl|64|\.so|-\d)[\w.-]*$/,
    wrapper: { values: 'library-path preload argv0 audit inhibit-rpath glibc-hwcaps-prepend' },
  },
  {
    name: /^qemu-(?!system|img|nbd|io|ga$|storage)[\w-]+$/,
    wrapper: { values: 'L E U cpu g d D s B R p r seed 0 plugin' },
  },
]

/** Options with a value that may stand between a program and its subcommand. */
export const GLOBAL_VALUES =
  'H host c context config l log-level f file p project-name project-directory n namespace kubeconfig cluster user s server'
