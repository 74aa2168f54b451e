/** Starts the daemon: in the background, or in place with --foreground. */
import { closeSync, openSync } from 'node:fs'
import { agentMark } from '../../agents/inside-agent.ts'
import { downSince, letStart } from '../../client/kept-down.ts'
import { daemonEnvironment, keepEnvironment, ownersEnvironment } from '../../client/kept-environment.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { selfCommand } from '../../core/processes/self.ts'
import { keepHeapSmall } from '../../core/processes/small-heap.ts'
import { until } from '../../core/time/waits.ts'
import { VERSION } from '../../core/version.ts'
import type { Status } from '../../rpc/index.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { bold, cyan, dim, green, out, plain, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { howToReach } from './reachable.ts'

const START_DEADLINE_MS = 15_000 // a long spool is drained for a second first; the rest is a slow disk
const OTHER_START_MS = 3_000 // another daemon has the lock; it must only come to listen
const NO_NATS = 'gantry config set nats.mode off'
const ALREADY_RUNNING = 'gantry is already running'

export function run({ flags, places }: Input<typeof commands.up>): Promise<number> {
  return flags.foreground ? foreground(places, flags.quiet) : background(places, flags.quiet)
}

async function foreground(places: Places, quiet: boolean): Promise<number> {
  keepHeapSmall()
  const { startDaemon } = await import('../../daemon/index.ts')
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
  else if (!quiet) out(greeting(daemon.status(), isForPerson() ? await daemon.link() : undefined))
  await daemon.stopped
  process.exit(0)
}

/** An agent may start a daemon, but gets no link into it. */
function isForPerson(): boolean {
  return agentMark(process.env) === undefined
}

async function background(places: Places, quiet: boolean): Promise<number> {
  letStart(places)
  const running = await statusOf(places)
  if (running) {
    if (!quiet) out([alreadyUp(running), ...otherBus(places)].join('\n'))
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
    // Another process started it first: a hook, or another "gantry up".
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

/** Inside an agent the environment is its project's, so the stored one is used. */
function environmentFor(places: Places): Record<string, string> {
  if (agentMark(process.env) !== undefined) return daemonEnvironment(places)
  const home = places.home === undefined ? {} : { GANTRY_HOME: places.home }
  return { ...ownersEnvironment(process.env), ...home }
}

/** Ignores a full disk: the daemon must start, and the next start by a hook uses the older environment. */
function keep(places: Places): void {
  try {
    keepEnvironment(places, ownersEnvironment(process.env))
  } catch {}
}

/** The daemon that holds the lock, once it listens. */
function soonUp(places: Places): Promise<Status | undefined> {
  return until(() => statusOf(places), OTHER_START_MS, 20)
}

async function statusOf(places: Places): Promise<Status | undefined> {
  try {
    return await askStatus(places)
  } catch (error) {
    if (isAway(error)) return undefined
    throw error
  }
}

/** Loaded late: the daemon, which this file starts, too, does not need it. */
async function askStatus(places: Places): Promise<Status> {
  const { call } = await import('../../client/connection.ts')
  return await call(places, 'status')
}

function alreadyUp(status: Status): string {
  const head = `${green('●')} gantry ${status.version} is already up (pid ${status.pid})${mismatch(status)}`
  return [head, ...wrongLines(status)].join('\n')
}

/** The bus is where the variables of its start said. */
function otherBus(places: Places): string[] {
  if (agentMark(process.env) !== undefined) return []
  const kept = daemonEnvironment(places)
  const changed = Object.entries(ownersEnvironment(process.env))
    .filter(([name, value]) => /^(?:BD|BEADS|COOP|GANTRY)_/.test(name) && kept[name] !== value)
    .map(([name]) => name)
  if (changed.length === 0) return []
  const what = `${changed.join(', ')}: it was started with another value, and keeps that`
  return [yellow(`  ! ${what}. To change over: gantry down && gantry up`)]
}

function mismatch(status: Status): string {
  if (status.version === VERSION) return ''
  return yellow(`, but this is gantry ${VERSION}: run "gantry down && gantry up" to change over`)
}

/** Problems that a user who has just started it must know. A daemon from before an upgrade may not send `problems`. */
function wrongLines({ configProblem, rulesProblem, problems = [] }: Status): string[] {
  return [
    ...[configProblem, rulesProblem].flatMap((problem) => problem?.split('\n') ?? []),
    ...problems.map(({ message, fix }) => (fix === undefined ? message : `${message}. ${fix}`)),
  ].map((text) => yellow(`  ! ${plain(text)}`))
}

function greeting(status: Status, link?: string): string {
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
    ...(link === undefined
      ? []
      : [`The page: ${cyan(link)}`, dim('The link works once. Another: gantry web'), '']),
    ...howToReach(),
    `Next: ${cyan('gantry install')} wires your agents, ${cyan('gantry sessions')} or ${cyan('gantry web')} shows what they do, ${cyan('gantry doctor')} what is wrong.`,
  ].join('\n')
}
