/**
 * Real agents run where nothing can leave the machine: in a network namespace whose only interface is lo. It is a
 * process namespace, too, so that whatever an agent, a daemon or a tmux server leaves behind ends with the run.
 *
 *   const exit = await runInLoopback([process.execPath, 'test', './test/agents/claude.agents.ts'], env)
 */

/** What the run drives, and the Debian package that brings it. */
const NEEDED = [
  { command: 'unshare', package: 'util-linux' },
  { command: 'ip', package: 'iproute2' },
  { command: 'tmux', package: 'tmux' },
] as const

/** Says what is missing in a line to act on, or installs it where that is allowed. */
export function needSystemPackages(): void {
  if (process.platform !== 'linux')
    throw new Error('The real agents run only on Linux here: they need a network namespace to be shut in.')
  const missing = NEEDED.filter(({ command }) => !Bun.which(command)).map((one) => one.package)
  if (missing.length === 0) return
  const line = `apt-get install -y ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !Bun.which('apt-get'))
    throw new Error(`The real agents need ${missing.join(', ')}. Install them first, e.g.: sudo ${line}`)
  console.log(`installing what the real agents need: ${missing.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const argv of [['apt-get', 'update', '-qq'], line.split(' ')]) {
    const child = Bun.spawnSync(argv, { env, stdout: 'ignore', stderr: 'pipe' })
    if (!child.success) throw new Error(`${argv.join(' ')} failed: ${child.stderr.toString()}`)
  }
}

/** The argv that runs a command shut in. The shell stays as process 1, where it reaps what others leave. */
export function shutIn(argv: readonly string[]): string[] {
  const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  return [
    'unshare',
    ...asUser,
    ...namespaces,
    'sh',
    '-c',
    'ip link set lo up && "$@"; exit $?',
    'sh',
    ...argv,
  ]
}

/** Throws unless lo is the only interface that is up and no packet has a way out. Cheap, so everyone asks. */
export function assertLoopbackOnly(): void {
  const shown = Bun.spawnSync(['ip', '-json', 'link', 'show', 'up'])
  const listed = JSON.parse(shown.stdout.toString() || '[]') as { ifname?: string }[]
  const names = listed.flatMap((one) => one.ifname ?? []) // what is down is listed as an empty object
  if (names.length === 1 && names[0] === 'lo') return
  throw new Error(
    `Real agents run only where lo is the one interface that is up; here: ${names.join(', ') || 'none'}. ` +
      'Run them by: npm run test:agents',
  )
}

/** The environment of a run: the way to programs, and nothing of the session around it. */
export function bareEnv(extra: Record<string, string> = {}): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'XDG_CACHE_HOME', 'TMPDIR']
  const pairs = kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return { ...Object.fromEntries(pairs), TERM: 'xterm-256color', ...extra }
}
