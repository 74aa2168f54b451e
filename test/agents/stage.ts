/**
 * One real agent with a HOME of its own, a model on loopback, and a gantry that nobody else has. Rules tell scenarios
 * apart by the folder they run in.
 *
 *   const stage = await openStage(claude)
 *   await install(stage)
 *   const run = await stage.ask('deny', [{ calls: [bash('touch ran')] }, { text: 'ok' }])
 *   run.types   // ['SessionStart', 'UserPromptSubmit', 'PreToolUse', …] from the journal
 *   run.seen    // what the model was sent
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import { type Places, places } from '../../src/core/files/paths.ts'
import { findEvents, readEvents } from '../../src/journal/listing.ts'
import { openEventReader } from '../../src/store/index.ts'
import { GANTRY, type Ran } from '../kit.ts'
import { agentProgram } from './cache.ts'
import type { Driver, RunOptions } from './driver.ts'
import { assertLoopbackOnly } from './loopback.ts'
import { type Model, type Seen, startModel, type Turn } from './mock/model.ts'

const RUN_LIMIT_MS = 110_000 // a turn takes one to ten seconds, more on a busy machine; past this the agent waits for a person
const EVENT_LIMIT_MS = 5_000 // hooks that an agent does not wait for come after its end
const POLL_MS = 50
const MOST_EVENTS = 10_000

export interface Stage {
  readonly driver: Driver
  readonly home: string
  readonly places: Places
  readonly model: Model
  readonly env: Readonly<Record<string, string>>
  /** A folder for one scenario. */
  project(name: string): string
  /** One headless run in the scenario's folder, to its end. */
  ask(scenario: string, turns: readonly Turn[], options?: AskOptions): Promise<Run>
  /** Events of a scenario so far, from the journal. */
  events(scenario: string): WireEvent[]
  gantry(...args: string[]): Promise<Ran>
  close(): Promise<void>
}

export interface AskOptions extends RunOptions {
  /** The events are complete when this holds; by default when the session has ended. */
  readonly until?: (events: readonly WireEvent[]) => boolean
  /** False where no daemon can be asked. */
  readonly journal?: boolean
}

export interface Run extends Ran {
  readonly project: string
  readonly events: readonly WireEvent[]
  readonly types: readonly string[]
  /** The scenario's requests, oldest first. */
  readonly seen: readonly Seen[]
}

export async function openStage(driver: Driver): Promise<Stage> {
  assertLoopbackOnly()
  const { bin } = await agentProgram(driver.release)
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-agent-')))
  const model = startModel(driver.dialect)
  const place = { home, model: model.url }
  for (const [path, text] of Object.entries(driver.files(place))) put(join(home, path), text)
  const at = places({}, join(home, 'gantry'))
  put(at.configFile, '[http]\nport = 0\n')
  const env = {
    PATH: [bin, ...foldersWithout(driver.release.agent)].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    GANTRY_HOME: at.home ?? '',
    GANTRY_NATS: 'off', // the bus has its own tests
    ...driver.env(place),
  }

  const run = (argv: readonly string[], cwd: string) => runProgram(argv, cwd, env)
  const gantry = (...args: string[]) => run([GANTRY, ...args], home)

  function project(name: string): string {
    const dir = join(home, 'work', name)
    mkdirSync(dir, { recursive: true })
    return dir
  }

  function events(scenario: string): WireEvent[] {
    const found = stored(at).filter(isTheAgents)
    const here = found.filter((event) => event.cwd === project(scenario))
    const sessions = new Set(here.map((event) => event.sessionId))
    // Not every event of opencode's says where it is.
    const isOf = ({ transport, sessionId }: WireEvent) =>
      (transport === 'socket' || transport === 'spool') && sessions.has(sessionId)
    return found.filter((event) => event.sessionId !== '' && (here.includes(event) || isOf(event)))
  }

  async function ask(scenario: string, turns: readonly Turn[], options: AskOptions = {}): Promise<Run> {
    const dir = project(scenario)
    const until = options.until ?? ((found) => found.some((event) => event.type === 'SessionEnd'))
    model.play(scenario, turns)
    const argv = driver.headless(`please [[s:${scenario}]]`, options)
    const started = performance.now()
    const ran = await run(argv, dir)
    const found = options.journal === false ? [] : await settled(() => events(scenario), until)
    const seen = model.seen(scenario)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const { agent, version } = driver.release
    console.log(
      `  ${agent} ${version} ${scenario}: exit ${ran.exit}, ${seen.length} model requests, ${found.length} events, ${seconds} s`,
    )
    return { ...ran, project: dir, events: found, types: found.map((event) => event.type), seen }
  }

  return {
    driver,
    home,
    places: at,
    model,
    env,
    project,
    ask,
    events,
    gantry,
    close: async () => {
      await gantry('down')
      await model.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** What `gantry events` shows, without a process for each look. */
function stored({ database }: Places): WireEvent[] {
  if (!existsSync(database)) return []
  const reader = openEventReader(database)
  try {
    return [...readEvents(reader, findEvents(reader, {}, MOST_EVENTS))]
  } finally {
    reader.close()
  }
}

/** A gantry command that must work. */
export async function gantry(stage: Stage, ...args: string[]): Promise<string> {
  const { exit, stdout, stderr } = await stage.gantry(...args)
  if (exit !== 0) throw new Error(`gantry ${args.join(' ')} gave ${exit}: ${stderr}${stdout}`)
  return stdout
}

/** Wires the agent as a user would. */
export async function install(stage: Stage): Promise<void> {
  await gantry(stage, 'install', stage.driver.release.agent, '--yes')
}

/** Asks again until it is so, and gives the last answer either way: the test says what is missing. */
export async function settled<T>(
  ask: () => T | Promise<T>,
  until: (value: T) => boolean,
  limitMs = EVENT_LIMIT_MS,
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const value = await ask()
    if (until(value) || performance.now() > deadline) return value
    await Bun.sleep(POLL_MS)
  }
}

/** The settings as they are on the disk; undefined for a file that is not there. */
export function readSettings({ driver, home }: Stage): Record<string, string | undefined> {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  return Object.fromEntries(driver.settings.map((path) => [path, read(join(home, path))]))
}

/** What gantry found out by itself is not the agent's word. */
const isTheAgents = ({ transport }: WireEvent) => transport !== 'healer'

/** Another release of the agent on this machine must not be found beside the one under test. */
function foldersWithout(program: string): string[] {
  return (process.env.PATH ?? '').split(':').filter((folder) => folder && !existsSync(join(folder, program)))
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text)
}

async function runProgram(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const child = Bun.spawn([...argv], {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: RUN_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exit, stdout, stderr }
}
