/** The process of one file of warm handlers: loads it, answers the daemon, and ends with it. */
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { inspect } from 'node:util'
import { shellLine } from '../../agents/tools/tool-call.ts'
import { isObject } from '../../core/is-object.ts'
import { lazy } from '../../core/lazy.ts'
import { sayLine } from '../../core/processes/child-lines.ts'
import type { FromWorker, Loaded, ToWorker, WarmSpec } from '../../decisions/index.ts'
import * as sdk from '../../sdk/index.ts'
import type { Script } from '../../shell/index.ts'
import type { Input } from '../framework/define.ts'
import { ignoreTerminal } from '../framework/worker.ts'
import type * as commands from './index.ts'

type Ask = Extract<ToWorker, { ask: number }>

const parser = lazy(() => require('../../shell/index.ts') as typeof import('../../shell/index.ts'))

const TIMEOUT_MS = 1_000
const MAX_TIMEOUT_MS = 30_000 // as long as a command may take
const PRIORITY = 50
const MAX_LOG_LINES = 50 // per second; further lines are dropped
const MAX_LOG_CHARS = 2_000

export async function run({ args: { file } }: Input<typeof commands.handler>): Promise<number> {
  for (const name of ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']) delete process.env[name] // not for child processes
  process.on('disconnect', () => process.exit(0))
  ignoreTerminal()
  const log = logLines()
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
    console[name] = (...values: unknown[]) =>
      log(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
  for (const name of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(name, (error: unknown) => log(`${name}: ${wordsOf(error)}`))
  let handlers: readonly sdk.WarmHandler[]
  try {
    handlers = await load(file)
    if (handlers.some(({ run }) => /commands|understood/.test(String(run)))) parser().parseScript(':') // loads the parser in advance
    say({
      loaded: {
        handlers: handlers.map((one, at) => specOf(one, at, handlers.length, file)),
        files: ownFiles(),
      },
    })
  } catch (error) {
    say({ refused: `${file}${placeIn(error, file)}: ${messageOf(error)}` })
    return new Promise(() => {}) // the daemon reads the message, then ends this process
  }
  process.on('message', (message: ToWorker) => {
    if ('ask' in message) void answer(handlers[message.handler], message, log, file)
    else say({ pong: message.ping })
  })
  return new Promise(() => {})
}

async function load(file: string): Promise<readonly sdk.WarmHandler[]> {
  Bun.plugin({
    name: 'gantry/sdk',
    setup: (build) => void build.module('gantry/sdk', () => ({ exports: { ...sdk }, loader: 'object' })),
  })
  const { default: found } = (await import(file)) as { default?: unknown }
  const handlers = [found].flat()
  if (!handlers.every(isHandler))
    throw new Error(
      "its default export is not a handler. Write: export default handler({ on: 'PreToolUse' }, (event) => …)",
    )
  return handlers
}

function isHandler(value: unknown): value is sdk.WarmHandler {
  return isObject(value) && typeof value.run === 'function' && value.on !== undefined
}

function specOf(one: sdk.WarmHandler, at: number, count: number, file: string): WarmSpec {
  const { name, on, tool, agent, priority = PRIORITY, ...rest } = one
  const { timeoutMs = TIMEOUT_MS, onFailure = 'open', run: _, ...others } = rest
  const own = basename(file, extname(file))
  const id = name ?? (count === 1 ? own : `${own}-${at + 1}`)
  const wrong = (what: string) => new Error(`${id}: ${what}`)
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(id)) throw wrong('a name is letters, digits, ".", "-" and "_"')
  if (!Number.isInteger(priority) || priority < 0 || priority > 1000)
    throw wrong('priority is a number from 0 to 1000')
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw wrong(`timeoutMs is a number up to ${MAX_TIMEOUT_MS}`)
  if (onFailure !== 'open' && onFailure !== 'closed') throw wrong('onFailure is "open" or "closed"')
  const texts = (value: unknown, what: string) => {
    const list = [value].flat()
    if (list.length === 0 || !list.every((text) => typeof text === 'string' && text !== ''))
      throw wrong(`${what} is a text or a list of texts`)
    return list as string[]
  }
  return {
    id,
    on: texts(on, 'on'),
    ...(tool === undefined ? {} : { tool: texts(tool, 'tool') }),
    ...(agent === undefined ? {} : { agent: texts(agent, 'agent') }),
    priority,
    timeoutMs,
    onFailure,
    ...(Object.keys(others).length === 0 ? {} : { strange: Object.keys(others) }),
  }
}

/** Without packages, which nobody edits. */
function ownFiles(): Loaded['files'] {
  const inside = new Set(loadedBefore)
  return Object.keys(require.cache).filter(
    (path) =>
      path.startsWith('/') &&
      !inside.has(path) &&
      !path.startsWith(SOURCE) &&
      !path.includes('/node_modules/'),
  )
}

/** Of gantry itself; some of it is loaded late. */
const SOURCE = `${join(import.meta.dir, '../..')}/`
const loadedBefore = Object.keys(require.cache)

async function answer(
  handler: sdk.WarmHandler | undefined,
  { ask, limitMs, question }: Ask,
  log: (text: string) => void,
  file: string,
): Promise<void> {
  const { event, session } = question
  let signal: AbortSignal | undefined
  const context: sdk.HandlerContext = {
    session: session as sdk.SessionView | undefined,
    /** Created when first read: most handlers need only microseconds. */
    get signal() {
      signal ??= AbortSignal.timeout(limitMs)
      return signal
    },
    log,
  }
  try {
    const verdict: unknown = await handler?.run(given(event) as never, context)
    say({ said: ask, output: { ...opinionOf(event.type, verdict) } })
  } catch (error) {
    say({ failed: ask, error: wordsOf(error, file) })
  }
}

function opinionOf(type: string, verdict: unknown): sdk.Opinion {
  if (verdict === undefined || verdict === null) return {}
  if (isObject(verdict) && typeof verdict.decision === 'string')
    return sdk.opinionOf(type, verdict as unknown as sdk.Verdict)
  throw new Error(
    `returned ${inspect(verdict).slice(0, 80)}, which is not a verdict. Return deny('…'), ask('…'), pass() …`,
  )
}

/** The event as a handler sees it. */
function given(event: sdk.HookEvent): sdk.HandlerEvent {
  const { tool } = event
  return {
    ...event,
    ...(tool === undefined || isObject(tool.input)
      ? {}
      : { tool: { ...tool, input: { value: tool.input } } }),
    get commands() {
      return scriptOf(event).commands
    },
    get understood() {
      return scriptOf(event).understood
    },
  }
}

const NO_SCRIPT: Script = { commands: [], understood: true }
let parsed: { readonly id: string; readonly script: Script } | undefined

/** Parsed once per event, for all handlers of the file. */
function scriptOf({ id, tool }: sdk.HookEvent): Script {
  if (parsed?.id === id) return parsed.script
  const line = tool && shellLine(tool)
  const script = line?.isSh ? scriptOfAll(line.lines) : line ? { ...NO_SCRIPT, understood: false } : NO_SCRIPT
  parsed = { id, script }
  return script
}

/** Each field by itself: a decoy in one must not hide the command in another. */
function scriptOfAll(lines: readonly string[]): Script {
  const { parseScript, unitedScripts } = parser()
  return unitedScripts(lines.map(parseScript), lines)
}

function say(message: FromWorker): void {
  sayLine(message)
}

function logLines(): (text: string) => void {
  let second = 0
  let lines = 0
  return (text) => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) lines = 0
    second = now
    if (++lines <= MAX_LOG_LINES) say({ log: String(text).slice(0, MAX_LOG_CHARS) })
  }
}

/** The error, and its line in the user's files, or their file: what is not their own is no help. */
function wordsOf(error: unknown, file?: string): string {
  const stack = (error instanceof Error && error.stack) || ''
  const places = [...stack.matchAll(/\(?(\/[^\s()]+?)(:\d+):\d+\)?/g)]
  const own = new Set(ownFiles())
  const [, path = file, line = ''] = places.find(([, path = '']) => own.has(path)) ?? []
  return `${messageOf(error)}${path === undefined ? '' : ` (${path}${line})`}`
}

function messageOf(error: unknown): string {
  return error instanceof Error || isObject(error) ? String(error.message) : String(error)
}

/** `:line` of an error while the file is loaded. */
function placeIn(error: unknown, file: string): string {
  const position = isObject(error) && isObject(error.position) ? error.position : undefined
  if (position?.file === file) return `:${position.line}`
  if (isObject(error) && typeof error.specifier === 'string') {
    const before = readFileSync(file, 'utf8').split(error.specifier, 1)[0] ?? ''
    return `:${before.split('\n').length}`
  }
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(`${file}:`)
  return at < 0 ? '' : `:${Number.parseInt(stack.slice(at + file.length + 1), 10)}`
}
