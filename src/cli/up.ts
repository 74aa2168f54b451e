/** Starts the daemon: in the background, or in place with --foreground. */
import { closeSync, openSync } from 'node:fs'
import { agentMark } from '../agents/inside-agent.ts'
import type { Status } from '../client/protocol.ts'
import { GantryError } from '../core/errors.ts'
import { downSince, letStart } from '../core/kept-down.ts'
import { daemonEnvironment, keepEnvironment, ownersEnvironment } from '../core/kept-environment.ts'
import type { Places } from '../core/paths.ts'
import { selfCommand } from '../core/self.ts'
import { VERSION } from '../core/version.ts'
import type { Command } from './command.ts'
import { howToReach } from './reachable.ts'
import { bold, cyan, dim, green, out, plain, yellow } from './terminal.ts'

const START_DEADLINE_MS = 15_000 // a long spool is drained for a second first; the rest is a slow disk
const OTHER_START_MS = 3_000 // another daemon has the lock; it must only come to listen
const NO_NATS = 'gantry config set nats.mode off'
const ALREADY_RUNNING = 'gantry is already running'

export const up: Command = {
  name: 'up',
  summary: 'Start the daemon',
  usage: '[--foreground]',
  options: {
    foreground: { type: 'boolean', short: 'f', help: 'Run here until Ctrl-C instead of in the background' },
    quiet: { type: 'boolean', short: 'q', help: 'Print nothing when all is well' },
  },
  examples: [
    { line: 'gantry up', does: 'Starts the daemon in the background and says where it listens' },
    { line: 'gantry up --foreground', does: 'Runs it in this terminal; Ctrl-C stops it until the next hook' },
  ],
  run: ({ flags, places }) =>
    flags.foreground ? foreground(places, flags.quiet === true) : background(places, flags.quiet === true),
}

async function foreground(places: Places, quiet: boolean): Promise<number> {
  const { startDaemon } = await import('../daemon/index.ts')
  const { GANTRY_READY, GANTRY_AUTOSTART } = process.env
  const ready = GANTRY_READY === '1'
  const isKeptDown = () => GANTRY_AUTOSTART === '1' && downSince(places) !== undefined
  delete process.env.GANTRY_AUTOSTART // not for what the daemon starts
  if (isKeptDown()) return 0
  if (GANTRY_AUTOSTART !== '1') letStart(places)
  const daemon = await startDaemon({ places })
  if (GANTRY_AUTOSTART !== '1' && agentMark(process.env) === undefined) keep(places)
  if (isKeptDown()) void daemon.stop() // it was not yet to be found when "gantry down" looked for it
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void daemon.stop())
  if (ready) process.stdout.write('ready\n')
  else if (!quiet) out(greeting(daemon.status()))
  await daemon.stopped
  process.exit(0)
}

async function background(places: Places, quiet: boolean): Promise<number> {
  letStart(places)
  const running = await statusOf(places)
  if (running) {
    if (!quiet) out(alreadyUp(running))
    return 0
  }
  const nothing = openSync('/dev/null', 'r+')
  const child = Bun.spawn([...selfCommand(), 'up', '--foreground'], {
    cwd: '/',
    env: { ...environmentFor(places), GANTRY_READY: '1' },
    stdin: nothing,
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  closeSync(nothing)
  const timer = setTimeout(() => child.kill(), START_DEADLINE_MS)
  const { value } = await child.stdout.getReader().read()
  clearTimeout(timer)
  if (!value) {
    const why = (await new Response(child.stderr).text()).trim().replace(/^gantry: /, '')
    // Somebody else was quicker: a hook's own start, or another "gantry up".
    const other = why.startsWith(ALREADY_RUNNING) ? await soonUp(places) : undefined
    if (!other) throw new GantryError('START_FAILED', why || `The daemon did not start. See ${places.log}`)
    if (!quiet) out(alreadyUp(other))
    return 0
  }
  child.unref()
  const status = await askStatus(places)
  if (!quiet) out(greeting(status))
  process.exit(0)
}

/** An agent's environment is its project's, also where the agent runs `gantry up`. */
function environmentFor(places: Places): Record<string, string> {
  if (agentMark(process.env) !== undefined) return daemonEnvironment(places)
  const home = places.home === undefined ? {} : { GANTRY_HOME: places.home }
  return { ...ownersEnvironment(process.env), ...home }
}

/** A disk without room must not keep the daemon from coming up: the next start by a hook repeats an older one. */
function keep(places: Places): void {
  try {
    keepEnvironment(places, ownersEnvironment(process.env))
  } catch {}
}

/** The daemon that holds the lock, once it listens. */
async function soonUp(places: Places): Promise<Status | undefined> {
  const until = performance.now() + OTHER_START_MS
  for (;;) {
    const status = await statusOf(places)
    if (status || performance.now() > until) return status
    await Bun.sleep(20)
  }
}

async function statusOf(places: Places): Promise<Status | undefined> {
  try {
    return await askStatus(places)
  } catch (error) {
    if (error instanceof GantryError && error.code === 'DAEMON_AWAY') return undefined
    throw error
  }
}

/** The daemon itself is started by this file, too, and asks nobody. */
async function askStatus(places: Places): Promise<Status> {
  const { call } = await import('../client/connection.ts')
  return (await call(places, 'status')) as Status
}

function alreadyUp(status: Status): string {
  const head = `${green('●')} gantry ${status.version} is already up (pid ${status.pid})${mismatch(status)}`
  return [head, ...wrongLines(status)].join('\n')
}

function mismatch(status: Status): string {
  if (status.version === VERSION) return ''
  return yellow(`, but this is gantry ${VERSION}: run "gantry down && gantry up" to change over`)
}

/** What a person has to know who has just started it. */
function wrongLines({ configProblem, rulesProblem, problems }: Status): string[] {
  return [
    ...[configProblem, rulesProblem].flatMap((problem) => problem?.split('\n') ?? []),
    ...problems.map(({ message, fix }) => (fix === undefined ? message : `${message}. ${fix}`)),
  ].map((text) => yellow(`  ! ${plain(text)}`))
}

function greeting(status: Status): string {
  return [
    `${green('●')} ${bold(`gantry ${status.version}`)} is up ${dim(`(pid ${status.pid})`)}`,
    `  socket  ${status.socket}`,
    `  http    ${status.http ?? 'off'}`,
    `  nats    ${status.nats}`,
    ...(status.natsServer === null
      ? []
      : [
          dim(`          gantry runs ${plain(status.natsServer)} for it, on 127.0.0.1 alone.`),
          dim(`          Not wanted? ${NO_NATS}`),
        ]),
    `  events  ${status.events.toLocaleString('en')} in ${status.database}`,
    `  log     ${status.log}`,
    `  config  ${status.config}`,
    ...wrongLines(status),
    '',
    ...howToReach(),
    `Next: ${cyan('gantry install')} wires your agents, ${cyan('gantry sessions')} shows what they do, ${cyan('gantry doctor')} what is wrong.`,
  ].join('\n')
}
